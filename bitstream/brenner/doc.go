// SPDX-License-Identifier: Apache-2.0

// Package brenner reads and writes the byte code of Norman Brenner's "Minimal encoding of moves in a chess
// game" (2002 to 2013): a byte a halfmove, which names the man that moves by its number, a direction and a
// distance, and neither the square it leaves nor the side.
//
// All four layouts of the document are here: the first table (Main), the alternate notation (Alt), and its two variants
// (AltSwapped, AltFixed). Text, tags, glyphs, results, castling and promoted men are held; variations, other
// tags and NAGs, set-up positions and null moves are not: a Writer names what it would lose and refuses, or
// drops it and reports it.
//
// A file (.brn) is games one after another. Reader and Writer stream them; Layout.DecodeIndices and
// Layout.EncodeIndices turn the bytes of a game into eleven-bit words and back, at a byte's speed.
package brenner
