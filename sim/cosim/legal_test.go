// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"ply11/internal/movesets"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
)

// A legalStimulus gives positions to ply11_moves, with pauses on both sides or without, and compares what
// comes out with package position: all 2,048 codes, in any order.
type legalStimulus struct {
	m     *sim.Moves
	r     *rand.Rand
	count int
	pause bool

	took          bool
	offered, done int
	queue         []position.Position
	mask          [31]uint64
	verdicts      int
	cases         map[string]int
}

func (s *legalStimulus) Drive() bool {
	in := &s.m.In
	if s.took {
		// What was offered is read no longer.
		in.SValid, in.Board = false, [4]uint64{s.r.Uint64(), s.r.Uint64(), s.r.Uint64(), s.r.Uint64()}
		in.Side, in.EP, in.Rights = uint8(s.r.IntN(2)), uint8(s.r.IntN(9)), uint8(s.r.IntN(16))
	}
	if !in.SValid && s.offered < s.count && (!s.pause || s.r.IntN(8) == 0 || s.offered%64 < 32) {
		p := movesets.Position(s.r, s.offered)
		st := oracle.NewState(&p)
		in.SValid, in.Board, in.Side, in.Rights, in.EP = true, st.Men, st.Side, st.Rights, st.EP
		s.queue = append(s.queue, p)
		s.offered++
	}
	in.MReady = !s.pause || s.done%16 < 6 || s.r.IntN(4) == 0
	return s.done < s.count
}

func (s *legalStimulus) Sample() error {
	o := &s.m.Out
	s.took = o.SReady && s.m.In.SValid
	if !o.MValid || !s.m.In.MReady {
		return nil
	}
	if len(s.queue) == 0 {
		return fmt.Errorf("a beat without a position")
	}
	p := &s.queue[0]
	n := 0
	for _, w := range s.mask {
		n += bits.OnesCount64(w)
	}
	if int(o.MCount) != n {
		return fmt.Errorf("%s: count %d after %d moves", p, o.MCount, n)
	}
	if !o.MLast {
		s.mask[o.MIndex>>6] |= 1 << (o.MIndex & 63)
		return nil
	}
	var want [31]uint64
	p.LegalMask(&want)
	if s.mask != want || o.MCheck != p.InCheck() || o.MMate != p.IsCheckmate() || o.MStalemate != p.IsStalemate() {
		return fmt.Errorf("%s: mask %x, want %x; check %v, mate %v, stalemate %v", p, s.mask, want, o.MCheck, o.MMate, o.MStalemate)
	}
	s.cases["position"]++
	for _, c := range movesets.Cases(p) {
		s.cases[c]++
	}
	s.mask = [31]uint64{}
	s.queue = slices.Delete(s.queue, 0, 1)
	s.done++
	s.verdicts += 2048
	return nil
}

// playLegal compares the model with package position and, clock by clock, with the Verilog in a simulator.
func playLegal(t *testing.T, b *bench, tool string, count int, pause bool, seed uint64) {
	t.Helper()
	m := sim.NewMoves()
	s := &legalStimulus{m: m, r: rand.New(rand.NewPCG(seed, 3)), count: count, pause: pause, cases: map[string]int{}}
	end := b.play(t, tool, trial{m, s})
	if end.Difference != nil {
		t.Error(end.Difference)
	}
	t.Logf("%s: %d positions, %d verdicts in %d clocks: %v", tool, s.done, s.verdicts, end.Clocks, s.cases)
}

// ply11_moves gives the legal moves of package position, and its Verilog does in each clock what the model does.
func TestMovesVerilog(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, tool := range []string{ToolIcarus, ToolVerilator} {
		for _, pause := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/pauses=%v", tool, pause), func(t *testing.T) {
				n := 1500
				if tool == ToolIcarus {
					n = 100
				}
				playLegal(t, b, tool, n, pause, 5)
			})
		}
	}
}
