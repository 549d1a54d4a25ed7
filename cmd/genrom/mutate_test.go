// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"testing"

	"ply11/hdl"
	"ply11/sim/eda"
)

// mutantTallies reads hdl/MUTANTS.md.
func mutantTallies(t *testing.T) map[string]eda.Tally {
	t.Helper()
	text, err := os.ReadFile("../../hdl/MUTANTS.md")
	if err != nil {
		t.Fatal(err)
	}
	all, err := eda.ReadMutantTable(string(text))
	if err != nil {
		t.Fatal(err)
	}
	tallies := make(map[string]eda.Tally)
	for _, tally := range all {
		tallies[tally.Target] = tally
	}
	return tallies
}

// TestMutants: in hdl/MUTANTS.md every target has its mutants, of which enough are caught, and every survivor a
// reason, every module a target, and every reason a survivor.
func TestMutants(t *testing.T) {
	targets, err := eda.Targets()
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
