// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Module is a module of a netlist, as Yosys' write_json has it.
type Module struct {
	Ports map[string]struct {
		Direction string `json:"direction"` // input or output
		Bits      []any  `json:"bits"`
	} `json:"ports"`
	// Parameters are the values, in binary digits or as text, that the netlist was made with.
	Parameters map[string]string `json:"parameter_default_values"`
}

// ReadModule reads the one module of that name.
func ReadModule(file, name string) (Module, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return Module{}, err
	}
	var netlist struct {
		Modules map[string]Module `json:"modules"`
	}
	if err := json.Unmarshal(text, &netlist); err != nil {
		return Module{}, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	m, ok := netlist.Modules[name]
	if !ok {
		return Module{}, fmt.Errorf("%s: there is no module %s", filepath.Base(file), name)
	}
	return m, nil
}

func (m Module) ports() []string { return slices.Sorted(maps.Keys(m.Ports)) }

// values returns the names of the parameters in order, and their values in Verilog.
func (m Module) values() (names []string, values map[string]string) {
	values = make(map[string]string)
	for n, digits := range m.Parameters {
		names = append(names, n)
		// What is no number is text, such as the name of an image.
		if v, err := strconv.ParseUint(digits, 2, 64); err == nil {
			values[n] = strconv.FormatInt(int64(v), 10)
		} else {
			values[n] = strconv.Quote(strings.TrimSuffix(digits, " "))
		}
	}
	slices.Sort(names)
	return names, values
}

func (m Module) declare() string {
	var lines []string
	for _, n := range m.ports() {
		lines = append(lines, fmt.Sprintf("  %s wire [%d:0] %s", m.Ports[n].Direction, len(m.Ports[n].Bits)-1, n))
	}
	return strings.Join(lines, ",\n")
}

func (m Module) connect() string {
	var list []string
	for _, n := range m.ports() {
		list = append(list, "."+n+"("+n+")")
	}
	return strings.Join(list, ", ")
}

type variant struct {
	netlist string // the name of its module
	module  Module
}

// standIn returns a Verilog module with the name, the ports and the parameters of another, which holds netlists of it.
// Values of parameters that no variant has make it name a module that does not exist.
func standIn(name string, variants []variant) string {
	var b strings.Builder
	fmt.Fprintf(&b, "`timescale 1ns / 1ps\n`default_nettype none\nmodule %s", name)
	first := variants[0].module
	names, values := first.values()
	for i, n := range names {
		fmt.Fprintf(&b, "%s\n  parameter %s = %s", []string{" #(", ","}[min(i, 1)], n, values[n])
	}
	if len(names) > 0 {
		b.WriteString("\n)")
	}
	fmt.Fprintf(&b, " (\n%s\n);\n  generate\n", first.declare())
	for i, v := range variants {
		names, values := v.module.values()
		condition := "1"
		for _, n := range names {
			condition += fmt.Sprintf(" && %s == %s", n, values[n])
		}
		fmt.Fprintf(&b, "  if (%s) begin : g_%d\n    %s u_netlist (%s);\n  end else ", condition, i, v.netlist,
			v.module.connect())
	}
	fmt.Fprintf(&b, "begin : g_none\n    %s_was_not_made_with_these_parameters u_check ();\n  end\n  "+
		"endgenerate\nendmodule\n", name)
	fmt.Fprint(&b, "`default_nettype wire\n")
	return b.String()
}

func iceCells() (string, error) {
	yosys, err := find("yosys")
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(yosys); err == nil {
		yosys = real
	}
	cells := filepath.Join(filepath.Dir(filepath.Dir(yosys)), "share", "yosys", "ice40", "cells_sim.v")
	if _, err := os.Stat(cells); err != nil {
		return "", fmt.Errorf("the models of the iCE40's cells: %w", err)
	}
	return cells, nil
}

// netlist synthesises the module that the check's args name for the iCE40 and runs the bench on it.
func (w *Work) netlist(ctx context.Context, j job) (verdict, Execution, error) {
	var total Execution
	var benchFiles, rtl []string
	_, what, _ := strings.Cut(j.check.Args, " ")
	name, _, _ := strings.Cut(what, " ")
	for i, f := range j.verilog().Files {
		if !strings.HasPrefix(j.check.Files[i], "tb/") {
			rtl = append(rtl, f)
		}
		// The bench may have other modules, too.
		if j.check.Files[i] != "rtl/"+name+".v" {
			benchFiles = append(benchFiles, f)
		}
	}
	cells, err := iceCells()
	if err != nil {
		return broken, total, err
	}
	var variants []variant
	for i, one := range strings.Split(what, ";") {
		fields := strings.Fields(one)
		if len(fields) == 0 || fields[0] != name {
			return broken, total, fmt.Errorf("check %s: args name no module, or several", j.check.Name)
		}
		v := variant{netlist: fmt.Sprintf("%s_netlist_%d", name, i)}
		text, js := filepath.Join(j.dir, v.netlist+".v"), filepath.Join(j.dir, v.netlist+".json")
		r, err := w.Run(ctx, w.Dir, "yosys", "-q", "-p", fmt.Sprintf(
			"%ssynth_ice40 -top %s; rename -top %s; splitnets; write_verilog -noattr %s; write_json %s",
			w.Read(Verilog{name, fields[1:], rtl}), name, v.netlist, text, js))
		total.CPU += r.CPU
		if err != nil {
			return broken, r, err
		}
		if v.module, err = ReadModule(js, v.netlist); err != nil {
			return broken, total, err
		}
		variants = append(variants, v)
		benchFiles = append(benchFiles, text)
	}
	file := filepath.Join(j.dir, name+".v")
	if err := os.WriteFile(file, []byte(standIn(name, variants)), 0o666); err != nil {
		return broken, total, err
	}
	b := Verilog{j.check.Top, j.check.Params, append(benchFiles, file, cells)}
	build := w.icarusNetlist
	if j.tool == Verilator {
		build = w.Verilator
	}
	v, r, err := simulate(ctx, build, b, j.mutant != nil)
	r.CPU += total.CPU
	return v, r, err
}
