// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"ply11/internal/datadir"
	"ply11/position"
	"ply11/sim/cosim"
	"ply11/sim/eda/edatest"
)

// perftNodes is the most that TestPerftLong counts of a position of tricky.perft.
const perftNodes = 20_000_000

// The usual initial position to depth 5, Kiwipete to depth 4, and the positions of tricky.perft in Verilator,
// against package position and the counts that the file gives.
func TestPerftLong(t *testing.T) {
	p, err := cosim.NewPerft(t.Context(), edatest.NewWork(t, edatest.Simulators...), cosim.ToolVerilator, 1)
	edatest.Must(t, err)
	defer p.Close()
	count := func(fen string, depth int, want uint64) {
		t.Helper()
		got, err := p.Count(t.Context(), fromFEN(t, fen), depth)
		edatest.Must(t, err)
		if n := got.Counts[depth]; n != want {
			t.Errorf("%s, depth %d: %d, want %d", fen, depth, n, want)
		}
		t.Logf("%s, depth %d: %d in %d clocks, %.2f a clock", fen, depth, want, got.Clocks,
			float64(want)/float64(got.Clocks))
	}
	count("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609)
	count(kiwipete, 4, 4_085_603)

	text, err := os.ReadFile(datadir.Path(t, "perft", "tricky.perft"))
	edatest.Must(t, err)
	var fen string
	var depth, positions int
	var want uint64
	deepest := func() {
		if fen != "" && depth > 0 {
			count(fen, depth, want)
			positions++
		}
		fen, depth = "", 0
	}
	for line := range strings.Lines(string(text)) {
		if epd, ok := strings.CutPrefix(line, "epd "); ok {
			deepest()
			fen = strings.TrimSpace(epd) + " 0 1"
			if p, err := position.ParseFEN(fen); err != nil || p.IsChess960() {
				t.Logf("left out, of Chess960 alone: %s", fen)
				fen = ""
			}
			continue
		}
		var d int
		var n uint64
		if k, _ := fmt.Sscanf(line, "perft %d %d", &d, &n); k == 2 && d <= cosim.MaxPerft && n <= perftNodes {
			depth, want = d, n
		}
	}
	deepest()
	if positions < 10 {
		t.Errorf("%d positions of the file were counted", positions)
	}
}
