// SPDX-License-Identifier: Apache-2.0

// Package chessbase reads and writes the databases of ChessBase 1993: games in a CBF file beside its index, the
// CBI file, and opening books in an FBK file. The document is "The Chess Base File Format, stand: Jun
// 17, 1993". Section numbers in this package are those of the document.
//
// A game is a record of six parts: header, player text, source text, moves, comments, and a starting position. A
// move is a byte: its number in the list of all moves that the document's move generator finds in the position. So
// a reader must generate these lists; see Generator.
//
// Each of three layers can be used alone. Record has the parts of a game as deciphered bytes.
// AppendIndices and AppendMoves turn move lists into words of the index and back. Reader and Writer
// work with games. A Reader reaches any game through the CBI file. Without one, it goes from record to record.
// Explain prints every byte with its meaning. Verify reports what is odd.
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
// Text is in code page 437, without the six characters whose bytes stand for the chess men ♔♕♘♗♖♙, and without
// the one whose byte is a new line. Evaluations that have no glyph stand in a comment as commands,
// "[%cbmove 7]", "[%cbpos 9]", "[%cbextra 1]", which the writer takes back; "[%cbresult 14]" is such
// a sign in the place of a result. An evaluation in the place of a result is a glyph at the end.
//
// Everything else is a loss, which a Writer refuses by its name, or leaves out and reports: other tags, month and
// day, null moves and what follows them, other glyphs, annotations before a variation's first move, a halfmove clock.
//
// Two numberings of moves are about, the document's and CBASCII's. A Reader finds out which: see Reader.Read. It
// matters where a pawn stands on the a-file and its own fifth rank: of 50,000 master games, 1,267 read by the wrong
// one are games too, with other moves, so that the whole file is asked.
package chessbase
