// SPDX-License-Identifier: Apache-2.0

package oracle

import "fmt"

// Kinds of beats of ply11_words, ply11_brenner and ply11_player.
const (
	BeatPly   uint8 = 0
	BeatNew   uint8 = 1 // never shown by ply11_player
	BeatEnd   uint8 = 2
	BeatError uint8 = 3
)

// Modes of ply11_player.
const (
	ModeWords     uint8 = 0 // eleven-bit words
	ModeBrenner   uint8 = 1
	ModeJose      uint8 = 2
	ModeChessBase uint8 = 3
)

// A Reason is why ply11_legal refuses a move that ply11_board applies: the first of these that holds.
type Reason uint8

// The reasons of ply11_legal, in the order in which they are examined.
const (
	NoReason      Reason = iota
	ReasonBlocked        // 1: a piece stands between from and to
	ReasonRook           // 2: castling without a rook in the corner
	ReasonOut            // 3: castling out of check
	ReasonThrough        // 4: castling through check
	ReasonInto           // 5: castling into check
	ReasonPawn           // 6: en passant without a pawn that can have stepped twice
	ReasonPassant        // 7: the king is in check after a capture en passant
	ReasonCheck          // 8: the king is in check after any other move
)

var reasonNames = [...]string{
	"legal", "line blocked", "castling without a rook", "castling out of check", "castling through check",
	"castling into check", "en passant without a pawn", "king in check after en passant", "king in check",
}

func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return fmt.Sprintf("reason %d", uint8(r))
}
