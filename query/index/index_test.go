// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ply11/bitstream/archive"
	"ply11/internal/gamegen"
	"ply11/internal/querytest"
	"ply11/internal/tempfile"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

// Texts of games of the tests of package query.
var (
	ownGames         = text("own")
	turning          = text("turning")
	besides          = text("besides")
	annotatedBesides = text("annotated")
)

func text(name string) string {
	b, err := os.ReadFile("../testdata/" + name + ".pgn")
	if err != nil {
		panic(err)
	}
	return string(b)
}

// memory is a file in memory, to which is written.
type memory struct{ Data []byte }

func (f *memory) ReadAt(b []byte, at int64) (int, error) {
	return bytes.NewReader(f.Data).ReadAt(b, at)
}

func (f *memory) WriteAt(b []byte, at int64) (int, error) {
	if end := at + int64(len(b)); end > int64(len(f.Data)) {
		f.Truncate(end)
	}
	return copy(f.Data[at:], b), nil
}

func (f *memory) Truncate(n int64) error {
	f.Data = append(f.Data[:min(n, int64(len(f.Data)))], make([]byte, max(0, n-int64(len(f.Data))))...)
	return nil
}

func (f *memory) Sync() error { return nil }

// indexFile is an index in memory to which games are added.
type indexFile struct {
	memory
	room   int // bytes that may still be written, if limited
	limit  bool
	killed bool // nothing more is done
	writes int
}

func (f *indexFile) Truncate(n int64) error {
	if f.killed {
		return errFull
	}
	return f.memory.Truncate(n)
}

var errFull = errors.New("full")

func (f *indexFile) WriteAt(b []byte, at int64) (n int, err error) {
	f.writes += len(b)
	if f.limit {
		if f.room < len(b) {
			f.killed, err = true, errFull
			if len(b) <= index.TrailerSize { // within a page
				f.room = 0
			}
			b = b[:f.room]
		}
		f.room -= len(b)
	}
	if len(b) == 0 {
		return 0, err
	}
	n, _ = f.memory.WriteAt(b, at)
	return n, err
}

// updateIndex adds new games of an archive to an index.
func updateIndex(tb testing.TB, old, data []byte, o index.Options) ([]byte, index.Counts, error) {
	tb.Helper()
	if o.Temp == "" {
		o.Temp = filepath.Join(tb.TempDir(), "x")
	}
	f := &indexFile{memory: memory{Data: slices.Clone(old)}}
	counts, err := index.Update(context.Background(), f, int64(len(old)), querytest.Sources(data)[0].File(), o)
	return f.Data, counts, err
}

// TestIndexIsTheSame: bytes do not depend on memory, goroutines, or the sizes of parts.
func TestIndexIsTheSame(t *testing.T) {
	made, _ := querytest.Generated(t, 300, archive.WithBlockGames(10))
	few, _ := querytest.Generated(t, 5)
	for name, data := range map[string][]byte{"made": made,
		"common": querytest.Pack(t, bytes.Repeat([]byte(turning+besides+ownGames), 300), archive.WithBlockGames(50)),
		"few":    few,
		"none":   querytest.Pack(t, nil)} {
		for _, kind := range []index.Options{{}, {Variations: true}} {
			kind.Workers = 1
			want := querytest.BuildIndex(t, data, kind)
			tree := querytest.BuildTree(t, data, index.TreeOptions{MinGames: 2, MaxPly: 12, Workers: 1})
			if err := querytest.OpenIndex(t, want).Verify(context.Background(), nil); err != nil {
				t.Fatal(name, err)
			}
			for _, o := range []index.Options{{}, {Workers: 1, Memory: 1}, {Workers: 7, Memory: 17 << 20},
				index.Options{Workers: 2}.Small(1000, 0),
				index.Options{Workers: 7}.Small(300, 0),
				index.Options{Workers: 2}.Small(20, 0),
				index.Options{Workers: 2}.Small(0, 1),
				index.Options{Workers: 3}.Small(500, 1),
				index.Options{Workers: 3}.Small(1, 1<<17),
			} {
				o.Variations = kind.Variations
				if !bytes.Equal(querytest.BuildIndex(t, data, o), want) || !bytes.Equal(querytest.BuildTree(t, data,
					index.TreeOptions{MinGames: 2, MaxPly: 12, Workers: o.Workers, Memory: o.Memory}), tree) {
					t.Errorf("%s: %+v: other bytes", name, o)
				}
			}
		}
	}
}

// TestIndexFails: when reading or writing fails, the first error is returned, and no goroutine or temporary file is
// left.
func TestIndexFails(t *testing.T) {
	tempfile.Named = true
	defer func() { tempfile.Named = false }()
	data := querytest.Pack(t, bytes.Repeat([]byte(turning+besides+ownGames), 100), archive.WithBlockGames(50))
	whole := querytest.BuildIndex(t, data, index.Options{})
	broken := errors.New("broken")
	before := runtime.NumGoroutine()
	options := []index.Options{{Workers: 3}, index.Options{Workers: 3}.Small(20, 0), index.Options{
		Workers: 4}.Small(100, 1), index.Options{Workers: 2}.Small(200, 0)}
	try := func(what string, dst io.Writer, s index.Source, o index.Options, fails func() bool) {
		dir := t.TempDir()
		o.Temp = filepath.Join(dir, "x")
		if _, err := index.Build(context.Background(), dst, s, o); fails() != errors.Is(err, broken) || !fails() &&
			err != nil {
			t.Errorf("%s: %+v: %v", what, o, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: %+v: %v is left: %v", what, o, left, err)
		}
	}
	for i, o := range options {
		for at := 0; at <= len(whole)+100; at += 1 + len(whole)/(20+i) {
			room := at
			try(fmt.Sprint("a write at ", at), writerFunc(func(b []byte) (int, error) {
				if room -= len(b); room < 0 {
					return 0, broken
				}
				return len(b), nil
			}), querytest.Sources(data)[0].File(), o, func() bool { return at < len(whole) })
		}
		// How often it is read depends on who replays which block.
		reads := &failingReader{data: data, err: broken}
		s := index.Source{Name: "a.p11", Reader: reads, Size: int64(len(data))}
		reads.left.Store(1 << 40)
		try("all reads", io.Discard, s, o, func() bool { return false })
		all := 1<<40 - reads.left.Load()
		for at := int64(0); at < all; at += 1 + all/20 {
			reads.left.Store(at)
			try(fmt.Sprint("read ", at), io.Discard, s, o, func() bool { return reads.left.Load() < 0 })
		}
	}
	// They end with Build, but for their last instructions.
	for try := 0; runtime.NumGoroutine() > before; try++ {
		if try == 2000 {
			t.Fatalf("%d goroutines, and %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// failingReader reads so many times, and then fails.
type failingReader struct {
	data []byte
	left atomic.Int64
	err  error
}

func (r *failingReader) ReadAt(b []byte, at int64) (int, error) {
	if r.left.Add(-1) < 0 {
		return 0, r.err
	}
	return bytes.NewReader(r.data).ReadAt(b, at)
}

// TestIndexFlips: Verify finds every bit that flips and every cut, and none makes a tree wrong. In make long, all are
// tried.
func TestIndexFlips(t *testing.T) {
	data := querytest.Pack(t, bytes.Repeat([]byte(turning), 150))
	other := querytest.Pack(t, []byte(ownGames))
	grown := archiveOf(t, data, other)
	whole := querytest.BuildIndex(t, data, index.Options{})
	updated, _, err := updateIndex(t, whole, grown, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer // what is not in use any more is not verified
	if err := index.Compact(context.Background(), &compact, querytest.OpenIndex(t, updated)); err != nil {
		t.Fatal(err)
	}
	if c := querytest.OpenIndex(t, whole).Counts(); c.Common == 0 || c.Common == c.Positions ||
		len(querytest.OpenIndex(t, updated).Segments()) < 2 {
		t.Fatalf("%+v: it tests too little", c)
	}
	rng := rand.New(rand.NewPCG(31, 5))
	for i, c := range []struct{ data, index []byte }{
		{data, whole}, {other, querytest.BuildIndex(t, other, index.Options{Variations: true})}, {grown,
			compact.Bytes()},
		{grown, updated},
	} {
		made := slices.Clone(c.index)
		bits, cuts := rng.Perm(8 * len(made))[:min(2000, 8*len(made))], rng.Perm(len(made))[:min(200, len(made))]
		if testenv.Long {
			bits, cuts = rng.Perm(8*len(made)), rng.Perm(len(made))
		}
		parts := index.SealedParts(made)
		s := querytest.Sources(c.data)
		want, _ := query.New().Tree(context.Background(), s, position.Start(), query.TreeOptions{Workers: 1})
		want.Cost = query.TreeCost{}
		for k, bit := range bits {
			if i == 3 && !slices.ContainsFunc(parts, func(p [2]int) bool { return p[0] <= bit/8 && bit/8 < p[1] }) {
				continue // it is not in use
			}
			made[bit/8] ^= 1 << (bit % 8)
			x, err := index.Open(bytes.NewReader(made), int64(len(made)))
			if err == nil {
				if err = x.Verify(context.Background(), nil); err == nil {
					t.Fatalf("file %d: bit %d is not missed", i, bit)
				}
				if k%97 == 0 {
					s[0].Index = x
					if got, err := query.New().Tree(context.Background(), s, position.Start(), query.TreeOptions{
						Workers: 1}); err == nil {
						if got.Cost = (query.TreeCost{}); !reflect.DeepEqual(got, want) {
							t.Errorf("file %d: bit %d: %+v, want %+v", i, bit, got, want)
						}
					}
				}
			}
			if !isIndexError(err) {
				t.Fatalf("file %d: bit %d: %v", i, bit, err)
			}
			made[bit/8] ^= 1 << (bit % 8)
		}
		for _, n := range cuts {
			x, err := index.Open(bytes.NewReader(made[:n]), int64(n))
			if err == nil {
				err = x.Verify(context.Background(), nil)
			}
			if !isIndexError(err) {
				t.Fatalf("file %d: %d bytes of %d: %v", i, n, len(made), err)
			}
		}
		longer := append(slices.Clone(made), 0)
		if _, err := index.Open(bytes.NewReader(longer), int64(len(longer))); !errors.Is(err, index.ErrCorrupt) {
			t.Errorf("a byte more: %v", err)
		}
	}
}

// TestIndexFacts changes facts of a game: those that no game has, and others than those of its common positions.
func TestIndexFacts(t *testing.T) {
	data := querytest.Pack(t, bytes.Repeat([]byte(turning), 300))
	for _, o := range []index.Options{{}, {Variations: true}} {
		whole := querytest.BuildIndex(t, data, o)
		if querytest.OpenIndex(t, whole).Counts().Common == 0 {
			t.Fatal("no position is common")
		}
		for _, c := range []struct {
			name  string
			facts uint64 // of a date, or the bits that change
		}{
			{"the same", 0}, {"no year", 1<<49 | 1<<53}, {"a date without its bit", 1990 << 35},
			{"month 15", 1<<34 | 1990<<35 | 15<<49}, {"month 13", 1<<34 | 1990<<35 | 13<<49},
			{"a day without a month", 1<<34 | 1990<<35 | 1<<53}, {"year 10000", 1<<34 | 10000<<35},
			{"bit 59", 1 << 59}, {"another result", 3}, {"another year", 1<<34 | 1990<<35}, {"a rating", 2001 << 2},
		} {
			b := slices.Clone(whole)
			block := b[16 : 16+8*256+4]
			facts := binary.LittleEndian.Uint64(block)
			if c.facts >= 1<<34 {
				facts &^= 1<<58 - 1<<34
			}
			binary.LittleEndian.PutUint64(block, facts^c.facts)
			index.Seal(block)
			if err := querytest.OpenIndex(t, b).Verify(t.Context(), nil); (err == nil) != (c.facts == 0) ||
				err != nil && !isIndexError(err) {
				t.Errorf("%s, with %+v: %v", c.name, o, err)
			}
		}
	}
}

// isIndexError reports whether an error is one of an index, in one line.
func isIndexError(err error) bool {
	var e *index.Error
	return errors.As(err, &e) && !strings.Contains(err.Error(), "\n") &&
		slices.Contains([]error{index.ErrCorrupt, index.ErrNotIndex, index.ErrVersion, index.ErrNotTree}, e.Err)
}

// TestIndexRefuses: another archive, a damaged one, no folder.
func TestIndexRefuses(t *testing.T) {
	data, _ := querytest.Generated(t, 30)
	other, _ := querytest.Generated(t, 31)
	s := querytest.Sources(data)
	s[0].Index = querytest.OpenIndex(t, querytest.BuildIndex(t, other, index.Options{}))
	if _, err := query.New().Tree(context.Background(), s, position.Start(), query.TreeOptions{Workers: 1}); !errors.Is(
		err, index.ErrOtherArchive) || err.Error() != "0.p11: "+index.ErrOtherArchive.Error() {
		t.Error(err)
	}
	damaged := slices.Clone(data)
	damaged[len(data)/3] ^= 1
	temp := filepath.Join(t.TempDir(), "x")
	if _, err := index.Build(context.Background(), io.Discard, querytest.Sources(damaged)[0].File(), index.Options{
		Temp: temp}); !errors.Is(err, archive.ErrCorrupt) {
		t.Error(err)
	}
	if _, err := index.Build(context.Background(), io.Discard, querytest.Sources(data[:100])[0].File(), index.Options{
		Temp: temp}); !errors.Is(err, archive.ErrCorrupt) {
		t.Error(err)
	}
	if _, err := index.Build(context.Background(), io.Discard, querytest.Sources(data)[0].File(), index.Options{
		Temp: filepath.Join(temp, "none", "x")}); err == nil {
		t.Error("no folder for temporary files, and no error")
	}
}

type writerFunc func(b []byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// TestIndexOfEqualParts: where positions share the stored part of their hashes, each game counts once, also after an
// update.
func TestIndexOfEqualParts(t *testing.T) {
	testenv.Slow(t)
	rng := rand.New(rand.NewPCG(28, 3))
	made, games := querytest.Generated(t, 400, archive.WithBlockGames(50))
	base := archiveOf(t, querytest.Pack(t, []byte(strings.Repeat(turning+besides, 130)+ownGames),
		archive.WithBlockGames(50)),
		made)
	whole := archiveOf(t, base, querytest.Pack(t, []byte(annotatedBesides+turning+ownGames)))
	for _, bits := range []uint{1, 2, 4} {
		updated, _, err := updateIndex(t, querytest.BuildIndex(t, base, index.Options{Variations: true}.Coarse(bits)),
			whole,
			index.Options{}.Coarse(bits))
		if err != nil {
			t.Fatal(err)
		}
		indexes := []*index.Index{
			querytest.OpenIndex(t, querytest.BuildIndex(t, whole, index.Options{Variations: true}.Coarse(bits))),
			querytest.OpenIndex(t, updated)}
		for i, x := range indexes {
			if err := x.Verify(context.Background(), nil); err != nil {
				t.Fatalf("%d bits, index %d: %v", bits, i, err)
			}
		}
		for range 150 {
			at := somewhere(rng, games)
			q := query.New()
			q.Variations(rng.IntN(2) == 0)
			if rng.IntN(4) == 0 {
				q.Add("result", "*")
			}
			s := querytest.Sources(whole)
			want, err := q.Tree(context.Background(), s, at, query.TreeOptions{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range indexes {
				s[0].Index = x
				got, err := q.Tree(context.Background(), s, at, query.TreeOptions{Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				if got.Cost = (query.TreeCost{}); !reflect.DeepEqual(got, want) {
					t.Errorf("%d bits, index %d: %s: by index %+v, by scan %+v", bits, i, at.FEN(), got, want)
				}
			}
		}
	}
}

// TestIndexUpdate: an updated index has the counts and trees of a new one.
func TestIndexUpdate(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 3))
	made, games := querytest.Generated(t, 1600, archive.WithBlockGames(100))
	few, _ := querytest.Generated(t, 3)
	text := bytes.Repeat([]byte(turning+besides+ownGames), 60)
	notes := querytest.Pack(t, text, archive.WithBlockGames(50))
	more, others := querytest.ArchiveBy(t, gamegen.New(77), 300)
	games = append(games, others...)
	for _, c := range []struct {
		name       string
		base, more []byte
		variations bool
	}{
		{"new games", made, more, false}, {"the same games", made, few, false},
		{"nothing", made, querytest.Pack(t, nil), false},
		{"most are new", few, made, false}, {"variations", notes, querytest.Pack(t, []byte(besides+turning)), true},
		{"common ones", notes, querytest.Pack(t, bytes.Repeat([]byte(turning+besides+annotatedBesides), 20)), true},
		{"from nothing", querytest.Pack(t, nil), few, true},
	} {
		base, more := archiveOf(t, c.base), archiveOf(t, c.more)
		whole := archiveOf(t, base, more)
		old := querytest.BuildIndex(t, base, index.Options{Variations: c.variations})
		file, counts, err := updateIndex(t, old, whole, index.Options{Workers: 2})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		again, _, err := updateIndex(t, old, whole, index.Options{Workers: 3}.Small(50, 1))
		if err != nil || !bytes.Equal(again, file) {
			t.Errorf("%s: other bytes in little memory: %v", c.name, err)
		}
		updated, fresh := querytest.OpenIndex(t, file), querytest.OpenIndex(t,
			querytest.BuildIndex(t, whole, index.Options{Variations: c.variations}))
		if err := updated.Verify(context.Background(), nil); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if counts != updated.Counts() || updated.Variations() != c.variations || len(updated.Segments()) == 1 &&
			counts != fresh.Counts() {
			t.Errorf("%s: %+v, and a new one has %+v", c.name, counts, fresh.Counts())
		}
		var small bytes.Buffer
		if err := index.Compact(context.Background(), &small, updated); err != nil {
			t.Fatal(err)
		}
		compact := querytest.OpenIndex(t, small.Bytes())
		if err := compact.Verify(context.Background(), nil); err != nil || compact.Unused() != 0 ||
			compact.Counts() != counts || small.Len() != len(file)-int(updated.Unused()) {
			t.Errorf("%s: compact: %v, %d bytes of %d unused", c.name, err, updated.Unused(), len(file))
		}
		for range 300 {
			g := games[rng.IntN(len(games))]
			at := g.Start
			moves := g.AppendMainLine(nil)
			for _, m := range moves[:rng.IntN(min(len(moves), 1+rng.IntN(40))+1)] {
				at.Make(m)
			}
			if rng.IntN(3) == 0 {
				moves := at.LegalMoves(nil)
				if len(moves) > 0 {
					at.Make(moves[rng.IntN(len(moves))])
				}
			}
			q := query.New()
			q.Variations(c.variations && rng.IntN(2) == 0)
			if rng.IntN(3) == 0 {
				q.Add("result", "1-0")
			}
			var trees [3]*query.Tree
			for i, x := range []*index.Index{fresh, updated, compact} {
				s := querytest.Sources(whole)
				s[0].Index = x
				if trees[i], err = q.Tree(context.Background(), s, at, query.TreeOptions{Workers: 1}); err != nil {
					t.Fatal(err)
				}
				trees[i].Cost = query.TreeCost{}
			}
			if !reflect.DeepEqual(trees[0], trees[1]) || !reflect.DeepEqual(trees[0], trees[2]) {
				t.Fatalf("%s: %s: %+v, by a new index %+v", c.name, at.FEN(), trees[1], trees[0])
			}
		}
	}
	// Other archives: another, a shorter one, one with other first blocks.
	old := querytest.BuildIndex(t, archiveOf(t, made), index.Options{})
	for _, data := range [][]byte{archiveOf(t, few), archiveOf(t, few, made), archiveOf(t, notes, made)} {
		if file, _, err := updateIndex(t, old, data, index.Options{}); !errors.Is(err, index.ErrOtherArchive) ||
			!bytes.Equal(file, old) {
			t.Error(err)
		}
	}
}

// archiveOf puts archives together.
func archiveOf(tb testing.TB, files ...[]byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	var list []io.Reader
	for _, f := range files {
		list = append(list, bytes.NewReader(f))
	}
	if _, err := archive.Copy(context.Background(), &b, list); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// TestIndexContext: what takes long ends with its context.
func TestIndexContext(t *testing.T) {
	data, _ := querytest.Generated(t, 300, archive.WithBlockGames(10))
	s := index.Source{Name: "a.p11", Reader: bytes.NewReader(data), Size: int64(len(data))}
	o := index.Options{Temp: filepath.Join(t.TempDir(), "x"), Workers: 2}
	made := querytest.BuildIndex(t, data, o)
	x := querytest.OpenIndex(t, made)
	for name, do := range map[string]func(ctx context.Context) error{
		"Build": func(ctx context.Context) error { _, err := index.Build(ctx, io.Discard, s, o); return err },
		"Update": func(ctx context.Context) error {
			f := &indexFile{memory: memory{Data: made}}
			_, err := index.Update(ctx, f, int64(len(made)), s, o)
			return err
		},
		"Verify": func(ctx context.Context) error { return x.Verify(ctx, nil) },
		"Candidates": func(ctx context.Context) error {
			_, _, _, err := querytest.ExactQuery(t, position.Start()).Candidates(ctx, x)
			return err
		},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := do(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// In the second half of the work.
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o.Progress = func(p index.Progress) {
		if p.Games == 300 {
			cancel()
		}
	}
	if _, err := index.Build(ctx, io.Discard, s, o); !errors.Is(err, context.Canceled) {
		t.Errorf("Build, when all games are replayed: %v", err)
	}
}
