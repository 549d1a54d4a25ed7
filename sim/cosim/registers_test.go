// SPDX-License-Identifier: Apache-2.0

package cosim_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	"ply11/bitstream/brenner"
	"ply11/bitstream/jose"
	"ply11/hdl"
	"ply11/sim/eda/edatest"
	"ply11/sim/oracle"
)

// A regsBus makes accesses on the netlist of ply11_regs.
type regsBus struct{ *rig }

// newRegsBus resets the registers of a build in which no field of STATUS is as any other.
func newRegsBus(t *testing.T) regsBus {
	t.Helper()
	b := regsBus{newRig(t, "ply11_regs", "MODES=7", "WIDTH=8", "LAYOUT=2", "DIALECT=1", "DEPTH=3", "PERFT=9",
		"MATCH=1")}
	for _, name := range []string{"s_axil_bready", "s_axil_rready", "perft_ready"} {
		b.put(name, 1)
	}
	b.Eval()
	return b
}

func (b regsBus) put(name string, value uint64) { b.set(0, name, value) }

// clock is a clock, with the inputs as they are.
func (b regsBus) clock() {
	b.Eval()
	b.Step()
}

// wait runs clocks until an output is 1.
func (b regsBus) wait(name string) {
	for b.Eval(); b.get(0, name) == 0; b.Eval() {
		b.clock()
	}
}

func (b regsBus) read(address int) (value uint32, ok bool) {
	b.put("s_axil_araddr", uint64(address))
	b.put("s_axil_arvalid", 1)
	b.wait("s_axil_rvalid")
	b.put("s_axil_arvalid", 0)
	b.Eval()
	value, ok = uint32(b.get(0, "s_axil_rdata")), b.get(0, "s_axil_rresp") == 0
	b.clock()
	return value, ok
}

func (b regsBus) write(address int, value uint32) (ok bool) {
	b.put("s_axil_awaddr", uint64(address))
	b.put("s_axil_wdata", uint64(value))
	b.put("s_axil_wstrb", 15)
	b.put("s_axil_awvalid", 1)
	b.put("s_axil_wvalid", 1)
	b.wait("s_axil_awready")
	b.clock()
	b.put("s_axil_awvalid", 0)
	b.put("s_axil_wvalid", 0)
	b.wait("s_axil_bvalid")
	ok = b.get(0, "s_axil_bresp") == 0
	b.clock()
	b.clock()
	return ok
}

// The hardware has the registers of the table: their addresses, who can be read and written, the values after reset,
// and which bits a write changes.
func TestRegisters(t *testing.T) {
	all, err := hdl.Registers()
	edatest.Must(t, err)
	table := map[int]*hdl.Register{}
	for i := range all {
		table[all[i].Address] = &all[i]
	}
	for address := 0; address < 0x100; address += 4 {
		b := newRegsBus(t)
		r := table[address]
		value, ok := b.read(address)
		if want := r != nil && r.Reads(); ok != want {
			t.Errorf("%02x: read %v, want %v", address, ok, want)
		}
		if ok && r != nil {
			for _, f := range r.Fields {
				if f.Fixed && value&f.Mask() != f.Reset<<f.Low {
					t.Errorf("%s.%s: %08x after reset, want %x", r.Name, f.Name, value, f.Reset)
				}
			}
		}
		wrote := b.write(address, ^uint32(0))
		if want := r != nil && slices.ContainsFunc(r.Fields, func(f hdl.Field) bool {
			return f.Access != "ro"
		}); wrote != want {
			t.Errorf("%02x: write %v, want %v", address, wrote, want)
		}
		if r == nil || !r.Reads() {
			continue
		}
		changed, masks := value, uint32(0)
		for _, f := range r.Fields {
			masks |= f.Mask()
			if f.Access == "rw" {
				changed |= f.Mask()
			}
		}
		if r.Name == "SNAPSHOT" {
			changed += 1 << 16 // NOW takes one
		}
		if got, _ := b.read(address); got != changed {
			t.Errorf("%s: %08x after ffffffff was written, want %08x", r.Name, got, changed)
		}
		if value&^masks != 0 {
			t.Errorf("%s: %08x has bits that are of no field", r.Name, value)
		}
	}

	// What the build decides, and what an event sets and a written 1 takes back.
	b := newRegsBus(t)
	fields := map[string]*hdl.Field{}
	for i := range all {
		for k := range all[i].Fields {
			fields[all[i].Name+"."+all[i].Fields[k].Name] = &all[i].Fields[k]
		}
	}
	status, _ := b.read(0x0c)
	for name, want := range map[string]uint32{"MODES": 7, "LAYOUT": 2, "DIALECT": 1, "WIDTH": 8, "DEPTH": 3, "PERFT": 9,
		"MATCH": 1} {
		f := fields["STATUS."+name]
		if got := status & f.Mask() >> f.Low; got != want {
			t.Errorf("STATUS.%s is %d, want %d", name, got, want)
		}
	}
	event := func(b regsBus, name string, f *hdl.Field) {
		t.Helper()
		if got, _ := b.read(0x10); got != f.Mask() {
			t.Errorf("INTERRUPT is %x after %s, want %x", got, name, f.Mask())
		}
		b.write(0x10, ^f.Mask())
		b.write(0x10, f.Mask())
		if got, _ := b.read(0x10); got != 0 {
			t.Errorf("INTERRUPT is %x after a 1 was written", got)
		}
	}
	for kind, name := range map[uint8]string{oracle.BeatEnd: "END", oracle.BeatError: "ERROR"} {
		b := newRegsBus(t)
		b.put("beat_tvalid", 1)
		b.setWords(0, "beat_tdata", uint64(kind), 0)
		b.clock()
		b.put("beat_tready", 1)
		b.clock()
		b.put("beat_tvalid", 0)
		event(b, name, fields["INTERRUPT."+name])
	}
	b = newRegsBus(t)
	b.put("count_valid", 1)
	b.clock()
	event(b, "COUNT", fields["INTERRUPT.COUNT"])
	b = newRegsBus(t)
	b.put("hit", 1)
	b.clock()
	b.put("hit", 0)
	event(b, "HIT", fields["INTERRUPT.HIT"])
}

// The parameters of a build that STATUS tells have room there, for every value that the software has a name for.
func TestStatusHasRoom(t *testing.T) {
	all, err := hdl.Registers()
	edatest.Must(t, err)
	values := map[string]int{"LAYOUT": len(brenner.Layouts), "DIALECT": len(jose.Dialects), "DEPTH": 31 + 1,
		"MODES": 1 << (oracle.ModeChessBase + 1)}
	for _, r := range all {
		for _, f := range r.Fields {
			n, ok := values[f.Name]
			if r.Name != "STATUS" || !ok {
				continue
			}
			delete(values, f.Name)
			if room := 1 << (f.High - f.Low + 1); n > room {
				t.Errorf("%s of STATUS has room for %d values, and there are %d: give it more bits in "+
					"hdl/registers.tsv and hdl/rtl/ply11_regs.v", f.Name, room, n)
			}
		}
	}
	if len(values) > 0 {
		t.Errorf("STATUS has no %v", values)
	}
}

// The driver names the codes of errors as the registry does.
func TestDriverErrors(t *testing.T) {
	text, err := hdl.FS.ReadFile("driver/ply11_driver.h")
	edatest.Must(t, err)
	got := map[string]string{}
	for _, f := range regexp.MustCompile(`PLY11_(ERR_\w+) = (\d+)`).FindAllStringSubmatch(string(text), -1) {
		got[f[1]] = f[2]
	}
	want := map[string]string{"ERR_NONE": "0"}
	for _, f := range oracle.Faults() {
		if f.Go != "FaultStopped" { // never alone: the player shows it as a 7 with a reason
			want[f.Verilog] = fmt.Sprint(uint8(f.Fault))
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("the driver has %v, the registry %v", got, want)
	}
}
