// SPDX-License-Identifier: Apache-2.0

// Package testdata gives programs the games of famous.pgn, as the string Famous.
//
//	games := pgn.NewReader(strings.NewReader(testdata.Famous))
//
// The other files here are for tests: formats has the famous games in each format of internal/formats, samples has
// games that are made for tests, and edge.pgn has games with rare moves. (The go command leaves a folder of this name
// out of ./..., so the tests of these files are in the packages that read them.)
package testdata

import _ "embed"

// Famous is famous.pgn: a few dozen well-known games. Their moves are facts and belong to nobody; they were typed for
// this project. They have castling on both sides, captures en passant, all kinds of promotion but the bishop's, a game
// from a set-up position, and all four results. genrom passes them through the decoder to show that it works, and tests
// use them as small input.
//
//go:embed famous.pgn
var Famous string
