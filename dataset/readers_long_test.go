// SPDX-License-Identifier: Apache-2.0

//go:build long

package dataset

import (
	"math"
	"strings"
	"testing"
)

// TestReadersAll is TestReaders with every game of every file, which takes most of an hour. lc0's chunks, 8 kB a position, are of the first 100 kB of a file.
func TestReadersAll(t *testing.T) {
	all := 0
	for _, path := range gameFiles(t) {
		t.Run(strings.TrimLeft(path, "./"), func(t *testing.T) {
			chunks := checkReaders(t, readText(t, path, 100_000), "lc0")
			n := checkReaders(t, readText(t, path, math.MaxInt64), "binpack", "bin", "viriformat")
			t.Logf("%d positions of chunks, %d of the others", chunks, n)
			all += chunks + n
		})
	}
	t.Logf("%d positions in all", all)
}
