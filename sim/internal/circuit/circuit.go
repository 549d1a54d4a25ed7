// SPDX-License-Identifier: Apache-2.0

// Package circuit evaluates and-gates and registers without names, for 64 or 256 streams at once. Package sim has the names.
package circuit

import (
	"cmp"
	"slices"
)

//go:generate go run ./asm -out words_amd64.s -stubs words_stub_amd64.go -pkg circuit

// A Gate is an and of two literals. A literal is twice a variable, or one more for its complement. Variable 0 is constant 0; then come
// inputs, registers, and gates, each after what it reads.
type Gate struct{ A, B uint32 }

// A Circuit has one clock. Of Arrange it has an order that is good for a Run, and a gate of two complements has the value of its own
// complement: an or, so that nothing is inverted.
type Circuit struct {
	Inputs  int
	Next    []uint32 // of each register the literal that it takes at the edge; after Arrange, where its hold is 1
	Initial []bool   // of each register
	Gates   []Gate

	holds []hold
	kept  []bool // of each gate: its value is wanted after Eval
}

// A hold is the registers from the end of the one before to end. In streams in which enable is 0, they keep their values.
type hold struct {
	enable uint32
	end    int
}

// always is the enable of registers that take a value in each clock: the literal of constant 1.
const always = 1

// Variables returns how many there are, with the constant.
func (c *Circuit) Variables() int { return c.firstGate() + len(c.Gates) }

func (c *Circuit) firstGate() int { return 1 + c.Inputs + len(c.Next) }

// minHold is how many registers an enable must have: to look at it costs as much as two of them.
const minHold = 4

// Arrange brings registers into another order, and leaves out gates that neither a register nor one of the literals
// kept needs. It returns what becomes of a literal of an input, a register, or a gate that is there.
//
// A register with Next = enable ? x : itself loses these three gates: the registers of one enable stand together, and Step passes over
// them while it is 0 in all streams. That is most of memories, which are registers here.
func (c *Circuit) Arrange(kept []uint32) (moved func(literal uint32) uint32) {
	enables := make([]uint32, len(c.Next))
	sources := slices.Clone(c.Next)
	count := make(map[uint32]int)
	for i, x := range c.Next {
		enables[i], sources[i] = c.enable(x, uint32(2*(1+c.Inputs+i)))
		count[enables[i]]++
	}
	registers := make([]int, len(c.Next))
	for i, x := range c.Next {
		if registers[i] = i; count[enables[i]] < minHold {
			enables[i], sources[i] = always, x
		}
	}
	slices.SortStableFunc(registers, func(i, j int) int { return cmp.Compare(enables[i], enables[j]) })

	first := c.firstGate()
	wanted := make([]bool, c.Variables())
	for _, list := range [][]uint32{kept, enables, sources} {
		for _, x := range list {
			wanted[x>>1] = true
		}
	}
	live := slices.Clone(wanted)
	for i := len(c.Gates) - 1; i >= 0; i-- {
		if g := c.Gates[i]; live[first+i] {
			live[g.A>>1], live[g.B>>1] = true, true
		}
	}
	at := make([]uint32, c.Variables())
	for v := range first {
		at[v] = uint32(2 * v)
	}
	for k, i := range registers {
		at[1+c.Inputs+i] = uint32(2 * (1 + c.Inputs + k))
	}
	moved = func(x uint32) uint32 { return at[x>>1] ^ x&1 } // at has literals
	old := *c
	c.Next, c.Initial, c.Gates, c.holds = make([]uint32, len(registers)), make([]bool, len(registers)), nil, nil
	for i, g := range old.Gates {
		if live[first+i] {
			g = Gate{moved(g.A), moved(g.B)}
			at[first+i] = uint32(2*c.Variables()) | g.A&g.B&1
			c.Gates, c.kept = append(c.Gates, g), append(c.kept, wanted[first+i])
		}
	}
	for k, i := range registers {
		c.Next[k], c.Initial[k] = moved(sources[i]), old.Initial[i]
		enable := moved(enables[i])
		if n := len(c.holds); n == 0 || c.holds[n-1].enable != enable {
			c.holds = append(c.holds, hold{enable: enable})
		}
		c.holds[len(c.holds)-1].end = k + 1
	}
	return moved
}

// enable finds a literal and a source such that next is enable ? source : own. Always is such an enable.
func (c *Circuit) enable(next, own uint32) (enable, source uint32) {
	first := uint32(2 * c.firstGate())
	if next < first {
		return 1, next
	}
	// A choice between two values is the complement of an and of two complements, of a value and a condition and another and the opposite.
	gate := func(x uint32) Gate { return c.Gates[(x-first)>>1] }
	if g := gate(next); g.A >= first && g.B >= first && g.A&g.B&1 == 1 {
		p, q := gate(g.A), gate(g.B)
		invert := next&1 ^ 1
		for _, x := range [...]Gate{p, {p.B, p.A}} {
			for _, y := range [...]Gate{q, {q.B, q.A}} {
				switch {
				case x.A != y.A^1:
				case y.B^invert == own:
					return x.A, x.B ^ invert
				case x.B^invert == own:
					return y.A, y.B ^ invert
				}
			}
		}
	}
	return 1, next
}
