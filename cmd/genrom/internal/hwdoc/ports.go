// SPDX-License-Identifier: Apache-2.0

package hwdoc

import (
	"fmt"
	"strconv"
	"strings"

	"ply11/hdl"
)

// width says how many bits a range has: a number, or what the parameters make it.
func width(rng string) string {
	if rng == "" {
		return "1"
	}
	high, _, _ := strings.Cut(rng, ":")
	high = strings.TrimSpace(high)
	if s, ok := strings.CutSuffix(high, "-1"); ok {
		return "`" + strings.TrimSpace(s) + "`"
	}
	var n int
	if _, err := fmt.Sscanf(high, "%d", &n); err != nil {
		return "`" + rng + "`"
	}
	return fmt.Sprint(n + 1)
}

// timing says when an output changes.
func timing(p hdl.Port) string {
	switch {
	case p.Direction != "output":
		return ""
	case p.From == nil:
		return "register"
	}
	return "at once, with `" + strings.Join(p.From, "`, `") + "`"
}

// Table returns a module's parameters and ports as Markdown.
func Table(m hdl.Module) string {
	var b strings.Builder
	if len(m.Parameters) > 0 {
		b.WriteString("| parameter | default | |\n|---|---:|---|\n")
		for _, p := range m.Parameters {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Name, p.Default, p.Comment)
		}
		b.WriteByte('\n')
	}
	b.WriteString("| port | | bits | what it is | timing |\n|---|---|---:|---|---|\n")
	for _, p := range m.Ports {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", p.Name, p.Direction, width(p.Range), p.Comment, timing(p))
	}
	return b.String()
}

// modules are those that the reference has tables of, in its order. Some have a diagram, and a sentence about it.
var modules = []struct {
	name, about string
	diagram     func() (string, error)
}{
	{name: "player"}, {name: "player_axis"}, {name: "regs"}, {name: "peripheral"},
	{"board", "The board alone, with an operation in each clock. The third operation is f2-f3 a second time. The " +
		"square f2 is empty now, so this is\n" +
		"error 1, and the fourth move comes out of turn, error 2.", board},
	{name: "referee"}, {name: "legal"}, {name: "moves"}, {name: "mask"}, {name: "match"}, {name: "perft"},
	{name: "perft_many"}, {name: "perft_bytes"}, {name: "words"}, {name: "brenner"}, {name: "jose"},
	{name: "cbf"}, {name: "chessbase"},
	{"unpack", "Eight words in eleven bytes: four moves, a result, and three idle words, which are left out.", unpack},
	{name: "pack"},
}

// table is what the reference has of a module.
func table(name string) (string, error) {
	source, err := hdl.FS.ReadFile("rtl/ply11_" + name + ".v")
	if err != nil {
		return "", err
	}
	m, err := hdl.Parse(string(source))
	if err != nil {
		return "", fmt.Errorf("rtl/ply11_%s.v: %w", name, err)
	}
	if m.Name != "ply11_"+name || len(m.Ports) == 0 {
		return "", fmt.Errorf("hwdoc: rtl/ply11_%s.v has module %q with %d ports", name, m.Name, len(m.Ports))
	}
	return m.Summary + "\n\n" + Table(m), nil
}

// registers is the table of ply11_regs' registers.
func registers() (string, error) {
	all, err := hdl.Registers()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(
		"| address | register | field | bits | access | reset | what it is |\n|---:|---|---|---:|---|---:|---|\n")
	for i := 0; i < len(all); i++ {
		r := &all[i]
		address, name := fmt.Sprintf("%02x", r.Address), "`"+r.Name+"`"
		if base, ok := strings.CutSuffix(r.Name, "0"); ok {
			for n := 1; i+1 < len(all) && all[i+1].Name == base+strconv.Itoa(n); n++ {
				i++
			}
			address, name = fmt.Sprintf("%s..%02x", address, all[i].Address), name+" to `"+all[i].Name+"`"
		}
		for _, f := range r.Fields {
			bits, reset := fmt.Sprint(f.High), "–"
			if f.High != f.Low {
				bits += fmt.Sprintf(":%d", f.Low)
			}
			if f.Fixed {
				reset = fmt.Sprintf("%x", f.Reset)
			}
			fmt.Fprintf(&b, "| %s | %s | `%s` | %s | %s | %s | %s |\n", address, name, f.Name, bits, f.Access, reset,
				f.Meaning)
			address, name = "", ""
		}
	}
	return b.String(), nil
}
