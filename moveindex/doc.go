// SPDX-License-Identifier: Apache-2.0

// Package moveindex gives every chess move a number of eleven bits, its Index.
//
// Index numbers the 1,968 moves 0 to 1,967: 1,456 along the lines of a queen, 336 of a knight, and 176 promotions. The
// other 80 words are control codes. With the piece that moves, an Index names one of 7,752 coloured halfmoves; see
// Halfmove.
//
// A word has three fields: the number of steps (three bits), the axis (two bits) and the from-square (six bits). Steps
// wrap around the edges of the board, as on a torus. docs/INDEX.md defines it for other languages.
//
// The order is frozen: archives, ROM images and training labels depend on it. TableSHA256 names it.
//
// Vocabulary maps the index to the label orders of four chess networks.
package moveindex
