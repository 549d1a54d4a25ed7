// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"encoding/binary"
	"fmt"

	"ply11/sim/oracle"
)

// A Module is a model of a Verilog module.
type Module interface {
	// Verilog tells which module with which parameters this is.
	Verilog() Verilog
	// Ports returns the ports but clk, inputs and outputs, in the order of the Verilog. They stay bound to
	// the model.
	Ports() []Port
	// Reset puts the model into the state after a long rst.
	Reset()
	// Eval brings the outputs that depend on the inputs of this clock up to date.
	Eval()
	// Step is the rising edge of the clock. Outputs that are registers are up to date after it.
	Step()
}

// Verilog names a module, its parameters, and its files below hdl.
type Verilog struct {
	Module        string
	Params        []string // NAME=value
	Files         []string
	Combinational bool   // it has no clk
	Clock         string // what clk is called; "" is clk
}

// A Port is a port of a model.
type Port struct {
	Name   string
	Width  int // bits
	Output bool

	value any   // pointer to bool, uint8, uint16, uint32, uint64 or [4]uint64, or func(int) uint64
	when  *bool // where not nil, the value means something while this is true
}

func input(name string, width int, value any) Port {
	return Port{Name: name, Width: width, value: value}
}

func output(name string, width int, value any) Port {
	return Port{Name: name, Width: width, Output: true, value: value}
}

// NewPort returns a port without a value, which only tells what it is. when, if not nil, is the same for all ports that have a
// meaning at the same time.
func NewPort(name string, width int, output bool, when *bool) Port {
	return Port{Name: name, Width: width, Output: output, when: when}
}

// positionPorts are the ports of a position, inputs or outputs as port makes them.
func positionPorts(s *oracle.State, port func(name string, width int, value any) Port, prefix string) []Port {
	return []Port{
		port(prefix+"board", 256, &s.Men),
		port(prefix+"side", 1, &s.Side),
		port(prefix+"rights", 4, &s.Rights),
		port(prefix+"ep", 4, &s.EP),
		port(prefix+"ply", 16, &s.Ply),
	}
}

// given says that a port has a meaning only while valid is true.
func given(valid *bool, ports ...Port) []Port {
	for i := range ports {
		ports[i].when = valid
	}
	return ports
}

// Defined reports whether the port's value means something in this clock. Data of a handshake whose valid
// is 0 does not, and is not compared.
func (p *Port) Defined() bool { return p.when == nil || *p.when }

// Valid returns the flag of which Defined tells, which stays bound to the model, or nil if the value always
// means something.
func (p *Port) Valid() *bool { return p.when }

// Set sets an input of one bit.
func (p *Port) Set(v bool) { *p.value.(*bool) = v }

// Bytes returns how many bytes Put writes: 1, 2, 4 or a multiple of 4.
func (p *Port) Bytes() int {
	switch {
	case p.Width <= 8:
		return 1
	case p.Width <= 16:
		return 2
	}
	return (p.Width + 31) / 32 * 4
}

// Put writes the value to the first bytes of dst, low byte first.
func (p *Port) Put(dst []byte) {
	switch v := p.value.(type) {
	case *bool:
		dst[0] = 0
		if *v {
			dst[0] = 1
		}
	case *uint8:
		dst[0] = *v
	case *uint16:
		binary.LittleEndian.PutUint16(dst, *v)
	case *uint32:
		binary.LittleEndian.PutUint32(dst, *v)
	case *[4]uint64:
		for k, x := range v {
			binary.LittleEndian.PutUint64(dst[8*k:], x)
		}
	default:
		// A value may be wider than its port.
		for b, n := 0, p.Bytes(); b < n; b++ {
			dst[b] = byte(p.word(b/8) >> (b % 8 * 8))
		}
	}
}

// word returns 64 bits of the value.
func (p *Port) word(i int) uint64 {
	switch v := p.value.(type) {
	case *bool:
		if *v {
			return 1
		}
		return 0
	case *uint8:
		return uint64(*v)
	case *uint16:
		return uint64(*v)
	case *uint32:
		return uint64(*v)
	case *uint64:
		return *v
	case *[4]uint64:
		return v[i]
	case func(int) uint64:
		return v(i)
	}
	panic(fmt.Sprintf("sim: port %s has a value of type %T", p.Name, p.value))
}

// AppendHex appends the value as Verilog's %h writes it: a digit for every four bits.
func (p *Port) AppendHex(dst []byte) []byte {
	const digits = "0123456789abcdef"
	for d := (p.Width + 3) / 4; d > 0; d-- {
		bit := 4 * (d - 1)
		nibble := p.word(bit/64) >> (bit % 64) & 15
		if rest := p.Width - bit; rest < 4 {
			nibble &= 1<<rest - 1
		}
		dst = append(dst, digits[nibble])
	}
	return dst
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
