// SPDX-License-Identifier: Apache-2.0

package position

import (
	"math/bits"

	"ply11/chess"
)

// Bitboard is a set of squares: bit s is square s, a1 = bit 0, h8 = bit 63.
type Bitboard uint64

// Sets of squares that have a name.
const (
	FileA Bitboard = 0x0101010101010101
	FileH Bitboard = FileA << 7
	Rank1 Bitboard = 0xff
	Rank2 Bitboard = Rank1 << 8
	Rank7 Bitboard = Rank1 << 48
	Rank8 Bitboard = Rank1 << 56

	AllSquares Bitboard = 0xffffffffffffffff

	rank3        = Rank1 << 16
	rank6        = Rank1 << 40
	backRanks    = Rank1 | Rank8
	lightSquares = Bitboard(0x55aa55aa55aa55aa)
	darkSquares  = ^lightSquares
)

// FileOf returns the eight squares of a file, 0 (a) to 7 (h), taken modulo 8.
func FileOf(file int) Bitboard { return FileA << (uint(file) & 7) }

// RankOf returns the eight squares of a rank, 0 to 7, taken modulo 8.
func RankOf(rank int) Bitboard { return Rank1 << (8 * (uint(rank) & 7)) }

// SquareSet returns the set of one square. NoSquare gives the empty set.
func SquareSet(s chess.Square) Bitboard { return 1 << s }

// Has reports whether the square is in the set.
func (b Bitboard) Has(s chess.Square) bool { return b>>s&1 != 0 }

// Count returns the number of squares in the set.
func (b Bitboard) Count() int { return bits.OnesCount64(uint64(b)) }

// First returns the lowest square of the set, NoSquare if it is empty.
func (b Bitboard) First() chess.Square {
	return chess.Square(bits.TrailingZeros64(uint64(b)))
}

// first is First as a number that needs no bounds check: b must not be empty.
func (b Bitboard) first() uint { return uint(bits.TrailingZeros64(uint64(b))) & 63 }

// flip reverses the order of the ranks.
func (b Bitboard) flip() Bitboard { return Bitboard(bits.ReverseBytes64(uint64(b))) }

// rotate moves every square by n, modulo 64.
func (b Bitboard) rotate(n int) Bitboard { return Bitboard(bits.RotateLeft64(uint64(b), n)) }

// geometry is what the board's shape says about one square, in one cache line.
type geometry struct {
	file, diagonal, anti Bitboard // the lines through the square, without it; diagonal is a1-h8
	rank                 Bitboard
	knight, king         Bitboard
	pawn                 [2]Bitboard // what a pawn of that colour attacks from the square
}

var (
	geometries [64]geometry

	// rankTable[file][o] is what a rook on the file attacks along its rank when the squares b to g
	// are occupied as the six bits of o say.
	rankTable [8][64]uint8

	// between[a][b] is the squares strictly between two squares of one line, else empty.
	between [64][64]Bitboard

	// reach[kind][s] is what a piece of that kind attacks from a square of the empty board. The
	// rows of NoKind, Pawn and 7 are empty.
	reach [8][64]Bitboard
)

func init() {
	steps := func(s int, list ...[2]int) (b Bitboard) {
		for _, d := range list {
			if f, r := s&7+d[0], s>>3+d[1]; f >= 0 && f < 8 && r >= 0 && r < 8 {
				b |= 1 << (8*r + f)
			}
		}
		return b
	}
	ray := func(s, df, dr int) (b Bitboard) {
		for f, r := s&7+df, s>>3+dr; f >= 0 && f < 8 && r >= 0 && r < 8; f, r = f+df, r+dr {
			b |= 1 << (8*r + f)
			between[s][8*r+f] = b &^ (1 << (8*r + f))
		}
		return b
	}
	for s := range geometries {
		g := &geometries[s]
		g.file = ray(s, 0, 1) | ray(s, 0, -1)
		g.rank = ray(s, 1, 0) | ray(s, -1, 0)
		g.diagonal = ray(s, 1, 1) | ray(s, -1, -1)
		g.anti = ray(s, -1, 1) | ray(s, 1, -1)
		g.knight = steps(s, [2]int{1, 2}, [2]int{2, 1}, [2]int{2, -1}, [2]int{1, -2},
			[2]int{-1, -2}, [2]int{-2, -1}, [2]int{-2, 1}, [2]int{-1, 2})
		g.king = steps(s, [2]int{0, 1}, [2]int{1, 1}, [2]int{1, 0}, [2]int{1, -1},
			[2]int{0, -1}, [2]int{-1, -1}, [2]int{-1, 0}, [2]int{-1, 1})
		g.pawn[chess.White] = steps(s, [2]int{-1, 1}, [2]int{1, 1})
		g.pawn[chess.Black] = steps(s, [2]int{-1, -1}, [2]int{1, -1})
		reach[chess.King][s] = g.king
		reach[chess.Knight][s] = g.knight
		reach[chess.Bishop][s] = g.diagonal | g.anti
		reach[chess.Rook][s] = g.file | g.rank
		reach[chess.Queen][s] = g.file | g.rank | g.diagonal | g.anti
	}
	for file := range rankTable {
		for o := range rankTable[file] {
			var b uint8
			for f := file + 1; f < 8; f++ {
				if b |= 1 << f; o<<1>>f&1 != 0 {
					break
				}
			}
			for f := file - 1; f >= 0; f-- {
				if b |= 1 << f; o<<1>>f&1 != 0 {
					break
				}
			}
			rankTable[file][o] = b
		}
	}
}

// Sliding attacks use the "o^(o-2r)" trick (hyperbola quintessence): subtracting twice the slider
// from the occupied squares of its line borrows up to the first blocker; the other direction is the
// same on the board with its ranks in reverse order, which is one BSWAP. A rank takes a table of 512 bytes.

// lineAttacks returns the squares seen along a line (a file or a diagonal, without the square
// itself) from the square whose set is r.
func lineAttacks(line, occ, r Bitboard) Bitboard {
	o := occ & line
	return (o - 2*r ^ (o.flip() - 2*r.flip()).flip()) & line
}

func rankAttacks(s uint, occ Bitboard) Bitboard {
	shift := s & 56
	return Bitboard(rankTable[s&7][occ>>(shift+1)&63]) << shift
}

func bishopAttacks(s uint, occ Bitboard) Bitboard {
	g, r := &geometries[s&63], Bitboard(1)<<(s&63)
	return lineAttacks(g.diagonal, occ, r) | lineAttacks(g.anti, occ, r)
}

func rookAttacks(s uint, occ Bitboard) Bitboard {
	return lineAttacks(geometries[s&63].file, occ, 1<<(s&63)) | rankAttacks(s, occ)
}

// Attacks returns the squares that a piece attacks from a square of a board with the given squares
// occupied; the occupied squares that it reaches are among them. NoPiece attacks nothing.
func Attacks(piece chess.Piece, s chess.Square, occupied Bitboard) Bitboard {
	if s >= chess.NoSquare {
		return 0
	}
	switch piece.Kind() {
	case chess.King, chess.Knight:
		return reach[piece.Kind()][s]
	case chess.Queen:
		return bishopAttacks(uint(s), occupied) | rookAttacks(uint(s), occupied)
	case chess.Rook:
		return rookAttacks(uint(s), occupied)
	case chess.Bishop:
		return bishopAttacks(uint(s), occupied)
	case chess.Pawn:
		return geometries[s].pawn[piece.Color()]
	}
	return 0
}

// Between returns the squares strictly between two squares of one file, rank or diagonal, and the
// empty set for any two others.
func Between(a, b chess.Square) Bitboard {
	if a >= chess.NoSquare || b >= chess.NoSquare {
		return 0
	}
	return between[a][b]
}
