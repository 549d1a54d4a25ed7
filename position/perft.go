// SPDX-License-Identifier: Apache-2.0

package position

import "ply11/chess"

// Perft returns the number of sequences of depth legal moves from the position. Depth 0 or less is 1.
func (p *Position) Perft(depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	if depth == 1 {
		return uint64(p.CountLegal())
	}
	var buf [256]chess.Move
	var n uint64
	for _, m := range p.LegalMoves(buf[:0]) {
		q := *p
		q.Make(m)
		n += q.Perft(depth - 1)
	}
	return n
}
