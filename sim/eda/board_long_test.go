// SPDX-License-Identifier: Apache-2.0

//go:build long

package eda

import "testing"

// The top for the breakout board goes through synthesis, place and route, and packing.
func TestBitstreamOfTheBoard(t *testing.T) {
	b, err := HX8KBreakout()
	if err != nil {
		t.Fatal(err)
	}
	got, err := newWork(t).Bitstream(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(got)
	if got.LUTs > 7680 || got.MHz < b.MHz {
		t.Error("it does not fit")
	}
}
