// SPDX-License-Identifier: Apache-2.0

//go:build long

package position

import (
	"runtime"
	"testing"
	"time"
)

// TestPerftLong counts tricky.perft whole, and random.perft to depth 4, on all cores, and tells the nodes per second.
func TestPerftLong(t *testing.T) {
	perftLong(t, append(readPerft(t, "tricky.perft"), upTo(readPerft(t, "random.perft"), 4)...))
}

// TestPerft960Long counts the suite of Chess960 to depth 4.
func TestPerft960Long(t *testing.T) { perftLong(t, upTo(readPerft(t, "chess960.perft"), 4)) }

func perftLong(t *testing.T, list []perftCase) {
	started := time.Now()
	cores := runtime.GOMAXPROCS(0)
	nodes := runPerft(t, list, 1<<63, cores)
	t.Logf("%d nodes in %d positions, %.0f million a second on %d cores",
		nodes, len(list), float64(nodes)/time.Since(started).Seconds()/1e6, cores)
}
