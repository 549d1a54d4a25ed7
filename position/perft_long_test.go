// SPDX-License-Identifier: Apache-2.0

//go:build long

package position

import (
	"runtime"
	"slices"
	"testing"
	"time"
)

// TestPerftLong counts tricky.perft whole and random.perft to depth 4, on all cores, and tells the
// nodes per second. The entries that only Chess960 can play are counted as refused, not as nodes.
func TestPerftLong(t *testing.T) {
	started := time.Now()
	list := readPerft(t, "tricky.perft")
	for _, c := range readPerft(t, "random.perft") {
		shallow := perftCase{id: c.id, epd: c.epd}
		for i, d := range c.depths {
			if d <= 4 {
				shallow.depths, shallow.counts = append(shallow.depths, d), append(shallow.counts, c.counts[i])
			}
		}
		list = append(list, shallow)
	}
	cores := runtime.GOMAXPROCS(0)
	nodes := runPerft(t, list, 1<<63, cores)
	refused := slices.DeleteFunc(list, func(c perftCase) bool { return !slices.Contains(chess960Only, c.id) })
	t.Logf("%d nodes in %d positions, %.0f million a second on %d cores; %d positions of chess960 refused",
		nodes, len(list)-len(refused), float64(nodes)/time.Since(started).Seconds()/1e6, cores, len(refused))
}
