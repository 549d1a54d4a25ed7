// SPDX-License-Identifier: Apache-2.0

// Package testdata has what programs need of the files here. formats has the famous games in each format of internal/formats,
// samples has games that are made for tests, and edge.pgn has what is rare. (The go command leaves a folder of this name out of ./...: tests
// of these files stand in the packages that read them.)
package testdata

import _ "embed"

// Famous is famous.pgn: a few dozen well-known games, whose moves were typed for this project: facts, and no one's
// property. Among them are castling on both sides, captures en passant, all kinds of promotion but the bishop's, a game
// from a set-up position, and all four results. They are what genrom passes through the decoder to show that it works, and
// small input for tests.
//
//go:embed famous.pgn
var Famous string
