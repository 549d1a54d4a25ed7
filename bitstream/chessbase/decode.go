// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ply11/game"
	"ply11/game/codec"
	"ply11/moveindex"
	"ply11/position"
)

// Tags for what a header has and PGN has no tag for: "1" where it is so.
const (
	tagMarked  = "CBMarked"
	tagDeleted = "CBDeleted"
)

const sourceSeparator = " / "

// decoder decodes records to games.
type decoder struct {
	builder   game.Builder
	lines     lines
	text      []byte
	words     []moveindex.Index // of the last game: its moves, as AppendIndices has them
	other     []moveindex.Index // and by the other numbering
	ambiguous bool              // of the last game: the numberings may differ in it
}

// start returns the generator at the beginning of a record's moves.
func (r *Record) start(numbering Numbering) (Generator, error) {
	if !r.Header.setup() {
		return NewGenerator(position.Start(), numbering), nil
	}
	p, err := decodeSetup(&r.Header, r.Setup)
	if err != nil {
		return Generator{}, &codec.Error{Offset: r.setupOffset(), Err: err}
	}
	g := NewGenerator(p, numbering)
	g.ep = uint8(r.Header.enPassantFile())
	return g, nil
}

// game decodes the record, to the first error.
func (d *decoder) game(r *Record, g *game.Game, numbering Numbering) error {
	g.Reset()
	d.ambiguous = false
	start, err := r.start(numbering)
	if err == nil && r.Header.setup() {
		g.Start = start.pos
	}
	d.tags(r, g)
	if err != nil {
		return err
	}
	d.builder.Reset(g)
	err = d.moves(r, g, start)
	d.builder.Flush()
	return err
}

// tags sets the tags, in PGN's order, and the result.
func (d *decoder) tags(r *Record, g *game.Game) {
	h := &r.Header
	text := func(b []byte) string {
		d.text = appendText(d.text[:0], b)
		for i, c := range d.text {
			if c < ' ' {
				d.text[i] = ' ' // a tag is one line
			}
		}
		return string(d.text)
	}
	add := func(name, value string) {
		if value = known(strings.TrimSpace(value)); value != "" {
			g.AddTag(name, value)
		}
	}
	event, site, _ := strings.Cut(text(r.Source), sourceSeparator)
	add("Event", event)
	add("Site", site)
	if year, ok := h.year(); ok {
		g.AddTag("Date", fmt.Sprintf("%04d.??.??", year))
	}
	white, black, _ := strings.Cut(text(r.Player), "-")
	add("White", white)
	add("Black", black)
	result, _ := h.Result()
	g.Result = [4]game.Result{resultWhiteWins: game.WhiteWins, resultBlackWins: game.BlackWins, resultDraw: game.Draw,
		resultVariant: game.Unknown}[result]
	g.AddTag("Result", g.Result.String())
	if h.setup() {
		g.AddTag("SetUp", "1")
		g.AddTag("FEN", g.Start.FEN())
	}
	add("WhiteElo", elo(h[8]))
	add("BlackElo", elo(h[9]))
	add("ECO", h.eco().String())
	if h.marked() {
		g.AddTag(tagMarked, "1")
	}
	if h.deleted() {
		g.AddTag(tagDeleted, "1")
	}
}

func (d *decoder) moves(r *Record, g *game.Game, start Generator) error {
	b, l := &d.builder, &d.lines
	l.begin(start)
	d.words = d.words[:0]
	comments := newComments(r.Comments)
	bad := d.opening(r) // the first bad comment: it ends nothing
	var err error
	i := 0
	for ; i < len(r.Moves); i++ {
		var w moveindex.Index
		if w, err = l.step(r.Moves[i]); err != nil {
			break
		}
		d.words = append(d.words, w)
		switch w {
		case moveindex.VariationStart:
			_ = b.StartVariation() // there is a move
			continue
		case moveindex.VariationEnd:
			if b.EndVariation() != nil { // one without a move is none
				d.words = d.words[:len(d.words)-2]
			}
			continue
		}
		m, _ := w.Move()
		b.Move(m)
		if r.Moves[i]&commentBit == 0 {
			continue
		}
		at := comments.offset()
		comment, ok, e := comments.next()
		if !ok {
			e = fmt.Errorf("%w: there are fewer comments than moves that have one", codec.ErrText)
		}
		if e != nil && bad == nil {
			bad = &codec.Error{Ply: l.ply(), Offset: r.commentsOffset() + int64(at), Err: e}
		}
		d.comment(&comment)
	}
	if err == nil {
		err = l.end()
	}
	if err != nil {
		err = &codec.Error{Ply: l.ply() + 1, Offset: r.movesOffset() + int64(i), Err: err}
	}
	d.ambiguous = l.ambiguous || l.at.ambiguous
	for _, around := range l.stack {
		_ = b.EndVariation()
		d.ambiguous = d.ambiguous || around.at.ambiguous
	}
	if result, variant := r.Header.Result(); result == resultVariant && variant != 0 {
		if int(variant) < len(positionNAG) {
			b.NAG(positionNAG[variant])
		} else {
			b.AddText(appendCommand(d.text[:0], commandResult, variant))
		}
	}
	return cmp.Or(err, bad)
}

// opening gives the start of the game the comments beyond those of the marked moves.
func (d *decoder) opening(r *Record) error {
	if len(r.Comments) == 0 {
		return nil
	}
	marked, total := 0, 0
	for _, c := range r.Moves {
		if c&commentBit != 0 && c != variationStart && c != variationEnd {
			marked++
		}
	}
	comments := newComments(r.Comments)
	for {
		at := comments.offset()
		comment, ok, err := comments.next()
		if !ok {
			return nil
		}
		if total++; total <= marked {
			continue
		}
		if err != nil {
			return &codec.Error{Offset: r.commentsOffset() + int64(at), Err: err}
		}
		d.comment(&comment)
	}
}

// comment adds a comment to the last move, or to the start of the line.
func (d *decoder) comment(c *comment) {
	b := &d.builder
	out := d.text[:0]
	command := func(name string, value byte) {
		if len(out) > 0 {
			out = append(out, ' ')
		}
		out = appendCommand(out, name, value)
	}
	for _, f := range []struct {
		value byte
		nags  []uint8
		name  string
	}{{c.Move, moveNAG[:], commandMove}, {c.Position, positionNAG[:], commandPos}, {c.Extra, nil, commandExtra}} {
		switch {
		case f.value == 0:
		case int(f.value) < len(f.nags):
			b.NAG(f.nags[f.value])
		default:
			command(f.name, f.value)
		}
	}
	if len(c.Text) != 0 {
		if len(out) > 0 {
			out = append(out, ' ')
		}
		out = appendText(out, c.Text)
	}
	if len(out) > 0 {
		b.AddText(out)
	}
	d.text = out
}

// DecodeGame decodes a record to a game, which is Reset. NumberingAuto tries NumberingDocument, and NumberingCBASCII
// where that ends in an impossible or illegal move; the numbering used is returned. See Reader.Read for what only the
// whole file shows.
//
// An error is a *codec.Error. What was decoded before it is in the game: all moves, with codec.ErrText.
func DecodeGame(r *Record, g *game.Game, numbering Numbering) (Numbering, error) {
	var d decoder
	used, _, err := d.auto(r, g, numbering, NumberingDocument)
	return used, err
}

// verdict is what a game says of its file's numbering.
type verdict uint8

const (
	undecided    verdict = iota // the same moves by both, or by none
	onlyDocument                // cbascii ends in an impossible or illegal move
	onlyCBASCII                 // document does
	either                      // both give a game, and not the same
)

// auto decodes a record. With NumberingAuto it looks for the numbering; where both give a game, it uses prefer.
func (d *decoder) auto(r *Record, g *game.Game, numbering, prefer Numbering) (Numbering, verdict, error) {
	if numbering != NumberingAuto {
		return numbering, undecided, d.game(r, g, numbering)
	}
	err := d.game(r, g, NumberingDocument)
	if !d.ambiguous {
		return NumberingDocument, undecided, err
	}
	start, startErr := r.start(NumberingCBASCII)
	if startErr != nil {
		return NumberingDocument, undecided, err
	}
	var otherErr error
	d.other, otherErr = appendIndices(d.other[:0], r.Moves, start)
	use, v := NumberingDocument, undecided
	switch document, cbascii := misnumbered(err), misnumbered(otherErr); {
	case document && cbascii:
	case cbascii:
		v = onlyDocument
	case document:
		use, v = NumberingCBASCII, onlyCBASCII
	case !slices.Equal(d.words, d.other):
		use, v = prefer, either
	}
	if use != NumberingDocument {
		err = d.game(r, g, use)
	}
	return use, v, err
}

// misnumbered reports whether another numbering may not have the error.
func misnumbered(err error) bool {
	return errors.Is(err, codec.ErrReserved) || errors.Is(err, position.ErrIllegal)
}
