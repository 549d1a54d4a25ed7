// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"bytes"
	"crypto/sha256"
	"path/filepath"
	"testing"
	"time"

	"ply11/bitstream/archive"
	"ply11/dataset"
	"ply11/game"
	"ply11/internal/cputime"
	"ply11/internal/gamegen"
	"ply11/internal/tempfile"
	"ply11/query"
)

// BenchmarkExport measures formats, from archives of fixed and of dense moves: processor time a ply, with all that an
// export does. Give it one processor (-cpu 1), and it is the time of one core.
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
			dataset.Job
		}{
			{"labels", dataset.Job{Format: "npz", Planes: "none"}},
			{"planes", dataset.Job{Format: "npz"}},
			{"planes-npy", dataset.Job{Format: "npy"}},
			{"planes-bytes", dataset.Job{Format: "npy", Planes: "bytes"}},
			{"lc0-planes", dataset.Job{Format: "npz", Planes: "lc0"}},
			{"lc0-planes-npy", dataset.Job{Format: "npy", Planes: "lc0"}},
			{"lc0-planes-bytes", dataset.Job{Format: "npy", Planes: "lc0-bytes"}},
			{"parquet", dataset.Job{Format: "parquet"}},
			{"parquet-moves", dataset.Job{Format: "parquet", NoMovetext: true}},
			{"parquet-positions", dataset.Job{Format: "parquet-positions"}},
			{"binpack", dataset.Job{Format: "binpack"}},
			{"bin", dataset.Job{Format: "bin"}},
			{"lc0", dataset.Job{Format: "lc0"}},
			{"viriformat", dataset.Job{Format: "viriformat"}},
		} {
			b.Run(form.name+"/"+format.name, func(b *testing.B) {
				plies, before := int64(0), cputime.Now()
				for b.Loop() {
					m, err := dataset.Export(b.Context(), query.New(), []query.Source{sourceOf("a.p11", file.Bytes())},
						dataset.Options{Job: format.Job, Output: filepath.Join(b.TempDir(), "out"),
							Single: format.Format != "npy", Workers: 1})
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

// BenchmarkFile measures what the machine takes for the bytes of a file: to write them, to read them again, and to hash
// them. It is the least that a file of a data set costs.
func BenchmarkFile(b *testing.B) {
	const total = 256 << 20
	buffer := bytes.Repeat([]byte{1, 2, 3, 4}, dataset.FileBuffer/4)
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
