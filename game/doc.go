// SPDX-License-Identifier: Apache-2.0

// Package game holds a game of chess: its tags in their order, the start position, the tree of moves
// with variations to any depth, comments, NAGs, and the result.
//
// The tree lies in an arena of eight bytes a move; what a move carries besides (annotations,
// variations) lies in arenas beside it, so that a bare game of 80 plies takes under 1 KiB and a Game
// is reused, by Reset, without a new allocation. Moves are moveindex.Move words.
//
// A Builder makes a game in the order in which it is written in PGN or in a stream of words; All and
// Replay walk it in that order, without recursion. That order is the model: a game is the start's
// annotations, then moves, each followed by its annotations and variations in the order of the text. A
// variation replaces the move after which it stands. A comment before a move is the comment of the
// move before it, or of the start of its line.
//
// Package game/pgn reads and writes games as text.
package game
