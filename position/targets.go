// SPDX-License-Identifier: Apache-2.0

package position

import "ply11/moveindex"

// Targets is one man of the side to move, and the squares to which it may legally go. A pawn that goes to
// its last rank does so in four ways.
type Targets struct {
	From moveindex.Square
	Kind moveindex.Kind
	To   Bitboard
}

// LegalTargets sets buf to the men of the side to move and their legal targets, and returns that part of
// it. The order is by kind (king, queens, knights, bishops, rooks, pawns) and then by square; men that
// cannot move may stand among them or not. It is the legal halfmoves in another form, for those who
// want to go through them man by man.
func (p *Position) LegalTargets(buf *[16]Targets) []Targets {
	l := p.legality()
	buf[0] = Targets{moveindex.Square(l.king), moveindex.King,
		geometries[l.king].king&^l.us&^l.danger | p.castlings(&l)}
	n := 1
	if l.target == 0 {
		return buf[:n]
	}
	free := ^(l.pinS | l.pinO)
	queens := l.straight & l.oblique
	for b := queens & l.us; b != 0 && n < len(buf); b &= b - 1 {
		s := b.first()
		var to Bitboard
		switch {
		case l.pinS>>s&1 != 0:
			to = rookAttacks(s, l.occ) & l.pinS
		case l.pinO>>s&1 != 0:
			to = bishopAttacks(s, l.occ) & l.pinO
		default:
			to = rookAttacks(s, l.occ) | bishopAttacks(s, l.occ)
		}
		buf[n] = Targets{moveindex.Square(s), moveindex.Queen, to & l.target}
		n++
	}
	for b := l.knights & l.us & free; b != 0 && n < len(buf); b &= b - 1 {
		s := b.first()
		buf[n] = Targets{moveindex.Square(s), moveindex.Knight, geometries[s].knight & l.target}
		n++
	}
	for b := l.oblique & l.us &^ (l.pinS | queens); b != 0 && n < len(buf); b &= b - 1 {
		s := b.first()
		to := bishopAttacks(s, l.occ) & l.target
		if free>>s&1 == 0 {
			to &= l.pinO
		}
		buf[n] = Targets{moveindex.Square(s), moveindex.Bishop, to}
		n++
	}
	for b := l.straight & l.us &^ (l.pinO | queens); b != 0 && n < len(buf); b &= b - 1 {
		s := b.first()
		to := rookAttacks(s, l.occ) & l.target
		if free>>s&1 == 0 {
			to &= l.pinS
		}
		buf[n] = Targets{moveindex.Square(s), moveindex.Rook, to}
		n++
	}
	m := p.pawnMoves(&l)
	ep := p.epSet()
	for b := l.pawns & l.us; b != 0 && n < len(buf); b &= b - 1 {
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
		if to == 0 {
			continue
		}
		buf[n] = Targets{b.First(), moveindex.Pawn, to}
		n++
	}
	return buf[:n]
}
