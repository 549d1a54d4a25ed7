// SPDX-License-Identifier: Apache-2.0

// Package jose reads and writes GameText, the byte code of the chess database program jose. A ply is one byte: the
// piece that moves and an offset; with promotions and promoted pieces, two. GameText also holds NAGs, comments,
// variations and null moves, but neither the start position nor the tags.
//
// There are two dialects. Document is the format as its document describes it. Program is what the program wrote:
// the moves of knights and kings are transposed, and texts stand in a second column.
//
// A file is GameTexts, one after another (.jgt), or the tab-separated export of a database, with the columns fen,
// gametext_hex and comments_hex (.tsv). Reader and Writer stream both. Dialect.DecodeIndices and
// Dialect.EncodeIndices turn one GameText into eleven-bit words and back, without a game in between.
package jose
