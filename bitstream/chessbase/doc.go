// SPDX-License-Identifier: Apache-2.0

// Package chessbase reads and writes the databases of ChessBase 1993: games in a CBF file beside its index, the CBI
// file, and opening books in an FBK file. Section numbers are those of "The Chess Base File Format, stand: Jun 17,
// 1993".
//
// A game is a record of six parts: header, player text, source text, moves, comments, and a starting position. A move
// is a byte: its number in the list of moves that the document's generator makes of the position; see Generator.
//
// Record has the parts of a game as deciphered bytes. AppendIndices and AppendMoves turn move lists into words of the
// index and back. Reader and Writer work with games, by the CBI file or from record to record. Explain prints every
// byte with its meaning. Verify reports what is odd.
//
// # What becomes of a game
//
//	White, Black       player text, "White-Black", split at the first "-"
//	Event, Site        source text, "Event", or "Event / Site" where there is a site
//	Date               its year, 1772..2026
//	WhiteElo, BlackElo 1605..2875 in steps of 5
//	ECO                A00 to F10, or with the second number "B33/02"
//	CBMarked           "1" for a game that is marked, bold in a listing
//	CBDeleted          "1" for a game that is deleted, grey in a listing
//	$1 … $6            the move's evaluation
//	$10, $13 … $19     the position's evaluation
//	comments           one a move, after its evaluations, and any number before the first move
//
// Text is in code page 437, without the six characters whose bytes stand for the chess pieces ♔♕♘♗♖♙, and without the
// one whose byte is a new line. Evaluations without a glyph become commands in a comment, "[%cbmove 7]", "[%cbpos 9]",
// "[%cbextra 1]", and the writer turns these back. "[%cbresult 14]" is an evaluation in the place of a result. One with
// a glyph becomes a glyph at the end of the game.
//
// The format cannot hold anything else: other tags, month and day, null moves and what follows them, other glyphs,
// annotations before a variation's first move, a halfmove clock. A Writer names such a thing and refuses the game, or
// leaves it out and reports it.
//
// Files number moves in one of two ways: that of the document, or that of the program CBASCII. They differ if a pawn
// stands on the a-file and its own fifth rank. A Reader finds out which one a file uses, by the whole file: of 50,000
// master games, 1,267 are also valid games, with other moves, if they are read in the wrong way. See Reader.Read.
package chessbase
