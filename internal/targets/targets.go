// SPDX-License-Identifier: Apache-2.0

// Package targets is how package position tells the legal moves of a position man by man, with what the sides attack. Package
// bitstream/dense codes moves from it. It is not public, because its form is that of the dense coder's assembly and of nobody else.
package targets

import "ply11/moveindex"

// Man is one man of the side to move, and the squares to which it may legally go. A pawn that goes to its last rank does so in
// four ways. Set is position.Bitboard, which this package cannot name: position imports it.
type Man[Set ~uint64] struct {
	From moveindex.Square
	Kind moveindex.Kind
	To   Set
}

// List is what Legal finds: the legal moves of a position, man by man, and who attacks what.
type List[Set ~uint64] struct {
	// Men are the men of the side to move that can move, by kind (king, queens, knights, bishops, rooks, pawns) and then by
	// square. There are N of them.
	Men [16]Man[Set]
	N   int

	// What the enemy attacks, looking through our king: his pawns; his knights, and bishops and queens along diagonals; his rooks
	// and queens along ranks and files, and his king.
	ByPawns, ByOblique, ByStraight Set

	// What our own bishops and queens attack along diagonals, and rooks and queens along ranks and files, pinned or not, with the
	// first man that they meet.
	Oblique, Straight Set
}

// Legal is a func(*position.Position, *List[position.Bitboard]), which package position sets when the program starts. It finds the
// legal moves in another form than LegalMoves. In a position with more than 16 men of the side to move, which no game reaches
// from the usual start, it leaves out those that there is no room for.
//
// Cost: about 70 ns.
var Legal any
