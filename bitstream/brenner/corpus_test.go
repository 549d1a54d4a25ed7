// SPDX-License-Identifier: Apache-2.0

package brenner

import (
	"io"
	"slices"
	"testing"

	"ply11/game/codec"
	"ply11/internal/codectest"
	"ply11/moveindex"
)

// All of master-50k (or the samples) through every layout and back, as words and as games in a file: the same moves,
// each of which the reader verifies by package position.
func TestRealGames(t *testing.T) {
	c := codectest.RealGames(t)
	for _, l := range Layouts {
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
		if l != Main {
			games = c.First(2000)
		}
		codectest.SameAgain(t, games.Games(), func(w io.Writer) codec.Writer { return NewWriter(w, l) },
			func(r io.Reader) codec.Reader { return NewReader(r, l) })
	}
}

// No memory a ply.
func TestAllocations(t *testing.T) {
	g := codectest.Line(t, "", promotions)
	var words, back []moveindex.Index
	for _, m := range g.MainLine() {
		i, _ := moveindex.Of(m)
		words = append(words, i)
	}
	for _, l := range Layouts {
		buf, _, err := l.EncodeIndices(nil, words)
		if err != nil {
			t.Fatal(err)
		}
		back = make([]moveindex.Index, 0, 2*len(words))
		if n := testing.AllocsPerRun(100, func() {
			buf, _, _ = l.EncodeIndices(buf[:0], words)
			back, _, _ = l.DecodeIndices(back[:0], buf)
		}); n != 0 {
			t.Errorf("%v: %v allocations for a game", l, n)
		}
	}
}

func BenchmarkDecodeIndices(b *testing.B) {
	for _, l := range Layouts {
		b.Run(l.String(), func(b *testing.B) {
			codectest.BenchDecode(b, l.EncodeIndices, l.DecodeIndices)
		})
	}
}

func BenchmarkEncodeIndices(b *testing.B) {
	for _, l := range Layouts {
		b.Run(l.String(), func(b *testing.B) {
			codectest.BenchEncode(b, l.EncodeIndices)
		})
	}
}
