// SPDX-License-Identifier: Apache-2.0

package hwdoc

import (
	"fmt"
	"slices"
	"strings"

	"ply11/sim"
	"ply11/sim/oracle"
)

// A Diagram is a trace of some ports of a module, drawn.
type Diagram struct {
	Module sim.Module
	Clocks int            // how many are traced
	Drive  func(n int)    // sets the inputs of clock n
	Done   func()         // looks at the outputs of a clock before its edge; may be nil
	Ports  []string       // which are drawn, in this order
	Cell   int            // characters of a clock
	From   int            // the first clock that is drawn
	Show   map[string]int // base of a port's numbers where it is not 16; 64 is a square
}

// String runs the module and draws. A signal of one bit has two lines, others one, with hexadecimal digits
// (or as Show says) where they change, and dots where they mean nothing.
func (d Diagram) String() string {
	ports := d.Module.Ports()
	type signal struct {
		port   *sim.Port
		values []string
	}
	var signals []signal
	name := 0
	for _, want := range d.Ports {
		for i := range ports {
			if ports[i].Name == want {
				signals = append(signals, signal{port: &ports[i]})
				name = max(name, len(want))
			}
		}
	}
	for n := range d.Clocks {
		d.Drive(n)
		d.Module.Eval()
		for i := range signals {
			s := &signals[i]
			v := ""
			if s.port.Defined() {
				v = value(string(s.port.AppendHex(nil)), d.Show[s.port.Name])
			}
			s.values = append(s.values, v)
		}
		if d.Done != nil {
			d.Done()
		}
		d.Module.Step()
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
	for _, s := range signals {
		var over, under string
		last := ""
		if d.From > 0 {
			last = s.values[d.From-1]
		}
		for n := d.From; n < d.Clocks; n++ {
			v := s.values[n]
			if s.port.Width > 1 {
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
		if s.port.Width == 1 {
			line("", over)
		}
		line(s.port.Name, under)
	}
	return "```text\n" + b.String() + "```\n"
}

// value writes hexadecimal digits to another base; base 64 are squares.
func value(hex string, base int) string {
	var n uint64
	if base == 0 {
		return hex
	}
	fmt.Sscanf(hex, "%x", &n)
	if base == 64 {
		return string(rune('a'+n%8)) + string(rune('1'+n/8))
	}
	return fmt.Sprint(n)
}

// Fool's Mate: 1 f3 e5 2 g4 Qh4 0-1, in Brenner's bytes and as words.
var (
	mateBytes = []byte{0x25, 0x2c, 0x2e, 0x67, 0x01}
	mateWords = []uint16{141, 1460, 398, 1019, 1968}
)

// player draws Fool's Mate in Brenner's bytes, once or several times.
func player(games int, ready func(n int) bool, clocks int, ports ...string) (string, error) {
	p, err := sim.NewPlayer(sim.PlayerParams{Modes: 2})
	if err != nil {
		return "", err
	}
	at, bytes := 0, slices.Repeat(mateBytes, games)
	const from = 2 + 64 // after the reset the men are cleared
	return Diagram{
		Module: p, Clocks: from + clocks, Cell: 4, From: from, Ports: ports,
		Drive: func(n int) {
			p.In = sim.PlayerIn{Rst: n < 2, Mode: oracle.ModeBrenner, MReady: ready(n - from)}
			if n > from && at < len(bytes) {
				p.In.SValid, p.In.SData = true, uint64(bytes[at])
			}
		},
		Done: func() {
			if p.In.SValid && p.Out.SReady {
				at++
			}
		},
		Show: map[string]int{"m_from": 64, "m_to": 64, "m_index": 10, "m_offset": 10, "ply": 10},
	}.String(), nil
}

// playing is a game at full speed, waiting one whose output is not always taken.
func playing() (string, error) {
	return player(1, func(int) bool { return true }, 21,
		"s_valid", "s_ready", "s_data", "m_valid", "m_kind", "m_from", "m_to", "m_man", "m_result", "ply", "in_game")
}

func waiting() (string, error) {
	return player(4, func(n int) bool { return n < 11 || n > 16 }, 26,
		"s_valid", "s_ready", "s_data", "m_valid", "m_ready", "m_kind", "m_from", "m_to", "ply")
}

// board draws the moves of Fool's Mate on ply11_board, the third of them replaced by one that is refused.
func board() (string, error) {
	b, err := sim.NewBoard(8)
	if err != nil {
		return "", err
	}
	return Diagram{
		Module: b, Clocks: 18, Cell: 5, From: 2,
		Ports: []string{"s_valid", "s_index", "m_valid", "m_error", "m_from", "m_to", "m_man", "m_captured", "side", "ply"},
		Drive: func(n int) {
			b.In = sim.BoardIn{Rst: n < 2, MReady: true}
			if n >= 3 && n < 7 {
				b.In.SValid, b.In.SIndex = true, mateWords[n-3]
				if n == 5 {
					b.In.SIndex = mateWords[0]
				}
			}
		},
		Show: map[string]int{"m_from": 64, "m_to": 64, "s_index": 10, "ply": 10},
	}.String(), nil
}

// unpack draws eleven bytes that become eight words.
func unpack() (string, error) {
	u, err := sim.NewUnpack(8)
	if err != nil {
		return "", err
	}
	bytes := []byte{0x8d, 0xa0, 0xad, 0x63, 0xf6, 0x07, 0xfb, 0xff, 0xff, 0xff, 0xff}
	at := 0
	return Diagram{
		Module: u, Clocks: 20, Cell: 5, From: 2,
		Ports: []string{"s_valid", "s_ready", "s_data", "m_valid", "m_data"},
		Drive: func(n int) {
			u.In = sim.UnpackIn{Rst: n < 2, SkipIdle: true, MReady: true}
			if n >= 3 && at < len(bytes) {
				u.In.SValid, u.In.SData = true, uint64(bytes[at])
			}
		},
		Done: func() {
			if u.In.SValid && u.Out.SReady {
				at++
			}
		},
		Show: map[string]int{"m_data": 10},
	}.String(), nil
}
