// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bytes"
	"path/filepath"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/cputime"
	"ply11/internal/gamegen"
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
			{"lc0-planes", Job{Format: "npz", Planes: planesLC0}},
			{"parquet", Job{Format: "parquet"}},
			{"parquet-moves", Job{Format: "parquet", NoMovetext: true}},
			{"parquet-positions", Job{Format: "parquet-positions"}},
			{"binpack", Job{Format: "binpack"}},
			{"bin", Job{Format: "bin"}},
			{"viriformat", Job{Format: "viriformat"}},
		} {
			b.Run(form.name+"/"+format.name, func(b *testing.B) {
				plies, before := uint64(0), cputime.Now()
				for b.Loop() {
					m, err := Export(query.New(), []query.Source{sourceOf("a.p11", file.Bytes())},
						Options{Job: format.Job, Output: filepath.Join(b.TempDir(), "out"), Single: true, Workers: 1})
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
