// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim

import (
	"testing"

	"ply11/sim/eda"
)

// Each module with each set of parameters that a check is about: 20,000 clocks.
func TestRandomAll(t *testing.T) {
	testRandom(t, 20_000, func(eda.Check) bool { return true })
}
