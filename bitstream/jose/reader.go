// SPDX-License-Identifier: Apache-2.0

package jose

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"ply11/game"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

type Container uint8

// The containers.
const (
	// Plain is GameText one after another: .jgt.
	Plain Container = iota
	// Table is a tab-separated export with a header line: .tsv.
	Table

	numContainers = 2
)

// Record is a game as a database has it.
type Record struct {
	FEN      string // "" for the usual start position
	GameText []byte // to its end code
	Comments []byte // in Program: the strings, each ended by a NUL
}

// Reader reads games one after another, or line by line. It is a codec.Reader.
type Reader struct {
	dialect   Dialect
	container Container
	maxGame   int
	split     *codec.Splitter
	number    int
	line      int
	columns   [3]int // of fen, gametext_hex, comments_hex; -1 for none
	header    bool   // it was read
	record    Record
	dec       decoder
	err       error // final
}

// NewReader returns a Reader of r. A GameText, or Comments, of more than codec.MaxGame bytes is codec.ErrLimit.
func NewReader(r io.Reader, d Dialect, c Container) *Reader { return newReader(r, d, c, codec.MaxGame) }

func newReader(r io.Reader, d Dialect, c Container, maxGame int) *Reader {
	x := &Reader{dialect: d % numDialects, container: c % numContainers, maxGame: maxGame}
	if x.container == Table {
		// A line: two columns in hex, and room for others.
		x.split = codec.NewSplitter(r, lineLexer{}, 4*x.maxGame+1<<16)
	} else {
		x.split = codec.NewSplitter(r, &lexer{dialect: x.dialect}, x.maxGame)
	}
	return x
}

// lexer finds the end code, passing over second bytes and text.
type lexer struct {
	dialect Dialect
	skip    bool // a second byte
	inText  bool
}

func (x *lexer) Reset() { x.skip, x.inText = false, false }

func (x *lexer) Scan(p []byte) (int, bool) {
	for i, b := range p {
		switch {
		case x.skip:
			x.skip = false
		case x.inText:
			x.inText = b != 0
		case b == codeEnd:
			return i + 1, true
		case b >= codePromotion && b <= codeNAG:
			x.skip = true
		case b >= codeText && b <= codeText+4:
			x.inText = x.dialect == Document
		}
	}
	return len(p), false
}

type lineLexer struct{}

func (lineLexer) Reset() {}

func (lineLexer) Scan(p []byte) (int, bool) {
	if i := bytes.IndexByte(p, '\n'); i >= 0 {
		return i + 1, true
	}
	return len(p), false
}

// All returns the games from here on: see codec.Reader.
func (r *Reader) All() iter.Seq2[*game.Game, error] { return codec.All(r.Read) }

// Read reads the next game into g: see codec.Reader.
func (r *Reader) Read(g *game.Game) error {
	g.Reset()
	rec, at, err := r.nextRecord()
	if err != nil {
		return err
	}
	bad := r.dec.decode(r.dialect, r.container, rec, g)
	g.Source = game.Source{Number: r.number, Line: r.line, Encoding: game.UTF8}
	g.Source.Start, g.Source.End = at, at+int64(len(rec.GameText))
	if bad == nil {
		return nil
	}
	if r.container == Table {
		bad.Offset *= 2
	}
	bad.Line = r.line
	return bad.In(r.number, at)
}

// NextRecord returns the next game as its bytes, valid until the next call. Its errors are those of Read.
func (r *Reader) NextRecord() (*Record, error) {
	rec, _, err := r.nextRecord()
	return rec, err
}

// nextRecord is NextRecord, with the offset of the GameText.
func (r *Reader) nextRecord() (*Record, int64, error) {
	if r.err != nil {
		return nil, 0, r.err
	}
	next := r.nextText
	if r.container == Table {
		next = r.nextLine
	}
	rec, at, err := next()
	if err != nil && !codec.IsGameError(err) {
		r.err = err
	}
	return rec, at, err
}

func (r *Reader) nextText() (*Record, int64, error) {
	src, at, err := r.split.Next()
	switch {
	case err == io.EOF:
		return nil, 0, err
	case err == nil, errors.Is(err, codec.ErrTruncated): // the end code is asked for in its place
	case errors.Is(err, codec.ErrLimit):
		r.number++
		return nil, 0, &codec.Error{Offset: at, Game: r.number, Err: err}
	default:
		return nil, 0, fmt.Errorf("offset %d: %w", at, err)
	}
	r.number++
	r.record = Record{GameText: src}
	return &r.record, at, nil
}

var errHeader = fmt.Errorf("%w: the header line has no column gametext_hex", codec.ErrCorrupt)

func (r *Reader) nextLine() (*Record, int64, error) {
	for {
		line, at, err := r.split.Next()
		if err != nil && (err == io.EOF || !errors.Is(err, codec.ErrLimit) && !errors.Is(err, codec.ErrTruncated)) {
			if err == io.EOF && !r.header {
				return nil, 0, errHeader
			}
			return nil, 0, err
		}
		r.line++
		tooLong := errors.Is(err, codec.ErrLimit)
		line = bytes.TrimRight(line, "\r\n")
		if !r.header {
			if tooLong || !r.readHeader(line) {
				return nil, 0, errHeader
			}
			continue
		}
		if len(line) == 0 {
			continue
		}
		r.number++
		fail := func(column int64, err error) (*Record, int64, error) {
			return nil, 0, &codec.Error{Offset: at + column, Line: r.line, Game: r.number, Err: err}
		}
		if tooLong {
			return fail(0, err)
		}
		r.record.FEN = ""
		r.record.GameText, r.record.Comments = r.record.GameText[:0], r.record.Comments[:0]
		found := false
		textAt := at
		start := 0
		for column := 0; start <= len(line); column++ {
			cell := line[start:]
			if tab := bytes.IndexByte(cell, '\t'); tab >= 0 {
				cell = cell[:tab]
			}
			switch column {
			case r.columns[0]:
				r.record.FEN = strings.TrimSpace(string(cell))
			case r.columns[1], r.columns[2]:
				dst := &r.record.GameText
				if column == r.columns[1] {
					found, textAt = true, at+int64(start)
				} else {
					dst = &r.record.Comments
				}
				if *dst, err = hex.AppendDecode(*dst, cell); err != nil {
					return fail(int64(start), fmt.Errorf("%w: column %d: %v", codec.ErrCorrupt, column+1, err))
				}
				if len(*dst) > r.maxGame {
					return fail(int64(start), codec.TooLong(r.maxGame))
				}
			}
			start += len(cell) + 1
		}
		if !found {
			return fail(0, fmt.Errorf("%w: column gametext_hex is missing", codec.ErrCorrupt))
		}
		return &r.record, textAt, nil
	}
}

var columnNames = [3]string{"fen", "gametext_hex", "comments_hex"}

func (r *Reader) readHeader(line []byte) bool {
	r.header = true
	r.columns = [3]int{-1, -1, -1}
	text := strings.TrimPrefix(string(line), "\ufeff")
	for i, name := range strings.Split(text, "\t") {
		for j, want := range columnNames {
			if r.columns[j] < 0 && strings.EqualFold(strings.TrimSpace(name), want) {
				r.columns[j] = i
			}
		}
	}
	return r.columns[1] >= 0
}

// Decode reads one game. With the error, which is a *codec.Error, comes the game as far as it is right. In Program
// without Comments, the texts are left out.
func (d Dialect) Decode(rec Record) (*game.Game, error) {
	var x decoder
	g := game.New()
	c := Table
	if d == Program && rec.Comments == nil && rec.FEN == "" {
		c = Plain
	}
	if err := x.decode(d%numDialects, c, &rec, g); err != nil {
		return g, err
	}
	return g, nil
}

// decoder makes games of bytes.
type decoder struct {
	Decoder
	builder game.Builder
	words   []moveindex.Index
	trace   trace
	buf     []byte
	line    position.Line
}

func (x *decoder) decode(d Dialect, c Container, rec *Record, g *game.Game) *codec.Error {
	g.Reset()
	if rec.FEN != "" {
		p, err := position.ParseFENLenient(rec.FEN)
		if err != nil {
			return codec.At(0, 0, err)
		}
		g.SetStart(p)
	}
	x.trace.offsets, x.trace.texts = x.trace.offsets[:0], x.trace.texts[:0]
	x.builder.Reset(g)
	words, n, err := x.Decoder.decode(d, &g.Start, x.words[:0], rec.GameText, &x.trace)
	x.words = words
	if err := x.build(d, c, rec, g); err != nil {
		return err
	}
	if err != nil {
		if werr := (*codec.Error)(nil); errors.As(err, &werr) {
			return werr
		}
		return codec.At(0, 0, err)
	}
	if n < len(rec.GameText) {
		return codec.At(n, 0, fmt.Errorf("%w: bytes after the end code", codec.ErrGrammar))
	}
	return nil
}

// build makes the game of the words.
func (x *decoder) build(d Dialect, c Container, rec *Record, g *game.Game) *codec.Error {
	defer x.builder.Flush()
	x.line.Reset(g.Start)
	at := &x.line.At
	comments := rec.Comments
	texts := 0
	for i := 0; i < len(x.words); i++ {
		w, offset := x.words[i], int(x.trace.offsets[i])
		switch {
		case w < moveindex.NumMoves || w == moveindex.Null:
			mv, _ := w.Move()
			if w != moveindex.Null && !at.IsLegal(mv) {
				return codec.At(offset, x.line.Ply()+1, fmt.Errorf("%w: %s", position.ErrIllegal, at.Why(mv)))
			}
			x.builder.Move(mv)
			x.line.Make(mv)
		case w == moveindex.Text:
			t := x.trace.texts[texts]
			texts++
			content := rec.GameText[t.start:t.end]
			if d == Program {
				if c == Plain {
					continue
				}
				end := bytes.IndexByte(comments, 0)
				if end < 0 {
					return codec.At(offset, x.line.Ply(), fmt.Errorf("%w: comment %d is missing", codec.ErrCorrupt,
						texts))
				}
				content, comments = comments[:end], comments[end+1:]
			}
			var ok bool
			if d == Program {
				x.buf, ok = appendUTF8(x.buf[:0], content)
				content = x.buf
			} else {
				ok = utf8.Valid(content)
			}
			if !ok {
				return codec.At(offset, x.line.Ply(), fmt.Errorf("%w: it is not UTF-8", codec.ErrText))
			}
			if t.code != codeText {
				content = appendRecord(nil, int(t.code-codeText-1), content)
			}
			x.builder.AddText(content)
		case w == moveindex.NAG:
			i++
			x.builder.NAG(uint8(x.words[i]))
		case w == moveindex.VariationStart:
			_ = x.builder.StartVariation() // there is a move: the words were verified
			x.line.Open()
		case w == moveindex.VariationEnd:
			// One without a move is none: jose writes such.
			_ = x.builder.EndVariation()
			x.line.Close()
		case w >= moveindex.NAG1:
			x.builder.NAG(uint8(w - (moveindex.NAG1 - 1)))
		default:
			g.Result, _ = game.ResultOf(w)
		}
	}
	if len(comments) > 0 {
		if d == Document {
			return codec.At(0, x.line.Ply(), fmt.Errorf("%w: comments, for which the dialect %v has no column",
				codec.ErrCorrupt, d))
		}
		return codec.At(0, x.line.Ply(), fmt.Errorf("%w: %d bytes of comments are left over", codec.ErrCorrupt,
			len(comments)))
	}
	return nil
}
