// SPDX-License-Identifier: Apache-2.0

package formats_test

import (
	"strings"
	"testing"

	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/formats"
	"ply11/internal/gamegen"
)

// TestChess960 writes a game of Chess960 to every format: each holds it, refuses it by name, or drops it with Lossy and
// says so.
func TestChess960(t *testing.T) {
	whole := gamegen.Chess960(17)
	holds := map[string]bool{"pgn": true, "p11": true, "words": true, "uci": true}
	for _, f := range formats.All {
		if f.Write == nil || f.Name == "polyglot" || f.Name == "fbk" {
			continue
		}
		g := whole.Clone()
		if f.Name != "pgn" && f.Name != "p11" {
			g.Tags = nil
		}
		for _, lossy := range []bool{false, true} {
			files := memory{path: "x" + append(f.Extensions, ".x")[0]}
			var lost []string
			o := formats.Options{Lossy: lossy, Report: func(e *codec.LossError) { lost = e.Names }}
			w, err := f.Write(files.output(), o)
			if err != nil {
				t.Fatal(err)
			}
			err = w.Write(g)
			if !holds[f.Name] {
				names := strings.Join(append(lost, codec.LossesOf(err)...), ", ")
				if (err == nil) != lossy || !strings.Contains(names, "start position and all moves") {
					t.Errorf("%s, lossy %v: %v, %v", f.Name, lossy, err, names)
				}
				continue
			}
			if err == nil {
				err = w.Close()
			}
			if err != nil || lost != nil {
				t.Errorf("%s: %v, %v", f.Name, err, lost)
				continue
			}
			if back := files.game(t, &f); back != nil {
				// Other programs read castling by the tag.
				if game.VariantOf(back.Tag("Variant")) != game.Chess960 {
					t.Errorf("%s: tags %v", f.Name, back.Tags)
				}
				if back.Tags = g.Tags; back.Start != whole.Start || back.Diff(g) != "" {
					t.Errorf("%s: %s, %s", f.Name, back.Start.FEN(), back.Diff(g))
				}
			}
		}
	}
}
