// SPDX-License-Identifier: Apache-2.0

// Package pgn reads and writes games in Portable Game Notation.
//
// A Reader takes a stream of any size in bounded memory. It reads what the standard defines, and what real files hold
// besides, and verifies every move. An error is its game's alone. A Writer writes the standard's export format, a
// compact form, or any layout that a Style describes.
package pgn
