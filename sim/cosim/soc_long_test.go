// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim

import (
	"testing"
)

func TestSoCVerilator(t *testing.T) { testSoC(t, ToolVerilator) }

// The driver, on the Verilated peripheral.
func TestDriverVerilator(t *testing.T) { testDriver(t, ToolVerilator) }
