// SPDX-License-Identifier: Apache-2.0

package famous_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/notnil/chess"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/famous"
)

// TestEveryMoveIsLegal plays the games by notnil/chess, which shares nothing with our rules.
func TestEveryMoveIsLegal(t *testing.T) {
	games, plies := 0, 0
	results := make(map[game.Result]int)
	for g, err := range pgn.NewReader(strings.NewReader(famous.PGN)).Games() {
		if err != nil {
			t.Fatal(err)
		}
		games++
		results[g.Result]++
		name := g.Tag("White") + " - " + g.Tag("Black")
		start, err := chess.FEN(g.Start.FEN())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		oracle := chess.NewGame(start, chess.UseNotation(chess.UCINotation{}))
		for ply, m := range g.MainLine() {
			legal := false
			for _, v := range oracle.ValidMoves() {
				if legal = v.String() == m.String(); legal {
					if err := oracle.Move(v); err != nil {
						t.Fatal(err)
					}
					break
				}
			}
			if !legal {
				t.Fatalf("%s: ply %d: %v is not legal", name, ply, m)
			}
			plies++
		}
		// A game that ends on the board says so itself; the draws and resignations cannot be told.
		if o := oracle.Outcome(); o != chess.NoOutcome && o.String() != g.Result.String() {
			t.Errorf("%s: %v on the board, %v in the tag", name, o, g.Result)
		}
		if r, ok := g.TagResult(); !ok || r != g.Result {
			t.Errorf("%s: result %v, tag %v", name, g.Result, r)
		}
	}
	if games < 24 || len(results) != 4 {
		t.Errorf("%d games, results %v", games, results)
	}
	t.Logf("%d games, %d plies", games, plies)
}

func Example() {
	g := game.New()
	if err := pgn.NewReader(strings.NewReader(famous.PGN)).Read(g); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Tag("White"), "-", g.Tag("Black"), g.Len(), "plies")
	// Output:
	// Morphy, Paul - Duke Karl / Count Isouard 33 plies
}
