// SPDX-License-Identifier: Apache-2.0

package brenner

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"ply11/bitstream/piecelist"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

// Writer writes games one after another. It is a codec.Writer.
type Writer struct {
	out    codec.Output
	layout Layout
	open   bool // the game before has no result yet
	enc    gameEncoder
}

// NewWriter returns a Writer to w. Its Close must be called.
func NewWriter(w io.Writer, l Layout, options ...codec.WriterOption) *Writer {
	return &Writer{out: codec.NewOutput(w, options...), layout: l % numLayouts}
}

// Write writes a game: see codec.Writer. A game with an illegal move is a *codec.Error.
func (w *Writer) Write(g *game.Game) error {
	if err := w.out.Begin(); err != nil {
		return err
	}
	bytes, err := w.enc.encode(w.layout, g)
	if err := w.out.Admit(err); err != nil {
		return err
	}
	unknown := unknownResult[w.layout]
	if w.open {
		w.out.Write([]byte{unknown})
	}
	w.open = g.Result == game.Unknown
	if w.open && len(bytes) == 0 {
		// Nothing else shows that there is a game.
		bytes, w.open = append(bytes, unknown), false
	}
	_, err = w.out.Write(bytes)
	return err
}

// Close writes what is left: see codec.Writer.
func (w *Writer) Close() error { return w.out.End(nil) }

func (l Layout) format() string {
	if l == Main {
		return "brenner"
	}
	return "brenner-" + l.String()
}

// Encode returns a game's bytes; a result * is not written. A *codec.LossError names what they do not hold, and comes
// with the rest; a *codec.Error is of an illegal move.
func (l Layout) Encode(g *game.Game) ([]byte, error) {
	var e gameEncoder
	return e.encode(l%numLayouts, g)
}

// gameEncoder makes bytes of games.
type gameEncoder struct {
	buf    []byte
	texts  []byte // of the last move, which follow its glyphs
	losses codec.Losses
}

// encode returns the bytes, valid until the next call, and what they do not hold.
func (e *gameEncoder) encode(l Layout, g *game.Game) ([]byte, error) {
	e.buf, e.texts, e.losses = e.buf[:0], e.texts[:0], nil
	e.tags(g)
	ends := g.Start != position.Start()
	if ends {
		e.losses.Add("start position and all moves")
	}
	enc := encoder{t: &layouts[l], m: piecelist.Start()}
	pos := g.Start
	ply, depth, glyph := 0, 0, uint8(0)
	c := g.Cursor()
	for c.Next() {
		switch c.Kind {
		case game.VariationStart:
			if depth == 0 && !ends {
				e.losses.Add("variation at ply %d", ply)
			}
			depth++
			continue
		case game.VariationEnd:
			depth--
			continue
		}
		if depth > 0 {
			continue
		}
		switch c.Kind {
		case game.MoveEvent:
			ply++
			if !ends && c.Move == chess.NullMove {
				e.losses.Add("null move at ply %d and what follows it", ply)
				ends = true
			}
			if c.Move != chess.NullMove && !pos.IsLegal(c.Move) {
				return nil, &codec.Error{Offset: -1, Ply: ply, Err: fmt.Errorf("%w: %s", position.ErrIllegal,
					pos.Why(c.Move))}
			}
			pos.Make(c.Move)
			if ends {
				continue
			}
			e.flushTexts()
			glyph = 0
			i, _ := moveindex.Of(c.Move)
			var err error
			if e.buf, err = enc.move(e.buf, i); err != nil {
				if !errors.Is(err, codec.ErrTooManyPieces) {
					return nil, &codec.Error{Offset: -1, Ply: ply, Err: err}
				}
				e.losses.Add("%v at ply %d and what follows it", fifth(err), ply)
				ends = true
			}
		case game.NAG:
			switch {
			case ends:
			case ply == 0:
				e.losses.Add("NAG $%d before the moves", c.NAG)
			case c.NAG < 1 || c.NAG > 6, glyph != 0:
				e.losses.Add("NAG $%d at ply %d", c.NAG, ply)
			default:
				glyph = c.NAG
				e.buf = appendGlyphs(e.buf, glyph)
			}
		case game.Comment:
			switch {
			case ends:
			case !utf8.ValidString(c.Text):
				e.losses.Add("comment that is not UTF-8 at ply %d", ply)
			case strings.IndexByte(c.Text, 0) >= 0:
				e.losses.Add("comment with a NUL at ply %d", ply)
			case ply > 0:
				e.texts = appendText(e.texts, c.Text)
			case c.Text == "":
				e.losses.Add("empty comment before the moves")
			case tagOf[c.Text[0]] != "":
				e.losses.Add("comment before the moves that begins with %c", c.Text[0])
			default:
				e.texts = appendText(e.texts, c.Text)
			}
		}
	}
	e.flushTexts()
	if g.Result != game.Unknown {
		e.buf = append(e.buf, enc.t.result(g.Result.Index()))
	}
	return e.buf, e.losses.Err(l.format())
}

func fifth(err error) string {
	var many *piecelist.TooManyError
	if errors.As(err, &many) {
		return fmt.Sprintf("fifth %v %v", many.Color, many.Kind)
	}
	return err.Error()
}

func (e *gameEncoder) flushTexts() {
	e.buf = append(e.buf, e.texts...)
	e.texts = e.texts[:0]
}

func appendText(dst []byte, text string) []byte {
	dst = append(dst, 0)
	dst = append(dst, text...)
	return append(dst, 0)
}

// tags writes the tags that have a text, in the document's order.
func (e *gameEncoder) tags(g *game.Game) {
	usual := g.Start == position.Start()
	for _, b := range tagBytes {
		for _, t := range g.Tags {
			switch {
			case t.Name != tagOf[b] || absent(t.Name, t.Value):
			case !utf8.ValidString(t.Value) || strings.IndexByte(t.Value, 0) >= 0:
				e.losses.Add("tag %s with a NUL or without UTF-8", t.Name)
			default:
				e.buf = append(e.buf, 0, b)
				e.buf = append(e.buf, t.Value...)
				e.buf = append(e.buf, 0)
			}
		}
	}
	for _, t := range g.Tags {
		_, held := rosterOrder[t.Name]
		switch {
		case held, t.Name == "Round" && t.Value == "?", usual && (t.Name == "FEN" || t.Name == "SetUp"):
		case t.Name == "Result" && t.Value == g.Result.String():
		default:
			e.losses.Add("tag %s", t.Name)
		}
	}
}
