// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"testing"

	"ply11/internal/bounded"
	"ply11/internal/gamegen"
	"ply11/internal/querytest"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

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
		if err = made.Verify(context.Background(), nil); made.Stats() != stats {
			t.Errorf("it tells of %+v, and the file of %+v", stats, made.Stats())
		}
	}
	return b.Bytes(), err
}

// TestMergeTrees: the sum of the tree files of parts is that of all their games, byte for byte, in any order, with
// parts and pages of any size. Where the parts leave out games, the sum lacks no more than it says.
func TestMergeTrees(t *testing.T) {
	gen := gamegen.New(7)
	var archives [][]byte
	for i := range 4 {
		data, _ := querytest.ArchiveBy(t, gen, 100*i+1)
		archives = append(archives, data)
	}
	whole := archiveOf(t, archives...)
	for _, c := range []struct{ part, entries, levels int }{{0, 0, 0}, {600, 680, 0}, {600, 30, 1}, {300, 12, 2},
		{300, 5, 3}} {
		small := index.TreeOptions{MaxPly: 12}.Small(c.part, c.entries)
		least := func(n int) index.TreeOptions {
			o := small
			o.MinGames = n
			return o
		}
		var all, few [][]byte
		for _, data := range archives {
			all = append(all, querytest.BuildTree(t, data, small))
			few = append(few, querytest.BuildTree(t, data, least(3)))
		}
		want := querytest.BuildTree(t, whole, small)
		full := querytest.OpenTree(t, want)
		if err := full.Verify(context.Background(), nil); err != nil || full.Levels() != c.levels {
			t.Fatalf("%+v: %d levels, %v", c, full.Levels(), err)
		}
		for _, n := range []int{1, 2, 7} {
			want := querytest.BuildTree(t, whole, least(n))
			if got, err := mergeTrees(t, least(n), all[3], all[1], all[0], all[2]); err != nil ||
				!bytes.Equal(got, want) {
				t.Errorf("%+v, %d games or more: another file: %v", c, n, err)
			}
		}
		two, err := mergeTrees(t, small, all[3], all[0])
		if err != nil {
			t.Fatal(err)
		}
		if got, err := mergeTrees(t, small, all[2], two, all[1]); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%+v: the sum of a sum is another file: %v", c, err)
		}
		sum, err := mergeTrees(t, least(5), few...)
		if err != nil {
			t.Fatal(err)
		}
		part := querytest.OpenTree(t, sum)
		stats, most := part.Stats(), 0
		if stats.MinGames != 5 || stats.Missing != 4*2+4 || stats.Games != full.Stats().Games {
			t.Errorf("%+v: %+v", c, stats)
		}
		start := position.Start()
		for _, m := range start.LegalMoves(nil) {
			at := start
			at.Make(m)
			var games [2]int
			for i, x := range []*index.TreeFile{part, full} {
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
			most = max(most, games[1]-games[0])
		}
		if most == 0 {
			t.Errorf("%+v: no game is missing: this tests too little", c)
		}
	}
	if _, err := mergeTrees(t, index.TreeOptions{}, querytest.BuildTree(t, whole, index.TreeOptions{MaxPly: 3}),
		querytest.BuildTree(t, whole, index.TreeOptions{MaxPly: 4})); !errors.Is(err, index.ErrPlies) {
		t.Error(err)
	}
}

// TestTreeFileRefused: whichever byte of a tree file is changed, and wherever it is cut off, the file is refused.
func TestTreeFileRefused(t *testing.T) {
	data, _ := querytest.Generated(t, 60)
	made := querytest.BuildTree(t, data, index.TreeOptions{MaxPly: 6}.Small(200, 4))
	verify := func(file []byte, size int) error {
		x, err := index.OpenTree(bytes.NewReader(file), int64(size))
		if err == nil {
			err = x.Verify(context.Background(), nil)
		}
		return err
	}
	if err := verify(made, len(made)); err != nil || querytest.OpenTree(t, made).Levels() < 2 {
		t.Fatal(len(made), err)
	}
	for i := range made {
		changed := bytes.Clone(made)
		changed[i] ^= 1 << (i % 8)
		for _, err := range []error{verify(changed, len(made)), verify(made[:i], i), verify(made[:i], len(made))} {
			if !isIndexError(err) {
				t.Errorf("byte %d: %v", i, err)
			}
		}
	}
	for file, want := range map[string]error{"": index.ErrNotTree, string(data): index.ErrNotTree,
		string(made) + "x": index.ErrCorrupt, string(made[:8]) + "\x02" + string(made[9:]): index.ErrVersion} {
		if err := verify([]byte(file), len(file)); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// FuzzTreeFile changes a tree file below its checksums: opening, verifying and looking up end with an *Error or an
// answer.
func FuzzTreeFile(f *testing.F) {
	data := querytest.Pack(f, bytes.Repeat([]byte(turning), 130))
	files := [][]byte{querytest.BuildTree(f, data, index.TreeOptions{}),
		querytest.BuildTree(f, data, index.TreeOptions{MaxPly: 3}.Small(100, 2))}
	for i, file := range files {
		for k := range index.SealedTree(file) {
			f.Add(uint8(i), uint16(k), uint16(k), []byte{1})
			f.Add(uint8(i), uint16(k), uint16(14), []byte{255, 255, 255, 127})
		}
	}
	bounded.Fuzz(f, func(t *testing.T, file uint8, part, at uint16, change []byte) {
		made := bytes.Clone(files[int(file)%len(files)])
		parts := index.SealedTree(made)
		p := parts[int(part)%len(parts)]
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
			}
			if err != nil && !isIndexError(err) {
				t.Errorf("%v", err)
			}
		}
	})
}
