// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/bounded"
	"ply11/internal/gamegen"
	"ply11/internal/querytest"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

// mergeTrees adds tree files up.
func mergeTrees(t testing.TB, o index.TreeOptions, files ...[]byte) ([]byte, error) {
	t.Helper()
	var list []*index.TreeFile
	for _, f := range files {
		list = append(list, querytest.OpenTree(t, f))
	}
	o.Temp = filepath.Join(t.TempDir(), "x")
	var b bytes.Buffer
	stats, err := index.MergeTrees(context.Background(), &b, list, o)
	if err == nil {
		made := querytest.OpenTree(t, b.Bytes())
		if made.Stats() != stats {
			t.Errorf("it tells of %+v, and the file of %+v", stats, made.Stats())
		}
		if err := made.Verify(context.Background(), nil); err != nil {
			t.Error(err)
		}
	}
	return b.Bytes(), err
}

// TestMergeTrees: the sum of the tree files of parts is that of all their games, byte for byte, in any order, with
// parts and pages of any size, and also where few games are left out of the sum. Where the parts leave out games, the
// sum lacks no more than it says.
func TestMergeTrees(t *testing.T) {
	const parts, last = 4, 12
	gen := gamegen.New(7)
	var archives [][]byte
	for i := range parts {
		data, _ := querytest.ArchiveBy(t, gen, 100*i+1)
		archives = append(archives, data)
	}
	whole := archiveOf(t, archives...)
	for _, c := range []struct {
		part, entries, levels int
	}{{0, 0, 0}, {600, 680, 0}, {600, 30, 1}, {300, 12, 2}, {300, 5, 3}} {
		build := func(data []byte, least int) []byte {
			o := index.TreeOptions{MinGames: least, MaxPly: last}
			return querytest.BuildTree(t, data, o.Small(c.part, c.entries))
		}
		var all, pruned [][]byte
		for _, data := range archives {
			all, pruned = append(all, build(data, 1)), append(pruned, build(data, 3))
		}
		want := build(whole, 1)
		x := querytest.OpenTree(t, want)
		if err := x.Verify(context.Background(), nil); err != nil || x.Levels() != c.levels {
			t.Fatalf("%+v: %d levels, %v", c, x.Levels(), err)
		}
		for _, order := range [][]int{{0, 1, 2, 3}, {3, 1, 0, 2}} {
			for _, least := range []int{0, 1, 2, 7} {
				var files [][]byte
				for _, i := range order {
					files = append(files, all[i])
				}
				got, err := mergeTrees(t, index.TreeOptions{MinGames: least}.Small(c.part, c.entries), files...)
				if err != nil || !bytes.Equal(got, build(whole, max(least, 1))) {
					t.Errorf("%+v, %d games or more, in order %v: another file: %v", c, least, order, err)
				}
			}
		}
		// The sum of a sum.
		two, err := mergeTrees(t, index.TreeOptions{}.Small(c.part, c.entries), all[3], all[0])
		if err != nil {
			t.Fatal(err)
		}
		if got, err := mergeTrees(t, index.TreeOptions{}.Small(c.part, c.entries), all[2], two, all[1]); err != nil ||
			!bytes.Equal(got, want) {
			t.Errorf("%+v: the sum of a sum is another file: %v", c, err)
		}
		sum, err := mergeTrees(t, index.TreeOptions{MinGames: 5}.Small(c.part, c.entries), pruned...)
		if err != nil {
			t.Fatal(err)
		}
		few, full := querytest.OpenTree(t, sum), querytest.OpenTree(t, want)
		stats := few.Stats()
		if stats.MinGames != 5 || stats.Missing != parts*2+4 || stats.Games != full.Stats().Games {
			t.Errorf("%+v: %+v", c, stats)
		}
		lack := 0
		for _, at := range positionsOf(t, whole) {
			var games [2]int
			for i, x := range []*index.TreeFile{few, full} {
				tree, err := query.New().Tree(context.Background(), []query.Source{{Counts: x}}, at,
					query.TreeOptions{})
				if err != nil {
					t.Fatal(err)
				}
				games[i] = tree.All.Games
			}
			if games[0] > games[1] || games[1]-games[0] > int(stats.Missing) {
				t.Errorf("%+v: %s: %d games of %d", c, at.FEN(), games[0], games[1])
			}
			lack = max(lack, games[1]-games[0])
		}
		if lack < 4 {
			t.Errorf("%+v: at most %d games are missing: this tests too little", c, lack)
		}
	}
	short := querytest.BuildTree(t, archives[1], index.TreeOptions{MaxPly: 3})
	if _, err := mergeTrees(t, index.TreeOptions{}, short, querytest.BuildTree(t, archives[1],
		index.TreeOptions{MaxPly: 4})); !errors.Is(err, index.ErrPlies) {
		t.Error(err)
	}
	if got, err := mergeTrees(t, index.TreeOptions{}); err != nil || querytest.OpenTree(t, got).Stats().Positions != 0 {
		t.Error(err)
	}
}

// positionsOf returns some of the positions that the games of an archive reach.
func positionsOf(t *testing.T, data []byte) (list []position.Position) {
	t.Helper()
	r, err := archive.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range r.Len() {
		line, err := r.MainLine(nil, n+1)
		if err != nil {
			t.Fatal(err)
		}
		at := position.Start()
		for _, w := range line[:min(len(line), rnd.IntN(8))] {
			at.MakeIndex(w)
		}
		list = append(list, at)
	}
	return list
}

// reads counts what is asked of a file.
type reads struct {
	io.ReaderAt
	n, bytes int
}

func (r *reads) ReadAt(b []byte, at int64) (int, error) {
	r.n, r.bytes = r.n+1, r.bytes+len(b)
	return r.ReaderAt.ReadAt(b, at)
}

// TestTreeFileRefused: whichever byte of a tree file is changed, and wherever it is cut off, the file is refused. What
// is read to open it is bounded.
func TestTreeFileRefused(t *testing.T) {
	data, _ := querytest.Generated(t, 60)
	made := querytest.BuildTree(t, data, index.TreeOptions{MaxPly: 6}.Small(200, 4))
	verify := func(file []byte, size int) error {
		r := &reads{ReaderAt: bytes.NewReader(file)}
		x, err := index.OpenTree(r, int64(size))
		if r.n > 2 || r.bytes > 17<<10 {
			t.Fatalf("%d reads of %d bytes", r.n, r.bytes)
		}
		if err == nil {
			err = x.Verify(context.Background(), nil)
		}
		return err
	}
	if err := verify(made, len(made)); err != nil || len(made) < 2000 || querytest.OpenTree(t, made).Levels() < 2 {
		t.Fatal(len(made), err)
	}
	var bad *index.Error
	for i := range made {
		changed := bytes.Clone(made)
		changed[i] ^= 1 << (i % 8)
		if err := verify(changed, len(made)); !errors.As(err, &bad) {
			t.Errorf("byte %d: %v", i, err)
		}
		if err := verify(made[:i], i); !errors.As(err, &bad) {
			t.Errorf("cut off after %d bytes: %v", i, err)
		}
		if err := verify(made[:i], len(made)); !errors.As(err, &bad) {
			t.Errorf("cut off later, after %d bytes: %v", i, err)
		}
	}
	if err := verify(append(bytes.Clone(made), 0), len(made)+1); !errors.Is(err, index.ErrCorrupt) {
		t.Error(err)
	}
	for file, want := range map[string]error{"": index.ErrNotTree, string(data): index.ErrNotTree,
		string(querytest.BuildIndex(t, data, index.Options{})): index.ErrNotTree,
		string(made[:8]) + "\x02" + string(made[9:]):           index.ErrVersion} {
		if err := verify([]byte(file), len(file)); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// FuzzTreeFile changes a tree file below its checksums: opening, verifying, looking up and merging end with an *Error
// or an answer.
func FuzzTreeFile(f *testing.F) {
	data := querytest.Pack(f, bytes.Repeat([]byte(turning), 130))
	files := [][]byte{querytest.BuildTree(f, data, index.TreeOptions{}),
		querytest.BuildTree(f, data, index.TreeOptions{MaxPly: 3}.Small(100, 2))}
	var parts [][][2]int
	for i, file := range files {
		parts = append(parts, index.SealedTree(file))
		for k := range parts[i] {
			f.Add(uint8(i), uint16(k), uint16(k), []byte{1})
			f.Add(uint8(i), uint16(k), uint16(14), []byte{255, 255, 255, 127})
		}
	}
	bounded.Fuzz(f, func(t *testing.T, file uint8, part, at uint16, change []byte) {
		i := int(file) % len(files)
		made := bytes.Clone(files[i])
		p := parts[i][int(part)%len(parts[i])]
		body := made[p[0] : p[1]-4]
		for k, c := range change {
			body[(int(at)+k)%len(body)] ^= c
		}
		index.Seal(made[p[0]:p[1]])
		for _, made := range [][]byte{made, change} {
			x, err := index.OpenTree(bytes.NewReader(made), int64(len(made)))
			if err == nil {
				err = x.Verify(context.Background(), nil)
				for _, moves := range []string{"", "Nf3", "e4", "a4"} {
					at, _ := query.ParsePosition("", moves)
					if _, err := query.New().Tree(context.Background(), []query.Source{{Counts: x}}, at,
						query.TreeOptions{}); err != nil && !isIndexError(err) {
						t.Errorf("%v", err)
					}
				}
				if _, err := index.MergeTrees(context.Background(), io.Discard, []*index.TreeFile{x, x},
					index.TreeOptions{Temp: filepath.Join(t.TempDir(), "x")}); err != nil && !isIndexError(err) &&
					x.Stats().Games < 1<<35 && x.Stats().Missing < 1<<63 {
					t.Errorf("%v", err)
				}
			}
			if err != nil && !isIndexError(err) {
				t.Errorf("%v", err)
			}
		}
	})
}
