// SPDX-License-Identifier: Apache-2.0

// Package piecelist follows the pieces of a game by their numbers: where each stands, which are captured, what a pawn
// has become. The bytes of Brenner's and jose's codes name a piece ("the queen's bishop") and not a square.
//
// A side has 24 slots: pawns 0 to 7, pieces 8 to 15, and 16 to 23 for what each pawn becomes. A promotion takes the
// pawn from the board and puts the piece of slot 16 + pawn there. The piece on a square and the square of a piece are
// table lookups.
//
// In jose's code, the number of a piece is its slot. Brenner counts the pieces of each kind, promoted pieces included:
// List keeps this count beside the slots, as Names.
package piecelist
