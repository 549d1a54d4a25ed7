// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"

	"ply11/bitstream"
	"ply11/bitstream/dense"
	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/moveindex"
	"ply11/position"
)

type encoder struct {
	columns columnWriter
	dense   bool
	tagged  searchKeys
	keys    *searchKeys // of the block that was made last, if it has filters
	crowded bool        // its games begin with more pieces than can be coded densely
	limits  limits
	other   *Block // that is made again; its columns that are safe to copy are kept

	style     pgn.Style
	words     []moveindex.Index
	lengths   []uint32
	plies     uint32
	tags      tagEncoder
	notes     noteEncoder
	marks     marks
	patches   []byte
	departing int
	pending   int // games since the last exception
	lead      []byte
	text      uint64
	textCRC   uint32
	made      int // what the columns hold, as text in UTF-8, or the text where that is longer
	patcher   patcher

	buf, raw []byte
	bare     game.Game
	build    game.Builder
	moves    []chess.Move
}

func newEncoder(o *options, z *zstd.Encoder) *encoder {
	e := &encoder{columns: columnWriter{zstd: z, noFilter: o.noFilter}, dense: o.form == denseForm, limits: newGames}
	e.reset(pgn.Style{})
	return e
}

func (e *encoder) reset(style pgn.Style) {
	e.style = style
	e.words, e.lengths, e.plies = e.words[:0], e.lengths[:0], 0
	e.tags.reset()
	e.tagged = noKeys()
	e.notes.reset()
	e.patches, e.departing, e.pending, e.lead = e.patches[:0], 0, 0, nil
	e.text, e.textCRC, e.made = 0, 0, 0
}

const (
	// exceptPatch: the game's text is a patch of what its style makes.
	exceptPatch = 1 << iota
	// exceptInvalid: the text is not a valid game; the columns hold the part that is.
	exceptInvalid
	// exceptPartial: the columns cannot hold all of the game; its text does.
	exceptPartial
	// exceptUnknown: a game that is not valid, and has no move, does not say where it begins.
	exceptUnknown

	exceptKnown = 1<<4 - 1
)

// render appends what a style makes of a game, and reports whether the style's encoding has all characters.
func render(dst []byte, g *game.Game, s *pgn.Style) ([]byte, bool) {
	start := len(dst)
	dst = pgn.AppendGame(dst, g, s)
	if s.Encoding != game.Latin1 {
		return dst, true
	}
	return toLatin1(dst, start)
}

// toLatin1 changes dst[start:] from UTF-8. A character that is not in ISO 8859-1 becomes '?'.
func toLatin1(dst []byte, start int) ([]byte, bool) {
	ok := true
	out := start
	for i := start; i < len(dst); {
		c := dst[i]
		if c < 0x80 {
			dst[out] = c
			out++
			i++
			continue
		}
		r, n := decodeRune(dst[i:])
		if r > 255 || n == 1 {
			r, ok = '?', false
		}
		dst[out] = byte(r)
		out++
		i += n
	}
	return dst[:out], ok
}

// add adds a game. text is the text that it must unpack to, nil if it is the one that the style makes; flags are
// exceptInvalid, exceptPartial, or none.
func (e *encoder) add(g *game.Game, text []byte, flags byte) error {
	if e.games() == 0 {
		e.crowded = crowded(g)
	}
	start, plies := len(e.words), e.plies
	err := e.main(g)
	if err == nil && !holdsTexts(g) {
		err = codec.ErrLoss
	}
	if err != nil {
		e.words, e.plies = e.words[:start], plies
		if text == nil {
			return err
		}
		// Keep the tags alone, or with the moves if it is an annotation that cannot be held.
		e.moves = g.AppendMainLine(e.moves[:0])
		e.bare.Reset()
		e.bare.Tags, e.bare.Result = slices.DeleteFunc(append(e.bare.Tags, g.Tags...), nulName), g.Result
		e.build.Reset(&e.bare)
		flags |= exceptPartial
		if start, ok := startInWords(g.Start); ok {
			e.bare.Start = start
			e.build.Moves(e.moves)
		}
		g = &e.bare
		if err := e.main(g); err != nil {
			return err
		}
	}
	refuse := func() error {
		e.words, e.plies = e.words[:start], plies
		return errTooLarge
	}
	if sizeOf(g.Tags) > e.limits.text || len(g.Tags) > e.limits.tags {
		return refuse() // values that repeat share their memory: their text would not
	}
	e.buf = pgn.AppendGame(e.buf[:0], g, &e.style)
	made := max(len(e.buf), len(text)) // in ISO 8859-1 it is shorter than what the columns hold
	if made > e.limits.text {
		return refuse()
	}
	if e.style.Encoding == game.Latin1 {
		e.buf, _ = toLatin1(e.buf, 0)
	}
	e.made += made
	e.lengths = append(e.lengths, uint32(len(e.words)-start))
	e.tags.add(g)
	e.tagged.add(g)
	e.notes.add(g)

	if flags&exceptInvalid != 0 && startUnknown(g) {
		flags |= exceptUnknown
	}
	if text == nil {
		text = e.buf
	} else if string(text) != string(e.buf) {
		flags |= exceptPatch
	}
	e.text += uint64(len(text))
	e.textCRC = updateCRC(e.textCRC, text)
	if flags == 0 {
		e.pending++
		return nil
	}
	e.patches = binary.AppendUvarint(e.patches, uint64(e.pending))
	e.pending = 0
	e.departing++
	e.patches = append(e.patches, flags)
	if flags&exceptPatch != 0 {
		e.patches = e.patcher.append(e.patches, e.buf, text)
	}
	return nil
}

// maxGame bounds the text of a game, and its tags. A block ends with the game that makes its columns, text or tags
// blockText long, or its shapes maxTagNames/2. So no column is longer than maxColumn, even if each byte of a value has
// an escape.
const maxGame = maxColumn / 4

// limits are those of a game: bytes of its text and of its tags, how many tags it has, and words of its block up to its
// end.
type limits struct{ text, tags, words int }

var (
	newGames = limits{maxGame, maxTagNames / 4, maxColumn / 4}
	// keptGames are those of games of a block that is made again: what a reader takes is not refused.
	keptGames = limits{maxBlock, maxTagNames, maxColumn / 2}
)

func (e *encoder) beyond() bool {
	return e.made > maxBlock || e.tags.held > maxBlock || e.tags.count > maxTagNames
}

var errTooLarge = fmt.Errorf("%w: a game too large for an archive", codec.ErrLimit)

func (e *encoder) full() bool { return e.made >= blockText || e.manyTags() }

func (e *encoder) manyTags() bool { return e.tags.held >= blockText || e.tags.count >= maxTagNames/2 }

func crowded(g *game.Game) bool { return !isStart(g) && !dense.Fits(&g.Start) }

// apart reports whether the block must end before a game. What cannot be coded densely has blocks of its own, in both
// forms: one such game would make a block of a thousand others plain.
func (e *encoder) apart(g *game.Game) bool { return e.games() > 0 && e.crowded != crowded(g) }

// startInWords returns a position with the greatest counters that a start in words has room for. It is not ok if the
// position is no Setup's.
func startInWords(p position.Position) (_ position.Position, ok bool) {
	if p.HalfmoveClock() <= bitstream.MaxStartClock && p.FullmoveNumber() <= bitstream.MaxStartMove {
		return p, true
	}
	s := p.Setup()
	s.HalfmoveClock, s.FullmoveNumber = min(s.HalfmoveClock, bitstream.MaxStartClock),
		min(s.FullmoveNumber, bitstream.MaxStartMove)
	p, err := s.Position()
	return p, err == nil
}

func (e *encoder) main(g *game.Game) error {
	first := len(e.words)
	var err error
	if !isStart(g) {
		if e.words, err = bitstream.AppendStart(e.words, &g.Start); err != nil {
			return err
		}
	}
	e.moves = g.AppendMainLine(e.moves[:0])
	for ply, m := range e.moves {
		i, ok := moveindex.Of(m)
		if !ok && m != chess.NullMove {
			e.words = e.words[:first]
			return &codec.Error{Ply: ply + 1, Offset: -1, Err: codec.ErrLoss,
				Reason: m.String() + " is no move of chess"}
		}
		e.words = append(e.words, i)
	}
	e.words = append(e.words, g.Result.Index())
	if len(e.words) > e.limits.words {
		e.words = e.words[:first]
		return errTooLarge
	}
	e.plies += uint32(len(e.moves))
	return nil
}

func (e *encoder) games() int { return len(e.lengths) }

func (e *encoder) block(dst []byte, number uint32) ([]byte, head) {
	h := head{number: number, games: uint32(len(e.lengths)), words: uint32(len(e.words)),
		plies: e.plies, departing: uint32(e.departing), text: e.text, textCRC: e.textCRC,
		style: encodeStyle(&e.style)}
	w := &e.columns
	w.begin(dst)
	w.putMoves(e.words, e.lengths, int(e.plies), e.dense)
	if len(e.lengths) > 0 {
		e.raw = e.tags.appendColumn(e.raw[:0])
		w.put(ColumnTags, e.raw, true)
	}
	steps := e.notes.column()
	m, _ := e.marks[:0].appendColumns(steps, e.notes.text, len(e.lengths))
	e.marks = m
	w.put(ColumnAnnotations, steps, true)
	w.put(columnText, e.notes.text, true)
	w.put(columnVariations, e.notes.variations(), true)
	for k, raw := range e.notes.numbers {
		w.putNumbers(columnClocks+ColumnKind(k), raw, m)
	}
	if e.departing > 0 || len(e.lead) > 0 {
		e.raw = binary.AppendUvarint(e.raw[:0], uint64(len(e.lead)))
		e.raw = append(e.raw, e.lead...)
		e.raw = binary.AppendUvarint(e.raw, uint64(e.departing))
		e.raw = append(e.raw, e.patches...)
		w.put(columnExceptions, e.raw, true)
	}
	if e.other != nil {
		for _, c := range e.other.head.columns {
			if c.kind.kept() {
				w.copy(c, e.other.data[c.offset:c.offset+c.stored])
			}
		}
	}
	if e.keys = nil; !w.noFilter {
		e.keys = e.tagged.take()
	}
	return w.block(&h), h
}

// setLead sets the text before the block's first game, which must stay as it is until block is called. It comes before
// all games.
func (e *encoder) setLead(text []byte) {
	e.lead = text
	e.text, e.made = uint64(len(text)), len(text)
	e.textCRC = updateCRC(0, text)
}
