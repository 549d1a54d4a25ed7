// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/internal/movesets"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
)

// A verdictStimulus gives ply11_legal positions and, of each, all moves that ply11_board applies there, and compares the verdicts
// with package position: all 2,048 codes, for the board refuses the others. Each beat is a move from the same position, which a NEW
// in the clock before it brings.
type verdictStimulus struct {
	m         *sim.Legal
	r         *rand.Rand
	positions int
	pause     bool

	done, verdicts int
	pos            position.Position
	state          oracle.State
	code           moveindex.Index
	legal          [31]uint64
	beat           int // 0 nothing is offered, 1 the position, 2 a move from it
	next           sim.LegalIn
	queue          []verdict
	reasons        map[oracle.Reason]int
	cases          map[string]int
}

type verdict struct {
	fresh  bool
	reason oracle.Reason
	fen    string
	code   moveindex.Index
}

// apply finds the next move that the board applies, and makes the beat that it gives.
func (s *verdictStimulus) apply() bool {
	for {
		if s.code == moveindex.NumWords {
			if s.done == s.positions {
				return false
			}
			s.pos = movesets.Position(s.r, s.done)
			s.state = oracle.NewState(&s.pos)
			s.pos.LegalMask(&s.legal)
			s.code = 0
			s.done++
			s.verdicts += moveindex.NumWords
			for _, c := range movesets.Cases(&s.pos) {
				s.cases[c]++
			}
		}
		i := s.code
		s.code++
		m, ok := i.Move()
		if !ok {
			continue
		}
		after := s.state
		man, captured, fault := after.Play(i)
		if fault != oracle.NoFault {
			if s.legal[i>>6]>>(i&63)&1 != 0 {
				panic("the board refuses a legal move")
			}
			continue
		}
		s.next = sim.LegalIn{SFrom: uint8(m.From()), STo: uint8(m.To()), SPromotion: uint8(m >> 12),
			SMan: uint8(man), SCaptured: uint8(captured), State: after}
		v := verdict{code: i}
		if s.legal[i>>6]>>(i&63)&1 == 0 {
			v.reason = oracle.Illegal(&s.pos, m)
			v.fen = s.pos.String()
		}
		s.reasons[v.reason]++
		s.queue = append(s.queue, verdict{fresh: true}, v)
		return true
	}
}

func (s *verdictStimulus) Drive() bool {
	in := &s.m.In
	if s.beat == 0 || s.beat == 3 {
		if s.beat = 0; s.apply() {
			s.beat = 1
		}
	}
	in.SValid, in.BoardNext, in.BoardLoad = s.beat != 0, false, false
	switch s.beat {
	case 1:
		in.SOp, in.SError, in.SFrom, in.STo, in.SPromotion, in.SMan, in.SCaptured = sim.OpNew, 0, 0, 0, 0, 0, 0
		in.State = s.state
	case 2:
		in.SOp, in.SFrom, in.STo, in.SPromotion, in.SMan, in.SCaptured = sim.OpMove, s.next.SFrom, s.next.STo, s.next.SPromotion, s.next.SMan, s.next.SCaptured
		in.State = s.next.State
	}
	in.SUser = uint64(s.code) & 0xff
	in.MReady = !s.pause || s.r.IntN(3) != 0
	in.Hush = s.m.Out.NextValid && s.m.Out.NextOp == sim.OpNew
	return s.beat != 0 || len(s.queue) > 0
}

func (s *verdictStimulus) Sample() error {
	o := &s.m.Out
	if s.beat != 0 && o.SReady {
		s.beat++
	}
	if !o.MValid || !s.m.In.MReady {
		return nil
	}
	// The NEWs have no beat.
	if len(s.queue) < 2 {
		return fmt.Errorf("a beat without a move")
	}
	v := s.queue[1]
	s.queue = s.queue[2:]
	want := oracle.NoFault
	if v.reason != 0 {
		want = oracle.FaultStopped
	}
	if oracle.Fault(o.MError) != want || oracle.Reason(o.MReason) != v.reason {
		m, _ := v.code.Move()
		return fmt.Errorf("%s: %v has error %d, reason %v, want %d, %v", v.fen, m, o.MError, oracle.Reason(o.MReason), want, v.reason)
	}
	return nil
}

// playVerdicts compares the model with package position and, clock by clock, with the Verilog in a simulator.
func playVerdicts(t *testing.T, b *bench, tool string, positions int, pause bool, seed uint64) *verdictStimulus {
	t.Helper()
	m, err := sim.NewLegal(8)
	if err != nil {
		t.Fatal(err)
	}
	s := &verdictStimulus{m: m, r: rand.New(rand.NewPCG(seed, 16)), positions: positions, pause: pause, code: moveindex.NumWords,
		reasons: map[oracle.Reason]int{}, cases: map[string]int{}}
	end := b.play(t, tool, trial{m, s})
	if end.Difference != nil {
		t.Error(end.Difference)
	}
	var table strings.Builder
	for _, r := range slices.Sorted(maps.Keys(s.reasons)) {
		fmt.Fprintf(&table, "\n%9d %v", s.reasons[r], r)
	}
	for _, c := range slices.Sorted(maps.Keys(s.cases)) {
		fmt.Fprintf(&table, "\n%9d positions: %s", s.cases[c], c)
	}
	t.Logf("%s: %d positions, %d verdicts in %d clocks%s", tool, s.done, s.verdicts, end.Clocks, &table)
	return s
}

// ply11_legal says of each move what package position says, and its Verilog does in each clock what the model does.
func TestVerdictsVerilog(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, tool := range []string{ToolIcarus, ToolVerilator} {
		for _, pause := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/pauses=%v", tool, pause), func(t *testing.T) {
				n := 600
				if tool == ToolIcarus {
					n = 12
				}
				playVerdicts(t, b, tool, n, pause, 5)
			})
		}
	}
}
