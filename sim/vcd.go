// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// A VCD writes a value change dump (IEEE 1364-2005, clause 18) of signals of one stream of a Machine: clock n takes the
// time from 10n to 10n + 9 ns and begins with the rising edge of clk. Nothing in it depends on the date or the machine.
type VCD struct {
	w       *bufio.Writer
	m       *Machine
	stream  int
	signals []Signal
	last    [][]byte
	now     []byte
	end     int // of the last clock
}

// NewVCD writes the header: a scope for each module instance, from the dots in the signals' names. Without signals it
// is all that the netlist has.
func NewVCD(w io.Writer, m *Machine, stream int, signals ...Signal) *VCD {
	if len(signals) == 0 {
		// A register that is also an output is shown once.
		for _, s := range m.net.signals {
			if _, port := m.net.byName[symbol{Output, s.Name}]; s.Kind != Register || !port {
				signals = append(signals, s)
			}
		}
	}
	// By scope, so that each is written once.
	signals = slices.Clone(signals)
	slices.SortStableFunc(signals, func(a, b Signal) int {
		scopeA, _ := split(a.Name)
		scopeB, _ := split(b.Name)
		return slices.Compare(scopeA, scopeB)
	})
	v := &VCD{w: bufio.NewWriter(w), m: m, stream: stream, signals: signals, last: make([][]byte, len(signals)),
		end: 10 * m.clock}
	fmt.Fprintf(v.w, "$timescale 1ns $end\n$scope module clock $end\n$var wire 1 %s clk $end\n$upscope $end\n",
		vcdID(0))
	var open []string
	for i, s := range signals {
		scope, name := split(s.Name)
		same := 0
		for same < min(len(open), len(scope)) && open[same] == scope[same] {
			same++
		}
		for range open[same:] {
			fmt.Fprintf(v.w, "$upscope $end\n")
		}
		for _, name := range scope[same:] {
			fmt.Fprintf(v.w, "$scope module %s $end\n", name)
		}
		open = scope
		what, rng := "wire", ""
		if s.Kind == Register {
			what = "reg"
		}
		if s.Width() > 1 {
			rng = fmt.Sprintf(" [%d:0]", s.Width()-1)
		}
		id := vcdID(i + 1)
		if s.Kind == Input && s.Width() == 1 && !m.net.circuit.Reads(s.bits[0]>>1) && clockName.MatchString(s.Name) {
			// The clock itself, which an AIGER file has as an input that nothing reads.
			id, v.signals[i].bits = vcdID(0), nil
		}
		fmt.Fprintf(v.w, "$var %s %d %s %s%s $end\n", what, s.Width(), id, name, rng)
	}
	for range open {
		fmt.Fprintf(v.w, "$upscope $end\n")
	}
	fmt.Fprintf(v.w, "$enddefinitions $end\n")
	return v
}

// clockName is how the input of a clock is called.
var clockName = regexp.MustCompile(`(?i)cl(oc)?k`)

// split takes a name apart into scopes and the last part. Ports are in the scope top.
func split(name string) (scope []string, last string) {
	parts := strings.Split(name, ".")
	scope = append(scope, "top")
	return append(scope, parts[:len(parts)-1]...), strings.ReplaceAll(parts[len(parts)-1], " ", "_")
}

// vcdID returns the identifier of signal n: its digits to the base 94, as printable characters, the lowest first.
func vcdID(n int) string {
	if n < 94 {
		return string(rune('!' + n))
	}
	return string(rune('!'+n%94)) + vcdID(n/94-1)
}

// Cycle writes the clock that the machine is in, between Eval and Step. A bit that is not in the netlist is x.
func (v *VCD) Cycle() {
	start := 10 * v.m.clock
	fmt.Fprintf(v.w, "#%d\n1%s\n", start, vcdID(0))
	for i, s := range v.signals {
		v.now = v.now[:0]
		for b := s.Width() - 1; b >= 0; b-- {
			digit := byte('x')
			if x := s.bits[b]; x != noBit {
				digit = '0' + byte(v.m.word(x, v.stream/64)>>(v.stream%64)&1)
			}
			v.now = append(v.now, digit)
		}
		if slices.Equal(v.now, v.last[i]) {
			continue
		}
		v.last[i] = append(v.last[i][:0], v.now...)
		if s.Width() == 1 {
			fmt.Fprintf(v.w, "%s%s\n", v.now, vcdID(i+1))
		} else {
			fmt.Fprintf(v.w, "b%s %s\n", v.now, vcdID(i+1))
		}
	}
	fmt.Fprintf(v.w, "#%d\n0%s\n", start+5, vcdID(0))
	v.end = start + 10
}

// Close ends the last clock and returns the first error. It does not close the io.Writer.
func (v *VCD) Close() error {
	fmt.Fprintf(v.w, "#%d\n", v.end)
	return v.w.Flush() // which has the first error of all
}
