// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/runs"
	"ply11/dataset"
	"ply11/query"
)

// TestResume: an export that goes on keeps the files of the earlier run that are whole and of the same options and
// archive, and makes the others, with the same bytes. Files and manifests are those that one process writes. What was
// done before a failure is kept.
func TestResume(t *testing.T) {
	pattern := archives(t)
	all := sources(t, pattern)
	dir := t.TempDir()
	prefix := filepath.Join(dir, "set")
	o := ExportOptions{Job: dataset.Job{Format: "npz", Planes: "lc0", Shuffle: true, Seed: 5},
		Terms: []Term{{"result", "1-0"}}, Resume: true}
	export := func(patterns ...string) (int64, error) {
		counts, err := runs.Run(func(s beam.Scope) { Export(s, Archives{Patterns: patterns}, o, prefix) }, runs.Prism,
			1, nil)
		return counts[KeptCounter], err
	}
	check := func(what string, kept int64) {
		t.Helper()
		n, err := export(pattern)
		if err != nil || n != kept {
			t.Fatalf("%s: %d files are kept, want %d; %v", what, n, kept, err)
		}
		names := glob(t, prefix+"-*.npz")
		if len(names) != len(all) || len(glob(t, filepath.Join(dir, "*"))) != 2*len(all) {
			t.Fatalf("%s: %v", what, names)
		}
		for i, name := range names {
			want := filepath.Join(t.TempDir(), filepath.Base(name))
			job := o.Job
			job.Filters = o.filters()
			if _, err := dataset.Export(t.Context(), chosen(t, o.Terms), []query.Source{all[i]},
				dataset.Options{Job: job, Output: want, Single: true}); err != nil {
				t.Fatal(err)
			}
			for _, end := range []string{"", manifestExtension} {
				a, bad := os.ReadFile(want + end)
				b, err := os.ReadFile(name + end)
				if err := errors.Join(bad, err); err != nil || string(a) != string(b) {
					t.Errorf("%s: %s: %d bytes, want %d; %v", what, name+end, len(b), len(a), err)
				}
			}
		}
	}
	check("first", 0)
	long := time.Now().Add(-time.Hour)
	names := glob(t, prefix+"-*")
	for _, name := range names {
		if err := os.Chtimes(name, long, long); err != nil {
			t.Fatal(err)
		}
	}
	check("again", int64(len(all)))
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || info.ModTime().Sub(long).Abs() > time.Minute {
			t.Errorf("%s was written again: %v", name, err)
		}
	}
	files := glob(t, prefix+"-*.npz")
	if err := errors.Join(os.Remove(files[0]), os.Remove(files[1]+manifestExtension),
		os.WriteFile(files[2], []byte("other"), 0o666), os.WriteFile(files[3]+manifestExtension, []byte("{}"),
			0o666)); err != nil {
		t.Fatal(err)
	}
	check("without some", int64(len(all)-4))
	o.Job.Seed = 6
	check("of another seed", 0)
	o.Terms[0].Value = "0-1"
	check("of another term", 0)
	// A damaged archive ends the pipeline, and what was there is kept.
	archive := glob(t, pattern)[1]
	sound, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(files[1]), os.WriteFile(archive, make([]byte, len(sound)), 0o666)); err != nil {
		t.Fatal(err)
	}
	if _, err := export(pattern); err == nil {
		t.Fatal("a damaged archive is exported")
	}
	if err := os.WriteFile(archive, sound, 0o666); err != nil {
		t.Fatal(err)
	}
	check("after a failure", int64(len(all)-1))
	o.Terms = []Term{{"result", "1-0"}, {"plies", "2-"}, {"not", "player=x"}, {"not", "player=zz"}}
	// as ply11 export has them
	if got, want := strings.Join(o.filters(), " "),
		"--invalid=skip --not=player=x --not=player=zz --plies=2- --result=1-0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	o.Shards = 2
	if o.Check() == nil {
		t.Error("shards are taken with resume")
	}
}
