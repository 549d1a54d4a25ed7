// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"io"
	"testing"

	"ply11/game"
	"ply11/internal/datadir"
	"ply11/internal/formats"
	"ply11/internal/samples"
)

// BenchmarkFormats writes the main lines and results of games of masters in each format that takes many games, and
// reports bytes a ply.
func BenchmarkFormats(b *testing.B) {
	pgn, err := formats.ByName("pgn")
	if err != nil {
		b.Fatal(err)
	}
	name := []string{"pgn", "master", "master-50k.pgn.zst"}
	datadir.Path(b, name...)
	in, _ := datadir.Open(b, samples.Plain, name...)
	var games []*game.Game
	plies := 0
	for g, err := range pgn.Read(formats.Input{Reader: in}, formats.Options{}) {
		if err != nil {
			b.Fatal(err)
		}
		to := game.New()
		to.SetStart(g.Start)
		to.Result = g.Result
		var line game.Builder
		line.Reset(to)
		for _, m := range g.MainLine() {
			line.Move(m)
		}
		line.Flush()
		games = append(games, to)
		plies += to.Len()
	}
	for _, f := range formats.All {
		if f.Write == nil || f.Name == "uci" || f.Name == "polyglot" || f.Name == "fbk" {
			continue
		}
		b.Run(f.Name, func(b *testing.B) {
			for range b.N {
				var size writtenBytes
				w, err := f.Write(formats.Output{Writer: &size, Path: "x", Sibling: size.sibling}, formats.Options{})
				if err != nil {
					b.Skip(err)
				}
				for _, g := range games {
					if err := w.Write(g); err != nil {
						b.Skip(err)
					}
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(size)/float64(plies), "bytes/ply")
			}
		})
	}
}

// writtenBytes is the number of bytes that are written to it, and to the files beside it.
type writtenBytes int64

func (c *writtenBytes) Write(b []byte) (int, error) {
	*c += writtenBytes(len(b))
	return len(b), nil
}

func (c *writtenBytes) sibling(string) (io.Writer, error) { return c, nil }
