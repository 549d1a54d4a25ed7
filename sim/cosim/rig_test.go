// SPDX-License-Identifier: Apache-2.0

package cosim_test

import (
	"slices"
	"sync"
	"testing"

	"ply11/internal/testenv"
	"ply11/sim"
	"ply11/sim/eda"
	"ply11/sim/eda/edatest"
	"ply11/sim/oracle"
)

// A rig is a machine of a module, whose ports a test drives by their names, in each stream in another way.
type rig struct {
	*sim.Machine
	ports map[string]sim.Signal
}

// resetClocks is how long a reset is held.
const resetClocks = 4

// netlists has those that were made, by modules and parameters: a test asks for the same rig often.
var netlists sync.Map

// netlist has Yosys make the netlist of a module with the files of all its lint checks.
func netlist(t *testing.T, v eda.Verilog) (*sim.Netlist, error) {
	checks, err := eda.Checks()
	if err != nil {
		return nil, err
	}
	for _, c := range checks {
		if c.Kind != "lint" || c.Top != v.Top {
			continue
		}
		for _, f := range c.Files {
			if !slices.Contains(v.Files, f) {
				v.Files = append(v.Files, f)
			}
		}
	}
	data, err := edatest.NewWork(t).Aiger(t.Context(), v)
	if err != nil {
		return nil, err
	}
	return sim.Parse(data)
}

// newRig has Yosys make the netlist of a module, and runs it for some clocks with rst or without aresetn.
func newRig(t *testing.T, module string, params ...string) *rig {
	t.Helper()
	testenv.Tools(t, "yosys")
	v := eda.Verilog{Top: module, Params: params}
	get, _ := netlists.LoadOrStore(v.String(), sync.OnceValues(func() (*sim.Netlist, error) { return netlist(t, v) }))
	n, err := get.(func() (*sim.Netlist, error))()
	edatest.Must(t, err)
	m, err := sim.NewMachine(n, sim.Narrow)
	edatest.Must(t, err)
	r := &rig{m, make(map[string]sim.Signal)}
	for _, s := range n.Signals() {
		if s.Kind != sim.Register {
			r.ports[s.Name] = s
		}
	}
	random := sim.Random(29)
	for i := range r.Registers() {
		r.Registers()[i] = random.Next()
	}
	if rst, ok := r.ports["rst"]; ok {
		r.Pulse(rst, resetClocks)
	} else {
		for range resetClocks {
			r.Eval()
			r.Step()
		}
		r.SetAll(r.port("aresetn"), 1)
	}
	return r
}

func (r *rig) port(name string) sim.Signal {
	s, ok := r.ports[name]
	if !ok {
		panic("no port " + name)
	}
	return s
}

func (r *rig) set(stream int, name string, value uint64) { r.Set(r.port(name), stream, value) }

func (r *rig) setBit(stream int, name string, value bool) {
	bit := uint64(0)
	if value {
		bit = 1
	}
	r.set(stream, name, bit)
}

// get returns an output of one stream, as of the last Eval.
func (r *rig) get(stream int, name string) uint64 { return r.Get(r.port(name), stream) }

func (r *rig) setWords(stream int, name string, words ...uint64) {
	s := r.port(name)
	for k, x := range words {
		r.Set(s.Slice(64*k, min(64*k+64, s.Width())), stream, x)
	}
}

// setPosition sets the inputs board, side and, where the module has them, rights, ep and ply.
func (r *rig) setPosition(stream int, s *oracle.State) {
	r.setWords(stream, "board", s.Pieces[:]...)
	for name, value := range map[string]uint64{"side": uint64(s.Side), "rights": uint64(s.Rights), "ep": uint64(s.EP),
		"ply": uint64(s.Ply)} {
		if p, ok := r.ports[name]; ok {
			r.Set(p, stream, value)
		}
	}
}

// A rigStream is what a test does in a stream. Drive sets the inputs, and is false at the end; sample looks at the
// outputs.
type rigStream interface {
	drive(r *rig, stream int) bool
	sample(r *rig, stream int) error
}

// run runs streams to their ends, and returns the clocks of all together.
func (r *rig) run(t *testing.T, most int, streams ...rigStream) (clocks int) {
	t.Helper()
	over := make([]bool, len(streams))
	most += r.Clock()
	for left := len(streams); left > 0; r.Step() {
		for i, s := range streams {
			if !over[i] && !s.drive(r, i) {
				over[i] = true
				left--
			}
		}
		r.Eval()
		for i, s := range streams {
			if over[i] {
				continue
			}
			clocks++
			if err := s.sample(r, i); err != nil {
				t.Fatalf("stream %d, clock %d: %v", i, r.Clock(), err)
			}
		}
		if r.Clock() > most {
			t.Fatalf("%d of %d streams do not end in %d clocks", left, len(streams), most)
		}
	}
	return clocks
}
