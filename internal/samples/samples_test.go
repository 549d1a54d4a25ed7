// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"bytes"
	"testing"
)

// TestMany: the games that are made begin as those of the file.
func TestMany(t *testing.T) {
	for n, want := range map[int][]byte{0: nil, 120: File(Plain)} {
		if got := Many(n); !bytes.Equal(got, want) {
			t.Errorf("%d games have %d bytes, want %d", n, len(got), len(want))
		}
	}
	if File("other.pgn") != nil {
		t.Error("there is a file of another name")
	}
}
