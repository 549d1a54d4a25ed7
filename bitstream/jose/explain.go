// SPDX-License-Identifier: Apache-2.0

package jose

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

// Explain prints what each byte of a file says, a line for each: offset (in an export, in the GameText), the bytes of
// the code in hex, the number of the move and SAN, and the meaning. Variations are indented. After an error, the rest
// of a game is explained byte by byte.
//
// It returns the first error of a game, after all was read, or an error of the input or the output.
func (d Dialect) Explain(w io.Writer, r io.Reader, c Container) error {
	out := bufio.NewWriter(w)
	in := NewReader(r, d, c)
	x := explainer{w: out, d: d % numDialects, whole: game.New()}
	var first error
	for number := 1; ; number++ {
		rec, at, err := in.nextRecord()
		if err == io.EOF {
			break
		}
		if number > 1 {
			fmt.Fprintln(out)
		}
		if e := (*codec.Error)(nil); errors.As(err, &e) {
			fmt.Fprintf(out, "game %d\nerror: %v\n", number, err)
		} else if err != nil {
			out.Flush()
			return err
		} else {
			if in.container == Table {
				at = 0
			}
			err = x.game(number, at, rec, in.container)
		}
		if first == nil {
			first = err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return first
}

type explainer struct {
	Decoder
	w     *bufio.Writer
	d     Dialect
	trace trace
	words []moveindex.Index
	moves position.Line
	read  decoder
	whole *game.Game
}

func (x *explainer) line(offset int64, code []byte, move, meaning string) {
	fmt.Fprintf(x.w, "%8d  %-7s%*s%-15s%s\n", offset, fmt.Sprintf("% x", code), 2*x.moves.Depth(), "", move, meaning)
}

// game explains a game, and returns what is wrong with it.
func (x *explainer) game(number int, offset int64, rec *Record, c Container) error {
	fmt.Fprintf(x.w, "game %d\n", number)
	start := usual
	if rec.FEN != "" {
		p, err := position.ParseFENLenient(rec.FEN)
		if err != nil {
			err = &codec.Error{Game: number, Err: err}
			fmt.Fprintf(x.w, "error: %v\n", err)
			return err
		}
		fmt.Fprintf(x.w, "from %s\n", p.FEN())
		start = p
	}
	fmt.Fprintf(x.w, "%8s  %-7s%-15s%s\n", "offset", "hex", "move", "meaning")
	src := rec.GameText
	x.trace.offsets, x.trace.texts = x.trace.offsets[:0], x.trace.texts[:0]
	x.moves.Reset(start)
	at := &x.moves.At
	words, n, err := x.decode(x.d, &start, x.words[:0], src, &x.trace)
	x.words = words
	comments := rec.Comments
	texts, next := 0, 0
	var bad error
words:
	for i := 0; i < len(words); i++ {
		w := words[i]
		next = int(x.trace.offsets[i])
		here := offset + int64(next)
		m := MeaningOf(src[next])
		code := src[next : next+1]
		switch m.Class {
		case PromotionByte, PromotedByte, NAGByte:
			code = src[next : next+2]
		}
		switch {
		case w < moveindex.NumMoves || w == moveindex.Null:
			mv, _ := w.Move()
			if w != moveindex.Null && !at.IsLegal(mv) {
				bad = &codec.Error{Offset: here, Game: number, Ply: x.moves.Ply() + 1,
					Err: fmt.Errorf("%w: %s", position.ErrIllegal, at.Why(mv))}
				break words
			}
			san := at.MoveNumber() + " " + "--"
			meaning := fmt.Sprintf("%v: %v", at.Turn(), m)
			if w != moveindex.Null {
				san = at.MoveNumber() + " " + string(at.AppendSAN(nil, mv))
				meaning += fmt.Sprintf("%s, %v to %v", x.second(m, code, at, mv), mv.From(), mv.To())
			}
			x.line(here, code, san, meaning)
			x.moves.Make(mv)
		case w == moveindex.Text:
			t := x.trace.texts[texts]
			texts++
			x.line(here, code, "", m.String())
			switch {
			case x.d == Document:
				for k := t.start; k <= t.end; {
					// Sixteen bytes a line.
					n := min(16, t.end+1-k)
					fmt.Fprintf(x.w, "%8d  % x  %q\n", offset+int64(k), src[k:k+n], src[k:k+n])
					k += n
				}
				next = int(t.end)
			case len(comments) > 0:
				k := 0
				for k < len(comments)-1 && comments[k] != 0 {
					k++
				}
				fmt.Fprintf(x.w, "%8s  %q\n", "comments", comments[:k])
				comments = comments[k+1:]
			}
		case w == moveindex.VariationStart:
			x.line(here, code, "(", m.String())
			x.moves.Open()
		case w == moveindex.VariationEnd:
			x.moves.Close()
			x.line(here, code, ")", m.String())
		case w == moveindex.NAG:
			i++
			x.line(here, code, "", fmt.Sprintf("annotation $%d", words[i]))
		default:
			meaning := m.String()
			if m.Class == NAGByte {
				meaning = fmt.Sprintf("annotation $%d", code[1])
			}
			x.line(here, code, "", meaning)
		}
		next += len(code)
	}
	if bad == nil && err != nil {
		e := &codec.Error{Game: number, Err: err}
		if werr := (*codec.Error)(nil); errors.As(err, &werr) {
			e = werr.In(number, offset)
		}
		bad = e
	}
	x.moves.Reset(start)
	if bad == nil && next < len(src) {
		x.line(offset+int64(next), src[next:next+1], "", MeaningOf(src[next]).String())
		next++
	}
	if bad == nil && n < len(src) {
		bad = &codec.Error{Offset: offset + int64(n), Game: number, Err: codec.ErrGrammar}
	}
	if bad == nil { // what only the game as a whole shows: texts that are missing, left over, or not UTF-8
		if werr := x.read.decode(x.d, c, rec, x.whole); werr != nil {
			bad = werr.In(number, offset)
		}
	}
	if bad != nil {
		fmt.Fprintf(x.w, "error: %v\n", bad)
		for ; next < len(src); next++ {
			x.line(offset+int64(next), src[next:next+1], "", MeaningOf(src[next]).String())
		}
	}
	return bad
}

func (x *explainer) second(m Meaning, code []byte, p *position.Position, mv chess.Move) string {
	switch m.Class {
	case PromotionByte:
		return fmt.Sprintf(", offset %x, piece %d (%v)", code[1]>>2&3, code[1]&3, mv.Promotion())
	case PromotedByte:
		return fmt.Sprintf(", a %v, offset %x", p.PieceAt(mv.From()).Kind(), code[1]&31)
	}
	return ""
}
