// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"ply11/bitstream/archive"
	"ply11/dataset"
	"ply11/game"
	"ply11/internal/cputime"
	"ply11/internal/gamegen"
	"ply11/query"
)

// BenchmarkExport measures the processor time a ply of whole exports; with -cpu 1, of one core.
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
