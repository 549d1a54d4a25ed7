// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"crypto/sha256"
	"encoding/binary"

	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// sample is a position of a game, and the move that was played there.
type sample struct {
	at     position.Position
	number int // of the game in its archive
	source uint32
	ply    uint32 // plies before it
	clock  int32  // after the move
	played moveindex.Index
	score  Score // of the position
	result game.Result
	left   uint32            // plies that are left of the game, with the one that is played
	past   *past             // if it is wanted
	line   []moveindex.Index // the moves from the first of its boards
}

// outcome returns the result from the side of the mover: 1 he won, 0 a draw, -1 he lost; and whether it is known.
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

// follows reports whether a position is the one after another in a game. Of the other it needs the game and the ply.
func (s *sample) follows(o *sample) bool {
	return s.ply == o.ply+1 && s.number == o.number && s.source == o.source
}

// own returns the score from the side of the mover.
func (s *sample) own() Score {
	if s.score != NoScore && s.at.Turn() == chess.Black {
		return -s.score
	}
	return s.score
}

// sampler takes positions of games: from one ply to another, and every n-th. Which of each n plies it takes is a game's own: if all games began at
// the same ply, an even n would take the positions of one side alone.
type sampler struct {
	j       *Job
	emit    func(*sample) error
	past    *past // if it is wanted
	history position.History
	key     []byte // of number
}

func newSampler(j *Job, history bool, emit func(*sample) error) *sampler {
	t := &sampler{j: j, emit: emit}
	if history {
		t.past = &past{}
	}
	return t
}

// game takes the positions of a game, whose moves are legal. A position in which the turn was passed has no move, and is not taken.
func (t *sampler) game(g *Game) error {
	s := sample{at: g.Start, number: g.Number, source: uint32(g.Source), result: g.Result}
	if s.past = t.past; t.past != nil {
		t.past.begin(&g.Start)
		t.history.Reset()
	}
	first := t.j.FromPly
	if t.j.Every > 1 {
		first += int(t.number(g.Moves) % uint64(t.j.Every))
	}
	for i, w := range g.Moves {
		if t.past != nil {
			t.past.push(&s.at, t.history.Push(&s.at) > 1)
			s.line = g.Moves[i+1-t.past.n : i]
		}
		if t.j.ToPly > 0 && i > t.j.ToPly {
			break
		}
		if i >= first && (i-first)%t.j.Every == 0 && w < moveindex.NumMoves {
			s.ply, s.played, s.score, s.clock = uint32(i), w, g.score(i), g.clock(i+1)
			s.left = uint32(len(g.Moves) - i)
			if err := t.emit(&s); err != nil {
				return err
			}
		}
		s.at.MakeIndex(w)
	}
	return nil
}

// number returns a number that depends on the seed and a game's moves alone: the first eight bytes of the SHA-256 of the seed's eight bytes
// and of each move's two, low bytes first.
func (t *sampler) number(moves []moveindex.Index) uint64 {
	t.key = binary.LittleEndian.AppendUint64(t.key[:0], t.j.Seed)
	for _, w := range moves {
		t.key = binary.LittleEndian.AppendUint16(t.key, uint16(w))
	}
	sum := sha256.Sum256(t.key)
	return binary.LittleEndian.Uint64(sum[:])
}
