// SPDX-License-Identifier: Apache-2.0

package hwdoc_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/hdl"
	"ply11/internal/testenv"
	"ply11/sim/eda/edatest"
)

// constraints is a Tcl program that reads a file of constraints as a tool for FPGAs does, as far as the examples need:
// it knows the commands and their options, and the ports of the module. What names no port, or an output where an input
// belongs, is an error. At the end it says how often each port was constrained.
const constraints = `
proc get_ports {patterns} {
  global direction
  set found {}
  foreach pattern $patterns {
    set one {}
    foreach port [array names direction] {
      # What stands in brackets is a bit, not a set of letters.
      if {[string match [string map {[ \\[ ] \\]} $pattern] $port]} {lappend one $port}
    }
    if {$one eq {}} {error "no port is called $pattern"}
    set found [concat $found $one]
  }
  return $found
}
proc note {ports want} {
  global direction times
  foreach port $ports {
    if {$want ne {any} && $direction($port) ne $want} {error "$port is an $direction($port)"}
    incr times($port)
  }
}
proc create_clock {args} {
  global clocks
  if {[llength $args] != 5 || [lindex $args 0] ne {-name} || [lindex $args 2] ne {-period} || ![string is double -strict [lindex $args 3]]} {error "create_clock $args"}
  note [lindex $args 4] input
  lappend clocks [lindex $args 1]
}
proc delay {args direction} {
  global clocks
  if {[llength $args] != 4 || [lindex $args 0] ne {-clock} || [lindex $args 1] ni $clocks || ![string is double -strict [lindex $args 2]]} {error "delay $args"}
  note [lindex $args 3] $direction
}
proc set_input_delay {args} {delay $args input}
proc set_output_delay {args} {delay $args output}
proc set_false_path {args} {
  if {[llength $args] != 2} {error "set_false_path $args"}
  switch -- [lindex $args 0] {
    -from {set want input}
    -to {set want output}
    default {error "set_false_path $args"}
  }
  foreach port [lindex $args 1] {if {$::direction($port) ne $want} {error "$port is no $want"}}
}
proc set_property {args} {
  global pins
  if {[llength $args] != 3 || [lindex $args 0] ne {-dict}} {error "set_property $args"}
  array set dict [lindex $args 1]
  if {[lsort [array names dict]] ne {IOSTANDARD PACKAGE_PIN}} {error "set_property $args"}
  if {[info exists pins($dict(PACKAGE_PIN))]} {error "pin $dict(PACKAGE_PIN) is given twice"}
  set pins($dict(PACKAGE_PIN)) 1
  note [lindex $args 2] any
}
`

// The examples of constraints are Tcl, know their module's ports, and leave none out. No tool that reads SDC or XDC is
// in Debian, and nextpnr-ice40 reads neither: Yosys' Tcl runs them with commands of our own.
func TestConstraints(t *testing.T) {
	testenv.Tools(t, "yosys")
	w := edatest.NewWork(t)
	run := func(module, constrained string, bits bool) error {
		text, err := hdl.FS.ReadFile("rtl/" + module + ".v")
		testenv.Must(t, err)
		m, err := hdl.Parse(string(text))
		testenv.Must(t, err)
		program := constraints
		for _, p := range m.Ports {
			names := []string{p.Name}
			if bits && p.Range != "" {
				names = nil
				for i := range bitsOf(t, p.Range, m.Parameters) {
					names = append(names, fmt.Sprintf("%s[%d]", p.Name, i))
				}
			}
			for _, name := range names {
				program += fmt.Sprintf("set {direction(%s)} %s\nset {times(%s)} 0\n", name, p.Direction, name)
			}
		}
		program += constrained + `
foreach port [array names direction] {
  if {$times($port) == 0} {error "$port has no constraint"}
}
`
		testenv.Must(t, os.WriteFile(w.Path("constraints.tcl"), []byte(program), 0o666))
		r, err := w.Run(t.Context(), w.Dir, "yosys", "-q", "-c", "constraints.tcl")
		if err != nil {
			return fmt.Errorf("%w\n%s", err, r.Output)
		}
		return nil
	}
	for _, c := range []struct {
		file, module string
		bits         bool
		bad          [][2]string
	}{
		{"ply11_peripheral.sdc", "ply11_peripheral", false, [][2]string{{"s_axis_tlast", "s_axis_last"}, {"irq ", ""},
			{"irq ", "irq aresetn "}, {"[get_ports aclk]", "[get_ports clk]"}}},
		{"ply11_top.xdc", "ply11_top", true, [][2]string{{"led[7]", "led[8]"}, {"J18", "J17"},
			{"-from [get_ports rx]", "-from [get_ports tx]"}}},
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "examples", c.file))
		testenv.Must(t, err)
		if err := run(c.module, string(text), c.bits); err != nil {
			t.Errorf("%s: %v", c.file, err)
		}
		for _, b := range c.bad {
			bad := strings.Replace(string(text), b[0], b[1], 1)
			if bad == string(text) || run(c.module, bad, c.bits) == nil {
				t.Errorf("%s: %q in place of %q is not noticed", c.file, b[1], b[0])
			}
		}
	}
}

// bitsOf returns how many bits a range has: N:0, or N-1:0, where N is a number or a parameter with its default.
func bitsOf(t *testing.T, text string, parameters []hdl.Parameter) int {
	high, ok := strings.CutSuffix(text, ":0")
	number, less := strings.CutSuffix(high, "-1")
	if i := slices.IndexFunc(parameters, func(p hdl.Parameter) bool { return p.Name == number }); i >= 0 {
		number = parameters[i].Default
	}
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		t.Fatalf("the range %q is not understood", text)
	}
	if less {
		return n
	}
	return n + 1
}

func TestBitsOf(t *testing.T) {
	parameters := []hdl.Parameter{{Name: "N", Default: "8"}}
	for text, want := range map[string]int{"7:0": 8, "N-1:0": 8, "N:0": 9, "0:0": 1, "16-1:0": 16} {
		if got := bitsOf(t, text, parameters); got != want {
			t.Errorf("%s has %d bits, not %d", text, got, want)
		}
	}
}
