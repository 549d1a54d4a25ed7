// SPDX-License-Identifier: Apache-2.0

package jose

import (
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"ply11/game"
	"ply11/moveindex"
)

// Writer writes games one after another, or line by line. The same games always give the same
// bytes.
type Writer struct {
	w       io.Writer
	dialect Dialect
	opts    Options
	number  int
	enc     gameEncoder
	buf     []byte
	err     error
}

// NewWriter returns a Writer to w. Its Close must be called.
func NewWriter(w io.Writer, d Dialect, o Options) *Writer {
	x := &Writer{w: w, dialect: d % numDialects, opts: o}
	if o.Container == Table {
		x.buf = append(x.buf, strings.Join(columnNames[:], "\t")+"\n"...)
	}
	return x
}

// flushAt is how much a Writer collects before it writes.
const flushAt = 32 << 10

// Write writes a game. It returns the names of what was lost; without Options.Lossy a game with
// losses is not written, and the error is a *LossError. A game with an illegal move is an *Error and not
// written. After an error of the output, which is every other, the Writer is of no more use.
func (w *Writer) Write(g *game.Game) ([]string, error) {
	if w.err != nil {
		return nil, w.err
	}
	w.number++
	rec, losses, err := w.enc.encode(w.dialect, w.opts.Container, g)
	if err != nil {
		err.Game = w.number
		return nil, err
	}
	if len(losses) > 0 && !w.opts.Lossy {
		return losses, &LossError{Format: w.dialect.format(), Game: w.number, Names: losses}
	}
	if w.opts.Container == Table {
		w.buf = append(w.buf, rec.FEN...)
		w.buf = hex.AppendEncode(append(w.buf, '\t'), rec.GameText)
		w.buf = hex.AppendEncode(append(w.buf, '\t'), rec.Comments)
		w.buf = append(w.buf, '\n')
	} else {
		w.buf = append(w.buf, rec.GameText...)
	}
	if len(w.buf) >= flushAt {
		return losses, w.flush()
	}
	return losses, nil
}

// Close writes what is left. It does not close the writer below.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	return w.flush()
}

func (w *Writer) flush() error {
	_, w.err = w.w.Write(w.buf)
	w.buf = w.buf[:0]
	return w.err
}

// format returns the name of the format.
func (d Dialect) format() string {
	if d == Program {
		return "jose-program"
	}
	return "jose"
}

// Encode returns a game as a database has it, with its FEN and, in Program, its comments. Without
// Options.Lossy, losses are a *LossError; with it, they are returned. Options.Container says what there is
// room for: with Plain, neither FEN nor Comments.
func (d Dialect) Encode(g *game.Game, o Options) (rec Record, losses []string, err error) {
	var e gameEncoder
	r, losses, eerr := e.encode(d%numDialects, o.Container, g)
	if eerr != nil {
		eerr.Game = 1
		return Record{}, nil, eerr
	}
	if len(losses) > 0 && !o.Lossy {
		return Record{}, losses, &LossError{Format: d.format(), Game: 1, Names: losses}
	}
	return *r, losses, nil
}

// gameEncoder makes bytes of games, and keeps its memory for the next.
type gameEncoder struct {
	enc    Encoder
	record Record
	losses []string
	stack  []replaced
}

func (e *gameEncoder) lose(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(e.losses, s) {
		e.losses = append(e.losses, s)
	}
}

// rosterTags are those that say nothing with the value "?".
var rosterTags = []string{"Event", "Site", "Date", "Round", "White", "Black"}

func (e *gameEncoder) tags(g *game.Game) {
	for _, t := range g.Tags {
		switch {
		case t.Name == "FEN" || t.Name == "SetUp": // Game.Start is what counts
		case t.Value == "?" && slices.Contains(rosterTags, t.Name), t.Name == "Date" && t.Value == "????.??.??":
		case t.Name == "Result" && t.Value == g.Result.String():
		default:
			e.lose("tag %s", t.Name)
		}
	}
}

// encode returns the record, valid until the next call, and what it does not hold.
func (e *gameEncoder) encode(d Dialect, c Container, g *game.Game) (*Record, []string, *Error) {
	rec := &e.record
	rec.FEN, rec.GameText, rec.Comments, e.losses = "", rec.GameText[:0], rec.Comments[:0], nil
	e.tags(g)
	start, ends := g.Start, false
	if start != usual {
		if c == Plain {
			e.lose("start position and all moves")
			start, ends = usual, true
		} else {
			rec.FEN = start.FEN()
		}
	}
	x := &e.enc
	if err := x.reset(d, &start); err != nil {
		e.lose("all moves, of a start position with %v", strings.ReplaceAll(err.Error(), "\n", " and "))
		ends = true
	}
	e.stack = e.stack[:0]
	before, at := g.Start, g.Start
	ply, skip := 0, 0 // skip: variations that are too deep
	buf := rec.GameText
	for cur := g.Cursor(); cur.Next(); {
		var err error
		switch cur.Kind {
		case game.MoveEvent:
			ply++
			if cur.Move != moveindex.NullMove && !at.IsLegal(cur.Move) {
				return nil, nil, &Error{Ply: ply, Err: fmt.Errorf("%w: %s", ErrIllegal, at.Explain(cur.Move))}
			}
			before = at
			at.Make(cur.Move)
			switch {
			case ends || skip > 0:
			case cur.Move == moveindex.NullMove:
				buf = x.null(buf)
			default:
				i, _ := cur.Move.Index()
				buf, err = x.move(buf, i)
			}
		case game.VariationStart:
			e.stack = append(e.stack, replaced{before, at, ply})
			at = before
			ply--
			switch {
			case ends:
			case skip > 0 || len(x.levels) == MaxNesting:
				if skip == 0 {
					e.lose("variation nested deeper than %d at ply %d", MaxNesting, ply+1)
				}
				skip++
			default:
				buf, err = x.startVariation(buf)
			}
		case game.VariationEnd:
			top := e.stack[len(e.stack)-1]
			before, at, ply = top.before, top.at, top.ply
			e.stack = e.stack[:len(e.stack)-1]
			switch {
			case ends:
			case skip > 0:
				skip--
			default:
				buf, err = x.endVariation(buf)
			}
		case game.NAG:
			if !ends && skip == 0 {
				buf = appendNAG(buf, cur.NAG)
			}
		case game.Comment:
			if !ends && skip == 0 {
				buf = e.comment(d, c, buf, cur.Text, ply)
			}
		}
		if err != nil {
			return nil, nil, &Error{Ply: ply, Err: err}
		}
	}
	buf = append(buf, codeResult+byte(g.Result.Index()-moveindex.ResultBlackWins), codeEnd)
	rec.GameText = buf
	return rec, e.losses, nil
}

// comment writes a comment, or a record of an error.
func (e *gameEncoder) comment(d Dialect, c Container, buf []byte, comment string, ply int) []byte {
	if err := checkText(comment); err != nil {
		e.lose("comment %v at ply %d", err, ply)
		return buf
	}
	if d == Program && c == Plain {
		e.lose("comment at ply %d", ply)
		return buf
	}
	code, text := parseRecord(comment)
	buf = append(buf, code)
	if d == Document {
		buf = append(buf, text...)
		return append(buf, 0)
	}
	e.record.Comments = append(appendCESU8(e.record.Comments, text), 0)
	return buf
}
