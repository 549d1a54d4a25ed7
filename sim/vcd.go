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

// A Dump writes a value change dump (IEEE 1364-2005, clause 18): clock n takes the time from 10n to 10n + 9 ns and
// begins with the rising edge of clk. Nothing in it depends on the date or the machine.
type Dump struct {
	w     *bufio.Writer // which keeps the first error
	last  []string
	clock int
}

// A DumpVar is a variable of a dump. Those of a scope follow each other.
type DumpVar struct {
	Scope    []string // names of module instances, the outermost first
	Name     string
	Width    int
	Register bool
	Clock    bool // it is clk itself
}

// NewDump writes the header. The clocks that follow count from first.
func NewDump(w io.Writer, first int, vars []DumpVar) *Dump {
	d := &Dump{w: bufio.NewWriter(w), last: make([]string, len(vars)), clock: first}
	fmt.Fprintf(d.w, "$timescale 1ns $end\n$scope module clock $end\n$var wire 1 %s clk $end\n$upscope $end\n",
		vcdID(0))
	var open []string
	for i, v := range vars {
		same := 0
		for same < min(len(open), len(v.Scope)) && open[same] == v.Scope[same] {
			same++
		}
		for range open[same:] {
			fmt.Fprintf(d.w, "$upscope $end\n")
		}
		for _, name := range v.Scope[same:] {
			fmt.Fprintf(d.w, "$scope module %s $end\n", name)
		}
		open = v.Scope
		what, rng, id := "wire", "", vcdID(i+1)
		if v.Register {
			what = "reg"
		}
		if v.Width > 1 {
			rng = fmt.Sprintf(" [%d:0]", v.Width-1)
		}
		if v.Clock {
			id = vcdID(0)
		}
		fmt.Fprintf(d.w, "$var %s %d %s %s%s $end\n", what, v.Width, id, v.Name, rng)
	}
	for range open {
		fmt.Fprintf(d.w, "$upscope $end\n")
	}
	fmt.Fprintf(d.w, "$enddefinitions $end\n")
	return d
}

// Cycle writes a clock: the values of all variables in their order, as digits 0, 1 and x.
func (d *Dump) Cycle(values []string) {
	fmt.Fprintf(d.w, "#%d\n1%s\n", 10*d.clock, vcdID(0))
	for i, value := range values {
		switch {
		case value == d.last[i]:
			continue
		case len(value) == 1:
			fmt.Fprintf(d.w, "%s%s\n", value, vcdID(i+1))
		default:
			fmt.Fprintf(d.w, "b%s %s\n", value, vcdID(i+1))
		}
		d.last[i] = value
	}
	fmt.Fprintf(d.w, "#%d\n0%s\n", 10*d.clock+5, vcdID(0))
	d.clock++
}

// Close ends the last clock and returns the first error. It does not close the writer.
func (d *Dump) Close() error {
	fmt.Fprintf(d.w, "#%d\n", 10*d.clock)
	return d.w.Flush()
}

// vcdID returns the identifier of signal n: printable characters, digits to the base 94, the lowest first.
func vcdID(n int) string {
	if n < 94 {
		return string(rune('!' + n))
	}
	return string(rune('!'+n%94)) + vcdID(n/94-1)
}

// A VCD is a Dump of signals of one stream of a Machine.
type VCD struct {
	dump    *Dump
	m       *Machine
	stream  int
	signals []Signal
	values  []string
}

// NewVCD writes the header: a scope for each module instance, from the dots in the signals' names. Without signals it
// dumps all.
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
	vars := make([]DumpVar, len(signals))
	for i, s := range signals {
		scope, name := split(s.Name)
		vars[i] = DumpVar{Scope: scope, Name: name, Width: s.Width(), Register: s.Kind == Register}
		if s.Kind == Input && s.Width() == 1 && !m.net.circuit.Reads(s.bits[0]>>1) && clockName.MatchString(s.Name) {
			// The clock itself, an input that nothing reads.
			vars[i].Clock, signals[i].bits = true, nil
		}
	}
	return &VCD{NewDump(w, m.clock, vars), m, stream, signals, make([]string, len(signals))}
}

var clockName = regexp.MustCompile(`(?i)cl(oc)?k`)

// split takes a name apart into scopes and the last part. Ports are in the scope top.
func split(name string) (scope []string, last string) {
	parts := strings.Split(name, ".")
	scope = append(scope, "top")
	return append(scope, parts[:len(parts)-1]...), strings.ReplaceAll(parts[len(parts)-1], " ", "_")
}

// Cycle writes the clock that the machine is in, between Eval and Step. A bit that is not in the netlist is x.
func (v *VCD) Cycle() {
	for i, s := range v.signals {
		digits := make([]byte, 0, s.Width())
		for b := s.Width() - 1; b >= 0; b-- {
			digit := byte('x')
			if x := s.bits[b]; x != noBit {
				digit = '0' + byte(v.m.word(x, v.stream/64)>>(v.stream%64)&1)
			}
			digits = append(digits, digit)
		}
		v.values[i] = string(digits)
	}
	v.dump.clock = v.m.clock
	v.dump.Cycle(v.values)
}

// Close ends the last clock and returns the first error. It does not close the writer.
func (v *VCD) Close() error { return v.dump.Close() }
