// SPDX-License-Identifier: Apache-2.0

// Package polyglot reads and writes Polyglot opening books (.bin).
//
// A book is a sorted list of entries of 16 bytes, big-endian:
//
//	 0..7   key      hash of the position, position.Position.Hash
//	 8..9   move     bits 0..5 to, 6..11 from, 12..14 promotion (1 knight, 2 bishop, 3 rook, 4 queen)
//	10..11  weight   how often the move should be played, relative to the others of its position
//	12..15  learn    left to the program that plays from the book; kept here, and written as 0
//
// Squares are rank*8 + file. Castling is the king taking its own rook: e1h1, not e1g1. Entries are sorted by key; those
// of a position by falling weight. Book looks positions up in a file of any size. A Reader makes one game of all its
// lines, and a Writer a book of games.
package polyglot
