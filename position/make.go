// SPDX-License-Identifier: Apache-2.0

package position

import (
	"ply11/chess"
	"ply11/moveindex"
)

// keepRights[s] keeps, of Position.state, what a move from or to square s leaves of the castling
// rights; it clears the en passant file.
var keepRights [64]uint64

func init() {
	for s := range keepRights {
		keepRights[s] = ^uint64(epBits)
	}
	for s, r := range map[int]CastlingRights{
		0: WhiteQueenside, 4: WhiteKingside | WhiteQueenside, 7: WhiteKingside,
		56: BlackQueenside, 60: BlackKingside | BlackQueenside, 63: BlackKingside,
	} {
		keepRights[s] &^= uint64(r) << rightsShift
	}
}

// Make makes a move in place. It must be legal (see IsLegal) or the null move; any other leaves
// a position that need not be one, but does no other harm.
//
// Cost: about 9 ns in real games. Only castling, en passant, promotion, the null move and rights of Chess960 take a
// branch.
func (p *Position) Make(m chess.Move) {
	from, to := uint(m)&63, uint(m>>6)&63
	x := from ^ to
	k0, k1, k2 := p.kind0, p.kind1, p.kind2
	king := k0 &^ (k1 | k2) >> from
	pawn := (k1 & k2) >> from & 1
	capture := (k0 | k1 | k2) >> to & 1

	// A king's step changes the file's number by 1, 3 or 7 (as bits that flip), castling by 2 or 6.
	castling := king & Bitboard(x>>1&^x&1)
	diagonal := Bitboard(x | x>>1 | x>>2)
	if special := Bitboard(m>>12) | Bitboard(p.state&rooksBits) | castling | pawn&diagonal&^capture; special != 0 ||
		x == 0 {
		p.makeSpecial(m)
		return
	}

	turn := p.state & 1
	f, t := Bitboard(1)<<from, Bitboard(1)<<to
	keep, step := ^(f | t), int(to)-int(from)
	p.kind0 = k0&keep | k0.rotate(step)&t
	p.kind1 = k1&keep | k1.rotate(step)&t
	p.kind2 = k2&keep | k2.rotate(step)&t
	p.black = p.black&keep | t&-Bitboard(turn)

	// Of a pawn's moves, the double push alone leaves bit 3 of the square's number as it was.
	double := uint64(pawn) &^ uint64(x>>3)
	state := p.state + (1 + 1<<clockShift)
	state &= keepRights[from] & keepRights[to]
	state &= ^(-uint64(pawn|capture) << clockShift)
	p.state = state | uint64(from&7+1)<<epShift&-double
}

// specials returns 1 for castling and for en passant, else 0.
func (p *Position) specials(from, to uint) (castling, enPassant Bitboard) {
	x := from ^ to
	b0, b1, b2 := p.kind0>>from&1, p.kind1>>from&1, p.kind2>>from&1
	quiet := ^(p.kind0 | p.kind1 | p.kind2) >> to & 1
	return b0 &^ (b1 | b2) & Bitboard(x>>1&^x&1), b1 & b2 & quiet & Bitboard((x|x>>1|x>>2)&1)
}

// makeSpecial is Make for promotion, castling, en passant and the null move, and where there are rights of Chess960.
func (p *Position) makeSpecial(m chess.Move) {
	from, to := uint(m)&63, uint(m>>6)&63
	if from == to {
		p.MakeNull()
		return
	}
	if p.state&rooksBits != 0 {
		p.make960(m)
		return
	}
	piece := p.PieceAt(chess.Square(from))
	turn := p.Turn()
	state := p.state + (1 + 1<<clockShift)
	state &= keepRights[from] & keepRights[to]
	p.clear(from)
	switch promotion := m.Promotion(); {
	case promotion != chess.NoKind:
		p.put(to, chess.NewPiece(turn, promotion))
		state &^= clockBits
	case piece.Kind() == chess.King:
		p.put(to, piece)
		rook, home := to+1, to&56
		if to > from {
			rook, home = to-1, to|7
		}
		p.clear(home)
		p.put(rook, chess.NewPiece(turn, chess.Rook))
	default: // en passant
		p.put(to, piece)
		p.clear(from&56 | to&7)
		state &^= clockBits
	}
	p.state = state
}

// make960 is Make where there are rights of Chess960, for all but the null move.
func (p *Position) make960(m chess.Move) {
	from, to := uint(m)&63, uint(m>>6)&63
	piece, taken := p.PieceAt(chess.Square(from)), p.PieceAt(chess.Square(to))
	turn, kind := p.Turn(), piece.Kind()
	state := p.state + (1 + 1<<clockShift)
	state &^= epBits
	var lost CastlingRights
	for right := range uint(4) {
		rook := 56*(right>>1) + p.rookFile(right)
		if rook == from || rook == to || kind == chess.King && uint(turn) == right>>1 {
			lost |= 1 << right
			state &^= 7 << (rooksShift + 3*right)
		}
	}
	state &^= uint64(lost) << rightsShift
	if kind == chess.King && taken.Kind() != chess.NoKind && taken.Color() == turn {
		right := 2 * uint(turn)
		if to < from {
			right++
		}
		c := p.castlingSquares(right)
		p.clear(from)
		p.clear(to)
		p.put(c.kingTo, piece)
		p.put(c.rookTo, taken)
		p.state = state
		return
	}
	if taken != chess.NoPiece || kind == chess.Pawn {
		state &^= clockBits
	}
	p.clear(from)
	switch promotion := m.Promotion(); {
	case promotion != chess.NoKind:
		piece = chess.NewPiece(turn, promotion)
	case kind != chess.Pawn:
	case from^to == 16:
		state |= uint64(from&7+1) << epShift
	case (from^to)&7 != 0 && taken == chess.NoPiece: // en passant
		p.clear(from&56 | to&7)
	}
	p.put(to, piece)
	p.state = state
}

// MakeNull passes the turn, as annotated games do. The side to move should not be in check.
func (p *Position) MakeNull() { p.state = (p.state + (1 + 1<<clockShift)) &^ epBits }

func (p *Position) clear(s uint) {
	keep := ^(Bitboard(1) << (s & 63))
	p.kind0 &= keep
	p.kind1 &= keep
	p.kind2 &= keep
	p.black &= keep
}

// put puts a piece on a square, which may be occupied.
func (p *Position) put(s uint, piece chess.Piece) {
	s &= 63
	p.clear(s)
	p.kind0 |= Bitboard(piece&1) << s
	p.kind1 |= Bitboard(piece>>1&1) << s
	p.kind2 |= Bitboard(piece>>2&1) << s
	p.black |= Bitboard(piece>>3&1) << s
}

// MakeIndex is Make for an index. Every code from 1968 on is taken as the null move. Bits above the eleventh are
// ignored.
func (p *Position) MakeIndex(i moveindex.Index) {
	m, _ := (i & (moveindex.NumWords - 1)).Move()
	p.Make(m)
}
