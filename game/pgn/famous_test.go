// SPDX-License-Identifier: Apache-2.0

package pgn_test

import (
	"fmt"
	"strings"
	"testing"

	notnil "github.com/notnil/chess"

	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/position"
	"ply11/testdata"
)

// TestEveryMoveIsLegal plays the games by notnil/chess, which shares nothing with our rules.
func TestEveryMoveIsLegal(t *testing.T) {
	games, plies := 0, 0
	results := make(map[game.Result]int)
	for g, err := range pgn.NewReader(strings.NewReader(testdata.Famous)).All() {
		if err != nil {
			t.Fatal(err)
		}
		games++
		results[g.Result]++
		name := g.Tag("White") + " - " + g.Tag("Black")
		start, err := notnil.FEN(g.Start.FEN())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		oracle := notnil.NewGame(start, notnil.UseNotation(notnil.UCINotation{}))
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
		if o := oracle.Outcome(); o != notnil.NoOutcome && o.String() != g.Result.String() {
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

// TestVariety holds what the package says is among the moves.
func TestVariety(t *testing.T) {
	seen := make(map[string]int)
	for g, err := range pgn.NewReader(strings.NewReader(testdata.Famous)).All() {
		if err != nil {
			t.Fatal(err)
		}
		pos := g.Start
		if pos != position.Start() {
			seen["set-up"]++
		}
		for _, m := range g.MainLine() {
			kind := pos.PieceAt(m.From()).Kind()
			switch d := int(m.To()) - int(m.From()); {
			case kind == chess.King && d == 2:
				seen["O-O"]++
			case kind == chess.King && d == -2:
				seen["O-O-O"]++
			case kind == chess.Pawn && d%8 != 0 && pos.PieceAt(m.To()) == chess.NoPiece:
				seen["en passant"]++
			case m.Promotion() != chess.NoKind:
				seen[m.Promotion().String()]++
			}
			pos.Make(m)
		}
	}
	for _, want := range []string{"O-O", "O-O-O", "en passant", "queen", "rook", "knight", "set-up"} {
		if seen[want] == 0 {
			t.Errorf("no %s in any game", want)
		}
	}
}

func Example_famous() {
	g := game.New()
	if err := pgn.NewReader(strings.NewReader(testdata.Famous)).Read(g); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Tag("White"), "-", g.Tag("Black"), g.Len(), "plies")
	// Output:
	// Morphy, Paul - Duke Karl / Count Isouard 33 plies
}
