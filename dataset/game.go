// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"time"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query"
)

// Score is an evaluation from White's side: hundredths of a pawn, or a mate (Mate).
type Score int32

const (
	NoScore   Score = math.MinInt32 // none
	mateScore       = 1 << 20       // mate in n moves is n less; Black's are negative
	mostMate        = 1000          // most moves to a mate
	mostScore       = 30000         // centipawns of scores beyond engineBound
)

func newScore(e game.Evaluation) Score {
	switch {
	case e.IsMate && e.Mate > 0:
		return Score(mateScore - min(e.Mate, mostMate))
	case e.IsMate:
		return Score(-mateScore - max(e.Mate, -mostMate))
	}
	if e.Centipawns >= -engineBound && e.Centipawns <= engineBound {
		return Score(e.Centipawns) // with Stockfish's of tablebases
	}
	return Score(max(-mostScore, min(mostScore, e.Centipawns)))
}

// Mate returns the moves to mate, negative where Black mates, and whether the score is one of mate.
func (s Score) Mate() (moves int, ok bool) {
	switch {
	case s >= mateScore-mostMate:
		return mateScore - int(s), true
	case s != NoScore && s <= -(mateScore-mostMate):
		return -mateScore - int(s), true
	}
	return 0, false
}

// Scores of tables and arrays, in 16 bits: hundredths of a pawn to mostScore, mate in n moves is shortMate - n.
const (
	shortNone = math.MinInt16
	shortMate = 32000
)

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

// shortScoreOf is the reverse of short.
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

// NoClock is the clock of a move without one.
const NoClock int32 = -1

// Game is a main line, with the clocks and evaluations of its comments.
type Game struct {
	Source int // its archive, from 0
	Number int // from 1
	Result game.Result
	Start  position.Position
	Moves  []moveindex.Index // also moveindex.Null
	// Scores are those after 0, 1, … len(Moves) plies; none if no comment has one.
	Scores []Score
	// Clocks are hundredths of a second left after each move to its maker; none if no comment has one.
	Clocks []int32
	Tags   []game.Tag
	Text   string // the annotated movetext, if it is wanted
	chance float64
}

// Tag returns the value of the first tag of the name, or "".
func (g *Game) Tag(name string) string {
	for i := range g.Tags {
		if g.Tags[i].Name == name {
			return g.Tags[i].Value
		}
	}
	return ""
}

// parts is what a format wants of games.
type parts uint8

const (
	wantTags parts = 1 << iota
	wantNotes
	wantText
)

var usual = position.Start()

// recorder makes records in a goroutine of a scan.
type recorder struct {
	Game
	want parts
	hasher
}

var movetext = pgn.Line()

// record is a game as Game.decode reads it, and its plies.
type record struct {
	data  []byte
	plies int
}

func (r *recorder) record(m *query.Match, source int) (record, error) {
	start, words, err := m.MainLine()
	if err != nil {
		return record{}, err
	}
	if r.Result, err = m.Result(); err != nil {
		return record{}, err
	}
	r.Source, r.Number, r.Start, r.Moves = source, m.Number, start, words
	r.Scores, r.Clocks, r.Tags, r.Text = r.Scores[:0], r.Clocks[:0], nil, ""
	verified := false
	if r.want&wantText != 0 || r.want&wantNotes != 0 && m.Annotated() {
		g, err := m.Game()
		if err != nil {
			return record{}, err
		}
		if g.Len() == len(words) {
			r.notes(g)
			verified = true
			if r.want&wantText != 0 {
				r.Text = string(pgn.AppendMovetext(nil, g, &movetext))
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
				return record{}, &codec.Error{Game: m.Number, Ply: i + 1, Offset: -1, Err: archive.ErrCorrupt,
					Reason: "an illegal move"}
			}
		}
	}
	if r.want&wantTags != 0 {
		g, err := m.Tags()
		if err != nil {
			return record{}, err
		}
		r.Tags = g.Tags
	}
	var c coder
	err = r.code(&c, r.want)
	return record{c.b, len(words)}, err
}

func (r *recorder) notes(g *game.Game) {
	n := g.Len()
	r.Scores = append(r.Scores[:0], slices.Repeat([]Score{NoScore}, n+1)...)
	r.Clocks = append(r.Clocks[:0], slices.Repeat([]int32{NoClock}, n)...)
	scores, clocks := 0, 0
	ply, depth := 0, 0
	mover := g.Start.Turn().Other()
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
			if r.Scores[ply] == NoScore {
				e, ok := game.Eval(c.Text)
				if !ok && ply > 0 {
					e, ok = game.MatchEval(c.Text, mover)
				}
				if ok {
					r.Scores[ply] = newScore(e)
					scores++
				}
			}
			if d, ok := game.Clock(c.Text); ok && ply > 0 && r.Clocks[ply-1] == NoClock {
				r.Clocks[ply-1] = int32(min(d/(10*time.Millisecond), math.MaxInt32))
				clocks++
			}
		}
	}
	if scores == 0 {
		r.Scores = r.Scores[:0]
	}
	if clocks == 0 {
		r.Clocks = r.Clocks[:0]
	}
}

// coder writes numbers and texts behind b, or takes them from its begin.
type coder struct {
	b       []byte
	reading bool
	bad     bool // b ended too early
}

func (c *coder) uint(v *uint64) {
	if !c.reading {
		c.b = binary.AppendUvarint(c.b, *v)
		return
	}
	var n int
	if *v, n = binary.Uvarint(c.b); n <= 0 {
		c.bad, c.b, n = true, nil, 0
	}
	c.b = c.b[n:]
}

// code codes a number that is not negative.
func code[T ~int | ~uint8 | ~uint16 | ~uint32](c *coder, v *T) {
	u := uint64(*v)
	c.uint(&u)
	*v = T(u)
}

// codeSigned codes a number of 32 bits.
func codeSigned[T ~int32](c *coder, v *T) {
	u := uint32(*v)
	code(c, &u)
	*v = T(u)
}

// codeList codes a list. Each item takes a byte at least.
func codeList[T any](c *coder, list *[]T, item func(c *coder, v *T)) {
	n := len(*list)
	code(c, &n)
	if c.reading {
		if uint(n) > uint(len(c.b)) {
			c.bad, n = true, 0
		}
		*list = slices.Grow((*list)[:0], n)[:n]
	}
	for i := range *list {
		item(c, &(*list)[i])
	}
}

func (c *coder) text(s *string) {
	n := len(*s)
	code(c, &n)
	switch {
	case !c.reading:
		c.b = append(c.b, *s...)
	case uint(n) > uint(len(c.b)):
		c.bad = true
	default:
		*s = string(c.b[:n])
		c.b = c.b[n:]
	}
}

// code codes the game: the source and the number first.
func (g *Game) code(c *coder, want parts) (err error) {
	code(c, &g.Source)
	code(c, &g.Number)
	code(c, &g.Result)
	chance := bits.Reverse64(math.Float64bits(g.chance))
	c.uint(&chance)
	g.chance = math.Float64frombits(bits.Reverse64(chance))
	fen := ""
	if !c.reading && g.Start != usual {
		fen = g.Start.FEN()
	}
	if c.text(&fen); c.reading {
		if g.Start = usual; fen != "" {
			g.Start, err = position.ParseFENLenient(fen)
		}
	}
	codeList(c, &g.Moves, code[moveindex.Index])
	codeList(c, &g.Scores, codeSigned[Score])
	codeList(c, &g.Clocks, codeSigned[int32])
	if want&wantTags != 0 {
		codeList(c, &g.Tags, func(c *coder, t *game.Tag) {
			c.text(&t.Name)
			c.text(&t.Value)
		})
	}
	if want&wantText != 0 {
		c.text(&g.Text)
	}
	if c.bad {
		return errTemporary
	}
	return err
}

// decode reads a record.
func (g *Game) decode(b []byte, want parts) error {
	g.Tags = g.Tags[:0]
	return g.code(&coder{b: b, reading: true}, want)
}

// score returns the score after ply plies.
func (g *Game) score(ply int) Score {
	if len(g.Scores) == 0 {
		return NoScore
	}
	return g.Scores[ply]
}

// clock returns the clock after a ply, from 1.
func (g *Game) clock(ply int) int32 {
	if len(g.Clocks) == 0 {
		return NoClock
	}
	return g.Clocks[ply-1]
}
