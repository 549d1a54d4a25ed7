// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"ply11/sim"
	"ply11/sim/eda"
	"ply11/sim/netlists"
)

// A port is a port of a module but its clock.
type port struct {
	name   string
	width  int // bits
	output bool
	valid  string // the output that says when this one has a meaning; "" is always
}

// bytes returns how many bytes a record has for the port: 1, 2, 4 or a multiple of 4.
func (p *port) bytes() int {
	switch {
	case p.width <= 8:
		return 1
	case p.width <= 16:
		return 2
	}
	return (p.width + 31) / 32 * 4
}

// A design is a module with its netlist, which has the ports.
type design struct {
	eda.Verilog
	net   *sim.Netlist
	ports []port
	clock string // the name of its clock; "" is a module without one
}

// newDesign returns the design of a netlist. A port that begins with one of the prefixes and "_" has a meaning while
// the output valid of that prefix is 1.
func newDesign(v eda.Verilog, n *sim.Netlist, prefixes ...string) *design {
	d := &design{Verilog: v, net: n}
	for _, s := range n.Signals() {
		if s.Kind == sim.Input && (s.Name == "clk" || s.Name == "aclk") {
			d.clock = s.Name
		}
		if s.Kind == sim.Register || s.Name == d.clock {
			continue
		}
		p := port{name: s.Name, width: s.Width(), output: s.Kind == sim.Output}
		for _, prefix := range prefixes {
			if valid := prefix + "_valid"; p.output && p.name != valid && strings.HasPrefix(p.name, prefix+"_") {
				p.valid = valid
			}
		}
		d.ports = append(d.ports, p)
	}
	return d
}

// known has the netlists that the process has used, by their names or by module and parameters: functions that return
// them.
var known sync.Map

func once(name string, get func() (*sim.Netlist, error)) (*sim.Netlist, error) {
	f, _ := known.LoadOrStore(name, sync.OnceValues(get))
	n, err := f.(func() (*sim.Netlist, error))()
	if err != nil {
		known.Delete(name)
	}
	return n, err
}

func storedNetlist(name string) (*sim.Netlist, error) {
	return once(name, func() (*sim.Netlist, error) { return netlists.Open(name) })
}

func makeNetlist(ctx context.Context, v eda.Verilog) (*sim.Netlist, error) {
	return once(v.String(), func() (*sim.Netlist, error) {
		w, err := eda.NewWork()
		if err != nil {
			return nil, err
		}
		defer w.Close()
		return yosys(ctx, w, v)
	})
}

func yosys(ctx context.Context, w *eda.Work, v eda.Verilog) (*sim.Netlist, error) {
	data, err := w.Aiger(ctx, v)
	if err != nil {
		return nil, err
	}
	return sim.Parse(data)
}

// filesOf returns the files of a module with all that may be in it: those of all its lint checks.
func filesOf(module string) (files []string, err error) {
	checks, err := eda.Checks()
	if err != nil {
		return nil, err
	}
	for _, c := range checks {
		if c.Kind != "lint" || c.Top != module {
			continue
		}
		for _, f := range c.Files {
			if !slices.Contains(files, f) {
				files = append(files, f)
			}
		}
	}
	if files == nil {
		return nil, fmt.Errorf("%s has no lint in hdl/checks.tsv", module)
	}
	return files, nil
}
