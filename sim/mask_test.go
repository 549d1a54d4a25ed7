// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"testing"

	"ply11/internal/movesets"
	"ply11/sim/oracle"
)

// A maskChain is ply11_moves and ply11_mask behind it.
type maskChain struct {
	moves *Moves
	mask  *Mask
}

// step is a clock of both.
func (c *maskChain) step() {
	o := &c.moves.Out
	c.mask.In.SValid, c.mask.In.SIndex, c.mask.In.SLast, c.mask.In.SCount = o.MValid, o.MIndex, o.MLast, o.MCount
	c.mask.In.SCheck, c.mask.In.SMate, c.mask.In.SStalemate = o.MCheck, o.MMate, o.MStalemate
	c.moves.In.MReady = c.mask.Out.SReady
	c.moves.Step()
	c.mask.Step()
}

// ply11_moves and ply11_mask together give the legal moves of positions of every kind as package position does.
// Nobody being in check, a position with up to 60 moves has its first word within 100 clocks, one with up to 30 its last.
func TestMaskModel(t *testing.T) {
	c := maskChain{NewMoves(), NewMask()}
	r := rand.New(rand.NewPCG(9, 16))
	for range 40 {
		c.step()
	}
	var sum, most, begins [2]int // of those within 100 clocks, of all
	positions, promised := 3000, 0
	// How many would be, if two rows were read at a time, if two words came a clock, if two indices did.
	var rows, words, indices int
	for i := range positions {
		p := movesets.Position(r, i)
		s := oracle.NewState(&p)
		c.moves.In = MovesIn{SValid: true, Board: s.Men, Side: s.Side, Rights: s.Rights, EP: s.EP}
		c.mask.In.MReady = true
		var got, want [MaskWords]uint64
		first, word := 0, 0
		clocks := 0
		for ; word < MaskWords; clocks++ {
			o := &c.mask.Out
			if o.MValid {
				if word == 0 {
					first = clocks
				}
				if int(o.MWord) != word || o.MLast != (word == MaskWords-1) {
					t.Fatalf("%s: word %d has the number %d, last %v", &p, word, o.MWord, o.MLast)
				}
				got[word] = o.MData
				word++
				n := p.CountLegal()
				if int(o.MCount) != n || o.MCheck != p.InCheck() || o.MMate != p.IsCheckmate() || o.MStalemate != p.IsStalemate() {
					t.Fatalf("%s: word %d: %d moves, check %v, mate %v, stalemate %v", &p, word, o.MCount, o.MCheck, o.MMate, o.MStalemate)
				}
			}
			ready := c.moves.Out.SReady
			c.step()
			if ready {
				c.moves.In.SValid = false
			}
			if clocks > 2000 {
				t.Fatalf("%s: no end after word %d", &p, word)
			}
		}
		if p.LegalMask(&want); got != want {
			t.Fatalf("%s: %s", &p, maskDifference(&got, &want))
		}
		n := p.CountLegal()
		for way, saved := range map[*int]int{&rows: 4, &words: 15, &indices: n / 2} {
			if clocks-saved <= 100 {
				*way++
			}
		}
		in := 1
		if clocks <= 100 {
			in = 0
			promised++
		}
		if !p.InCheck() && (n <= 30 && clocks > 100 || n <= 60 && first > 100) {
			t.Errorf("%s: %d moves: word 0 after %d clocks, word 30 after %d", &p, n, first, clocks)
		}
		for k := in; k < 2; k++ {
			sum[k] += clocks
			most[k] = max(most[k], clocks)
			begins[k] += first
		}
	}
	t.Logf("%d of %d positions within 100 clocks: %.1f clocks on average, at most %d, word 0 after %.1f; of all: %.1f, %d, %.1f", promised, positions,
		float64(sum[0])/float64(promised), most[0], float64(begins[0])/float64(promised),
		float64(sum[1])/float64(positions), most[1], float64(begins[1])/float64(positions))
	t.Logf("within 100 with two rows at a time %d, with two words a clock %d, with two indices a clock %d", rows, words, indices)
}

// The latencies that the header of ply11_mask states.
func TestMaskLatency(t *testing.T) {
	m := NewMask()
	clocks := 0
	for ; !m.Out.SReady; clocks++ {
		m.Step()
	}
	if clocks != 32 {
		t.Errorf("ready %d clocks after rst", clocks)
	}
	m.In = MaskIn{SValid: true, SIndex: 1967, MReady: true}
	m.Step()
	m.In.SLast = true
	m.Step()
	m.In.SValid = false
	for clocks = 1; clocks < 50; clocks++ {
		if m.Out.MValid {
			if w := clocks - 3; int(m.Out.MWord) != w || (m.Out.MData != 0) != (w == 30) {
				t.Errorf("clock %d: word %d is %x", clocks, m.Out.MWord, m.Out.MData)
			}
		} else if clocks >= 3 && clocks <= 33 {
			t.Errorf("clock %d: nothing is offered", clocks)
		}
		m.Step()
	}
}
