// SPDX-License-Identifier: Apache-2.0

// Package dut runs a netlist for generators of vectors that record what a module does: one stream, ports by their
// names.
package dut

import (
	"fmt"

	"ply11/sim"
)

// A Maker makes the netlist of a module of package hdl with parameters, NAME=value.
type Maker func(module string, params ...string) (*sim.Netlist, error)

// A DUT is a module that runs. What cannot be is a panic, as in all generators of vectors.
type DUT struct {
	m     *sim.Machine
	ports map[string]sim.Signal
}

// New makes a module, with all registers and inputs 0.
func (make Maker) New(module string, params ...string) *DUT {
	n, err := make(module, params...)
	if err != nil {
		panic(err)
	}
	m, err := sim.NewMachine(n, sim.Narrow)
	if err != nil {
		panic(err)
	}
	d := &DUT{m, map[string]sim.Signal{}}
	for _, s := range n.Signals() {
		if s.Kind != sim.Register {
			d.ports[s.Name] = s
		}
	}
	return d
}

func (d *DUT) port(name string) sim.Signal {
	s, ok := d.ports[name]
	if !ok {
		panic(fmt.Sprintf("no port %s", name))
	}
	return s
}

// Set sets an input of at most 64 bits.
func (d *DUT) Set(name string, value uint64) { d.m.Set(d.port(name), 0, value) }

// SetWords sets an input of more bits, of which the first word has the lowest.
func (d *DUT) SetWords(name string, words ...uint64) {
	s := d.port(name)
	for k, x := range words {
		d.m.Set(s.Slice(64*k, min(64*k+64, s.Width())), 0, x)
	}
}

// SetBit sets an input of one bit.
func (d *DUT) SetBit(name string, value bool) {
	x := uint64(0)
	if value {
		x = 1
	}
	d.Set(name, x)
}

// Get returns a port of at most 64 bits, an output as of the last Eval.
func (d *DUT) Get(name string) uint64 { return d.m.Get(d.port(name), 0) }

// Bit tells whether a port of one bit is 1.
func (d *DUT) Bit(name string) bool { return d.Get(name) == 1 }

// Eval brings the outputs up to date with the inputs.
func (d *DUT) Eval() { d.m.Eval() }

// Step is the edge of the clock.
func (d *DUT) Step() {
	d.m.Eval()
	d.m.Step()
}
