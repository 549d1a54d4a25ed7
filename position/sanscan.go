// SPDX-License-Identifier: Apache-2.0

package position

import (
	"encoding/binary"
	"math/bits"
	"strings"

	"ply11/chess"
)

// Tables of the SAN scanner, by byte.
var (
	sanKind  [256]chess.Kind // of the first letter: a piece's, or a pawn's file
	sanHint  [256]Bitboard   // of a letter before the target: a file, a rank; all squares for 'x'
	sanForm  [128]Bitboard   // of the letters before the target: all squares if in order
	sanAfter [256]uint8      // what follows a move: endsMove, check or noMove
)

// What a byte after a move's target or promotion means.
const (
	endsMove = iota
	check    // + and #
	noMove   // it may not follow a move at once
)

// kindPlanes[kind] is a full plane for each bit of the kind's number that is set.
var kindPlanes [8][3]Bitboard

func init() {
	for k := range kindPlanes {
		for bit := range kindPlanes[k] {
			kindPlanes[k][bit] = -Bitboard(k >> bit & 1)
		}
	}
	for k := chess.King; k < chess.Pawn; k++ {
		sanKind[k.Letter()] = k
	}
	sanHint[0], sanHint['x'] = AllSquares, AllSquares
	for i := range 8 {
		sanKind['a'+i] = chess.Pawn
		sanHint['a'+i] = FileOf(i)
		sanHint['1'+i] = RankOf(i)
	}
	for _, form := range []string{"", "x", "a", "1", "ax", "1x", "a1", "a1x"} {
		var letters [8]byte
		copy(letters[6-len(form):], form)
		sanForm[sanFormOf(binary.LittleEndian.Uint64(letters[:]))] = AllSquares
	}
	for c := range 256 { // a variation or a comment may begin or end at once
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 128 ||
			strings.IndexByte("_=:-/.", byte(c)) >= 0 {
			sanAfter[c] = noMove
		}
	}
	sanAfter['+'], sanAfter['#'] = check, check
}

// sanFormOf packs what sort of letters stand in bytes 3, 4 and 5 of w, before a target in bytes 6 and 7.
// A file has bit 6 of its letter and not bit 4, a rank bit 4 and not bit 6, 'x' both, and 0 none.
func sanFormOf(w uint64) uint64 {
	w = w >> 24 & 0x505050
	return (w>>4 | w>>11 | w>>16) & 127
}

// ScanSAN reads the SAN move at the front of b, which has zeros after the end of a text, and makes it. It returns the
// one legal move that fits with the number of its bytes, at most 7. A sign of check or mate is part of it and is not
// verified; suffixes (!, ?) are not. More disambiguation than needed is taken.
//
// n is 0, and no move is made, where the text is not plain SAN or does not name exactly one legal move:
// ParseSANLenient says more, given the whole symbol. Cost: about 40 ns.
func (l *Line) ScanSAN(b *[16]byte) (m chess.Move, n int) {
	kind := sanKind[b[0]]
	switch kind {
	case chess.Pawn:
		return l.scanPawn(b)
	case chess.NoKind:
		if m, n = l.At.scanCastling(b); n > 0 {
			l.Make(m)
		}
		return m, n
	}
	// The bytes behind a piece's letter are classified eight at a time, and the disambiguation is read by three
	// table lookups, since a branch on a move's form is mispredicted too often. The letters a to h and x and the
	// digits 1 to 8 have a low half of 1 to 8, and bit 6, or bits 5 and 4, set; what may follow has not, but for
	// letters that are no file, no rank and no hint.
	const ones = 0x0101010101010101
	w := binary.LittleEndian.Uint64(b[1:])
	body := w>>6 | w>>5&(w>>4)
	end := (^body | w>>7 | (w&(ones*15)+ones*7)>>4) & ones
	size := bits.TrailingZeros64(end) >> 3
	if size < 2 || size > 5 {
		return 0, 0
	}
	w <<= (64 - 8*size) & 63
	file, rank := uint(w>>48&255)-'a', uint(w>>56)-'1'
	if file|rank > 7 {
		return 0, 0
	}
	from := sanHint[w>>40&255] & sanHint[w>>32&255] & sanHint[w>>24&255] & sanForm[sanFormOf(w)]
	if n = sanEnd(b, 1+size); n == 0 {
		return 0, 0
	}
	p, to := &l.At, (rank<<3|file)&63
	occ := p.Occupied()
	us := occ & (p.black ^ (Bitboard(p.state&1) - 1))
	piece := &kindPlanes[kind&7]
	c := us & from & reach[kind&7][to] &^ ((p.kind0 ^ piece[0]) | (p.kind1 ^ piece[1]) | (p.kind2 ^ piece[2]))
	f := c.first()
	if rare := c&(c-1) | between[f][to]&occ | us>>to&1 | Bitboard(p.state&rooksBits); rare == 0 && c != 0 {
		state := (p.state + (1 + 1<<clockShift)) & keepRights[f] & keepRights[to]
		if l.makeFound(kind, f, to, 1<<to, state&^(-uint64(occ>>to&1)<<clockShift)) {
			return chess.Move(f | to<<6), n
		}
	}
	return l.makeResolved(kind, to, from, chess.NoKind, n)
}

// scanPawn is ScanSAN where the move begins with the letter of a file.
func (l *Line) scanPawn(b *[16]byte) (m chess.Move, n int) {
	own := uint(b[0]) - 'a'
	file, rank, size := own, uint(b[1])-'1', 2
	if b[1] == 'x' {
		file, rank, size = uint(b[2])-'a', uint(b[3])-'1', 4
	}
	if file|rank > 7 || file == own && size == 4 {
		return 0, 0 // bb4: rather a bishop; b2b4: rare
	}
	p, to := &l.At, rank<<3|file
	from := FileOf(int(own))
	if rank == 0 || rank == 7 {
		promotion := sanKind[b[size+1]]
		if b[size] != '=' || promotion < chess.Queen || promotion > chess.Rook {
			return 0, 0
		}
		return l.makeResolved(chess.Pawn, to, from, promotion, sanEnd(b, size+2))
	}
	if n = sanEnd(b, size); n == 0 {
		return 0, 0
	}
	occ, turn := p.Occupied(), p.state&1
	us := occ & (p.black ^ (Bitboard(turn) - 1))
	c, t := us&from&p.kind1&p.kind2, Bitboard(1)<<to
	gone := t
	if size == 2 {
		c &= pushFrom[turn][to] &^ -(occ >> to & 1)
	} else {
		ep := p.epSet()
		c &= geometries[to].pawn[turn^1] & -((occ&^us | ep) >> to & 1)
		if ep == t {
			gone = 1 << (to ^ 8)
		}
	}
	f := c.first()
	if rare := c&(c-1) | between[f][to]&occ; rare == 0 && c != 0 {
		// of a pawn's moves, this one alone leaves bit 3 of the square's number as it was
		double := ^uint64(f^to) >> 3 & 1
		state := (p.state+1)&^(clockBits|epBits) | uint64(file+1)<<epShift&-double
		if l.makeFound(chess.Pawn, f, to, gone, state) {
			return chess.Move(f | to<<6), n
		}
	}
	return l.makeResolved(chess.Pawn, to, from, chess.NoKind, n)
}

// sanEnd returns how many bytes a move takes that is complete after n, with a sign of check; 0 if what follows may not
// follow a move.
func sanEnd(b *[16]byte, n int) int {
	n += int(sanAfter[b[n&15]] & check)
	if sanAfter[b[n&15]] != endsMove {
		return 0
	}
	return n
}

// makeFound makes a pseudo-legal move, neither castling nor a promotion, after which the state is as given and the
// pieces on the squares gone are taken. It reports false, and makes none, if the king is left in check.
func (l *Line) makeFound(kind chess.Kind, f, to uint, gone Bitboard, state uint64) bool {
	p := &l.At
	k0, k1, k2, black, turn := p.kind0, p.kind1, p.kind2, p.black, Bitboard(p.state&1)
	t, left := Bitboard(1)<<(to&63), ^(1<<(f&63) | gone)
	king := to
	if kind != chess.King {
		king = uint(bits.TrailingZeros64(uint64(k0 &^ (k1 | k2) & (black ^ (turn - 1)))))
	}
	g := &geometries[king&63]
	found, oblique, straight := g.attackers(k0, k1, k2, (black^-turn)&^gone, g.pawn[turn&1])
	if found|oblique|straight != 0 && p.leavesCheck(king, (k0|k1|k2)&left|t, gone) {
		return false
	}
	// Field by field: a load of several waits until they are in the cache.
	q := &l.before
	q.kind0, q.kind1, q.kind2, q.black, q.state = k0, k1, k2, black, p.state
	piece := &kindPlanes[kind&7]
	left &^= t
	p.kind0 = k0&left | t&piece[0]
	p.kind1 = k1&left | t&piece[1]
	p.kind2 = k2&left | t&piece[2]
	p.black = black&left | t&-turn
	p.state = state
	return true
}

// makeResolved makes the move that resolve finds, if n, its bytes, is not 0.
func (l *Line) makeResolved(kind chess.Kind, to uint, from Bitboard, promotion chess.Kind, n int) (chess.Move, int) {
	m, status := l.At.resolve(kind, chess.Square(to), from, promotion)
	if n == 0 || status != unique {
		return 0, 0
	}
	l.Make(m)
	return m, n
}

// scanCastling is ScanSAN for castling, and does not make the move.
func (p *Position) scanCastling(b *[16]byte) (m chess.Move, n int) {
	if string(b[:3]) != "O-O" {
		return 0, 0
	}
	n = 3
	if string(b[3:5]) == "-O" {
		n = 5
	}
	m, legal := p.Castle(n == 5)
	if sanAfter[b[n]] == check {
		n++
	}
	if !legal || sanAfter[b[n]] != endsMove {
		return 0, 0
	}
	return m, n
}
