// SPDX-License-Identifier: Apache-2.0

// Package famous holds a few dozen well-known games, whose moves were typed for this project: facts,
// and no one's property. Among them are castling on both sides, captures en passant, all kinds of
// promotion but the bishop's, a game from a set-up position, and all four results. They are what
// genrom passes through the decoder to show that it works, and small input for tests.
package famous

import _ "embed"

// PGN is the games in PGN.
//
//go:embed famous.pgn
var PGN string
