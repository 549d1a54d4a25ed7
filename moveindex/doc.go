// SPDX-License-Identifier: Apache-2.0

// Package moveindex makes a chess move eleven bits.
//
// There are 1,968 ways in which chess lets a man go from one square to another, counting each kind of
// promotion: 1,456 along the queen's lines, 336 knight moves, 176 promotions. Index numbers them
// 0..1967 without a gap, and leaves 80 of the 2,048 eleven-bit words for control codes. The man that
// moves stands on the board; with it, a word names one of the 7,752 coloured halfmoves (Halfmove).
//
// The order is a torus: three bits for the number of steps, two for the axis, six for the
// from-square, so that a byte interpreter or a piece of hardware forms an index by wiring. It is
// frozen: archives, ROM images and training labels depend on it, and TableSHA256 is its name.
//
// The package also maps the index to the label orders of the chess networks: see Vocabulary.
package moveindex
