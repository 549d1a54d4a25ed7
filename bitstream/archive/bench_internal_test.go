// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"ply11/game"
	"ply11/internal/cputime"
	"ply11/moveindex"
)

// MasterArchive packs the master games.
func MasterArchive(b *testing.B) ([]byte, Stats) {
	b.Helper()
	return MustPack(b, BenchText(b, "master/master-50k.pgn.zst"))
}

// EachBlock calls do with the blocks of an archive.
func EachBlock(b *testing.B, archive []byte, do func(*Block) error) {
	for block := range BlocksOf(b, archive) {
		if err := do(block); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadIndices(b *testing.B) {
	archive, stats := MasterArchive(b)
	b.SetBytes(int64(len(archive)))
	var words []moveindex.Index
	start := cputime.Now().Seconds()
	for b.Loop() {
		EachBlock(b, archive, func(block *Block) (err error) {
			words, err = block.appendWords(words[:0])
			return err
		})
	}
	ReportPlies(b, start, stats.Plies)
}

// DenseCorpora are games that the model was not made from.
var DenseCorpora = []string{"master-10k", "annotated/lichess-1k.pgn.zst"}

// BenchmarkBlocks measures the size, of all and of the moves, and the time to read a random game, by games of a block.
func BenchmarkBlocks(b *testing.B) {
	for _, name := range DenseCorpora {
		text := BenchText(b, name)
		for _, x := range []struct {
			form  string
			games int
		}{{"dense", 10}, {"dense", 100}, {"dense", 1000}, {"dense", 4000}, {"fixed", 1000}} {
			b.Run(fmt.Sprintf("%s/%s-%d", filepath.Base(name), x.form, x.games), func(b *testing.B) {
				archive, stats := MustPack(b, text, WithDense(x.form == "dense"), WithBlockGames(x.games))
				coded := 0
				EachBlock(b, archive, func(block *Block) error {
					k := block.head.find(ColumnDense)
					if k < 0 {
						k = block.head.find(ColumnMoves)
					}
					coded += int(block.head.columns[k].stored)
					return nil
				})
				r := MustOpen(b, archive)
				rng := rand.New(rand.NewPCG(5, 6))
				var g game.Game
				start := cputime.Now().Seconds()
				for b.Loop() {
					if err := r.Game(rng.IntN(r.Len())+1, &g); err != nil {
						b.Fatal(err)
					}
					r.loaded = -1 // the next one is of a block that was not read yet
				}
				b.ReportMetric((cputime.Now().Seconds()-start)/float64(b.N)*1e6, "cpu-µs/game")
				b.ReportMetric(float64(stats.Bytes)/float64(stats.Games), "bytes/game")
				b.ReportMetric(float64(8*coded)/float64(stats.Plies), "bits/ply")
				b.ReportMetric(float64(stats.Games)/float64(stats.Blocks), "games/block")
			})
		}
	}
}
