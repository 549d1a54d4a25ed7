// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ply11/internal/testenv"
)

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

// TestMutate mutates the decoder, whose bench is exhaustive: what it misses changes nothing.
func TestMutate(t *testing.T) {
	testenv.Tools(t, "yosys", "verilator", "g++", "make")
	w := newWork(t)
	all, err := Targets()
	if err != nil {
		t.Fatal(err)
	}
	checks, err := Checks()
	if err != nil {
		t.Fatal(err)
	}
	kinds := make(map[string]string)
	for _, c := range checks {
		kinds[c.Name] = c.Kind
	}
	var decode Target
	for _, target := range all {
		if target.Name == "decode" {
			decode = target
		}
		for _, c := range target.Checks {
			if k := kinds[c]; k != "bench" && k != "sat" && k != "pdr" && k != "bmc" {
				t.Errorf("%s: %s is of kind %q", target.Name, c, k)
			}
		}
	}
	m, err := w.Mutate(t.Context(), decode, MutatePlan{Count: 24, Seed: 1, Seconds: 5, Report: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	if tally := m.Tally(); tally.Mutants != 24 || tally.Caught() != 1 || tally.ByBench < 20 {
		t.Errorf("%+v", m)
	}
	// Without its bench: the proof of the round trip finds most, and the comparison tells the others apart.
	decode.Checks = []string{"sat.index_roundtrip"}
	if m, err = w.Mutate(t.Context(), decode, MutatePlan{Count: 12, Seed: 2, Seconds: 5}); err != nil {
		t.Fatal(err)
	}
	if tally := m.Tally(); tally.ByProof < 6 || slices.ContainsFunc(tally.Left, func(s Survivor) bool { return s.Known == "undecided" }) {
		t.Errorf("%+v", m)
	}
	decode.Checks = []string{"absent"}
	if _, err := w.Mutate(t.Context(), decode, MutatePlan{Count: 1}); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Error(err)
	}
	if _, err := w.Mutate(t.Context(), decode, MutatePlan{Count: 5000}); err == nil {
		t.Error("5000 mutants")
	}
}

// TestMiter compares a counter to ten with mutants of it: one that never counts, one that differs only where it
// never is, and one that differs late.
func TestMiter(t *testing.T) {
	testenv.Tools(t, "yosys")
	w := newWork(t)
	text := `
module counter (input wire clk, input wire rst, input wire [11:0] mutant, output wire m_valid, output wire [3:0] m_data);
  reg [3:0] n;
  always @(posedge clk)
    if (rst || n == 4'd9) n <= 4'd0;
    else if (mutant == 12'd2 && n == 4'd12) n <= 4'd3;
    else n <= n + {3'd0, mutant != 12'd1};
  assign m_valid = n != 4'd2;
  assign m_data = mutant == 12'd3 && n == 4'd2 ? 4'd7 : mutant == 12'd4 && n == 4'd7 ? 4'd0 : n;
endmodule
`
	if err := os.WriteFile(w.Path("counter.v"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	u := &mutants{w: w, p: MutatePlan{Workers: 1, Seconds: 5}, dir: w.Dir, name: "counter", result: &Mutated{}}
	for id := range 5 {
		u.result.Mutations = append(u.result.Mutations, Mutation{ID: id})
	}
	if err := u.compare(t.Context()); err != nil {
		t.Fatal(err)
	}
	// 2 and 3 differ in a state that is not reached, and where m_data is free.
	want := []Mutation{{Fate: Equal}, {Fate: Different, Last: "in clock 2"}, {Fate: Equal}, {Fate: Equal}, {Fate: Different, Last: "in clock 8"}}
	for i, m := range u.result.Mutations {
		if m.Fate != want[i].Fate || m.Last != want[i].Last {
			t.Errorf("%d: %+v, want %+v", i, m, want[i])
		}
	}
	for _, bad := range []string{"", "aag 1 1 0 0\n", "aag 1 1 0 0 0\n4\n", "aag 2 1 0 0 1\n2\n4 9 2\n", "aag 99999999 1 0 0 0\n2\n", "aag 1 1 0 0 0\n2\ni7 x\n"} {
		if _, err := readAIG(strings.NewReader(bad)); !errors.Is(err, errAIG) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestMutantTable: what is written can be read.
func TestMutantTable(t *testing.T) {
	all := []Tally{
		{"a", "0123456789ab", 200, 190, 4, 3, []Survivor{{7, "ply11_a.v:3.1-3.9", "ff.Q[2] left_q[2]", "inv", "differs in clock 7"},
			{9, "", "add.Y[1]", "cnot1", "undecided"}, {10, "ply11_a.v:4.1-4.9", "add.Y[1]", "inv", "undecided"}}},
		{"b", "0123456789ac", 5, 0, 0, 5, nil},
	}
	text := MutantTable(all, map[string]string{all[0].Left[0].Key("a"): "for a reason"})
	if !strings.Contains(text, "| for a reason |") || !strings.Contains(text, "| 98.5 % |") || !strings.Contains(text, "| 100.0 % |") {
		t.Error(text)
	}
	got, err := ReadMutantTable("# Head\n\n" + text)
	if diff := cmp.Diff(all, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if _, err := ReadMutantTable("| `a` | 1 |\n"); !errors.Is(err, ErrTable) {
		t.Error(err)
	}
}
