// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"ply11/sim"
	"ply11/sim/eda"
	"ply11/sim/oracle"
)

// Clocks shown before and after a difference.
const (
	clocksBefore = 24
	clocksAfter  = 8
)

// A Difference is the first clock in which the Verilog did not do what the netlist did, or the netlist not what package
// oracle says. It is an error.
type Difference struct {
	Tool     string // the simulator; ToolGo for the netlist
	Verilog  eda.Verilog
	Clock    int // from 0, which is the first clock with rst
	Signal   string
	Expected string // hexadecimal
	Found    string // hexadecimal, x is an unknown digit
	Game     int    // whose beats the outputs showed, from 1; 0 where it is not known
	Ply      int    // the plies of it that had been shown
	VCD      string // the file with the clocks around it, if one was written

	ports  []port
	window [][2][]string // ports around the clock, what is expected first
	first  int           // the clock of window[0]
	dump   func(w io.Writer) error
}

// Error has clock, signal, expected and found, and draws both positions where the module has a board.
func (d *Difference) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s: clock %d", d.Verilog, d.Tool, d.Clock)
	if d.Game > 0 {
		fmt.Fprintf(&b, ", game %d after ply %d", d.Game, d.Ply)
	}
	fmt.Fprintf(&b, ", signal %s: expected %s, found %s", d.Signal, d.Expected, d.Found)
	at := d.Clock - d.first
	if at < 0 || at >= len(d.window) {
		return b.String()
	}
	for side, name := range [2]string{"expected", "found"} {
		if s, ok := d.state(d.window[at][side]); ok {
			fmt.Fprintf(&b, "\n%s:\n%s", name, s)
		}
	}
	if d.VCD != "" {
		fmt.Fprintf(&b, "\nclocks %d to %d are in %s", d.first, d.first+len(d.window)-1, d.VCD)
	}
	return b.String()
}

func (d *Difference) state(fields []string) (s oracle.State, ok bool) {
	for i, p := range d.ports {
		if i >= len(fields) {
			break
		}
		v, valid := new(big.Int).SetString(fields[i], 16)
		if !valid {
			v = new(big.Int) // unknown digits: draws an empty board
		}
		switch p.name {
		case "board":
			ok = fields[i] != "-"
			for k := range s.Pieces {
				s.Pieces[k] = new(big.Int).Rsh(v, uint(64*k)).Uint64()
			}
		case "side":
			s.Side = uint8(v.Uint64())
		case "rights":
			s.Rights = uint8(v.Uint64())
		case "ep":
			s.EP = uint8(v.Uint64())
		case "ply":
			s.Ply = uint16(v.Uint64())
		}
	}
	return s, ok
}

// WriteVCD writes the clocks around the difference as VCD: of a simulator all ports, what is expected beside what was
// found; of the netlist all ports and registers.
func (d *Difference) WriteVCD(w io.Writer) error {
	if d.dump != nil {
		return d.dump(w)
	}
	var vars []sim.DumpVar
	for _, scope := range []string{"expected", "found"} {
		for _, p := range d.ports {
			vars = append(vars, sim.DumpVar{Scope: []string{scope}, Name: p.name, Width: p.width})
		}
	}
	v := sim.NewDump(w, d.first, vars)
	for _, lines := range d.window {
		values := make([]string, len(vars))
		for i, at := range vars {
			values[i] = bitsOf("", at.Width)
			if line := lines[i/len(d.ports)]; i%len(d.ports) < len(line) {
				values[i] = bitsOf(line[i%len(d.ports)], at.Width)
			}
		}
		v.Cycle(values)
	}
	return v.Close()
}

// bitsOf writes hexadecimal digits as bits. An x, "-" and missing digits are unknown.
func bitsOf(hex string, width int) string {
	bits := make([]byte, width)
	for i := range bits {
		bits[width-1-i] = 'x'
		if at := len(hex) - 1 - i/4; at >= 0 {
			if n, err := strconv.ParseUint(hex[at:at+1], 16, 4); err == nil {
				bits[width-1-i] = '0' + byte(n>>(i%4)&1)
			}
		}
	}
	return string(bits)
}
