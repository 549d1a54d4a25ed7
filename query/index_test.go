// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"context"
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
	"ply11/chess"
	"ply11/game"
	"ply11/internal/gamegen"
	"ply11/internal/tempfile"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/query"
)

// buildIndex makes the index of an archive.
func buildIndex(tb testing.TB, data []byte, o query.IndexOptions) []byte {
	tb.Helper()
	o.Temp = filepath.Join(tb.TempDir(), "x")
	var b bytes.Buffer
	if _, err := query.BuildIndex(context.Background(), &b, treeSources(data)[0], o); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// indexFile is an index in memory to which games are added.
type indexFile struct {
	data   []byte
	room   int // bytes that may still be written, if limited
	limit  bool
	writes int
}

func (f *indexFile) ReadAt(b []byte, at int64) (int, error) {
	return bytes.NewReader(f.data).ReadAt(b, at)
}
func (f *indexFile) Truncate(n int64) error {
	f.data = append(f.data[:min(n, int64(len(f.data)))], make([]byte, max(0, n-int64(len(f.data))))...)
	return nil
}
func (f *indexFile) Sync() error { return nil }

var errFull = errors.New("full")

func (f *indexFile) WriteAt(b []byte, at int64) (n int, err error) {
	f.writes += len(b)
	if f.limit {
		if f.room < len(b) {
			b, err = b[:f.room], errFull
		}
		f.room -= len(b)
	}
	if grow := int(at) + len(b) - len(f.data); grow > 0 {
		f.data = append(f.data, make([]byte, grow)...)
	}
	return copy(f.data[at:], b), err
}

// updateIndex adds the games to an index that an archive has more, and returns it.
func updateIndex(tb testing.TB, old, data []byte, o query.IndexOptions) ([]byte, query.IndexCounts, error) {
	tb.Helper()
	if o.Temp == "" {
		o.Temp = filepath.Join(tb.TempDir(), "x")
	}
	f := &indexFile{data: slices.Clone(old)}
	counts, err := query.UpdateIndex(context.Background(), f, int64(len(old)), treeSources(data)[0], o)
	return f.data, counts, err
}

// openIndex opens an index.
func openIndex(tb testing.TB, index []byte) *query.PositionIndex {
	tb.Helper()
	x, err := query.OpenIndex(bytes.NewReader(index), int64(len(index)))
	if err != nil {
		tb.Fatal(err)
	}
	return x
}

// indexed are archives as sources with their indexes, some of which have variations, and which are kept by the
// archive's first byte.
func indexed(tb testing.TB, indexes map[*byte][]byte, files ...[]byte) []query.Source {
	list := treeSources(files...)
	for i, data := range files {
		if indexes[&data[0]] == nil {
			indexes[&data[0]] = buildIndex(tb, data, query.IndexOptions{Variations: len(data)%3 > 0})
			if err := openIndex(tb, indexes[&data[0]]).Verify(context.Background(), nil); err != nil {
				tb.Fatal(err)
			}
		}
		list[i].PositionIndex = openIndex(tb, indexes[&data[0]])
	}
	return list
}

// generated is an archive of made-up games, and the games.
func generated(tb testing.TB, n int, options ...archive.WriterOption) ([]byte, []*game.Game) {
	tb.Helper()
	gen := gamegen.New(3)
	var b bytes.Buffer
	w := archive.NewWriter(&b, options...)
	var list []*game.Game
	for range n {
		g := new(game.Game)
		gen.Next(g)
		if err := w.Write(g); err != nil {
			tb.Fatal(err)
		}
		list = append(list, g)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes(), list
}

// key tells positions apart, as FEN does without its counters.
func key(p *position.Position) string {
	s := p.Setup()
	plain := plainPos{Setup: s}
	fields := strings.Fields(p.FEN())
	return fmt.Sprint(fields[0], fields[1], fields[2], plainTakeable(&plain))
}

// TestIndexAgainstReplay compares the tree of thousands of positions, of an index of thousands of games, with a replay
// of all of them: with and without filters, fixed and dense.
func TestIndexAgainstReplay(t *testing.T) {
	n := 2000
	if testenv.Long {
		n = 30000
	}
	rng := rand.New(rand.NewPCG(15, 2))
	fixed, games := generated(t, n)
	dense, _ := generated(t, n, archive.WithDense(true), archive.WithBlockGames(100))
	indexes := map[*byte][]byte{}
	sources := [][]query.Source{indexed(t, indexes, fixed), indexed(t, indexes, dense)}
	counts := sources[0][0].PositionIndex.Counts()
	t.Logf("%d bytes, %+v", len(indexes[&fixed[0]]), counts)
	if counts.Common < 5 || counts.Rare < uint64(40*n) || counts.Positions-counts.Rare < uint64(n) {
		t.Errorf("%+v: they test too little", counts)
	}
	var plain []plainGame
	for i, g := range games {
		p := plainGame{number: i + 1, tags: g.Tags, result: g.Result, moves: g.AppendMainLine(nil)}
		plain = append(plain, p)
	}
	tried := map[string]int{}
	for i, filter := range append([]sample{{name: "none"}}, slices.DeleteFunc(gameSamples(), func(s sample) bool {
		return s.name != "rating" && s.name != "date" && s.name != "result" && s.name != "white" &&
			s.name != "black-rating"
	})...) {
		// The positions, and the tree of each.
		type wanted struct {
			at       position.Position
			all      query.Branch
			branches map[chess.Move]*query.Branch
		}
		want := map[string]*wanted{}
		count := 2000
		if i > 0 {
			count = 40
		}
		for k := range count {
			g := games[rng.IntN(n)]
			moves := g.AppendMainLine(nil)
			at := g.Start
			for _, m := range moves[:rng.IntN(min(len(moves), []int{3, 12, 300}[k%3])+1)] {
				at.Make(m)
			}
			want[key(&at)] = &wanted{at: at, branches: map[chess.Move]*query.Branch{}}
		}
		for j := range plain {
			g := &plain[j]
			if filter.game != nil && !filter.game(g) {
				continue
			}
			at := games[j].Start
			reached := map[*wanted]bool{}
			played := map[*wanted]map[chess.Move]bool{}
			for k := 0; ; k++ {
				if w := want[key(&at)]; w != nil {
					if !reached[w] {
						reached[w], played[w] = true, map[chess.Move]bool{}
						plainBranch(&w.all, g, 0)
					}
					if k < len(g.moves) && !played[w][g.moves[k]] {
						played[w][g.moves[k]] = true
						if w.branches[g.moves[k]] == nil {
							w.branches[g.moves[k]] = &query.Branch{Move: g.moves[k]}
						}
						plainBranch(w.branches[g.moves[k]], g, 0)
					}
				}
				if k == len(g.moves) {
					break
				}
				at.Make(g.moves[k])
			}
		}
		for _, w := range want {
			should := plainSorted(w.all, w.branches)
			for s, source := range sources {
				if s == 1 && len(w.branches) < 2 && rng.IntN(20) > 0 {
					continue // dense games are slow to be asked
				}
				got, err := filter.query(t).Tree(context.Background(), source, w.at, query.TreeOptions{Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				tried[filter.name]++
				if got.Cost = (query.TreeCost{}); !reflect.DeepEqual(got, should) {
					t.Fatalf("%s: %s:\n got %+v\nwant %+v", filter.name, w.at.FEN(), got, should)
				}
			}
		}
	}
	t.Logf("%v", tried)
	// Positions that no game reaches.
	for range 200 {
		at := position.Start()
		for range 12 {
			moves := at.LegalMoves(nil)
			if len(moves) == 0 {
				break // a mate
			}
			at.Make(moves[rng.IntN(len(moves))])
		}
		got, err := query.New().Tree(context.Background(), sources[0], at, query.TreeOptions{Workers: 1})
		if err != nil || got.All.Games > 0 {
			t.Fatal(got, err)
		}
	}
}

// TestIndexIsTheSame: the bytes depend on the archive alone, and not on the memory, the number of goroutines, and what
// is sorted and written at once: parts of one bucket, several parts in one bucket, parts with nothing in them, a
// position of all games that does not fit into the memory.
func TestIndexIsTheSame(t *testing.T) {
	made, _ := generated(t, 300, archive.WithBlockGames(10))
	few, _ := generated(t, 5)
	for name, data := range map[string][]byte{"made": made,
		"common": pack(t, bytes.Repeat([]byte(turning+besides+ownGames), 300), archive.WithBlockGames(50)), "few": few,
		"none": pack(t, nil)} {
		for _, variations := range []bool{false, true} {
			want := buildIndex(t, data, query.IndexOptions{Variations: variations, Workers: 1})
			if err := openIndex(t, want).Verify(context.Background(), nil); err != nil {
				t.Fatal(name, err)
			}
			for _, o := range []query.IndexOptions{{}, {Workers: 1, Memory: 1}, {Workers: 7, Memory: 17 << 20},
				query.IndexOptions{Workers: 1}.Small(1000, 0, 0),
				query.IndexOptions{Workers: 2}.Small(1000, 0, 1),
				query.IndexOptions{Workers: 7}.Small(300, 0, 100),
				query.IndexOptions{Workers: 2}.Small(20, 0, 1000),
				query.IndexOptions{Workers: 2}.Small(0, 1, 0),
				query.IndexOptions{Workers: 3}.Small(500, 1, 1),
				query.IndexOptions{Workers: 3}.Small(1, 1<<17, 5000),
			} {
				o.Variations = variations
				if !bytes.Equal(buildIndex(t, data, o), want) {
					t.Errorf("%s: %+v: other bytes", name, o)
				}
			}
		}
	}
}

// TestIndexFails: where the archive cannot be read any more, or the index not be written, the first error is returned,
// no goroutine goes on, and no temporary file is left.
func TestIndexFails(t *testing.T) {
	tempfile.Named = true
	defer func() { tempfile.Named = false }()
	data := pack(t, bytes.Repeat([]byte(turning+besides+ownGames), 100), archive.WithBlockGames(50))
	whole := buildIndex(t, data, query.IndexOptions{})
	broken := errors.New("broken")
	before := runtime.NumGoroutine()
	options := []query.IndexOptions{{Workers: 3}, query.IndexOptions{Workers: 3}.Small(20, 0, 1), query.IndexOptions{
		Workers: 4}.Small(100, 1, 300), query.IndexOptions{Workers: 2}.Small(200, 0, 0)}
	try := func(what string, dst io.Writer, s query.Source, o query.IndexOptions, fails func() bool) {
		dir := t.TempDir()
		o.Temp = filepath.Join(dir, "x")
		if _, err := query.BuildIndex(context.Background(), dst, s, o); fails() != errors.Is(err, broken) || !fails() &&
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
			}), treeSources(data)[0], o, func() bool { return at < len(whole) })
		}
		// How often it is read depends on who replays which block.
		reads := &failingReader{data: data, err: broken}
		s := query.Source{Name: "a.p11", Reader: reads, Size: int64(len(data))}
		reads.left.Store(1 << 40)
		try("all reads", io.Discard, s, o, func() bool { return false })
		all := 1<<40 - reads.left.Load()
		for at := int64(0); at < all; at += 1 + all/20 {
			reads.left.Store(at)
			try(fmt.Sprint("read ", at), io.Discard, s, o, func() bool { return reads.left.Load() < 0 })
		}
	}
	// They end with BuildIndex, but for their last instructions, and what the runtime does of its own.
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

// TestIndexFlips: every bit that flips is found by Verify, and none makes a tree wrong; nor does a cut. They are 2,000
// bits and 200 cuts of each kind of index; in make long, all.
func TestIndexFlips(t *testing.T) {
	data := pack(t, bytes.Repeat([]byte(turning), 150))
	other := pack(t, []byte(ownGames))
	grown := archiveOf(t, data, other)
	whole := buildIndex(t, data, query.IndexOptions{})
	updated, _, err := updateIndex(t, whole, grown, query.IndexOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer // what is not in use any more is not verified
	if err := query.CompactIndex(context.Background(), &compact, openIndex(t, updated)); err != nil {
		t.Fatal(err)
	}
	if c := openIndex(t, whole).Counts(); c.Common == 0 || c.Common == c.Positions ||
		openIndex(t, updated).Segments() < 2 {
		t.Fatalf("%+v: it tests too little", c)
	}
	rng := rand.New(rand.NewPCG(31, 5))
	for i, c := range []struct{ data, index []byte }{
		{data, whole}, {other, buildIndex(t, other, query.IndexOptions{Variations: true})}, {grown, compact.Bytes()},
		{data, buildIndex(t, data, query.IndexOptions{MinGames: 2, MaxPly: 30})},
		{grown, updated},
	} {
		index := slices.Clone(c.index)
		bits, cuts := rng.Perm(8 * len(index))[:min(2000, 8*len(index))], rng.Perm(len(index))[:min(200, len(index))]
		if testenv.Long {
			bits, cuts = rng.Perm(8*len(index)), rng.Perm(len(index))
		}
		parts := query.SealedParts(index)
		s := treeSources(c.data)
		want, _ := query.New().Tree(context.Background(), s, position.Start(), query.TreeOptions{Workers: 1})
		want.Cost = query.TreeCost{}
		for k, bit := range bits {
			if 16 <= bit/8 && bit/8 < 64 {
				continue // a slot that is no good is not read
			}
			if i == 4 && !slices.ContainsFunc(parts, func(p [2]int) bool { return p[0] <= bit/8 && bit/8 < p[1] }) {
				continue // it is not in use
			}
			index[bit/8] ^= 1 << (bit % 8)
			x, err := query.OpenIndex(bytes.NewReader(index), int64(len(index)))
			if err == nil {
				if err = x.Verify(context.Background(), nil); err == nil {
					t.Fatalf("file %d: bit %d is not missed", i, bit)
				}
				if k%97 == 0 && i != 3 {
					s[0].PositionIndex = x
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
			index[bit/8] ^= 1 << (bit % 8)
		}
		for _, n := range cuts {
			x, err := query.OpenIndex(bytes.NewReader(index[:n]), int64(n))
			if err == nil {
				err = x.Verify(context.Background(), nil)
			}
			if err == nil && i == 4 && x.Games() < openIndex(t, index).Games() {
				continue // it is the old one again, as after an update that was interrupted
			}
			if !isIndexError(err) {
				t.Fatalf("file %d: %d bytes of %d: %v", i, n, len(index), err)
			}
		}
		longer := append(slices.Clone(index), 0)
		if x, err := query.OpenIndex(bytes.NewReader(longer), int64(len(longer))); i < 4 &&
			!errors.Is(err, query.ErrIndexCorrupt) || i == 4 &&
			(err != nil || x.Verify(context.Background(), nil) != nil) {
			t.Errorf("a byte more: %v", err)
		}
	}
}

// isIndexError reports whether an error is one of an index, in one line.
func isIndexError(err error) bool {
	var e *query.IndexError
	return errors.As(err, &e) && !strings.Contains(err.Error(), "\n") &&
		(errors.Is(err, query.ErrIndexCorrupt) || errors.Is(err, query.ErrNotIndex) ||
			errors.Is(err, query.ErrIndexVersion))
}

// TestIndexRefuses: the index of another archive, a damaged archive, too little memory, and an output that fails.
func TestIndexRefuses(t *testing.T) {
	data, _ := generated(t, 30)
	other, _ := generated(t, 31)
	s := treeSources(data)
	s[0].PositionIndex = openIndex(t, buildIndex(t, other, query.IndexOptions{}))
	if _, err := query.New().Tree(context.Background(), s, position.Start(), query.TreeOptions{Workers: 1}); !errors.Is(
		err, query.ErrOtherArchive) || err.Error() != "0.p11: "+query.ErrOtherArchive.Error() {
		t.Error(err)
	}
	damaged := slices.Clone(data)
	damaged[len(data)/3] ^= 1
	temp := filepath.Join(t.TempDir(), "x")
	if _, err := query.BuildIndex(context.Background(), io.Discard, treeSources(damaged)[0], query.IndexOptions{
		Temp: temp}); !errors.Is(err, archive.ErrCorrupt) {
		t.Error(err)
	}
	if _, err := query.BuildIndex(context.Background(), io.Discard, treeSources(data[:100])[0], query.IndexOptions{
		Temp: temp}); !errors.Is(err, archive.ErrCorrupt) {
		t.Error(err)
	}
	full := errors.New("full")
	if _, err := query.BuildIndex(context.Background(), writerFunc(func(b []byte) (int, error) { return 0, full }),
		treeSources(data)[0], query.IndexOptions{Temp: temp}); err != full {
		t.Error(err)
	}
	if _, err := query.BuildIndex(context.Background(), io.Discard, treeSources(data)[0], query.IndexOptions{
		Temp: filepath.Join(temp, "none", "x")}); err == nil {
		t.Error("no folder for temporary files, and no error")
	}
}

type writerFunc func(b []byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// besides is a game with moves that are in variations alone, in the main line, too, and in both.
const besides = `[Event "d"]
[Result "1-0"]
[WhiteElo "2800"]
[BlackElo "2700"]

1. Nf3 (1. e4 e5 (1... c5)) (1. Nf3 d5) (1. d4) 1... Nf6 2. Ng1 Ng8 3. e4 (3. Nf3) 1-0

`

// TestIndexOfCommonPositions: where most positions are common, their lists stand between buckets with little in them.
func TestIndexOfCommonPositions(t *testing.T) {
	for _, n := range []int{90, 128, 700} {
		data := pack(t, bytes.Repeat([]byte(turning+besides), n))
		s := treeSources(data)
		x := openIndex(t, buildIndex(t, data, query.IndexOptions{Variations: n%4 == 0}))
		if err := x.Verify(context.Background(), nil); err != nil {
			t.Fatal(n, err)
		}
		for _, moves := range []string{"", "Nf3", "Nf3 Nf6", "Nf3 Nf6 Ng1", "e4", "d4", "e4 e5"} {
			at, err := query.ParsePosition("", moves)
			if err != nil {
				t.Fatal(err)
			}
			for _, result := range []string{"", "1-0", "1/2-1/2", "+", "+1-0"} {
				q := query.New()
				result, variations := strings.CutPrefix(result, "+")
				q.Variations(variations)
				if result != "" {
					q.Add("result", result)
				}
				s[0].PositionIndex = nil
				want, err := q.Tree(context.Background(), s, at, query.TreeOptions{Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				s[0].PositionIndex = x
				got, err := q.Tree(context.Background(), s, at, query.TreeOptions{Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				if got.Cost = (query.TreeCost{}); !reflect.DeepEqual(got, want) {
					t.Errorf("%d: %q %s: by index %+v, by scan %+v", n, moves, result, got, want)
				}
			}
		}
	}
}

// TestIndexOfEqualParts: where positions share what an index stores of their hashes, those of one game, too, each game
// counts once, and an update gives the same trees.
func TestIndexOfEqualParts(t *testing.T) {
	testenv.Slow(t)
	rng := rand.New(rand.NewPCG(28, 3))
	text := []byte(strings.Repeat(turning+besides, 130) + ownGames + branchingGames(rng, 300))
	more := []byte(branchingGames(rng, 10) + annotatedBesides + turning + ownGames)
	base, added := pack(t, text, archive.WithBlockGames(50)), pack(t, more)
	whole := archiveOf(t, base, added)
	games, _ := plainGames(t, append(slices.Clone(text), more...), 1<<30)
	for _, bits := range []uint{1, 2, 4} {
		updated, _, err := updateIndex(t, buildIndex(t, base, query.IndexOptions{Variations: true}.Coarse(bits)), whole,
			query.IndexOptions{}.Coarse(bits))
		if err != nil {
			t.Fatal(err)
		}
		indexes := []*query.PositionIndex{
			openIndex(t, buildIndex(t, whole, query.IndexOptions{Variations: true}.Coarse(bits))),
			openIndex(t, updated)}
		for i, x := range indexes {
			if err := x.Verify(context.Background(), nil); err != nil {
				t.Fatalf("%d bits, index %d: %v", bits, i, err)
			}
		}
		for range 150 {
			at := fromGames(rng, games).at
			q := query.New()
			q.Variations(rng.IntN(2) == 0)
			if rng.IntN(4) == 0 {
				q.Add("result", "*")
			}
			s := treeSources(whole)
			want, err := q.Tree(context.Background(), s, at, query.TreeOptions{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range indexes {
				s[0].PositionIndex = x
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

// TestIndexUpdate: an index to which appended games are added counts the same as a new one, and gives the same trees.
func TestIndexUpdate(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 3))
	made, games := generated(t, 1600, archive.WithBlockGames(100))
	few, _ := generated(t, 3)
	text := bytes.Repeat([]byte(turning+besides+ownGames), 60)
	notes := pack(t, text, archive.WithBlockGames(50))
	gen := gamegen.New(77)
	var more bytes.Buffer
	w := archive.NewWriter(&more)
	for range 300 {
		g := new(game.Game)
		gen.Next(g)
		games = append(games, g)
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name       string
		base, more []byte
		variations bool
	}{
		{"new games", made, more.Bytes(), false}, {"the same games", made, few, false},
		{"nothing", made, pack(t, nil), false},
		{"most are new", few, made, false}, {"variations", notes, pack(t, []byte(besides+turning)), true},
		{"common ones", notes, pack(t, bytes.Repeat([]byte(turning+besides+annotatedBesides), 20)), true},
		{"from nothing", pack(t, nil), few, true},
	} {
		base, more := archiveOf(t, c.base), archiveOf(t, c.more)
		whole := archiveOf(t, base, more)
		old := buildIndex(t, base, query.IndexOptions{Variations: c.variations})
		file, counts, err := updateIndex(t, old, whole, query.IndexOptions{Workers: 2})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		again, _, err := updateIndex(t, old, whole, query.IndexOptions{Workers: 3}.Small(50, 1, 1))
		if err != nil || !bytes.Equal(again, file) {
			t.Errorf("%s: other bytes in little memory: %v", c.name, err)
		}
		updated, fresh := openIndex(t, file), openIndex(t,
			buildIndex(t, whole, query.IndexOptions{Variations: c.variations}))
		if err := updated.Verify(context.Background(), nil); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if counts != updated.Counts() || updated.Variations() != c.variations || updated.Segments() == 1 &&
			counts != fresh.Counts() {
			t.Errorf("%s: %+v, and a new one has %+v", c.name, counts, fresh.Counts())
		}
		var small bytes.Buffer
		if err := query.CompactIndex(context.Background(), &small, updated); err != nil {
			t.Fatal(err)
		}
		compact := openIndex(t, small.Bytes())
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
			for i, x := range []*query.PositionIndex{fresh, updated, compact} {
				s := treeSources(whole)
				s[0].PositionIndex = x
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
	// Another archive, one that is shorter, and one whose first blocks are others.
	old := buildIndex(t, archiveOf(t, made), query.IndexOptions{})
	for _, data := range [][]byte{archiveOf(t, few), archiveOf(t, few, made), archiveOf(t, notes, made)} {
		if file, _, err := updateIndex(t, old, data, query.IndexOptions{}); !errors.Is(err, query.ErrOtherArchive) ||
			!bytes.Equal(file, old) {
			t.Error(err)
		}
	}
}

// annotatedBesides has variations of what others play.
const annotatedBesides = `[Event "e"]
[Result "0-1"]

1. e4 (1. Nf3 Nf6 (1... d5)) 1... e5 {a move} (1... c5 2. Nf3) 0-1

`

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
	data, _ := generated(t, 300, archive.WithBlockGames(10))
	s := query.Source{Name: "a.p11", Reader: bytes.NewReader(data), Size: int64(len(data))}
	o := query.IndexOptions{Temp: filepath.Join(t.TempDir(), "x"), Workers: 2}
	index := buildIndex(t, data, o)
	x := openIndex(t, index)
	for name, do := range map[string]func(ctx context.Context) error{
		"BuildIndex": func(ctx context.Context) error { _, err := query.BuildIndex(ctx, io.Discard, s, o); return err },
		"UpdateIndex": func(ctx context.Context) error {
			f := &indexFile{data: index}
			_, err := query.UpdateIndex(ctx, f, int64(len(index)), s, o)
			return err
		},
		"Verify": func(ctx context.Context) error { return x.Verify(ctx, nil) },
		"Candidates": func(ctx context.Context) error {
			_, _, err := x.Candidates(ctx, exactQuery(t, position.Start()))
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
	o.Progress = func(p query.IndexProgress) {
		if p.Games == 300 {
			cancel()
		}
	}
	if _, err := query.BuildIndex(ctx, io.Discard, s, o); !errors.Is(err, context.Canceled) {
		t.Errorf("BuildIndex, when all games are replayed: %v", err)
	}
}
