// SPDX-License-Identifier: Apache-2.0

//go:build long

package main_test

import (
	"testing"

	"ply11/internal/cli"
)

// TestProveLong runs all checks, and what `make test` leaves out of them: those that take minutes, second simulators
// and second errors.
func TestProveLong(t *testing.T) {
	status, out, errs := genrom(t, "", "prove", "--long")
	if status != cli.Done {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}
