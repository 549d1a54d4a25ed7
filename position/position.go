// SPDX-License-Identifier: Apache-2.0

package position

import (
	"math/bits"

	"ply11/chess"
)

// Position is a position of a game of standard chess or of Chess960: the board, whose turn it is,
// castling rights, the last double push, the halfmove clock and the move number. It has 40 bytes and no pointers, and
// may be copied and compared. The zero value is not a position: take one from Start, ParseFEN or Setup.Position.
//
// Only methods named Make… and Unmarshal… change the position.
type Position struct {
	// Bit s of kind0, kind1, kind2 is the chess.Kind of the piece on square s, and bit s of black is 1 for a black one.
	// Making a move needs no branch and no lookup of what is captured: the target's four bits are overwritten.
	kind0, kind1, kind2, black Bitboard

	// Low bits first: ply 26 (bit 0 is the turn), castling rights 4, en passant file 4, rooks of Chess960 12, halfmove
	// clock 18. One addition advances the ply and the clock.
	//
	// The rooks are three bits for each right: the rook's file (0 is the a-file) of a right on the king's side, one
	// more on the queen's side, and 0 in standard chess and without the right. So a position without rights is the same
	// in both.
	state uint64
}

const (
	plyBits     = 1<<26 - 1
	rightsShift = 26
	rightsBits  = 15 << rightsShift
	epShift     = 30
	epBits      = 15 << epShift
	rooksShift  = 34
	rooksBits   = 1<<46 - 1<<rooksShift
	clockShift  = 46
	clockBits   = 1<<64 - 1<<clockShift
)

// CastlingRights is a set of rights to castle.
type CastlingRights uint8

// The rights, in the order of FEN and of the start record.
const (
	WhiteKingside  CastlingRights = 1 << iota // K
	WhiteQueenside                            // Q
	BlackKingside                             // k
	BlackQueenside                            // q

	AllCastling CastlingRights = 15
)

// String returns the rights as FEN writes them: "KQkq", "Kq", "-".
func (r CastlingRights) String() string { return string(r.append(nil)) }

func (r CastlingRights) append(dst []byte) []byte {
	if r&AllCastling == 0 {
		return append(dst, '-')
	}
	for i := range 4 {
		if r>>i&1 != 0 {
			dst = append(dst, "KQkq"[i])
		}
	}
	return dst
}

var start Position

func init() {
	setup := Setup{Castling: AllCastling, FullmoveNumber: 1}
	for f, k := range [8]chess.Kind{chess.Rook, chess.Knight, chess.Bishop,
		chess.Queen, chess.King, chess.Bishop, chess.Knight, chess.Rook} {
		setup.Board[f] = chess.NewPiece(chess.White, k)
		setup.Board[f+8] = chess.NewPiece(chess.White, chess.Pawn)
		setup.Board[f+48] = chess.NewPiece(chess.Black, chess.Pawn)
		setup.Board[f+56] = chess.NewPiece(chess.Black, k)
	}
	start = setup.raw()
}

// Start returns the initial position of a game.
func Start() Position { return start }

// Turn returns the side to move.
func (p *Position) Turn() chess.Color { return chess.Color(p.state & 1) }

// PieceAt returns the piece on a square, NoPiece where there is none (and on NoSquare).
func (p *Position) PieceAt(s chess.Square) chess.Piece {
	return chess.Piece(p.kind0>>s&1 | p.kind1>>s&1<<1 | p.kind2>>s&1<<2 | p.black>>s&1<<3)
}

// codeAt is PieceAt for a square below 64, as an index that needs no bounds check.
func (p *Position) codeAt(s uint) uint {
	s &= 63
	return uint(p.kind0>>s&1 | p.kind1>>s&1<<1 | p.kind2>>s&1<<2 | p.black>>s&1<<3)
}

// Castling returns the rights to castle that are left, whether castling is possible now or not.
func (p *Position) Castling() CastlingRights {
	return CastlingRights(p.state >> rightsShift & 15)
}

// IsChess960 reports whether a right to castle of Chess960 is left. Castling is then the king's move onto his own rook
// (f1h1), else his step of two squares (e1g1).
func (p *Position) IsChess960() bool { return p.state&rooksBits != 0 }

// ToChess960 returns the position with its rights to castle as those of Chess960: a game of Chess960 may begin with the
// pieces of standard chess.
func (p *Position) ToChess960() Position {
	q := *p
	for right := range uint(4) {
		if !p.IsChess960() && p.Castling()>>right&1 != 0 {
			q.state |= uint64(p.rookFile(right)+right&1) << (rooksShift + 3*right)
		}
	}
	return q
}

// ToStandard returns the position with only those rights to castle that standard chess can have.
func (p *Position) ToStandard() Position {
	q := *p
	q.state &^= rooksBits
	for right := range uint(4) {
		home := 56 * (right >> 1)
		if p.rookFile(right) != 7&^-(right&1) || uint(p.KingSquare(chess.Color(right>>1))) != home+4 {
			q.state &^= 1 << (rightsShift + right)
		}
	}
	return q
}

// rookFile returns the file of the rook of a right that is left, bit 0..3 of CastlingRights.
func (p *Position) rookFile(right uint) uint {
	if p.state&rooksBits == 0 {
		return 7 &^ -(right & 1)
	}
	return (uint(p.state>>(rooksShift+3*right))&7 - right&1) & 7
}

// CastlingRook returns the square of the rook of one of the four rights, NoSquare if it is lost.
func (p *Position) CastlingRook(right CastlingRights) chess.Square {
	bit := uint(bits.TrailingZeros8(uint8(right)))
	if bit > 3 || p.Castling()&right == 0 {
		return chess.NoSquare
	}
	return chess.Square(p.rookFile(bit) + 56*(bit>>1))
}

// IsCastling reports whether a legal move castles.
func (p *Position) IsCastling(m chess.Move) bool {
	from, to := m.From(), m.To()
	return p.Pieces(p.Turn(), chess.King).Has(from) && ((from^to)&3 == 2 || from != to && p.ByColor(p.Turn()).Has(to))
}

type castling struct{ king, rook, kingTo, rookTo uint }

// castlingSquares returns the squares of a right, bit 0..3 of CastlingRights.
func (p *Position) castlingSquares(right uint) castling {
	home, long := 56*(right>>1), right&1
	return castling{
		king: uint(p.KingSquare(chess.Color(right>>1))) & 63, rook: home + p.rookFile(right),
		kingTo: home + 6 - 4*long, rookTo: home + 5 - 2*long,
	}
}

// free returns the squares that must be empty, and path those that the king comes over, but for the last one.
func (c *castling) free() Bitboard {
	return (between[c.king][c.kingTo] | 1<<c.kingTo | between[c.rook][c.rookTo] | 1<<c.rookTo) &^
		(1<<c.king | 1<<c.rook)
}

func (c *castling) path() Bitboard { return between[c.king][c.kingTo] }

// EnPassantFile returns the file, 1 (a) to 8 (h), of the pawn that the last move pushed by two squares, whether it can
// be taken or not, and 0 if it did not.
func (p *Position) EnPassantFile() int { return int(p.state >> epShift & 15) }

// EnPassantSquare returns the square that the last move's double push passed over, or NoSquare.
func (p *Position) EnPassantSquare() chess.Square {
	f := p.state >> epShift & 15
	if f == 0 {
		return chess.NoSquare
	}
	return chess.Square(f - 1 + 40 - 24*(p.state&1))
}

// epSet is EnPassantSquare as a set, without a branch.
func (p *Position) epSet() Bitboard {
	// Bit f of the rank, without bit 0: file 0 ("none") shifts out.
	f := Bitboard(1) << (p.state >> epShift & 15) >> 1
	return f << ((40 - 24*(p.state&1)) & 63)
}

// HalfmoveClock returns the number of plies since the last capture or pawn move.
func (p *Position) HalfmoveClock() int { return int(p.state >> clockShift) }

// FullmoveNumber returns the number of the move, from 1, which grows after Black's move.
func (p *Position) FullmoveNumber() int { return int(p.state&plyBits>>1) + 1 }

// Ply returns 2*(FullmoveNumber-1), and one more if it is Black's turn.
func (p *Position) Ply() int { return int(p.state & plyBits) }

// Planes returns the board: bit s of the first three is the chess.Kind of the piece on square s, low bit first, and bit
// s of black is 1 for a black piece.
func (p *Position) Planes() (kind0, kind1, kind2, black Bitboard) {
	return p.kind0, p.kind1, p.kind2, p.black
}

// Occupied returns the squares that hold a piece.
func (p *Position) Occupied() Bitboard { return p.kind0 | p.kind1 | p.kind2 }

// ByColor returns the squares that hold a piece of the colour.
func (p *Position) ByColor(c chess.Color) Bitboard {
	return p.Occupied() & (p.black ^ (Bitboard(c&1) - 1))
}

// ByKind returns the squares that hold a piece of the kind, of either colour; NoKind gives the empty squares.
func (p *Position) ByKind(k chess.Kind) Bitboard {
	// A plane is inverted where the kind's number has a 0.
	return (p.kind0 ^ (Bitboard(k&1) - 1)) & (p.kind1 ^ (Bitboard(k>>1&1) - 1)) &
		(p.kind2 ^ (Bitboard(k>>2&1) - 1))
}

// Pieces returns the squares that hold a piece of the colour and kind.
func (p *Position) Pieces(c chess.Color, k chess.Kind) Bitboard {
	return p.ByColor(c) & p.ByKind(k)
}

// KingSquare returns the square of a colour's king.
func (p *Position) KingSquare(c chess.Color) chess.Square {
	return chess.Square(bits.TrailingZeros64(uint64(
		p.kind0 &^ (p.kind1 | p.kind2) & (p.black ^ (Bitboard(c&1) - 1)))))
}

// pieces is the board unpacked into sets.
type pieces struct {
	occ, us, them         Bitboard
	kings, knights, pawns Bitboard
	straight /* R, Q */, oblique/* B,Q */ Bitboard
}

func (p *Position) pieces(m *pieces) {
	k0, k1, k2 := p.kind0, p.kind1, p.kind2
	occ := k0 | k1 | k2
	us := occ & (p.black ^ (Bitboard(p.state&1) - 1))
	m.occ, m.us, m.them = occ, us, occ^us
	m.kings = k0 &^ (k1 | k2)
	m.knights = k0 & k1
	m.pawns = k1 & k2
	m.straight = (k0 ^ k1) & (k1 ^ k2)
	m.oblique = (k1 ^ k2) &^ k0
}

// attackers returns which pieces of a set attack the square, and which sliders do unless something stands between.
func (g *geometry) attackers(k0, k1, k2, them, pawn Bitboard) (found, oblique, straight Bitboard) {
	x := (k1 ^ k2) & them
	return them & (g.knight&(k0&k1) | g.king&(k0&^(k1|k2)) | pawn&(k1&k2)),
		(g.diagonal | g.anti) & (x &^ k0), (g.file | g.rank) & (x & (k0 ^ k1))
}

// attackers returns the pieces of a colour, 0 or 1, but those on the squares gone, that attack a square where the
// squares occ are occupied. In four moves of five, no slider has a line to the king, and none is looked along.
func (p *Position) attackers(s uint, occ, gone Bitboard, by uint64) Bitboard {
	them := (p.black ^ (Bitboard(by&1) - 1)) &^ gone
	g := &geometries[s&63]
	found, oblique, straight := g.attackers(p.kind0, p.kind1, p.kind2, them, g.pawn[by&1^1])
	if oblique|straight == 0 {
		return found
	}
	r := Bitboard(1) << (s & 63)
	return found | (lineAttacks(g.diagonal, occ, r)|lineAttacks(g.anti, occ, r))&oblique |
		(lineAttacks(g.file, occ, r)|rankAttacks(s, occ))&straight
}

// Attackers returns the pieces of a colour that attack a square, pinned or not. En passant is no attack.
func (p *Position) Attackers(s chess.Square, by chess.Color) Bitboard {
	if s >= chess.NoSquare {
		return 0
	}
	return p.attackers(uint(s), p.Occupied(), 0, uint64(by))
}

// Checkers returns the pieces that give check to the side to move.
func (p *Position) Checkers() Bitboard {
	turn := p.Turn()
	return p.Attackers(p.KingSquare(turn), turn.Other())
}

// InCheck reports whether the side to move is in check.
func (p *Position) InCheck() bool { return p.Checkers() != 0 }

// leavesCheck reports whether the side to move would be in check with its king on square king,
// the squares occ occupied, and the enemy's pieces on the squares gone captured.
func (p *Position) leavesCheck(king uint, occ, gone Bitboard) bool {
	return p.attackers(king, occ, gone, p.state^1) != 0
}
