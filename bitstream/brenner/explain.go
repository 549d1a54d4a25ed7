// SPDX-License-Identifier: Apache-2.0

package brenner

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

// Explain prints what each byte of a file says, a line for each: offset, the byte in hex, its bits by field, the number
// of the move and SAN, and the meaning: piece, direction, distance. After an error, the rest of a game is explained
// byte by byte.
//
// It returns the first error of a game, after all was read, or an error of the input or the output.
func (l Layout) Explain(w io.Writer, r io.Reader, options ...ReaderOption) error {
	out := bufio.NewWriter(w)
	reader := NewReader(r, l, options...)
	if reader.err != nil {
		return reader.err
	}
	x := explainer{w: out, layout: reader.layout, strict: reader.strict}
	split := reader.split
	var first error
	for number := 1; ; number++ {
		src, offset, err := split.Next()
		if err == io.EOF {
			break
		}
		if err != nil && !errors.Is(err, codec.ErrTruncated) && !errors.Is(err, codec.ErrLimit) {
			out.Flush()
			return fmt.Errorf("offset %d: %w", offset, err)
		}
		if number > 1 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "game %d\n%8s  %-4s%-15s%-15s%s\n", number, "offset", "hex", "fields", "move", "meaning")
		gerr := x.game(number, offset, src)
		if errors.Is(err, codec.ErrLimit) && gerr == nil {
			gerr = &codec.Error{Offset: offset, Game: number, Err: err}
			fmt.Fprintf(out, "error: %v\n", gerr)
		}
		if first == nil {
			first = gerr
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return first
}

type explainer struct {
	w      *bufio.Writer
	layout Layout
	strict bool
	trace  trace
	words  []moveindex.Index
	dec    decoder // as a reader has it
	read   game.Game
}

func (x *explainer) line(offset int64, b byte, fields, move, meaning string) {
	fmt.Fprintf(x.w, "%8d  %02x  %-15s%-15s%s\n", offset, b, fields, move, meaning)
}

// game explains a game, and returns what is wrong with it.
func (x *explainer) game(number int, offset int64, src []byte) error {
	x.trace.offsets, x.trace.texts = x.trace.offsets[:0], x.trace.texts[:0]
	words, _, err := x.layout.decode(x.words[:0], src, &x.trace, x.strict)
	x.words = words
	pos := position.Start()
	texts := 0
	at := 0 // the next byte
	ply := 0
	var bad error
	for i, w := range words {
		at = int(x.trace.offsets[i])
		m := x.layout.Meaning(src[at])
		here := offset + int64(at)
		switch {
		case w < moveindex.NumMoves:
			mv, _ := w.Move()
			if !pos.IsLegal(mv) {
				bad = &codec.Error{Offset: here, Game: number, Ply: ply + 1,
					Err: fmt.Errorf("%w: %s", position.ErrIllegal, pos.Why(mv))}
			}
			if bad != nil {
				break
			}
			if m.Class == PrefixByte {
				x.line(here, src[at], m.Fields, "", x.meaning(m, src[at+1:]))
				at++
				here++
				m = x.layout.Meaning(src[at])
			}
			move := pos.MoveNumber() + " " + string(pos.AppendSAN(nil, mv))
			x.line(here, src[at], m.Fields, move, fmt.Sprintf("%v %v, %v to %v", pos.Turn(), m, mv.From(), mv.To()))
			pos.Make(mv)
			ply++
			at++
		case w == moveindex.Text:
			t := x.trace.texts[texts]
			texts++
			what := "text begins: comment"
			if ply == 0 && t[1] > t[0] {
				if tag, ok := tagOf[src[t[0]]]; ok {
					what = "text begins: " + tag
				}
			}
			x.line(here, src[at], m.Fields, "", what)
			for k := t[0]; k < t[1]; {
				// Sixteen bytes a line.
				n := min(16, t[1]-k)
				fmt.Fprintf(x.w, "%8d  % x  %q\n", offset+int64(k), src[k:k+n], src[k:k+n])
				k += n
			}
			x.line(offset+int64(t[1]), 0, m.Fields, "", "text ends")
			at = int(t[1]) + 1
		case w >= moveindex.NAG1:
			glyph := glyphs[w-moveindex.NAG1+1]
			for n := range glyph {
				m := x.layout.Meaning(src[at])
				meaning := m.String()
				if n == len(glyph)-1 {
					meaning = fmt.Sprintf("%v, $%d", m, w-moveindex.NAG1+1)
				}
				x.line(offset+int64(at), src[at], m.Fields, "", meaning)
				at++
			}
		default:
			x.line(here, src[at], m.Fields, "", m.String())
			at++
		}
		if bad != nil {
			break
		}
	}
	if bad == nil && err != nil {
		bad = err.(*codec.Error).In(number, offset)
	}
	if bad == nil {
		// What a reader refuses though each byte has a meaning: tags that are empty or out of place.
		if werr := x.dec.decode(x.layout, src, x.strict, &x.read); werr != nil {
			bad = werr.In(number, offset)
		}
	}
	if bad != nil {
		fmt.Fprintf(x.w, "error: %v\n", bad)
		for ; at < len(src); at++ {
			m := x.layout.Meaning(src[at])
			x.line(offset+int64(at), src[at], m.Fields, "", m.String())
		}
	}
	return bad
}

func (x *explainer) meaning(m Meaning, rest []byte) string {
	if len(rest) > 0 && x.layout.Meaning(rest[0]).Kind == chess.Pawn {
		return fmt.Sprintf("promotion to %v #%d", m.Kind, m.Number)
	}
	return m.String()
}
