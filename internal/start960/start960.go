// SPDX-License-Identifier: Apache-2.0

// Package start960 has the start positions of Chess960 by their numbers, for tests.
package start960

import "strings"

// Positions is how many start positions there are.
const Positions = 960

// FEN returns start position n, modulo Positions, in Scharnagl's numbering, as X-FEN. Number 518 is that of standard
// chess, and is read as such.
func FEN(n int) string {
	n = (n%Positions + Positions) % Positions
	var rank [8]byte
	rank[n%4*2+1] = 'b' // on a light square
	rank[n/4%4*2] = 'b'
	put := func(piece byte, k int) { // on the free square k, from 0
		for file := range rank {
			if rank[file] == 0 {
				if k == 0 {
					rank[file] = piece
					return
				}
				k--
			}
		}
	}
	put('q', n/16%6)
	pairs := [10][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}
	pair := pairs[n/96]
	put('n', pair[0])
	put('n', pair[1]-1)
	put('r', 0)
	put('k', 0)
	put('r', 0)
	pieces := string(rank[:])
	return pieces + "/pppppppp/8/8/8/8/PPPPPPPP/" + strings.ToUpper(pieces) + " w KQkq - 0 1"
}
