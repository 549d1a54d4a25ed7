// SPDX-License-Identifier: Apache-2.0

// Package men follows the men of a game by their numbers: who stands where, who is captured, what a
// pawn has become. It is what the byte formats of Brenner and of jose have in common, whose bytes name
// a man ("the queen's bishop") and not a square.
//
// A side has 24 slots: its pawns 0..7, its pieces 8..15, and 16..23 for what each pawn becomes. A
// promotion takes the pawn from the board and puts the man of slot 16 + pawn on it, so that a number
// that names a pawn never reaches the man that it was. All else is a table lookup: whoever stands on a
// square, wherever a man stands. No move searches the board; each costs O(1).
//
// The formats differ only in how they number. To jose a man is its slot. Brenner counts men by their
// kind, promoted men among them; Men keeps that count beside the slots, as Names.
package men
