// SPDX-License-Identifier: Apache-2.0

// Package match makes the vectors of ply11_match_tb: for each value of a square's eight bits, the men that may stand
// there.
package match

import (
	"bytes"
	"fmt"

	"ply11/sim/oracle"
)

// Files returns the file, by its name below the root of the project: line k has the set of value k, a bit for each man.
func Files() map[string][]byte {
	var text bytes.Buffer
	for code := range 256 {
		fmt.Fprintf(&text, "%04x\n", oracle.MatchSet(uint8(code)))
	}
	return map[string][]byte{"hdl/tb/ply11_match/sets.hex": text.Bytes()}
}
