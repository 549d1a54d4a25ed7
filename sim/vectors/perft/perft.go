// SPDX-License-Identifier: Apache-2.0

// Package perft makes the vectors of ply11_perft's bench: positions, and how many legal move sequences they have, by
// package position.
//
// roots.hex has a position a line, in hexadecimal digits: the pieces from h8 to a1; the state as the load port takes
// it, 8; the depth of the order, 1; and the counts of the depths 10 to 0, 8 digits each.
package perft

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"ply11/internal/movesets"
	"ply11/position"
	"ply11/sim/oracle"
)

// directed are positions and the depth of their order.
var directed = []struct {
	fen   string
	depth int
}{
	{"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 2}, // stalemate
	{"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 3}, // mate
	{"7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", 2}, // some moves mate, one is stalemate
	{"8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", 5},
	{"k7/8/8/6pP/6PK/6PP/8/8 w - g6 0 1", 2},
	{"k7/p1p5/P1P5/8/8/5p1p/5P1P/7K w - - 0 1", 5},
	{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 2},
	{"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 2},
	{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 2},
	{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2},
	{"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 1}, // 218 moves, the most there can be
	// The default run leaves these out.
	{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3},
	{"k7/p1p5/P1P5/8/8/5p1p/5P1P/7K w - - 0 1", 10},
}

// deepest is the greatest depth that ply11_perft has.
const deepest = 10

// random is the number of random positions, which are counted to depth 0, 1 and 2 by turns.
const random = 6

func Files() map[string][]byte {
	var text bytes.Buffer
	r := rand.New(rand.NewPCG(3, 16))
	for i := range random {
		p := movesets.Position(r, i)
		line(&text, &p, i%3)
	}
	for _, d := range directed {
		p, err := position.ParseFEN(d.fen)
		if err != nil {
			panic(err)
		}
		line(&text, &p, d.depth)
	}
	return map[string][]byte{"hdl/tb/ply11_perft/roots.hex": text.Bytes()}
}

func line(text *bytes.Buffer, p *position.Position, depth int) {
	s := oracle.NewState(p)
	for k := 3; k >= 0; k-- {
		fmt.Fprintf(text, "%016x", s.Pieces[k])
	}
	fmt.Fprintf(text, "%08x%x", s.LoadData(8), depth)
	for d := deepest; d >= 0; d-- {
		n := uint64(0)
		if d <= depth {
			n = p.Perft(d)
		}
		fmt.Fprintf(text, "%08x", n)
	}
	text.WriteByte('\n')
}
