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

	"ply11/bitstream/men"
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

// What can be wrong with a tab-separated export, beside its games.
var (
	// ErrHeader: the first line does not name the column gametext_hex.
	ErrHeader = errors.New("the header line has no column gametext_hex")
	// ErrColumn: a line without the column, or one that is not hexadecimal.
	ErrColumn = errors.New("malformed column")
	// ErrComments: more or fewer strings in Comments than marks in GameText, or strings in the dialect
	// that has none.
	ErrComments = errors.New("comments do not fit the text's marks")
	// ErrTrailing: bytes after the end code of a single game.
	ErrTrailing = errors.New("bytes after the end of data")
)

type (
	// Error is what is wrong with a game, and where: offset, game and ply.
	Error = records.Error
	// LossError refuses a game, naming all that would be lost.
	LossError = records.LossError
)

// Container is what surrounds the GameText of several games.
type Container uint8

// The containers.
const (
	// Plain is GameText one after another: .jgt.
	Plain Container = iota
	// Table is a tab-separated export with a header line: .tsv.
	Table
)

// Options tell a Reader or a Writer what to do. The zero value is the default of everything.
type Options struct {
	Container Container
	// MaxGame is the longest GameText and the longest Comments that a Reader takes, in bytes; 0 is 1 MiB.
	MaxGame int
	// Lossy makes a Writer drop what the format cannot hold, and report it.
	Lossy bool
}

// Record is a game as a database has it.
type Record struct {
	FEN      string // "" for the usual start position
	GameText []byte // to its end code
	Comments []byte // in Program: the strings, each ended by a NUL
}

// Reader reads games that stand one after another, or line by line.
type Reader struct {
	dialect Dialect
	opts    Options
	split   *records.Splitter
	number  int
	line    int
	columns [3]int // of fen, gametext_hex, comments_hex; -1 for none
	header  bool   // it was read
	record  Record
	dec     decoder
}

// NewReader returns a Reader of r.
func NewReader(r io.Reader, d Dialect, o Options) *Reader {
	if o.MaxGame <= 0 {
		o.MaxGame = records.DefaultLimit
	}
	x := &Reader{dialect: d % numDialects, opts: o}
	if o.Container == Table {
		// A line: two columns in hex, and room for others.
		x.split = records.NewSplitter(r, lineLexer{}, 4*o.MaxGame+1<<16)
	} else {
		x.split = records.NewSplitter(r, &lexer{dialect: x.dialect}, o.MaxGame)
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

// lineLexer finds the end of a line.
type lineLexer struct{}

func (lineLexer) Reset() {}

func (lineLexer) Scan(p []byte) (int, bool) {
	if i := bytes.IndexByte(p, '\n'); i >= 0 {
		return i + 1, true
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
	rec, at, err := r.nextRecord()
	if err != nil {
		if e := (*Error)(nil); errors.As(err, &e) {
			r.dec.game.Reset()
			return &r.dec.game, err
		}
		return nil, err
	}
	g := &r.dec.game
	if werr := r.dec.decode(r.dialect, r.opts.Container, rec); werr != nil {
		e := &Error{Offset: at + int64(werr.At), Line: r.line, Game: r.number, Ply: werr.Ply, Err: werr.Err}
		if r.opts.Container == Table {
			e.Offset = at + 2*int64(werr.At)
		}
		return g, e
	}
	g.Source = game.Source{Number: r.number, Line: r.line, Encoding: game.UTF8}
	g.Source.Start, g.Source.End = at, at+int64(len(rec.GameText))
	return g, nil
}

// NextRecord returns the next game as its bytes, valid until the next call, and io.EOF after the last. An *Error is that
// of one game, and the next can be read; any other is of the input.
func (r *Reader) NextRecord() (*Record, error) {
	rec, _, err := r.nextRecord()
	return rec, err
}

func (r *Reader) nextRecord() (*Record, int64, error) {
	if r.opts.Container == Table {
		return r.nextLine()
	}
	src, at, err := r.split.Next()
	switch {
	case err == io.EOF:
		return nil, 0, err
	case err == nil, errors.Is(err, records.ErrTruncated): // the end code is asked for in its place
	case errors.Is(err, ErrTooLong):
		r.number++
		return nil, 0, &Error{Offset: at, Game: r.number, Err: err}
	default:
		return nil, 0, fmt.Errorf("offset %d: %w", at, err)
	}
	r.number++
	r.record = Record{GameText: src}
	return &r.record, at, nil
}

// nextLine reads a line of an export.
func (r *Reader) nextLine() (*Record, int64, error) {
	for {
		line, at, err := r.split.Next()
		if err != nil && (err == io.EOF || !errors.Is(err, ErrTooLong) && !errors.Is(err, records.ErrTruncated)) {
			if err == io.EOF && !r.header {
				return nil, 0, ErrHeader
			}
			return nil, 0, err
		}
		r.line++
		tooLong := errors.Is(err, ErrTooLong)
		line = bytes.TrimRight(line, "\r\n")
		if !r.header {
			if tooLong || !r.readHeader(line) {
				return nil, 0, ErrHeader
			}
			continue
		}
		if len(line) == 0 {
			continue
		}
		r.number++
		fail := func(column int64, err error) (*Record, int64, error) {
			return nil, 0, &Error{Offset: at + column, Line: r.line, Game: r.number, Err: err}
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
					return fail(int64(start), fmt.Errorf("%w %d: %v", ErrColumn, column+1, err))
				}
				if len(*dst) > r.opts.MaxGame {
					return fail(int64(start), ErrTooLong)
				}
			}
			start += len(cell) + 1
		}
		if !found {
			return fail(0, fmt.Errorf("%w: gametext_hex is missing", ErrColumn))
		}
		return &r.record, textAt, nil
	}
}

// columnNames are the columns that are read and written.
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

// Decode reads one game. With the error, which is an *Error, comes the game as far as it is right. In Program,
// without Comments where GameText has marks for them, the texts are left out.
func (d Dialect) Decode(rec Record) (*game.Game, error) {
	var x decoder
	c := Table
	if d == Program && rec.Comments == nil && rec.FEN == "" {
		c = Plain
	}
	if err := x.decode(d%numDialects, c, &rec); err != nil {
		return &x.game, &Error{Offset: int64(err.At), Game: 1, Ply: err.Ply, Err: err.Err}
	}
	return &x.game, nil
}

// decoder makes games of bytes, and keeps its memory for the next.
type decoder struct {
	Decoder
	game    game.Game
	builder game.Builder
	words   []moveindex.Index
	trace   trace
	buf     []byte
	stack   []replaced
}

// replaced is what a variation interrupts: the position, before and after the move that it replaces.
type replaced struct {
	before, at position.Position
	ply        int
}

func (x *decoder) decode(d Dialect, c Container, rec *Record) *WordError {
	g := &x.game
	g.Reset()
	if rec.FEN != "" {
		p, err := position.ParseFENLenient(rec.FEN)
		if err != nil {
			return &WordError{0, 0, err}
		}
		g.SetStart(p)
	}
	x.trace.offsets, x.trace.texts = x.trace.offsets[:0], x.trace.texts[:0]
	x.builder.Reset(g)
	words, n, err := x.Decoder.decodeTraced(d, &g.Start, x.words[:0], rec.GameText, &x.trace)
	x.words = words
	if err := x.build(d, c, rec); err != nil {
		return err
	}
	if err != nil {
		if werr := (*WordError)(nil); errors.As(err, &werr) {
			return werr
		}
		return &WordError{0, 0, err}
	}
	if n < len(rec.GameText) {
		return &WordError{n, 0, ErrTrailing}
	}
	return nil
}

func (x *Decoder) decodeTraced(d Dialect, start *position.Position, dst []moveindex.Index, src []byte, tr *trace) ([]moveindex.Index, int, error) {
	var m men.Men
	if err := setup(&m, start); err != nil {
		return dst, 0, err
	}
	return x.decode(d, &m, start.Turn(), dst, src, tr)
}

// build makes the game of the words.
func (x *decoder) build(d Dialect, c Container, rec *Record) *WordError {
	g := &x.game
	defer x.builder.Flush()
	x.stack = x.stack[:0]
	before, at := g.Start, g.Start
	comments := rec.Comments
	ply, texts := 0, 0
	for i := 0; i < len(x.words); i++ {
		w, offset := x.words[i], int(x.trace.offsets[i])
		switch {
		case w < moveindex.NumMoves || w == moveindex.Null:
			mv, _ := w.Move()
			if w != moveindex.Null && !at.IsLegal(mv) {
				return &WordError{offset, ply + 1, fmt.Errorf("%w: %s", ErrIllegal, at.Explain(mv))}
			}
			x.builder.Move(mv)
			before = at
			at.Make(mv)
			ply++
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
					return &WordError{offset, ply, fmt.Errorf("%w: text %d is missing", ErrComments, texts)}
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
				return &WordError{offset, ply, fmt.Errorf("%w: it is not UTF-8", ErrText)}
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
			x.stack = append(x.stack, replaced{before, at, ply})
			at = before
			ply--
		case w == moveindex.VariationEnd:
			// One without a move is none: jose writes such.
			_ = x.builder.EndVariation()
			top := x.stack[len(x.stack)-1]
			before, at, ply = top.before, top.at, top.ply
			x.stack = x.stack[:len(x.stack)-1]
		case w >= moveindex.NAG1:
			x.builder.NAG(uint8(w - (moveindex.NAG1 - 1)))
		default:
			g.Result, _ = game.ResultOf(w)
		}
	}
	if len(comments) > 0 {
		if d == Document {
			return &WordError{0, ply, fmt.Errorf("%w: the dialect %v has no column for them", ErrComments, d)}
		}
		return &WordError{0, ply, fmt.Errorf("%w: %d bytes are left over", ErrComments, len(comments))}
	}
	return nil
}
