// SPDX-License-Identifier: Apache-2.0

package game_test

import (
	"fmt"

	"ply11/chess"
	"ply11/game"
)

func Example() {
	e4, _ := chess.ParseUCI("e2e4")
	e5, _ := chess.ParseUCI("e7e5")
	c5, _ := chess.ParseUCI("c7c5")

	g := game.New()
	g.SetTag("White", "Morphy")
	var b game.Builder
	b.Reset(g)
	b.Move(e4)
	b.NAG(1)
	b.Move(e5)
	b.StartVariation()
	b.Move(c5)
	b.Comment("sharper")
	b.EndVariation()
	g.Result = game.WhiteWins

	for e, position := range g.Replay() {
		fmt.Println(e, position.Turn())
	}
	fmt.Println(g.Len(), g.NumMoves(), g.Result)
	// Output:
	// e2e4 white
	// $1 black
	// e7e5 black
	// ( white
	// c7c5 black
	// comment "sharper" white
	// ) white
	// 2 3 1-0
}
