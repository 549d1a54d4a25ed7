// SPDX-License-Identifier: Apache-2.0

package p11io

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"ply11/beam/internal/files"
	"ply11/beam/internal/runs"
	"ply11/bitstream/archive"
	"ply11/internal/samples"
)

func TestMain(m *testing.M) { ptest.Main(m) }

func init() {
	beam.RegisterDoFn(collect)
	beam.RegisterDoFn(reflect.TypeFor[handBackFn]())
	beam.RegisterDoFn(wait)
}

// collected is what collect was given; the tests that use it are not parallel.
var collected struct {
	sync.Mutex
	parts []Part
}

func collect(p Part) {
	collected.Lock()
	defer collected.Unlock()
	collected.parts = append(collected.parts, p)
}

// take returns the parts in their order.
func take() []Part {
	collected.Lock()
	defer collected.Unlock()
	list := collected.parts
	collected.parts = nil
	slices.SortFunc(list, func(a, b Part) int { return int(a.Place - b.Place) })
	return list
}

// packed packs the samples, in blocks of few games.
func packed(t *testing.T, options ...archive.PackOption) (archives [][]byte) {
	t.Helper()
	options = append(options, archive.WithBlockGames(7))
	for _, name := range samples.Names {
		var b bytes.Buffer
		if _, err := archive.Pack(context.Background(), &b, bytes.NewReader(samples.File(name)), options...); err != nil {
			t.Fatal(err)
		}
		archives = append(archives, b.Bytes())
	}
	return archives
}

// store writes archives into a new folder and returns its pattern.
func store(t *testing.T, archives [][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for i, data := range archives {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.p11", i)), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "*.p11")
}

// check compares parts with the blocks of archives: each block once, with its numbers and its text.
func check(t *testing.T, what string, parts []Part, archives [][]byte) {
	t.Helper()
	i := 0
	place := int64(0)
	for source, data := range archives {
		r, err := archive.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for n := range r.Blocks() {
			b, err := r.Block(n + 1)
			if err != nil {
				t.Fatal(err)
			}
			want, err := b.AppendArchive(nil, r.Canonical())
			if err != nil {
				t.Fatal(err)
			}
			if i == len(parts) {
				t.Fatalf("%s: only %d parts", what, i)
			}
			p := &parts[i]
			i++
			if p.Source != int64(source) || p.First != int64(b.First()) || p.Offset != b.Offset() || p.Place != place+b.Offset() || !bytes.Equal(p.Data, want) {
				t.Fatalf("%s: archive %d, block %d: part %d is of %s, game %d, offset %d", what, source, n+1, i, p.File, p.First, p.Offset)
			}
		}
		place += int64(len(data))
	}
	if i != len(parts) {
		t.Fatalf("%s: %d parts, and %d blocks", what, len(parts), i)
	}
}

// run runs a pipeline on the embedded runner.
func run(t *testing.T, build func(s beam.Scope)) {
	t.Helper()
	if _, err := runs.Run(build, "prism", 1, nil); err != nil {
		t.Fatal(err)
	}
}

// handBackFn is readFn, but a bundle ends after so many blocks, and the runner gets the rest of the restriction back: it is split at every claim.
type handBackFn struct {
	readFn
	Blocks int
}

func (fn *handBackFn) ProcessElement(ctx context.Context, tracker *sdf.LockRTracker, f files.File, emit func(Part)) (sdf.ProcessContinuation, error) {
	more, err := read(ctx, tracker, f, fn.Blocks, emit)
	if more {
		return sdf.ResumeProcessingIn(0), err
	}
	return sdf.StopProcessing(), err
}

// readBy is Read, with bundles of so many blocks if that is not 0.
func readBy(s beam.Scope, pattern string, blocks int) beam.PCollection {
	if blocks == 0 {
		return Read(s, pattern)
	}
	return beam.ParDo(s, &handBackFn{Blocks: blocks}, files.MatchAll(s, []string{pattern}))
}

// TestRead: every block comes once, whatever the form of the archive, in one bundle or in one for each block, from files in which one can
// seek and from others.
func TestRead(t *testing.T) {
	for i, o := range []archive.PackOption{archive.WithDense(false), archive.WithDense(true), archive.WithCanonical(true)} {
		archives := packed(t, o)
		pattern := store(t, archives)
		take()
		for _, handBack := range []int{0, 1} {
			run(t, func(s beam.Scope) { beam.ParDo0(s, collect, readBy(s, pattern, handBack)) })
			check(t, fmt.Sprintf("form %d, handing back after %d", i, handBack), take(), archives)
		}
	}
	archives := packed(t, archive.WithDense(true))
	for i, data := range archives {
		if err := filesystem.Write(context.Background(), memfs.New(context.Background()), fmt.Sprintf("memfs://read/%d.p11", i), data); err != nil {
			t.Fatal(err)
		}
	}
	for _, handBack := range []int{0, 1} {
		run(t, func(s beam.Scope) { beam.ParDo0(s, collect, readBy(s, "memfs://read/*.p11", handBack)) })
		check(t, "from the front", take(), archives)
	}
}

// readSplit runs the DoFn on a restriction, as a runner does, and splits the tracker by a fraction at each claim that is made. It returns
// the parts, and the restrictions that were split off.
func readSplit(t *testing.T, f files.File, rest offsetrange.Restriction, fraction float64) (parts []Part, rests []offsetrange.Restriction) {
	t.Helper()
	fn := &readFn{}
	tracker := fn.CreateTracker(rest)
	err := fn.ProcessElement(context.Background(), tracker, f, func(p Part) {
		done, remaining := tracker.GetProgress()
		now := tracker.GetRestriction().(offsetrange.Restriction)
		if done <= 0 || done+remaining != now.Size() {
			t.Errorf("%+v: %v done, %v remaining", now, done, remaining)
		}
		parts = append(parts, p)
		if _, residual, err := tracker.TrySplit(fraction); err != nil {
			t.Error(err)
		} else if residual != nil {
			rests = append(rests, residual.(offsetrange.Restriction))
		}
	})
	if err != nil || !tracker.IsDone() || tracker.GetError() != nil {
		t.Fatalf("%+v: %v, done %v, %v", rest, err, tracker.IsDone(), tracker.GetError())
	}
	return parts, rests
}

// TestSplit: a restriction that is split at every claim, by any fraction, gives each block once, and so do all cuts into two.
func TestSplit(t *testing.T) {
	archives := packed(t)[:2]
	pattern := store(t, archives)
	list, err := files.Match(context.Background(), []string{pattern})
	if err != nil {
		t.Fatal(err)
	}
	for _, fraction := range []float64{0, 0.1, 0.5, 0.99} {
		var parts []Part
		split := 0
		for _, f := range list {
			queue := []offsetrange.Restriction{(&readFn{}).CreateInitialRestriction(f)}
			for len(queue) > 0 {
				got, more := readSplit(t, f, queue[0], fraction)
				parts = append(parts, got...)
				queue = append(queue[1:], more...)
				split += len(more)
			}
		}
		slices.SortFunc(parts, func(a, b Part) int { return int(a.Place - b.Place) })
		check(t, fmt.Sprintf("split at %v", fraction), parts, archives)
		if split < len(parts)/2 {
			t.Errorf("split at %v: %d splits for %d parts", fraction, split, len(parts))
		}
	}
	f := list[1]
	f.Number, f.Before = 0, 0
	for cut := int64(1); cut < f.Size; cut += 37 {
		a, _ := readSplit(t, f, offsetrange.Restriction{End: cut}, 1)
		b, _ := readSplit(t, f, offsetrange.Restriction{Start: cut, End: f.Size}, 1)
		check(t, fmt.Sprintf("cut at %d", cut), append(a, b...), archives[1:])
	}
}

// gate holds the first bundle of wait until another begins.
var gate struct {
	first atomic.Bool
	open  chan struct{}
}

// wait lets a part pass when a part of another bundle has come. Bundles begin with a block that does not follow on one before.
func wait(p Part) Part {
	if gate.first.CompareAndSwap(false, true) {
		<-gate.open
	} else {
		select {
		case <-gate.open:
		default:
			close(gate.open)
		}
	}
	return p
}

// TestSplitWhileRunning: the runner splits a restriction that does not get on, and another bundle takes the rest, while the first one still holds its
// block. Without a split the pipeline would stand still.
func TestSplitWhileRunning(t *testing.T) {
	archives := packed(t)[:1]
	pattern := store(t, archives)
	gate.first.Store(false)
	gate.open = make(chan struct{})
	take()
	run(t, func(s beam.Scope) { beam.ParDo0(s, collect, beam.ParDo(s, wait, Read(s, pattern))) })
	check(t, "split while running", take(), archives)
}

// TestWrite: what is written has the blocks that were read, in their order, whatever the number of archives.
func TestWrite(t *testing.T) {
	archives := packed(t)
	pattern := store(t, archives)
	var want []byte
	for _, name := range samples.Names {
		want = append(want, samples.File(name)...)
	}
	for _, shards := range []int{1, 3, 40} {
		dir := t.TempDir()
		prefix := filepath.Join(dir, "out")
		run(t, func(s beam.Scope) { Write(s, prefix, shards, Read(s, pattern)) })
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(names) != shards {
			t.Fatalf("%d archives: %v, %v", shards, names, err)
		}
		var got bytes.Buffer
		for i, name := range names {
			if name != ShardName(prefix, int64(i), int64(shards), ".p11") {
				t.Errorf("%s is not the name of archive %d", name, i)
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if rep, err := archive.Verify(context.Background(), bytes.NewReader(data), int64(len(data))); err != nil || !rep.OK() {
				t.Errorf("%s: %v %+v", name, err, rep)
			}
			if _, err := archive.Unpack(context.Background(), &got, bytes.NewReader(data)); err != nil {
				t.Error(err)
			}
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%d archives unpack to another text", shards)
		}
		if shards == 1 { // and the very bytes that one process writes
			var sources []io.Reader
			for _, data := range archives {
				sources = append(sources, bytes.NewReader(data))
			}
			var merged bytes.Buffer
			if _, err := archive.Copy(context.Background(), &merged, sources); err != nil {
				t.Fatal(err)
			}
			if data, _ := os.ReadFile(names[0]); !bytes.Equal(data, merged.Bytes()) {
				t.Error("the archive is not that of Recode")
			}
		}
	}
}

// TestRefuses: what is no archive, or is damaged, ends the pipeline with its error and its name, and nothing is written.
func TestRefuses(t *testing.T) {
	whole := packed(t)[0]
	bad := bytes.Clone(whole)
	bad[len(bad)/2] ^= 1
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":   {nil, "not a ply11 archive"},
		"text":    {[]byte("[Event \"x\"]\n\n*\n"), "ply11 archive"},
		"cut":     {whole[:len(whole)-40], "corrupt archive"},
		"damaged": {bad, "corrupt archive"},
	} {
		pattern := store(t, [][]byte{c.data})
		dir := t.TempDir()
		_, err := runs.Run(func(s beam.Scope) { Write(s, filepath.Join(dir, "out"), 1, Read(s, pattern)) }, "prism", 1, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "0.p11") {
			t.Errorf("%s: %v", name, err)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: %v is there", name, left)
		}
	}
	if _, err := files.Match(context.Background(), []string{filepath.Join(t.TempDir(), "*.p11")}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestShardOf: the shards are equal parts, and large files do not overflow.
func TestShardOf(t *testing.T) {
	for _, c := range []struct{ place, all, shards, want int64 }{
		{0, 0, 5, 0}, {0, 10, 3, 0}, {3, 10, 3, 0}, {4, 10, 3, 1}, {9, 10, 3, 2}, {1<<62 - 1, 1 << 62, 99999, 99998}, {3, 4, 40, 3},
	} {
		if got := shardOf(c.place, c.all, c.shards); got != c.want {
			t.Errorf("shardOf(%d, %d, %d) = %d, want %d", c.place, c.all, c.shards, got, c.want)
		}
	}
}
