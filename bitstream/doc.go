// SPDX-License-Identifier: Apache-2.0

// Package bitstream writes games as words of eleven bits, and words as bytes. It is the form that the hardware plays.
//
// Words lie low bits first. Bit i of the stream is bit i mod 8 of byte i div 8, where bit 0 is the least
// significant. Word 0 is bits 0 to 10. Unpack, Pack and At work on bytes in memory, at any bit offset. Packer and
// Unpacker work word by word, through an io.Writer, or into bytes, and from an io.Reader.
//
// AppendGame and DecodeGame translate between a game and its words: an optional start position, moves,
// variations, NAGs, texts, and the result, which ends the game. Writer and Reader do this for a whole .words file. Tags
// have no words.
//
// docs/WORDS.md defines the stream. Its grammar is frozen.
package bitstream
