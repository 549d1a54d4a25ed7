// SPDX-License-Identifier: Apache-2.0

package chess

// The numbers of squares, kinds and fields cannot move: indices, archives and ROM images are made of
// them. If one changes, an element of this array is indexed out of its range, and the package does not compile.
func _() {
	var x [1]struct{}
	_ = x[A1-0]
	_ = x[B1-1]
	_ = x[H1-7]
	_ = x[A2-8]
	_ = x[E4-28]
	_ = x[H8-63]
	_ = x[NoSquare-64]
	_ = x[White-0]
	_ = x[Black-1]
	_ = x[NoKind-0]
	_ = x[King-1]
	_ = x[Queen-2]
	_ = x[Knight-3]
	_ = x[Bishop-4]
	_ = x[Rook-5]
	_ = x[Pawn-6]
	_ = x[BlackKing-9]
	_ = x[BlackPawn-14]
	_ = x[toShift-6]
	_ = x[promotionShift-12]
}
