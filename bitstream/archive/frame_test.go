// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/testenv"
)

// TestRepetition: of the same again and again, an archive is small.
func TestRepetition(t *testing.T) {
	for _, text := range []string{
		// no game: a comment beyond all limits
		"[Event \"x\"]\n\n1. e4 {" + strings.Repeat("word ", 1_000_000) + "} *\n\n",
		strings.Repeat("\n", testenv.Pick(3_000_000, 300_000)),
		strings.Repeat("[Event \"?\"]\n\n1. e4 {"+strings.Repeat("word ", 40_000)+"} *\n\n", testenv.Pick(10, 2)),
		strings.Repeat("[Event \"?\"]\n\n1. e4 e5 *\n\n", testenv.Pick(100_000, 10_000)),
	} {
		data, _ := archive.MustPack(t, []byte(text))
		if got := archive.MustUnpack(t, data); string(got) != text {
			t.Fatalf("%.40q…: other bytes", text)
		}
		if most := len(text)/64 + 4096; !strings.Contains(text, "e5") && len(data) > most {
			t.Errorf("%.40q…: %d bytes for %d, more than %d", text, len(data), len(text), most)
		}
	}
}
