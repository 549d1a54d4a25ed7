// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query"
)

// Score is an evaluation from White's side: hundredths of a pawn, or mate in a number of moves, which Mate tells.
type Score int32

// Scores.
const (
	NoScore   Score = math.MinInt32 // there is none
	mateScore       = 1 << 20       // mate in no moves; in n it is n less, and Black's are negative
	mostMate        = 1000          // moves; a mate that is farther away is taken as one of so many
	mostScore       = 30000         // centipawns; a score beyond engineBound is taken as this
)

// newScore returns the score of an evaluation.
func newScore(e game.Evaluation) Score {
	switch {
	case e.IsMate && e.Mate > 0:
		return Score(mateScore - min(e.Mate, mostMate))
	case e.IsMate:
		return Score(-mateScore - max(e.Mate, -mostMate))
	}
	if e.Centipawns >= -engineBound && e.Centipawns <= engineBound {
		return Score(e.Centipawns) // with those of tablebases, as Stockfish tells them
	}
	return Score(max(-mostScore, min(mostScore, e.Centipawns)))
}

// Mate returns the number of moves to mate, negative where Black mates, and whether the score is one of mate.
func (s Score) Mate() (moves int, ok bool) {
	switch {
	case s >= mateScore-mostMate:
		return mateScore - int(s), true
	case s != NoScore && s <= -(mateScore-mostMate):
		return -mateScore - int(s), true
	}
	return 0, false
}

// Scores as tables and arrays have them, in 16 bits: hundredths of a pawn as far as mostScore, and mate in n moves as
// shortMate - n.
const (
	shortNone = math.MinInt16
	shortMate = 32000
)

// short returns the score in 16 bits.
func (s Score) short() int16 {
	n, mate := s.Mate()
	switch {
	case s == NoScore:
		return shortNone
	case mate && s > 0:
		return int16(shortMate - n)
	case mate:
		return int16(-shortMate - n)
	}
	return int16(max(-mostScore, min(mostScore, s)))
}

// shortScoreOf returns the score that 16 bits tell.
func shortScoreOf(v int16) Score {
	switch {
	case v == shortNone:
		return NoScore
	case v >= shortMate-mostMate:
		return newScore(game.Evaluation{IsMate: true, Mate: shortMate - int(v)})
	case v <= -(shortMate - mostMate):
		return newScore(game.Evaluation{IsMate: true, Mate: -shortMate - int(v)})
	}
	return Score(v)
}

// NoClock is the clock of a move that tells none.
const NoClock int32 = -1

// Game is a game as the formats take it: its main line, with the clocks and evaluations that its comments tell.
type Game struct {
	Source int // the number of its archive among those of the export, from 0
	Number int // in its archive, from 1
	Result game.Result
	Start  position.Position
	Moves  []moveindex.Index // moves, and moveindex.Null
	// Scores are those of the positions after 0, 1, … len(Moves) plies; nil if no comment tells one.
	Scores []Score
	// Clocks are the hundredths of a second that are left after each move to the one who made it; nil if no comment
	// tells one.
	Clocks []int32
	Tags   []game.Tag
	Text   []byte  // the movetext with all annotations, if it is wanted
	chance float64 // of its rows
}

// Tag returns the value of the first tag of the name, "" where there is none.
func (g *Game) Tag(name string) string {
	for i := range g.Tags {
		if g.Tags[i].Name == name {
			return g.Tags[i].Value
		}
	}
	return ""
}

// parts says what of games a format wants.
type parts uint8

const (
	wantTags  parts = 1 << iota
	wantNotes       // scores and clocks
	wantText        // the movetext
)

// Flags of a record.
const (
	recordStart = 1 << iota
	recordScores
	recordClocks
	recordChance
)

// usual is the usual start position.
var usual = position.Start()

// recorder makes records: games as bytes, in the goroutines of a scan.
type recorder struct {
	want   parts
	scores []Score
	clocks []int32
	text   []byte
	chance float64 // of the game's rows
	hasher
}

// movetext is the layout of movetexts.
var movetext = pgn.Line()

// append appends the record of a game of the source given: four bytes of its length, four of its number of plies, and
// what Game.decode reads.
func (r *recorder) append(dst []byte, m *query.Match, source int) ([]byte, error) {
	start, words, err := m.MainLine()
	if err != nil {
		return dst, err
	}
	result, err := m.Result()
	if err != nil {
		return dst, err
	}
	flags := byte(0)
	verified := false
	fen := ""
	if start != usual {
		flags |= recordStart
		fen = start.FEN()
	}
	r.text = r.text[:0]
	if r.want&wantText != 0 || r.want&wantNotes != 0 && m.Annotated() {
		g, err := m.Game()
		if err != nil {
			return dst, err
		}
		if g.Len() == len(words) {
			flags |= r.notes(g)
			verified = true
			if r.want&wantText != 0 {
				r.text = pgn.AppendMovetext(r.text, g, &movetext)
			}
		}
	}
	if !verified {
		for i, w := range words {
			if move, ok := w.Move(); ok && start.IsLegal(move) {
				start.Make(move)
			} else if w == moveindex.Null {
				start.MakeNull()
			} else {
				return dst, &codec.Error{Game: m.Number, Ply: i + 1, Offset: -1, Err: archive.ErrCorrupt,
					Reason: "an illegal move"}
			}
		}
	}
	at := len(dst)
	dst = binary.LittleEndian.AppendUint32(append(dst, 0, 0, 0, 0), uint32(len(words)))
	dst = binary.AppendUvarint(dst, uint64(source))
	dst = binary.AppendUvarint(dst, uint64(m.Number))
	if r.chance != 1 {
		flags |= recordChance
	}
	dst = append(dst, flags, byte(result))
	if flags&recordChance != 0 {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(r.chance))
	}
	if flags&recordStart != 0 {
		dst = appendString(dst, fen)
	}
	dst = binary.AppendUvarint(dst, uint64(len(words)))
	for _, w := range words {
		dst = append(dst, byte(w), byte(w>>8))
	}
	if flags&recordScores != 0 {
		for _, s := range r.scores {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(s))
		}
	}
	if flags&recordClocks != 0 {
		for _, c := range r.clocks {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(c))
		}
	}
	if r.want&wantTags != 0 {
		g, err := m.Tags()
		if err != nil {
			return dst, err
		}
		dst = binary.AppendUvarint(dst, uint64(len(g.Tags)))
		for _, t := range g.Tags {
			dst = appendString(appendString(dst, t.Name), t.Value)
		}
	}
	if r.want&wantText != 0 {
		dst = append(binary.AppendUvarint(dst, uint64(len(r.text))), r.text...)
	}
	if uint64(len(dst)-at) > math.MaxUint32 {
		return dst, errors.New("game too large")
	}
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at))
	return dst, nil
}

// notes finds the scores and clocks of the main line, and returns which there are.
func (r *recorder) notes(g *game.Game) (flags byte) {
	n := g.Len()
	r.scores, r.clocks = r.scores[:0], r.clocks[:0]
	for range n {
		r.scores, r.clocks = append(r.scores, NoScore), append(r.clocks, NoClock)
	}
	r.scores = append(r.scores, NoScore)
	ply, depth := 0, 0
	mover := g.Start.Turn().Other() // of the last move
	for c := g.Cursor(); c.Next(); {
		switch c.Kind {
		case game.MoveEvent:
			if depth == 0 {
				ply, mover = ply+1, mover.Other()
			}
		case game.VariationStart:
			depth++
		case game.VariationEnd:
			depth--
		case game.Comment:
			if depth > 0 {
				continue
			}
			if r.scores[ply] == NoScore {
				e, ok := game.Eval(c.Text)
				if !ok && ply > 0 {
					e, ok = game.MatchEval(c.Text, mover)
				}
				if ok {
					r.scores[ply] = newScore(e)
					flags |= recordScores
				}
			}
			if d, ok := game.Clock(c.Text); ok && ply > 0 && r.clocks[ply-1] == NoClock {
				r.clocks[ply-1] = int32(min(d/(10*time.Millisecond), math.MaxInt32))
				flags |= recordClocks
			}
		}
	}
	return flags
}

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// decode reads a record, which this program made, without its first eight bytes.
func (g *Game) decode(b []byte, want parts) error {
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return v
	}
	text := func() string {
		n := number()
		s := string(b[:n])
		b = b[n:]
		return s
	}
	g.Source, g.Number = int(number()), int(number())
	flags := b[0]
	g.Result, b = game.Result(b[1]), b[2:]
	g.chance = 1
	if flags&recordChance != 0 {
		g.chance = math.Float64frombits(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	g.Start = usual
	if flags&recordStart != 0 {
		var err error
		if g.Start, err = position.ParseFENLenient(text()); err != nil {
			return err
		}
	}
	n := int(number())
	g.Moves = g.Moves[:0]
	for ; len(g.Moves) < n; b = b[2:] {
		g.Moves = append(g.Moves, moveindex.Index(b[0])|moveindex.Index(b[1])<<8)
	}
	g.Scores, g.Clocks, g.Tags = g.Scores[:0], g.Clocks[:0], g.Tags[:0]
	if flags&recordScores != 0 {
		for ; len(g.Scores) <= n; b = b[4:] {
			g.Scores = append(g.Scores, Score(binary.LittleEndian.Uint32(b)))
		}
	}
	if flags&recordClocks != 0 {
		for ; len(g.Clocks) < n; b = b[4:] {
			g.Clocks = append(g.Clocks, int32(binary.LittleEndian.Uint32(b)))
		}
	}
	if want&wantTags != 0 {
		for n := number(); n > 0; n-- {
			g.Tags = append(g.Tags, game.Tag{Name: text(), Value: text()})
		}
	}
	if want&wantText != 0 {
		n := number()
		g.Text = append(g.Text[:0], b[:n]...)
	}
	return nil
}

// score returns the score of the position after a number of plies.
func (g *Game) score(ply int) Score {
	if len(g.Scores) == 0 {
		return NoScore
	}
	return g.Scores[ply]
}

// clock returns the clock after the move of a ply, from 1.
func (g *Game) clock(ply int) int32 {
	if len(g.Clocks) == 0 {
		return NoClock
	}
	return g.Clocks[ply-1]
}
