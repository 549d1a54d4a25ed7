// SPDX-License-Identifier: Apache-2.0

package hwdoc

import (
	"context"
	"fmt"

	"ply11/sim"
	"ply11/sim/cosim"
)

// A dut is a module that runs, with ports by their names. What cannot be is a panic.
type dut struct {
	m     *sim.Machine
	ports map[string]sim.Signal
}

// newDUT makes a module of package hdl with parameters, NAME=value, and all registers and inputs 0.
func newDUT(ctx context.Context, module string, params ...string) *dut {
	n, err := cosim.Netlist(ctx, module, params...)
	if err != nil {
		panic(err)
	}
	m, err := sim.NewMachine(n, sim.Narrow)
	if err != nil {
		panic(err)
	}
	d := &dut{m, map[string]sim.Signal{}}
	for _, s := range n.Signals() {
		if s.Kind != sim.Register {
			d.ports[s.Name] = s
		}
	}
	return d
}

func (d *dut) port(name string) sim.Signal {
	s, ok := d.ports[name]
	if !ok {
		panic(fmt.Sprintf("no port %s", name))
	}
	return s
}

// Set sets an input of at most 64 bits.
func (d *dut) Set(name string, value uint64) { d.m.Set(d.port(name), 0, value) }

// SetWords sets an input of more bits, of which the first word has the lowest.
func (d *dut) SetWords(name string, words ...uint64) {
	s := d.port(name)
	for k, x := range words {
		d.m.Set(s.Slice(64*k, min(64*k+64, s.Width())), 0, x)
	}
}

// Get returns a port of at most 64 bits, an output as of the last Eval.
func (d *dut) Get(name string) uint64 { return d.m.Get(d.port(name), 0) }

// Bit tells whether a port of one bit is 1.
func (d *dut) Bit(name string) bool { return d.Get(name) == 1 }

// Eval brings the outputs up to date with the inputs.
func (d *dut) Eval() { d.m.Eval() }

// Step is the edge of the clock.
func (d *dut) Step() {
	d.m.Eval()
	d.m.Step()
}
