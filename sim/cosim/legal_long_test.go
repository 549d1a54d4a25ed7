// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"ply11/internal/movesets"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
)

// A legalStream gives positions to ply11_moves, with pauses on both sides or without, and compares what
// comes out with package position: all 2,048 codes, in any order.
type legalStream struct {
	r     *rand.Rand
	kind  func(n int) int // of position n, for movesets.Position
	count int
	pause bool
	over  *[2]overMoves // those not in check, those in check

	last          int // the clock of the last end
	valid, took   bool
	offered, done int
	queue         []position.Position
	mask          [31]uint64
	cases         map[string]int
}

func (s *legalStream) drive(r *rig, stream int) bool {
	if s.took {
		// What was offered is read no longer.
		s.valid = false
		r.setPosition(stream, &oracle.State{
			Men:  [4]uint64{s.r.Uint64(), s.r.Uint64(), s.r.Uint64(), s.r.Uint64()},
			Side: uint8(s.r.IntN(2)), EP: uint8(s.r.IntN(9)), Rights: uint8(s.r.IntN(16)),
		})
	}
	if !s.valid && s.offered < s.count && (!s.pause || s.r.IntN(8) == 0 || s.offered%64 < 32) {
		p := movesets.Position(s.r, s.kind(s.offered))
		st := oracle.NewState(&p)
		r.setPosition(stream, &st)
		s.valid = true
		s.queue = append(s.queue, p)
		s.offered++
	}
	r.setBit(stream, "s_valid", s.valid)
	r.setBit(stream, "m_ready", !s.pause || s.done%16 < 6 || s.r.IntN(4) == 0)
	return s.done < s.count
}

func (s *legalStream) sample(r *rig, stream int) error {
	s.took = s.valid && r.get(stream, "s_ready") == 1
	if r.get(stream, "m_valid")&r.get(stream, "m_ready") == 0 {
		return nil
	}
	if len(s.queue) == 0 {
		return fmt.Errorf("a beat without a position")
	}
	p := &s.queue[0]
	n := uint64(0)
	for _, w := range s.mask {
		n += uint64(bits.OnesCount64(w))
	}
	if count := r.get(stream, "m_count"); count != n {
		return fmt.Errorf("%s: count %d after %d moves", p, count, n)
	}
	if r.get(stream, "m_last") == 0 {
		index := r.get(stream, "m_index")
		s.mask[index>>6] |= 1 << (index & 63)
		return nil
	}
	var want [31]uint64
	p.LegalMask(&want)
	check, mate, stalemate := r.get(stream, "m_check") == 1, r.get(stream, "m_mate") == 1,
		r.get(stream, "m_stalemate") == 1
	if s.mask != want || check != p.InCheck() || mate != p.IsCheckmate() || stalemate != p.IsStalemate() {
		return fmt.Errorf("%s: mask %x, want %x; check %v, mate %v, stalemate %v", p, s.mask, want, check, mate,
			stalemate)
	}
	for _, c := range movesets.Cases(p) {
		s.cases[c]++
	}
	if s.done > 0 {
		s.over[btoi(check)].add(r.Clock() - s.last - int(n))
	}
	s.last = r.Clock()
	s.mask = [31]uint64{}
	s.queue = s.queue[:copy(s.queue, s.queue[1:])]
	s.done++
	return nil
}

// overMoves are clocks that positions take beside those for their moves.
type overMoves struct{ positions, sum, most int }

func (o *overMoves) add(clocks int) {
	o.positions++
	o.sum += clocks
	o.most = max(o.most, clocks)
}

func (o *overMoves) average() float64 { return float64(o.sum) / float64(o.positions) }

// ply11_moves gives the legal moves of package position: the netlist that Yosys makes of it, in 64 streams. Where
// positions follow each other without a pause and no move waits, they take as many clocks as the module was made for.
func TestLegalMoves(t *testing.T) {
	t.Parallel()
	r := newRig(t, "ply11_moves")
	const count = 64
	for _, c := range []struct {
		name  string
		kind  func(n int) int
		pause bool
	}{
		{"of both kinds, with pauses", func(n int) int { return n }, true},
		{"of random games", func(int) int { return 0 }, false},
		{"set up", func(int) int { return 1 }, false},
	} {
		cases := map[string]int{}
		var over [2]overMoves
		var streams []rigStream
		for k := range sim.Narrow {
			streams = append(streams, &legalStream{r: rand.New(rand.NewPCG(uint64(k), 3)), kind: c.kind, count: count,
				pause: c.pause, cases: cases, over: &over})
		}
		start := r.Clock()
		r.run(t, 1<<20, streams...)
		t.Logf("%d positions %s, %d clocks: %.1f over the number of moves, in check %.1f (%d), at most %d; %v",
			count*len(streams), c.name, r.Clock()-start,
			over[0].average(), over[1].average(), over[1].positions, max(over[0].most, over[1].most), cases)
		if over[0].positions == 0 || over[1].positions == 0 {
			t.Error("too few cases")
		}
		if !c.pause && (over[0].average() > 10 || over[1].average() > 25 || max(over[0].most, over[1].most) > 60) {
			t.Error("too many clocks")
		}
	}
}
