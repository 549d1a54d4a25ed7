// SPDX-License-Identifier: Apache-2.0

//go:build long

package sim

import (
	"testing"

	"ply11/sim/eda"
)

func TestSoCVerilator(t *testing.T) { testSoC(t, eda.ToolVerilator) }
