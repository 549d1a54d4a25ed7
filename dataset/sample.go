// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"cmp"
	"fmt"
	"slices"

	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// sample is a position, and the move that was played.
type sample struct {
	at     position.Position
	number int
	source uint32
	ply    uint32
	clock  int32
	played moveindex.Index
	score  Score // of the position
	result game.Result
	left   uint32            // plies left, with the one that is played
	past   *past             // nil if not wanted
	line   []moveindex.Index // moves from the first of its boards
	turned uint8
}

// outcome returns the mover's result, 1, 0 or -1, if it is known.
func (s *sample) outcome() (int, bool) {
	turn := s.at.Turn()
	switch s.result {
	case game.Draw:
		return 0, true
	case game.WhiteWins:
		return 1 - 2*int(turn), true
	case game.BlackWins:
		return 2*int(turn) - 1, true
	}
	return 0, false
}

// follows reports whether a position is the one after another, by game and ply.
func (s *sample) follows(o *sample) bool {
	return s.ply == o.ply+1 && s.number == o.number && s.source == o.source
}

// own returns the mover's score.
func (s *sample) own() Score {
	if s.score != NoScore && s.at.Turn() == chess.Black {
		return -s.score
	}
	return s.score
}

// sampler takes positions of games: from one ply to another, every n-th. Where it begins depends on the game: else an
// even n would take positions of one side alone.
type sampler struct {
	j       *Job
	c       *choice
	emit    func(*sample) error
	past    *past // nil if not wanted
	history position.History
	hasher
	ranks []rank // positions of a game that may be taken, if they are bounded
	moves []chess.Move
	twin  mirrored
}

// rank is a position, by its rowNumber and the plies before it.
type rank struct {
	number uint64
	ply    int
}

func newSampler(j *Job, c *choice, history bool, emit func(*sample) error) *sampler {
	t := &sampler{j: j, c: c, emit: emit}
	if history {
		t.past = &past{}
	}
	return t
}

// game takes positions of a game of legal moves, but none with a null move.
func (t *sampler) game(g *Game) error {
	n := uint64(0)
	if t.j.Every > 1 || g.chance < 1 || t.j.PerGame > 0 {
		n = t.gameNumber(t.c.seed, g.Moves)
	}
	if t.j.PerGame > 0 {
		t.best(g, n)
	}
	s := sample{at: g.Start, number: g.Number, source: uint32(g.Source), result: g.Result}
	if s.past = t.past; t.past != nil {
		t.past.begin(&g.Start)
		t.history.Reset()
	}
	ranks := t.ranks
	for i, w := range g.Moves {
		if t.past != nil {
			t.past.push(&s.at, t.history.Push(&s.at) > 1)
			s.line = g.Moves[i+1-t.past.n : i]
		}
		if t.j.ToPly > 0 && i > t.j.ToPly || t.j.PerGame > 0 && len(ranks) == 0 {
			break
		}
		taken := false
		if t.j.PerGame == 0 {
			taken = t.takes(g, &s.at, i, n)
		} else if taken = ranks[0].ply == i; taken {
			ranks = ranks[1:]
		}
		if taken {
			s.ply, s.played, s.score, s.clock = uint32(i), w, g.score(i), g.clock(i+1)
			s.left = uint32(len(g.Moves) - i)
			if err := t.give(&s); err != nil {
				return err
			}
		}
		s.at.MakeIndex(w)
	}
	return nil
}

// takes reports whether the position after i plies is taken. n is the gameNumber, if it is needed.
func (t *sampler) takes(g *Game, at *position.Position, i int, n uint64) bool {
	first := t.j.FromPly
	if t.j.Every > 1 {
		first += int(n % uint64(t.j.Every))
	}
	if i < first || (i-first)%t.j.Every != 0 || g.Moves[i] >= moveindex.NumMoves {
		return false
	}
	if g.chance < 1 && fraction(rowNumber(n, g.Number, i+1)) >= g.chance {
		return false
	}
	if score := g.score(i); score == NoScore {
		if t.c.eval {
			return false
		}
	} else if most := Score(t.j.MaxEval); most > 0 && (score > most || score < -most) {
		return false
	}
	if t.c.quiet {
		return isQuiet(at, &t.moves)
	}
	return !t.c.noCheck || !at.InCheck()
}

// best chooses positions of a bounded number: those of the smallest rowNumbers.
func (t *sampler) best(g *Game, n uint64) {
	t.ranks = t.ranks[:0]
	at := g.Start
	for i, w := range g.Moves {
		if t.j.ToPly > 0 && i > t.j.ToPly {
			break
		}
		if t.takes(g, &at, i, n) {
			t.ranks = append(t.ranks, rank{rowNumber(n, g.Number, i+1), i})
		}
		at.MakeIndex(w)
	}
	if len(t.ranks) > t.j.PerGame {
		slices.SortFunc(t.ranks, func(a, b rank) int { return cmp.Compare(a.number, b.number) })
		t.ranks = t.ranks[:t.j.PerGame]
		slices.SortFunc(t.ranks, func(a, b rank) int { return a.ply - b.ply })
	}
}

// give gives a position and its mirror images.
func (t *sampler) give(s *sample) error {
	if err := t.emit(s); err != nil {
		return err
	}
	for _, turn := range []uint8{turnedColors, turnedFiles, turnedColors | turnedFiles} {
		if turn&turnedColors != 0 && !t.c.colors || turn&turnedFiles != 0 && (!t.c.files || !canMirror(s)) {
			continue
		}
		twin, err := t.twin.of(s, turn)
		if err != nil {
			return fmt.Errorf("game %d, after ply %d: %w", s.number, s.ply, err)
		}
		if err := t.emit(twin); err != nil {
			return err
		}
	}
	return nil
}
