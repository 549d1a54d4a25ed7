// SPDX-License-Identifier: Apache-2.0

package brenner

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"unicode/utf8"

	"ply11/bitstream/men/records"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// Errors of streams, shared with the other byte codecs.
var (
	// ErrTooLong: a game longer than Options.MaxGame.
	ErrTooLong = records.ErrTooLong
	// ErrLoss: a game holds what the format cannot; LossError has it.
	ErrLoss = records.ErrLoss
)

type (
	// Error is what is wrong with a game, and where: offset, game and ply.
	Error = records.Error
	// LossError refuses a game, naming all that would be lost.
	LossError = records.LossError
)

// Options tell a Reader or a Writer what to do. The zero value is the default of everything.
type Options struct {
	// Strict makes a Reader refuse the extension, the byte for an unknown result.
	Strict bool
	// MaxGame is the longest game that a Reader takes, in bytes; 0 is 1 MiB.
	MaxGame int
	// Lossy makes a Writer drop what the format cannot hold, and report it.
	Lossy bool
}

// Reader reads games that stand one after another.
type Reader struct {
	layout Layout
	opts   Options
	split  *records.Splitter
	number int
	dec    decoder
}

// NewReader returns a Reader of r.
func NewReader(r io.Reader, l Layout, o Options) *Reader {
	return &Reader{layout: l, opts: o, split: records.NewSplitter(r, &lexer{layout: l % numLayouts}, o.MaxGame)}
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

// Games returns the games in their order. A game is valid until the next step. Where one is
// wrong, it comes as far as it is right, with an *Error, and the next game follows; an error of the
// input itself comes last, with a nil game.
func (r *Reader) Games() iter.Seq2[*game.Game, error] {
	return func(yield func(*game.Game, error) bool) {
		for {
			g, err := r.Next()
			if err == io.EOF {
				return
			}
			if !yield(g, err) || g == nil {
				return
			}
		}
	}
}

// Next returns the next game, as Games does, and io.EOF after the last.
func (r *Reader) Next() (*game.Game, error) {
	src, offset, err := r.split.Next()
	switch {
	case err == io.EOF:
		return nil, err
	case err == nil, errors.Is(err, records.ErrTruncated): // the last game needs no result
		err = nil
	case !errors.Is(err, ErrTooLong):
		return nil, fmt.Errorf("offset %d: %w", offset, err)
	}
	r.number++
	g := &r.dec.game
	if werr := r.dec.decode(r.layout, src, r.opts.Strict); werr != nil && err == nil {
		return g, &Error{Offset: offset + int64(werr.At), Game: r.number, Ply: werr.Ply, Err: werr.Err}
	}
	if err != nil {
		return g, &Error{Offset: offset, Game: r.number, Err: err}
	}
	g.Source = game.Source{Number: r.number, Start: offset, End: offset + int64(len(src)), Encoding: game.UTF8}
	return g, nil
}

// Decode reads the one game that src holds, which need not have a result. What follows its result is an error.
// With the error, which is an *Error, comes the game as far as it is right.
func (l Layout) Decode(src []byte, o Options) (*game.Game, error) {
	var d decoder
	if err := d.decode(l, src, o.Strict); err != nil {
		return &d.game, &Error{Offset: int64(err.At), Game: 1, Ply: err.Ply, Err: err.Err}
	}
	return &d.game, nil
}

// decoder makes games of bytes, and keeps its memory for the next.
type decoder struct {
	game    game.Game
	builder game.Builder
	words   []moveindex.Index
	trace   trace
}

// ErrTrailing: bytes after the result of a single game.
var ErrTrailing = errors.New("bytes after the result")

func (d *decoder) decode(l Layout, src []byte, strict bool) *WordError {
	g := &d.game
	g.Reset()
	d.trace.offsets, d.trace.texts = d.trace.offsets[:0], d.trace.texts[:0]
	words, n, err := l.decode(d.words[:0], src, &d.trace, strict)
	d.words = words
	d.builder.Reset(g)
	if err := d.build(src); err != nil {
		return err
	}
	if err != nil {
		return err.(*WordError)
	}
	if n < len(src) {
		return &WordError{n, 0, ErrTrailing}
	}
	return nil
}

// tagOf is the tag of each text before the moves, by its first byte, tagByte the other way in the order
// of the document.
var (
	tagOf    = map[byte]string{'W': "White", 'B': "Black", 'D': "Date", 'L': "Site", 'T': "Event", 'V': "Opening"}
	tagBytes = [...]byte{'W', 'B', 'D', 'L', 'T', 'V'}
	// rosterOrder is the order that PGN gives these tags.
	rosterOrder = map[string]int{"Event": 0, "Site": 1, "Date": 2, "White": 3, "Black": 4, "Opening": 5}
)

// absent reports whether a tag's value says that nothing is known, as PGN writes that.
func absent(name, value string) bool {
	return name != "Opening" && value == "?" || name == "Date" && value == "????.??.??"
}

// build makes the game of the words.
func (d *decoder) build(src []byte) *WordError {
	g := &d.game
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
				return &WordError{at, ply + 1, fmt.Errorf("%w: %s", ErrIllegal, pos.Explain(mv))}
			}
			d.builder.Move(mv)
			pos.Make(mv)
			ply++
		case w == moveindex.Text:
			t := src[d.trace.texts[text][0]:d.trace.texts[text][1]]
			text++
			if !utf8.Valid(t) {
				return &WordError{at, ply, fmt.Errorf("%w: it is not UTF-8", ErrText)}
			}
			if ply > 0 {
				d.builder.AddText(t)
				break
			}
			if len(t) == 0 {
				return &WordError{at, 0, fmt.Errorf("%w: empty before the moves", ErrText)}
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
