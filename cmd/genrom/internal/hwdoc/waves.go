// SPDX-License-Identifier: Apache-2.0

package hwdoc

import (
	"fmt"
	"strings"

	"ply11/sim"
	"ply11/sim/netlists"
	"ply11/sim/oracle"
)

// Fool's Mate: 1 f3 e5 2 g4 Qh4 0-1, in Brenner's bytes.
var mateBytes = []byte{0x25, 0x2c, 0x2e, 0x67, 0x01}

// playing draws ports of the player while it plays a game at full speed. A signal of one bit has two lines, others one,
// with numbers where they change, and dots where they mean nothing.
func playing() (string, error) {
	const reset = 16           // clocks of rst: so many that what it does not reset has gone through all stages
	const from = reset + 64    // the first clock that is drawn: the pieces have been cleared
	const clocks, cell = 21, 4 // that are drawn; characters of each
	// Other ports have hexadecimal digits.
	format := map[string]string{"m_from": "square", "m_to": "square", "ply": "%d"}
	net, err := netlists.Open("brenner-main")
	if err != nil {
		return "", err
	}
	m, err := sim.NewMachine(net, sim.Narrow)
	if err != nil {
		return "", err
	}
	signal := func(name string) sim.Signal {
		s, e := net.Signal(name)
		if err == nil {
			err = e
		}
		return s
	}
	get := func(name string) uint64 { return m.Get(signal(name), 0) }
	set := func(name string, value uint64) { m.SetAll(signal(name), value) }
	names := []string{"s_valid", "s_ready", "s_data", "m_valid", "m_kind", "m_from", "m_to", "m_piece", "m_result",
		"ply", "in_game"}
	over, under, last := make([]string, len(names)), make([]string, len(names)), make([]string, len(names))
	set("mode", uint64(oracle.ModeBrenner))
	set("m_ready", 1)
	m.Pulse(signal("rst"), reset)
	numbers := ""
	for n, at := reset, 0; n < from+clocks && err == nil; n++ {
		set("s_valid", 0)
		set("s_data", 0)
		if n > from && at < len(mateBytes) {
			set("s_valid", 1)
			set("s_data", uint64(mateBytes[at]))
		}
		m.Eval()
		if get("s_valid")&get("s_ready") == 1 {
			at++
		}
		for i, name := range names {
			s, v := signal(name), ""
			// What a beat tells means something while there is one.
			if value := get(name); name[:2] != "m_" || get("m_valid") == 1 || name == "m_valid" {
				switch v = format[name]; v {
				case "":
					v = fmt.Sprintf("%0*x", (s.Width()+3)/4, value)
				case "square":
					v = string(rune('a'+value%8)) + string(rune('1'+value/8))
				default:
					v = fmt.Sprintf(v, value)
				}
			}
			edge := v != last[i] && n > from
			last[i] = v
			if n < from {
				continue
			}
			high, low := strings.Repeat(" ", cell), strings.Repeat(" ", cell)
			switch {
			case s.Width() > 1 && v == "":
				low = strings.Repeat(".", cell)
			case s.Width() > 1 && (edge || n == from):
				low = fmt.Sprintf("%-*s", cell, "|"+v)
			case s.Width() > 1:
			case v == "1" && edge:
				high, low = " "+strings.Repeat("_", cell-1), "/"+strings.Repeat(" ", cell-1)
			case v == "1":
				high = strings.Repeat("_", cell)
			case edge:
				low = `\` + strings.Repeat("_", cell-1)
			default:
				low = strings.Repeat("_", cell)
			}
			over[i] += high
			under[i] += low
		}
		if n >= from {
			numbers += fmt.Sprintf("%-*d", cell, n-from)
		}
		m.Step()
	}
	var b strings.Builder
	line := func(label, rest string) {
		fmt.Fprintf(&b, "%s\n", strings.TrimRight(fmt.Sprintf("%-8s  %s", label, rest), " "))
	}
	line("clock", numbers)
	for i, name := range names {
		if signal(name).Width() == 1 {
			line("", over[i])
		}
		line(name, under[i])
	}
	return "```text\n" + b.String() + "```\n", err
}
