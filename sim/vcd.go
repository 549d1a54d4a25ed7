// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bufio"
	"fmt"
	"io"
)

// A Scope is a named group of signals of a VCD.
type Scope struct {
	Name  string
	Ports []Port
}

// A VCD writes a value change dump (IEEE 1364-2005, clause 18) of clocked signals: clock n takes the time
// from 10n to 10n + 9 ns and begins with the rising edge of clk. Nothing in it depends on the date or the
// machine.
type VCD struct {
	w      *bufio.Writer
	err    error
	widths []int
	last   []string
	clock  int
}

// NewVCD writes the header and returns the writer. The clocks that follow count from first.
func NewVCD(w io.Writer, first int, scopes ...Scope) *VCD {
	v := &VCD{w: bufio.NewWriter(w), clock: first}
	v.printf("$timescale 1ns $end\n$scope module clock $end\n$var wire 1 %s clk $end\n$upscope $end\n", vcdID(0))
	for _, s := range scopes {
		v.printf("$scope module %s $end\n", s.Name)
		for i := range s.Ports {
			p := &s.Ports[i]
			v.widths = append(v.widths, p.Width)
			rng := ""
			if p.Width > 1 {
				rng = fmt.Sprintf(" [%d:0]", p.Width-1)
			}
			v.printf("$var wire %d %s %s%s $end\n", p.Width, vcdID(len(v.widths)), p.Name, rng)
		}
		v.printf("$upscope $end\n")
	}
	v.printf("$enddefinitions $end\n")
	v.last = make([]string, len(v.widths))
	return v
}

// vcdID returns the identifier of signal n, of the printable characters.
func vcdID(n int) string {
	id := ""
	for {
		id += string(rune('!' + n%94))
		if n /= 94; n == 0 {
			return id
		}
		n--
	}
}

func (v *VCD) printf(format string, args ...any) {
	if v.err == nil {
		_, v.err = fmt.Fprintf(v.w, format, args...)
	}
}

// Cycle writes a clock: the values of all signals in the order of the header, as hexadecimal digits, in
// which x is an unknown digit; "-" is unknown altogether.
func (v *VCD) Cycle(values []string) {
	v.printf("#%d\n1%s\n", 10*v.clock, vcdID(0))
	for i, s := range values {
		if i >= len(v.last) || s == v.last[i] {
			continue
		}
		v.last[i] = s
		bits := hexBits(s, v.widths[i])
		if v.widths[i] == 1 {
			v.printf("%s%s\n", bits, vcdID(i+1))
		} else {
			v.printf("b%s %s\n", bits, vcdID(i+1))
		}
	}
	v.printf("#%d\n0%s\n", 10*v.clock+5, vcdID(0))
	v.clock++
}

// hexBits writes hexadecimal digits as bits.
func hexBits(s string, width int) []byte {
	bits := make([]byte, width)
	for i := range bits {
		bits[width-1-i] = 'x'
		digit := len(s) - 1 - i/4
		if digit < 0 {
			continue
		}
		if n, ok := hexDigit(s[digit]); ok {
			bits[width-1-i] = '0' + n>>(i%4)&1
		}
	}
	return bits
}

// hexDigit returns the value of a digit.
func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// Close ends the last clock and returns the first error. It does not close the io.Writer.
func (v *VCD) Close() error {
	v.printf("#%d\n", 10*v.clock)
	if v.err != nil {
		return v.err
	}
	return v.w.Flush()
}

// sample appends the values of ports: "-" where one means nothing.
func sample(dst []string, ports []Port) []string {
	for i := range ports {
		if p := &ports[i]; p.Defined() {
			dst = append(dst, string(p.AppendHex(nil)))
		} else {
			dst = append(dst, "-")
		}
	}
	return dst
}

// WriteVCD runs a model with a stimulus and writes all its ports as VCD.
func WriteVCD(w io.Writer, m Module, s Stimulus) error {
	ports := m.Ports()
	v := NewVCD(w, 0, Scope{m.Verilog().Module, ports})
	var values []string
	for s.Drive() {
		m.Eval()
		if err := s.Sample(); err != nil {
			return err
		}
		values = sample(values[:0], ports)
		v.Cycle(values)
		m.Step()
	}
	return v.Close()
}
