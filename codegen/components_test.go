// SPDX-License-Identifier: Apache-2.0

package codegen_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/hdl"
	"ply11/internal/testenv"
)

// A verilogModule is the head of a module as Yosys reads it.
type verilogModule struct {
	Ports map[string]struct {
		Direction string
		Bits      []any
	}
	Defaults map[string]string `json:"parameter_default_values"`
}

// wider are parameters that no longer make vectors of one bit, which Yosys writes as it writes single bits.
var wider = map[string]int{"WIDTH": 32, "USER_WIDTH": 3}

// yosysModules returns the heads of all modules with the values of wider for those parameters.
func yosysModules(t *testing.T, dir string) map[string]verilogModule {
	t.Helper()
	script := "read_verilog rtl/*.v; delete */p:*; write_json modules.json; "
	for _, m := range hdl.Modules() {
		for _, name := range slices.Sorted(maps.Keys(wider)) {
			source, err := hdl.FS.ReadFile("rtl/" + m + ".v")
			testenv.Must(t, err)
			if strings.Contains(string(source), "\n  parameter "+name+" =") {
				script += fmt.Sprintf("chparam -set %s %d %s; ", name, wider[name], m)
			}
		}
	}
	run(t, dir, "yosys", "yosys", "-q", "-p", script+"delete */p:*; write_json wide.json")
	var netlists [2]struct{ Modules map[string]verilogModule }
	for i, name := range []string{"modules.json", "wide.json"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		testenv.Must(t, err)
		testenv.Must(t, json.Unmarshal(text, &netlists[i]))
	}
	plain, modules := netlists[0].Modules, netlists[1].Modules
	for name, m := range modules {
		m.Defaults = plain[name].Defaults
		modules[name] = m
	}
	return modules
}

// vhdlName is a name of the Verilog as VHDL has it, which reserves some of them.
func vhdlName(name string) string {
	if slices.Contains([]string{"file", "in", "open", "out", "to"}, strings.ToLower(name)) {
		return `\` + name + `\`
	}
	return name
}

// bench makes a VHDL design with two instances of each component. The first connects all ports that the Verilog has: to
// signals of their widths, and what is an input there to constants, which an output cannot be. The second leaves the
// outputs open, which an input cannot be.
func vhdlBench(modules map[string]verilogModule) string {
	var declarations, instances strings.Builder
	for _, m := range slices.Sorted(maps.Keys(modules)) {
		var all, inputs []string
		for _, port := range slices.Sorted(maps.Keys(modules[m].Ports)) {
			p := modules[m].Ports[port]
			kind, value := "std_logic", "'0'"
			if n := len(p.Bits); n > 1 {
				kind, value = fmt.Sprintf("std_logic_vector(%d downto 0)", n-1), "(others => '0')"
			}
			name := vhdlName(port)
			if _, ok := modules[m].Defaults[strings.ToUpper(port)]; ok {
				name = `\` + port + `\`
			}
			one := fmt.Sprintf("%s => %s_%s", name, m, port)
			all = append(all, one)
			if p.Direction == "input" {
				fmt.Fprintf(&declarations, "  constant %s_%s : %s := %s;\n", m, port, kind, value)
				inputs = append(inputs, one)
			} else {
				fmt.Fprintf(&declarations, "  signal %s_%s : %s;\n", m, port, kind)
			}
		}
		var generics []string
		for _, name := range slices.Sorted(maps.Keys(wider)) {
			if _, ok := modules[m].Defaults[name]; ok {
				generics = append(generics, fmt.Sprintf("%s => %d", name, wider[name]))
			}
		}
		generic := ""
		if generics != nil {
			generic = " generic map (" + strings.Join(generics, ", ") + ")"
		}
		fmt.Fprintf(&instances, "  all_%s : %s%s port map (%s);\n", m, m, generic, strings.Join(all, ", "))
		fmt.Fprintf(&instances, "  inputs_%s : %s%s port map (%s);\n", m, m, generic, strings.Join(inputs, ", "))
	}
	return "library ieee;\nuse ieee.std_logic_1164.all;\nuse work.ply11_components.all;\n\nentity bench is\nend " +
		"entity bench;\n\n" +
		"architecture test of bench is\n" + declarations.String() + "begin\n" + instances.String() +
		"end architecture test;\n"
}

// GHDL, which we did not write, analyses the package, as VHDL-93 and VHDL-2008, and takes each component with the ports
// that Yosys, which we did not write either, reads in the Verilog: their names, directions and widths. Errors in the
// package, one of each kind, are noticed.
func TestComponents(t *testing.T) {
	dir := t.TempDir()
	testenv.Must(t, hdl.Extract(dir))
	modules := yosysModules(t, dir)
	if len(modules) != len(hdl.Modules()) {
		t.Fatalf("yosys reads %d modules of %d", len(modules), len(hdl.Modules()))
	}
	testenv.Must(t, os.WriteFile(filepath.Join(dir, "bench.vhd"), []byte(vhdlBench(modules)), 0o666))
	good := string(fromTree(t, "hdl/rtl/ply11_components.vhd"))
	ghdl := testenv.Tools(t, "ghdl")[0]
	try := func(std, text string) error {
		testenv.Must(t, os.WriteFile(filepath.Join(dir, "components.vhd"), []byte(text), 0o666))
		for _, args := range [][]string{{"-a", std, "components.vhd", "bench.vhd"}, {"-e", std, "bench"},
			{"-r", std, "bench"}} {
			if out, err := command(dir, ghdl, args...); err != nil {
				return fmt.Errorf("ghdl %v: %w\n%s", args, err, out)
			}
		}
		return nil
	}
	for _, std := range []string{"--std=93c", "--std=08"} {
		if err := try(std, good); err != nil {
			t.Errorf("%s: %v", std, err)
		}
	}
	for name, change := range map[string][2]string{
		"missing": {"      m_captured : out std_logic_vector(3 downto 0);", ""},
		"unknown": {"      load_valid : in std_logic;", "      load_valid : in std_logic; more : in std_logic;"},
		"width": {"      load_addr : in std_logic_vector(3 downto 0);",
			"      load_addr : in std_logic_vector(4 downto 0);"},
		"parameter": {"s_data : in std_logic_vector(WIDTH-1 downto 0);",
			"s_data : in std_logic_vector(7 downto 0);"},
		"no vector":    {"      m_kind : out std_logic_vector(1 downto 0);", "      m_kind : out std_logic;"},
		"input":        {"      load_ready : out std_logic;", "      load_ready : in std_logic;"},
		"output":       {"      load_valid : in std_logic;", "      load_valid : out std_logic;"},
		"not reserved": {`\open\ :`, "open :"},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if bad == good {
			t.Errorf("%s: the package has no %q", name, change[0])
		} else if try("--std=93c", bad) == nil {
			t.Errorf("%s: ghdl says nothing", name)
		}
	}
	for m, head := range modules {
		_, component, _ := strings.Cut(good, "component "+m+" is")
		component, _, _ = strings.Cut(component, "end component")
		if n := strings.Count(component, " := "); n != len(head.Defaults) {
			t.Errorf("%s: %d generics, want %d", m, n, len(head.Defaults))
		}
		for name, value := range head.Defaults {
			want := fmt.Sprintf(`%s : string := ""`, name)
			if n, err := strconv.ParseInt(value, 2, 64); err == nil {
				want = fmt.Sprintf("%s : integer := %d", vhdlName(name), n)
			}
			if !strings.Contains(component, want) {
				t.Errorf("%s: no %q", m, want)
			}
		}
	}
}
