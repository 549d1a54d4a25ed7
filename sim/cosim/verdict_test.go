// SPDX-License-Identifier: Apache-2.0

package cosim_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/internal/movesets"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
)

const (
	opMove = 0
	opNew  = 1
)

// verdicts are positions that streams share, and what was said of them.
type verdicts struct {
	r         *rand.Rand
	positions int
	pause     bool

	done, codes int
	reasons     map[oracle.Reason]int
	cases       map[string]int
}

// A verdictStream gives ply11_legal positions and, of each, all moves that ply11_board applies there, and compares the
// verdicts with package position. Each beat is a move from the same position, which a NEW in the clock before it
// brings.
type verdictStream struct {
	*verdicts

	pos   position.Position
	state oracle.State
	code  moveindex.Index
	legal [31]uint64
	beat  int // 0 nothing is offered, 1 the position, 2 a move from it
	next  verdictMove
	queue []verdict
}

type verdictMove struct {
	move            chess.Move
	piece, captured chess.Piece
	after           oracle.State
}

type verdict struct {
	reason oracle.Reason
	fen    string
	code   moveindex.Index
}

// apply finds the next move that the board applies.
func (s *verdictStream) apply() bool {
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
			s.codes += moveindex.NumWords
			for _, c := range casesOf(&s.pos) {
				s.cases[c]++
			}
		}
		i := s.code
		s.code++
		m, ok := i.Move()
		if !ok {
			continue
		}
		legal := s.legal[i>>6]>>(i&63)&1 != 0
		after := s.state
		piece, captured, fault := after.Play(i)
		if fault != oracle.NoFault {
			if legal {
				panic("the board refuses a legal move")
			}
			continue
		}
		s.next = verdictMove{m, piece, captured, after}
		v := verdict{code: i}
		if !legal {
			v.reason = oracle.Illegal(&s.pos, m)
			v.fen = s.pos.String()
		}
		s.reasons[v.reason]++
		s.queue = append(s.queue, v)
		return true
	}
}

func (s *verdictStream) drive(r *rig, stream int) bool {
	if s.beat == 0 || s.beat == 3 {
		if s.beat = 0; s.apply() {
			s.beat = 1
		}
	}
	r.setBit(stream, "s_valid", s.beat != 0)
	var move verdictMove
	switch s.beat {
	case 1:
		r.set(stream, "s_op", opNew)
		r.setPosition(stream, &s.state)
	case 2:
		move = s.next
		r.set(stream, "s_op", opMove)
		r.setPosition(stream, &move.after)
	}
	r.set(stream, "s_from", uint64(move.move.From()))
	r.set(stream, "s_to", uint64(move.move.To()))
	r.set(stream, "s_promotion", uint64(move.move>>12))
	r.set(stream, "s_piece", uint64(move.piece))
	r.set(stream, "s_captured", uint64(move.captured))
	r.set(stream, "s_user", uint64(s.code)&0xff)
	r.setBit(stream, "m_ready", !s.pause || s.r.IntN(3) != 0)
	return s.beat != 0 || len(s.queue) > 0
}

func (s *verdictStream) sample(r *rig, stream int) error {
	if s.beat != 0 && r.get(stream, "s_ready") == 1 {
		s.beat++
	}
	if r.get(stream, "m_valid")&r.get(stream, "m_ready") == 0 || r.get(stream, "m_op") == opNew {
		return nil
	}
	if len(s.queue) == 0 {
		return fmt.Errorf("a beat without a move")
	}
	v := s.queue[0]
	s.queue = s.queue[:copy(s.queue, s.queue[1:])]
	want := oracle.NoFault
	if v.reason != 0 {
		want = oracle.FaultStopped
	}
	fault, reason := oracle.Fault(r.get(stream, "m_error")), oracle.Reason(r.get(stream, "m_reason"))
	if fault != want || reason != v.reason {
		m, _ := v.code.Move()
		return fmt.Errorf("%s: %v has error %d, reason %v, want %d, %v", v.fen, m, fault, reason, want, v.reason)
	}
	return nil
}

func playVerdicts(t *testing.T, positions int, pause bool, seed uint64) *verdicts {
	t.Helper()
	r := newRig(t, "ply11_legal", "USER_WIDTH=8")
	v := &verdicts{r: rand.New(rand.NewPCG(seed, 16)), positions: positions, pause: pause,
		reasons: map[oracle.Reason]int{}, cases: map[string]int{}}
	var streams []rigStream
	for range sim.Narrow {
		streams = append(streams, &verdictStream{verdicts: v, code: moveindex.NumWords})
	}
	clocks := r.run(t, 1<<30, streams...)
	var table strings.Builder
	for _, r := range slices.Sorted(maps.Keys(v.reasons)) {
		fmt.Fprintf(&table, "\n%9d %v", v.reasons[r], r)
	}
	for _, c := range slices.Sorted(maps.Keys(v.cases)) {
		fmt.Fprintf(&table, "\n%9d positions: %s", v.cases[c], c)
	}
	t.Logf("%d positions, %d verdicts in %d clocks%s", v.done, v.codes, clocks, &table)
	return v
}

// ply11_legal says of each move what package position says.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, pause := range []bool{false, true} {
		if v := playVerdicts(t, 600, pause, 5); v.done != 600 || v.reasons[oracle.NoReason] == 0 ||
			v.reasons[oracle.ReasonCheck] == 0 {
			t.Errorf("%d positions, %v", v.done, v.reasons)
		}
	}
}
