// SPDX-License-Identifier: Apache-2.0

package dense_test

import (
	"fmt"

	"ply11/bitstream/dense"
	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// Two games are coded as one block, and read again. Their starts and lengths are kept beside it.
func Example() {
	start := position.Start()
	var games [2][]moveindex.Index
	for g, moves := range [2][]string{
		{"e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1"},
		{"f2f3", "e7e5", "g2g4", "d8h4"},
	} {
		for _, s := range moves {
			m, err := chess.ParseUCI(s)
			if err != nil {
				fmt.Println(err)
				return
			}
			i, _ := moveindex.Of(m)
			games[g] = append(games[g], i)
		}
	}

	var e dense.Encoder
	e.Reset(nil)
	for _, moves := range games {
		if err := e.Game(&start, moves); err != nil {
			fmt.Println(err)
			return
		}
	}
	block := e.Finish()
	fmt.Println(len(games[0])+len(games[1]), "plies,", len(block), "bytes")

	var d dense.Decoder
	d.Reset(block)
	for g := range games {
		moves, err := d.Game(nil, &start, len(games[g]))
		if err != nil {
			fmt.Println(err)
			return
		}
		var read []chess.Move
		for _, i := range moves {
			m, _ := i.Move()
			read = append(read, m)
		}
		fmt.Println(read)
	}
	// Output:
	// 13 plies, 4 bytes
	// [e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1]
	// [f2f3 e7e5 g2g4 d8h4]
}
