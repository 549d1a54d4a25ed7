// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Kind says what a signal is.
type Kind uint8

// The kinds of signals.
const (
	Input Kind = iota
	Output
	Register
)

// String names the kind.
func (k Kind) String() string { return [...]string{"input", "output", "register"}[k] }

// noBit stands for a bit of a register that synthesis found constant or equal to another. It reads as 0.
const noBit = ^uint32(0)

// A Signal is a port or a register: its bits, the lowest first. The zero value has no bits.
type Signal struct {
	Name string
	Kind Kind
	bits []uint32 // literals
}

// Width returns the number of bits.
func (s Signal) Width() int { return len(s.bits) }

// Slice returns the bits from to to-1 as a Signal. It panics if there are none such.
func (s Signal) Slice(from, to int) Signal {
	return Signal{fmt.Sprintf("%s[%d:%d]", s.Name, to-1, from), s.Kind, s.bits[from:to:to]}
}

// Concat returns a signal with the bits of several, for reading them at once. The first has the lowest bits.
func Concat(signals ...Signal) Signal {
	var all Signal
	for _, s := range signals {
		all.bits = append(all.bits, s.bits...)
	}
	return all
}

// Zeros returns bits that are 0, to fill up a Concat.
func Zeros(bits int) Signal { return Signal{bits: slices.Repeat([]uint32{noBit}, bits)} }

// ErrSignal is wrapped by errors about signals that a netlist does not have.
var ErrSignal = errors.New("no such signal")

// Signal returns a port or a register by its name. A register inside another module has a name with dots, as
// u_board.side_q. If a port and a register share a name, it is the port.
func (n *Netlist) Signal(name string) (Signal, error) {
	for k := Input; k <= Register; k++ {
		if i, ok := n.byName[symbol{k, name}]; ok {
			return n.signals[i], nil
		}
	}
	return Signal{}, fmt.Errorf("sim: %w: %s", ErrSignal, name)
}

// Port returns an input or an output of a width.
func (n *Netlist) Port(k Kind, name string, width int) (Signal, error) {
	i, ok := n.byName[symbol{k, name}]
	if !ok {
		return Signal{}, fmt.Errorf("sim: %w: %v %s", ErrSignal, k, name)
	}
	s := n.signals[i]
	if s.Width() != width {
		return Signal{}, fmt.Errorf("sim: %v %s has %d bits, and must have %d", k, name, s.Width(), width)
	}
	return s, nil
}

// Ports looks up ports of a netlist, and keeps the first error.
type Ports struct {
	Netlist *Netlist
	Err     error
}

// In returns an input of a width.
func (p *Ports) In(name string, width int) Signal { return p.port(Input, name, width) }

// Out returns an output of a width.
func (p *Ports) Out(name string, width int) Signal { return p.port(Output, name, width) }

func (p *Ports) port(k Kind, name string, width int) Signal {
	s, err := p.Netlist.Port(k, name, width)
	p.Err = cmp.Or(p.Err, err)
	return s
}

// Signals returns all ports and registers: inputs, outputs, registers, each sorted by name.
func (n *Netlist) Signals() []Signal { return slices.Clone(n.signals) }

// A symbol is a signal's kind and name: a port and a register may share a name.
type symbol struct {
	kind Kind
	name string
}

// A namer makes signals of the symbols of bits.
type namer struct {
	*parser
	signals []Signal
	bits    []map[int]uint32 // of each signal, the literals by their numbers
	index   map[symbol]int
}

func (t *namer) add(at int, k Kind, full string, literal uint32) {
	base, bit := full, 0
	if open := strings.LastIndexByte(full, '['); open > 0 && strings.HasSuffix(full, "]") {
		if i, err := strconv.ParseUint(full[open+1:len(full)-1], 10, 31); err == nil {
			base, bit = full[:open], int(i)
		}
	}
	// A vector is no longer than the file, whatever the number of its bit.
	if bit > len(t.data) {
		t.fail(at, "bit %d of %s, and the file is shorter than that", bit, short(base))
	}
	i, ok := t.index[symbol{k, base}]
	if !ok {
		i = len(t.signals)
		t.index[symbol{k, base}] = i
		t.signals = append(t.signals, Signal{Name: base, Kind: k})
		t.bits = append(t.bits, make(map[int]uint32))
	}
	if _, twice := t.bits[i][bit]; twice {
		t.fail(at, "two symbols say %s", short(full))
	}
	t.bits[i][bit] = literal
}

func (t *namer) finish() ([]Signal, map[symbol]int) {
	total := 0
	for i := range t.signals {
		s, width := &t.signals[i], 0
		for bit := range t.bits[i] {
			width = max(width, bit+1)
		}
		// All vectors together are no longer than the file.
		if total += width; total > len(t.data) {
			t.fail(len(t.data), "%v %s has bits up to %d, and most are not there", s.Kind, short(s.Name), width-1)
		}
		s.bits = slices.Repeat([]uint32{noBit}, width)
		for bit, literal := range t.bits[i] {
			s.bits[bit] = literal
		}
		if i := slices.Index(s.bits, noBit); s.Kind != Register && i >= 0 {
			t.fail(len(t.data), "%v %s has %d bits, and bit %d has no symbol", s.Kind, short(s.Name), width, i)
		}
	}
	slices.SortFunc(t.signals, func(a, b Signal) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	for i, s := range t.signals {
		t.index[symbol{s.Kind, s.Name}] = i
	}
	return t.signals, t.index
}
