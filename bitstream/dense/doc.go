// SPDX-License-Identifier: Apache-2.0

// Package dense codes the moves of games at about three bits a ply, where the index takes eleven.
//
// It is an arithmetic coder: a move costs few bits if it is probable among the legal moves of its position. The
// probability comes from six tables that look at the move (where the piece goes, what it takes, who guards the square,
// what was played just before), from a small neural net that looks at the position, and from how often the move was
// played in the same position, in the games that the model was made from and in the earlier games of the block. All
// arithmetic is on integers, so every machine computes the same bits.
//
// One Encoder or Decoder codes a block of games, from Reset to Finish. The tables and every step of the computation are
// part of the format, and frozen: see Version, and docs/DENSE.md.
//
// The command in the folder fit made the model, model1.bin.zst, from 40,000 master games, and makes the same file
// again.
package dense
