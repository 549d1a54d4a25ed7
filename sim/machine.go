// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"

	"ply11/sim/internal/circuit"
)

// The numbers of streams that a Machine can have. A clock is the least work with Narrow, a clock of a stream with Wide.
const (
	Narrow = 64
	Wide   = 256
)

// A Machine runs a netlist for 64 or 256 streams at once: copies of the circuit with inputs and registers of their own
// and the same clock. A clock is: Set the inputs, Eval, look at anything, Step. It is for one goroutine at a time.
type Machine struct {
	net   *Netlist
	words int
	run   *circuit.Run
	v     []uint64 // its values
	clock int
}

// NewMachine returns a machine after Reset, with all inputs 0. Its memory is about 1.5 bits a gate and stream.
func NewMachine(n *Netlist, streams int) (*Machine, error) {
	if streams != Narrow && streams != Wide {
		return nil, fmt.Errorf("sim: %d streams: %d and %d are possible", streams, Narrow, Wide)
	}
	words := streams / 64
	run := circuit.NewRun(&n.circuit, words)
	m := &Machine{net: n, words: words, run: run, v: run.V}
	m.Reset()
	return m, nil
}

// Streams returns how many there are.
func (m *Machine) Streams() int { return 64 * m.words }

// Clock returns the number of steps since Reset.
func (m *Machine) Clock() int { return m.clock }

// Inputs and Registers return the values themselves, which can be copied and put back later, or into another machine of
// the same netlist and as many streams.
func (m *Machine) Inputs() []uint64 { return m.v[m.words : (1+m.net.circuit.Inputs)*m.words] }

// Registers is the counterpart of Inputs.
func (m *Machine) Registers() []uint64 {
	first := (1 + m.net.circuit.Inputs) * m.words
	return m.v[first : first+len(m.net.circuit.Next)*m.words]
}

// Restore puts a copy of Registers back, as of a clock.
func (m *Machine) Restore(registers []uint64, clock int) {
	copy(m.Registers(), registers)
	m.clock = clock
}

// Reset gives all registers the netlist's initial values, and counts clocks from 0. The inputs stay. A design with a
// reset port also wants that port at 1 for some clocks.
func (m *Machine) Reset() {
	q := m.Registers()
	for i := range q {
		q[i] = 0
		if m.net.circuit.Initial[i/m.words] {
			q[i] = ^uint64(0)
		}
	}
	m.clock = 0
}

// Eval brings all gates and outputs up to date with the inputs and registers.
func (m *Machine) Eval() { m.run.Eval() }

// Step is the edge of the clock: every register takes its next value, of the last Eval.
func (m *Machine) Step() {
	m.run.Step()
	m.clock++
}

func (m *Machine) word(literal uint32, w int) uint64 {
	if literal == noBit {
		return 0
	}
	return m.v[int(literal>>1)*m.words+w] ^ -uint64(literal&1)
}

// input returns a bit of an input in v. It panics on another signal.
func (m *Machine) input(s Signal, bit int) []uint64 {
	if s.Kind != Input {
		panic(fmt.Sprintf("sim: %v %s is set", s.Kind, s.Name))
	}
	at := int(s.bits[bit]>>1) * m.words
	return m.v[at : at+m.words]
}

// Set gives an input of at most 64 bits a value in one stream. Bits that the input does not have are ignored.
func (m *Machine) Set(s Signal, stream int, value uint64) {
	for i := range s.bits {
		word := &m.input(s, i)[stream/64]
		*word = *word&^(1<<(stream%64)) | value>>i&1<<(stream%64)
	}
}

// SetAll gives an input of at most 64 bits the same value in all streams.
func (m *Machine) SetAll(s Signal, value uint64) {
	for i := range s.bits {
		for w := range m.words {
			m.SetBits(s, i, w, -(value >> i & 1))
		}
	}
}

// SetBits sets one bit of an input in the 64 streams of a word: bit k of values is for stream 64*word+k.
func (m *Machine) SetBits(s Signal, bit, word int, values uint64) { m.input(s, bit)[word] = values }

// Get returns the lowest 64 bits of a signal in one stream, as of the last Eval.
func (m *Machine) Get(s Signal, stream int) (value uint64) {
	for i, x := range s.bits[:min(64, len(s.bits))] {
		value |= m.word(x, stream/64) >> (stream % 64) & 1 << i
	}
	return value
}

// Hex returns the value of a signal in one stream in hexadecimal digits, as Verilog's %h writes it. A digit with a bit
// that is not in the netlist is x.
func (m *Machine) Hex(s Signal, stream int) string {
	digits := make([]byte, (len(s.bits)+3)/4)
	for i := range digits {
		nibble := s.bits[4*i : min(4*i+4, len(s.bits))]
		digit := &digits[len(digits)-1-i]
		*digit = "0123456789abcdef"[m.Get(Signal{bits: nibble}, stream)]
		if slices.Contains(nibble, noBit) {
			*digit = 'x'
		}
	}
	return string(digits)
}

// Bits returns the values of one bit of a signal in the 64 streams of a word: bit k is that of stream 64*word+k.
func (m *Machine) Bits(s Signal, bit, word int) uint64 { return m.word(s.bits[bit], word) }

// Gather sets dst[k] to the lowest 64 bits of a signal in stream 64*word+k. It is as much work as a few Gets.
func (m *Machine) Gather(s Signal, word int, dst *[64]uint64) {
	clear(dst[:])
	for i, x := range s.bits[:min(64, len(s.bits))] {
		dst[i] = m.word(x, word)
	}
	transpose(dst)
}

// Scatter gives an input of at most 64 bits the values of src in the 64 streams of a word.
func (m *Machine) Scatter(s Signal, word int, src *[64]uint64) {
	rows := *src
	transpose(&rows)
	for i := range s.bits {
		m.SetBits(s, i, word, rows[i])
	}
}

// transpose turns 64 rows of 64 bits into columns (Warren, "Hacker's Delight", 7-3).
func transpose(a *[64]uint64) {
	mask := uint64(1<<32 - 1)
	for width := 32; width != 0; width >>= 1 {
		for k := 0; k < 64; k = (k + width + 1) &^ width {
			t := (a[k]>>width ^ a[k+width]) & mask
			a[k] ^= t << width
			a[k+width] ^= t
		}
		mask ^= mask << (width >> 1)
	}
}

// Pulse sets an input to 1 in all streams for some clocks, and then to 0: a reset.
func (m *Machine) Pulse(s Signal, clocks int) {
	m.SetAll(s, 1)
	for range clocks {
		m.Eval()
		m.Step()
	}
	m.SetAll(s, 0)
}
