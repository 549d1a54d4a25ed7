// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

func newWork(t testing.TB) *Work {
	t.Helper()
	w, err := NewWork()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var missing *MissingError
	w := newWork(t)
	for name, err := range map[string]error{
		"Need":       Need("yosys"),
		"NeedFor":    NeedFor([]Check{{Kind: "smt"}}),
		"Run":        func() error { _, err := w.Run(t.Context(), w.Dir, "icetime"); return err }(),
		"Icarus":     func() error { _, err := w.Icarus(t.Context(), Bench{}); return err }(),
		"Verilator":  func() error { _, err := w.Verilator(t.Context(), Bench{}); return err }(),
		"Synthesize": func() error { _, err := w.Synthesize(t.Context(), nil, 1, 1, 1, nil); return err }(),
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
	if !errors.Is(err, ErrFailed) || !errors.As(err, &failed) || !strings.Contains(err.Error(), "absent") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Run(ctx, w.Dir, "make", "--version"); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestProve runs one check of each kind, sees its mutant refuted, and an unsound mutant reported.
func TestProve(t *testing.T) {
	testenv.Tools(t, "iverilog", "vvp", "verilator", "g++", "make", "yosys", "z3")
	w := newWork(t)
	all, err := Checks()
	if err != nil {
		t.Fatal(err)
	}
	var p Plan
	for _, c := range all {
		switch c.Name {
		case "lint.decode", "bench.decode", "sat.index_roundtrip":
			p.Checks = append(p.Checks, c)
		}
	}
	mutants, err := Mutants(false)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants {
		if m.Check == "bench.decode" || m.Check == "sat.index_roundtrip" {
			p.Mutants = append(p.Mutants, m)
		}
	}
	// A change that changes nothing must be found out.
	p.Mutants = append(p.Mutants, Mutant{"sat.index_roundtrip", "rtl/ply11_decode.v", "module ply11_decode ", "module  ply11_decode "})
	// One that is no Verilog is not noticed by the proof but breaks it.
	p.Mutants = append(p.Mutants, Mutant{"sat.index_roundtrip", "rtl/ply11_decode.v", "module ply11_decode ", "modul ply11_decode "})
	reports := 0
	p.Report = func(Outcome) { reports++ }
	outcomes, err := w.Prove(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
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

// TestSMT proves a counter by induction, and refutes a wrong bound.
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
	if err := os.WriteFile(w.Path("counter.v"), []byte(counter), 0o666); err != nil {
		t.Fatal(err)
	}
	c := Check{Name: "smt.counter", Kind: "smt", Top: "counter", Files: []string{"counter.v"}, Args: "12"}
	wrong := c
	wrong.Name, wrong.Params = "smt.wrong", []string{"LIMIT=8"}
	outcomes, err := w.Prove(t.Context(), Plan{Checks: []Check{c, wrong}, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !outcomes[0].OK || outcomes[1].OK || !strings.Contains(outcomes[1].Detail, "base case") {
		t.Errorf("%+v", outcomes)
	}
}

// TestSynthesize measures the bare decoder and the ROM, with three seeds at two line offsets, and both in other families.
func TestSynthesize(t *testing.T) {
	testenv.Tools(t, "yosys", "nextpnr-ice40")
	w := newWork(t)
	all, err := Designs()
	if err != nil {
		t.Fatal(err)
	}
	var designs []Design
	for _, d := range all {
		if d.Name == "decode" || d.Name == "rom" || d.Name == "rom.registered" {
			designs = append(designs, d)
		}
	}
	areas, err := w.Synthesize(t.Context(), designs, 2, 3, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(areas) != 3 || areas[0].LUTs == 0 || areas[0].MHz != 0 || areas[0].BlockRAMs != 0 {
		t.Errorf("decode: %+v", areas)
	}
	if rom := areas[1]; rom.BlockRAMs != 8 || rom.LUTs != 0 || rom.MHz != 0 {
		t.Errorf("rom: %+v", rom)
	}
	if rom := areas[2]; rom.BlockRAMs != 8 || rom.LUTs != 0 || rom.MHz == 0 || len(rom.Runs) != 3 {
		t.Errorf("rom.registered: %+v", rom)
	}
	if md := Markdown(areas); strings.Count(md, "\n") != 5 || !strings.Contains(md, "| `rom` | 0 | 0 | 0 | 8 |") {
		t.Errorf("markdown:\n%s", md)
	}
	if js, err := JSON(areas); err != nil || !strings.Contains(string(js), `"block_rams": 8`) {
		t.Errorf("json: %s, %v", js, err)
	}

	others, err := w.SynthesizeFamilies(t.Context(), designs[:2], 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(others) != 4 {
		t.Fatalf("%+v", others)
	}
	for _, a := range others {
		logic := a.Design == "decode"
		if (a.LUTs != 0) != logic || (a.BlockRAMs == 0) != logic || a.LUTs > 100 {
			t.Errorf("%+v", a)
		}
	}
	if md := FamilyMarkdown(others); strings.Count(md, "\n") != 4 || !strings.Contains(md, "| `rom` | 0 | 0 | 2 | 0 | 0 | 1 |") {
		t.Errorf("markdown:\n%s", md)
	}
}

// TestCut reads a memory in which nothing but 0 is written in the first clocks: what is read is free if args say cut.
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
	if err := os.WriteFile(w.Path("store.v"), []byte(store), 0o666); err != nil {
		t.Fatal(err)
	}
	whole := Check{Name: "bmc.whole", Kind: "bmc", Top: "store", Files: []string{"store.v"}, Args: "4"}
	cut := whole
	cut.Name, cut.Args = "bmc.cut", "4 cut"
	outcomes, err := w.Prove(t.Context(), Plan{Checks: []Check{whole, cut}, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false} {
		if outcomes[i].OK != want {
			t.Errorf("%+v, want %v", outcomes[i], want)
		}
	}
}

// TestABC proves a counter for all time, bounds it for some clocks, and refutes a wrong bound.
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
	if err := os.WriteFile(w.Path("counter.v"), []byte(counter), 0o666); err != nil {
		t.Fatal(err)
	}
	c := Check{Name: "pdr.counter", Kind: "pdr", Top: "counter", Files: []string{"counter.v"}}
	wrong := c
	wrong.Name, wrong.Params = "pdr.wrong", []string{"LIMIT=8"}
	// The wrong bound is passed in the tenth clock and not before it.
	short, long := wrong, wrong
	short.Name, short.Kind, short.Args = "bmc.short", "bmc", "9"
	long.Name, long.Kind, long.Args = "bmc.long", "bmc", "10"
	nowhere := short
	nowhere.Name, nowhere.Args = "bmc.nowhere", "deep"
	outcomes, err := w.Prove(t.Context(), Plan{Checks: []Check{c, wrong, short, long, nowhere}, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, true, false, false} {
		if outcomes[i].OK != want {
			t.Errorf("%+v, want %v", outcomes[i], want)
		}
	}
}

// TestBenches: a bench that tells an error fails, also where it prints PASS; a mutant's run ends at its first error,
// though the bench never ends; and a row may name the one simulator that it needs.
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
	if err := os.WriteFile(w.Path("x_tb.v"), []byte(bench), 0o666); err != nil {
		t.Fatal(err)
	}
	good := Check{Name: "bench.x", Kind: "bench", Top: "x_tb", Files: []string{"x_tb.v"}, Args: Icarus}
	wrong, endless := good, good
	wrong.Name, wrong.Params = "bench.wrong", []string{"WRONG=1"}
	endless.Name, endless.Params = "bench.endless", []string{"ENDLESS=1"}
	plan := Plan{Checks: []Check{good, wrong, endless}, Mutants: []Mutant{
		{"bench.x", "x_tb.v", "WRONG = 0", "WRONG = 1"},
		{"bench.x", "x_tb.v", "an error", "an Error"}, // changes nothing
		{"bench.endless", "x_tb.v", "WRONG = 0", "WRONG = 1"},
	}}
	outcomes, err := w.Prove(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
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
