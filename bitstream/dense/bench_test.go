// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/cputime"
	"ply11/internal/datadir"
	"ply11/moveindex"
)

// blockGames is how many games a block of these tests and benchmarks has.
const blockGames = 1000

// realGames reads the main lines of a collection of the folder of real games, from game number skip on. A
// line ends where a move is none of the index's.
func realGames(tb testing.TB, path string, skip int) (games []FitGame) {
	tb.Helper()
	compressed, err := os.ReadFile(datadir.Path(tb, "pgn", path))
	if err != nil {
		tb.Fatal(err)
	}
	z, err := zstd.NewReader(nil)
	if err != nil {
		tb.Fatal(err)
	}
	defer z.Close()
	text, err := z.DecodeAll(compressed, nil)
	if err != nil {
		tb.Fatal(err)
	}
	r := pgn.NewReader(bytes.NewReader(text), pgn.Options{Select: func(*game.Game) pgn.Parts { return pgn.Moves }})
	var g game.Game
	for n := 0; ; n++ {
		err := r.Read(&g)
		if errors.Is(err, io.EOF) {
			return games
		}
		if err != nil {
			tb.Fatal(err)
		}
		if n < skip {
			continue
		}
		f := FitGame{Start: g.Start}
		for _, m := range g.MainLine() {
			i, ok := m.Index()
			if !ok {
				break
			}
			f.Moves = append(f.Moves, i)
		}
		games = append(games, f)
	}
}

// blocks cuts games into blocks.
func blocks(games []FitGame) (b [][]FitGame) {
	for len(games) > blockGames {
		b, games = append(b, games[:blockGames]), games[blockGames:]
	}
	return append(b, games)
}

func countPlies(games []FitGame) (n int) {
	for _, g := range games {
		n += len(g.Moves)
	}
	return n
}

// TestRealGames codes real games to the bytes to which the first coder of version 1 coded them, and back.
func TestRealGames(t *testing.T) {
	for _, c := range []struct {
		path string
		skip int
		size int
		sum  string
	}{
		{"master/master-50k.pgn.zst", 47000, 81611,
			"3e354cbda7237552046bbe27e243ba8ce8bd47b9217694ff3323d4ec7f9471b3"},
		{"annotated/lichess-1k.pgn.zst", 0, 28510,
			"aea4e2d578532cffb738e97be5675f516c5f059909a3093341b8a7000e03d4ce"},
	} {
		games := realGames(t, c.path, c.skip)
		h := sha256.New()
		var e Encoder
		var d Decoder
		size := 0
		for _, b := range blocks(games) {
			coded := encode(t, &e, b)
			decode(t, &d, coded, b)
			h.Write(coded)
			size += len(coded)
		}
		if sum := hex.EncodeToString(h.Sum(nil)); size != c.size || sum != c.sum {
			t.Errorf("%s: %d bytes of SHA-256 %s, want %d of %s", c.path, size, sum, c.size, c.sum)
		}
	}
}

// corpora are what is measured: games that the model has not seen.
var corpora = []struct {
	name, path string
	skip       int
}{
	{"master", "master/master-50k.pgn.zst", 40000},
	{"online", "annotated/lichess-1k.pgn.zst", 0},
}

// eachCorpus runs a benchmark on the corpora, in all the ways to the frequencies that the processor has.
func eachCorpus(b *testing.B, do func(b *testing.B, games []FitGame)) {
	for _, c := range corpora {
		games := realGames(b, c.path, c.skip)
		eachAssembly(func(way string) {
			b.Run(c.name+"/"+way, func(b *testing.B) { do(b, games) })
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	eachCorpus(b, func(b *testing.B, games []FitGame) {
		plies, size := countPlies(games), 0
		var e Encoder
		var dst []byte
		b.ReportAllocs()
		start := cputime.Now()
		for b.Loop() {
			size = 0
			for _, block := range blocks(games) {
				e.Reset(dst[:0])
				for g := range block {
					if err := e.Game(&block[g].Start, block[g].Moves); err != nil {
						b.Fatal(err)
					}
				}
				dst = e.Finish()
				size += len(dst)
			}
		}
		reportPlies(b, start, plies)
		b.ReportMetric(float64(8*size)/float64(plies), "bits/ply")
	})
}

func BenchmarkDecode(b *testing.B) {
	eachCorpus(b, func(b *testing.B, games []FitGame) {
		plies := countPlies(games)
		var e Encoder
		var coded [][]byte
		for _, block := range blocks(games) {
			coded = append(coded, encode(b, &e, block))
		}
		var d Decoder
		var moves []moveindex.Index
		b.ReportAllocs()
		start := cputime.Now()
		for b.Loop() {
			for n, block := range blocks(games) {
				d.Reset(coded[n])
				for g := range block {
					var err error
					if moves, err = d.Game(moves[:0], &block[g].Start, len(block[g].Moves)); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		reportPlies(b, start, plies)
	})
}

// reportPlies reports the processor time that a ply took, and how many a second of it coded.
func reportPlies(b *testing.B, start time.Duration, plies int) {
	each := float64(cputime.Now()-start) / float64(b.N) / float64(plies)
	b.ReportMetric(each, "cpu-ns/ply")
	b.ReportMetric(1e3/each, "Mplies/cpu-s")
}
