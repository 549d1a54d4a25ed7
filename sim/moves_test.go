// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ply11/internal/movesets"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim/oracle"
)

// legal plays a position through the model and returns its moves, clocks from the last one's end, and the
// beat that ends it.
func (m *Moves) legal(p *position.Position) (mask [31]uint64, clocks int, end MovesOut, err error) {
	s := oracle.NewState(p)
	m.In = MovesIn{SValid: true, Board: s.Men, Side: s.Side, Rights: s.Rights, EP: s.EP, MReady: true}
	n := uint16(0)
	for clocks = 1; clocks < 2000; clocks++ {
		ready := m.Out.SReady
		m.Step()
		if ready {
			// It is not read any longer.
			m.In.SValid, m.In.Board, m.In.Side = false, [4]uint64{0x5a6e4d3c}, 1^s.Side
			m.In.Rights, m.In.EP = 15^s.Rights, 0
			if s.EP == 0 {
				m.In.EP = 1
			}
		}
		o := &m.Out
		switch {
		case !o.MValid:
		case o.MCount != n:
			return mask, clocks, *o, fmt.Errorf("move %d has the count %d", n, o.MCount)
		case o.MLast:
			return mask, clocks, *o, nil
		default:
			if mask[o.MIndex>>6]>>(o.MIndex&63)&1 != 0 {
				return mask, clocks, *o, fmt.Errorf("index %d twice", o.MIndex)
			}
			mask[o.MIndex>>6] |= 1 << (o.MIndex & 63)
			n++
		}
	}
	return mask, clocks, m.Out, fmt.Errorf("no end")
}

// The model gives the legal moves, and says check, mate and stalemate, of positions of every kind.
func TestMovesModel(t *testing.T) {
	m := NewMoves()
	r := rand.New(rand.NewPCG(7, 11))
	cases := map[string]int{}
	for i := range 6000 {
		p := movesets.Position(r, i)
		got, _, end, err := m.legal(&p)
		var want [31]uint64
		p.LegalMask(&want)
		n := p.CountLegal()
		switch {
		case err != nil:
			t.Fatalf("%s: %v", &p, err)
		case got != want:
			t.Fatalf("%s: %s", &p, maskDifference(&got, &want))
		case int(end.MCount) != n, end.MCheck != p.InCheck(), end.MMate != p.IsCheckmate(), end.MStalemate != p.IsStalemate():
			t.Fatalf("%s: %d moves, check %v, mate %v, stalemate %v", &p, end.MCount, end.MCheck, end.MMate, end.MStalemate)
		}
		for _, c := range movesets.Cases(&p) {
			cases[c]++
		}
	}
	for _, c := range movesets.AllCases {
		if cases[c] == 0 {
			t.Errorf("no position with %s", c)
		}
	}
}

func maskDifference(got, want *[31]uint64) string {
	text := ""
	for i := range moveindex.Index(moveindex.NumMoves) {
		g, w := got[i>>6]>>(i&63)&1 != 0, want[i>>6]>>(i&63)&1 != 0
		if m, _ := i.Move(); g && !w {
			text += fmt.Sprintf("%s is not legal; ", m)
		} else if w && !g {
			text += fmt.Sprintf("%s is missing; ", m)
		}
	}
	return text
}

// A position is free after the clock with s_ready, also where a pawn who takes en passant the one who gives check is
// asked last, and the king has a single step.
func TestMovesFree(t *testing.T) {
	for _, fen := range []string{
		"k7/8/8/6pP/6PK/6PP/8/8 w - g6 0 1",
		"8/8/6pp/6pk/6Pp/8/8/K7 b - g3 0 1",
	} {
		p, err := position.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		var want [31]uint64
		p.LegalMask(&want)
		got, _, _, err := NewMoves().legal(&p)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s: %s", fen, maskDifference(&got, &want))
		}
	}
}

// A reset of one clock, at any time inside a position or while its moves wait, leaves nothing of it.
func TestMovesReset(t *testing.T) {
	positions := make([]position.Position, 2)
	for i, fen := range []string{
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1 3",
	} {
		var err error
		if positions[i], err = position.ParseFEN(fen); err != nil {
			t.Fatal(err)
		}
	}
	m := NewMoves()
	for first := range positions {
		s := oracle.NewState(&positions[first])
		second := &positions[1-first]
		var want [31]uint64
		second.LegalMask(&want)
		for clocks := range 100 {
			for _, ready := range []bool{true, false} {
				m.In = MovesIn{SValid: true, Board: s.Men, Side: s.Side, Rights: s.Rights, EP: s.EP, MReady: ready}
				for range clocks {
					m.Step()
				}
				m.In.Rst = true
				m.Step()
				if m.Out.MValid {
					t.Errorf("a beat after a reset in clock %d", clocks)
				}
				got, _, _, err := m.legal(second)
				if err != nil || got != want {
					t.Fatalf("after a reset in clock %d: %v, %s", clocks, err, maskDifference(&got, &want))
				}
			}
		}
	}
}

// Positions follow each other without a pause, and no move waits: what they take is within what the module was made for.
func TestMovesClocks(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 60))
	for kind, name := range []string{"of random games", "set up"} {
		m := NewMoves()
		m.In.MReady = true
		var positions, over, most [2]int // not in check, in check
		const count = 4000
		put, got, clock, last := 0, 0, 0, 0
		for ; got < count; clock++ {
			if m.Out.SReady {
				m.In.SValid = false
			}
			if !m.In.SValid && put < count {
				p := movesets.Position(r, kind)
				s := oracle.NewState(&p)
				m.In.SValid, m.In.Board, m.In.Side, m.In.Rights, m.In.EP = true, s.Men, s.Side, s.Rights, s.EP
				put++
			}
			m.Step()
			if o := &m.Out; o.MValid && o.MLast {
				k := bit(o.MCheck)
				n := clock - last - int(o.MCount)
				positions[k]++
				over[k] += n
				most[k] = max(most[k], n)
				last = clock
				got++
			}
		}
		quiet, check := float64(over[0])/float64(positions[0]), float64(over[1])/float64(positions[1])
		all := float64(clock) / count
		t.Logf("%s: clocks over the number of moves %.1f, in check %.1f (%d of %d), at most %d; clocks a position %.1f", name, quiet, check,
			positions[1], count, max(most[0], most[1]), all)
		if quiet > 10 || check > 25 || max(most[0], most[1]) > 60 {
			t.Errorf("%s: too many clocks", name)
		}
	}
}
