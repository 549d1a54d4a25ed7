// SPDX-License-Identifier: Apache-2.0

// Package game holds a game of chess: its tags in their order, the start position, the tree of moves
// with variations to any depth, comments, NAGs, and the result.
//
// The tree lies in arenas, eight bytes a move, which Reset keeps. A Builder makes a game in the order of PGN or of a
// stream of words, and All and Replay walk it in that order: the annotations of the start, then moves, each followed by
// its annotations and variations. A variation replaces the move after which it stands. A comment before a move belongs
// to the move before it, or to the start of its line.
//
// Package game/pgn reads and writes games as text.
package game
