// SPDX-License-Identifier: Apache-2.0

package jose

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/moveindex"
)

// real is master-50k: each game's words and its result, and the games by turns.
type real struct {
	words [][]moveindex.Index // moves, then the result
	plies int
}

var corpus = sync.OnceValue(func() (c real) {
	dir, _ := datadir.Dir()
	f, err := os.Open(dir + "/pgn/master/master-50k.pgn.zst")
	if err != nil {
		return
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return
	}
	defer z.Close()
	for g, err := range pgn.NewReader(z).Games() {
		if err != nil || g == nil {
			continue
		}
		words := make([]moveindex.Index, 0, g.Len()+1)
		for _, m := range g.MainLine() {
			i, _ := m.Index()
			words = append(words, i)
		}
		c.plies += len(words)
		c.words = append(c.words, append(words, g.Result.Index()))
	}
	return
})

func realGames(tb testing.TB) real {
	tb.Helper()
	datadir.Path(tb, "pgn", "master", "master-50k.pgn.zst")
	c := corpus()
	if len(c.words) < 49_990 {
		tb.Fatalf("%d games of 50,000", len(c.words))
	}
	return c
}

// gameOf makes a game of words.
func gameOf(g *game.Game, b *game.Builder, words []moveindex.Index) {
	g.Reset()
	b.Reset(g)
	for _, w := range words {
		if m, ok := w.Move(); ok {
			b.Move(m)
		} else {
			g.Result, _ = game.ResultOf(w)
		}
	}
}

// All of master-50k through both dialects and back, as words and as games in a file: the same moves, each of which the
// reader verifies by package position.
func TestRealGames(t *testing.T) {
	c := realGames(t)
	for _, d := range Dialects {
		var buf []byte
		var words []moveindex.Index
		var dec Decoder
		var enc Encoder
		total, second := 0, 0
		for i, want := range c.words {
			var err error
			var n int
			if buf, n, err = enc.EncodeIndices(d, &usual, buf[:0], want); err != nil || n != len(want) {
				t.Fatalf("%v, game %d: %v", d, i+1, err)
			}
			total += len(buf)
			second += len(buf) - len(want) - 1
			if words, n, err = dec.DecodeIndices(d, &usual, words[:0], buf); err != nil || n != len(buf) || !slices.Equal(words, want) {
				t.Fatalf("%v, game %d: %v", d, i+1, err)
			}
		}
		t.Logf("%v: %d games, %d plies, %d bytes, %.4f bytes a ply", d, len(c.words), c.plies, total, float64(total)/float64(c.plies))
		if total-second != c.plies+2*len(c.words) {
			t.Errorf("%v: %d bytes for %d plies, %d results and ends and %d second bytes", d, total, c.plies, len(c.words), second)
		}

		// Games in a file.
		for _, container := range []Container{Plain, Table} {
			games := c.words
			if container == Table {
				games = games[:2000]
			}
			var file bytes.Buffer
			o := Options{Container: container}
			w := NewWriter(&file, d, o)
			g := game.New()
			var b game.Builder
			for _, words := range games {
				gameOf(g, &b, words)
				if losses, err := w.Write(g); err != nil || losses != nil {
					t.Fatal(losses, err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			i := 0
			for got, err := range NewReader(&file, d, o).Games() {
				if err != nil {
					t.Fatal(err)
				}
				gameOf(g, &b, games[i])
				if diff := got.Diff(g); diff != "" {
					t.Fatalf("%v, game %d: %s", d, i+1, diff)
				}
				i++
			}
			if i != len(games) {
				t.Errorf("%v: %d games of %d", d, i, len(games))
			}
		}
	}
}

// The annotated files, with variations, comments and NAGs, through both dialects and back.
func TestAnnotatedGames(t *testing.T) {
	games := 0
	for _, name := range []string{"perle.pgn", "HumansVsComputers.pgn", "starter.pgn", "studies.pgn", "lichess-1k.pgn.zst"} {
		f, err := os.Open(datadir.Path(t, "pgn", "annotated", name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var src io.Reader = f
		if strings.HasSuffix(name, ".zst") {
			z, err := zstd.NewReader(f)
			if err != nil {
				t.Fatal(err)
			}
			defer z.Close()
			src = z
		}
		for g, err := range pgn.NewReader(src).Games() {
			if err != nil || g == nil {
				continue
			}
			g.Tags = nil
			if g.Start != usual {
				g.SetStart(g.Start)
			}
			for _, d := range Dialects {
				rec, losses, err := d.Encode(g, Options{Container: Table})
				if errors.Is(err, ErrLoss) && strings.Contains(err.Error(), "have a number") {
					continue
				}
				if err != nil {
					t.Fatalf("%s: %v, %q", name, err, losses)
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
	if games < 1000 {
		t.Errorf("only %d games", games)
	}
	t.Logf("%d games", games)
}

// No memory a ply, nor for variations once there was one.
func TestAllocations(t *testing.T) {
	gameText := unhex("13f00ff00b0bf1f007f10ff113b0fff00bf129 0f 20 d3 ff")
	var dec Decoder
	var enc Encoder
	var words []moveindex.Index
	var buf []byte
	if n := testing.AllocsPerRun(100, func() {
		var err error
		if words, _, err = dec.DecodeIndices(Document, &usual, words[:0], gameText); err != nil {
			t.Fatal(err)
		}
		if buf, _, err = enc.EncodeIndices(Document, &usual, buf[:0], words); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations for a game", n)
	}
}

func BenchmarkDecodeIndices(b *testing.B) {
	c := realGames(b)
	for _, d := range Dialects {
		b.Run(d.String(), func(b *testing.B) {
			var games [][]byte
			bytes := 0
			for _, w := range c.words[:5000] {
				g, _, err := d.EncodeIndices(nil, w)
				if err != nil {
					b.Fatal(err)
				}
				bytes += len(g)
				games = append(games, g)
			}
			dst := make([]moveindex.Index, 0, 1000)
			plies := 0
			b.SetBytes(int64(bytes))
			start := cpuTime()
			for b.Loop() {
				for _, g := range games {
					dst, _, _ = d.DecodeIndices(dst[:0], g)
					plies += len(dst) - 1
				}
			}
			b.ReportMetric(float64(plies)/(cpuTime()-start).Seconds()/1e6, "Mplies/cpu-s")
		})
	}
}

func BenchmarkEncodeIndices(b *testing.B) {
	c := realGames(b)
	for _, d := range Dialects {
		b.Run(d.String(), func(b *testing.B) {
			dst := make([]byte, 0, 1000)
			plies := 0
			start := cpuTime()
			for b.Loop() {
				for _, w := range c.words[:5000] {
					dst, _, _ = d.EncodeIndices(dst[:0], w)
					plies += len(w) - 1
				}
			}
			b.ReportMetric(float64(plies)/(cpuTime()-start).Seconds()/1e6, "Mplies/cpu-s")
		})
	}
}

// Games with every move verified, from a stream.
func BenchmarkReader(b *testing.B) {
	c := realGames(b)
	var file []byte
	plies := 0
	for _, w := range c.words[:5000] {
		file, _, _ = Document.EncodeIndices(file, w)
		plies += len(w) - 1
	}
	b.SetBytes(int64(len(file)))
	n := 0
	start := cpuTime()
	for b.Loop() {
		for _, err := range NewReader(bytes.NewReader(file), Document, Options{}).Games() {
			if err != nil {
				b.Fatal(err)
			}
		}
		n += plies
	}
	b.ReportMetric(float64(n)/(cpuTime()-start).Seconds()/1e6, "Mplies/cpu-s")
}

func BenchmarkWriter(b *testing.B) {
	c := realGames(b)
	var games []*game.Game
	plies := 0
	var builder game.Builder
	for _, w := range c.words[:5000] {
		g := game.New()
		gameOf(g, &builder, w)
		games = append(games, g)
		plies += len(w) - 1
	}
	n := 0
	start := cpuTime()
	for b.Loop() {
		w := NewWriter(discard{}, Document, Options{})
		for _, g := range games {
			if _, err := w.Write(g); err != nil {
				b.Fatal(err)
			}
		}
		w.Close()
		n += plies
	}
	b.ReportMetric(float64(n)/(cpuTime()-start).Seconds()/1e6, "Mplies/cpu-s")
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
