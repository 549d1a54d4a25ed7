// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// An aig is an and-inverter graph with registers, as the format AIGER has it: literal 2n is node n, 2n+1 its
// complement, 0 false, 1 true. Registers begin at 0.
type aig struct {
	nodes   []aigNode // the constant, inputs, registers and ands, by number
	inputs  []aigPin
	latches []aigPin
	outputs []aigPin
	ands    map[[2]uint32]uint32 // what stands once is not made again
}

// An aigNode is an and of two literals; inputs, registers and the constant have none.
type aigNode struct{ a, b uint32 }

// An aigPin is an input, a register or an output: its literal, for a register its next value, and its name.
type aigPin struct {
	lit, next uint32
	name      string
}

var errAIG = errors.New("not an AIGER file")

// newAIG returns an empty graph.
func newAIG() *aig { return &aig{nodes: make([]aigNode, 1), ands: make(map[[2]uint32]uint32)} }

func (g *aig) pin() uint32 {
	g.nodes = append(g.nodes, aigNode{})
	return uint32(len(g.nodes)-1) * 2
}

func (g *aig) input(name string) uint32 {
	lit := g.pin()
	g.inputs = append(g.inputs, aigPin{lit: lit, name: name})
	return lit
}

// latch returns the literal of a new register; its next value is set in g.latches.
func (g *aig) latch(name string) uint32 {
	lit := g.pin()
	g.latches = append(g.latches, aigPin{lit: lit, name: name})
	return lit
}

func (g *aig) and(a, b uint32) uint32 {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == 0 || a == b^1:
		return 0
	case a == 1 || a == b:
		return b
	}
	lit, ok := g.ands[[2]uint32{a, b}]
	if !ok {
		g.nodes = append(g.nodes, aigNode{a, b})
		lit = uint32(len(g.nodes)-1) * 2
		g.ands[[2]uint32{a, b}] = lit
	}
	return lit
}

func (g *aig) or(a, b uint32) uint32 { return g.and(a^1, b^1) ^ 1 }

func (g *aig) xor(a, b uint32) uint32 { return g.or(g.and(a, b^1), g.and(a^1, b)) }

// readAIG reads the ASCII form with symbols. Ands must stand after what they need, and all registers begin
// at 0.
func readAIG(r io.Reader) (*aig, error) {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	line := func(n int) ([]uint32, error) {
		if !sc.Scan() {
			return nil, errors.Join(errAIG, sc.Err())
		}
		fields := strings.Fields(sc.Text())
		if len(fields) < n {
			return nil, errAIG
		}
		numbers := make([]uint32, n)
		for i := range numbers {
			v, err := strconv.ParseUint(fields[len(fields)-n+i], 10, 31)
			if err != nil {
				return nil, errors.Join(errAIG, err)
			}
			numbers[i] = uint32(v)
		}
		return numbers, nil
	}
	head, err := line(5) // after "aag"
	if err != nil {
		return nil, err
	}
	if slices.Max(head) > 1<<24 {
		return nil, errAIG
	}
	g := newAIG()
	// Literals of the file to those here.
	lits := make([]uint32, 2*(head[0]+1))
	lits[1] = 1
	set := func(file, lit uint32) bool {
		if int(file) >= len(lits) || file&1 != 0 || file == 0 {
			return false
		}
		lits[file], lits[file+1] = lit, lit^1
		return true
	}
	ok := true
	get := func(file uint32) uint32 {
		if int(file) >= len(lits) {
			ok = false
			return 0
		}
		return lits[file]
	}
	for range head[1] {
		n, err := line(1)
		if err != nil {
			return nil, err
		}
		ok = set(n[0], g.input("")) && ok
	}
	nexts := make([]uint32, head[2])
	for i := range nexts {
		n, err := line(2)
		if err != nil {
			return nil, err
		}
		ok = set(n[0], g.latch("")) && ok
		nexts[i] = n[1]
	}
	outs := make([]uint32, head[3])
	for i := range outs {
		n, err := line(1)
		if err != nil {
			return nil, err
		}
		outs[i] = n[0]
	}
	for range head[4] {
		n, err := line(3)
		if err != nil {
			return nil, err
		}
		ok = set(n[0], g.and(get(n[1]), get(n[2]))) && ok
	}
	for i, n := range nexts {
		g.latches[i].next = get(n)
	}
	for _, n := range outs {
		g.outputs = append(g.outputs, aigPin{lit: get(n)})
	}
	if !ok {
		return nil, errAIG
	}
	for sc.Scan() {
		text := sc.Text()
		if text == "" || text == "c" {
			break
		}
		where, name, _ := strings.Cut(text[1:], " ")
		n, err := strconv.Atoi(where)
		pins := map[byte][]aigPin{'i': g.inputs, 'l': g.latches, 'o': g.outputs}[text[0]]
		if err != nil || n < 0 || n >= len(pins) {
			return nil, errAIG
		}
		pins[n].name = name
	}
	return g, sc.Err()
}

// copyTo makes the ands of g in another graph, with these literals for its inputs and registers. It returns
// the literals there of the outputs and of the registers' next values.
func (g *aig) copyTo(to *aig, inputs, latches []uint32) (outputs, nexts []uint32) {
	at := make([]uint32, len(g.nodes))
	for i, p := range g.inputs {
		at[p.lit/2] = inputs[i]
	}
	for i, p := range g.latches {
		at[p.lit/2] = latches[i]
	}
	get := func(lit uint32) uint32 { return at[lit/2] ^ lit&1 }
	for i, n := range g.nodes {
		if n.b != 0 { // and never makes one with a constant
			at[i] = to.and(get(n.a), get(n.b))
		}
	}
	for _, p := range g.outputs {
		outputs = append(outputs, get(p.lit))
	}
	for _, p := range g.latches {
		nexts = append(nexts, get(p.next))
	}
	return outputs, nexts
}

// write returns the graph with one output, in the binary form.
func (g *aig) write(output uint32) []byte {
	// The form wants inputs first, then registers, then ands in order.
	number := make([]uint32, len(g.nodes))
	next := uint32(1)
	for _, pins := range [][]aigPin{g.inputs, g.latches} {
		for _, p := range pins {
			number[p.lit/2] = next
			next++
		}
	}
	ands := 0
	for i, n := range g.nodes {
		if n.b != 0 {
			number[i] = next
			next++
			ands++
		}
	}
	get := func(lit uint32) uint32 { return number[lit/2]*2 | lit&1 }
	var b bytes.Buffer
	fmt.Fprintf(&b, "aig %d %d %d 1 %d\n", next-1, len(g.inputs), len(g.latches), ands)
	for _, p := range g.latches {
		fmt.Fprintln(&b, get(p.next))
	}
	fmt.Fprintln(&b, get(output))
	for i, n := range g.nodes {
		if n.b != 0 {
			high, low := max(get(n.a), get(n.b)), min(get(n.a), get(n.b))
			b.Write(binary.AppendUvarint(nil, uint64(number[i]*2-high)))
			b.Write(binary.AppendUvarint(nil, uint64(high-low)))
		}
	}
	return b.Bytes()
}
