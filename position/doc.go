// SPDX-License-Identifier: Apache-2.0

// Package position is the rules of standard chess and Chess960: a board that knows whose turn it is, which moves are
// legal, and how they are written.
//
// A Position is a value of 40 bytes: assigning it copies it, == compares it. It reads and writes FEN, SAN and UCI,
// lists and checks legal moves, makes them in place, and maps them onto the 1,968 indices of package moveindex. Its
// hash is that of Polyglot's opening books.
//
// Each notation has a strict reader, which takes what the standard writes, and a lenient one, which takes what real
// files hold. No reader returns an illegal move or a position that cannot be played; errors are typed.
//
// Conventions that the standards leave open:
//
//   - The en passant field is set after every double push of a pawn, whether or not it can be
//     taken, as the PGN standard (16.1.3.4) asks. The Polyglot hash counts it only where a pawn
//     stands beside the pushed one.
//   - Castling is the king's own step of two squares, e1g1; in Chess960, his move onto his own rook, f1h1.
//   - The null move passes the turn: it clears the en passant field, counts as a ply, and
//     advances the halfmove clock. It is made and written, but never listed as legal.
//
// Over the moves of 10,000 real games (go test -bench .), a move is made from its index in 9 ns, read from SAN,
// verified and made in 29, written as SAN and made in 36; the legal moves of a position are listed in 131 ns and
// counted in 53. notnil/chess, in the same run, takes 7.6 microseconds to make a move and 26 to read one.
package position
