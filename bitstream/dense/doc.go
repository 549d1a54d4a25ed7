// SPDX-License-Identifier: Apache-2.0

// Package dense codes the moves of games at about three bits a ply, against the eleven of the index.
//
// An arithmetic coder spends on each move as many bits as its probability among the legal moves of its
// position asks for. The probability is a product of weights, one from each of six tables that look at
// the move (where the man goes, what it takes, who guards the square, what was played just before), mixed
// with how often the move was played before in the same position: in the games from which the model
// was made, and in the games before it in the block. All arithmetic is on integers, so that every
// machine computes the same bits.
//
// A block of games is coded by itself, by one Encoder and Decoder from Reset to Finish. What the tables
// hold, and every step of the computation, is part of the format: see Version, and docs/DENSE.md.
//
// The model (model1.bin.zst) is weights and counts, fitted by the command in the folder fit to the
// first 40,000 games of a collection of 50,000 master games.
package dense
