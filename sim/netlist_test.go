// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"ply11/internal/bounded"
	"ply11/internal/testenv"
)

// aig makes a binary file of literals: the lines of latches and outputs, gates as pairs of operands, and symbols.
func aig(header string, lines []string, gates [][2]uint32, symbols ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, header)
	for _, l := range lines {
		fmt.Fprintln(&b, l)
	}
	var m, i, l, o, a uint32
	fmt.Sscanf(header, "aig %d %d %d %d %d", &m, &i, &l, &o, &a)
	for k, g := range gates {
		own := 2 * (1 + i + l + uint32(k))
		b.Write(binary.AppendUvarint(nil, uint64(own-g[0])))
		b.Write(binary.AppendUvarint(nil, uint64(g[0]-g[1])))
	}
	for _, s := range symbols {
		fmt.Fprintln(&b, s)
	}
	return b.Bytes()
}

// counter is a counter of two bits with an enable and a reset, from hand: q0' = !rst & (q0 ^ en), q1' = !rst & (q1 ^
// (q0 & en)).
//
//	2 rst, 4 en, 6 q0, 8 q1 (begins with 1)
//	10 = q0 & en; 12 = !q0 & !en; 14 = !10 & !12 (xor); 16 = 14 & !rst
//	18 = q1 & 10; 20 = !q1 & !10; 22 = !18 & !20; 24 = 22 & !rst
func counter() []byte {
	return aig("aig 12 2 2 3 8", []string{"16 0", "24 1", "6", "8", "11"},
		[][2]uint32{{6, 4}, {7, 5}, {13, 11}, {14, 3}, {10, 8}, {11, 9}, {21, 19}, {22, 3}},
		"i0 rst", "i1 en", "l0 q[0] u_in.q[0]", "l1 q[1] u_in.q[1]", "o0 out[0]", "o1 out[1]", "o2 no_carry", "c",
		"anything\x00")
}

func TestCounter(t *testing.T) {
	n, err := Parse(counter())
	testenv.Must(t, err)
	for _, streams := range []int{Narrow, Wide} {
		m, err := NewMachine(n, streams)
		testenv.Must(t, err)
		rst, en, out, q, carry := signal(t, n, "rst"), signal(t, n, "en"), signal(t, n, "out"), signal(t, n, "u_in.q"),
			signal(t, n, "no_carry")
		m.Eval()
		if m.Get(out, streams-1) != 2 || m.Get(q, 0) != 2 {
			t.Errorf("begins with %d", m.Get(out, streams-1))
		}
		m.Pulse(rst, 1)
		want := make([]uint64, streams)
		r := Random(1)
		for clock := range 200 {
			reset := clock == 100
			m.SetAll(rst, 0)
			enabled := make([]bool, streams)
			for s := range streams {
				enabled[s] = r.Next()&1 != 0
				m.Set(en, s, map[bool]uint64{true: 1}[enabled[s]])
				if reset && s%3 == 0 {
					m.Set(rst, s, 1)
				}
			}
			m.Eval()
			var rows [64]uint64
			m.Gather(Concat(out, carry), streams/64-1, &rows)
			for s := range streams {
				none := uint64(1)
				if enabled[s] && want[s]&1 != 0 {
					none = 0
				}
				if m.Get(out, s) != want[s] || m.Get(q, s) != want[s] || m.Get(carry, s) != none {
					t.Fatalf("clock %d, stream %d: %d, want %d", clock, s, m.Get(out, s), want[s])
				}
				if k := s - (streams - 64); k >= 0 && rows[k] != want[s]|none<<2 {
					t.Fatalf("clock %d, stream %d: gathered %d", clock, s, rows[k])
				}
				if reset && s%3 == 0 {
					want[s] = 0
				} else if enabled[s] {
					want[s] = (want[s] + 1) % 4
				}
			}
			m.Step()
		}
		if m.Clock() != 201 {
			t.Errorf("%d clocks", m.Clock())
		}
		m.Reset()
		m.SetAll(en, 0)
		if m.Get(q, 5) != 2 || m.Clock() != 0 {
			t.Error("reset")
		}
		for i := range m.Registers() {
			m.Registers()[i] = r.Next()
		}
		seen := map[uint64]bool{}
		for s := range streams {
			seen[m.Get(q, s)] = true
		}
		if len(seen) != 4 {
			t.Errorf("scrambled to %v", seen)
		}
	}
}

func signal(t testing.TB, n *Netlist, name string) Signal {
	t.Helper()
	s, err := n.Signal(name)
	testenv.Must(t, err)
	return s
}

// What is wrong with a file is told with its place, and nothing is read of it.
func TestRefuse(t *testing.T) {
	good := string(counter())
	change := func(from, to string) []byte {
		if !strings.Contains(good, from) {
			t.Fatalf("no %q", from)
		}
		return []byte(strings.Replace(good, from, to, 1))
	}
	gates := strings.Index(good, "11\n") + 3
	at := func(offset int, b ...byte) []byte {
		d := []byte(good)
		copy(d[offset:], b)
		return d
	}
	for _, c := range []struct {
		name   string
		data   []byte
		offset int
		want   string
	}{
		{"empty", nil, 0, "does not begin with aig"},
		{"text", change("aig ", "aag "), 0, "aag"},
		{"other", []byte("module x"), 0, "not AIGER's binary form"},
		{"header alone", []byte("aig 0 0 0 0 0"), 13, "ends where the header"},
		{"too few numbers", change("aig 12 2 2 3 8", "aig 12 2 2 3"), 4, "4 numbers"},
		{"of a later version", change("aig 12 2 2 3 8", "aig 12 2 2 3 8 0 0 1"), 4, "8 numbers"},
		{"no number", change("aig 12 2 2 3 8", "aig 12 2 x 3 8"), 4, `"x" is not a number`},
		{"sum", change("aig 12", "aig 13"), 4, "13 variables"},
		{"many inputs", change("aig 12 2 2 3 8", "aig 2000000010 2000000000 2 3 8"), 4, "promises 8000"},
		{"many gates", change("aig 12 2 2 3 8", "aig 2000000004 2 2 3 2000000000"), 4, "promises 4000"},
		{"x", change("16 0", "16 6"), 15, "latch 0 begins as x"},
		{"initial value", change("16 0", "16 2"), 15, "latch 0 begins as 2"},
		{"literal", change("24 1", "26 1"), 20, "latch 1 is literal 26"},
		{"output", change("\n11\n", "\n99\n"), 29, "output 2 is literal 99"},
		{"loop", at(gates, 0), gates, "combinational loop"},
		{"below 0", at(gates, 11), gates, "below 0"},
		{"second operand below 0", at(gates+1, 7), gates + 1, "below 0"},
		{"long number", at(gates, 0x80, 0x80, 0x80, 0x80, 0x80, 1), gates + 5, "more than five bytes"},
		{"port missing", change("i1 en\n", ""), len(good) - 6, "input 1 has no symbol"},
		{"bit missing", change("out[1]", "out[2]"), len(good), "out has 3 bits, and bit 1 has no symbol"},
		{"same name", change("out[1]", "out[0]"), strings.Index(good, "o1 "), "two symbols"},
		{"bit far away", change("q[1]", "q[99999999]"), strings.Index(good, "l1 "), "bit 99999999"},
		{"symbol of nothing", change("i1 en", "i2 en"), strings.Index(good, "i1 "), "input 2, and there are 2"},
		{"no symbol", change("i1 en", "z1 en"), strings.Index(good, "i1 "), "no symbol"},
		{"empty symbol", change("i1 en", ""), strings.Index(good, "i1 "), "empty line"},
	} {
		n, err := Parse(c.data)
		var wrong *FormatError
		if n != nil || !errors.As(err, &wrong) || wrong.Offset != c.offset ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v (want byte %d: %s)", c.name, err, c.offset, c.want)
		}
	}
	// Every cut but those in the comment and at the end of the symbols of what is no port.
	comment := strings.Index(good, "c\nanything")
	for i := range comment - 1 {
		if _, err := Parse([]byte(good[:i])); err == nil {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
	if _, err := Parse([]byte(good[:comment])); err != nil {
		t.Error(err)
	}
	if _, err := NewMachine(new(Netlist), 128); err == nil {
		t.Error("128 streams")
	}
}

// Properties are skipped.
func TestProperties(t *testing.T) {
	data := aig("aig 1 1 0 1 0 1 2", []string{"2", "3", "2", "1"}, nil, "i0 a", "o0 y", "b0 bad", "c0 fair")
	n, err := Parse(data)
	testenv.Must(t, err)
	if _, err := n.Port(Output, "y", 1); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"bad", "A", "y[0]", ""} {
		if _, err := n.Signal(name); !errors.Is(err, ErrSignal) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := n.Port(Input, "a", 2); err == nil {
		t.Error("an input of another width")
	}
}

// TestSetOutput: an output cannot be set.
func TestSetOutput(t *testing.T) {
	n, err := Parse(counter())
	testenv.Must(t, err)
	m, err := NewMachine(n, Narrow)
	testenv.Must(t, err)
	defer func() {
		if recover() == nil {
			t.Error("an output was set")
		}
	}()
	m.SetAll(signal(t, n, "out"), 0)
}

// The dump of the counter: a scope for the register inside, and only what changes.
func TestVCD(t *testing.T) {
	n, err := Parse(counter())
	testenv.Must(t, err)
	m, err := NewMachine(n, Narrow)
	testenv.Must(t, err)
	m.Set(signal(t, n, "en"), 7, 1)
	var b bytes.Buffer
	v := NewVCD(&b, m, 7, signal(t, n, "out"), signal(t, n, "u_in.q"), signal(t, n, "en"))
	for range 2 {
		m.Eval()
		v.Cycle()
		m.Step()
	}
	testenv.Must(t, v.Close())
	const want = "$timescale 1ns $end\n$scope module clock $end\n$var wire 1 ! clk $end\n$upscope $end\n" +
		"$scope module top $end\n$var wire 2 \" out [1:0] $end\n$var wire 1 # en $end\n" +
		"$scope module u_in $end\n$var reg 2 $ q [1:0] $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n" +
		"#0\n1!\nb10 \"\n1#\nb10 $\n#5\n0!\n#10\n1!\nb11 \"\nb11 $\n#15\n0!\n#20\n"
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
	b.Reset()
	NewVCD(&b, m, 0).Close()
	if strings.Count(b.String(), "$var") != 1+2+2+2 {
		t.Errorf("%s", b.String())
	}
	if err := NewVCD(failing{}, m, 0).Close(); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}

// Each variable of a dump has an identifier of its own.
func TestVCDIDs(t *testing.T) {
	seen := map[string]bool{}
	for n := range 20000 {
		id := vcdID(n)
		if seen[id] {
			t.Fatalf("signal %d: %q is taken", n, id)
		}
		seen[id] = true
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }

// A chance is what it says, and a handshake loses and repeats nothing.
func TestChance(t *testing.T) {
	for _, c := range []Chance{0, 1, 37, 128, 192, 255, 256, 300} {
		r := Random(3)
		const words = 4096
		ones := 0
		for range words {
			for b := c.Bits(&r); b != 0; b &= b - 1 {
				ones++
			}
		}
		want := min(int(c), 256) * words * 64 / 256
		if c == 0 {
			want = words * 64
		}
		if d := ones - want; d*d > 16*words*64/4 {
			t.Errorf("%d of 256: %d ones, want some %d", c, ones, want)
		}
	}
}

// A register slice of 8 bits with valid and ready: what goes in comes out, in order, in every stream, with and without
// stalls.
func TestHandshake(t *testing.T) {
	n := slice(t)
	for _, chance := range []Chance{0, 100} {
		m, err := NewMachine(n, Wide)
		testenv.Must(t, err)
		sent, got := make([]int, m.Streams()), make([]int, m.Streams())
		source := Source{Valid: signal(t, n, "s_valid"), Ready: signal(t, n, "s_ready"), Data: signal(t, n, "s_data"),
			Chance: chance, Seed: 1}
		source.Next = func(stream int) (uint64, bool) {
			if sent[stream] == 100 {
				return 0, false
			}
			sent[stream]++
			return uint64(stream + sent[stream]), true
		}
		sink := Sink{Valid: signal(t, n, "m_valid"), Ready: signal(t, n, "m_ready"), Chance: chance, Seed: 2}
		data := signal(t, n, "m_data")
		taken := 0
		for range 2000 {
			source.Drive(m)
			sink.Drive(m)
			m.Eval()
			for _, bits := range source.Sample(m) {
				for ; bits != 0; bits &= bits - 1 {
					taken++
				}
			}
			for w, bits := range sink.Sample(m) {
				for k := range 64 {
					if stream := 64*w + k; bits>>k&1 != 0 {
						if got[stream]++; m.Get(data, stream) != uint64(stream+got[stream])&255 {
							t.Fatalf("stream %d: item %d is %d", stream, got[stream], m.Get(data, stream))
						}
					}
				}
			}
			m.Step()
		}
		if taken != 100*m.Streams() {
			t.Errorf("%d taken", taken)
		}
		for stream, g := range got {
			if g != 100 {
				t.Errorf("stream %d: %d of 100", stream, g)
			}
		}
	}
}

// slice makes a register slice: valid' = s_valid & s_ready | valid & !m_ready; s_ready = !valid | m_ready.
func slice(t *testing.T) *Netlist {
	t.Helper()
	// 2 s_valid, 4 m_ready, 6..20 s_data, 22 valid, 24..38 data.
	var gates [][2]uint32
	next := uint32(40)
	and := func(a, b uint32) uint32 {
		gates = append(gates, [2]uint32{max(a, b), min(a, b)})
		next += 2
		return next - 2
	}
	or := func(a, b uint32) uint32 { return and(a^1, b^1) ^ 1 }
	ready := or(22^1, 4)
	load := and(2, ready)
	lines := []string{fmt.Sprint(or(load, and(22, 4^1)))}
	symbols := []string{"i0 s_valid", "i1 m_ready", "l0 valid"}
	var data []string
	for k := range uint32(8) {
		lines = append(lines, fmt.Sprint(or(and(6+2*k, load), and(24+2*k, load^1))))
		symbols = append(symbols, fmt.Sprintf("i%d s_data[%d]", 2+k, k), fmt.Sprintf("l%d data[%d]", 1+k, k),
			fmt.Sprintf("o%d m_data[%d]", 2+k, k))
		data = append(data, fmt.Sprint(24+2*k))
	}
	lines = append(append(lines, fmt.Sprint(ready), "22"), data...)
	symbols = append(symbols, "o0 s_ready", "o1 m_valid")
	n, err := Parse(aig(fmt.Sprintf("aig %d 10 9 10 %d", 19+len(gates), len(gates)), lines, gates, symbols...))
	testenv.Must(t, err)
	return n
}

// Whatever the file, reading ends, with little memory, and what was read runs.
func FuzzRead(f *testing.F) {
	f.Add(counter())
	f.Add(aig("aig 1 1 0 1 0 1 2", []string{"2", "3", "2", "1"}, nil, "i0 a", "o0 y", "b0 bad", "c0 fair"))
	f.Add([]byte("aig 0 0 0 0 0\n"))
	bounded.Fuzz(f, func(t *testing.T, data []byte) {
		n, err := Parse(data)
		if err != nil {
			if wrong := (*FormatError)(nil); !errors.As(err, &wrong) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%v", err)
			}
			return
		}
		bits := 0
		for _, s := range n.Signals() {
			bits += s.Width()
		}
		if bits > 2*len(data) || n.circuit.Variables() > 1+len(data) {
			t.Fatalf("%d bits and %d variables of %d bytes", bits, n.circuit.Variables(), len(data))
		}
		one, err := NewMachine(n, Narrow)
		testenv.Must(t, err)
		four, err := NewMachine(n, Wide)
		testenv.Must(t, err)
		for range 4 {
			for _, s := range n.Signals() {
				if s.Kind == Input {
					one.SetAll(s, 0x5aa5)
					four.SetAll(s, 0x5aa5)
				}
			}
			one.Eval()
			four.Eval()
			for _, s := range n.Signals() {
				if one.Get(s, 3) != four.Get(s, 253) {
					t.Fatalf("%s is %d in one word and %d in four", s.Name, one.Get(s, 3), four.Get(s, 253))
				}
			}
			one.Step()
			four.Step()
		}
	})
}

// A value is written as Verilog's %h does, with x where the netlist has no bit.
func TestHex(t *testing.T) {
	// Of the register q the bits 0, 1 and 5 are there, of r all.
	n, err := Parse(aig("aig 4 1 3 1 0", []string{"2 1", "2 0", "2 1", "2"}, nil,
		"i0 in", "l0 q[0] r[0]", "l1 q[1] r[1]", "l2 q[5] r[2]", "o0 out"))
	testenv.Must(t, err)
	m, err := NewMachine(n, Wide)
	testenv.Must(t, err)
	for name, want := range map[string]string{"q": "xx", "r": "5", "out": "0"} {
		if got := m.Hex(signal(t, n, name), 200); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	wide := Concat(signal(t, n, "r"), Zeros(1), signal(t, n, "r"))
	if got := m.Hex(wide, 0); got != "5x" {
		t.Errorf("%q", got)
	}
}
