// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"math/rand/v2"
	"testing"

	"ply11/chess"
	"ply11/position"
)

// TestAttackSet compares the sets of many pieces with the pieces one by one.
func TestAttackSet(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		occupied := position.Bitboard(random.Uint64() & random.Uint64())
		pieces := occupied & position.Bitboard(random.Uint64()&random.Uint64())
		for _, piece := range []chess.Piece{chess.WhiteKing, chess.BlackQueen, chess.WhiteKnight,
			chess.BlackBishop, chess.WhiteRook, chess.WhitePawn, chess.BlackPawn, chess.NoPiece} {
			var want position.Bitboard
			for b := pieces; b != 0; b &= b - 1 {
				want |= position.Attacks(piece, b.First(), occupied)
			}
			if got := position.AttackSet(piece, pieces, occupied); got != want {
				t.Fatalf("%v on %016x among %016x attacks %016x, want %016x", piece, pieces, occupied, got, want)
			}
		}
	}
}
