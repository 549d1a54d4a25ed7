// SPDX-License-Identifier: Apache-2.0

// Package archive stores games in .p11 files, so that the same bytes of PGN come out and any game can be read at once.
// docs/FORMAT.md defines the format.
//
// A file has blocks of games, and a block has columns. Main lines take eleven bits a move, at addresses that can be
// computed. Or they are dense, at some three bits a move; then a reader decodes a block from its first game on. Tags,
// annotations and the layout of the text are in compressed columns. Everything has a checksum.
//
// Pack stores a PGN text, and Unpack gives back its very bytes. A Writer stores games from anywhere. A Reader reads any
// game of a file through an io.ReaderAt. A Scanner reads an archive front to back, from a pipe. Both give Blocks, which
// hold the games.
//
// Append adds games to an archive where it is, and Edit changes some. Verify names what is damaged. Recover writes what
// is sound to a new archive. Copy puts archives together, and stores their moves in the other form, or in blocks of
// another size.
//
// Archives may come from anybody: nothing is used before its checksum is verified, and no length in a file costs memory
// beyond the limits of the format. Moves are verified when they become games.
package archive
