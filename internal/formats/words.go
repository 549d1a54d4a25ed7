// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"

	"ply11/bitstream"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

var wordsFormat = Format{
	Name: "words", Extensions: []string{".words"}, Description: "the flat stream of eleven-bit words",
	Read: readWords,
	Write: func(out Output, o Options) (codec.Writer, error) {
		return bitstream.NewWriter(out.Writer, o.writer()...), nil
	},
	Explain: func(w io.Writer, in Input, _ Options) error {
		x := &wordExplainer{w: bufio.NewWriter(w), src: bitstream.NewUnpacker(in.Reader)}
		return x.explain()
	},
	Verify: faults(readWords),
}

func readWords(in Input, _ Options) iter.Seq2[*game.Game, error] {
	return games(bitstream.NewReader(in.Reader))
}

// wordExplainer prints the words of a flat stream, one a line: its number, the byte and the bit at which it
// begins, its eleven bits, its value, and what it means.
type wordExplainer struct {
	w    *bufio.Writer
	src  *bitstream.Unpacker
	word uint64 // how many were read
	game int
	ply  int
	bad  error // the first that is wrong
}

// maxWordLevels is how deep variations are followed; the stream's reader has the bound of a game's length.
const maxWordLevels = 1 << 12

// next returns the next word that is not idle; those it prints.
func (x *wordExplainer) next() (moveindex.Index, error) {
	for {
		i, err := x.src.Next()
		if err != nil {
			return i, err
		}
		x.word++
		if i != moveindex.Idle {
			return i, nil
		}
		if err := x.line(i, "", "idle"); err != nil {
			return i, err
		}
	}
}

// line prints the word that was read last.
func (x *wordExplainer) line(i moveindex.Index, move, meaning string) error {
	bit := (x.word - 1) * moveindex.Bits
	_, err := fmt.Fprintf(x.w, "%8d  %8d.%d  %011b  %4d  %-14s%s\n", x.word-1, bit/8, bit%8, i, i, move, meaning)
	return err
}

// fault prints what is wrong at the word that was read last, and keeps the first.
func (x *wordExplainer) fault(err error) {
	var e *codec.Error
	if !errors.As(err, &e) {
		e = codec.AtWord(int(max(x.word, 1)-1), x.ply, err).In(x.game, 0)
	}
	x.bad = cmp.Or[error](x.bad, e)
	fmt.Fprintf(x.w, "error: %v\n", e)
}

func (x *wordExplainer) explain() error {
	for {
		first, err := x.next()
		if err == nil {
			x.game++
			if x.game > 1 {
				fmt.Fprintln(x.w)
			}
			fmt.Fprintf(x.w, "game %d\n%8s  %8s.%s  %-11s  %4s  %-14s%s\n", x.game, "word", "byte", "b", "bits", "word",
				"move", "meaning")
			err = x.gameWords(first)
		}
		if err == io.EOF {
			return cmp.Or(x.w.Flush(), x.bad)
		}
		if errors.Is(err, bitstream.ErrPadding) {
			x.fault(err) // of no game, but of the stream's end
			return cmp.Or(x.w.Flush(), x.bad)
		}
		if err != nil {
			return cmp.Or(x.w.Flush(), err)
		}
	}
}

// gameWords explains a game, from its first word to its result. After an error it prints words by themselves, to the
// next result.
func (x *wordExplainer) gameWords(w moveindex.Index) error {
	x.ply = 0
	from := position.Start()
	if n := bitstream.StartSize(w); n > 0 {
		if err := x.line(w, "", fmt.Sprintf("start position, in the next %d words", n)); err != nil {
			return err
		}
		var words [bitstream.Start960Words]moveindex.Index
		for i := range n {
			var err error
			if words[i], err = x.operand(); err != nil {
				return err
			}
			x.line(words[i], "", fmt.Sprintf("start position, bits %d..%d", i*moveindex.Bits, (i+1)*moveindex.Bits-1))
		}
		start, err := bitstream.DecodeStart(words[:n])
		if err != nil {
			x.fault(err)
			return x.rest()
		}
		fmt.Fprintf(x.w, "%8s  %s\n", "", start.FEN())
		from = start
		if w, err = x.operand(); err != nil {
			return err
		}
	}
	line := position.NewLine(from)
	at, moved := &line.At, false
	for {
		var wrong error
		switch {
		case w < moveindex.NumMoves || w == moveindex.Null:
			m := chess.NullMove
			ok := !at.InCheck()
			if w != moveindex.Null {
				m, _ = w.Move()
				ok = at.IsLegal(m)
			}
			if !ok {
				x.line(w, m.String(), "no legal move here")
				x.fault(fmt.Errorf("%w: %v", position.ErrIllegal, m))
				return x.rest()
			}
			what := "null move"
			if w != moveindex.Null {
				what = fmt.Sprintf("%v to %v", m.From(), m.To())
			}
			if err := x.line(w, at.MoveNumber()+" "+string(at.AppendSAN(nil, m)), what); err != nil {
				return err
			}
			line.Make(m)
			moved = true
			if line.Depth() == 0 {
				x.ply++
			}
		case w >= moveindex.NAG1 && w <= moveindex.NAG31:
			x.line(w, "", fmt.Sprintf("NAG $%d", w-moveindex.NAG1+1))
		case w == moveindex.NAG:
			x.line(w, "", "NAG, its number in the next word")
			n, err := x.operand()
			if err != nil {
				return err
			}
			x.line(n, "", fmt.Sprintf("NAG $%d", n))
			if n > 255 {
				wrong = fmt.Errorf("%w: %d", codec.ErrNAG, n)
			}
		case w == moveindex.Text:
			if err := x.text(w); err != nil {
				return err
			}
		case w == moveindex.VariationStart:
			x.line(w, "", "( a variation that replaces the move before it")
			if !moved {
				wrong = fmt.Errorf("%w: a variation with no move before it", codec.ErrGrammar)
			} else if line.Depth() == maxWordLevels {
				wrong = fmt.Errorf("%w: variations nested more than %d deep are not followed", codec.ErrLimit,
					maxWordLevels)
			}
			line.Open()
			moved = false
		case w == moveindex.VariationEnd:
			x.line(w, "", ") its end")
			if line.Depth() == 0 || !moved {
				wrong = fmt.Errorf("%w: the end of no variation, or of one without moves", codec.ErrGrammar)
				break
			}
			line.Close()
		default:
			if r, ok := game.ResultOf(w); ok {
				err := x.line(w, "", "result "+r.String())
				if line.Depth() > 0 {
					x.fault(fmt.Errorf("%w: a result inside a variation", codec.ErrGrammar))
				}
				return err
			}
			if bitstream.StartSize(w) > 0 {
				x.line(w, "", "start position, which is only at a game's front")
				wrong = fmt.Errorf("%w: a start position that is not at the front", codec.ErrGrammar)
			} else {
				x.line(w, "", "reserved")
				wrong = fmt.Errorf("%w %d", codec.ErrReserved, w)
			}
		}
		if wrong != nil {
			x.fault(wrong)
			return x.rest()
		}
		var err error
		if w, err = x.operand(); err != nil {
			return err
		}
	}
}

// operand is next inside a game, where the stream must not end.
func (x *wordExplainer) operand() (moveindex.Index, error) {
	w, err := x.next()
	if err == io.EOF {
		x.fault(codec.ErrTruncated)
	}
	return w, err
}

// text explains one piece of a text, of which w begins it.
func (x *wordExplainer) text(w moveindex.Index) error {
	x.line(w, "", "text, its length in bytes in the next word")
	n, err := x.operand()
	if err != nil {
		return err
	}
	x.line(n, "", fmt.Sprintf("%d bytes", n))
	var acc uint32
	var have uint
	for left := int(n); left > 0; {
		if w, err = x.operand(); err != nil {
			return err
		}
		acc |= uint32(w) << have
		var whole []byte
		for have += moveindex.Bits; have >= 8 && left > 0; have -= 8 {
			whole = append(whole, byte(acc))
			acc >>= 8
			left--
		}
		if err := x.line(w, "", fmt.Sprintf("%q", whole)); err != nil {
			return err
		}
	}
	return nil
}

// rest prints the words of a game that has an error, to its result.
func (x *wordExplainer) rest() error {
	for {
		w, err := x.next()
		if err != nil {
			return err
		}
		if r, ok := game.ResultOf(w); ok {
			return x.line(w, "", "result "+r.String())
		}
		meaning := "not followed"
		if m, ok := w.Move(); ok {
			meaning += fmt.Sprintf(": %v to %v", m.From(), m.To())
		}
		if err := x.line(w, "", meaning); err != nil {
			return err
		}
	}
}
