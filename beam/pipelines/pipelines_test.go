// SPDX-License-Identifier: Apache-2.0

package pipelines

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"ply11/beam/internal/files"
	"ply11/beam/internal/runs"
	"ply11/beam/p11io"
	"ply11/beam/pgnio"
	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/samples"
	"ply11/query"
)

func TestMain(m *testing.M) { ptest.Main(m) }

func init() { beam.RegisterDoFn(failOnce) }

// run runs a pipeline on the embedded runner, once.
func run(t *testing.T, build func(s beam.Scope)) {
	t.Helper()
	if _, err := runs.Run(build, "prism", 1, nil); err != nil {
		t.Fatal(err)
	}
}

// texts writes the samples as PGN into a new folder, each several times, and returns its pattern, and the text of all
// files.
func texts(t *testing.T) (pattern string, all []byte) {
	t.Helper()
	dir := t.TempDir()
	for i, name := range slices.Sorted(slices.Values(samples.Names)) {
		text := bytes.Repeat(samples.File(name), 1+i%3)
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	return filepath.Join(dir, "*.pgn"), all
}

// notValid is a game with a move that is not legal, which archives keep as text.
const notValid = "[Event \"not valid\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n"

// archives packs the samples, each behind a game that is not valid, into archives of a new folder, and returns its
// pattern.
func archives(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for i, name := range samples.Names {
		var b bytes.Buffer
		if _, err := archive.Pack(context.Background(), &b,
			bytes.NewReader(append([]byte(notValid), samples.File(name)...)), archive.WithBlockGames(5),
			archive.WithDense(i%2 == 0)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.p11", i)), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "*.p11")
}

// glob returns the files of a pattern.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// sources opens the archives of a pattern for one process.
func sources(t *testing.T, pattern string) (list []query.Source) {
	t.Helper()
	for _, name := range glob(t, pattern) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, query.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data))})
	}
	return list
}

// chosen is the query of ply11 export.
func chosen(t *testing.T, terms []Term) *query.Query {
	t.Helper()
	q := query.New()
	q.Invalid(query.SkipInvalid)
	for _, term := range terms {
		if err := q.Add(term.Name, term.Value); err != nil {
			t.Fatal(err)
		}
	}
	return q
}

// TestPack: the archives unpack to the very bytes of all files, and one archive is what one process makes of the
// pieces.
func TestPack(t *testing.T) {
	pattern, want := texts(t)
	for _, o := range []PackOptions{{}, {Dense: true}} {
		for _, shards := range []int{1, 3, len(samples.Names)} {
			dir := t.TempDir()
			run(t, func(s beam.Scope) { Pack(s, []string{pattern}, o, filepath.Join(dir, "a"), shards) })
			names := glob(t, filepath.Join(dir, "*"))
			if len(names) != shards {
				t.Fatalf("%v", names)
			}
			var got bytes.Buffer
			for _, name := range names {
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				before := got.Len()
				if _, err := archive.Unpack(context.Background(), &got, bytes.NewReader(data)); err != nil {
					t.Fatal(err)
				}
				if got.Len() == before {
					t.Errorf("%s has no games, and there are as many files as archives", name)
				}
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%+v in %d archives: they unpack to another text", o, shards)
			}
			if shards > 1 {
				continue
			}
			// The files are shorter than a piece: one process packs each, and merges the archives.
			var parts []io.Reader
			for _, name := range glob(t, pattern) {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				var b bytes.Buffer
				if _, err := archive.Pack(context.Background(), &b, bytes.NewReader(text),
					archive.WithDense(o.Dense)); err != nil {
					t.Fatal(err)
				}
				parts = append(parts, &b)
			}
			var one bytes.Buffer
			if _, err := archive.Copy(context.Background(), &one, parts); err != nil {
				t.Fatal(err)
			}
			if data, _ := os.ReadFile(names[0]); !bytes.Equal(data, one.Bytes()) {
				t.Errorf("%+v: the archive has other bytes than that of one process", o)
			}
		}
	}
}

// TestPackCompressed: the archives of compressed files are those of the plain files.
func TestPackCompressed(t *testing.T) {
	pattern, want := texts(t)
	dir := t.TempDir()
	for i, name := range glob(t, pattern) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.Base(name)
		if i%2 == 0 {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			if _, err := w.Write(text); err != nil || w.Close() != nil {
				t.Fatal(err)
			}
			name, text = name+".gz", b.Bytes()
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var unpacked [2][]byte
	var blocks [2]int
	for i, from := range []string{pattern, filepath.Join(dir, "*")} {
		out := t.TempDir()
		run(t, func(s beam.Scope) { Pack(s, []string{from}, PackOptions{}, filepath.Join(out, "a"), 2) })
		var got bytes.Buffer
		for _, source := range sources(t, filepath.Join(out, "*")) {
			r, err := archive.NewReader(source.Reader, source.Size)
			if err != nil {
				t.Fatal(err)
			}
			blocks[i] += r.Blocks()
			if _, err := archive.Unpack(context.Background(), &got,
				io.NewSectionReader(source.Reader, 0, source.Size)); err != nil {
				t.Fatal(err)
			}
		}
		unpacked[i] = got.Bytes()
	}
	if !bytes.Equal(unpacked[1], want) || !bytes.Equal(unpacked[0], want) {
		t.Error("the archives unpack to another text")
	}
	if blocks[0] != blocks[1] || blocks[0] == 0 {
		t.Errorf("%d blocks of compressed files, %d of plain ones", blocks[1], blocks[0])
	}
}

// failing counts the parts that failOnce was given, and tells with which it fails.
var failing struct {
	sync.Mutex
	after, runs int
}

// errFails is the failure.
var errFails = errors.New("this machine fails")

// failOnce fails with one part, and lets all others pass.
func failOnce(p p11io.Part) (p11io.Part, error) {
	failing.Lock()
	defer failing.Unlock()
	failing.runs++
	if failing.runs == failing.after {
		return p, errFails
	}
	return p, nil
}

// TestRetry: a DoFn that fails is run again, and each game is written once. If it may run only once, nothing is
// written.
func TestRetry(t *testing.T) {
	pattern, _ := texts(t)
	write := func(prefix string, fails bool) func(s beam.Scope) {
		return func(s beam.Scope) {
			parts := beam.ParDo(s, &packFn{}, pgnio.ReadAll(s, []string{pattern}))
			if fails {
				parts = beam.ParDo(s, failOnce, parts)
			}
			p11io.Write(s, prefix, 3, parts)
		}
	}
	good, bad := t.TempDir(), t.TempDir()
	run(t, write(filepath.Join(good, "a"), false))
	for _, after := range []int{1, 2, 4} {
		failing.after, failing.runs = after, 0
		if _, err := runs.Run(write(filepath.Join(bad, "a"), true), "prism", 1, nil); err == nil {
			t.Fatal("the failure is no error")
		}
		if left := glob(t, filepath.Join(bad, "*")); len(left) > 0 {
			t.Errorf("after %d parts: %v is there", after, left)
		}
		failing.after, failing.runs = after, 0
		told := 0
		if _, err := runs.Run(write(filepath.Join(bad, "a"), true), "prism", 2, func(int, error) { told++ }); err !=
			nil || told != 1 {
			t.Fatalf("after %d parts: %v, told %d times", after, err, told)
		}
		names := glob(t, filepath.Join(good, "*"))
		for _, name := range names {
			want, _ := os.ReadFile(name)
			other := filepath.Join(bad, filepath.Base(name))
			got, err := os.ReadFile(other)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("after %d parts: %s has other bytes: %v", after, other, err)
			}
			os.Remove(other)
		}
	}
}

// TestBundleAgain: a bundle that fails may be run again by the same DoFn: what it had counted is forgotten.
func TestBundleAgain(t *testing.T) {
	var parts []files.File
	for i, source := range sources(t, archives(t)) {
		parts = append(parts, files.File{Name: source.Name, Number: int64(i), Size: source.Size, All: 1000})
	}
	ctx := context.Background()
	given := map[string][]string{} // of the bundle that was run last
	keyed := func(name string) func(int64, []byte) {
		return func(key int64, b []byte) {
			name := fmt.Sprint(name, key)
			given[name] = append(given[name], string(b))
		}
	}
	fn := &keysFn{Players: true}
	emit := keyed("k")
	var want map[string][]string
	for _, came := range []int{0, 1, len(parts) / 2, len(parts)} {
		give := func(parts []files.File) {
			fn.StartBundle(ctx, emit)
			for _, p := range parts {
				if err := fn.ProcessElement(ctx, p, emit); err != nil {
					t.Fatal(err)
				}
			}
		}
		give(parts[:came]) // here it fails: the runner forgets what the bundle gave
		clear(given)
		give(parts)
		if err := fn.FinishBundle(ctx, emit); err != nil || len(given) == 0 {
			t.Fatal(len(given), err)
		}
		if want == nil {
			want = maps.Clone(given)
		} else if !maps.EqualFunc(given, want, slices.Equal[[]string]) {
			t.Errorf("after a failure at part %d of %d it gives something else", came, len(parts))
		}
	}
}

// TestDedupe: of the games that are the same the first alone is left, with its text.
func TestDedupe(t *testing.T) {
	dir := t.TempDir()
	// Archives that share games: each sample, some of them twice, then the last again as it is.
	for i, list := range [][]string{{samples.Plain, samples.Annotated}, {samples.Clocks, samples.Plain, samples.Clocks},
		{samples.Setup}, {samples.Setup}} {
		var text []byte
		for _, name := range list {
			text = append(text, samples.File(name)...)
		}
		var b bytes.Buffer
		if _, err := archive.Pack(context.Background(), &b, bytes.NewReader(text), archive.WithBlockGames(9),
			archive.WithDense(i == 1)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.p11", i)), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pattern := filepath.Join(dir, "*.p11")
	for _, players := range []bool{false, true} {
		out := t.TempDir()
		run(t, func(s beam.Scope) {
			Dedupe(s, []string{pattern}, players,
				filepath.Join(out, "d"))
		})
		names := glob(t, filepath.Join(out, "*"))
		seen := map[string]bool{}
		dropped := 0
		for i, source := range sources(t, pattern) {
			// What one process leaves: the key is made here of the game itself.
			r, err := archive.NewReader(source.Reader, source.Size)
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			kept := archive.NewSelection(&want, archive.WithDense(r.HasDense()))
			before := dropped
			for n := range r.Len() {
				b, k, err := r.Find(n + 1)
				if err != nil {
					t.Fatal(err)
				}
				var g game.Game
				if err := b.Game(k, &g); err != nil {
					t.Fatal(err)
				}
				start, err := b.Start(k)
				if err != nil {
					t.Fatal(err)
				}
				line, err := b.MainLine(nil, k)
				if err != nil {
					t.Fatal(err)
				}
				key := fmt.Sprint(start.FEN(), line)
				if x, _, _ := b.Exception(k); x.Invalid || x.Partial {
					text, err := b.AppendText(nil, k, nil)
					if err != nil {
						t.Fatal(err)
					}
					key = string(bytes.TrimSpace(text))
				} else if len(line) == 0 {
					key = fmt.Sprint(i, n)
				} else if players {
					key += g.Tag("White") + "|" + g.Tag("Black")
				}
				if seen[key] {
					dropped++
					continue
				}
				seen[key] = true
				if err := kept.Copy(b, k); err != nil {
					t.Fatal(err)
				}
			}
			if err := kept.Close(); err != nil {
				t.Fatal(err)
			}
			if dropped == before { // it is copied as it is
				want.Reset()
				io.Copy(&want, io.NewSectionReader(source.Reader, 0, source.Size))
			}
			if got, err := os.ReadFile(names[i]); err != nil || !bytes.Equal(got, want.Bytes()) {
				t.Errorf("players %v: %s has other bytes than one process writes: %v", players, names[i], err)
			}
		}
		if dropped < 50 {
			t.Errorf("only %d games are left out", dropped)
		}
	}
}
