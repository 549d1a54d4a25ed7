// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/game"
	"ply11/internal/datadir"
	"ply11/moveindex"
	"ply11/position"
)

// masterArchive packs the master games.
func masterArchive(b *testing.B) ([]byte, Stats) {
	b.Helper()
	return mustPack(b, benchText(b, "master/master-50k.pgn.zst"), Options{})
}

// eachBlock calls do with the blocks of an archive.
func eachBlock(b *testing.B, archive []byte, do func(*Block) error) {
	s := NewScanner(bytes.NewReader(archive))
	for {
		block, err := s.Next()
		if err == io.EOF {
			return
		}
		if err == nil {
			err = do(block)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadIndices(b *testing.B) {
	archive, stats := masterArchive(b)
	b.SetBytes(int64(len(archive)))
	var words []moveindex.Index
	start := cpuTime()
	for b.Loop() {
		eachBlock(b, archive, func(block *Block) (err error) {
			words, err = block.AppendWords(words[:0])
			return err
		})
	}
	reportPlies(b, start, stats.Plies)
}

func BenchmarkReadPositions(b *testing.B) {
	archive, stats := masterArchive(b)
	b.SetBytes(int64(len(archive)))
	var sum position.Bitboard
	start := cpuTime()
	for b.Loop() {
		eachBlock(b, archive, func(block *Block) error {
			return block.Replay(func(_, _ int, p *position.Position) bool {
				sum ^= p.Occupied()
				return true
			})
		})
	}
	reportPlies(b, start, stats.Plies)
}

// BenchmarkReadGames reads all of every game, and verifies its moves.
func BenchmarkReadGames(b *testing.B) {
	archive, stats := masterArchive(b)
	b.SetBytes(int64(len(archive)))
	var g game.Game
	start := cpuTime()
	for b.Loop() {
		eachBlock(b, archive, func(block *Block) error {
			for i := range block.Games() {
				if err := block.Game(i, &g); err != nil {
					return err
				}
			}
			return nil
		})
	}
	reportPlies(b, start, stats.Plies)
}

// million writes an archive of a million games, master games repeated, and opens it.
func million(b *testing.B) *Reader {
	b.Helper()
	archive, _ := masterArchive(b)
	path := filepath.Join(b.TempDir(), "million.p11")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	var srcs []io.Reader
	for range 20 {
		srcs = append(srcs, bytes.NewReader(archive))
	}
	if _, err := Merge(f, srcs...); err != nil {
		b.Fatal(err)
	}
	f.Close()
	r, err := Open(path)
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
		start := cpuTime()
		for b.Loop() {
			n := rng.Uint64N(r.Games()) + 1
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
		b.ReportMetric((cpuTime()-start)/float64(b.N)*1e6, "cpu-µs/game")
	})
	b.Run("with tags", func(b *testing.B) {
		rng := rand.New(rand.NewPCG(3, 4))
		var g game.Game
		b.ReportAllocs()
		start := cpuTime()
		for b.Loop() {
			if err := r.Game(rng.Uint64N(r.Games())+1, &g); err != nil {
				b.Fatal(err)
			}
			g.Final()
		}
		b.ReportMetric((cpuTime()-start)/float64(b.N)*1e6, "cpu-µs/game")
	})
}

// BenchmarkPeers packs the same files with general compressors, in the same run: their sizes, and for zstd
// the speed. A compressor that is not installed is left out.
func BenchmarkPeers(b *testing.B) {
	for _, name := range []string{"master/master-50k.pgn.zst", "annotated/lichess-1k.pgn.zst"} {
		text := readData(b, datadir.Path(b, "pgn", name))
		games := float64(bytes.Count(text, []byte("[Event ")))
		b.Run(filepath.Base(name)+"/zstd", func(b *testing.B) {
			z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
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
		for _, peer := range [][]string{{"xz", "-9", "-c"}, {"zstd", "-19", "-q", "-c"}} {
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
