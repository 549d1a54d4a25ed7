// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"fmt"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/sim"
	"ply11/sim/oracle"
)

// A move goes in, and comes out with the position nine clocks later.
func ExampleBoard() {
	board, err := sim.NewBoard(1)
	if err != nil {
		panic(err)
	}
	move, _ := chess.ParseUCI("e2e4")
	index, _ := moveindex.Of(move)
	board.In = sim.BoardIn{SValid: true, SIndex: uint16(index), MReady: true}
	for clock := 0; ; clock++ {
		board.Eval()
		if board.Out.MValid {
			fmt.Println("clock", clock, "man", board.Out.MMan, "error", board.Out.MError)
			fmt.Print(board.Out.State)
			break
		}
		board.Step()
		board.In.SValid = false
	}
	// Output:
	// clock 9 man 6 error 0
	// 8  r n b q k b n r
	// 7  p p p p p p p p
	// 6  . . . . . . . .
	// 5  . . . . . . . .
	// 4  . . . . P . . .
	// 3  . . . . . . . .
	// 2  P P P P . P P P
	// 1  R N B Q K B N R
	//    a b c d e f g h
	// Black to move, castling KQkq, en passant e, ply 1
}

// The hardware does not see that lines are blocked, but knows how men go.
func ExampleState_Check() {
	s := oracle.Initial()
	for _, uci := range []string{"e2e4", "a1a5", "a1b3", "e1g1", "e3e4", "e7e5"} {
		m, _ := chess.ParseUCI(uci)
		i, _ := moveindex.Of(m)
		f := s.Check(i)
		fmt.Println(uci, uint8(f), f)
	}
	// Output:
	// e2e4 0 no fault
	// a1a5 0 no fault
	// a1b3 4 not a move of that man
	// e1g1 3 own man on the target
	// e3e4 1 empty from-square
	// e7e5 2 opponent's man
}
