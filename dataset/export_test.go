// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/dataset"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/datadir"
	"ply11/internal/tempfile"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query"
)

// text is games with scores, clocks, mates, variations, a null move, a start, castling, en passant, promotion, tags to
// escape, and an invalid one.
const text = `[Event "A \"quoted\" \\ name"]
[White "Zoë"]
[Result "1-0"]

1. e4 {[%eval 0.17] [%clk 0:03:00]} e5 {[%clk 0:02:59.5]} 2. Nf3 (2. f4 {[%eval 9]} exf4) f6 $4 {[%eval #5] bad}
3. Nxe5 1-0

[Event "Start"]
[SetUp "1"]
[FEN "r3k2r/6P1/8/3pP3/8/8/8/R3K2R w KQkq d6 0 10"]
[Result "0-1"]

{[%eval -3.5]} 10. exd6 {[%eval 500]} O-O-O+ {[%eval #-1000]} 11. g8=N Rde8+ {[%eval -0.01,20]} 12. Kf2 0-1

[Event "Null"]
[Event "again"]
[Result "1/2-1/2"]

1. d4 -- 2. c4 e5 1/2-1/2

[Event "Empty"]
[Result "*"]

*

[Event "Bad"]
[Result "*"]

1. e4 {[%eval 0.3] [%clk 0:01:00]} e5 2. Ke3 *
`

// pack makes an archive of a text.
func pack(tb testing.TB, text []byte, blocks int, dense bool) []byte {
	tb.Helper()
	var b bytes.Buffer
	if _, err := archive.Pack(context.Background(), &b, bytes.NewReader(text), archive.WithBlockGames(blocks),
		archive.WithDense(dense)); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// sourceOf makes an archive a source.
func sourceOf(name string, data []byte) query.Source {
	return query.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data))}
}

// files are the contents of a folder.
func files(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	m := map[string]string{}
	list, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range list {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			tb.Fatal(err)
		}
		m[e.Name()] = string(b)
	}
	return m
}

// export runs an export into a new folder.
func exportTo(tb testing.TB, dir string, o dataset.Options, sources ...query.Source) *dataset.Manifest {
	tb.Helper()
	o.Output = dir
	m, err := dataset.Export(tb.Context(), query.New(), sources, o)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// export runs an export of one archive.
func export(t testing.TB, source query.Source, o dataset.Options) (*dataset.Manifest, error) {
	return dataset.Export(t.Context(), query.New(), []query.Source{source}, o)
}

// equalFiles compares two folders.
func equalFiles(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %s differs: %.300q, want %.300q", what, name, got[name], want[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
}

// frozenJSONL is what text gives. It never changes.
const frozenJSONL = `{"file":"a.p11","game":1,"result":"1-0","moves":["e2e4","e7e5","g1f3","f7f6","f3e5"],"indices":[396,1460,1094,1717,1109],"evals":[17,null,null,31995,null],"clocks":[18000,17950,null,null,null],"tags":{"Event":"A \"quoted\" \\ name","White":"Zoë","Result":"1-0"}}
{"file":"a.p11","game":2,"result":"0-1","fen":"r3k2r/6P1/8/3pP3/8/8/8/R3K2R w KQkq d6 0 10","moves":["e5d6","e8c8","g7g8n","d8e8","e1f2"],"indices":[228,1340,1936,59,68],"start_eval":-350,"evals":[30000,-31000,null,-1,null],"tags":{"Event":"Start","SetUp":"1","FEN":"r3k2r/6P1/8/3pP3/8/8/8/R3K2R w KQkq d6 0 10","Result":"0-1"}}
{"file":"a.p11","game":3,"result":"1/2-1/2","moves":["d2d4","0000","c2c4","e7e5"],"indices":[395,1972,394,1460],"tags":{"Event":"Null","Result":"1/2-1/2"}}
{"file":"a.p11","game":4,"result":"*","moves":[],"indices":[],"tags":{"Event":"Empty","Result":"*"}}
{"file":"a.p11","game":5,"result":"*","moves":["e2e4","e7e5"],"indices":[396,1460],"evals":[30,null],"clocks":[6000,null],"tags":{"Event":"Bad","Result":"*"}}
`

func TestJSONL(t *testing.T) {
	for _, dense := range []bool{false, true} {
		var out bytes.Buffer
		m, err := export(t, sourceOf("dir/a.p11", pack(t, []byte(text), 2, dense)),
			dataset.Options{Job: dataset.Job{Format: "jsonl"}, Stream: &out})
		if err != nil {
			t.Fatal(err)
		}
		if out.String() != frozenJSONL {
			t.Errorf("dense %v:\n%s\nwant\n%s", dense, out.String(), frozenJSONL)
		}
		if m.Games != 5 || m.Rows != 5 || m.Plies != 16 {
			t.Errorf("%d games, %d rows, %d plies", m.Games, m.Rows, m.Plies)
		}
	}
}

// gameFiles are all files of games, with -short a third of the real ones.
func gameFiles(t *testing.T) (list []string) {
	t.Helper()
	roots, number := []string{".."}, 0
	if dir, ok := datadir.Dir(); ok {
		roots = append(roots, filepath.Join(dir, "pgn"))
	} else {
		t.Logf("the folder of real data is absent (set %s): the project's own files alone", datadir.Env)
	}
	for _, root := range roots {
		if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(strings.TrimSuffix(path, ".zst"), ".pgn") {
				if number++; root == ".." || number%testenv.Pick(1, 3) == 0 {
					list = append(list, path)
				}
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	if len(list) < 5 {
		t.Fatalf("%d files of games: some are missing", len(list))
	}
	return list
}

// readText reads a file of games, at most the first bytes of a large one.
func readText(t *testing.T, path string, most int64) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".zst") {
		z, err := zstd.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		r = z
	}
	b, err := io.ReadAll(io.LimitReader(r, most))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// most is the bytes of a file that a test takes.
func most(n int64) int64 {
	if testenv.Long {
		return math.MaxInt64
	}
	return n / int64(testenv.Pick(1, 10))
}

// TestEveryFile compares JSON Lines of every file of games with the games of the archive.
func TestEveryFile(t *testing.T) {
	for _, path := range gameFiles(t) {
		data := pack(t, readText(t, path, most(200_000)), 7, false)
		var out bytes.Buffer
		if _, err := export(t, sourceOf("a", data), dataset.Options{Job: dataset.Job{Format: "jsonl"},
			Stream: &out}); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		r, err := archive.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(&out)
		var g game.Game
		for n := 1; n <= r.Len(); n++ {
			var row struct {
				Game    uint64
				Result  string
				Fen     string
				Moves   []string
				Indices []moveindex.Index
				Evals   []*int
				Clocks  []*int
				Tags    map[string]string
			}
			if err := d.Decode(&row); err != nil {
				t.Fatalf("%s: game %d: %v", path, n, err)
			}
			b, i, err := r.Find(n)
			if err == nil {
				err = b.Game(i, &g)
			}
			if err != nil {
				t.Fatal(err)
			}
			if row.Game != uint64(n) || row.Result != g.Result.String() || row.Fen != "" && row.Fen != g.Start.FEN() ||
				row.Fen == "" && g.Start != position.Start() {
				t.Errorf("%s: game %d: %+v", path, n, row)
			}
			if len(row.Moves) != g.Len() || len(row.Indices) != g.Len() {
				t.Fatalf("%s: game %d has %d moves, want %d", path, n, len(row.Moves), g.Len())
			}
			node := game.Root
			for ply, m := range g.MainLine() {
				node = g.Next(node)
				index, _ := moveindex.Of(m)
				if row.Moves[ply-1] != m.String() || row.Indices[ply-1] != index {
					t.Fatalf("%s: game %d, ply %d: %s and %d", path, n, ply, row.Moves[ply-1], row.Indices[ply-1])
				}
				score, clock := dataset.NoScore, dataset.NoClock
				for e := range g.Items(node) {
					if e.Kind != game.Comment {
						continue
					}
					v, ok := game.Eval(e.Text)
					if !ok {
						v, ok = game.MatchEval(e.Text, (g.Start.Turn()+chess.Color(ply-1))&1)
					}
					if ok && score == dataset.NoScore {
						score = dataset.NewScore(v)
					}
					if v, ok := game.Clock(e.Text); ok && clock == dataset.NoClock {
						clock = int32(v.Milliseconds() / 10)
					}
				}
				if got := row.Evals; (got != nil && got[ply-1] != nil) != (score != dataset.NoScore) ||
					score != dataset.NoScore && *got[ply-1] != int(score.Short()) {
					t.Errorf("%s: game %d, ply %d: another score than %d", path, n, ply, score)
				}
				if got := row.Clocks; (got != nil && got[ply-1] != nil) != (clock != dataset.NoClock) ||
					clock != dataset.NoClock && *got[ply-1] != int(clock) {
					t.Errorf("%s: game %d, ply %d: another clock than %d", path, n, ply, clock)
				}
			}
			for name, value := range row.Tags {
				// What is no UTF-8 is replaced; the reader of PGN has made UTF-8 of all else.
				if want := strings.ToValidUTF8(g.Tag(name), "\ufffd"); value != want &&
					strings.ToValidUTF8(value, "\ufffd") != want {
					t.Errorf("%s: game %d: tag %s is %q, want %q", path, n, name, value, want)
				}
			}
		}
		if d.More() {
			t.Errorf("%s: more than %d rows", path, r.Len())
		}
	}
}

// manyGames is a text of n games of random lengths.
func manyGames(n int) []byte {
	var b bytes.Buffer
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		fmt.Fprintf(&b, "[Event \"%d\"]\n[WhiteElo \"%d\"]\n[Result \"1-0\"]\n\n", i, 1000+i)
		for k := range rng.IntN(9) {
			move := []string{"Nf3", "Nf6", "Ng1", "Ng8"}[k%4]
			fmt.Fprintf(&b, "%s {[%%eval 0.%d]} ", move, rng.IntN(10))
		}
		b.WriteString("1-0\n\n")
	}
	return b.Bytes()
}

// TestDeterministic: the bytes do not depend on the number of workers, and shards are of equal size.
func TestDeterministic(t *testing.T) {
	one, two := pack(t, manyGames(100), 16, false), pack(t, manyGames(37), 5, true)
	sources := []query.Source{sourceOf("one", one), sourceOf("two", two)}
	for _, format := range exportFormatsOfTests() {
		// The other formats have all in one case, which saves time.
		numbers, seeds := testenv.First([]int{1, 7, 150}, 2), uint64(3)
		if format != "jsonl" {
			numbers, seeds = []int{2}, 2
		}
		for _, shards := range numbers {
			for seed := range seeds {
				job := dataset.Job{Format: format, Shards: shards, Shuffle: seed > 0, Seed: seed}
				var first map[string]string
				for _, workers := range []int{1, 4} {
					dir := t.TempDir()
					m := exportTo(t, dir, dataset.Options{Job: job, Workers: workers}, sources...)
					got := files(t, dir)
					if first == nil {
						first = got
						if m.Games != 137 || !m.Complete || len(m.Shards) != shards {
							t.Errorf("%s: %d games in %d shards", format, m.Games, len(m.Shards))
						}
						for _, s := range m.Shards {
							n, all := s.Games, 137
							if n == 0 { // positions of any game
								n, all = s.Rows, m.Rows
							}
							if n < all/shards || n > (all-1)/shards+1 {
								t.Errorf("%s: %d of %d shards: %d of %d", format, s.Number, shards, n, all)
							}
						}
					}
					equalFiles(t, fmt.Sprintf("%s: %d shards, seed %d, %d workers", format, shards, seed, workers), got,
						first)
				}
			}
		}
	}
}

// exportFormatsOfTests are the names of all formats.
func exportFormatsOfTests() (names []string) {
	for _, f := range dataset.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// failing is a file that cannot be read after a number of reads.
type failing struct {
	io.ReaderAt
	left int
}

var errFailing = errors.New("the disk is gone")

func (f *failing) ReadAt(b []byte, at int64) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errFailing
	}
	return f.ReaderAt.ReadAt(b, at)
}

// TestContext: an export ends with its context, and goes on to the same data set.
func TestContext(t *testing.T) {
	data := pack(t, manyGames(60), 8, false)
	for _, shuffle := range []bool{false, true} {
		o := dataset.Options{Job: dataset.Job{Format: "jsonl", Shards: 3, Shuffle: shuffle}, Workers: 2}
		whole, dir := t.TempDir(), t.TempDir()
		exportTo(t, whole, o, sourceOf("a", data))
		ctx, cancel := context.WithCancel(t.Context())
		stopped := o
		stopped.Output = dir
		stopped.Progress = func(int64, int, int64) { cancel() }
		if _, err := dataset.Export(ctx, query.New(), []query.Source{sourceOf("a", data)}, stopped); !errors.Is(err,
			context.Canceled) {
			t.Errorf("shuffle %v: %v", shuffle, err)
		}
		if len(files(t, dir)) > 3 { // the manifest, and fewer than all shards
			t.Errorf("shuffle %v: all was written", shuffle)
		}
		exportTo(t, dir, o, sourceOf("a", data))
		equalFiles(t, fmt.Sprintf("shuffle %v", shuffle), files(t, dir), files(t, whole))
	}
}

// TestResume cuts an export off after each number of reads: it goes on to the same data set, and keeps whole files.
func TestResume(t *testing.T) {
	data := pack(t, manyGames(60), 8, false)
	defer func() { tempfile.Named = false }()
	for i, format := range exportFormatsOfTests() {
		tempfile.Named = i%2 == 1 // the two ways to make files
		step := testenv.Pick(7, 29)
		if format == "jsonl" {
			step = 1
		}
		o := dataset.Options{Job: dataset.Job{Format: format, Shards: 3}, Workers: 1}
		if i%3 == 1 {
			o.Shuffle, o.Seed = true, 5 // all is read before the first shard is begun
		}
		whole := t.TempDir()
		exportTo(t, whole, o, sourceOf("a", data))
		want := files(t, whole)
		kept := false
		for left := 0; ; left += step {
			dir := t.TempDir()
			o.Output = dir
			_, err := dataset.Export(t.Context(), query.New(),
				[]query.Source{{Name: "a", Reader: &failing{bytes.NewReader(data), left}, Size: int64(len(data))}}, o)
			if err == nil {
				break
			}
			if !errors.Is(err, errFailing) {
				t.Fatal(err)
			}
			before := map[string]fs.FileInfo{}
			for name, content := range files(t, dir) {
				if name != "manifest.json" && content != want[name] {
					t.Fatalf("%s: after %d reads %s is half-written", format, left, name)
				}
				before[name], _ = os.Stat(filepath.Join(dir, name))
			}
			exportTo(t, dir, o, sourceOf("a", data))
			equalFiles(t, fmt.Sprintf("%s: after %d reads", format, left), files(t, dir), want)
			for name, info := range before {
				if after, _ := os.Stat(filepath.Join(dir, name)); name != "manifest.json" {
					kept = true
					if !os.SameFile(info, after) {
						t.Errorf("%s: after %d reads %s is written again", format, left, name)
					}
				}
			}
		}
		if !kept && step == 1 {
			t.Errorf("%s: no shard was whole before the end", format)
		}
		// A file that is damaged, and one that is missing, are made again.
		names := slices.Sorted(maps.Keys(want))
		os.WriteFile(filepath.Join(whole, names[0]), []byte("x"), 0o666)
		os.Remove(filepath.Join(whole, names[len(names)-2]))
		middle := filepath.Join(whole, names[(len(names)-1)/2])
		info, err := os.Stat(middle)
		if err != nil {
			t.Fatal(err)
		}
		exportTo(t, whole, o, sourceOf("a", data))
		equalFiles(t, format+": mended", files(t, whole), want)
		if after, _ := os.Stat(middle); !os.SameFile(info, after) {
			t.Errorf("%s: mended: %s is written again", format, middle)
		}
		// Other options and other archives are refused, and replace with Force.
		other := o
		other.Output, other.Shards = whole, 2
		if _, err := export(t, sourceOf("a", data), other); !errors.Is(
			err, dataset.ErrOther) {
			t.Errorf("%s: %v", format, err)
		}
		o.Output = whole
		if _, err := export(t, sourceOf("b", data), o); !errors.Is(err,
			dataset.ErrOther) {
			t.Errorf("%s: %v", format, err)
		}
		equalFiles(t, format+": refused", files(t, whole), want)
		other.Force = true
		exportTo(t, whole, other, sourceOf("a", data))
		fresh := t.TempDir()
		other.Force = false
		exportTo(t, fresh, other, sourceOf("a", data))
		equalFiles(t, format+": replaced", files(t, whole), files(t, fresh))
	}
}

// TestInTheWay: files of others stay without Force.
func TestInTheWay(t *testing.T) {
	data := sourceOf("a", pack(t, []byte(text), 1024, false))
	dir := t.TempDir()
	path := filepath.Join(dir, "00001-of-00001.jsonl")
	os.WriteFile(path, []byte("mine"), 0o666)
	o := dataset.Options{Job: dataset.Job{Format: "jsonl"}, Output: dir}
	if _, err := export(t, data, o); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	o.Single, o.Output = true, path
	if _, err := export(t, data, o); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "mine" {
		t.Errorf("%q", b)
	}
	o.Force = true
	if _, err := export(t, data, o); err != nil {
		t.Error(err)
	}
	if b, _ := os.ReadFile(path); string(b) != strings.ReplaceAll(frozenJSONL, "a.p11", "a") {
		t.Errorf("%q", b)
	}
	for _, bad := range []string{"", "{}", `{"program":"ply11","version":1}`, strings.Repeat("[", 1<<20)} {
		os.WriteFile(path+"."+"manifest.json", []byte(bad), 0o666)
		o.Force = false
		if _, err := export(t, data, o); !errors.Is(err,
			codec.ErrCorrupt) && !errors.Is(err, dataset.ErrOrder) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
}

// TestOtherOrder: an export does not continue a data set of other labels or moves.
func TestOtherOrder(t *testing.T) {
	data := sourceOf("a", pack(t, []byte(text), 1024, false))
	for _, c := range []struct {
		old, new string
		want     error
	}{
		{`"a1b1"`, `"a1c1"`, dataset.ErrOther},
		{moveindex.TableSHA256, strings.Repeat("0", 64), dataset.ErrOrder},
		{`"moves": 1968`, `"moves": 1858`, dataset.ErrOrder},
		{`"count": 1858`, `"count": 1968`, dataset.ErrOther},
		{`"uint16"`, `"uint8"`, dataset.ErrOther},
	} {
		o := dataset.Options{Job: dataset.Job{Format: "npy", Labels: "lc0"}, Output: t.TempDir()}
		exportTo(t, o.Output, o, data)
		path := filepath.Join(o.Output, "manifest.json")
		b, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(b), c.old) {
			t.Fatalf("%v: no %s in the manifest", err, c.old)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(b), c.old, c.new, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		before := files(t, o.Output)
		if _, err := export(t, data, o); !errors.Is(err, c.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %v", c.new, err, c.want)
		}
		equalFiles(t, c.new, files(t, o.Output), before)
	}
}

// TestIllegal: an illegal move in an archive of right checksums is an error that names it.
func TestIllegal(t *testing.T) {
	g := game.New()
	var build game.Builder
	build.Reset(g)
	for _, s := range []string{"e2e4", "e7e5", "e1e3"} {
		m, err := chess.ParseUCI(s)
		if err != nil {
			t.Fatal(err)
		}
		build.Move(m)
	}
	data := archiveOf(t, game.New(), g)
	for _, format := range exportFormatsOfTests() {
		dir := t.TempDir()
		_, err := export(t, sourceOf("a.p11", data), dataset.Options{Job: dataset.Job{Format: format},
			Output: dir})
		// A format that wants the whole game has it verified by the archive.
		var bad *codec.Error
		if errors.As(err, &bad) && (bad.Game != 2 || bad.Ply != 3) || bad == nil && format != "parquet" ||
			!errors.Is(err, archive.ErrCorrupt) ||
			!strings.HasPrefix(err.Error(), "a.p11: ") || !strings.Contains(err.Error(), "game 2") {
			t.Errorf("%s: %v", format, err)
		}
		if got := files(t, dir); len(got) != 1 {
			t.Errorf("%s: %d files are left", format, len(got))
		}
	}
}
