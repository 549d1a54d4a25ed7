// SPDX-License-Identifier: Apache-2.0

package cosim_test

import (
	"math/rand/v2"
	"testing"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/sim/cosim"
	"ply11/sim/eda/edatest"
)

// All 1,968 moves, in no order, pass through all three tools.
func TestDecode(t *testing.T) {
	w := edatest.NewWork(t, edatest.Simulators...)
	m, err := cosim.NewMoves(w)
	edatest.Must(t, err)
	defer m.Close()
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(moveindex.NumMoves) {
		move, _ := moveindex.Index(i).Move()
		edatest.Must(t, m.Add(move))
	}
	if err := m.Add(chess.NewMove(chess.A1, chess.D2)); err == nil {
		t.Error("a move that no piece can make is added")
	}
	for _, tool := range cosim.Tools {
		d, err := m.Decode(t.Context(), tool)
		if err != nil {
			t.Errorf("%s: %v", tool, err)
		} else if d.Plies != moveindex.NumMoves || d.Mismatches != 0 || d.CPU <= 0 {
			t.Errorf("%s: %+v", tool, d)
		}
	}
}
