// SPDX-License-Identifier: Apache-2.0

package gamegen_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"testing"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/gamegen"
)

// TestGames: the games are legal, their numbers are like those of real ones, and a seed gives the same ones again.
func TestGames(t *testing.T) {
	const n = 2100
	one, again, other := gamegen.New(7), gamegen.New(7), gamegen.New(8)
	var g, h, o game.Game
	sum := sha256.New()
	plies, same, openings := 0, 0, map[string]int{}
	results := map[game.Result]int{}
	style := pgn.Export()
	for i := range n {
		one.Next(&g)
		again.Next(&h)
		other.Next(&o)
		if !g.Equal(&h) {
			t.Fatalf("game %d: %s", i+1, g.Diff(&h))
		}
		if g.Equal(&o) {
			same++
		}
		sum.Write(pgn.AppendGame(nil, &g, &style))
		at := g.Start
		opening := ""
		for ply, m := range g.MainLine() {
			if !at.IsLegal(m) {
				t.Fatalf("game %d, ply %d: %v is not legal", i+1, ply, m)
			}
			at.Make(m)
			if ply <= 4 {
				opening += m.String()
			}
		}
		openings[opening]++
		results[g.Result]++
		plies += g.Len()
		if at.IsCheckmate() && g.Result == game.Draw || at.IsStalemate() && g.Result != game.Draw ||
			g.Result == game.Unknown {
			t.Errorf("game %d: %v in %s", i+1, g.Result, at.FEN())
		}
		for _, tag := range []string{"WhiteElo", "BlackElo"} {
			if elo, err := strconv.Atoi(g.Tag(tag)); err != nil || elo < 1600 || elo > 3000 {
				t.Errorf("game %d: %s %q", i+1, tag, g.Tag(tag))
			}
		}
		if r, ok := g.TagResult(); !ok || r != g.Result || g.Tag("White") == g.Tag("Black") ||
			len(g.Tag("Date")) != 10 {
			t.Errorf("game %d: tags %q", i+1, g.Tags)
		}
	}
	if same > 0 {
		t.Errorf("%d games are those of another seed", same)
	}
	if mean := plies / n; mean < 60 || mean > 95 {
		t.Errorf("%d plies in the mean", mean)
	}
	for _, r := range []game.Result{game.WhiteWins, game.Draw, game.BlackWins} {
		if results[r] < n/8 {
			t.Errorf("%d games of %d end with %v", results[r], n, r)
		}
	}
	most := 0
	for _, k := range openings {
		most = max(most, k)
	}
	if len(openings) < 50 || most < n/50 {
		t.Errorf("%d openings of four plies, the most frequent %d times", len(openings), most)
	}
	t.Logf("%d plies, results %v, %d openings, SHA-256 %s", plies, results, len(openings),
		hex.EncodeToString(sum.Sum(nil)))
	const want = "3ade7eaff874e36f00b72ceebd2092587c38ffdb8005787b3d2c26c772fdf2e8"
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("the games of seed 7 have the SHA-256 %s, not %s", got, want)
	}
}
