// SPDX-License-Identifier: Apache-2.0

package position

import (
	"math/bits"

	"ply11/chess"
	"ply11/moveindex"
)

// MaxMoves is the largest number of legal moves in a position that a game can reach; set-up positions may have more.
const MaxMoves = 218

var promotionBits = [4]chess.Move{
	chess.NewPromotion(0, 0, chess.Queen),
	chess.NewPromotion(0, 0, chess.Rook),
	chess.NewPromotion(0, 0, chess.Bishop),
	chess.NewPromotion(0, 0, chess.Knight),
}

// legality is what decides which moves are legal.
type legality struct {
	pieces
	king uint
	// where pieces other than the king may go: not on our own; in check, what ends it
	target                         Bitboard
	pinS, pinO                     Bitboard // the lines along which our pieces are pinned, straight and oblique
	danger                         Bitboard // squares that the king may not step on
	byPawns, byOblique, byStraight Bitboard // the parts of danger; see Targets
	checkers                       Bitboard
}

// attacked finds the squares that the enemy attacks, looking through our king.
func (l *legality) attacked(enemy chess.Color) {
	them := l.them
	empty := ^l.occ | l.kings&l.us
	pawns := pawnSet(enemy, l.pawns&them)
	oblique := knightSet(l.knights&them) | obliqueSet(l.oblique&them, empty)
	straight := straightSet(l.straight&them, empty)
	if k := l.kings & them; k != 0 {
		straight |= geometries[k.first()].king
	}
	l.byPawns, l.byOblique, l.byStraight, l.danger = pawns, oblique, straight, pawns|oblique|straight
}

// legality works out checks, pins and the squares forbidden to the king. It fills l, since returning a struct of this
// size costs 11 ns.
func (p *Position) legality(l *legality) {
	p.pieces(&l.pieces)
	us, them := l.us, l.them
	king := (l.kings & us).first()
	g := &geometries[king]
	checkers := (g.knight&l.knights | g.pawn[p.state&1]&l.pawns) & them
	ends := checkers
	var pinS, pinO Bitboard

	// Enemy sliders that would see the king but for our pieces in between.
	r := Bitboard(1) << king
	snipers := (lineAttacks(g.file, them, r) | rankAttacks(king, them)) & l.straight & them
	for ; snipers != 0; snipers &= snipers - 1 {
		s := snipers.first()
		line := between[king][s]
		switch ours := line & us; {
		case ours == 0:
			checkers |= 1 << s
			ends |= 1<<s | line
		case ours&(ours-1) == 0:
			pinS |= 1<<s | line
		}
	}
	snipers = (lineAttacks(g.diagonal, them, r) | lineAttacks(g.anti, them, r)) & l.oblique & them
	for ; snipers != 0; snipers &= snipers - 1 {
		s := snipers.first()
		line := between[king][s]
		switch ours := line & us; {
		case ours == 0:
			checkers |= 1 << s
			ends |= 1<<s | line
		case ours&(ours-1) == 0:
			pinO |= 1<<s | line
		}
	}
	l.attacked(p.Turn().Other())
	target := ^us
	if checkers != 0 {
		if checkers&(checkers-1) != 0 {
			target = 0
		} else {
			target &= ends
		}
	}
	l.king, l.pinS, l.pinO, l.checkers, l.target = king, pinS, pinO, checkers, target
}

// castlings returns the squares to which the king may castle now: on files g and c, in Chess960 his rook's.
func (p *Position) castlings(l *legality) Bitboard {
	turn := uint(p.state & 1)
	rights := uint(p.state>>rightsShift) >> (2 * turn) & 3
	if rights == 0 || l.checkers != 0 {
		return 0
	}
	if p.state&rooksBits != 0 {
		return p.castlings960()
	}
	home := 56 * turn
	var b Bitboard
	if rights&1 != 0 && l.occ>>home&0x60 == 0 && l.danger>>home&0x60 == 0 {
		b |= 0x40 << home
	}
	if rights&2 != 0 && l.occ>>home&0x0e == 0 && l.danger>>home&0x0c == 0 {
		b |= 0x04 << home
	}
	return b
}

// castlings960 returns the squares of the rooks with which castling is legal now.
func (p *Position) castlings960() (b Bitboard) {
	right := 2 * uint(p.state&1)
	for range 2 {
		if c := p.castlingSquares(right); p.mayCastle(right, &c) {
			b |= 1 << c.rook
		}
		right++
	}
	return b
}

// mayCastle reports whether castling of Chess960 by a right of the side to move is legal.
func (p *Position) mayCastle(right uint, c *castling) bool {
	occ, king, rook := p.Occupied(), Bitboard(1)<<c.king, Bitboard(1)<<c.rook
	if p.state>>(rightsShift+right)&1 == 0 || c.free()&occ != 0 || p.leavesCheck(c.king, occ, 0) {
		return false
	}
	for path := c.path(); path != 0; path &= path - 1 {
		if p.leavesCheck(path.first(), occ, 0) {
			return false
		}
	}
	// On his last square the king may have lost the rook that shielded him.
	return !p.leavesCheck(c.kingTo, occ&^(king|rook)|1<<c.kingTo|1<<c.rookTo, 0)
}

// pawnMoves is the legal moves of the pawns as sets of target squares.
type pawnMoves struct {
	step, double, west, east Bitboard
	ep                       Bitboard // squares of the pawns that may take en passant
}

func (p *Position) pawnMoves(l *legality, m *pawnMoves) {
	pawns := l.pawns & l.us
	// A pawn may move along the line of its pin: two lines through the king do not meet elsewhere.
	pinS, pinO := l.pinS, l.pinO
	push, take := pawns&^pinO, pawns&^pinS
	takeFree, takePinned := take&^pinO, take&pinO
	pushFree, pushPinned := push&^pinS, push&pinS
	empty, enemy, target := ^l.occ, l.them, l.target
	var step, double, west, east Bitboard
	if p.state&1 == 0 {
		step = (pushFree<<8 | pushPinned<<8&pinS) & empty
		double = step & rank3 << 8 & empty
		west = (takeFree<<7 | takePinned<<7&pinO) & notH & enemy
		east = (takeFree<<9 | takePinned<<9&pinO) & notA & enemy
	} else {
		step = (pushFree>>8 | pushPinned>>8&pinS) & empty
		double = step & rank6 >> 8 & empty
		west = (takeFree>>9 | takePinned>>9&pinO) & notH & enemy
		east = (takeFree>>7 | takePinned>>7&pinO) & notA & enemy
	}
	m.step, m.double, m.west, m.east, m.ep = step&target, double&target, west&target, east&target, 0
	if p.state&epBits != 0 {
		m.ep = p.epCaptors(pawns)
	}
}

// epCaptors returns which of our pawns may take en passant, tested by doing it: two pawns vanish from one rank.
func (p *Position) epCaptors(pawns Bitboard) (legal Bitboard) {
	to := p.EnPassantSquare()
	if to >= chess.NoSquare {
		return 0
	}
	taken := Bitboard(1) << (to ^ 8)
	for b := geometries[to].pawn[p.state&1^1] & pawns; b != 0; b &= b - 1 {
		from := b & -b
		if !p.leavesCheck(uint(p.KingSquare(p.Turn())), p.Occupied()&^(from|taken)|1<<to, taken) {
			legal |= from
		}
	}
	return legal
}

// LegalMoves appends the legal moves to buf and returns it; with room for MaxMoves, nothing is
// allocated. The order is the same for the same position, and otherwise not specified.
func (p *Position) LegalMoves(buf []chess.Move) []chess.Move {
	var l legality
	p.legality(&l)
	buf = appendMoves(buf, l.king, geometries[l.king].king&^l.us&^l.danger)
	if l.target == 0 {
		return buf
	}
	buf = appendMoves(buf, l.king, p.castlings(&l))
	for b := l.knights & l.us &^ (l.pinS | l.pinO); b != 0; b &= b - 1 {
		s := b.first()
		buf = appendMoves(buf, s, geometries[s].knight&l.target)
	}
	for b := l.oblique & l.us &^ l.pinS; b != 0; b &= b - 1 {
		s := b.first()
		targets := bishopAttacks(s, l.occ) & l.target
		if l.pinO>>s&1 != 0 {
			targets &= l.pinO
		}
		buf = appendMoves(buf, s, targets)
	}
	for b := l.straight & l.us &^ l.pinO; b != 0; b &= b - 1 {
		s := b.first()
		targets := rookAttacks(s, l.occ) & l.target
		if l.pinS>>s&1 != 0 {
			targets &= l.pinS
		}
		buf = appendMoves(buf, s, targets)
	}
	var m pawnMoves
	p.pawnMoves(&l, &m)
	back := uint(8) // from = to - back for a step; modulo 64
	if p.state&1 != 0 {
		back = 56
	}
	buf = appendPawnMoves(buf, m.step, back)
	buf = appendPawnMoves(buf, m.double, 2*back)
	buf = appendPawnMoves(buf, m.west, back-1)
	buf = appendPawnMoves(buf, m.east, back+1)
	for b := m.ep; b != 0; b &= b - 1 {
		buf = append(buf, chess.NewMove(b.First(), p.EnPassantSquare()))
	}
	return buf
}

func appendMoves(buf []chess.Move, from uint, targets Bitboard) []chess.Move {
	for ; targets != 0; targets &= targets - 1 {
		buf = append(buf, chess.Move(from|targets.first()<<6))
	}
	return buf
}

// appendPawnMoves appends the moves to the targets from the squares back steps behind them.
func appendPawnMoves(buf []chess.Move, targets Bitboard, back uint) []chess.Move {
	for b := targets &^ backRanks; b != 0; b &= b - 1 {
		to := b.first()
		buf = append(buf, chess.Move((to-back)&63|to<<6))
	}
	for b := targets & backRanks; b != 0; b &= b - 1 {
		to := b.first()
		for _, promotion := range promotionBits {
			buf = append(buf, chess.Move((to-back)&63|to<<6)|promotion)
		}
	}
	return buf
}

// CountLegal returns the number of legal moves without listing them.
func (p *Position) CountLegal() int {
	var l legality
	p.legality(&l)
	n := bits.OnesCount64(uint64(geometries[l.king].king &^ l.us &^ l.danger))
	if l.target == 0 {
		return n
	}
	n += bits.OnesCount64(uint64(p.castlings(&l)))
	for b := l.knights & l.us &^ (l.pinS | l.pinO); b != 0; b &= b - 1 {
		n += bits.OnesCount64(uint64(geometries[b.first()].knight & l.target))
	}
	for b := l.oblique & l.us &^ l.pinS; b != 0; b &= b - 1 {
		s := b.first()
		targets := bishopAttacks(s, l.occ) & l.target
		if l.pinO>>s&1 != 0 {
			targets &= l.pinO
		}
		n += bits.OnesCount64(uint64(targets))
	}
	for b := l.straight & l.us &^ l.pinO; b != 0; b &= b - 1 {
		s := b.first()
		targets := rookAttacks(s, l.occ) & l.target
		if l.pinS>>s&1 != 0 {
			targets &= l.pinS
		}
		n += bits.OnesCount64(uint64(targets))
	}
	var m pawnMoves
	p.pawnMoves(&l, &m)
	n += m.step.Count() + m.double.Count() + m.west.Count() + m.east.Count() + m.ep.Count()
	if (m.step|m.west|m.east)&backRanks != 0 {
		n += 3 * ((m.step & backRanks).Count() + (m.west & backRanks).Count() + (m.east & backRanks).Count())
	}
	return n
}

// HasLegalMove reports whether there is a legal move.
func (p *Position) HasLegalMove() bool { return p.CountLegal() != 0 }

// IsCheckmate reports whether the side to move is in check and has no legal move.
func (p *Position) IsCheckmate() bool { return p.InCheck() && !p.HasLegalMove() }

// IsStalemate reports whether the side to move is not in check and has no legal move.
func (p *Position) IsStalemate() bool { return !p.InCheck() && !p.HasLegalMove() }

// LegalMask sets the bit of the index of each legal move, bit i modulo 64 of mask[i/64], and
// clears all others: the label mask of the 1,968 indices (the last 16 bits are 0).
func (p *Position) LegalMask(mask *[31]uint64) {
	*mask = [31]uint64{}
	var buf [256]chess.Move
	for _, m := range p.LegalMoves(buf[:0]) {
		if i, ok := moveindex.Of(m); ok && int(i) < len(mask)*64 {
			mask[i>>6] |= 1 << (i & 63)
		}
	}
}

// isPseudoLegal reports whether a piece of the side to move moves as the move says; its king may be left in check, but
// not by castling. The null move is not pseudo-legal.
func (p *Position) isPseudoLegal(m chess.Move) bool {
	from, to := uint(m)&63, uint(m>>6)&63
	turn := p.state & 1
	piece := p.PieceAt(chess.Square(from))
	kind := piece.Kind()
	occ := p.Occupied()
	us := p.ByColor(chess.Color(turn))
	f, t := Bitboard(1)<<from, Bitboard(1)<<to
	if m>>15 != 0 || us&f == 0 {
		return false
	}
	if us&t != 0 {
		return kind == chess.King && m>>12 == 0 && p.state&rooksBits != 0 && p.canCastle(from, to)
	}
	if kind == chess.Pawn {
		if promotion := m.Promotion(); t&backRanks != 0 {
			if promotion < chess.Queen || promotion > chess.Rook {
				return false
			}
		} else if m>>12 != 0 {
			return false
		}
		if geometries[from].pawn[turn]&t != 0 {
			return occ&t != 0 || p.epSet() == t
		}
		if turn == 0 {
			return to == from+8 && occ&t == 0 ||
				to == from+16 && f&Rank2 != 0 && occ&(t|t>>8) == 0
		}
		return from == to+8 && occ&t == 0 ||
			from == to+16 && f&Rank7 != 0 && occ&(t|t<<8) == 0
	}
	if m>>12 != 0 {
		return false
	}
	if reach[kind][from]&t != 0 {
		return between[from][to]&occ == 0
	}
	return kind == chess.King && p.canCastle(from, to)
}

// canCastle reports whether the king's step of two squares, in Chess960 his move onto his rook, is legal castling.
func (p *Position) canCastle(from, to uint) bool {
	turn := uint(p.state & 1)
	if p.state&rooksBits != 0 {
		right := 2 * turn
		if to < from {
			right++
		}
		c := p.castlingSquares(right)
		return c.king == from && c.rook == to && p.mayCastle(right, &c)
	}
	home := 56 * turn
	rights := uint(p.state>>rightsShift) >> (2 * turn)
	occ := p.Occupied()
	switch {
	case from != 4+home:
		return false
	case to == 6+home:
		return rights&1 != 0 && occ>>home&0x60 == 0 && !p.leavesCheck(from, occ, 0) &&
			!p.leavesCheck(5+home, occ, 0) && !p.leavesCheck(6+home, occ, 0)
	case to == 2+home:
		return rights&2 != 0 && occ>>home&0x0e == 0 && !p.leavesCheck(from, occ, 0) &&
			!p.leavesCheck(3+home, occ, 0) && !p.leavesCheck(2+home, occ, 0)
	}
	return false
}

// IsLegal reports whether a move is legal, without making a list. The null move is not.
func (p *Position) IsLegal(m chess.Move) bool {
	// A castling of Chess960 has been judged, and isSafe does not know it.
	return p.isPseudoLegal(m) && (p.isSafe(uint(m)&63, uint(m>>6)&63) || p.ByColor(p.Turn()).Has(m.To()))
}

// isSafe reports whether a pseudo-legal move does not leave its own king in check.
func (p *Position) isSafe(from, to uint) bool {
	turn := p.state & 1
	f, t := Bitboard(1)<<(from&63), Bitboard(1)<<(to&63)
	gone := t
	occ := p.Occupied()
	king := uint(p.KingSquare(chess.Color(turn))) & 63
	if p.kind1&p.kind2&f != 0 && occ&t == 0 && (from^to)&7 != 0 { // en passant
		gone = Bitboard(1) << ((from&56 | to&7) & 63)
	}
	if from == king {
		king = to
	}
	return !p.leavesCheck(king, occ&^(f|gone)|t, gone)
}
