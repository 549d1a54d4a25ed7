// SPDX-License-Identifier: Apache-2.0

package position

import "ply11/chess"

// PieceTargets is one piece of the side to move, and the squares to which it may legally go.
type PieceTargets struct {
	From chess.Square
	Kind chess.Kind
	To   Bitboard
}

// Targets is the legal moves of a position, piece by piece, and who attacks what.
type Targets struct {
	// The N pieces of the side to move that can move, by kind (king, queens, knights, bishops, rooks, pawns) and then
	// by square.
	Pieces [16]PieceTargets
	N      int

	// What the enemy attacks, looking through our king: his pawns; his knights, and bishops and queens along diagonals;
	// his rooks and queens along ranks and files, and his king.
	ByPawns, ByOblique, ByStraight Bitboard

	// What our own bishops and queens attack along diagonals, and rooks and queens along ranks and files, pinned or
	// not.
	Oblique, Straight Bitboard
}

// Targets finds the targets of the position's pieces, of more than 16 only the first. Cost: about 70 ns.
func (p *Position) Targets(t *Targets) {
	var l legality
	p.legality(&l)
	t.ByPawns, t.ByOblique, t.ByStraight = l.byPawns, l.byOblique, l.byStraight
	t.Pieces[0] = PieceTargets{From: chess.Square(l.king), Kind: chess.King,
		To: geometries[l.king].king&^l.us&^l.danger | p.castlings(&l)}
	n := t.Pieces[0].To.some()
	var oblique, straight Bitboard
	queens := l.straight & l.oblique
	for b := queens & l.us; b != 0 && n < len(t.Pieces); b &= b - 1 {
		s := b.first()
		o, r := bishopAttacks(s, l.occ), rookAttacks(s, l.occ)
		oblique |= o
		straight |= r
		to := o | r
		switch {
		case l.pinS>>s&1 != 0:
			to = r & l.pinS
		case l.pinO>>s&1 != 0:
			to = o & l.pinO
		}
		t.Pieces[n] = PieceTargets{From: chess.Square(s), Kind: chess.Queen, To: to & l.target}
		n += t.Pieces[n].To.some()
	}
	for b := l.knights & l.us &^ (l.pinS | l.pinO); b != 0 && n < len(t.Pieces); b &= b - 1 {
		s := b.first()
		t.Pieces[n] = PieceTargets{From: chess.Square(s), Kind: chess.Knight, To: geometries[s].knight & l.target}
		n += t.Pieces[n].To.some()
	}
	for b := l.oblique & l.us &^ queens; b != 0 && n < len(t.Pieces); b &= b - 1 {
		s := b.first()
		to := bishopAttacks(s, l.occ)
		oblique |= to
		switch {
		case l.pinS>>s&1 != 0:
			to = 0
		case l.pinO>>s&1 != 0:
			to &= l.pinO
		}
		t.Pieces[n] = PieceTargets{From: chess.Square(s), Kind: chess.Bishop, To: to & l.target}
		n += t.Pieces[n].To.some()
	}
	for b := l.straight & l.us &^ queens; b != 0 && n < len(t.Pieces); b &= b - 1 {
		s := b.first()
		to := rookAttacks(s, l.occ)
		straight |= to
		switch {
		case l.pinO>>s&1 != 0:
			to = 0
		case l.pinS>>s&1 != 0:
			to &= l.pinS
		}
		t.Pieces[n] = PieceTargets{From: chess.Square(s), Kind: chess.Rook, To: to & l.target}
		n += t.Pieces[n].To.some()
	}
	t.Oblique, t.Straight = oblique, straight
	var m pawnMoves
	p.pawnMoves(&l, &m)
	ep := p.epSet()
	var movers Bitboard
	if p.state&1 == 0 {
		movers = m.step>>8 | m.double>>16 | m.west>>7 | m.east>>9 | m.ep
	} else {
		movers = m.step<<8 | m.double<<16 | m.west<<9 | m.east<<7 | m.ep
	}
	for b := movers; b != 0 && n < len(t.Pieces); b &= b - 1 {
		pawn := b & -b
		var to Bitboard
		if p.state&1 == 0 {
			to = pawn<<8&m.step | pawn<<16&m.double | pawn<<7&m.west | pawn<<9&m.east
		} else {
			to = pawn>>8&m.step | pawn>>16&m.double | pawn>>9&m.west | pawn>>7&m.east
		}
		if m.ep&pawn != 0 {
			to |= ep
		}
		t.Pieces[n] = PieceTargets{From: b.First(), Kind: chess.Pawn, To: to}
		n++
	}
	t.N = n
}

// some is 1, and 0 for the empty set, without a branch.
func (b Bitboard) some() int { return int((b | -b) >> 63) }
