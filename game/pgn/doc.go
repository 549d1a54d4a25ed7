// SPDX-License-Identifier: Apache-2.0

// Package pgn reads and writes games in Portable Game Notation.
//
// A Reader takes a stream of any size in bounded memory. It reads what the standard defines, and
// what real files hold besides (see Reader); it verifies every move, and what is wrong with
// one game is that game's error alone: the game is given as far as it is valid, and the next
// follows. ReadParallel does the same on several cores.
//
// A Writer writes the standard's export format, a compact form, or any layout that a Style
// describes.
package pgn
