// SPDX-License-Identifier: Apache-2.0

package moveindex

// The order of the index cannot move: if a code or a field changes its number, an
// element of this array is indexed out of its range, and the package does not compile.
// TestTableIsTheFrozenOne holds what constants cannot.
func _() {
	var x [1]struct{}
	_ = x[axisE-0]
	_ = x[axisNE-1]
	_ = x[axisN-2]
	_ = x[axisNW-3]
	_ = x[axisShift-6]
	_ = x[stepsShift-8]
	_ = x[promotionField-12]
	_ = x[WordValid-32768]
	_ = x[NumWords-2048]
	_ = x[FirstPromotion-1792]
	_ = x[NumMoves-1968]
	_ = x[NumHalfmoves-7752]
	_ = x[ResultBlackWins-1968]
	_ = x[ResultDraw-1969]
	_ = x[ResultWhiteWins-1970]
	_ = x[ResultUnknown-1971]
	_ = x[Null-1972]
	_ = x[VariationStart-1973]
	_ = x[VariationEnd-1974]
	_ = x[Text-1975]
	_ = x[NAG-1976]
	_ = x[NAG1-1977]
	_ = x[NAG31-2007]
	_ = x[Start-2008]
	_ = x[Start960-2009]
	_ = x[FirstReserved-2010]
	_ = x[LastReserved-2046]
	_ = x[Idle-2047]
}
