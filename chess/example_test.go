// SPDX-License-Identifier: Apache-2.0

package chess_test

import (
	"fmt"

	"ply11/chess"
)

func Example() {
	m, err := chess.ParseUCI("b7a8q")
	if err != nil {
		panic(err)
	}
	fmt.Println(m.From(), m.To(), m.Promotion(), m.MirrorRanks())
	fmt.Println(chess.NewPiece(chess.Black, chess.Knight), chess.E4.Rank())
	// Output:
	// b7 a8 queen b2a1q
	// n 3
}
