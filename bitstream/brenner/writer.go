// SPDX-License-Identifier: Apache-2.0

package brenner

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"ply11/bitstream/men"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// Writer writes games one after another. The same games always give the same bytes.
type Writer struct {
	w      io.Writer
	layout Layout
	opts   Options
	number int
	open   bool // the game before has no result yet
	enc    gameEncoder
	buf    []byte
	err    error
}

// NewWriter returns a Writer to w. Its Close must be called.
func NewWriter(w io.Writer, l Layout, o Options) *Writer {
	return &Writer{w: w, layout: l % numLayouts, opts: o}
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
	bytes, losses, err := w.enc.encode(w.layout, g)
	if err != nil {
		err.Game = w.number
		return nil, err
	}
	if len(losses) > 0 && !w.opts.Lossy {
		return losses, &LossError{Format: w.layout.format(), Game: w.number, Names: losses}
	}
	unknown := unknownResult[w.layout]
	if w.open {
		w.buf = append(w.buf, unknown)
	}
	w.buf = append(w.buf, bytes...)
	w.open = g.Result == game.Unknown
	if w.open && len(bytes) == 0 {
		// Nothing else would tell that there is a game.
		w.buf, w.open = append(w.buf, unknown), false
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
func (l Layout) format() string {
	if l == Main {
		return "brenner"
	}
	return "brenner-" + l.String()
}

// Encode returns a game's bytes; a result * is not written. Without Options.Lossy, losses are a
// *LossError; with it, they are returned.
func (l Layout) Encode(g *game.Game, o Options) (encoded []byte, losses []string, err error) {
	var e gameEncoder
	b, losses, eerr := e.encode(l%numLayouts, g)
	if eerr != nil {
		eerr.Game = 1
		return nil, nil, eerr
	}
	if len(losses) > 0 && !o.Lossy {
		return nil, losses, &LossError{Format: l.format(), Game: 1, Names: losses}
	}
	return b, losses, nil
}

// gameEncoder makes bytes of games, and keeps its memory for the next.
type gameEncoder struct {
	buf    []byte
	texts  []byte // of the last move, which follow its glyphs
	losses []string
}

func (e *gameEncoder) lose(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(e.losses, s) {
		e.losses = append(e.losses, s)
	}
}

// encode returns the bytes, valid until the next call, and what they do not hold.
func (e *gameEncoder) encode(l Layout, g *game.Game) ([]byte, []string, *Error) {
	e.buf, e.texts, e.losses = e.buf[:0], e.texts[:0], nil
	e.tags(g)
	ends := g.Start != position.Start()
	if ends {
		e.lose("start position and all moves")
	}
	enc := encoder{t: &layouts[l], m: men.Start()}
	pos := g.Start
	ply, depth, glyph := 0, 0, uint8(0)
	c := g.Cursor()
	for c.Next() {
		switch c.Kind {
		case game.VariationStart:
			if depth == 0 && !ends {
				e.lose("variation at ply %d", ply)
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
			if !ends && c.Move == moveindex.NullMove {
				e.lose("null move at ply %d and what follows it", ply)
				ends = true
			}
			if c.Move != moveindex.NullMove && !pos.IsLegal(c.Move) {
				return nil, nil, &Error{Ply: ply, Err: fmt.Errorf("%w: %s", ErrIllegal, pos.Explain(c.Move))}
			}
			pos.Make(c.Move)
			if ends {
				continue
			}
			e.flushTexts()
			glyph = 0
			i, _ := c.Move.Index()
			var err error
			if e.buf, err = enc.move(e.buf, i); err != nil {
				if !errors.Is(err, ErrTooMany) {
					return nil, nil, &Error{Ply: ply, Err: err}
				}
				e.lose("%v at ply %d and what follows it", fifth(err), ply)
				ends = true
			}
		case game.NAG:
			switch {
			case ends:
			case ply == 0:
				e.lose("NAG $%d before the moves", c.NAG)
			case c.NAG < 1 || c.NAG > 6, glyph != 0:
				e.lose("NAG $%d at ply %d", c.NAG, ply)
			default:
				glyph = c.NAG
				e.buf = appendGlyphs(e.buf, glyph)
			}
		case game.Comment:
			switch {
			case ends:
			case !utf8.ValidString(c.Text):
				e.lose("comment that is not UTF-8 at ply %d", ply)
			case strings.IndexByte(c.Text, 0) >= 0:
				e.lose("comment with a NUL at ply %d", ply)
			case ply > 0:
				e.texts = appendText(e.texts, c.Text)
			case c.Text == "":
				e.lose("empty comment before the moves")
			case tagOf[c.Text[0]] != "":
				e.lose("comment before the moves that begins with %c", c.Text[0])
			default:
				e.texts = appendText(e.texts, c.Text)
			}
		}
	}
	e.flushTexts()
	if g.Result != game.Unknown {
		e.buf = append(e.buf, enc.t.result(g.Result.Index()))
	}
	return e.buf, e.losses, nil
}

// fifth describes what a TooManyError is about.
func fifth(err error) string {
	var many *men.TooManyError
	if errors.As(err, &many) {
		return fmt.Sprintf("fifth %v %v", many.Color, many.Kind)
	}
	return err.Error()
}

// flushTexts writes the texts of the last move.
func (e *gameEncoder) flushTexts() {
	e.buf = append(e.buf, e.texts...)
	e.texts = e.texts[:0]
}

func appendText(dst []byte, text string) []byte {
	dst = append(dst, 0)
	dst = append(dst, text...)
	return append(dst, 0)
}

// tags writes the tags that have a text, in the document's order, and tells the others as lost.
func (e *gameEncoder) tags(g *game.Game) {
	usual := g.Start == position.Start()
	for _, b := range tagBytes {
		for _, t := range g.Tags {
			switch {
			case t.Name != tagOf[b] || absent(t.Name, t.Value):
			case !utf8.ValidString(t.Value) || strings.IndexByte(t.Value, 0) >= 0:
				e.lose("tag %s with a NUL or without UTF-8", t.Name)
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
			e.lose("tag %s", t.Name)
		}
	}
}
