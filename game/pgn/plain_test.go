// SPDX-License-Identifier: Apache-2.0

package pgn

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/position"
)

// TestPlainIsMovetext writes random main lines in random styles by the way for main lines and by the way for all
// games.
func TestPlainIsMovetext(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	blackToMove, err := position.ParseFEN("4k3/8/8/8/8/8/4P3/4K3 b - - 0 98")
	if err != nil {
		t.Fatal(err)
	}
	var b game.Builder
	for range 2000 {
		var g game.Game
		b.Reset(&g)
		if rng.IntN(3) == 0 {
			g.Start = blackToMove
		}
		p := g.Start
		var moves []chess.Move
		for range rng.IntN(60) {
			legal := p.LegalMoves(nil)
			if len(legal) == 0 {
				break
			}
			m := legal[rng.IntN(len(legal))]
			if rng.IntN(30) == 0 {
				m = chess.NullMove
			}
			moves = append(moves, m)
			p.Make(m)
			if p.InCheck() && m == chess.NullMove {
				break
			}
		}
		b.Moves(moves)
		g.Result = game.Result(rng.IntN(4))
		coin := func() bool { return rng.IntN(2) == 0 }
		s := Style{NumberSpace: coin(), SplitNumber: coin(), NoNumbers: rng.IntN(4) == 0, BlackNumber: coin(),
			NoBlackNumber: coin(), CRLF: coin()}
		if coin() {
			s.Break = BreakAfterSpace
		}
		if coin() {
			s.Width = rng.IntN(90)
		}
		want := appendMovetext([]byte("x\n"), &g, &s)
		if got := appendPlain([]byte("x\n"), &g, &s); !bytes.Equal(got, want) {
			t.Fatalf("%+v:\n%s\n---\n%s", s, got, want)
		}
	}
}
