// SPDX-License-Identifier: Apache-2.0

//go:build long

package main

import (
	"io"
	"regexp"
	"testing"

	"ply11/sim/mutate"
)

// TestProveLong runs all checks, and what `make test` leaves out of them: those that take minutes, second simulators
// and second errors.
func TestProveLong(t *testing.T) {
	status, out, errs := genrom(t, "", "prove", "--long")
	if status != exitOK {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}

// TestMutateLong: of the mutants of each target, benches and proofs catch 95 % and more of those that are
// not proved equal.
func TestMutateLong(t *testing.T) {
	if err := runMutate(t.Context(), io.Discard, testWriter{t}, regexp.MustCompile(""), mutatePlan, "-"); err != nil {
		t.Error(err)
	}
}

// TestMutantsCurrent: the rows of hdl/MUTANTS.md are of these sources.
func TestMutantsCurrent(t *testing.T) {
	targets, err := mutate.Targets()
	if err != nil {
		t.Fatal(err)
	}
	tallies := mutantTallies(t)
	for _, target := range targets {
		sources, err := target.Sources()
		if err != nil {
			t.Fatal(err)
		}
		if tallies[target.Name].Sources != sources {
			t.Errorf("%s is of other sources: go run ./cmd/genrom mutate -o hdl/MUTANTS.md --run '^%s$'", target.Name,
				target.Name)
		}
	}
}

// testWriter logs lines.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(b []byte) (int, error) {
	w.t.Logf("%s", b)
	return len(b), nil
}
