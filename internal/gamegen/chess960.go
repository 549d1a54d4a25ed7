// SPDX-License-Identifier: Apache-2.0

package gamegen

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"ply11/chess"
	"ply11/game"
	"ply11/internal/start960"
	"ply11/position"
)

// Chess960 makes a game of Chess960 from start position n, of random moves, in which a side castles as soon as it can.
// It has the tags that other programs write.
func Chess960(n int) *game.Game {
	rng := rand.New(rand.NewPCG(960, uint64(n)))
	fen := start960.FEN(n)
	at, err := position.ParseFEN(fen)
	if err != nil {
		panic(err) // a start position is one
	}
	at = at.ToChess960()
	g := game.New()
	for _, t := range [...]game.Tag{{Name: "Event", Value: fmt.Sprintf("Start %d", n)}, {Name: "Site", Value: "?"},
		{Name: "Date", Value: "2026.01.01"},
		{Name: "Round", Value: "?"}, {Name: "White", Value: "One"}, {Name: "Black", Value: "Two"},
		{Name: "Result", Value: "*"},
		{Name: "FEN", Value: fen}, {Name: "SetUp", Value: "1"}, {Name: "Variant", Value: "Chess960"}} {
		g.AddTag(t.Name, t.Value)
	}
	g.Start = at
	var build game.Builder
	build.Reset(g)
	var moves []chess.Move
	for range 60 {
		if moves = at.LegalMoves(moves[:0]); len(moves) == 0 {
			break
		}
		slices.Sort(moves)
		m := moves[rng.IntN(len(moves))]
		for _, c := range moves {
			if at.IsCastling(c) {
				m = c
			}
		}
		build.Move(m)
		at.Make(m)
	}
	return g
}
