// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"testing"

	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
)

// BenchmarkBoard runs the board's model over the famous games, an operation a clock.
func BenchmarkBoard(b *testing.B) {
	var words []uint16
	for _, g := range famousLines(b) {
		if g.start != position.Start() {
			continue
		}
		words = append(words, 1<<15)
		for _, m := range g.moves {
			i, _ := moveindex.Of(m)
			words = append(words, uint16(i))
		}
	}
	board, err := sim.NewBoard(8)
	if err != nil {
		b.Fatal(err)
	}
	board.In = sim.BoardIn{SValid: true, MReady: true}
	at, errors := 0, 0
	b.ResetTimer()
	for b.Loop() {
		board.In.SIndex = words[at] & 2047
		board.In.SOp = uint8(words[at] >> 15)
		if at++; at == len(words) {
			at = 0
		}
		board.Eval()
		board.Step()
		if board.Out.MValid && board.Out.MError != 0 {
			errors++
		}
	}
	if errors > 0 {
		b.Errorf("%d moves refused", errors)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mclocks/s")
}
