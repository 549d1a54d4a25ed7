// SPDX-License-Identifier: Apache-2.0

package brenner_test

import (
	"io"
	"slices"
	"testing"

	"ply11/bitstream/brenner"
	"ply11/game/codec"
	"ply11/internal/codectest"
	"ply11/moveindex"
)

// Real games through every layout and back, as words and as games in a file.
func TestRealGames(t *testing.T) {
	c := codectest.RealGames(t)
	for _, l := range brenner.Layouts {
		var buf []byte
		var words []moveindex.Index
		total, prefixes := 0, 0
		for i, want := range c.Words {
			var err error
			var n int
			if buf, n, err = l.EncodeIndices(buf[:0], want); err != nil || n != len(want) {
				t.Fatalf("%v, game %d: %v", l, i+1, err)
			}
			total += len(buf)
			prefixes += len(buf) - len(want)
			if words, n, err = l.DecodeIndices(words[:0], buf); err != nil || n != len(buf) ||
				!slices.Equal(words, want) {
				t.Fatalf("%v, game %d: %v", l, i+1, err)
			}
		}
		t.Logf("%v: %d games, %d plies, %d bytes, %.4f bytes a ply", l, len(c.Words), c.Plies, total,
			float64(total)/float64(c.Plies))
		if total-prefixes != c.Plies+len(c.Words) {
			t.Errorf("%v: %d bytes for %d plies, %d results and %d prefixes", l, total, c.Plies, len(c.Words), prefixes)
		}

		games := c
		if l != brenner.Main {
			games = c.First(2000)
		}
		codectest.SameAgain(t, games.Games(), func(w io.Writer) codec.Writer { return brenner.NewWriter(w, l) },
			func(r io.Reader) codec.Reader { return brenner.NewReader(r, l) })
	}
}
