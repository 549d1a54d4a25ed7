// SPDX-License-Identifier: Apache-2.0

//go:build long

package position

import (
	"runtime"
	"testing"
	"time"
)

// TestPerftLong counts tricky.perft whole, and random.perft and the suite of Chess960 to depth 4, on all cores, and tells the
// nodes per second.
func TestPerftLong(t *testing.T) {
	started := time.Now()
	list := append(readPerft(t, "tricky.perft"), upTo(readPerft(t, "random.perft"), 4)...)
	list = append(list, upTo(readPerft(t, "chess960.perft"), 4)...)
	cores := runtime.GOMAXPROCS(0)
	nodes := runPerft(t, list, 1<<63, cores)
	t.Logf("%d nodes in %d positions, %.0f million a second on %d cores",
		nodes, len(list), float64(nodes)/time.Since(started).Seconds()/1e6, cores)
}
