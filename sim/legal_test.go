// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"testing"

	"ply11/chess"
	"ply11/internal/movesets"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim/oracle"
)

// A legalChain is ply11_board with ply11_legal behind it.
type legalChain struct {
	board *Board
	legal *Legal
}

func newLegalChain(t *testing.T) *legalChain {
	t.Helper()
	b, err := NewBoardStop(16)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLegal(16)
	if err != nil {
		t.Fatal(err)
	}
	c := &legalChain{b, l}
	l.In.MReady = true
	return c
}

// wire connects them, for a clock. NEWs with an odd tag are hushed.
func (c *legalChain) wire() {
	o, in := &c.board.Out, &c.legal.In
	in.SValid, in.SOp, in.SUser, in.SError, in.SFrom, in.STo, in.SPromotion = o.MValid, o.MOp, o.MUser, o.MError, o.MFrom, o.MTo, o.MPromotion
	in.SMan, in.SCaptured, in.State, in.BoardNext, in.BoardLoad = o.MMan, o.MCaptured, o.State, o.NextValid, o.LoadReady
	in.Hush = c.legal.v.in.SValid && c.legal.v.in.SOp == OpNew && c.legal.v.in.SUser&1 != 0
	c.legal.Eval()
	c.board.In.MReady = c.legal.Out.SReady
	c.board.Eval()
}

// A game goes through board and referee, an operation in every clock that takes one: legal moves are applied, the first
// that is not legal has error 7 and a reason, and the rest of the game changes nothing. NEW, with a beat or hushed,
// begins another.
func TestLegalGames(t *testing.T) {
	c := newLegalChain(t)
	r := rand.New(rand.NewPCG(4, 8))
	type want struct {
		state oracle.State
		fault oracle.Fault
		op    uint8
		user  uint64
	}
	var queue []want
	pos, state, stopped := position.Start(), oracle.Initial(), false
	refused, applied, hushed := 0, 0, 0
	taken, user, silent := true, uint64(0), false
	var op uint8
	var index moveindex.Index
	var buf [256]chess.Move
	for clock := 0; clock < 60000; clock++ {
		b := &c.board.In
		if taken {
			op = OpMove
			switch k := r.IntN(300); {
			case k < 3 || stopped && k < 60:
				op = OpNew
			case k < 9 && !pos.InCheck():
				index = moveindex.Null
			case k < 12:
				index = moveindex.Index(r.IntN(2048))
			default:
				list := pos.LegalMoves(buf[:0])
				if len(list) == 0 {
					op = OpNew
				} else {
					index, _ = moveindex.Of(list[r.IntN(len(list))])
				}
				if k < 60 {
					index = boardMoves(&state, r)
				}
			}
			user++
		}
		b.SValid, b.SOp, b.SIndex, b.SUser = true, op, uint16(index), user
		// Some NEWs are hushed.
		c.legal.In.MReady = r.IntN(4) != 0
		c.wire()
		if taken = c.board.Out.SReady; taken {
			w := want{op: op, user: user & 0xffff}
			switch {
			case op == OpNew:
				pos, state, stopped = position.Start(), oracle.Initial(), false
				silent = user&1 != 0
			case stopped:
				w.fault = oracle.FaultStopped
			default:
				before := state
				_, _, fault := state.Play(index)
				if fault != oracle.NoFault {
					w.fault, stopped = fault, true
				} else if index == moveindex.Null {
					pos.MakeNull()
				} else if m, _ := index.Move(); pos.IsLegal(m) {
					pos.Make(m)
					applied++
				} else {
					w.fault, stopped, state = oracle.FaultStopped, true, before
					refused++
				}
			}
			w.state = state
			if op == OpNew && silent {
				hushed++
			} else {
				queue = append(queue, w)
			}
		}
		if o := &c.legal.Out; o.MValid && c.legal.In.MReady {
			if len(queue) == 0 {
				t.Fatalf("clock %d: a beat without an operation", clock)
			}
			w := queue[0]
			queue = queue[1:]
			if o.MOp != w.op || o.MUser != w.user || oracle.Fault(o.MError) != w.fault || o.State != w.state {
				t.Fatalf("clock %d: op %d, user %d, error %d, reason %v, want op %d, user %d, error %d\n%v\n%v", clock,
					o.MOp, o.MUser, o.MError, oracle.Reason(o.MReason), w.op, w.user, w.fault, o.State, w.state)
			}
		}
		c.board.Step()
		c.legal.Step()
	}
	t.Logf("%d moves applied, %d refused, %d NEWs hushed", applied, refused, hushed)
	if applied < 5000 || refused < 300 || hushed < 100 {
		t.Error("too few")
	}
}

// boardMoves returns a move that the board applies, legal or not.
func boardMoves(s *oracle.State, r *rand.Rand) moveindex.Index {
	for {
		i := moveindex.Index(r.IntN(moveindex.NumMoves))
		after := *s
		if _, _, fault := after.Play(i); fault == oracle.NoFault {
			return i
		}
	}
}

// Of each position all 2,048 codes: board and referee together take those that are legal, and no other.
func TestLegalVerdicts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	m, err := NewLegal(16)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[oracle.Reason]int{}
	cases := map[string]int{}
	verdicts := 0
	for i := range 1500 {
		p := movesets.Position(r, i)
		s := oracle.NewState(&p)
		var got, want [31]uint64
		p.LegalMask(&want)
		for code := range moveindex.Index(moveindex.NumWords) {
			verdicts++
			if code == moveindex.Null {
				continue
			}
			after := s
			man, captured, fault := after.Play(code)
			if fault != oracle.NoFault {
				continue
			}
			x, _ := moveindex.Index(code).Move()
			slot := legalSlot{in: LegalIn{SValid: true, SFrom: uint8(x.From()), STo: uint8(x.To()), SPromotion: uint8(x >> 12),
				SMan: uint8(man), SCaptured: uint8(captured), State: after}}
			m.before = s
			m.judge(&slot)
			counts[slot.reason]++
			if slot.reason == oracle.NoReason {
				got[code>>6] |= 1 << (code & 63)
			}
		}
		if got != want {
			t.Fatalf("%s: %s", &p, maskDifference(&got, &want))
		}
		for _, c := range movesets.Cases(&p) {
			cases[c]++
		}
	}
	t.Logf("%d verdicts: %v; %v", verdicts, counts, cases)
	for _, reason := range []oracle.Reason{oracle.NoReason, oracle.ReasonBlocked, oracle.ReasonOut, oracle.ReasonThrough, oracle.ReasonInto, oracle.ReasonPassant, oracle.ReasonCheck} {
		if counts[reason] == 0 {
			t.Errorf("no move with %v", reason)
		}
	}
}
