// SPDX-License-Identifier: Apache-2.0

package movesets

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"ply11/moveindex"
	"ply11/position"
)

// BenchPositions is the number of positions in hdl/tb/ply11_moves/positions.hex.
const BenchPositions = 500

// Vectors returns count positions as the bench of ply11_moves reads them, a line each, in hexadecimal digits:
// the board from h8 to a1; en passant file, rights, side; twice the number of legal moves, and one more in
// check, in three digits; and in sixteen the sum of Mix over their indices.
func Vectors(seed uint64, count int) []byte {
	var text bytes.Buffer
	r := rand.New(rand.NewPCG(seed, 64))
	for i := range count {
		p := Position(r, i)
		vector(&text, &p)
	}
	return text.Bytes()
}

func vector(text *bytes.Buffer, p *position.Position) {
	for s := 63; s >= 0; s-- {
		fmt.Fprintf(text, "%x", uint8(p.PieceAt(moveindex.Square(s))))
	}
	n, sum := 0, uint64(0)
	for _, m := range p.LegalMoves(nil) {
		i, _ := m.Index()
		sum += Mix(i)
		n += 2
	}
	if p.InCheck() {
		n++
	}
	fmt.Fprintf(text, "%x%x%x%03x%016x\n", p.EnPassantFile(), uint8(p.Castling()), uint8(p.Turn()), n, sum)
}

// Mix spreads an index over 64 bits, so that the sum over a set of indices tells it from others, in any order.
func Mix(i moveindex.Index) uint64 {
	x := (uint64(i) + 1) * 0x9e3779b97f4a7c15
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	return x ^ x>>32
}
