// SPDX-License-Identifier: Apache-2.0

package p11io

import "testing"

// TestShardOf: the shards are equal parts, and large files do not overflow.
func TestShardOf(t *testing.T) {
	for _, c := range []struct{ place, all, shards, want int64 }{
		{0, 0, 5, 0}, {0, 10, 3, 0}, {3, 10, 3, 0}, {4, 10, 3, 1}, {9, 10, 3, 2}, {1<<62 - 1, 1 << 62, 99999, 99998},
		{3, 4, 40, 30},
	} {
		if got := shardOf(c.place, c.all, c.shards); got != c.want {
			t.Errorf("shardOf(%d, %d, %d) = %d, want %d", c.place, c.all, c.shards, got, c.want)
		}
	}
	for _, all := range []int64{20, 21, 25, 39, 1000} { // no archive without a place
		seen := map[int64]bool{}
		for place := range all {
			seen[shardOf(place, all, 20)] = true
		}
		if len(seen) != 20 {
			t.Errorf("%d places: %d of 20 archives have one", all, len(seen))
		}
	}
}
