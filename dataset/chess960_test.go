// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"ply11/dataset"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/gamegen"
)

// TestChess960: formats of engines with Chess960 give its games back; the others leave them out and count them.
func TestChess960(t *testing.T) {
	var text []byte
	var want []*game.Game
	castlings := 0
	for n := 0; n < 960; n += 14 { // 518 has the pieces of standard chess
		g := gamegen.Chess960(n)
		g.Result = []game.Result{game.WhiteWins, game.Draw, game.BlackWins}[n%3]
		g.SetTag("Result", g.Result.String())
		text = append(pgn.AppendGame(text, g, &pgn.Style{}), '\n')
		want = append(want, g)
		at := g.Start
		for _, m := range g.AppendMainLine(nil) {
			if at.IsChess960() && at.IsCastling(m) {
				castlings++
			}
			at.Make(m)
		}
	}
	if castlings < 20 {
		t.Fatalf("%d castlings", castlings)
	}
	data := pack(t, text, 20, false)
	for _, without := range []bool{false, true} {
		got, err := imported("parquet", exportOne(t, dataset.Job{Format: "parquet", NoMovetext: without}, data))
		if err != nil || len(got) != len(want) {
			t.Fatalf("Parquet: %d games of %d: %v", len(got), len(want), err)
		}
		for i, g := range got {
			if d := g.Diff(want[i]); d != "" {
				t.Errorf("Parquet, without movetext %v: game %d: %s", without, i+1, d)
			}
		}
	}
	for _, format := range engineFormats {
		if format == "bin" || format == "lc0" {
			folder := t.TempDir()
			m, err := export(t, sourceOf("a", data), dataset.Options{Job: dataset.Job{Format: format}, Single: true,
				Output: folder + "/x"})
			if files, _ := os.ReadDir(folder); !errors.Is(err, codec.ErrLoss) || len(files) > 1 {
				t.Errorf("%s: %+v, %v, %v", format, m, err, files)
			}
			continue
		}
		file := exportOne(t, dataset.Job{Format: format}, data)
		got, err := imported(format, file)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %d games of %d: %v", format, len(got), len(want), err)
			continue
		}
		for i, g := range got {
			// The 18 start positions with standard chess's kings and rooks are read as such.
			line := func(g *game.Game) string {
				var b strings.Builder
				at := g.Start
				for _, m := range g.AppendMainLine(nil) {
					b.WriteString(at.SAN(m) + " ")
					at.Make(m)
				}
				return b.String()
			}
			start := g.Start
			if start = start.ToChess960(); !dataset.SameBoard(&start, &want[i].Start) || start != want[i].Start ||
				line(g) != line(want[i]) || g.Result != want[i].Result {
				t.Errorf("%s: game %d: %s, %s %s; want %s, %s %s", format, i+1, g.Start.FEN(), line(g), g.Result,
					want[i].Start.FEN(), line(want[i]), want[i].Result)
			}
		}
		var b strings.Builder
		for _, g := range got {
			b.WriteString(textOf(g))
		}
		if again := exportOne(t, dataset.Job{Format: format}, pack(t, []byte(b.String()), 1000, false)); !bytes.Equal(
			again, file) {
			t.Errorf("%s: another file the second time", format)
		}
		if !slices.ContainsFunc(got, func(g *game.Game) bool { return g.Start.IsChess960() }) {
			t.Errorf("%s: no game is of Chess960", format)
		}
	}
}
