// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim

import (
	"testing"

	"ply11/game"
	"ply11/internal/datadir"
	"ply11/sim/eda/edatest"
)

// All games of master-50k by every codec but ChessBase under Verilator, 500 of them and all edge files by every codec
// under Icarus, with all texts. Every output is compared in every clock of all of them.
func TestCrossLong(t *testing.T) {
	hs := newHarnesses(t, crossed(), ToolIcarus, ToolVerilator)
	master := datadir.Path(t, "pgn", "master", "master-50k.pgn.zst")
	for _, c := range []struct {
		name  string
		tool  string
		files []string
		limit int
		games int64 // that every codec holds; 0: not counted
	}{
		{"master by Verilator", ToolVerilator, []string{master}, 0, 50000},
		{"edge files by Verilator", ToolVerilator, nil, 0, 0},
		{"master by Icarus", ToolIcarus, []string{master}, 500, 500},
		{"edge files by Icarus", ToolIcarus, nil, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			cross, err := NewCross(t.Context(), hs, CrossPlan{Codecs: crossed(), Tools: []string{c.tool}})
			edatest.Must(t, err)
			if c.files == nil {
				for _, name := range edgeFiles {
					c.files = append(c.files, edgePath(t, name))
				}
			}
			for _, path := range c.files {
				eachGame(t, path, c.limit, func(_ int, g *game.Game) { cross.Add(g) })
			}
			for _, r := range closeCross(t, cross) {
				if c.games != 0 && r.Games != c.games {
					t.Errorf("%s: %d games", r.Codec, r.Games)
				}
			}
		})
	}
}

// ChessBase by Verilator: 300 games of master-50k and the edge files.
func TestCrossChessBaseLong(t *testing.T) {
	codecs := FindCodecs("chessbase")
	hs := newHarnesses(t, codecs, ToolVerilator)
	cross, err := NewCross(t.Context(), hs, CrossPlan{Codecs: codecs, Tools: []string{ToolVerilator}})
	edatest.Must(t, err)
	eachGame(t, datadir.Path(t, "pgn", "master", "master-50k.pgn.zst"), 300, func(_ int, g *game.Game) { cross.Add(g) })
	for _, name := range edgeFiles {
		eachGame(t, edgePath(t, name), 30, func(_ int, g *game.Game) { cross.Add(g) })
	}
	for _, r := range closeCross(t, cross) {
		if r.Games < 300 {
			t.Errorf("%s: %d games", r.Codec, r.Games)
		}
	}
}
