// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ply11/internal/movesets"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/eda/edatest"
	"ply11/sim/oracle"
)

// maskWords is how many words ply11_mask makes of a position.
const maskWords = 31

// A maskStream gives positions to ply11_moves one at a time, and compares what comes out of ply11_mask behind it with
// package position.
type maskStream struct {
	*maskCount

	p            position.Position
	valid, begun bool
	clocks       int
	first, word  int
	got          [maskWords]uint64
}

// maskCount is what all streams count.
type maskCount struct {
	r               *rand.Rand
	positions, done int // that are to come, and that came

	sum, begins, within int
	ways                [3]int
}

// ways are how many clocks a position with so many moves would take less if two rows were read at a time, if two words
// came a clock, if two indices did.
var ways = [3]func(moves int) int{func(int) int { return 4 }, func(int) int { return 15 }, func(moves int) int {
	return moves / 2
}}

// drive sets the inputs of ply11_moves.
func (s *maskStream) drive(r *rig, stream int) bool {
	if !s.begun {
		if s.positions == 0 {
			return false
		}
		s.positions--
		s.p = movesets.Position(s.r, s.positions)
		st := oracle.NewState(&s.p)
		r.setPosition(stream, &st)
		s.begun, s.valid, s.clocks, s.word, s.got = true, true, 0, 0, [maskWords]uint64{}
	}
	r.setBit(stream, "s_valid", s.valid)
	return true
}

// sample looks at the outputs of both.
func (s *maskStream) sample(moves, mask *rig, stream int) error {
	if s.valid && moves.get(stream, "s_ready") == 1 {
		s.valid = false
	}
	if mask.get(stream, "m_valid") == 1 {
		if s.word == 0 {
			s.first = s.clocks
		}
		if n := mask.get(stream, "m_word"); n != uint64(s.word) ||
			mask.get(stream, "m_last") == 1 != (s.word == maskWords-1) {
			return fmt.Errorf("%s: word %d has the number %d", &s.p, s.word, n)
		}
		s.got[s.word] = mask.get(stream, "m_data")
		s.word++
		count, check := mask.get(stream, "m_count"), mask.get(stream, "m_check") == 1
		mate, stalemate := mask.get(stream, "m_mate") == 1, mask.get(stream, "m_stalemate") == 1
		if int(count) != s.p.CountLegal() || check != s.p.InCheck() || mate != s.p.IsCheckmate() ||
			stalemate != s.p.IsStalemate() {
			return fmt.Errorf("%s: word %d: %d moves, check %v, mate %v, stalemate %v", &s.p, s.word, count, check,
				mate, stalemate)
		}
	}
	if s.clocks++; s.clocks > 2000 {
		return fmt.Errorf("%s: no end after word %d", &s.p, s.word)
	}
	if s.word < maskWords {
		return nil
	}
	s.begun = false
	s.done++
	var want [maskWords]uint64
	n := s.p.CountLegal()
	switch s.p.LegalMask(&want); {
	case s.got != want:
		return fmt.Errorf("%s: mask %x, want %x", &s.p, s.got, want)
	case !s.p.InCheck() && (n <= 30 && s.clocks > 100 || n <= 60 && s.first > 100):
		return fmt.Errorf("%s: %d moves: word 0 after %d clocks, word 30 after %d", &s.p, n, s.first, s.clocks)
	}
	s.sum += s.clocks
	s.begins += s.first
	if s.clocks <= 100 {
		s.within++
	}
	for i, saved := range ways {
		if s.clocks-saved(n) <= 100 {
			s.ways[i]++
		}
	}
	return nil
}

// ply11_moves and ply11_mask together give the legal moves of positions of every kind as package position does.
// Nobody being in check, a position with up to 60 moves has its first word within 100 clocks, one with up to 30 its
// last.
func TestMask(t *testing.T) {
	t.Parallel()
	moves, mask := newRig(t, "ply11_moves"), newRig(t, "ply11_mask")
	const positions = 3000
	count := &maskCount{r: rand.New(rand.NewPCG(9, 16)), positions: positions}
	streams := make([]*maskStream, sim.Narrow)
	for i := range streams {
		streams[i] = &maskStream{maskCount: count}
	}
	// What ply11_mask is given, and what gives it.
	var wires [][2]sim.Signal
	for _, name := range []string{"valid", "index", "last", "count", "check", "mate", "stalemate"} {
		wires = append(wires, [2]sim.Signal{mask.port("s_" + name), moves.port("m_" + name)})
	}
	mask.SetAll(mask.port("m_ready"), 1)
	step := func() {
		mask.Eval() // for s_ready, which is a register's
		moves.SetBits(moves.port("m_ready"), 0, 0, mask.Bits(mask.port("s_ready"), 0, 0))
		moves.Eval()
		var rows [64]uint64
		for _, w := range wires {
			moves.Gather(w[1], 0, &rows)
			mask.Scatter(w[0], 0, &rows)
		}
		mask.Eval()
	}
	for range 40 {
		step()
		moves.Step()
		mask.Step()
	}
	for active := true; active; {
		active = false
		driven := make([]bool, len(streams))
		for i, s := range streams {
			driven[i] = s.drive(moves, i)
			active = active || driven[i]
		}
		step()
		for i, s := range streams {
			if driven[i] {
				edatest.Must(t, s.sample(moves, mask, i))
			}
		}
		moves.Step()
		mask.Step()
	}
	t.Logf("%d of %d positions within 100 clocks; of all %.1f clocks on average, word 0 after %.1f", count.within,
		count.done,
		float64(count.sum)/positions, float64(count.begins)/positions)
	t.Logf("within 100 with two rows at a time %d, with two words a clock %d, with two indices a clock %d",
		count.ways[0], count.ways[1], count.ways[2])
	if count.done != positions {
		t.Errorf("%d positions of %d", count.done, positions)
	}
}
