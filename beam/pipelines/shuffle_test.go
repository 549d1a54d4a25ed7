// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
	"ply11/beam/internal/runs"
	"ply11/beam/p11io"
	"ply11/dataset"
	"ply11/query"
)

// TestExportShuffled: the files have the very bytes of the shards that one process writes of all archives, in however many groups the rows go. An archive that is none changes nothing.
func TestExportShuffled(t *testing.T) {
	pattern := archives(t)
	all := sources(t, pattern)
	bad := filepath.Join(t.TempDir(), "bad.p11")
	if err := os.WriteFile(bad, []byte("none"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		job    dataset.Job
		shards int
		terms  []Term
		group  int // bytes
	}{
		{dataset.Job{Format: "jsonl", Seed: 1}, 3, nil, rowGroupBytes},
		{dataset.Job{Format: "jsonl", Seed: 1}, 3, nil, 5000},
		{dataset.Job{Format: "jsonl", Seed: 2}, 90, []Term{{"result", "1-0"}}, 5000}, // more than there are rows
		{dataset.Job{Format: "jsonl"}, 2, []Term{{"player", "nobody"}}, 5000},
		{dataset.Job{Format: "parquet", Seed: 7, Sample: 0.5}, 2, nil, 5000},
		{dataset.Job{Format: "npz", Seed: 7, Planes: "lc0"}, 5, nil, 5000},
		{dataset.Job{Format: "binpack", Seed: 3}, 4, nil, 5000},
		{dataset.Job{Format: "parquet-positions", Seed: 3, Dedupe: true, Augment: []string{"colors"}}, 4, nil, 3000},
	} {
		c.job.Shuffle = true
		o := ExportOptions{Job: c.job, Terms: c.terms, Shards: c.shards}
		if err := o.Check(); err != nil {
			t.Fatal(err)
		}
		q, err := o.prepare()
		if err != nil {
			t.Fatal(err)
		}
		q.Invalid(query.SkipInvalid)
		want, got := t.TempDir(), t.TempDir()
		job := c.job
		job.Shards = c.shards
		m, err := dataset.Export(t.Context(), q, all, dataset.Options{Job: job, Output: want})
		if err != nil {
			t.Fatal(err)
		}
		counts, err := runs.Run(func(s beam.Scope) {
			in := Archives{Patterns: []string{bad, pattern}, Bad: filepath.Join(got, "bad")} // it has the first number
			exportShuffled(s, in.find(s), o, filepath.Join(got, "set"), c.group)
		}, runs.Prism, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k := range c.shards {
			one, err := os.ReadFile(filepath.Join(want, m.Shards[k].Files[0].Name))
			other, bad := os.ReadFile(p11io.ShardName(filepath.Join(got, "set"), int64(k), int64(c.shards), o.Extension()))
			if err := errors.Join(err, bad); err != nil || string(one) != string(other) {
				t.Errorf("%+v: shard %d of %d has %d bytes, want %d; %v", c.job, k+1, c.shards, len(other), len(one), err)
			}
		}
		if n := counts[files.GamesCounter]; n != int64(m.Games) {
			t.Errorf("%+v: %d games are counted, want %d", c.job, n, m.Games)
		}
		if list := glob(t, filepath.Join(got, "*")); len(list) != c.shards+1 {
			t.Errorf("%+v: %v", c.job, list)
		}
	}
	for _, o := range []ExportOptions{{Shards: 2}, {Shards: -1}, {Shards: p11io.MaxShards + 1}} {
		o.Job.Format, o.Job.Shuffle = "jsonl", o.Shards != 2
		if o.Check() == nil {
			t.Errorf("%+v is not refused", o)
		}
	}
}

// TestGamesCounted: each command counts the games that it reads or packs, whatever the runner splits.
func TestGamesCounted(t *testing.T) {
	pattern := archives(t)
	all := int64(0)
	for _, s := range sources(t, pattern) {
		in, err := dataset.InputOf(s)
		if err != nil {
			t.Fatal(err)
		}
		all += int64(in.Games)
	}
	texts, _ := texts(t)
	if err := os.WriteFile(filepath.Join(filepath.Dir(texts), "z.pgn"), []byte("[Event \"z\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"z\"]\n\n1. e4 *\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	from := Archives{Patterns: []string{pattern}}
	for name, c := range map[string]struct {
		build       func(s beam.Scope)
		want, wrong int64
	}{
		"tree":    {func(s beam.Scope) { Tree(s, from, TreeOptions{}, filepath.Join(dir, "tree.json")) }, all, 0},
		"dedupe":  {func(s beam.Scope) { Dedupe(s, from, false, filepath.Join(dir, "once")) }, all, 0},
		"index":   {func(s beam.Scope) { IndexPositions(s, from, false) }, all, 0},
		"sharded": {func(s beam.Scope) { index(s, from, false, -1, 1000) }, all, 0},
		"pack":    {func(s beam.Scope) { Pack(s, []string{texts}, PackOptions{}, filepath.Join(dir, "a"), 2) }, -1, 1},
	} {
		counts, err := runs.Run(c.build, runs.Prism, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.want < 0 { // what it has packed
			c.want = 0
			for _, s := range sources(t, filepath.Join(dir, "a-*.p11")) {
				in, err := dataset.InputOf(s)
				if err != nil {
					t.Fatal(err)
				}
				c.want += int64(in.Games)
			}
		}
		if fmt.Sprint(counts[files.GamesCounter], counts[InvalidCounter]) != fmt.Sprint(c.want, c.wrong) {
			t.Errorf("%s: %v, want %d games", name, counts, c.want)
		}
	}
}
