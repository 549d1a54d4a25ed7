// SPDX-License-Identifier: Apache-2.0

// Package game holds a game of chess: its tags in their order, the start position, the tree of moves
// with variations to any depth, comments, NAGs, and the result.
//
// The tree lies in an arena of eight bytes a move. Annotations and variations lie in arenas beside it. So a bare
// game of 80 plies takes under 1 KiB, and Reset makes a Game ready for use again without a new
// allocation. Moves are chess.Move words.
//
// A Builder makes a game in the order of PGN or of a stream of words. All and
// Replay walk it in that order, without recursion. A game is the annotations of the start, then moves. Each move
// is followed by its annotations and variations, in the order of the text. A
// variation replaces the move after which it stands. A comment before a move belongs to the
// move before it, or to the start of its line.
//
// Package game/pgn reads and writes games as text.
package game
