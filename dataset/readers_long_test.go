// SPDX-License-Identifier: Apache-2.0

//go:build long

package dataset_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
)

// readersPart is how many bytes of a file of games a part has, at least.
const readersPart = 2_000_000

// TestReadersAll is TestReaders of all data, in parts of large files, which takes most of an hour. lc0 has the first
// 100 kB of a file.
func TestReadersAll(t *testing.T) {
	all := 0
	for _, path := range gameFiles(t) {
		t.Run(strings.TrimLeft(path, "./"), func(t *testing.T) {
			chunks := checkReaders(t, readText(t, path, 100_000), "lc0")
			n := 0
			for i, part := range partsOf(readText(t, path, math.MaxInt64)) {
				t.Run(fmt.Sprint(i+1), func(t *testing.T) {
					n += checkReaders(t, part, "binpack", "bin", "viriformat")
				})
			}
			t.Logf("%d positions of chunks, %d of the others", chunks, n)
			all += chunks + n
		})
	}
	t.Logf("%d positions in all", all)
}

// partsOf cuts a text before games.
func partsOf(text []byte) (list [][]byte) {
	for begin := []byte("\n\n[Event "); ; {
		i := -1
		if len(text) > readersPart {
			i = bytes.Index(text[readersPart:], begin)
		}
		if i < 0 {
			return append(list, text)
		}
		cut := readersPart + i + len("\n\n")
		list, text = append(list, text[:cut]), text[cut:]
	}
}
