// SPDX-License-Identifier: Apache-2.0

package circuit

import (
	"container/heap"
	"slices"
)

// A Run is the state of a circuit in 64 times so many streams as it has words.
//
// An input or a register is cold until it changes for the first time, and a gate if all that it reads is. Cold gates are evaluated after
// a clock in which something cold changed, and in no other. Most are of memories that nobody writes.
type Run struct {
	// V has words for each variable: bit i of word w is its value in stream 64w+i. Inputs may be written between Step and Eval.
	V []uint64

	circuit   *Circuit
	words     int
	warm      []bool // the variables that are not cold
	warmed    bool   // since divide
	dirty     bool   // something cold has changed
	evaluated bool   // cold gates, since the last Step
	hot, cold []ops
	groups    []group
	inputs    []int    // cold ones
	old       []uint64 // values of inputs
	clock     int
	next      int // the clock of the next divide
}

// An op is a gate with places in V, in bytes. In ops, the first one is an and, the second one an and with the complement of a, the third one
// an or. Since there are as many of each kind, few are left over; those that do nothing have their own place in V.
type (
	op  struct{ a, b, out uint32 }
	ops [3]op
)

// A group is registers that take their sources where enable is 1.
type group struct {
	enable     uint32
	now        [4]uint64 // its value
	coldEnable bool
	cold       bool     // all registers are
	still      bool     // and so are their sources, and the enable
	saves      []source // of sources that are registers, before a register changes
	takes      []source
}

// A source is the place in V of what another place takes, and what is to be inverted.
type source struct {
	at, own uint32
	invert  int32
}

// NewRun returns a run with all values 0. The words are 1 or 4.
func NewRun(c *Circuit, words int) *Run {
	r := &Run{
		// Behind the variables are as many places: first what registers saves, then gates that nobody wants after Eval.
		V: make([]uint64, words*(c.Variables()+len(c.Next)+len(c.Gates)+1)), circuit: c, words: words,
		warm: make([]bool, c.Variables()), old: make([]uint64, words*(1+c.Inputs)), next: 256,
	}
	r.divide()
	return r
}

// Touch tells that registers were written.
func (r *Run) Touch() { r.dirty, r.evaluated = true, true }

// place returns where a variable is.
func (r *Run) place(v int) uint32 { return uint32(8 * r.words * v) }

// divide makes the lists of what is done in a clock.
func (r *Run) divide() {
	const most = 16384
	r.next, r.warmed, r.dirty = r.clock+min(max(r.clock, 256), most), false, true
	c, first := r.circuit, r.circuit.firstGate()
	var hot, cold []int
	wanted := slices.Clone(c.kept)
	for i, g := range c.Gates {
		if r.warm[first+i] = r.warm[g.A>>1] || r.warm[g.B>>1]; r.warm[first+i] {
			hot = append(hot, i)
		} else {
			wanted[i] = true
			cold = append(cold, i)
		}
	}
	r.hot, r.cold = r.schedule(hot, wanted), r.schedule(cold, wanted)
	r.inputs = r.inputs[:0]
	for v := 1; v <= c.Inputs; v++ {
		if !r.warm[v] {
			r.inputs = append(r.inputs, v)
		}
	}
	r.groups = r.groups[:0]
	from := 0
	for _, h := range c.holds {
		var parts [3]group
		for i := from; i < h.end; i++ {
			own, x, g := 1+c.Inputs+i, c.Next[i], &parts[0]
			if !r.warm[own] {
				if g = &parts[1]; !r.warm[x>>1] && !r.warm[h.enable>>1] {
					g = &parts[2]
				}
			}
			s := source{r.place(int(x >> 1)), r.place(own), -int32(x & 1)}
			if v := int(x >> 1); v > c.Inputs && v < first {
				saved := r.place(c.Variables() + i)
				g.saves = append(g.saves, source{at: s.at, own: saved})
				s.at = saved
			}
			g.takes = append(g.takes, s)
		}
		for k, g := range parts {
			if g.takes != nil {
				g.enable, g.coldEnable, g.cold, g.still = h.enable, !r.warm[h.enable>>1], k > 0, k == 2
				r.groups = append(r.groups, g)
			}
		}
		from = h.end
	}
}

// schedule returns gates in an order in which few wait for each other: those that are ready, the first ones in the file before others, since
// these read what was written not long ago and is in the cache. A gate that is not wanted after Eval takes the place of another one
// of which all readers were there.
func (r *Run) schedule(gates []int, wanted []bool) (list []ops) {
	const delay = 4 // what is written is ready for ops so many behind
	c, first := r.circuit, r.circuit.firstGate()
	at := make([]uint32, c.Variables()) // the places
	for v := range first {
		at[v] = r.place(v)
	}
	waits, readers := make([]uint8, len(c.Gates)), make([][]int, len(c.Gates))
	uses := make([]int, len(c.Gates))
	for i := range c.Gates {
		at[first+i] = r.place(first + i)
		uses[i] = -1 // it is not among the gates
	}
	var ready [3]queue
	for _, i := range gates {
		uses[i] = 0
		for _, k := range r.reads(i) {
			if k >= 0 && uses[k] >= 0 {
				waits[i]++
				uses[k]++
				readers[k] = append(readers[k], i)
			}
		}
		if kind := c.Gates[i].kind(); waits[i] == 0 {
			ready[kind] = append(ready[kind], i) // ascending is in order for a heap
		}
	}
	idle := r.place(c.Variables() + len(c.Next))
	next := idle
	var free []uint32
	var later [delay][]int
	for left := len(gates); left > 0; {
		three, done := ops{{idle, idle, idle}, {idle, idle, idle}, {idle, idle, idle}}, []int(nil)
		for kind := range three {
			if len(ready[kind]) == 0 {
				continue
			}
			i := heap.Pop(&ready[kind]).(int)
			done = append(done, i)
			if !wanted[i] && len(free) > 0 {
				at[first+i], free = free[len(free)-1], free[:len(free)-1]
			} else if !wanted[i] {
				next += r.place(1)
				at[first+i] = next
			}
			a, b := c.Gates[i].A, c.Gates[i].B
			if b&1 > a&1 {
				a, b = b, a
			}
			three[kind] = op{at[a>>1], at[b>>1], at[first+i]}
		}
		for _, i := range later[0] {
			heap.Push(&ready[c.Gates[i].kind()], i)
		}
		copy(later[:], later[1:])
		later[delay-1] = nil
		if len(done) == 0 {
			continue
		}
		list = append(list, three)
		left -= len(done)
		for _, i := range done {
			for _, k := range r.reads(i) {
				if k < 0 || uses[k] < 0 {
					continue
				}
				if uses[k]--; uses[k] == 0 && !wanted[k] {
					free = append(free, at[first+k])
				}
			}
			for _, k := range readers[i] {
				if waits[k]--; waits[k] == 0 {
					later[delay-1] = append(later[delay-1], k)
				}
			}
		}
	}
	return list
}

// kind is the place of a gate in ops.
func (g Gate) kind() int { return int(g.A&1 + g.B&1) }

// reads returns the two gates that a gate reads; what is below 0 is none.
func (r *Run) reads(i int) [2]int {
	g, first := r.circuit.Gates[i], r.circuit.firstGate()
	return [2]int{int(g.A>>1) - first, int(g.B>>1) - first}
}

// A queue is a heap of gates, the first in the file on top.
type queue []int

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i] < q[j] }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push appends.
func (q *queue) Push(x any) { *q = append(*q, x.(int)) }

// Pop takes the last one off.
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// Eval brings all gates up to date with inputs and registers.
func (r *Run) Eval() {
	for _, v := range r.inputs {
		if at := v * r.words; !slices.Equal(r.V[at:at+r.words], r.old[at:at+r.words]) {
			copy(r.old[at:at+r.words], r.V[at:])
			r.dirty, r.warm[v], r.warmed = true, true, true
		}
	}
	if r.dirty {
		and(r.words, r.V, r.cold)
		r.dirty, r.evaluated = false, true
	}
	and(r.words, r.V, r.hot)
}

// Step gives each register its next value, of the last Eval.
func (r *Run) Step() {
	all := [4]uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	for i := range r.groups {
		g := &r.groups[i]
		if r.evaluated || !g.coldEnable {
			for w, x := range r.V[int(g.enable>>1)*r.words:][:r.words] {
				g.now[w] = x ^ -uint64(g.enable&1)
			}
		}
		if g.saves != nil && r.takes(g) {
			take(r.words, r.V, g.saves, &all)
		}
	}
	for i := range r.groups {
		g := &r.groups[i]
		if !r.takes(g) || g.cold && !changes(r.words, r.V, g.takes, &g.now) {
			continue
		}
		if g.cold {
			r.warmUp(g)
		}
		take(r.words, r.V, g.takes, &g.now)
	}
	r.evaluated = false
	if r.clock++; r.clock >= r.next && r.warmed {
		r.divide()
	}
}

// takes reports whether registers of a group may change in this clock.
func (r *Run) takes(g *group) bool { return (r.evaluated || !g.still) && g.now != [4]uint64{} }

// warmUp makes cold registers that change warm from the next divide on.
func (r *Run) warmUp(g *group) {
	for i := range g.takes {
		if s := g.takes[i : i+1]; changes(r.words, r.V, s, &g.now) {
			r.dirty, r.warmed, r.warm[int(s[0].own)/(8*r.words)] = true, true, true
		}
	}
}

// andGo does gates.
func andGo(words int, v []uint64, list []ops) {
	for i := range list {
		for w := range words {
			for k, o := range list[i] {
				a, b, out := v[int(o.a)/8+w], v[int(o.b)/8+w], &v[int(o.out)/8+w]
				switch k {
				case 0:
					*out = a & b
				case 1:
					*out = b &^ a
				case 2:
					*out = a | b
				}
			}
		}
	}
}

// takeGo gives places what they become: where enable is 1, their sources.
func takeGo(words int, v []uint64, sources []source, enable *[4]uint64) {
	for _, s := range sources {
		for w := range words {
			own := &v[int(s.own)/8+w]
			*own ^= (v[int(s.at)/8+w] ^ uint64(s.invert) ^ *own) & enable[w]
		}
	}
}

// changesGo tells whether takeGo would change anything.
func changesGo(words int, v []uint64, sources []source, enable *[4]uint64) bool {
	for _, s := range sources {
		for w := range words {
			if (v[int(s.at)/8+w]^uint64(s.invert)^v[int(s.own)/8+w])&enable[w] != 0 {
				return true
			}
		}
	}
	return false
}
