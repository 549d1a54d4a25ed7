// SPDX-License-Identifier: Apache-2.0

package chess

import ()

// Move is a from-square, a to-square and a promotion, without the piece that moves: that stands on the
// board. It is laid out as the ROM word without its bit 15:
//
//	bits  5..0   from
//	bits 11..6   to
//	bits 14..12  promotion: 0 none, 4 knight, 5 bishop, 6 rook, 7 queen
//
// Castling is the king's own step of two squares. The zero value is NullMove.
type Move uint16

// NullMove passes the turn. It is the one Move that is no move on the board; its index is Null.
const NullMove Move = 0

// Fields of the ROM word and of Move.
const (
	toShift        = 6
	promotionShift = 12
	squareMask     = 63
	promotionMask  = 7
)

// promotionCode maps a Kind to the promotion field, promotionKind the field to the Kind.
var (
	promotionCode = [8]Move{Knight: 4, Bishop: 5, Rook: 6, Queen: 7}
	promotionKind = [8]Kind{4: Knight, 5: Bishop, 6: Rook, 7: Queen}
)

// PromotionKinds lists the kinds that a pawn may become, in the order of the index's field.
var PromotionKinds = [4]Kind{Knight, Bishop, Rook, Queen}

// NewMove returns the move between two squares.
func NewMove(from, to Square) Move {
	return Move(from&squareMask) | Move(to&squareMask)<<toShift
}

// NewPromotion returns the move between two squares with a promotion to kind. A kind that no pawn
// becomes (king, pawn, none) gives a plain move.
func NewPromotion(from, to Square, kind Kind) Move {
	return NewMove(from, to) | promotionCode[kind&7]<<promotionShift
}

// From returns the square that the move leaves.
func (m Move) From() Square { return Square(m & squareMask) }

// To returns the square that the move reaches.
func (m Move) To() Square { return Square(m >> toShift & squareMask) }

// Promotion returns what a pawn becomes, or NoKind.
func (m Move) Promotion() Kind { return promotionKind[m>>promotionShift&promotionMask] }

// MirrorRanks returns the move as the other side would make it (a1 and a8 change places).
func (m Move) MirrorRanks() Move {
	if m == NullMove {
		return m
	}
	return m ^ (56 | 56<<toShift)
}

// MirrorFiles returns the move in the looking glass (a1 and h1 change places).
func (m Move) MirrorFiles() Move {
	if m == NullMove {
		return m
	}
	return m ^ (7 | 7<<toShift)
}

// AppendUCI appends the move as UCI writes it, "e2e4", "e7e8q", "0000" for the null move.
func (m Move) AppendUCI(dst []byte) []byte {
	if m == NullMove {
		return append(dst, "0000"...)
	}
	f, t := m.From(), m.To()
	dst = append(dst, 'a'+byte(f&7), '1'+byte(f>>3), 'a'+byte(t&7), '1'+byte(t>>3))
	if k := m.Promotion(); k != NoKind {
		dst = append(dst, k.Letter()|0x20)
	}
	return dst
}

// String returns the move as UCI writes it.
func (m Move) String() string { return string(m.AppendUCI(nil)) }

// ParseUCI reads a move as UCI writes it: from, to, and a small letter for a promotion; "0000" is
// the null move. It knows no board: castling must be the king's own step (see
// moveindex.Vocabulary for the other convention), and whether any piece moves so is not asked.
func ParseUCI(s string) (Move, error) {
	if s == "0000" {
		return NullMove, nil
	}
	bad := func(want string) (Move, error) {
		return 0, &ParseError{What: "move in UCI notation", Text: s, Want: want}
	}
	if len(s) != 4 && len(s) != 5 {
		return bad("4 or 5 characters")
	}
	from, err := ParseSquare(s[:2])
	to, err2 := ParseSquare(s[2:4])
	if err != nil || err2 != nil || from == to {
		return bad("two squares")
	}
	m := NewMove(from, to)
	if len(s) == 5 {
		k := KindOf(s[4])
		if s[4] < 'a' || promotionCode[k] == 0 {
			return bad("promotions are to n, b, r or q")
		}
		m = NewPromotion(from, to, k)
	}
	return m, nil
}
