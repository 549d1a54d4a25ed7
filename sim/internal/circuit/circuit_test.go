// SPDX-License-Identifier: Apache-2.0

package circuit

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns a circuit in which half of the registers keep their values by enables, of which there are few, and
// some choose in another way.
func random(r *rand.Rand) (c Circuit, kept []uint32) {
	c.Inputs = 1 + r.IntN(6)
	registers := r.IntN(40)
	c.Next, c.Initial = make([]uint32, registers), make([]bool, registers)
	literal := func() uint32 { return r.Uint32N(uint32(2 * c.Variables())) }
	and := func(a, b uint32) uint32 {
		c.Gates = append(c.Gates, Gate{a, b})
		return uint32(2 * (c.Variables() - 1))
	}
	for range r.IntN(300) {
		and(literal(), literal())
	}
	enables := []uint32{literal(), literal(), 0, 1}
	for i := range c.Next {
		c.Initial[i] = r.IntN(2) == 1
		c.Next[i] = literal()
		if r.IntN(4) == 0 {
			continue
		}
		own := uint32(2*(1+c.Inputs+i)) ^ uint32(r.IntN(8)/7) // sometimes its complement, which is another thing
		list := [][2]uint32{{enables[r.IntN(len(enables))], literal()}}
		list = append(list, [2]uint32{list[0][0] ^ 1, own})
		var sides [2]uint32
		invert := uint32(r.IntN(2))
		for k, side := range list {
			side[1] ^= invert
			if r.IntN(2) == 0 {
				side[0], side[1] = side[1], side[0]
			}
			sides[k] = and(side[0], side[1]) ^ 1
		}
		if r.IntN(2) == 0 {
			slices.Reverse(sides[:])
		}
		c.Next[i] = and(sides[0], sides[1]) ^ 1 ^ invert
	}
	for range r.IntN(4) {
		kept = append(kept, literal())
	}
	return c, kept
}

// The values of a circuit after Arrange are those that its gates have one after the other, in one word and in four,
// with assembly and without.
func TestRun(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 64))
	holds, less := 0, 0
	for trial := range 2000 {
		c, kept := random(r)
		arranged := c
		moved := arranged.Arrange(kept)
		holds += len(arranged.holds)
		less += len(c.Gates) - len(arranged.Gates)
		one, four, plain := NewRun(&arranged, 1), NewRun(&arranged, 4), NewRun(&arranged, 4)
		v := make([]uint64, 4*c.Variables())
		value := func(x uint32, w int) uint64 { return v[4*(x>>1)+uint32(w)] ^ -uint64(x&1) }
		first := uint32(c.firstGate())
		for i := range c.Next {
			for w := range 4 {
				v[4*(1+c.Inputs+i)+w] = r.Uint64()
			}
		}
		// put copies inputs and registers, at first, or inputs alone.
		put := func(to uint32) {
			for x := uint32(1); x < to; x++ {
				at := moved(2*x) >> 1
				copy(four.V[4*at:4*at+4], v[4*x:])
				copy(plain.V[4*at:4*at+4], v[4*x:])
				one.V[at] = v[4*x+2]
			}
		}
		put(first)
		check := func(what string, x uint32) {
			at := moved(x)
			invert := -uint64(at & 1)
			for w := range 4 {
				place := 4*(at>>1) + uint32(w)
				if got := four.V[place] ^ invert; got != value(x, w) {
					t.Fatalf("trial %d: %s %d is %x in word %d, want %x", trial, what, x, got, w, value(x, w))
				}
				if plain.V[place] != four.V[place] {
					t.Fatalf("trial %d: %s %d is %x without assembly, %x with", trial, what, x, plain.V[place],
						four.V[place])
				}
			}
			if got := one.V[at>>1] ^ invert; got != value(x, 2) {
				t.Fatalf("trial %d: %s %d is %x in one word, want %x", trial, what, x, got, value(x, 2))
			}
		}
		for range 6 {
			// An enable that is 0 in all streams is what is passed over.
			for i := range 4 * c.Inputs {
				v[4+i] = r.Uint64() & -uint64(r.IntN(2))
			}
			put(uint32(1 + c.Inputs))
			for i, g := range c.Gates {
				for w := range 4 {
					v[4*(first+uint32(i))+uint32(w)] = value(g.A, w) & value(g.B, w)
				}
			}
			one.Eval()
			four.Eval()
			andGo(4, plain.V, plain.V[4*int(first):], plain.gates)
			for _, x := range kept {
				check("kept", x)
			}
			next := make([]uint64, 4*len(c.Next))
			for i, x := range c.Next {
				for w := range 4 {
					next[4*i+w] = value(x, w)
				}
			}
			copy(v[4*(1+c.Inputs):], next)
			one.Step()
			four.Step()
			from := 0
			for _, h := range arranged.holds {
				var enable [4]uint64
				for w := range 4 {
					enable[w] = plain.V[4*(h.enable>>1)+uint32(w)] ^ -uint64(h.enable&1)
				}
				takeGo(4, plain.V, plain.V[4*(1+c.Inputs+from):], plain.next[4*from:], &enable,
					plain.sources[from:h.end])
				from = h.end
			}
			copy(plain.V[4*(1+c.Inputs):], plain.next)
			for i := range c.Next {
				check("register", uint32(2*(1+c.Inputs+i)))
			}
		}
	}
	if holds < 2000 || less < 10000 {
		t.Errorf("only %d enables are found, and %d gates are left out", holds, less)
	}
}
