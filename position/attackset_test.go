// SPDX-License-Identifier: Apache-2.0

package position

import (
	"math/rand/v2"
	"testing"

	"ply11/chess"
)

// TestAttackSet compares the sets of many men with the men one by one.
func TestAttackSet(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		occupied := Bitboard(random.Uint64() & random.Uint64())
		men := occupied & Bitboard(random.Uint64()&random.Uint64())
		for _, man := range []chess.Piece{chess.WhiteKing, chess.BlackQueen, chess.WhiteKnight,
			chess.BlackBishop, chess.WhiteRook, chess.WhitePawn, chess.BlackPawn, chess.NoPiece} {
			var want Bitboard
			for b := men; b != 0; b &= b - 1 {
				want |= Attacks(man, b.First(), occupied)
			}
			if got := AttackSet(man, men, occupied); got != want {
				t.Fatalf("%v on %016x among %016x attacks %016x, want %016x", man, men, occupied, got, want)
			}
		}
	}
}
