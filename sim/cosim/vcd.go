// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bufio"
	"fmt"
	"io"
)

// A vcd writes a value change dump (IEEE 1364-2005, clause 18) of ports as several sides have them, each in a scope:
// clock n takes the time from 10n to 10n + 9 ns and begins with the rising edge of clk. Nothing in it depends on the
// date or the machine.
type vcd struct {
	w      *bufio.Writer // which keeps the first error
	widths []int
	last   []string
	clock  int
}

// newVCD writes the header and returns the writer. The clocks that follow count from first.
func newVCD(w io.Writer, first int, ports []port, scopes ...string) *vcd {
	v := &vcd{w: bufio.NewWriter(w), clock: first}
	v.printf("$timescale 1ns $end\n$scope module clock $end\n$var wire 1 %s clk $end\n$upscope $end\n", vcdID(0))
	for _, scope := range scopes {
		v.printf("$scope module %s $end\n", scope)
		for _, p := range ports {
			v.widths = append(v.widths, p.width)
			rng := ""
			if p.width > 1 {
				rng = fmt.Sprintf(" [%d:0]", p.width-1)
			}
			v.printf("$var wire %d %s %s%s $end\n", p.width, vcdID(len(v.widths)), p.name, rng)
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

func (v *vcd) printf(format string, args ...any) {
	fmt.Fprintf(v.w, format, args...)
}

// cycle writes a clock: the values of all signals in the order of the header, as hexadecimal digits, in
// which x is an unknown digit; "-" is unknown altogether.
func (v *vcd) cycle(values []string) {
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

// close ends the last clock and returns the first error. It does not close the io.Writer.
func (v *vcd) close() error {
	v.printf("#%d\n", 10*v.clock)
	return v.w.Flush()
}
