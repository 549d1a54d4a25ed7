// SPDX-License-Identifier: Apache-2.0

// Package jose reads and writes GameText, the "Binary Representation of Move Data" of the chess database jose: a
// byte a halfmove, which names the man that moves and an offset, two bytes for promotions and promoted men, with
// NAGs, comments, variations and null moves.
//
// There are two dialects: Document is the document word for word; Program is what the program itself wrote, whose knights
// and kings go by a transposed diagram, and whose text stands in a second column. A GameText ends with its
// own code, 0xff, and holds neither start position nor tags.
//
// A file is GameText one after another (.jgt), or the tab-separated export of a database with its columns fen,
// gametext_hex and comments_hex (.tsv). Reader and Writer stream both; Dialect.DecodeIndices and
// Dialect.EncodeIndices turn a GameText into eleven-bit words and back, at a byte's speed.
package jose
