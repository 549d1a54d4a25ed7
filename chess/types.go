// SPDX-License-Identifier: Apache-2.0

package chess

import (
	"fmt"
	"strings"
)

// Square is a square of the board, 8*rank + file: a1 = 0, b1 = 1 … h8 = 63.
type Square uint8

// NoSquare stands for the absence of a square. Its file and rank have no meaning.
const NoSquare Square = 64

// The squares by name.
const (
	A1 Square = iota
	B1
	C1
	D1
	E1
	F1
	G1
	H1
	A2
	B2
	C2
	D2
	E2
	F2
	G2
	H2
	A3
	B3
	C3
	D3
	E3
	F3
	G3
	H3
	A4
	B4
	C4
	D4
	E4
	F4
	G4
	H4
	A5
	B5
	C5
	D5
	E5
	F5
	G5
	H5
	A6
	B6
	C6
	D6
	E6
	F6
	G6
	H6
	A7
	B7
	C7
	D7
	E7
	F7
	G7
	H7
	A8
	B8
	C8
	D8
	E8
	F8
	G8
	H8
)

// NewSquare returns the square on a file (0..7, a to h) and a rank (0..7, 1 to 8). Only the low
// three bits of each count.
func NewSquare(file, rank int) Square { return Square(rank&7<<3 | file&7) }

// ParseSquare reads a square's name, "a1" to "h8".
func ParseSquare(s string) (Square, error) {
	if len(s) == 2 {
		if f, r := s[0]-'a', s[1]-'1'; f < 8 && r < 8 {
			return Square(r<<3 | f), nil
		}
	}
	return NoSquare, &ParseError{What: "square", Text: s, Want: "a1 to h8"}
}

// File returns the file, 0 (a) to 7 (h).
func (s Square) File() int { return int(s & 7) }

// Rank returns the rank, 0 (the first) to 7 (the eighth).
func (s Square) Rank() int { return int(s >> 3 & 7) }

// Valid reports whether s is one of the 64 squares.
func (s Square) Valid() bool { return s < 64 }

// MirrorRanks returns the square as the other side sees it: a1 and a8 change places.
func (s Square) MirrorRanks() Square { return s ^ 56 }

// MirrorFiles returns the square in the looking glass: a1 and h1 change places.
func (s Square) MirrorFiles() Square { return s ^ 7 }

// String returns the name, "a1" to "h8", or "-" for what is no square.
func (s Square) String() string {
	if !s.Valid() {
		return "-"
	}
	return string([]byte{'a' + byte(s&7), '1' + byte(s>>3)})
}

// Color is the side that a piece belongs to, or that is to move.
type Color uint8

// The two sides. White moves first and toward the eighth rank.
const (
	White Color = iota
	Black
)

// Other returns the opponent.
func (c Color) Other() Color { return c ^ 1 }

// String returns "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// Kind is a kind of piece, without its colour, in the numbers of ChessBase 1993 (section 2.6).
type Kind uint8

// The kinds. NoKind stands for none: an empty square, or a move that is no promotion.
const (
	NoKind Kind = iota
	King
	Queen
	Knight
	Bishop
	Rook
	Pawn
)

const kindLetters = ".KQNBRP"

// Letter returns the English letter of the PGN standard (section 8.2.3.2), K Q N B R P, or '.' for
// NoKind.
func (k Kind) Letter() byte {
	if k > Pawn {
		return '.'
	}
	return kindLetters[k]
}

// KindOf returns the kind of a letter, K Q N B R P, in either case; NoKind for any other.
func KindOf(letter byte) Kind {
	return Kind(max(0, strings.IndexByte(kindLetters, letter&^0x20)))
}

// String returns the kind's English name.
func (k Kind) String() string {
	switch k {
	case NoKind:
		return "none"
	case King:
		return "king"
	case Queen:
		return "queen"
	case Knight:
		return "knight"
	case Bishop:
		return "bishop"
	case Rook:
		return "rook"
	case Pawn:
		return "pawn"
	}
	return "invalid"
}

// Piece is a piece with its colour: its kind, and 8 more for Black. These are the numbers of
// ChessBase 1993 (section 2.6) and of the hardware's board.
type Piece uint8

// The pieces. NoPiece is an empty square.
const (
	NoPiece     Piece = 0
	WhiteKing         = Piece(King)
	WhiteQueen        = Piece(Queen)
	WhiteKnight       = Piece(Knight)
	WhiteBishop       = Piece(Bishop)
	WhiteRook         = Piece(Rook)
	WhitePawn         = Piece(Pawn)
	BlackKing         = 8 + Piece(King)
	BlackQueen        = 8 + Piece(Queen)
	BlackKnight       = 8 + Piece(Knight)
	BlackBishop       = 8 + Piece(Bishop)
	BlackRook         = 8 + Piece(Rook)
	BlackPawn         = 8 + Piece(Pawn)
)

// NewPiece returns the piece of a colour and a kind; NoPiece for NoKind.
func NewPiece(c Color, k Kind) Piece {
	if k == NoKind {
		return NoPiece
	}
	return Piece(c&1<<3) | Piece(k)
}

// Kind returns the piece's kind.
func (p Piece) Kind() Kind { return Kind(p & 7) }

// Color returns the piece's side; White for NoPiece.
func (p Piece) Color() Color { return Color(p >> 3 & 1) }

// Letter returns the piece's FEN letter, capital for White, or '.' for an empty square.
func (p Piece) Letter() byte {
	l := p.Kind().Letter()
	if p.Color() == Black && l != '.' {
		l |= 0x20
	}
	return l
}

// String returns the FEN letter.
func (p Piece) String() string { return string(p.Letter()) }

// PromotionName returns UCI's letter for a promotion, n, b, r or q, and "-" for none.
func PromotionName(k Kind) string {
	if promotionCode[k&7] == 0 {
		return "-"
	}
	return string(k.Letter() | 0x20)
}

// A ParseError tells what a Parse function found, and what is possible. Those of other packages return it too.
type ParseError struct {
	What string // what was to be read: "square", "result"
	Text string // what was found
	Want string // what is possible: "a1 to h8"
}

// Error names all three. Of a long text it has the first 40 characters.
func (e *ParseError) Error() string {
	return fmt.Sprintf("%.40q is no %s: %s", e.Text, e.What, e.Want)
}
