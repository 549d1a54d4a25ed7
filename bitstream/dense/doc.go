// SPDX-License-Identifier: Apache-2.0

// Package dense codes the moves of games at about three bits a ply, where the index takes eleven.
//
// It is an arithmetic coder. A move costs few bits if it is probable among the legal moves of its
// position. The probability is a product of six weights, from tables that look at
// the move: where the man goes, what he takes, who guards the square, what was played just before; and of what a small
// neural net makes of the whole position. The coder also counts how
// often the move was played before in the same position: in the games from which the model
// was made, and in the earlier games of the block. It mixes both. All arithmetic is on integers, so every
// machine computes the same bits.
//
// One Encoder or Decoder codes a block of games, from Reset to Finish. The tables and
// every step of the computation are part of the format: see Version, and docs/DENSE.md. They are frozen.
//
// The model (model1.bin.zst) is weights and counts. The command in the folder fit made it from the
// first 40,000 games of a collection of 50,000 master games, and makes the same file again.
package dense
