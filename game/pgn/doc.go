// SPDX-License-Identifier: Apache-2.0

// Package pgn reads and writes games in Portable Game Notation.
//
// A Reader takes a stream of any size in bounded memory. It reads what the standard defines, and what real files hold
// besides; see Reader. It verifies every move. If one game is wrong, the error is that game's alone: the
// Reader gives the game as far as it is valid, and goes on with the next.
//
// A Writer writes the standard's export format, a compact form, or any layout that a Style
// describes.
package pgn
