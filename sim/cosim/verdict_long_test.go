// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim

import (
	"testing"

	"ply11/internal/movesets"
	"ply11/sim"
)

// Of 100,000 positions all 2,048 codes: 204,800,000 verdicts of package position, the model and the Verilog.
func TestVerdictsAll(t *testing.T) {
	s := playVerdicts(t, newBench(t), ToolVerilator, 100_000, false, 7)
	for r := sim.NoReason; r <= sim.ReasonCheck; r++ {
		// No position that package position takes has a right without its rook, or an en passant file without its pawn.
		if never := r == sim.ReasonRook || r == sim.ReasonPawn; s.reasons[r] == 0 != never {
			t.Errorf("%d moves with %v", s.reasons[r], r)
		}
	}
	for _, c := range movesets.AllCases {
		if s.cases[c] == 0 {
			t.Errorf("no position with %s", c)
		}
	}
}
