// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/cputime"
	"ply11/moveindex"
)

// million opens an archive of a million games.
func million(b *testing.B) *archive.Reader {
	b.Helper()
	data, _ := archive.MasterArchive(b)
	path := filepath.Join(b.TempDir(), "million.p11")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	var srcs []io.Reader
	for range 20 {
		srcs = append(srcs, bytes.NewReader(data))
	}
	if _, err := archive.Copy(b.Context(), f, srcs, archive.WithWorkers(1)); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		b.Fatal(err)
	}
	r, err := archive.NewReader(f, size)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

func BenchmarkRandomGame(b *testing.B) {
	r := million(b)
	b.Run("main line and final position", func(b *testing.B) {
		rng := rand.New(rand.NewPCG(1, 2))
		var words []moveindex.Index
		b.ReportAllocs()
		start := cputime.Now().Seconds()
		for b.Loop() {
			n := rng.IntN(r.Len()) + 1
			var err error
			if words, err = r.MainLine(words[:0], n); err != nil {
				b.Fatal(err)
			}
			p, err := r.Start(n)
			if err != nil {
				b.Fatal(err)
			}
			for _, w := range words {
				p.MakeIndex(w)
			}
		}
		b.ReportMetric((cputime.Now().Seconds()-start)/float64(b.N)*1e6, "cpu-µs/game")
	})
	b.Run("with tags", func(b *testing.B) {
		rng := rand.New(rand.NewPCG(3, 4))
		var g game.Game
		b.ReportAllocs()
		start := cputime.Now().Seconds()
		for b.Loop() {
			if err := r.Game(rng.IntN(r.Len())+1, &g); err != nil {
				b.Fatal(err)
			}
			g.Final()
		}
		b.ReportMetric((cputime.Now().Seconds()-start)/float64(b.N)*1e6, "cpu-µs/game")
	})
}

// eachWorkers runs a benchmark for one worker and for two.
func eachWorkers(b *testing.B, run func(b *testing.B, workers int)) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers-%d", workers), func(b *testing.B) { run(b, workers) })
	}
}

// reportSpeed reports plies a second of processor time, and of time.
func reportSpeed(b *testing.B, start float64, plies int64) {
	archive.ReportPlies(b, start, plies)
	b.ReportMetric(float64(plies)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mplies/s")
}

func BenchmarkDensePack(b *testing.B) {
	for _, name := range archive.DenseCorpora {
		text := archive.BenchText(b, name)
		b.Run(filepath.Base(name), func(b *testing.B) {
			eachWorkers(b, func(b *testing.B, workers int) {
				b.SetBytes(int64(len(text)))
				start := cputime.Now().Seconds()
				var stats archive.Stats
				for b.Loop() {
					var err error
					if stats, err = archive.Pack(b.Context(), io.Discard, bytes.NewReader(text),
						archive.WithDense(true), archive.WithBlockGames(1000), archive.WithWorkers(workers)); err !=
						nil {
						b.Fatal(err)
					}
				}
				reportSpeed(b, start, stats.Plies)
				b.ReportMetric(float64(stats.Bytes)/float64(stats.Games), "bytes/game")
			})
		})
	}
}

func BenchmarkDenseUnpack(b *testing.B) {
	for _, name := range archive.DenseCorpora {
		text := archive.BenchText(b, name)
		b.Run(filepath.Base(name), func(b *testing.B) {
			data, stats := archive.MustPack(b, text, archive.WithDense(true), archive.WithBlockGames(1000))
			eachWorkers(b, func(b *testing.B, workers int) {
				b.SetBytes(int64(len(text)))
				start := cputime.Now().Seconds()
				for b.Loop() {
					if _, err := archive.Unpack(b.Context(), io.Discard, bytes.NewReader(data),
						archive.WithWorkers(workers)); err != nil {
						b.Fatal(err)
					}
				}
				reportSpeed(b, start, stats.Plies)
			})
		})
	}
}
