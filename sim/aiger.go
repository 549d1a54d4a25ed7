// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ply11/sim/internal/circuit"
)

// A FormatError says what is wrong with an AIGER file, and where.
type FormatError struct {
	Offset int // of the byte, from 0
	Reason string
}

// Error has the place and the reason.
func (e *FormatError) Error() string { return fmt.Sprintf("sim: byte %d: %s", e.Offset, e.Reason) }

// A Netlist is a synchronous circuit of and-gates and registers with one clock. Any number of Machines may run it at
// once.
type Netlist struct {
	circuit circuit.Circuit // arranged
	gates   int             // of the file
	signals []Signal
	byName  map[symbol]int // places in signals
}

// Size returns the numbers of and-gates and of flip-flops.
func (n *Netlist) Size() (gates, latches int) { return n.gates, len(n.circuit.Next) }

// Parse reads a netlist in the binary form of AIGER 1.9 (Biere, Heljanko, Wieringa, "AIGER 1.9 and Beyond", 2011), with
// a symbol for each input and output, as Yosys' write_aiger -symbols makes it. A bit of a vector has the symbol
// name[i]. A symbol may have several names, with spaces between them. Bad states and constraints, which Yosys makes of
// assertions, are skipped. The memory is a multiple of the data's size; data is not kept. An error is a *FormatError.
func Parse(data []byte) (n *Netlist, err error) {
	p := parser{data: data}
	defer func() {
		if fault := recover(); fault != nil {
			wrong, ok := fault.(*FormatError)
			if !ok {
				panic(fault)
			}
			n, err = nil, wrong
		}
	}()
	return p.netlist(), nil
}

// A parser reads the bytes from at on. It panics with a *FormatError, which Parse recovers.
type parser struct {
	data []byte
	at   int
}

func (p *parser) fail(at int, format string, args ...any) {
	panic(&FormatError{at, fmt.Sprintf(format, args...)})
}

func (p *parser) line(what string) string {
	end := bytes.IndexByte(p.data[p.at:], '\n')
	if end < 0 {
		p.fail(len(p.data), "the file ends where %s must be", what)
	}
	line := string(p.data[p.at : p.at+end])
	p.at += end + 1
	return line
}

// numbers reads a line of numbers, from least to most of them.
func (p *parser) numbers(line string, at int, what string, least, most int) []uint32 {
	fields := strings.Split(line, " ")
	if len(fields) < least || len(fields) > most {
		p.fail(at, "%s has %d numbers", what, len(fields))
	}
	list := make([]uint32, len(fields))
	for i, f := range fields {
		x, err := strconv.ParseUint(f, 10, 31)
		if err != nil {
			p.fail(at, "%s: %q is not a number from 0 to %d", what, short(f), 1<<31-1)
		}
		list[i] = uint32(x)
	}
	return list
}

func short(s string) string { return s[:min(len(s), 40)] }

// header reads the first line: the numbers of variables, inputs, latches, outputs, gates, bad states and constraints.
func (p *parser) header() (count [7]uint32) {
	if !bytes.HasPrefix(p.data, []byte("aig ")) {
		p.fail(0, "this is not AIGER's binary form: it does not begin with aig (aag is the form of write_aiger -ascii)")
	}
	const what = "the header aig M I L O A B C"
	line := p.line(what)
	copy(count[:], p.numbers(line[4:], 4, what, 5, 7))
	// Each input has a symbol of four bytes or more, each latch, output and property a line of two, each gate two
	// bytes. In the order of the header:
	least := [7]uint64{0, 4, 2, 2, 2, 2, 2}
	need := uint64(0)
	for i, n := range count {
		need += least[i] * uint64(n)
	}
	if rest := len(p.data) - p.at; need > uint64(rest) {
		p.fail(4, "the header promises %d bytes or more, and %d follow it", need, rest)
	}
	if m, sum := count[0], count[1]+count[2]+count[4]; m != sum {
		p.fail(4, "the header says %d variables, and inputs, latches and and-gates are %d", m, sum)
	}
	return count
}

func (p *parser) literal(x uint32, n *Netlist, at int, what string) uint32 {
	if variables := n.circuit.Variables(); int(x>>1) >= variables {
		p.fail(at, "%s is literal %d, and the last one is %d", what, x, 2*variables-1)
	}
	return x
}

func (p *parser) netlist() *Netlist {
	count := p.header()
	n := &Netlist{gates: int(count[4])}
	c := &n.circuit
	c.Inputs, c.Next, c.Initial, c.Gates = int(count[1]), make([]uint32, count[2]), make([]bool, count[2]),
		make([]circuit.Gate, count[4])
	for i := range c.Next {
		at, what := p.at, fmt.Sprintf("latch %d", i)
		list := p.numbers(p.line(what), at, what, 1, 2)
		c.Next[i] = p.literal(list[0], n, at, what)
		if len(list) == 2 {
			switch own := uint32(2 * (1 + c.Inputs + i)); list[1] {
			case 0, 1:
				c.Initial[i] = list[1] == 1
			case own:
				p.fail(at, "latch %d begins as x: give it an initial value, or run setundef -zero -init in Yosys", i)
			default:
				p.fail(at, "latch %d begins as %d: 0 and 1 are possible", i, list[1])
			}
		}
	}
	outputs := make([]uint32, count[3])
	for i := range outputs {
		at, what := p.at, fmt.Sprintf("output %d", i)
		outputs[i] = p.literal(p.numbers(p.line(what), at, what, 1, 1)[0], n, at, what)
	}
	for range count[5] + count[6] {
		p.line("a property")
	}
	for i := range c.Gates {
		own := uint32(2 * (1 + c.Inputs + len(c.Next) + i))
		at := p.at
		a := p.below(own, i)
		if a == own {
			p.fail(at, "and-gate %d reads itself: a combinational loop", i)
		}
		c.Gates[i] = circuit.Gate{A: a, B: p.below(a, i)}
	}
	p.symbols(n, outputs)
	moved := c.Arrange(outputs)
	for _, s := range n.signals {
		for i, x := range s.bits {
			if x != noBit {
				s.bits[i] = moved(x)
			}
		}
	}
	return n
}

// below reads a gate's literal, by its distance from another: 7 bits a byte, low ones first.
func (p *parser) below(literal uint32, gate int) uint32 {
	at, d := p.at, uint64(0)
	for shift := 0; ; shift += 7 {
		if p.at == len(p.data) {
			p.fail(p.at, "the file ends in and-gate %d", gate)
		}
		b := p.data[p.at]
		p.at++
		d |= uint64(b&127) << shift
		switch {
		case b < 128 && d > uint64(literal):
			p.fail(at, "and-gate %d reads a literal below 0", gate)
		case b < 128:
			return literal - uint32(d)
		}
		if shift == 28 {
			p.fail(p.at, "and-gate %d: a number of more than five bytes", gate)
		}
	}
}

// symbols reads the names, to the comment or the end, and makes signals of them.
func (p *parser) symbols(n *Netlist, outputs []uint32) {
	t := namer{parser: p, index: make(map[symbol]int)}
	named := [...][]bool{Input: make([]bool, n.circuit.Inputs), Output: make([]bool, len(outputs)),
		Register: make([]bool, len(n.circuit.Next))}
	for p.at < len(p.data) {
		at := p.at
		line := p.line("the end of a symbol")
		if line == "c" {
			break
		}
		if line == "" {
			p.fail(at, "an empty line where a symbol must be")
		}
		if strings.IndexByte("bcjf", line[0]) >= 0 {
			continue // of a property
		}
		kind := strings.IndexByte("iol", line[0])
		number, names, space := strings.Cut(line[1:], " ")
		i, err := strconv.Atoi(number)
		switch {
		case kind < 0 || !space || err != nil:
			p.fail(at, "%q is no symbol", short(line))
		case i < 0 || i >= len(named[kind]):
			p.fail(at, "a symbol of %v %d, and there are %d", Kind(kind), i, len(named[kind]))
		}
		named[kind][i] = true
		literal := uint32(2 * (1 + i)) // of an input
		switch Kind(kind) {
		case Output:
			literal = outputs[i]
		case Register:
			literal += uint32(2 * n.circuit.Inputs)
		}
		for _, full := range strings.Fields(names) {
			t.add(at, Kind(kind), full, literal)
		}
	}
	for kind, list := range named[:Register] {
		if i := slices.Index(list, false); i >= 0 {
			p.fail(len(p.data), "%v %d has no symbol: write_aiger needs -symbols", Kind(kind), i)
		}
	}
	n.signals, n.byName = t.finish()
}
