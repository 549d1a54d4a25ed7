// SPDX-License-Identifier: Apache-2.0

// Package edatest has what tests of several packages need to run the programs of package eda.
package edatest

import (
	"fmt"
	"testing"

	"ply11/internal/testenv"
	"ply11/sim/eda"
)

// Simulators are the programs of all simulators, and Yosys.
var Simulators = []string{"iverilog", "vvp", "verilator", "g++", "make", "yosys"}

// NewWork returns a folder of the sources for programs to run in, which goes at the end of the test. Where one of the
// programs is missing, it skips the test, as testenv.Tools does.
func NewWork(tb testing.TB, programs ...string) *eda.Work {
	tb.Helper()
	if len(programs) > 0 {
		testenv.Tools(tb, programs...)
	}
	w, err := eda.NewWork()
	testenv.Must(tb, err)
	tb.Cleanup(func() { w.Close() })
	return w
}

// Must ends a test that cannot go on, with what a program printed.
func Must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(Failure(err))
	}
}

// Failure is an error with what the program that failed printed.
func Failure(err error) string {
	if r, ok := err.(*eda.RunError); ok {
		return fmt.Sprintf("%v\n%s", err, r.Output)
	}
	return err.Error()
}
