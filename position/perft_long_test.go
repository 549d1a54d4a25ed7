// SPDX-License-Identifier: Apache-2.0

//go:build long

package position_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// TestPerftLong counts tricky.perft whole, and random.perft to depth 4, on all cores, and tells the nodes per second.
func TestPerftLong(t *testing.T) {
	perftLong(t, append(readPerft(t, "tricky.perft"), upTo(readPerft(t, "random.perft"), 4)...))
}

// TestPerft960 counts the published suite of Chess960 to depth 4, if the folder of real data has it.
func TestPerft960(t *testing.T) {
	list := upTo(readPerft(t, "chess960.perft"), 4)
	if len(list) < 960 {
		t.Errorf("%d positions", len(list))
	}
	perftLong(t, list)
}

func perftLong(t *testing.T, list []perftCase) {
	started := time.Now()
	var nodes atomic.Uint64
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range list {
		group.Go(func() error {
			nodes.Add(runPerft(t, list[i:i+1], 1<<63))
			return nil
		})
	}
	group.Wait()
	t.Logf("%d nodes in %d positions, %.0f million a second on %d cores", nodes.Load(), len(list),
		float64(nodes.Load())/time.Since(started).Seconds()/1e6, runtime.GOMAXPROCS(0))
}

// upTo returns the cases without what is deeper.
func upTo(list []perftCase, depth int) []perftCase {
	for i := range list {
		c := &list[i]
		for n, d := range c.depths {
			if d > depth {
				c.depths, c.counts = c.depths[:n], c.counts[:n]
				break
			}
		}
	}
	return list
}
