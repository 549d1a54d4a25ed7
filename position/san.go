// SPDX-License-Identifier: Apache-2.0

package position

import (
	"encoding/binary"
	"math/bits"

	"ply11/chess"
)

// fit is what resolve found.
type fit uint8

// What resolve finds. unique is the one that comes with a move.
const (
	unique       fit = iota // one legal move fits
	noneFits                // no piece of the kind, on the squares given, reaches the target
	exposed                 // those that reach it leave their king in check
	ambiguous               // more than one legal move fits
	badPromotion            // a pawn on the last rank without a promotion, or any other with one
)

// pushFrom[c][s] is the squares from which a pawn of colour c may step forward to s, by one or two.
var pushFrom [2][64]Bitboard

func init() {
	for s := range 64 {
		if s >= 16 {
			pushFrom[chess.White][s] = 1 << (s - 8)
		}
		if s < 48 {
			pushFrom[chess.Black][s] = 1 << (s + 8)
		}
		switch s >> 3 {
		case 3:
			pushFrom[chess.White][s] |= 1 << (s - 16)
		case 4:
			pushFrom[chess.Black][s] |= 1 << (s + 16)
		}
	}
}

// resolve finds the one legal move of a piece of the given kind to the square to. The piece stands on one of the
// squares in from; AllSquares is any. promotion is what a pawn becomes; NoKind is nothing.
// SAN is read so: from the target backwards, without a list of moves. Pieces that are pinned,
// or would leave the king in check, do not count. Castling is not a king's step here: see Castle.
// A pawn's pushes and captures both count: for SAN's "e4", pass the e-file.
//
// Cost: about 10 ns.
func (p *Position) resolve(kind chess.Kind, to chess.Square, from Bitboard,
	promotion chess.Kind) (chess.Move, fit) {
	to &= 63
	k0, k1, k2 := p.kind0, p.kind1, p.kind2
	occ := k0 | k1 | k2
	turn := p.state & 1
	us := occ & (p.black ^ (Bitboard(turn) - 1))
	t := Bitboard(1) << to

	var c Bitboard
	gone := t
	if kind == chess.Pawn {
		ep := p.epSet()
		takes := geometries[to].pawn[turn^1] & -((occ&^us | ep) >> to & 1)
		pushes := pushFrom[turn][to] &^ -(occ >> to & 1)
		c = (takes | pushes) & k1 & k2 & us & from
		if (t&backRanks != 0) != (promotion >= chess.Queen && promotion <= chess.Rook) {
			return 0, badPromotion
		}
		if ep == t && c&pushes == 0 {
			gone = 1 << (to ^ 8)
		}
	} else {
		if promotion != chess.NoKind {
			return 0, badPromotion
		}
		c = p.ByKind(kind) & us & reach[kind&7][to] & from
	}
	c &^= -(us >> to & 1)

	king := uint(bits.TrailingZeros64(uint64(k0&^(k1|k2)&us))) & 63
	if kind == chess.King {
		king = uint(to)
	}
	status, move := noneFits, chess.Move(0)
	for ; c != 0; c &= c - 1 {
		f := c.first()
		if between[f][to]&occ != 0 {
			continue
		}
		if p.leavesCheck(king, occ&^(1<<f|gone)|t, gone) {
			if status == noneFits {
				status = exposed
			}
			continue
		}
		if status == unique {
			return 0, ambiguous
		}
		status, move = unique, chess.NewPromotion(chess.Square(f), to, promotion)
	}
	return move, status
}

// Castle returns the castling move of the side to move, and whether it is legal. In Chess960 the move without the right
// is chess.NullMove.
func (p *Position) Castle(queenside bool) (chess.Move, bool) {
	if p.state&rooksBits != 0 {
		right := 2 * uint(p.state&1)
		if queenside {
			right++
		}
		if p.state>>(rightsShift+right)&1 == 0 {
			return chess.NullMove, false
		}
		c := p.castlingSquares(right)
		return chess.Move(c.king | c.rook<<6), p.mayCastle(right, &c)
	}
	from := uint(4 + 56*(p.state&1))
	to := from + 2
	if queenside {
		to = from - 2
	}
	return chess.Move(from | to<<6), p.canCastle(from, to)
}

// AppendSAN appends the move in the PGN standard's export form (8.2.3), with as little
// disambiguation as it needs and with + or #. The move must be legal; the null move is written "--".
//
// Frozen: archives (.p11) keep moves and not their text, and rebuild the text by this function. Another result for any
// move would unpack them to other bytes.
//
// Cost: about 30 ns; mate is looked for only where there is check, and check only where the pieces stand so that
// there can be one.
func (p *Position) AppendSAN(dst []byte, m chess.Move) []byte {
	dst, quiet := p.appendSAN(dst, m)
	if quiet {
		return dst
	}
	q := *p
	q.Make(m)
	return q.appendCheck(dst)
}

// AppendSANMake is AppendSAN and then Make, for less than both.
func (p *Position) AppendSANMake(dst []byte, m chess.Move) []byte {
	dst, quiet := p.appendSAN(dst, m)
	p.Make(m)
	if quiet {
		return dst
	}
	return p.appendCheck(dst)
}

// appendCheck appends the sign of check or mate to the move that led to p.
func (p *Position) appendCheck(dst []byte) []byte {
	if !p.InCheck() {
		return dst
	}
	if p.HasLegalMove() {
		return append(dst, '+')
	}
	return append(dst, '#')
}

// SAN returns the move as AppendSAN writes it.
func (p *Position) SAN(m chess.Move) string { return string(p.AppendSAN(nil, m)) }

// appendSAN is AppendSAN without the check sign. quiet tells that it needs none; it may need none without it.
func (p *Position) appendSAN(dst []byte, m chess.Move) (text []byte, quiet bool) {
	from, to := uint(m)&63, uint(m>>6)&63
	kind := chess.Kind(p.codeAt(from) & 7)
	occ := p.Occupied()
	turn := p.state & 1
	us := occ & (p.black ^ (Bitboard(turn) - 1))
	enemy := p.kind0 &^ (p.kind1 | p.kind2) &^ us // the king
	// Neither the piece on its new square nor one behind its old one can give check: what is tested is the
	// empty board.
	quiet = reach[chess.Queen][from]&enemy == 0

	// All that is written fits in one word: letters go in from the low end.
	target := uint64('a'+to&7) | uint64('1'+to>>3)<<8
	capture := uint64(occ >> to & 1)
	w, n := uint64(0), 0
	if kind == chess.Pawn {
		quiet = quiet && geometries[to].pawn[turn]&enemy == 0
		w, n = target, 2
		if (from^to)&7 != 0 {
			w, n = uint64('a'+from&7)|'x'<<8|target<<16, 4
			quiet = quiet && capture != 0 // not en passant
		}
		if promotion := m.Promotion(); promotion != chess.NoKind {
			w |= ('=' | uint64(promotion.Letter())<<8) << (8 * n & 63)
			n += 2
			quiet = false
		}
		return appendWord(dst, w, n), quiet
	}
	if m == chess.NullMove {
		return append(dst, "--"...), true
	}
	if kind == chess.King && ((from^to)&3 == 2 || us>>to&1 != 0) {
		if to > from {
			return append(dst, "O-O"...), false
		}
		return append(dst, "O-O-O"...), false
	}
	quiet = quiet && reach[kind&7][to]&enemy == 0
	w, n = uint64(kind.Letter()), 1
	others := p.ByKind(kind) & us & reach[kind&7][to] &^ (1 << from)
	var rivals Bitboard // other pieces of the kind that may go there
	for ; others != 0; others &= others - 1 {
		if f := others.first(); between[f][to]&occ == 0 && p.isSafe(f, to) {
			rivals |= 1 << f
		}
	}
	if rivals != 0 {
		sameFile := rivals&FileOf(int(from)) != 0
		sameRank := rivals&RankOf(int(from>>3)) != 0
		if !sameFile || sameRank {
			w |= uint64('a'+from&7) << 8
			n++
		}
		if sameFile {
			w |= uint64('1'+from>>3) << (8 * n & 63)
			n++
		}
	}
	w |= 'x' & -capture << (8 * n & 63)
	n += int(capture)
	w |= target << (8 * n & 63)
	return appendWord(dst, w, n+2), quiet
}

// appendWord appends the n low bytes of w, low byte first.
func appendWord(dst []byte, w uint64, n int) []byte {
	return binary.LittleEndian.AppendUint64(dst, w)[:len(dst)+n]
}
