// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"ply11/dataset"
	"ply11/internal/testenv"
	"ply11/query"
)

// TestShardSizes: shards of a size have the bytes of an export in so many, or are pieces of one; none is too large.
func TestShardSizes(t *testing.T) {
	sources := []query.Source{sourceOf("one", generated(t, 60, 1)), sourceOf("two", pack(t, manyGames(150), 16, true))}
	for _, f := range testenv.First(dataset.Formats(), 4) {
		one := exportTo(t, t.TempDir(), dataset.Options{Job: dataset.Job{Format: f.Name}}, sources...)
		bytes := int64(0)
		for _, file := range one.Shards[0].Files {
			bytes += file.Bytes
		}
		for _, job := range []dataset.Job{
			{ShardRows: one.Rows/3 + 1}, {ShardRows: one.Rows}, {ShardBytes: bytes / 3},
			{ShardRows: one.Rows/3 + 1, Shuffle: true, Seed: 4}, {ShardBytes: bytes * 2, Shuffle: true, Seed: 4},
		} {
			job.Format = f.Name
			dir := t.TempDir()
			m := exportTo(t, dir, dataset.Options{Job: job}, sources...)
			got := files(t, dir)
			if m.Rows != one.Rows || m.Games != one.Games || m.Plies != one.Plies || m.LeftOut != one.LeftOut ||
				!m.Complete {
				t.Errorf("%s: %+v: %d rows of %d games, %d plies, %d left out; want %d, %d, %d, %d", f.Name, job,
					m.Rows, m.Games, m.Plies, m.LeftOut, one.Rows, one.Games, one.Plies, one.LeftOut)
			}
			if job.ShardRows > 0 {
				if want := max(1, (one.Rows+job.ShardRows-1)/job.ShardRows); len(m.Shards) != want {
					t.Errorf("%s: %+v: %d shards, want %d", f.Name, job, len(m.Shards), want)
				}
			} else if most := max(1, int(bytes/job.ShardBytes)); len(m.Shards) < most || len(m.Shards) > 2*most {
				t.Errorf("%s: %+v: %d shards of %d bytes", f.Name, job, len(m.Shards), bytes)
			}
			all := ""
			for _, s := range m.Shards {
				if job.ShardRows > 0 && s.Rows > job.ShardRows && f.Name != "binpack" && f.Name != "viriformat" &&
					f.Name != "lc0" {
					t.Errorf("%s: %+v: a shard of %d rows", f.Name, job, s.Rows)
				}
				all += got[s.Files[0].Name]
			}
			// of which one file after the other is a file
			if f.Name == "jsonl" || f.Name == "bin" || f.Name == "bullet" || f.Name == "viriformat" ||
				f.Name == "tfrecord" {
				in := t.TempDir()
				whole := exportTo(t, in, dataset.Options{
					Job: dataset.Job{Format: f.Name, Shuffle: job.Shuffle, Seed: job.Seed}}, sources...)
				if all != files(t, in)[whole.Shards[0].Files[0].Name] {
					t.Errorf("%s: %+v: the shards are not pieces of one", f.Name, job)
				}
			}
			if job.Shuffle {
				in := t.TempDir()
				exportTo(t, in, dataset.Options{Job: dataset.Job{Format: f.Name, Shards: len(m.Shards), Shuffle: true,
					Seed: job.Seed}}, sources...)
				want := files(t, in)
				delete(want, "manifest.json")
				without := maps.Clone(got)
				delete(without, "manifest.json")
				equalFiles(t, f.Name, without, want)
			}
			// A run that was cut off goes on: with all shards but one, and with one alone.
			if len(m.Shards) == 1 {
				continue
			}
			for _, keep := range []func(i int) bool{func(i int) bool { return i != len(m.Shards)/2 }, func(i int) bool {
				return i == 0
			}} {
				cut := *m
				cut.Shards, cut.Complete = nil, false
				for i, s := range m.Shards {
					if keep(i) {
						cut.Shards = append(cut.Shards, s)
					} else if err := os.Remove(filepath.Join(dir, s.Files[0].Name)); err != nil {
						t.Fatal(err)
					}
				}
				b, err := json.Marshal(&cut)
				if err == nil {
					err = os.WriteFile(filepath.Join(dir, "manifest.json"), b, 0o666)
				}
				if err != nil {
					t.Fatal(err)
				}
				exportTo(t, dir, dataset.Options{Job: job}, sources...)
				equalFiles(t, f.Name+" again", files(t, dir), got)
			}
		}
	}
}

// TestShardSizesOfOthers: shards of another number of shards are not kept.
func TestShardSizesOfOthers(t *testing.T) {
	source := sourceOf("one", generated(t, 60, 1))
	for _, complete := range []bool{false, true} {
		for _, job := range []dataset.Job{{ShardBytes: 1}, {Shards: 4}} {
			job.Format, job.Shuffle, job.Seed = "jsonl", true, 4
			if job.ShardBytes > 0 {
				one := exportTo(t, t.TempDir(), dataset.Options{Job: dataset.Job{Format: "jsonl"}}, source)
				job.ShardBytes = one.Shards[0].Files[0].Bytes/4 + 1
			}
			fresh, dir := t.TempDir(), t.TempDir()
			want := exportTo(t, fresh, dataset.Options{Job: job}, source)
			other := job
			other.Shards, other.ShardBytes = len(want.Shards)+1, 0
			m := exportTo(t, dir, dataset.Options{Job: other}, source)
			// One that is kept, and one whose number there is not.
			m.Job, m.Complete, m.Shards = want.Job, complete, []dataset.Shard{m.Shards[0], m.Shards[len(m.Shards)-1]}
			for name := range files(t, dir) {
				if name != m.Shards[0].Files[0].Name && name != m.Shards[1].Files[0].Name {
					if err := os.Remove(filepath.Join(dir, name)); err != nil {
						t.Fatal(err)
					}
				}
			}
			mine := filepath.Join(dir, "mine")
			if err := os.Rename(filepath.Join(dir, m.Shards[1].Files[0].Name), mine); err != nil { // no name of a shard
				t.Fatal(err)
			}
			m.Shards[1].Files[0].Name = "mine"
			b, err := m.Text()
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, "manifest.json"), b, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
			exportTo(t, dir, dataset.Options{Job: job}, source)
			if err := os.Remove(mine); err != nil {
				t.Error(err)
			}
			equalFiles(t, "of others", files(t, dir), files(t, fresh))
		}
	}
}

// TestShardSizesRefused: what does not fit.
func TestShardSizesRefused(t *testing.T) {
	source := sourceOf("one", generated(t, 20, 1))
	// One byte for each shard is as many shards as rows.
	m := exportTo(t, t.TempDir(), dataset.Options{Job: dataset.Job{Format: "jsonl", ShardBytes: 1}}, source)
	if len(m.Shards) != m.Rows {
		t.Errorf("%d shards for %d rows", len(m.Shards), m.Rows)
	}
	// A folder with shards of another data set, and no manifest, is left alone.
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "00001-of-00003.jsonl"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := dataset.Export(context.Background(), query.New(), []query.Source{source},
		dataset.Options{Job: dataset.Job{Format: "jsonl", ShardRows: 5}, Output: dir})
	if !errors.Is(err, os.ErrExist) {
		t.Errorf("%v", err)
	}
	// Filters that leave nothing give one shard.
	q := query.New()
	if err := q.Add("player", "nobody"); err != nil {
		t.Fatal(err)
	}
	none, err := dataset.Export(t.Context(), q, []query.Source{source},
		dataset.Options{Job: dataset.Job{Format: "npz", ShardBytes: 5}, Output: filepath.Join(t.TempDir(), "set")})
	if err != nil || len(none.Shards) != 1 || none.Rows != 0 {
		t.Errorf("%+v, %v", none, err)
	}
}
