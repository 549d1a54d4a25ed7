// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ply11/hdl"
	"ply11/internal/testenv"
	"ply11/sim/eda"
)

func newWork(t *testing.T) *eda.Work {
	t.Helper()
	w, err := eda.NewWork()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// inner finds the modules in a module.
var inner = regexp.MustCompile(`(?m)^ +(ply11_\w+) (?:#\(|u_)`)

// TestOthers: of every target the modules in it are known, which Yosys needs, whatever stands in their place in its
// benches.
func TestOthers(t *testing.T) {
	all, err := Targets()
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range all {
		others, err := target.others()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range target.Files {
			text, err := hdl.FS.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range inner.FindAllStringSubmatch(string(text), -1) {
				// Others are names that tell of a wrong parameter.
				if !slices.Contains(hdl.Modules(), m[1]) {
					continue
				}
				if file := "rtl/" + m[1] + ".v"; !slices.Contains(target.Files, file) &&
					!slices.Contains(others, file) {
					t.Errorf("%s: %s has %s in it, and that file is not read", target.Name, f, m[1])
				}
			}
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
	checks, err := eda.Checks()
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
	m, err := Try(t.Context(), w, decode, Plan{Count: 24, Seed: 1, Seconds: 60, Report: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	if left := m.Count(Survived) + m.Count(Different); len(m.Mutations) != 24 || left != 0 || m.Count(ByBench) < 20 {
		t.Errorf("%+v", m)
	}
	// Without its bench: the proof of the round trip finds most, and the comparison tells the others apart.
	decode.Checks = []string{"sat.index_roundtrip"}
	if m, err = Try(t.Context(), w, decode, Plan{Count: 12, Seed: 2, Seconds: 60}); err != nil {
		t.Fatal(err)
	}
	if m.Count(ByProof) < 6 || m.Count(Survived) != 0 {
		t.Errorf("%+v", m)
	}
	decode.Checks = []string{"absent"}
	if _, err := Try(t.Context(), w, decode, Plan{Count: 1}); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Error(err)
	}
	if _, err := Try(t.Context(), w, decode, Plan{Count: 5000}); err == nil {
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
	u := &mutants{w: w, p: Plan{Workers: 1, Seconds: 60}, dir: w.Dir, name: "counter", result: &Result{}}
	for id := range 5 {
		u.result.Mutations = append(u.result.Mutations, Mutation{ID: id})
	}
	if err := u.compare(t.Context()); err != nil {
		t.Fatal(err)
	}
	// 2 and 3 differ in a state that is not reached, and where m_data is free.
	want := []Mutation{{Fate: Equal}, {Fate: Different, Last: "in clock 2"}, {Fate: Equal}, {Fate: Equal},
		{Fate: Different, Last: "in clock 8"}}
	for i, m := range u.result.Mutations {
		if m.Fate != want[i].Fate || m.Last != want[i].Last {
			t.Errorf("%d: %+v, want %+v", i, m, want[i])
		}
	}
	// Of these one clock tells that 3 is equal, in any state. A mutant that differs, or is equal in the states that are
	// reached alone, is told by more clocks.
	g, err := u.model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for id := 1; id < 5; id++ {
		m, lit := miter(g, id, true)
		if err := os.WriteFile(w.Path("miter.aig"), m.write(lit), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := w.Run(t.Context(), w.Dir, "yosys-abc", "-c", "read miter.aig; "+oneClock)
		if got := strings.Contains(r.Output, "UNSATISFIABLE"); err != nil || got != (id == 3) {
			t.Errorf("mutant %d in one clock: %v, %s", id, err, r.Output)
		}
	}
	for _, bad := range []string{"", "aag 1 1 0 0\n", "aag 1 1 0 0 0\n4\n", "aag 2 1 0 0 1\n2\n4 9 2\n",
		"aag 99999999 1 0 0 0\n2\n", "aag 1 1 0 0 0\n2\ni7 x\n"} {
		if _, err := readAIG(strings.NewReader(bad)); !errors.Is(err, errAIG) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
