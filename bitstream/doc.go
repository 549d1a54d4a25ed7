// SPDX-License-Identifier: Apache-2.0

// Package bitstream holds eleven-bit words in bytes, and games as a flat stream of such words.
//
// Words lie low bits first: bit i of the stream is bit i mod 8 (1 = least significant) of byte i div 8,
// and word 0 is bits 0..10. Unpack, Pack and At work on bytes in memory, at any bit offset; Packer and
// Unpacker do it word by word, over bytes or over an io.Writer and an io.Reader.
//
// AppendGame and DecodeGame translate between a game and its words: an optional start position, moves,
// variations, NAGs, texts, and the result that ends the game. Games follow each other; Writer and
// Reader do it for a whole .words file. It is what the hardware reads. Tags are not in it.
package bitstream
