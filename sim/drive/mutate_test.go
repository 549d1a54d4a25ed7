// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"os"
	"strings"
	"testing"
)

// TestABC proves a counter for all time, bounds it for some clocks, and refutes a wrong bound.
func TestABC(t *testing.T) {
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
	m, err := w.Mutate(t.Context(), decode, MutatePlan{Count: 24, Seed: 1, Report: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Mutations) != 24 || m.Caught() != 1 || m.Count(ByBench) < 20 {
		t.Errorf("%+v", m)
	}
	// Without its bench: the proof of the round trip finds most, and the comparison tells the others apart.
	decode.Checks = []string{"sat.index_roundtrip"}
	if m, err = w.Mutate(t.Context(), decode, MutatePlan{Count: 12, Seed: 2}); err != nil {
		t.Fatal(err)
	}
	if m.Count(ByProof) < 6 || m.Count(Survived) != 0 {
		t.Errorf("%+v", m)
	}
	if table := MutantTable([]Mutated{m}, nil); !strings.Contains(table, "| `decode` | 12 | 0 | ") {
		t.Error(table)
	}
	decode.Checks = []string{"absent"}
	if _, err := w.Mutate(t.Context(), decode, MutatePlan{Count: 1}); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Error(err)
	}
	if _, err := w.Mutate(t.Context(), decode, MutatePlan{Count: 5000}); err == nil {
		t.Error("5000 mutants")
	}
}
