// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
	"ply11/beam/internal/runs"
	"ply11/beam/p11io"
	"ply11/bitstream/archive"
	"ply11/dataset"
)

// TestExportShuffled: the files are the shards that one process writes, in however many groups the rows go.
func TestExportShuffled(t *testing.T) {
	pattern := archives(t)
	all := sources(t, pattern)
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
		want, got := t.TempDir(), t.TempDir()
		job := c.job
		job.Shards, job.Filters = c.shards, o.filters()
		m, err := dataset.Export(t.Context(), chosen(t, c.terms), all, dataset.Options{Job: job, Output: want})
		if err != nil {
			t.Fatal(err)
		}
		counts, err := runs.Run(func(s beam.Scope) {
			exportShuffled(s, files.MatchAll(s, []string{pattern}), o, filepath.ToSlash(got)+"/set/", c.group)
		}, runs.Prism, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		names := []string{"manifest.json"}
		if m.LabelsText() != nil {
			names = append(names, dataset.LabelsName)
		}
		for _, s := range m.Shards {
			names = append(names, s.Files[0].Name)
		}
		for _, name := range names {
			one, err := os.ReadFile(filepath.Join(want, name))
			other, bad := os.ReadFile(filepath.Join(got, "set", name))
			if err := errors.Join(err, bad); err != nil || string(one) != string(other) {
				t.Errorf("%+v: %s has %d bytes, want %d; %v", c.job, name, len(other), len(one), err)
			}
		}
		if n := counts[files.GamesCounter]; n != int64(m.Games) {
			t.Errorf("%+v: %d games are counted, want %d", c.job, n, m.Games)
		}
		if list := glob(t, filepath.Join(got, "set", "*")); len(list) != len(names) {
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

// TestManifestOfFailed: before new shards are written, the manifest says that they are not complete.
func TestManifestOfFailed(t *testing.T) {
	from := []string{archives(t)}
	prefix := filepath.ToSlash(t.TempDir()) + "/"
	export := func(seed uint64) error {
		o := ExportOptions{Job: dataset.Job{Format: "jsonl", Shuffle: true, Seed: seed}, Shards: 2}
		_, err := runs.Run(func(s beam.Scope) { Export(s, from, o, prefix) }, runs.Prism, 1, nil)
		return err
	}
	if err := export(1); err != nil {
		t.Fatal(err)
	}
	if m, err := dataset.ReadManifest(prefix + "manifest.json"); err != nil || !m.Complete {
		t.Fatalf("%+v, %v", m, err)
	}
	none := func(*[]byte) bool { return false }
	fn := &countsFn{ExportOptions: ExportOptions{Job: dataset.Job{Format: "jsonl", Shuffle: true}, Shards: 2},
		Prefix: prefix}
	if _, err := fn.ProcessElement(t.Context(), 0, none, []byte("[]")); err != nil {
		t.Fatal(err)
	}
	if m, err := dataset.ReadManifest(prefix + "manifest.json"); err != nil || m.Complete || len(m.Shards) > 0 {
		t.Errorf("%+v, %v", m, err)
	}
	if err := export(1); err != nil {
		t.Fatal(err)
	}
	shard := prefix + "00002-of-00002.jsonl"
	if err := errors.Join(os.Remove(shard), os.MkdirAll(shard+"/in the way", 0o777)); err != nil {
		t.Fatal(err)
	}
	if err := export(2); err == nil {
		t.Fatal("a folder has been replaced")
	}
	if m, err := dataset.ReadManifest(prefix + "manifest.json"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestRowsOfOthers: an archive that is not among those that were listed first is an error.
func TestRowsOfOthers(t *testing.T) {
	name := glob(t, archives(t))[0]
	fn := &rowsFn{ExportOptions: ExportOptions{Job: dataset.Job{Format: "jsonl", Shuffle: true}},
		GroupBytes: rowGroupBytes}
	err := fn.ProcessElement(t.Context(), files.File{Name: name, Number: 1, Size: sources(t, name)[0].Size},
		[]byte(`[{"Number":0},{"Number":2}]`), func(int64, []byte) {}, func([]byte) {}, func([]byte) {})
	if !errors.Is(err, errNotDescribed) || !strings.Contains(err.Error(), name) {
		t.Error(err)
	}
}

// TestOnce: of many copies of a position onceFn gives the first, and keeps no others; and rowsFn gives none twice in a
// row.
func TestOnce(t *testing.T) {
	const groups, copies = 64, 2500
	var live [2]uint64 // before the first element, and with the last
	look := func(i int) {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		live[i] = m.HeapAlloc
	}
	k, size := 0, 0
	elements := func(to *[]byte) bool {
		switch k {
		case 0:
			look(0)
		case groups:
			look(1)
			return false
		}
		k++
		var b []byte
		for i := range copies {
			place := uint64((groups-k)*copies + i)
			b = appendRow(b, &dataset.Row{Turn: 1<<32 + place, Place: place, Same: uint64(i & 1),
				Data: fmt.Appendf(nil, "%070d", place)})
		}
		size += len(b)
		*to = b
		return true
	}
	var got []dataset.Row
	emit := func(_ int64, b []byte) {
		var err error
		if got, err = rowsOf(got, b); err != nil {
			t.Fatal(err)
		}
	}
	if err := (&onceFn{RowsEach: 1, GroupBytes: rowGroupBytes}).ProcessElement(t.Context(), 0, elements, []byte("[]"),
		emit, func([]byte) {}); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(got, func(a, b dataset.Row) int { return cmp.Compare(a.Place, b.Place) })
	if len(got) != 2 || got[0].Place != 0 || got[1].Place != 1 || got[1].Turn != 1<<32+1 ||
		string(got[1].Data) != fmt.Sprintf("%070d", 1) {
		t.Errorf("%+v", got)
	}
	if kept := int64(live[1] - live[0]); kept > int64(size/8) {
		t.Errorf("%d bytes are kept of %d", kept, size)
	}
	name := filepath.Join(t.TempDir(), "a.p11")
	var packed bytes.Buffer
	if _, err := archive.Pack(t.Context(), &packed,
		strings.NewReader(strings.Repeat("[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n", 9))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, packed.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	got = nil
	fn := &rowsFn{ExportOptions: ExportOptions{Job: dataset.Job{Format: "npz", Shuffle: true, Dedupe: true}},
		GroupBytes: rowGroupBytes}
	if err := fn.ProcessElement(t.Context(), files.File{Name: name, Size: int64(packed.Len())},
		[]byte(`[{"Number":0}]`), emit, func([]byte) {}, func([]byte) {}); err != nil || len(got) != 3 {
		t.Errorf("%d rows of 3 positions; %v", len(got), err)
	}
}

// TestGamesCounted: each command counts its games.
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
	if err := os.WriteFile(filepath.Join(filepath.Dir(texts), "z.pgn"),
		[]byte("[Event \"z\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"z\"]\n\n1. e4 *\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	from := []string{pattern}
	for name, c := range map[string]struct {
		build       func(s beam.Scope)
		want, wrong int64
	}{
		"dedupe": {func(s beam.Scope) { Dedupe(s, from, false, filepath.Join(dir, "once")) }, all, 0},
		"pack":   {func(s beam.Scope) { Pack(s, []string{texts}, PackOptions{}, filepath.Join(dir, "a"), 2) }, -1, 1},
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
