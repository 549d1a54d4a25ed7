// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"ply11/chess"
	"ply11/moveindex"
)

// Width is the width of a word of every image, in bits.
const Width = 16

// An Image is what a memory holds: Depth words of 16 bits.
type Image struct {
	Name  string // rom, inverse, halfmoves
	Depth int    // words
	Title string // what it is, in a few words
	Word  func(address int) uint16

	layout string // the word's fields, a field a line
}

// Words returns the words in the order of their addresses.
func (m *Image) Words() []uint16 {
	w := make([]uint16, m.Depth)
	for a := range w {
		w[a] = m.Word(a)
	}
	return w
}

// The three images.
var (
	// ROM decodes: addressed by the index, 2,048 words. Control codes hold 0.
	ROM = &Image{
		Name: "rom", Depth: moveindex.NumWords, Title: "the decoder: index to move",
		Word: func(a int) uint16 { return moveindex.Index(a).Word() },
		layout: "Address: the index, 0..2047. Word: [5:0] from, [11:6] to, [14:12] promotion (0 none,\n" +
			"4 knight, 5 bishop, 6 rook, 7 queen), [15] is a move. Control codes hold 0.",
	}
	// Inverse encodes: addressed by {to, from}, 4,096 words, without promotions, whose index comes by arithmetic.
	Inverse = &Image{
		Name: "inverse", Depth: 4096, Title: "the encoder: {to, from} to index, without promotions",
		Word: func(a int) uint16 {
			i, ok := moveindex.Of(chess.Move(a))
			if !ok {
				return 0
			}
			return moveindex.WordValid | uint16(i)
		},
		layout: "Address: {to[5:0], from[5:0]}. Word: [10:0] index, [15] valid. No promotions, whose index is\n" +
			"1792 + 16*(j div 2) + 8*black + 2*piece + j mod 2, with j = 2*from_file + to_file and piece\n" +
			"0 knight, 1 bishop, 2 rook, 3 queen.",
	}
	// HalfmoveROM is the table of the 7,752 coloured halfmoves, by their numbers of 13 bits. The rest of 8,192 words
	// holds 0.
	HalfmoveROM = &Image{
		Name: "halfmoves", Depth: 8192, Title: "every coloured halfmove: number to piece and index",
		Word: func(a int) uint16 { return moveindex.Halfmove(a).Word() },
		layout: "Address: the halfmove's number, 0..7751. Word: [10:0] index, [13:11] piece (1 king, 2 queen,\n" +
			"3 knight, 4 bishop, 5 rook, 6 pawn), [14] black, [15] valid.",
	}
)

// Images lists the images, shallowest first.
var Images = []*Image{ROM, Inverse, HalfmoveROM}
