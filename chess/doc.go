// SPDX-License-Identifier: Apache-2.0

// Package chess has the words of the board: squares, colours, kinds of pieces, pieces, and moves from square to square.
// It knows no rules: package position does, and package moveindex numbers the moves.
//
// All are small numbers, may be compared, and need no allocation. Square counts from a1 = 0 to h8 = 63, by ranks.
// Move is the from-square, the to-square and a promotion, in the bits of a ROM word.
package chess
