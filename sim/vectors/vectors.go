// SPDX-License-Identifier: Apache-2.0

// Package vectors makes the test vectors that the benches of hdl/tb read. `genrom vectors` writes them. The expected
// values come from package oracle, and so from package position and the codecs.
package vectors

import (
	"fmt"
	"maps"
	"strings"

	"ply11/sim/oracle"
	"ply11/sim/vectors/chessbase"
	"ply11/sim/vectors/legal"
	"ply11/sim/vectors/moves"
	"ply11/sim/vectors/perft"
	"ply11/sim/vectors/player"
)

// Files returns all files, by their names below the root of the project. An error is a fault of a generator.
func Files() (files map[string][]byte, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			files, err = nil, fmt.Errorf("vectors: %v", fault)
			if cause, ok := fault.(error); ok {
				err = fmt.Errorf("vectors: %w", cause)
			}
		}
	}()
	files = player.Files()
	for _, more := range []map[string][]byte{legal.Files(), moves.Files(), perft.Files(),
		chessbase.Files()} {
		maps.Copy(files, more)
	}
	// Of ply11_match_tb, a line for each value of a square's eight bits: the pieces that may stand there, a bit for
	// each.
	var sets strings.Builder
	for code := range 256 {
		fmt.Fprintf(&sets, "%04x\n", oracle.MatchSet(uint8(code)))
	}
	files["hdl/tb/ply11_match/sets.hex"] = []byte(sets.String())
	return files, nil
}
