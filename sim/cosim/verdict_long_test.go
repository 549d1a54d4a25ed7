// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim_test

import (
	"testing"

	"ply11/sim/oracle"
)

// allCases are the names that casesOf may give.
var allCases = []string{
	"check", "double check", "mate", "stalemate", "castling", "promotion", "a pinned piece", "en passant",
	"en passant in check", "en passant that would open a row", "en passant that would open a diagonal",
}

// Of 100,000 positions all 2,048 codes: 204,800,000 verdicts.
func TestVerdictsAll(t *testing.T) {
	v := playVerdicts(t, 100_000, false, 7)
	for r := oracle.NoReason; r <= oracle.ReasonCheck; r++ {
		// No position that package position takes has a right without its rook, or an en passant file without its pawn.
		if never := r == oracle.ReasonRook || r == oracle.ReasonPawn; v.reasons[r] == 0 != never {
			t.Errorf("%d moves with %v", v.reasons[r], r)
		}
	}
	for _, c := range allCases {
		if v.cases[c] == 0 {
			t.Errorf("no position with %s", c)
		}
	}
}
