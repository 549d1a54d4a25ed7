// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"ply11/chess"
	"ply11/game/codec"
)

// explainer prints lines: offset, bytes in the file, deciphered bytes, meaning. It keeps the first error of the output.
type explainer struct {
	w   *bufio.Writer
	err error
	bad error // the first that is wrong with the file
}

func (x *explainer) fault(err error) error {
	if x.bad == nil {
		x.bad = err
	}
	return err
}

// end returns the output's error, or else the first of the file.
func (x *explainer) end() error {
	return cmp.Or(x.err, x.w.Flush(), x.bad)
}

func (x *explainer) printf(format string, args ...any) {
	if x.err == nil {
		_, x.err = fmt.Fprintf(x.w, format, args...)
	}
}

// line prints one field; plain is nil where it is not ciphered.
func (x *explainer) line(offset int64, raw, plain []byte, format string, args ...any) {
	x.printf("%08x  %-17s  %-17s  %s\n", offset, shortHex(raw), shortHex(plain), fmt.Sprintf(format, args...))
}

// shortHex prints at most six bytes.
func shortHex(b []byte) string {
	if len(b) > 6 {
		return fmt.Sprintf("% x..", b[:5])
	}
	return fmt.Sprintf("% x", b)
}

// Explain prints each byte of the two files with its field and meaning: the index's entries, and of each game the
// header, the names, each move with its number, line and SAN, each comment and the starting position. It prints what is
// wrong in its place, and returns the first error of the output, or else of the files.
func (r *Reader) Explain(w io.Writer) error {
	x := &explainer{w: bufio.NewWriter(w)}
	if r.index != nil {
		x.index(r)
	}
	for at := (cursor{}); x.err == nil; {
		i, err := r.next(&at)
		if err == io.EOF {
			break
		}
		if err != nil {
			x.printf("\ngame %d\nerror: %v\n", i, x.fault(err))
		} else {
			x.game(r, i)
		}
	}
	return x.end()
}

func (x *explainer) index(r *Reader) {
	entry := func(at int64) []byte {
		b := make([]byte, entrySize)
		if readAt(r.index.file, b, at) != nil {
			return nil
		}
		return b
	}
	x.printf("index\n")
	x.line(0, entry(0), nil, "games + 1: %d games", r.index.len())
	for i := 1; i <= r.index.len()+1 && x.err == nil; i++ {
		at := int64(i) * entrySize
		offset, err := r.index.offset(i)
		switch {
		case err != nil:
			x.line(at, entry(at), nil, "game %d; error: %v", i, x.fault(err))
		case i > r.index.len():
			x.line(at, entry(at), nil, "first free offset: %d", offset)
		default:
			x.line(at, entry(at), nil, "game %d at offset %d", i, offset)
		}
	}
}

// game explains the record that r has read.
func (x *explainer) game(r *Reader, i int) {
	rec := &r.record
	decodeErr := r.decode(i, &r.game)
	raw := make([]byte, rec.size())
	if err := readAt(r.cbf, raw, rec.Offset); err != nil {
		x.printf("\ngame %d\nerror: %v\n", i, x.fault(codec.InGame(i, err)))
		return
	}
	x.printf("\ngame %d, %d bytes, numbering %v\n", i, rec.size(), r.Numbering())
	at := 0
	field := func(n int, format string, args ...any) {
		x.line(rec.Offset+int64(at), raw[at:at+n], rec.Header[at:at+n], format, args...)
		at += n
	}
	h := &rec.Header
	if year, ok := h.year(); ok {
		field(1, "year %d", year)
	} else {
		field(1, "no year")
	}
	result, variant := h.Result()
	note := ""
	switch {
	case h[1] == ResultCBASCII:
		note = ", as CBASCII writes it"
	case result == resultVariant:
		note = fmt.Sprintf(", bits 5..2 sign %d", variant)
	}
	field(1, "result, bits 1..0 = %d: %v%s", h[1]&3, r.game.Result, note)
	field(2, "length of the move list + 1: %d bytes", h.movesSize())
	field(1, "bits 5..0 length of the player text: %d; bits 7..6 ECO1 bits 6..5: %02b", h.playerSize(), h[4]>>6)
	field(1, "bits 5..0 length of the source text: %d; bits 7..6 ECO1 bits 8..7: %02b", h.sourceSize(), h[5]>>6)
	field(2, "length of the comments: %d bytes", h.commentsSize())
	field(1, "white Elo %s", given(elo(h[8])))
	field(1, "black Elo %s", given(elo(h[9])))
	flags := "ordinary starting position"
	if h.setup() {
		flags = "set-up position, " + chess.Color(h[10]>>1&1).String() + " to move"
		for _, f := range castlingFlags {
			if h[10]&f.bit != 0 {
				flags += ", " + f.right.String()
			}
		}
	} else {
		flags += fmt.Sprintf(", bits 5..1 ECO1 bits 4..0: %05b", h[10]>>1&31)
	}
	if h.marked() {
		flags += ", marked"
	}
	if h.deleted() {
		flags += ", deleted"
	}
	field(1, "%s", flags)
	if h.setup() {
		field(1, "bits 3..0 en passant file: %d; bit 6 version: %d", h.enPassantFile(), h[11]>>6&1)
	} else {
		field(1, "bits 5..0 and 7 ECO2: %d; bit 6 version: %d; ECO %s", h.eco().ECO2, h[11]>>6&1,
			given(h.eco().String()))
	}
	field(1, "moves: %d", h.moveCount())
	if _, second := h.checksum(); h.checksumOK() {
		field(1, "byte 13, as known readers take it")
	} else {
		field(1, "byte 13: no value that known readers take, which is %#02x", second)
	}
	text := func(what string, b []byte) {
		if len(b) > 0 {
			x.line(rec.Offset+int64(at), raw[at:at+len(b)], b, "%s: %s", what, strconv.Quote(decodeText(b)))
		}
		at += len(b)
	}
	text("player text", rec.Player)
	text("source text", rec.Source)
	x.moves(rec, raw[at:at+len(rec.Moves)], r.Numbering())
	x.comments(rec)
	if len(rec.Setup) == setupSize {
		x.setup(rec)
	}
	if decodeErr != nil {
		x.printf("error: %v\n", x.fault(decodeErr))
	}
}

// given returns a text, or that there is none.
func given(s string) string { return cmp.Or(s, "not given") }

func (x *explainer) moves(rec *Record, raw []byte, numbering Numbering) {
	start, err := rec.start(numbering)
	if err != nil {
		return // told of by decode
	}
	var l lines
	l.begin(start)
	at := rec.movesOffset()
	for i, b := range rec.Moves {
		before, depth := l.at, len(l.stack)
		w, err := l.step(b)
		what := ""
		switch n := b &^ commentBit; {
		case b == variationStart:
			what = "( a variation that replaces the move before it"
		case b == variationEnd:
			what = ") its end"
		case err != nil:
			what = fmt.Sprintf("number %d of %d: %v", n, before.Count(), err)
		default:
			m, _ := w.Move()
			what = fmt.Sprintf("number %d of %d: %s %s", n, before.Count(), before.pos.MoveNumber(),
				before.pos.AppendSAN(nil, m))
			if b&commentBit != 0 {
				what += ", bit 7: has a comment"
			}
		}
		x.line(at+int64(i), raw[i:i+1], rec.Moves[i:i+1], "%s%s", strings.Repeat("  ", min(depth, 20)), what)
		if err != nil {
			return
		}
	}
}

func (x *explainer) comments(rec *Record) {
	for list, n := newComments(rec.Comments), 1; ; n++ {
		at := list.offset()
		c, ok, err := list.next()
		b := rec.Comments[at:list.offset()]
		switch {
		case !ok:
			if rest := rec.Comments[at:]; len(rest) > 0 {
				x.line(rec.commentsOffset()+int64(at), rest, nil, "end of the comments")
			}
			return
		case err != nil:
			x.line(rec.commentsOffset()+int64(at), b, nil, "comment %d: %v", n, err)
		default:
			x.line(rec.commentsOffset()+int64(at), b, nil, "comment %d: move %d, position %d, extra %d, %s", n,
				c.Move, c.Position, c.Extra, strconv.Quote(decodeText(c.Text)))
		}
	}
}

func (x *explainer) setup(rec *Record) {
	for rank := range 8 {
		b := rec.Setup[4*rank : 4*rank+4]
		pieces := make([]byte, 0, 8)
		for _, c := range b {
			pieces = append(pieces, chess.Piece(c>>4).Letter(), chess.Piece(c&15).Letter())
		}
		x.line(rec.setupOffset()+int64(4*rank), b, nil, "rank %d: %s", rank+1, pieces)
	}
	x.line(rec.setupOffset()+setupSize-1, rec.Setup[setupSize-1:], nil, "move number - 1: the next is %d",
		int(rec.Setup[setupSize-1])+1)
}

// Explain prints each move of an opening book with its flags, its depth in the tree and SAN, and in its place what is
// wrong, of which it returns the first.
func (b *Book) Explain(w io.Writer) error {
	x := &explainer{w: bufio.NewWriter(w)}
	x.printf("%d moves, flags as %v\n", len(b.Moves), b.Layout)
	report := func(err error) { x.printf("error: %v\n", x.fault(err)) }
	b.walk(newBookTree(), report, func(i, depth int, before, after *bookPlace) {
		m := b.Moves[i]
		flags := ""
		for _, f := range []struct {
			set  bool
			name string
		}{{m.starts(), "byte 1 bit 6 = 0: starts"}, {m.ends(), "byte 1 bit 7 = 1: ends"},
			{m.weak(), "byte 2 bit 7: weak"},
			{m.unused(), "byte 2 bit 6: unused"}} {
			if f.set {
				flags += "; " + f.name
			}
		}
		name := m.from().String() + m.to().String()
		if !after.dead {
			name = before.pos.MoveNumber() + " " + string(before.pos.AppendSAN(nil, m.move(&before.pos)))
		}
		x.line(int64(2*i), m[:], nil, "%s%s%s", strings.Repeat("  ", min(depth, 20)), name, flags)
	})
	return x.end()
}
