// SPDX-License-Identifier: Apache-2.0

package brenner

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"unicode/utf8"

	"ply11/game"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

// Reader reads games one after another. It is a codec.Reader.
type Reader struct {
	layout Layout
	strict bool
	split  *codec.Splitter
	number int
	dec    decoder
	err    error // final
}

// ReaderOption changes a Reader.
type ReaderOption func(*Reader) error

// Strict makes a Reader refuse the extension, the byte for an unknown result.
func Strict() ReaderOption {
	return func(r *Reader) error {
		r.strict = true
		return nil
	}
}

// NewReader returns a Reader of r. A game of more than codec.MaxGame bytes is codec.ErrLimit.
func NewReader(r io.Reader, l Layout, options ...ReaderOption) *Reader {
	return newReader(r, l, codec.MaxGame, options...)
}

func newReader(r io.Reader, l Layout, maxGame int, options ...ReaderOption) *Reader {
	x := &Reader{layout: l % numLayouts}
	x.err = codec.Apply(x, options)
	x.split = codec.NewSplitter(r, &lexer{layout: x.layout}, maxGame)
	return x
}

// lexer finds the result that ends a game, passing over text.
type lexer struct {
	layout Layout
	inText bool
}

func (x *lexer) Reset() { x.inText = false }

func (x *lexer) Scan(p []byte) (int, bool) {
	unknown := unknownResult[x.layout]
	for i, b := range p {
		switch {
		case b == 0:
			x.inText = !x.inText
		case x.inText:
		case b <= 3 || b == unknown:
			return i + 1, true
		}
	}
	return len(p), false
}

// All returns the games from here on: see codec.Reader.
func (r *Reader) All() iter.Seq2[*game.Game, error] { return codec.All(r.Read) }

// Read reads the next game into g: see codec.Reader.
func (r *Reader) Read(g *game.Game) error {
	g.Reset()
	if r.err != nil {
		return r.err
	}
	src, offset, err := r.split.Next()
	switch {
	case err == io.EOF:
		r.err = err
		return err
	case err == nil, errors.Is(err, codec.ErrTruncated): // the last game needs no result
		err = nil
	case !errors.Is(err, codec.ErrLimit):
		r.err = fmt.Errorf("offset %d: %w", offset, err)
		return r.err
	}
	r.number++
	bad := r.dec.decode(r.layout, src, r.strict, g)
	if err != nil {
		bad = &codec.Error{Err: err}
	}
	g.Source = game.Source{Number: r.number, Start: offset, End: offset + int64(len(src)), Encoding: game.UTF8}
	if bad == nil {
		return nil
	}
	return bad.In(r.number, offset)
}

// Decode reads the one game of src, with a result or without. With the error, which is a *codec.Error, comes the game
// as far as it is right.
func (l Layout) Decode(src []byte, options ...ReaderOption) (*game.Game, error) {
	g := game.New()
	var r Reader
	if err := codec.Apply(&r, options); err != nil {
		return g, err
	}
	if err := r.dec.decode(l%numLayouts, src, r.strict, g); err != nil {
		return g, err
	}
	return g, nil
}

// decoder makes games of bytes.
type decoder struct {
	builder game.Builder
	words   []moveindex.Index
	trace   trace
}

func (d *decoder) decode(l Layout, src []byte, strict bool, g *game.Game) *codec.Error {
	g.Reset()
	d.trace.offsets, d.trace.texts = d.trace.offsets[:0], d.trace.texts[:0]
	words, n, err := l.decode(d.words[:0], src, &d.trace, strict)
	d.words = words
	d.builder.Reset(g)
	if err := d.build(src, g); err != nil {
		return err
	}
	if err != nil {
		return err.(*codec.Error)
	}
	if n < len(src) {
		return codec.At(n, 0, fmt.Errorf("%w: bytes after the result", codec.ErrGrammar))
	}
	return nil
}

// tagOf is the tag of each text before the moves, by its first byte; tagBytes is the order of the document.
var (
	tagOf    = map[byte]string{'W': "White", 'B': "Black", 'D': "Date", 'L': "Site", 'T': "Event", 'V': "Opening"}
	tagBytes = [...]byte{'W', 'B', 'D', 'L', 'T', 'V'}
	// rosterOrder is the order that PGN gives these tags.
	rosterOrder = map[string]int{"Event": 0, "Site": 1, "Date": 2, "White": 3, "Black": 4, "Opening": 5}
)

func absent(name, value string) bool {
	return name != "Opening" && value == "?" || name == "Date" && value == "????.??.??"
}

func (d *decoder) build(src []byte, g *game.Game) *codec.Error {
	defer d.builder.Flush()
	pos := position.Start()
	ply, text := 0, 0
	defer func() {
		slices.SortStableFunc(g.Tags, func(a, b game.Tag) int { return rosterOrder[a.Name] - rosterOrder[b.Name] })
	}()
	for i, w := range d.words {
		at := int(d.trace.offsets[i])
		switch {
		case w < moveindex.NumMoves:
			mv, _ := w.Move()
			if !pos.IsLegal(mv) {
				return codec.At(at, ply+1, fmt.Errorf("%w: %s", position.ErrIllegal, pos.Why(mv)))
			}
			d.builder.Move(mv)
			pos.Make(mv)
			ply++
		case w == moveindex.Text:
			t := src[d.trace.texts[text][0]:d.trace.texts[text][1]]
			text++
			if !utf8.Valid(t) {
				return codec.At(at, ply, fmt.Errorf("%w: it is not UTF-8", codec.ErrText))
			}
			if ply > 0 {
				d.builder.AddText(t)
				break
			}
			if len(t) == 0 {
				return codec.At(at, 0, fmt.Errorf("%w: empty before the moves", codec.ErrText))
			}
			name, ok := tagOf[t[0]]
			switch value := string(t[1:]); {
			case !ok:
				d.builder.AddText(t)
			case !absent(name, value):
				g.AddTag(name, value)
			}
		case w >= moveindex.NAG1:
			d.builder.NAG(uint8(w - (moveindex.NAG1 - 1)))
		default:
			g.Result, _ = game.ResultOf(w)
		}
	}
	return nil
}
