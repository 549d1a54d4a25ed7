// SPDX-License-Identifier: Apache-2.0

package jose

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

// Writer writes games one after another, or line by line. It is a codec.Writer.
type Writer struct {
	out       codec.Output
	dialect   Dialect
	container Container
	enc       gameEncoder
	line      []byte
}

// NewWriter returns a Writer to w. Its Close must be called.
func NewWriter(w io.Writer, d Dialect, c Container, options ...codec.WriterOption) *Writer {
	x := &Writer{out: codec.NewOutput(w, options...), dialect: d % numDialects, container: c % numContainers}
	if x.container == Table {
		x.out.Write([]byte(strings.Join(columnNames[:], "\t") + "\n"))
	}
	return x
}

// Write writes a game: see codec.Writer. A game with an illegal move is a *codec.Error.
func (w *Writer) Write(g *game.Game) error {
	if err := w.out.Begin(); err != nil {
		return err
	}
	rec, err := w.enc.encode(w.dialect, w.container, g)
	if err := w.out.Admit(err); err != nil {
		return err
	}
	if w.container == Plain {
		_, err = w.out.Write(rec.GameText)
		return err
	}
	w.line = append(w.line[:0], rec.FEN...)
	w.line = hex.AppendEncode(append(w.line, '\t'), rec.GameText)
	w.line = hex.AppendEncode(append(w.line, '\t'), rec.Comments)
	_, err = w.out.Write(append(w.line, '\n'))
	return err
}

// Close writes what is left: see codec.Writer.
func (w *Writer) Close() error { return w.out.End(nil) }

func (d Dialect) format() string {
	if d == Program {
		return "jose-program"
	}
	return "jose"
}

// Encode returns a game as a database has it: with a FEN and, in Program, Comments, but not in Plain. A
// *codec.LossError names what the record does not hold, and comes with the rest; a *codec.Error is of an illegal move.
func (d Dialect) Encode(g *game.Game, c Container) (Record, error) {
	var e gameEncoder
	r, err := e.encode(d%numDialects, c, g)
	if r == nil {
		return Record{}, err
	}
	return *r, err
}

// gameEncoder makes bytes of games.
type gameEncoder struct {
	enc    Encoder
	record Record
	losses codec.Losses
	line   position.Line
}

// encode returns the record, valid until the next call, and what it does not hold.
func (e *gameEncoder) encode(d Dialect, c Container, g *game.Game) (*Record, error) {
	rec := &e.record
	rec.FEN, rec.GameText, rec.Comments, e.losses = "", rec.GameText[:0], rec.Comments[:0],
		codec.TagLosses(g)
	start, ends := g.Start, false
	if start != usual {
		if c == Plain {
			e.losses.Add("start position and all moves")
			start, ends = usual, true
		} else {
			rec.FEN = start.FEN()
		}
	}
	x := &e.enc
	if err := x.begin(d, &start); err != nil {
		e.losses.Add("start position and all moves, with %v", strings.ReplaceAll(err.Error(), "\n", " and "))
		rec.FEN, ends = "", true
	}
	e.line.Reset(g.Start)
	at := &e.line.At
	skip := 0 // variations that are too deep
	buf := rec.GameText
	for cur := g.Cursor(); cur.Next(); {
		var err error
		switch cur.Kind {
		case game.MoveEvent:
			if cur.Move != chess.NullMove && !at.IsLegal(cur.Move) {
				return nil, &codec.Error{Offset: -1, Ply: e.line.Ply() + 1,
					Err: fmt.Errorf("%w: %s", position.ErrIllegal, at.Why(cur.Move))}
			}
			e.line.Make(cur.Move)
			switch {
			case ends || skip > 0:
			case cur.Move == chess.NullMove:
				buf = x.null(buf)
			default:
				i, _ := moveindex.Of(cur.Move)
				buf, err = x.move(buf, i)
			}
		case game.VariationStart:
			e.line.Open()
			switch {
			case ends:
			case skip > 0 || len(x.levels) == MaxNesting:
				if skip == 0 {
					e.losses.Add("variation nested deeper than %d at ply %d", MaxNesting, e.line.Ply()+1)
				}
				skip++
			default:
				buf, err = x.startVariation(buf)
			}
		case game.VariationEnd:
			e.line.Close()
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
				buf = e.comment(d, c, buf, cur.Text, e.line.Ply())
			}
		}
		if err != nil {
			return nil, &codec.Error{Offset: -1, Ply: e.line.Ply(), Err: err}
		}
	}
	buf = append(buf, codeResult+byte(g.Result.Index()-moveindex.ResultBlackWins), codeEnd)
	rec.GameText = buf
	return rec, e.losses.Err(d.format())
}

func (e *gameEncoder) comment(d Dialect, c Container, buf []byte, comment string, ply int) []byte {
	if why := fault(comment); why != "" {
		e.losses.Add("comment %s at ply %d", why, ply)
		return buf
	}
	if d == Program && c == Plain {
		e.losses.Add("comment at ply %d", ply)
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
