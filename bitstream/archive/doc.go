// SPDX-License-Identifier: Apache-2.0

// Package archive stores games in .p11 files: main lines at eleven bits a move, at addresses that are
// computed, or dense, at some three bits a move, read from a block's first game on; tags, annotations and
// the layout of the text in compressed columns; a checksum for everything. docs/FORMAT.md specifies the
// format.
//
// Pack stores a PGN text so that Unpack gives back its very bytes, whatever they are. A Writer stores
// games from anywhere. A Reader reads any game of a file through an io.ReaderAt; a Scanner reads an
// archive front to back, from a pipe, without its footer. Both give Blocks, which hold the games.
//
// Verify names what is damaged in an archive, Recover writes what is not to a new one. Merge puts archives
// together, Recode stores their moves in the other form, and Repack makes blocks of another size; the texts stay.
//
// Nothing in an archive is believed before its checksum is verified, no length costs memory beyond the
// limits of the format (MaxColumn), and moves are verified as they become games.
package archive
