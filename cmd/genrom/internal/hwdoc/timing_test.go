// SPDX-License-Identifier: Apache-2.0

package hwdoc_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/hdl"
	"ply11/internal/testenv"
	"ply11/sim/eda"
	"ply11/sim/eda/edatest"
)

// built are the parameters with which a module has all of its paths.
var built = map[string][]string{
	"ply11_words": {"DEPTH=2"}, "ply11_jose": {"DEPTH=2"}, "ply11_stack": {"DEPTH=2"}, "ply11_cbf": {"DEPTH=2"},
	"ply11_player": {"MODES=15", "DEPTH=2"}, "ply11_player_axis": {"MODES=7", "DEPTH=2"}, "ply11_peripheral": {
		"MODES=7", "DEPTH=2"},
}

// The timing of every output is as its comment says: it depends, in the same clock, on the inputs that stand there, and
// on no others. Yosys' netlist decides.
func TestTiming(t *testing.T) {
	testenv.Tools(t, "yosys")
	w := edatest.NewWork(t)
	modules := slices.DeleteFunc(hdl.Modules(), func(m string) bool { return m == "ply11_rom_case" })
	script := "read_verilog"
	for _, m := range hdl.Modules() {
		script += " rtl/" + m + ".v"
	}
	script += "; design -save all; "
	for _, m := range modules {
		script += fmt.Sprintf("design -load all; %shierarchy -top %s; proc; flatten; opt_clean; memory_dff; "+
			"memory_collect; write_json %s.json; ",
			eda.Verilog{Top: m, Params: built[m]}.Chparam(), m, m)
	}
	if r, err := w.Run(t.Context(), w.Dir, "yosys", "-q", "-p", script); err != nil {
		t.Fatalf("%v\n%s", err, r.Output)
	}
	for _, name := range modules {
		text, err := hdl.FS.ReadFile("rtl/" + name + ".v")
		testenv.Must(t, err)
		m, err := hdl.Parse(string(text))
		testenv.Must(t, err)
		reaches := paths(t, w.Path(name+".json"))
		for _, p := range m.Ports {
			if p.Direction != "output" {
				continue
			}
			got, want := reaches[p.Name], slices.Sorted(slices.Values(p.From))
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s depends at once on %q, and on %q by its comment", name, p.Name, got, want)
			}
		}
	}
}

// paths reads a netlist and returns, for each output of its top module, the inputs from which a path without a register
// leads to it, sorted.
func paths(t *testing.T, netlistFile string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(netlistFile)
	testenv.Must(t, err)
	type cell struct {
		Type       string
		Parameters map[string]string
		Directions map[string]string `json:"port_directions"`
		Connected  map[string][]any  `json:"connections"`
	}
	var netlist struct {
		Modules map[string]struct {
			Attributes map[string]string
			Ports      map[string]struct {
				Direction string
				Bits      []any
			}
			Cells map[string]cell
		}
	}
	testenv.Must(t, json.Unmarshal(text, &netlist))
	reaches := map[string][]string{}
	for _, m := range netlist.Modules {
		if m.Attributes["top"] == "" {
			continue
		}
		// What drives a bit: a cell and which bit of which of its ports.
		type driver struct {
			cell cell
			port string
			bit  int
		}
		drivers, inputs := map[any]driver{}, map[any]string{}
		for _, c := range m.Cells {
			for port, bits := range c.Connected {
				for i, b := range bits {
					if c.Directions[port] == "output" {
						drivers[b] = driver{c, port, i}
					}
				}
			}
		}
		for name, p := range m.Ports {
			for _, b := range p.Bits {
				if p.Direction == "input" {
					inputs[b] = name
				}
			}
		}
		for name, p := range m.Ports {
			if p.Direction != "output" {
				continue
			}
			found, seen, open := map[string]bool{}, map[any]bool{}, slices.Clone(p.Bits)
			for len(open) > 0 {
				b := open[len(open)-1]
				open = open[:len(open)-1]
				if seen[b] {
					continue
				}
				seen[b] = true
				if name, ok := inputs[b]; ok {
					found[name] = true
				}
				d, ok := drivers[b]
				switch {
				case !ok || strings.Contains(d.cell.Type, "dff"):
				case d.cell.Type == "$mem_v2":
					width, address := number(t, d.cell.Parameters["WIDTH"]), number(t, d.cell.Parameters["ABITS"])
					port := d.bit / width
					clocked := d.cell.Parameters["RD_CLK_ENABLE"]
					if clocked[len(clocked)-1-port] == '0' {
						open = append(open, d.cell.Connected["RD_ADDR"][port*address:(port+1)*address]...)
					}
				default:
					for port, bits := range d.cell.Connected {
						if d.cell.Directions[port] == "input" {
							open = append(open, bits...)
						}
					}
				}
			}
			reaches[name] = slices.Sorted(maps.Keys(found))
		}
	}
	return reaches
}

// number reads a parameter of a netlist.
func number(t *testing.T, digits string) int {
	t.Helper()
	n, err := strconv.ParseInt(digits, 2, 64)
	testenv.Must(t, err)
	return int(n)
}
