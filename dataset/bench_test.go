// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bytes"
	"crypto/sha256"
	"path/filepath"
	"testing"
	"time"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/cputime"
	"ply11/internal/gamegen"
	"ply11/internal/tempfile"
	"ply11/moveindex"
	"ply11/query"
)

// BenchmarkExport measures formats, from archives of fixed and of dense moves: processor time a ply, with all that an export does. Give it one
// processor (-cpu 1), and it is the time of one core.
func BenchmarkExport(b *testing.B) {
	for _, form := range []struct {
		name  string
		dense bool
	}{{"fixed", false}, {"dense", true}} {
		var file bytes.Buffer
		w := archive.NewWriter(&file, archive.WithDense(form.dense))
		gen := gamegen.New(1)
		var g game.Game
		for range 5_000 {
			gen.Next(&g)
			if err := w.Write(&g); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		for _, format := range []struct {
			name string
			Job
		}{
			{"labels", Job{Format: "npz", Planes: planesNone}},
			{"planes", Job{Format: "npz"}},
			{"planes-npy", Job{Format: "npy"}},
			{"planes-bytes", Job{Format: "npy", Planes: planesBytes}},
			{"lc0-planes", Job{Format: "npz", Planes: planesLC0}},
			{"lc0-planes-npy", Job{Format: "npy", Planes: planesLC0}},
			{"lc0-planes-bytes", Job{Format: "npy", Planes: planesLC0B}},
			{"parquet", Job{Format: "parquet"}},
			{"parquet-moves", Job{Format: "parquet", NoMovetext: true}},
			{"parquet-positions", Job{Format: "parquet-positions"}},
			{"binpack", Job{Format: "binpack"}},
			{"bin", Job{Format: "bin"}},
			{"lc0", Job{Format: "lc0"}},
			{"viriformat", Job{Format: "viriformat"}},
		} {
			b.Run(form.name+"/"+format.name, func(b *testing.B) {
				plies, before := 0, cputime.Now()
				for b.Loop() {
					m, err := Export(b.Context(), query.New(), []query.Source{sourceOf("a.p11", file.Bytes())},
						Options{Job: format.Job, Output: filepath.Join(b.TempDir(), "out"), Single: format.Format != "npy", Workers: 1})
					if err != nil {
						b.Fatal(err)
					}
					plies += m.Plies
				}
				spent := cputime.Now() - before
				b.ReportMetric(float64(spent.Nanoseconds())/float64(plies), "cpu-ns/ply")
				b.ReportMetric(float64(plies)/spent.Seconds()/1e6, "Mplies/s")
			})
		}
	}
}

// BenchmarkPlanes measures planes in memory alone: the positions of a game, and their planes as bits or bytes.
func BenchmarkPlanes(b *testing.B) {
	var g Game
	gen := gamegen.New(1)
	var of game.Game
	for len(g.Moves) < 100 {
		gen.Next(&of)
		g = Game{Start: of.Start}
		for _, m := range of.MainLine() {
			i, _ := moveindex.Of(m)
			g.Moves = append(g.Moves, i)
		}
	}
	for _, planes := range []string{planesBits, planesBytes, planesLC0, planesLC0B} {
		b.Run(planes, func(b *testing.B) {
			w := &arrays{planes: planes, squares: planes == planesBytes || planes == planesLC0B}
			positions, before := 0, cputime.Now()
			var row []byte
			t := newSampler(&Job{Every: 1}, &choice{chance: 1}, planesOfLC0(planes), func(s *sample) error {
				row = w.appendPlanes(row[:0], s, false)
				positions++
				return nil
			})
			for b.Loop() {
				if err := t.game(&g); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(positions)/(cputime.Now()-before).Seconds()/1e6, "Mpositions/s")
		})
	}
}

// BenchmarkFile measures what the machine takes for the bytes of a file: to write them, to read them again, and to hash them. It is the least
// that a file of a data set costs.
func BenchmarkFile(b *testing.B) {
	const total = 256 << 20
	buffer := bytes.Repeat([]byte{1, 2, 3, 4}, fileBuffer/4)
	f, err := tempfile.Beside(filepath.Join(b.TempDir(), "x"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	sum := sha256.New()
	copied := make([]byte, len(buffer)*64)
	for _, c := range []struct {
		name string
		do   func(at int64) error
	}{
		{"write", func(at int64) error { _, err := f.WriteAt(buffer, at); return err }},
		{"read", func(at int64) error { _, err := f.ReadAt(copied[:len(buffer)], at); return err }},
		{"sha256", func(int64) error { sum.Write(buffer); return nil }},
		{"memory", func(at int64) error { copy(copied[at%int64(len(copied)):], buffer); return nil }},
	} {
		b.Run(c.name, func(b *testing.B) {
			n, spent := 0, time.Duration(0)
			for b.Loop() {
				if c.name == "write" {
					if err := f.Truncate(0); err != nil {
						b.Fatal(err)
					}
				}
				before := cputime.Now()
				for at := int64(0); at < total; at += int64(len(buffer)) {
					if err := c.do(at); err != nil {
						b.Fatal(err)
					}
				}
				spent += cputime.Now() - before
				n += total
			}
			b.ReportMetric(float64(n)/spent.Seconds()/1e9, "cpu-GB/s")
		})
	}
}
