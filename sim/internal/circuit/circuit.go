// SPDX-License-Identifier: Apache-2.0

// Package circuit evaluates and-gates and registers without names, for 64 or 256 streams at once. Package sim has the
// names.
package circuit

import (
	"cmp"
	"slices"
)

//go:generate go run ./asm -out words_amd64.s -stubs words_stub_amd64.go -pkg circuit

// A Gate is an and of two literals. A literal is twice a variable, or one more for its complement. Variable 0 is
// constant 0; then come inputs, registers, and gates, each after what it reads.
type Gate struct{ A, B uint32 }

// A Circuit has one clock.
type Circuit struct {
	Inputs  int
	Next    []uint32 // of each register the literal that it takes at the edge; after Arrange, where its hold is 1
	Initial []bool   // of each register
	Gates   []Gate

	holds []hold
}

// A hold is the registers from the end of the one before to end. In streams in which enable is 0, they keep their
// values.
type hold struct {
	enable uint32
	end    int
}

// Variables returns how many there are, with the constant.
func (c *Circuit) Variables() int { return c.firstGate() + len(c.Gates) }

func (c *Circuit) firstGate() int { return 1 + c.Inputs + len(c.Next) }

// Reads reports whether a register or a gate reads a variable.
func (c *Circuit) Reads(variable uint32) bool {
	return slices.ContainsFunc(c.Next, func(x uint32) bool { return x>>1 == variable }) ||
		slices.ContainsFunc(c.Gates, func(g Gate) bool { return g.A>>1 == variable || g.B>>1 == variable }) ||
		slices.ContainsFunc(c.holds, func(h hold) bool { return h.enable>>1 == variable })
}

// minHold is how many registers an enable must have to be worth looking at.
const minHold = 4

// block is how many gates, neighbours in the file, are sorted by depth. A gate right behind the one that it reads waits
// for it, and one far behind it finds its value out of the cache.
const block = 64

// Arrange brings registers and gates into another order, and leaves out gates that neither a register nor one of the
// literals kept needs. It returns what becomes of a literal of an input, a register, or a gate that is there.
//
// A register with Next = enable ? x : itself loses these three gates: the registers of one enable stand together, and
// Step passes over them while it is 0 in all streams. That is most of memories, which are registers here.
func (c *Circuit) Arrange(kept []uint32) (moved func(literal uint32) uint32) {
	const always = 1 // the literal of constant 1
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
	live, depth := make([]bool, c.Variables()), make([]int, c.Variables())
	for _, list := range [][]uint32{kept, enables, sources} {
		for _, x := range list {
			live[x>>1] = true
		}
	}
	for i := len(c.Gates) - 1; i >= 0; i-- {
		if g := c.Gates[i]; live[first+i] {
			live[g.A>>1], live[g.B>>1] = true, true
		}
	}
	var gates []int
	for i, g := range c.Gates {
		if live[first+i] {
			// No block is deeper than it has gates.
			depth[first+i] = max(depth[g.A>>1], depth[g.B>>1], len(gates)/block*(block+1)) + 1
			gates = append(gates, i)
		}
	}
	slices.SortStableFunc(gates, func(i, j int) int { return cmp.Compare(depth[first+i], depth[first+j]) })

	at := make([]uint32, c.Variables())
	for v := range first {
		at[v] = uint32(v)
	}
	for k, i := range registers {
		at[1+c.Inputs+i] = uint32(1 + c.Inputs + k)
	}
	for k, i := range gates {
		at[first+i] = uint32(first + k)
	}
	moved = func(x uint32) uint32 { return at[x>>1]<<1 | x&1 }
	old := *c
	c.Next, c.Initial, c.Gates, c.holds = make([]uint32, len(registers)), make([]bool, len(registers)),
		make([]Gate, len(gates)), nil
	for k, i := range registers {
		c.Next[k], c.Initial[k] = moved(sources[i]), old.Initial[i]
		enable := moved(enables[i])
		if n := len(c.holds); n == 0 || c.holds[n-1].enable != enable {
			c.holds = append(c.holds, hold{enable: enable})
		}
		c.holds[len(c.holds)-1].end = k + 1
	}
	for k, i := range gates {
		c.Gates[k] = Gate{moved(old.Gates[i].A), moved(old.Gates[i].B)}
	}
	return moved
}

// enable finds a literal and a source such that next is enable ? source : own. Always is such an enable.
func (c *Circuit) enable(next, own uint32) (enable, source uint32) {
	first := uint32(2 * c.firstGate())
	if next < first {
		return 1, next
	}
	// A choice between two values is the complement of an and of two complements, of a value and a condition and
	// another and the opposite.
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

// A Run is the state of a circuit in 64 streams a word.
type Run struct {
	// V has words for each variable: bit i of word w is its value in stream 64w+i.
	V []uint64

	circuit *Circuit
	words   int
	gates   []op
	sources []source
	next    []uint64
	enable  [4]uint64 // of the hold that Step looks at
	changed []bool    // of holds
}

// An op is a gate with the places of its literals in V, in bytes, and -1 where one is inverted.
type op struct {
	a, b             uint32
	invertA, invertB int32
}

// A source is what a register takes.
type source struct {
	at     uint32
	invert int32
}

// NewRun returns a run with all values 0. The words are 1 or 4.
func NewRun(c *Circuit, words int) *Run {
	r := &Run{
		V: make([]uint64, words*c.Variables()), circuit: c, words: words,
		gates: make([]op, len(c.Gates)), sources: make([]source, len(c.Next)), next: make([]uint64, words*len(c.Next)),
		changed: make([]bool, len(c.holds)),
	}
	place := func(x uint32) (uint32, int32) { return x >> 1 * uint32(8*words), -int32(x & 1) }
	for i, g := range c.Gates {
		o := &r.gates[i]
		o.a, o.invertA = place(g.A)
		o.b, o.invertB = place(g.B)
	}
	for i, x := range c.Next {
		r.sources[i].at, r.sources[i].invert = place(x)
	}
	return r
}

// Eval brings all gates up to date with inputs and registers.
func (r *Run) Eval() {
	and(r.words, r.V, r.V[len(r.V)-len(r.gates)*r.words:], r.gates)
}

// Step gives each register its next value, of the last Eval.
func (r *Run) Step() {
	registers := r.V[(1+r.circuit.Inputs)*r.words:]
	from := 0
	for i, h := range r.circuit.holds {
		enable := &r.enable
		for w, x := range r.V[int(h.enable>>1)*r.words:][:r.words] {
			enable[w] = x ^ -uint64(h.enable&1)
		}
		if r.changed[i] = *enable != [4]uint64{}; r.changed[i] {
			take(r.words, r.V, registers[from*r.words:], r.next[from*r.words:], enable, r.sources[from:h.end])
		}
		from = h.end
	}
	// What one takes may be the value of another: no register changes before all have been looked at.
	from = 0
	for i, h := range r.circuit.holds {
		if r.changed[i] {
			copy(registers[from*r.words:h.end*r.words], r.next[from*r.words:])
		}
		from = h.end
	}
}

// andGo does a list of gates, whose values go to out.
func andGo(words int, v, out []uint64, gates []op) {
	if words == 1 {
		for i, g := range gates {
			out[i] = (v[g.a/8] ^ uint64(g.invertA)) & (v[g.b/8] ^ uint64(g.invertB))
		}
		return
	}
	for _, g := range gates {
		a, b := (*[4]uint64)(v[g.a/8:]), (*[4]uint64)(v[g.b/8:])
		x, y := uint64(g.invertA), uint64(g.invertB)
		o := (*[4]uint64)(out)
		out = out[4:]
		o[0] = (a[0] ^ x) & (b[0] ^ y)
		o[1] = (a[1] ^ x) & (b[1] ^ y)
		o[2] = (a[2] ^ x) & (b[2] ^ y)
		o[3] = (a[3] ^ x) & (b[3] ^ y)
	}
}

// takeGo gives next what registers become: where enable is 1, their sources.
func takeGo(words int, v, registers, next []uint64, enable *[4]uint64, sources []source) {
	for i, s := range sources {
		for w := range words {
			old := registers[i*words+w]
			next[i*words+w] = old ^ (v[int(s.at)/8+w]^uint64(s.invert)^old)&enable[w]
		}
	}
}
