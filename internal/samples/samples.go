// SPDX-License-Identifier: Apache-2.0

// Package samples gives the project's own games, which are in testdata/samples, so that a clone tests every feature
// without the folder of real data. They are random legal games with the shapes that real files have: plain main lines,
// clocks and evaluations, variations with comments and NAGs, set-up positions, promotions.
package samples

import (
	"strings"

	"ply11/testdata/samples"
)

// The names of the files.
const (
	Plain      = "plain.pgn"      // 120 main lines without annotations, lines of at most 79 characters
	Clocks     = "clocks.pgn"     // 24 games on one line each, with %clk and %eval, and some variations
	Annotated  = "annotated.pgn"  // 24 games with nested variations, comments, NAGs, null moves
	Setup      = "set-up.pgn"     // 60 games from positions of all kinds, with Black to move in half
	Promotions = "promotions.pgn" // 40 games with many promotions, to each kind of piece
)

// Names lists the files.
var Names = []string{Plain, Clocks, Annotated, Setup, Promotions}

// Like returns the name of the file with games like those of a file of real data: it goes by the file's name.
func Like(name string) string {
	for _, c := range []struct{ part, sample string }{
		{"promotion", Promotions}, {"studies", Setup}, {"mate_in", Setup}, {"lichess", Clocks}, {"master", Plain},
		{"over250", Plain},
	} {
		if strings.Contains(name, c.part) {
			return c.sample
		}
	}
	return Annotated
}

// File returns the bytes of one of the Names, or nil for any other.
func File(name string) []byte {
	data, err := samples.Files.ReadFile(name)
	if err != nil {
		return nil
	}
	return data
}
