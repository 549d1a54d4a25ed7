// SPDX-License-Identifier: Apache-2.0

package hwdoc_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/hdl"
	"ply11/internal/testenv"
	"ply11/sim/eda/edatest"
)

// vendor has the commands of Vivado and Quartus that the examples use. They print what they are told: the files, the
// top, the parameters, the constraints, which ports are virtual pins. Another command is an error.
const vendor = `
proc package {args} {}
proc read_verilog {file} {puts "file $file"}
proc read_xdc {file} {puts "constraints $file"}
proc synth_design {args} {
  foreach {option value} $args {
    switch -- $option {
      -top {puts "top $value"}
      -generic {puts "parameter [lindex [split $value =] 0]"}
      -part {}
      default {error "synth_design $option"}
    }
  }
}
foreach done {opt_design place_design route_design report_utilization report_timing_summary write_bitstream project_new project_close execute_flow} {
  proc $done {args} {}
}
proc set_instance_assignment {option name value to port} {
  if {$option ne {-name} || $to ne {-to} || $name ne {VIRTUAL_PIN}} {error "set_instance_assignment $option $name $to"}
  puts "virtual $port $value"
}
proc set_global_assignment {option name value} {
  if {$option ne {-name}} {error "set_global_assignment $option"}
  switch -- $name {
    VERILOG_FILE {puts "file $value"}
    SDC_FILE {puts "constraints $value"}
    TOP_LEVEL_ENTITY {puts "top $value"}
    FAMILY - DEVICE {}
    default {error "set_global_assignment $name"}
  }
}
proc set_parameter {option name value} {puts "parameter $name"}
`

// The examples for Vivado and Quartus are Tcl that names the files of its top, parameters that the top has, and
// constraints that are there. Neither tool is in Debian: Yosys' Tcl runs them, with commands of our own.
func TestVendors(t *testing.T) {
	testenv.Tools(t, "yosys")
	for _, c := range []struct {
		file, module string
		virtual      []string
	}{
		{"ply11_top.vivado.tcl", "ply11_top", nil},
		{"ply11_peripheral.quartus.tcl", "ply11_peripheral", []string{"* ON", "aclk OFF"}},
	} {
		w := edatest.NewWork(t)
		// They run in build, beside hdl, so that nothing that the tools make is in the sources.
		root := t.TempDir()
		build := filepath.Join(root, "build")
		testenv.Must(t, hdl.Extract(filepath.Join(root, "hdl")))
		testenv.Must(t, os.Mkdir(build, 0o777))
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "examples", c.file))
		testenv.Must(t, err)
		testenv.Must(t, os.WriteFile(w.Path("vendor.tcl"), []byte(vendor+string(text)), 0o666))
		r, err := w.Run(t.Context(), build, "yosys", "-Q", "-T", "-c", w.Path("vendor.tcl"))
		if err != nil {
			t.Errorf("%s: %v\n%s", c.file, err, r.Output)
			continue
		}
		source, err := hdl.FS.ReadFile("rtl/" + c.module + ".v")
		testenv.Must(t, err)
		m, err := hdl.Parse(string(source))
		testenv.Must(t, err)
		list, err := hdl.FS.ReadFile("rtl/" + c.module + ".f")
		testenv.Must(t, err)
		said := map[string][]string{}
		for line := range strings.Lines(r.Output) {
			if what, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
				said[what] = append(said[what], value)
			}
		}
		var files []string
		for line := range strings.Lines(string(list)) {
			if !strings.HasPrefix(line, "//") {
				files = append(files, "../hdl/"+strings.TrimSpace(line))
			}
		}
		if !slices.Equal(said["file"], files) {
			t.Errorf("%s: files %q, want %q", c.file, said["file"], files)
		}
		if !slices.Equal(said["top"], []string{c.module}) {
			t.Errorf("%s: top %q", c.file, said["top"])
		}
		for _, name := range said["parameter"] {
			if !slices.ContainsFunc(m.Parameters, func(p hdl.Parameter) bool { return p.Name == name }) {
				t.Errorf("%s: %s has no parameter %s", c.file, c.module, name)
			}
		}
		if !slices.Equal(said["virtual"], c.virtual) {
			t.Errorf("%s: virtual pins %q, want %q", c.file, said["virtual"], c.virtual)
		}
		if len(said["constraints"]) != 1 {
			t.Errorf("%s: constraints %q", c.file, said["constraints"])
		}
		for _, name := range said["constraints"] {
			if _, err := os.Stat(filepath.Join("..", "..", "..", "..", "build", filepath.FromSlash(name))); err != nil {
				t.Error(err)
			}
		}
	}
}
