// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"ply11/dataset"
	"ply11/game/codec"
	"ply11/query"
)

// TestRows: shards of the rows of each archive, sorted, are those of one export.
func TestRows(t *testing.T) {
	sources := []query.Source{sourceOf("dir/one", generated(t, 30, 1)),
		sourceOf("https://a.example/two.p11?signed=secret", pack(t, manyGames(60), 16, true)),
		sourceOf("three", pack(t, manyGames(40), 7, false))}
	var inputs []dataset.Input
	for _, s := range sources {
		in, err := dataset.InputOf(s)
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, in)
	}
	const shards = 3
	for _, f := range dataset.Formats() {
		if !f.Streams {
			continue
		}
		jobs := []dataset.Job{{}, {Sample: 0.5}}
		if f.Positions {
			jobs = append(jobs, dataset.Job{Dedupe: true, FromPly: 1})
		}
		if strings.HasPrefix(f.Name, "np") {
			jobs = append(jobs, dataset.Job{Planes: "lc0"})
		}
		for _, job := range jobs {
			job.Format, job.Shuffle, job.Seed = f.Name, true, 9
			var rows []dataset.Row
			var all dataset.Totals
			for i, s := range sources {
				n, err := planOf(t, job).Rows(t.Context(), query.New(), s, i, func(r *dataset.Row) error {
					row := *r
					row.Data = bytes.Clone(r.Data)
					rows = append(rows, row)
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				all.Add(n)
			}
			if job.Dedupe {
				slices.SortFunc(rows, func(a, b dataset.Row) int {
					return cmp.Or(cmp.Compare(a.Same, b.Same), cmp.Compare(a.Place, b.Place))
				})
				rows = slices.CompactFunc(rows, func(a, b dataset.Row) bool { return a.Same == b.Same })
			}
			slices.SortFunc(rows, func(a, b dataset.Row) int {
				return cmp.Or(cmp.Compare(a.Turn, b.Turn), cmp.Compare(a.Place, b.Place))
			})
			dir := t.TempDir()
			whole := job
			whole.Shards = shards
			m := exportTo(t, dir, dataset.Options{Job: whole}, sources...)
			if again := all.Rows - len(rows); again != m.Duplicates || all.Games != m.Games {
				t.Errorf("%s: %+v: %d games and %d positions that come again, want %d and %d", f.Name, job, all.Games,
					again, m.Games, m.Duplicates)
			}
			if m.Inputs[1].Name != "two.p11" {
				t.Errorf("%s: the name is %s", f.Name, m.Inputs[1].Name)
			}
			want := files(t, dir)
			var told []dataset.Shard
			for k := range shards {
				var out bytes.Buffer
				s, err := planOf(t, job).WriteRows(t.Context(), inputs, &out, func(take func([]byte) error) error {
					for _, r := range rows[dataset.ShardStart(k, shards, uint64(len(rows))):dataset.ShardStart(k+1,
						shards, uint64(len(rows)))] {
						if err := take(r.Data); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil || s.Rows != m.Shards[k].Rows || out.String() != want[m.Shards[k].Files[0].Name] {
					t.Errorf("%s: %+v: shard %d has %d rows and %d bytes, want %d and %d; %v", f.Name, job, k+1, s.Rows,
						out.Len(), m.Shards[k].Rows, m.Shards[k].Files[0].Bytes, err)
				}
				s.Number, s.Files = k+1, m.Shards[k].Files
				told = append(told, s)
			}
			whole.Filters = m.Job.Filters
			got := planOf(t, whole).Manifest(inputs, told, all)
			if text, err := got.Text(); err != nil || string(text) != want["manifest.json"] {
				t.Errorf("%s: %+v: the manifest is %s, want %s; %v", f.Name, job, text, want["manifest.json"], err)
			}
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	var row []byte // a game
	job := dataset.Job{Format: "jsonl", Shuffle: true}
	if _, err := planOf(t, job).Rows(t.Context(), query.New(), sources[0], 0, func(r *dataset.Row) error {
		row = bytes.Clone(r.Data)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	taken := 0
	_, err := planOf(t, job).WriteRows(ended, inputs, io.Discard, func(take func([]byte) error) error {
		for ; taken < 5000; taken++ {
			if err := take(row); err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || taken > 2000 {
		t.Errorf("after the end, %d rows are taken; %v", taken, err)
	}
	if _, err := planOf(t, dataset.Job{Format: "jsonl"}).Rows(t.Context(), query.New(), sources[0], 0, nil); !errors.Is(
		err, codec.ErrOption) {
		t.Errorf("without a seed: %v", err)
	}
	if _, err := planOf(t, dataset.Job{Format: "jsonl", Shuffle: true}).Rows(t.Context(), query.New(), sources[0],
		1<<24,
		nil); !errors.Is(err, codec.ErrOption) {
		t.Errorf("too many archives: %v", err)
	}
}

func planOf(t *testing.T, j dataset.Job) *dataset.Plan {
	t.Helper()
	p, err := dataset.NewPlan(j)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
