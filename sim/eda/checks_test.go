// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"testing"
)

// The long run takes every simulator for a bench that names one.
func TestToolsOfLong(t *testing.T) {
	if tools, err := toolsOf(Check{Kind: "bench", Args: Icarus}, true); len(tools) != 2 || err != nil {
		t.Errorf("%v, %v", tools, err)
	}
}
