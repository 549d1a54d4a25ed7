// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/hdl"
	"ply11/internal/testenv"
)

type valueRange struct{ from, to int }

// parseValues reads the column values of hdl/parameters.tsv.
func parseValues(t *testing.T, text string) (all []valueRange) {
	t.Helper()
	for part := range strings.FieldsSeq(text) {
		low, high, wide := strings.Cut(part, "..")
		from, err := strconv.Atoi(low)
		to := from
		switch {
		case err == nil && wide && high == "":
			to = math.MaxInt
		case err == nil && wide:
			to, err = strconv.Atoi(high)
		}
		if err != nil {
			t.Fatalf("values %q: %v", text, err)
		}
		all = append(all, valueRange{from, to})
	}
	return all
}

// ends returns the values at the ends of the ranges, and those beside them that are in none.
func ends(all []valueRange) (within, outside []int) {
	for _, r := range all {
		within = append(within, r.from)
		outside = append(outside, r.from-1)
		if r.to != math.MaxInt {
			within = append(within, r.to)
			outside = append(outside, r.to+1)
		}
	}
	outside = slices.DeleteFunc(outside, func(v int) bool {
		return slices.ContainsFunc(all, func(r valueRange) bool { return v >= r.from && v <= r.to })
	})
	slices.Sort(within)
	slices.Sort(outside)
	return slices.Compact(within), slices.Compact(outside)
}

var instance = regexp.MustCompile(`(?m)^\s*(ply11_\w+) (?:#\(|u_\w+ \()`)

func filesOf(t *testing.T, module string) (files []string) {
	t.Helper()
	modules := hdl.Modules()
	var add func(module string)
	add = func(module string) {
		name := "rtl/" + module + ".v"
		if !slices.Contains(modules, module) || slices.Contains(files, name) {
			return
		}
		files = append(files, name)
		text, err := hdl.FS.ReadFile(name)
		testenv.Must(t, err)
		for _, m := range instance.FindAllStringSubmatch(string(text), -1) {
			add(m[1])
		}
	}
	add(module)
	return files
}

// Each parameter has its ends in hdl/parameters.tsv. At an end the module is as clean as anywhere; beside it Icarus,
// Verilator and Yosys stop with a name that says what is wrong.
func TestParameters(t *testing.T) {
	testenv.Tools(t, "iverilog", "verilator", "yosys")
	testenv.Slow(t)
	t.Parallel()
	rows, err := hdl.Table("parameters.tsv")
	testenv.Must(t, err)
	known := map[string]bool{}
	w := newWork(t)
	for _, row := range rows {
		module, parameter := row["module"], row["parameter"]
		known[module+" "+parameter] = true
		files := filesOf(t, module)
		within, outside := ends(parseValues(t, row["values"]))
		run := func(value int, tool string) Execution {
			params := append(strings.Fields(row["with"]), fmt.Sprintf("%s=%d", parameter, value))
			_, r, err := w.lint(t.Context(), job{check: Check{Verilog: Verilog{module, params, files}}, tool: tool})
			if err != nil && r.Output == "" {
				t.Fatal(err)
			}
			return r
		}
		t.Run(fmt.Sprintf("%s/%s", module, parameter), func(t *testing.T) {
			t.Parallel()
			tools := []string{"iverilog", "verilator", "yosys"}
			switch {
			case !strings.HasPrefix(row["error"], module+"_"):
				tools = tools[:1] // the module hands the value on to one that has rows of its own
			case len(files) > 8 && !testenv.Long:
				tools = tools[:2]
			}
			for _, value := range within {
				for _, tool := range tools[:max(1, len(tools)-1)] {
					if r := run(value, tool); r.Output != "" {
						t.Errorf("%s %s=%d: %s", tool, parameter, value, r.Output)
					}
				}
			}
			for _, value := range outside {
				for _, tool := range tools {
					if tool == "yosys" && value < 0 {
						continue // chparam takes no number below 0
					}
					if r := run(value, tool); !strings.Contains(r.Output, row["error"]) {
						t.Errorf("%s %s=%d: want %s, not %q", tool, parameter, value, row["error"], r.Output)
					}
				}
			}
		})
	}
	for _, name := range hdl.Modules() {
		text, err := hdl.FS.ReadFile("rtl/" + name + ".v")
		testenv.Must(t, err)
		m, err := hdl.Parse(string(text))
		testenv.Must(t, err)
		for _, p := range m.Parameters {
			if _, err := strconv.Atoi(p.Default); err == nil && !known[name+" "+p.Name] {
				t.Errorf("%s of %s has no row", p.Name, name)
			}
		}
	}
}
