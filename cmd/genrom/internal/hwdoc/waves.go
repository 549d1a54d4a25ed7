// SPDX-License-Identifier: Apache-2.0

package hwdoc

import (
	"fmt"
	"strings"

	"ply11/sim"
	"ply11/sim/netlists"
	"ply11/sim/oracle"
)

// A Diagram is a trace of some ports of a netlist, drawn.
type Diagram struct {
	Netlist string // its name in hdl/netlists.tsv
	Clocks  int    // how many are traced
	// sets the inputs of clock n; the others keep their values, at first 0
	Drive func(n int, set func(string, uint64))
	Done  func(n int, get func(name string) uint64) // looks at a clock before its edge; may be nil
	Ports []string                                  // which are drawn, in this order
	Cell  int                                       // characters of a clock
	From  int                                       // the first clock that is drawn
	Show  map[string]int                            // base of a port's numbers where it is not 16; 64 is a square
}

// resetClocks is how many clocks rst is 1 at first: so many that what rst does not reset has gone through all stages.
const resetClocks = 16

type trace struct {
	sim.Signal
	values []string // empty where it means nothing
}

func (d Diagram) run() ([]trace, error) {
	net, err := netlists.Open(d.Netlist)
	if err != nil {
		return nil, err
	}
	m, err := sim.NewMachine(net, sim.Narrow)
	if err != nil {
		return nil, err
	}
	signal := func(name string) sim.Signal {
		s, e := net.Signal(name)
		if err == nil {
			err = e
		}
		return s
	}
	get := func(name string) uint64 { return m.Get(signal(name), 0) }
	set := func(name string, value uint64) {
		if s := signal(name); err == nil {
			m.SetAll(s, value)
		}
	}
	var traces []trace
	for _, name := range d.Ports {
		traces = append(traces, trace{Signal: signal(name)})
	}
	for n := 0; n < d.Clocks && err == nil; n++ {
		set("rst", 0)
		if n < resetClocks {
			set("rst", 1)
		}
		d.Drive(n, set)
		m.Eval()
		for i := range traces {
			t := &traces[i]
			v := ""
			// What a beat tells means something while there is one.
			if !strings.HasPrefix(t.Name, "m_") || t.Name == "m_ready" || get("m_valid") == 1 {
				v = value(m.Get(t.Signal, 0), t.Width(), d.Show[t.Name])
			}
			t.values = append(t.values, v)
		}
		if d.Done != nil {
			d.Done(n, get)
		}
		m.Step()
	}
	return traces, err
}

// draw runs the netlist and draws. A signal of one bit has two lines, others one, with hexadecimal digits
// (or as Show says) where they change, and dots where they mean nothing.
func (d Diagram) draw() (string, error) {
	traces, err := d.run()
	if err != nil {
		return "", err
	}
	name := 0
	for _, t := range traces {
		name = max(name, len(t.Name))
	}
	var b strings.Builder
	line := func(label, rest string) {
		fmt.Fprintf(&b, "%s\n", strings.TrimRight(fmt.Sprintf("%-*s  %s", name, label, rest), " "))
	}
	numbers := ""
	for n := d.From; n < d.Clocks; n++ {
		numbers += fmt.Sprintf("%-*d", d.Cell, n-d.From)
	}
	line("clock", numbers)
	for _, s := range traces {
		var over, under string
		last := ""
		if d.From > 0 {
			last = s.values[d.From-1]
		}
		for n := d.From; n < d.Clocks; n++ {
			v := s.values[n]
			if s.Width() > 1 {
				switch {
				case v == "":
					under += strings.Repeat(".", d.Cell)
				case v == last && n > d.From:
					under += strings.Repeat(" ", d.Cell)
				default:
					under += fmt.Sprintf("%-*s", d.Cell, "|"+v)
				}
				last = v
				continue
			}
			edge, level := v != last && n > d.From, v == "1"
			switch {
			case level && edge:
				over += " " + strings.Repeat("_", d.Cell-1)
				under += "/" + strings.Repeat(" ", d.Cell-1)
			case level:
				over += strings.Repeat("_", d.Cell)
				under += strings.Repeat(" ", d.Cell)
			case edge:
				over += strings.Repeat(" ", d.Cell)
				under += `\` + strings.Repeat("_", d.Cell-1)
			default:
				over += strings.Repeat(" ", d.Cell)
				under += strings.Repeat("_", d.Cell)
			}
			last = v
		}
		if s.Width() == 1 {
			line("", over)
		}
		line(s.Name, under)
	}
	return "```text\n" + b.String() + "```\n", nil
}

// value writes a number of a width in bits to a base; base 0 is 16 with all digits, base 64 are squares.
func value(n uint64, width, base int) string {
	switch base {
	case 0:
		return fmt.Sprintf("%0*x", (width+3)/4, n)
	case 64:
		return string(rune('a'+n%8)) + string(rune('1'+n/8))
	}
	return fmt.Sprint(n)
}

// Fool's Mate: 1 f3 e5 2 g4 Qh4 0-1, in Brenner's bytes.
var mateBytes = []byte{0x25, 0x2c, 0x2e, 0x67, 0x01}

// offer offers bytes from clock first on, each until it is taken.
func offer(bytes []byte, first int) (drive func(n int, set func(string, uint64)),
	done func(n int, get func(string) uint64)) {
	at := 0
	drive = func(n int, set func(string, uint64)) {
		set("s_valid", 0)
		set("s_data", 0)
		if n >= first && at < len(bytes) {
			set("s_valid", 1)
			set("s_data", uint64(bytes[at]))
		}
	}
	done = func(_ int, get func(string) uint64) {
		if get("s_valid")&get("s_ready") == 1 {
			at++
		}
	}
	return drive, done
}

// playing draws a game at full speed.
func playing() (string, error) {
	const from = resetClocks + 64 // after the reset the pieces are cleared
	drive, done := offer(mateBytes, from+1)
	return Diagram{
		Netlist: "brenner-main", Clocks: from + 21, Cell: 4, From: from,
		Ports: []string{"s_valid", "s_ready", "s_data", "m_valid", "m_kind", "m_from", "m_to", "m_piece", "m_result",
			"ply", "in_game"},
		Drive: func(n int, set func(string, uint64)) {
			set("mode", uint64(oracle.ModeBrenner))
			set("m_ready", 1)
			drive(n, set)
		},
		Done: done,
		Show: map[string]int{"m_from": 64, "m_to": 64, "ply": 10},
	}.draw()
}
