// SPDX-License-Identifier: Apache-2.0

package gamegen

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// controls are common time controls, in seconds for the game and for each move, and how many of a hundred games have
// each.
var controls = []struct{ base, each, of100 int }{{60, 0, 28}, {180, 0, 24}, {180, 2, 10}, {300, 0, 13}, {300, 3, 5},
	{600, 0, 15}, {900, 10, 5}}

// quickPlies is how many plies a player plays in about a second.
const quickPlies = 8

// clocks is the time that is left after each move of a game.
type clocks struct {
	rng        *rand.Rand
	base, each int
	left       [2]int // seconds: of the side that moves first in the game, and of the other
	ply        int
}

func newClocks(seed, number uint64) *clocks {
	c := &clocks{rng: rand.New(rand.NewPCG(^seed, number))}
	n := c.rng.IntN(100)
	for _, k := range controls {
		if c.base, c.each = k.base, k.each; n < k.of100 {
			break
		}
		n -= k.of100
	}
	c.left = [2]int{c.base, c.base}
	return c
}

func (c *clocks) control() string { return fmt.Sprintf("%d+%d", c.base, c.each) }

func (c *clocks) next() string {
	left := &c.left[c.ply&1]
	if c.ply++; c.ply > 2 { // the clocks start after the first move of each
		want := c.rng.Float64() * 1.5
		if c.ply > quickPlies {
			want = float64(c.base+40*c.each) / 45 * math.Exp(0.9*c.rng.NormFloat64()-0.4)
		}
		// Who has little time left plays faster.
		*left -= int(min(want, float64(*left)/8)) - c.each
	}
	return fmt.Sprintf("[%%clk %d:%02d:%02d]", *left/3600, *left/60%60, *left%60)
}
