// SPDX-License-Identifier: Apache-2.0

package jose_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/jose"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/codectest"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/moveindex"
	"ply11/position"
)

// usual is the start position of most games.
var usual = position.Start()

// Real games through both dialects and back, as words and as games in a file.
func TestRealGames(t *testing.T) {
	c := codectest.RealGames(t)
	for _, d := range jose.Dialects {
		var buf []byte
		var words []moveindex.Index
		var dec jose.Decoder
		var enc jose.Encoder
		total, second := 0, 0
		for i, want := range c.Words {
			var err error
			var n int
			if buf, n, err = enc.EncodeIndices(d, &usual, buf[:0], want); err != nil || n != len(want) {
				t.Fatalf("%v, game %d: %v", d, i+1, err)
			}
			total += len(buf)
			second += len(buf) - len(want) - 1
			if words, n, err = dec.DecodeIndices(d, &usual, words[:0], buf); err != nil || n != len(buf) ||
				!slices.Equal(words, want) {
				t.Fatalf("%v, game %d: %v", d, i+1, err)
			}
		}
		t.Logf("%v: %d games, %d plies, %d bytes, %.4f bytes a ply", d, len(c.Words), c.Plies, total,
			float64(total)/float64(c.Plies))
		if total-second != c.Plies+2*len(c.Words) {
			t.Errorf("%v: %d bytes for %d plies, %d results and ends and %d second bytes", d, total, c.Plies,
				len(c.Words), second)
		}

		for _, container := range []jose.Container{jose.Plain, jose.Table} {
			games := c
			if container == jose.Table {
				games = c.First(2000)
			}
			codectest.SameAgain(t, games.Games(), func(w io.Writer) codec.Writer {
				return jose.NewWriter(w, d,
					container)
			},
				func(r io.Reader) codec.Reader { return jose.NewReader(r, d, container) })
		}
	}
}

// The annotated files, with variations, comments and NAGs, through both dialects and back.
func TestAnnotatedGames(t *testing.T) {
	games, all := 0, true
	for _, c := range []struct{ name, sample string }{
		{"perle.pgn", samples.Annotated}, {"HumansVsComputers.pgn", samples.Annotated},
		{"starter.pgn", samples.Promotions},
		{"studies.pgn", samples.Setup}, {"lichess-1k.pgn.zst", samples.Clocks},
	} {
		name := c.name
		src, real := datadir.Open(t, c.sample, "pgn", "annotated", name)
		all = all && real
		for g, err := range pgn.NewReader(src).All() {
			if err != nil || g == nil {
				continue
			}
			g.Tags = nil
			if g.Start != usual {
				g.SetStart(g.Start)
			}
			for _, d := range jose.Dialects {
				rec, err := d.Encode(g, jose.Table)
				if errors.Is(err, codec.ErrLoss) && strings.Contains(err.Error(), "have a number") {
					continue
				}
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				back, err := d.Decode(rec)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if diff := back.Diff(g); diff != "" {
					t.Fatalf("%s: %s", name, diff)
				}
			}
			games++
		}
	}
	if games < 100 || all && games < 1000 {
		t.Errorf("only %d games", games)
	}
	t.Logf("%d games", games)
}
