// SPDX-License-Identifier: Apache-2.0

//go:build long

package eda_test

import (
	"testing"

	"ply11/internal/testenv"
	"ply11/sim/eda"
	"ply11/sim/eda/edatest"
)

// The top of each board goes through synthesis, place and route, and packing.
func TestBitstreamOfBoards(t *testing.T) {
	boards, err := eda.Boards()
	testenv.Must(t, err)
	for _, b := range boards {
		t.Run(b.Name, func(t *testing.T) {
			got, err := edatest.NewWork(t).Bitstream(t.Context(), b)
			testenv.Must(t, err)
			t.Log(got)
		})
	}
}
