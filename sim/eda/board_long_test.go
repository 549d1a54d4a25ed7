// SPDX-License-Identifier: Apache-2.0

//go:build long

package eda

import "testing"

// The top of each board goes through synthesis, place and route, and packing.
func TestBitstreamOfBoards(t *testing.T) {
	boards, err := Boards()
	must(t, err)
	for _, b := range boards {
		t.Run(b.Name, func(t *testing.T) {
			got, err := newWork(t).Bitstream(t.Context(), b)
			must(t, err)
			t.Log(got)
		})
	}
}
