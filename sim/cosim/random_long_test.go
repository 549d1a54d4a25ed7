// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim

import (
	"testing"

	"ply11/sim/eda"
)

// Each module that a bench drives, with each set of parameters that it has in one: 20,000 clocks.
func TestRandomAll(t *testing.T) {
	testRandom(t, 20_000, func(eda.Check) bool { return true })
}
