// SPDX-License-Identifier: Apache-2.0

// Package pieces follows the pieces of a game by their numbers: who stands where, who is captured, what a
// pawn has become. The codecs of Brenner and jose need it, because their bytes name
// a piece ("the queen's bishop") and not a square.
//
// A side has 24 slots: pawns 0 to 7, pieces 8 to 15, and 16 to 23 for what each pawn becomes. A
// promotion takes the pawn from the board and puts the piece of slot 16 + pawn there. So a number
// of a pawn never reaches the piece that the pawn has become. Everything is a table lookup: the piece on a
// square, and the square of a piece. No move searches the board; each costs O(1).
//
// The two codes differ only in how they number the pieces. In jose's code, the number of a piece is his slot. Brenner
// counts the pieces of each kind, promoted pieces included. List keeps this count beside the slots, as Names.
package piecelist
