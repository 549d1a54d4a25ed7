// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ply11/hdl"
	"ply11/sim/mutate"
)

// mutantTallies reads hdl/MUTANTS.md.
func mutantTallies(t *testing.T) map[string]tally {
	t.Helper()
	text, err := os.ReadFile("../../hdl/MUTANTS.md")
	if err != nil {
		t.Fatal(err)
	}
	all, err := readMutantTable(string(text))
	if err != nil {
		t.Fatal(err)
	}
	tallies := make(map[string]tally)
	for _, t := range all {
		tallies[t.Target] = t
	}
	return tallies
}

// TestMutants: in hdl/MUTANTS.md every target has its mutants, of which enough are caught, and every survivor a
// reason, every module a target, and every reason a survivor.
func TestMutants(t *testing.T) {
	targets, err := mutate.Targets()
	if err != nil {
		t.Fatal(err)
	}
	reasons, err := survivors()
	if err != nil {
		t.Fatal(err)
	}
	tallies := mutantTallies(t)
	left := make(map[string]bool)
	mutated := make(map[string]bool)
	for _, target := range targets {
		tally := tallies[target.Name]
		if tally.Mutants < mutatePlan.Count || tally.Caught() < leastCaught {
			t.Errorf("%s: %d mutants, %.1f %% caught", target.Name, tally.Mutants, 100*tally.Caught())
		}
		for _, s := range tally.Left {
			left[s.Key(target.Name)] = true
			if reasons[s.Key(target.Name)] == "" {
				t.Errorf("%s: mutant %d, %s in %s, has no reason in survivors.tsv", target.Name, s.ID, s.Bit, s.Src)
			}
		}
		for _, f := range target.Files {
			mutated[f] = true
		}
		delete(tallies, target.Name)
	}
	for name := range tallies {
		t.Errorf("%s is no target", name)
	}
	for key := range reasons {
		if !left[key] {
			t.Errorf("%q did not survive", key)
		}
	}
	for _, m := range hdl.Modules() {
		if !mutated["rtl/"+m+".v"] {
			t.Errorf("%s is no target's", m)
		}
	}
}

// TestMutantTable: what is written can be read.
func TestMutantTable(t *testing.T) {
	all := []tally{
		{"a", "0123456789ab", 200, 190, 4, 3, []survivor{
			{7, "ply11_a.v:3.1-3.9", "ff.Q[2] left_q[2]", "inv", "differs in clock 7"},
			{9, "", "add.Y[1]", "cnot1", "undecided"}, {10, "ply11_a.v:4.1-4.9", "add.Y[1]", "inv", "undecided"}}},
		{"b", "0123456789ac", 5, 0, 0, 5, nil},
	}
	text := mutantTable(all, map[string]string{all[0].Left[0].Key("a"): "for a reason"})
	if !strings.Contains(text, "| for a reason |") || !strings.Contains(text, "| 98.5 % |") ||
		!strings.Contains(text, "| 100.0 % |") {
		t.Error(text)
	}
	got, err := readMutantTable("# Head\n\n" + text)
	if diff := cmp.Diff(all, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if _, err := readMutantTable("| `a` | 1 |\n"); !errors.Is(err, errTable) {
		t.Error(err)
	}
}
