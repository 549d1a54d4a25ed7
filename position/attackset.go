// SPDX-License-Identifier: Apache-2.0

package position

import "ply11/chess"

const (
	notA  = ^FileA
	notH  = ^FileH
	notAB = ^(FileA | FileA<<1)
	notGH = ^(FileH | FileH>>1)
)

// AttackSet returns the squares that the pieces of one kind and colour attack together on a board with the given
// squares occupied, in 1 to 6 ns, however many they are.
func AttackSet(piece chess.Piece, pieces, occupied Bitboard) Bitboard {
	switch piece.Kind() {
	case chess.King:
		beside := pieces>>1&notH | pieces<<1&notA
		row := pieces | beside
		return beside | row<<8 | row>>8
	case chess.Knight:
		return knightSet(pieces)
	case chess.Bishop:
		return obliqueSet(pieces, ^occupied)
	case chess.Rook:
		return straightSet(pieces, ^occupied)
	case chess.Queen:
		return obliqueSet(pieces, ^occupied) | straightSet(pieces, ^occupied)
	case chess.Pawn:
		return pawnSet(piece.Color(), pieces)
	}
	return 0
}

func knightSet(pieces Bitboard) Bitboard {
	one := pieces>>1&notH | pieces<<1&notA
	two := pieces>>2&notGH | pieces<<2&notAB
	return one<<16 | one>>16 | two<<8 | two>>8
}

func pawnSet(c chess.Color, pieces Bitboard) Bitboard {
	if c == chess.White {
		return pieces<<7&notH | pieces<<9&notA
	}
	return pieces>>9&notH | pieces>>7&notA
}

// straightSet and obliqueSet are what sliders attack along ranks and files, and along diagonals.
func straightSet(pieces, empty Bitboard) Bitboard {
	return fillUp(pieces, empty, AllSquares, 8) | fillDown(pieces, empty, AllSquares, 8) |
		fillUp(pieces, empty, notA, 1) | fillDown(pieces, empty, notH, 1)
}

func obliqueSet(pieces, empty Bitboard) Bitboard {
	return fillUp(pieces, empty, notA, 9) | fillDown(pieces, empty, notH, 9) |
		fillUp(pieces, empty, notH, 7) | fillDown(pieces, empty, notA, 7)
}

// fillUp and fillDown return the squares that all sliders of a kind reach when shifted by s at a time over the empty
// squares, with mask keeping them from wrapping around the edge.
func fillUp(g, empty, mask Bitboard, s uint) Bitboard {
	empty &= mask
	g |= empty & (g << s)
	empty &= empty << s
	g |= empty & (g << (2 * s))
	empty &= empty << (2 * s)
	g |= empty & (g << (4 * s))
	return g << s & mask
}

func fillDown(g, empty, mask Bitboard, s uint) Bitboard {
	empty &= mask
	g |= empty & (g >> s)
	empty &= empty >> s
	g |= empty & (g >> (2 * s))
	empty &= empty >> (2 * s)
	g |= empty & (g >> (4 * s))
	return g >> s & mask
}
