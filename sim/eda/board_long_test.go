// SPDX-License-Identifier: Apache-2.0

//go:build long

package eda

import "testing"

// The top of each board goes through synthesis, place and route, and packing.
func TestBitstreamOfBoards(t *testing.T) {
	boards, err := Boards()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range boards {
		t.Run(b.Name, func(t *testing.T) {
			got, err := newWork(t).Bitstream(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(got)
		})
	}
}
