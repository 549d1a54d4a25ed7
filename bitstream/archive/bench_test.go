// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/cputime"
	"ply11/moveindex"
	"ply11/position"
)

func BenchmarkReadPositions(b *testing.B) {
	data, stats := archive.MasterArchive(b)
	b.SetBytes(int64(len(data)))
	var sum position.Bitboard
	start := cputime.Now().Seconds()
	for b.Loop() {
		archive.EachBlock(b, data, func(block *archive.Block) error {
			return block.Replay(func(_, _ int, p *position.Position) bool {
				sum ^= p.Occupied()
				return true
			})
		})
	}
	archive.ReportPlies(b, start, stats.Plies)
}

// BenchmarkReadGames reads all of every game, and verifies its moves.
func BenchmarkReadGames(b *testing.B) {
	data, stats := archive.MasterArchive(b)
	b.SetBytes(int64(len(data)))
	var g game.Game
	start := cputime.Now().Seconds()
	for b.Loop() {
		archive.EachBlock(b, data, func(block *archive.Block) error {
			for i := range block.Len() {
				if err := block.Game(i+1, &g); err != nil {
					return err
				}
			}
			return nil
		})
	}
	archive.ReportPlies(b, start, stats.Plies)
}

// million writes an archive of a million games, master games repeated, and opens it.
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
	if _, err := archive.Recode(context.Background(), f, srcs, archive.WithWorkers(1)); err != nil {
		b.Fatal(err)
	}
	f.Close()
	r, err := archive.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { r.Close() })
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

// BenchmarkPeers packs the same files with general compressors, in the same run: their sizes, and for zstd
// the speed. A compressor that is not installed is left out; brotli, which is slow, is not given the largest file.
func BenchmarkPeers(b *testing.B) {
	for _, name := range []string{"master/master-50k.pgn.zst", "master-10k", "annotated/lichess-1k.pgn.zst"} {
		text := archive.BenchText(b, name)
		games := float64(bytes.Count(text, []byte("[Event ")))
		b.Run(filepath.Base(name)+"/zstd", func(b *testing.B) {
			z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
				zstd.WithEncoderConcurrency(1))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			var out []byte
			for b.Loop() {
				out = z.EncodeAll(text, out[:0])
			}
			b.ReportMetric(float64(len(out))/games, "bytes/game")
		})
		for _, peer := range [][]string{{"xz", "-9", "-c"}, {"zstd", "-19", "-q", "-c"},
			{"brotli", "-Z", "--lgwin=24", "-c"}} {
			if peer[0] == "brotli" && games > 10000 {
				continue
			}
			if _, err := exec.LookPath(peer[0]); err != nil {
				continue
			}
			b.Run(filepath.Base(name)+"/"+peer[0]+peer[1], func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				size := 0
				for b.Loop() {
					cmd := exec.Command(peer[0], peer[1:]...)
					cmd.Stdin = bytes.NewReader(text)
					out, err := cmd.Output()
					if err != nil {
						b.Fatal(err)
					}
					size = len(out)
				}
				b.ReportMetric(float64(size)/games, "bytes/game")
			})
		}
	}
}

// eachWorkers runs a benchmark for one worker and for two.
func eachWorkers(b *testing.B, run func(b *testing.B, workers int)) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers-%d", workers), func(b *testing.B) { run(b, workers) })
	}
}

// reportSpeed reports plies for a second of processor time, and of time: compare the latter of one worker and of two.
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
					if stats, err = archive.Pack(context.Background(), io.Discard, bytes.NewReader(text),
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
					if _, err := archive.Unpack(context.Background(), io.Discard, bytes.NewReader(data),
						archive.WithWorkers(workers)); err != nil {
						b.Fatal(err)
					}
				}
				reportSpeed(b, start, stats.Plies)
			})
		})
	}
}

// BenchmarkRecode stores the moves of archives in the other form.
func BenchmarkRecode(b *testing.B) {
	for _, name := range archive.DenseCorpora {
		text := archive.BenchText(b, name)
		for _, form := range []struct {
			name  string
			dense bool
		}{{"to-dense", true}, {"to-fixed", false}} {
			b.Run(filepath.Base(name)+"/"+form.name, func(b *testing.B) {
				data, stats := archive.MustPack(b, text, archive.WithDense(!form.dense), archive.WithBlockGames(1000))
				eachWorkers(b, func(b *testing.B, workers int) {
					b.SetBytes(int64(len(data)))
					start := cputime.Now().Seconds()
					for b.Loop() {
						if _, err := archive.Recode(context.Background(), io.Discard,
							[]io.Reader{bytes.NewReader(data)}, archive.WithDense(form.dense),
							archive.WithWorkers(workers)); err != nil {
							b.Fatal(err)
						}
					}
					reportSpeed(b, start, stats.Plies)
				})
			})
		}
	}
}
