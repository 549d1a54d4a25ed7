// SPDX-License-Identifier: Apache-2.0

package bitstream

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

// Explain prints the words of a stream, one a line: its number, the byte and the bit at which it begins, its bits, its
// value, the move in SAN, and what it means. It prints what is wrong in its place, and returns the first error of the
// output or the input, or else of a game.
func Explain(w io.Writer, r io.Reader) error {
	x := explainer{out: bufio.NewWriter(w)}
	src := NewUnpacker(r)
	in := NewReader(nil)
	in.d.next = func() (moveindex.Index, error) {
		i, err := src.Next()
		if err == nil {
			x.words = append(x.words, i)
		}
		return i, err
	}
	var first error
	var g game.Game
	for {
		x.at, x.words = in.d.word, x.words[:0]
		err := in.Read(&g)
		var bad *codec.Error
		if errors.As(err, &bad) {
			first = cmp.Or(first, err)
		}
		printed := x.game(in.n, bad)
		if err != nil && bad == nil {
			if err == io.EOF {
				err = first
			}
			return cmp.Or(printed, x.out.Flush(), err)
		}
	}
}

// explainer prints the words of a game.
type explainer struct {
	out   *bufio.Writer
	at    uint64            // the number of the first word
	words []moveindex.Index // idle ones, too

	line  position.Line
	code  moveindex.Index // what the next words belong to
	left  int             // how many
	start []moveindex.Index
	bytes int // of a text that are left
	acc   uint32
	have  uint
}

// game prints the words of a game, which is followed up to the word with an error.
func (x *explainer) game(number int, bad *codec.Error) error {
	x.line.Reset(position.Start())
	x.left, x.start = 0, x.start[:0]
	begun := false
	for i, w := range x.words {
		at := x.at + uint64(i)
		if w != moveindex.Idle && !begun {
			begun = true
			if number > 1 {
				fmt.Fprintln(x.out)
			}
			fmt.Fprintf(x.out, "game %d\n%8s  %8s.%s  %-11s  %4s  %-14s%s\n", number, "word", "byte", "b", "bits",
				"word", "move", "meaning")
		}
		move, meaning := "", "idle"
		if wrong := bad != nil && at >= uint64(bad.Offset); wrong {
			meaning = notFollowed(w)
		} else if w != moveindex.Idle {
			move, meaning = x.follow(w)
		}
		bit := at * moveindex.Bits
		if _, err := fmt.Fprintf(x.out, "%8d  %8d.%d  %011b  %4d  %-14s%s\n", at, bit/8, bit%8, w, w, move,
			meaning); err != nil {
			return err
		}
		if x.left == 0 && len(x.start) > 0 {
			fmt.Fprintf(x.out, "%8s  %s\n", "", x.line.At.FEN())
			x.start = x.start[:0]
		}
		if bad != nil && bad.Unit == codec.Words && at == uint64(bad.Offset) {
			fmt.Fprintf(x.out, "error: %v\n", bad)
		}
	}
	if bad != nil && (bad.Unit != codec.Words || uint64(bad.Offset) >= x.at+uint64(len(x.words))) {
		fmt.Fprintf(x.out, "error: %v\n", bad)
	}
	return nil
}

// notFollowed returns what a word at or after an error would mean.
func notFollowed(w moveindex.Index) string {
	if w == moveindex.Idle {
		return "idle"
	}
	if r, ok := game.ResultOf(w); ok {
		return "result " + r.String()
	}
	if m, ok := w.Move(); ok {
		return fmt.Sprintf("not followed: %v to %v", m.From(), m.To())
	}
	return "not followed"
}

// follow returns what a word of a game without an error means.
func (x *explainer) follow(w moveindex.Index) (move, meaning string) {
	if x.left > 0 {
		x.left--
		return "", x.operand(w)
	}
	switch n := StartSize(w); {
	case n > 0:
		x.code, x.left = w, n
		return "", fmt.Sprintf("start position, in the next %d words", n)
	case w < moveindex.NumMoves || w == moveindex.Null:
		m, what := chess.NullMove, "null move"
		if w != moveindex.Null {
			m, _ = w.Move()
			what = fmt.Sprintf("%v to %v", m.From(), m.To())
		}
		at := &x.line.At
		move = at.MoveNumber() + " " + string(at.AppendSAN(nil, m))
		x.line.Make(m)
		return move, what
	case w == moveindex.NAG:
		x.code, x.left = w, 1
		return "", "NAG, its number in the next word"
	case w == moveindex.Text:
		x.code, x.left = w, 1
		return "", "text, its length in bytes in the next word"
	case w == moveindex.VariationStart:
		x.line.Open()
		return "", "( a variation that replaces the move before it"
	case w == moveindex.VariationEnd:
		x.line.Close()
		return "", ") its end"
	case w >= moveindex.NAG1:
		return "", fmt.Sprintf("NAG $%d", w-moveindex.NAG1+1)
	}
	r, _ := game.ResultOf(w)
	return "", "result " + r.String()
}

// textBytes stands for the code of the words after a text's length.
const textBytes = moveindex.Idle

// operand returns what a word after a code means.
func (x *explainer) operand(w moveindex.Index) string {
	switch x.code {
	case moveindex.NAG:
		return fmt.Sprintf("NAG $%d", w)
	case moveindex.Text:
		x.code, x.bytes, x.acc, x.have = textBytes, int(w), 0, 0
		x.left = (8*x.bytes + moveindex.Bits - 1) / moveindex.Bits
		return fmt.Sprintf("%d bytes", w)
	case textBytes:
		x.acc |= uint32(w) << x.have
		var whole []byte
		for x.have += moveindex.Bits; x.have >= 8 && x.bytes > 0; x.have -= 8 {
			whole = append(whole, byte(x.acc))
			x.acc >>= 8
			x.bytes--
		}
		return fmt.Sprintf("%q", whole)
	}
	bits := len(x.start) * moveindex.Bits
	x.start = append(x.start, w)
	if x.left == 0 {
		p, _ := DecodeStart(x.start)
		x.line.Reset(p)
	}
	return fmt.Sprintf("start position, bits %d..%d", bits, bits+moveindex.Bits-1)
}
