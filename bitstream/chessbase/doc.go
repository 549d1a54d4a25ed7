// SPDX-License-Identifier: Apache-2.0

// Package chessbase reads and writes the databases of ChessBase 1993: games in a CBF file beside its index, the
// CBI file, and opening books in an FBK file. The document is "The Chess Base File Format, stand: Jun
// 17, 1993"; section numbers in this package are its.
//
// A game is a record of six parts: header, player and source text, moves, comments, and a starting position. A
// move is a byte: its number in the list that the document's move generator makes of the position. So
// that to read moves is to generate them; see Generator.
//
// Three layers can be used by themselves. Record has the parts of a game as bytes, deciphered.
// AppendIndices and AppendMoves turn move lists to words of the index and back. Reader and Writer
// work with games. A Reader reaches any game through the index, and goes from record to record
// where there is none.
package chessbase
