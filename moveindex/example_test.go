// SPDX-License-Identifier: Apache-2.0

package moveindex_test

import (
	"fmt"

	"ply11/chess"
	"ply11/moveindex"
)

func Example() {
	m, _ := chess.ParseUCI("g1f3")
	i, _ := moveindex.Of(m)
	fmt.Printf("%v is %d, %011b\n", m, i, i)

	back, _ := i.Move()
	black, _ := i.MirrorRanks().Move()
	fmt.Println(back, i.Class(), "for Black", black)

	h, _ := moveindex.NewHalfmove(chess.White, chess.Knight, i)
	fmt.Printf("halfmove %d: %v\n", h, h)

	// Output:
	// g1f3 is 1094, 10001000110
	// g1f3 knight for Black g8f6
	// halfmove 3537: Ng1f3
}

func ExampleVocabulary() {
	m, _ := chess.ParseUCI("e8g8")
	i, _ := moveindex.Of(m)
	l := moveindex.LC0.Label(chess.Black, chess.King, i)
	fmt.Println(l, moveindex.LC0.Text(l))
	fmt.Println(moveindex.LC0.Index(chess.Black, chess.King, l) == i)
	fmt.Println(moveindex.LC0.Index(chess.Black, chess.Knight, l) == moveindex.Invalid)
	// Output:
	// 103 e1h1
	// true
	// true
}
