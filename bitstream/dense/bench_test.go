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

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/cputime"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/moveindex"
)

// blockGames is how many games a block of these tests and benchmarks has.
const blockGames = 1000

// realGames reads the main lines of a collection of the folder of real games, from game number skip on. A
// line ends where a move is none of the index's.
func realGames(tb testing.TB, path string, skip int) []FitGame {
	tb.Helper()
	datadir.Path(tb, "pgn", path)
	text, _ := datadir.ReadAll(tb, samples.Plain, "pgn", path)
	return lines(tb, text, skip)
}

// lines reads the main lines of games, from game number skip on.
func lines(tb testing.TB, text []byte, skip int) (games []FitGame) {
	tb.Helper()
	r := pgn.NewReader(bytes.NewReader(text))
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
			i, ok := moveindex.Of(m)
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

// TestSamples codes the project's own games to frozen bytes, and decodes them.
func TestSamples(t *testing.T) {
	for _, c := range []struct {
		name string
		size int
		sum  string
	}{
		{samples.Plain, 6180, "c861c61b4785c3b9ebb3caab23540ed93c7a6bc35ae038dabb13e5a1e924103d"},
		{samples.Setup, 669, "a57915d251aa4d3672b57816bb032d2c4301c69a0b1b8c7c2c1f0b296c120de8"},
		{samples.Promotions, 4091, "aaf79d35c8cd2426e8ce71a7c1ee377ed3550586adcd23794ee6866797e49d9b"},
	} {
		text, err := os.ReadFile(datadir.Sample(c.name))
		if err != nil {
			t.Fatal(err)
		}
		var e Encoder
		var d Decoder
		games := lines(t, text, 0)
		coded := encode(t, &e, games)
		decode(t, &d, coded, games)
		sum := sha256.Sum256(coded)
		if got := hex.EncodeToString(sum[:]); len(coded) != c.size || got != c.sum {
			t.Errorf("{sample.%s, %d, %q}, not %d, %q", c.name, len(coded), got, c.size, c.sum)
		}
	}
}

// TestRealGames codes real games to the bytes to which the first coder of version 1 coded them, and back.
func TestRealGames(t *testing.T) {
	for _, c := range []struct {
		path string
		skip int
		size int
		sum  string
	}{
		{"master/master-50k.pgn.zst", 47000, 74772,
			"17e9dec888bab41e5891ad8f4018ff8b55289aa6d2bafa48d0d5861828bfb24c"},
		{"annotated/lichess-1k.pgn.zst", 0, 25981,
			"825cca89fd16ca2e767061cde83c11d43c205d28c92bc335ae35a3e13e3ac0f9"},
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
		eachWay(func(way string) {
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
				dst = encodeTo(b, &e, dst, block)
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
		moves := make([]moveindex.Index, 1000)
		b.ReportAllocs()
		start := cputime.Now()
		for b.Loop() {
			for n, block := range blocks(games) {
				decodeTo(b, &d, moves, coded[n], block)
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
