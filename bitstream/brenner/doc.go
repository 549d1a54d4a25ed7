// SPDX-License-Identifier: Apache-2.0

// Package brenner reads and writes the byte code of Norman Brenner, "Minimal encoding of moves in a chess
// game" (2002 to 2013). A ply is one byte: the number of the piece that moves, a direction and a distance. A reader
// must follow the game.
//
// All four layouts of the document are here: the first table (Main), the alternate notation (Alt), and its two variants
// (AltSwapped, AltFixed). The code holds texts, some tags, glyphs, results, castling and promoted pieces. It does not
// hold variations, other tags and NAGs, set-up positions and null moves. A Writer names what it would lose and refuses
// the game, or drops it and reports it. The file table.txt beside this one has all 256 bytes of each layout.
//
// A file (.brn) is games, one after another. Reader and Writer stream them. Layout.DecodeIndices and
// Layout.EncodeIndices turn the bytes of one game into eleven-bit words and back, without a game in between.
package brenner
