// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/internal/querytest"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

// TestPlayed compares Played with a plain reading, also with variations.
func TestPlayed(t *testing.T) {
	base, more := bytes.Repeat([]byte(turning+besides), 300), []byte(besides+turning+besides+ownGames)
	text := slices.Concat(base, more)
	old := querytest.Pack(t, base)
	var whole bytes.Buffer // of two segments
	if _, err := archive.Copy(context.Background(), &whole, []io.Reader{bytes.NewReader(old),
		bytes.NewReader(querytest.Pack(t, more))}); err != nil {
		t.Fatal(err)
	}
	data := whole.Bytes()
	games, _ := plainGames(t, text, 1<<30)
	r, err := archive.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	type found map[chess.Move][]int
	for _, variations := range []bool{false, true} {
		f, content := onDisk(t, querytest.BuildIndex(t, old, index.Options{Variations: variations}))
		if _, err := index.Update(context.Background(), f, int64(len(content())), querytest.Sources(data)[0].File(),
			index.Options{Temp: filepath.Join(t.TempDir(), "x")}); err != nil {
			t.Fatal(err)
		}
		x := querytest.OpenIndex(t, content())
		if len(x.Segments()) != 2 {
			t.Errorf("%d segments", len(x.Segments()))
		}
		want := map[uint64]found{}
		at := map[uint64]position.Position{}
		for i := range games {
			g := &games[i]
			if g.lost {
				continue
			}
			for k := range g.main {
				h := g.main[k].at.Hash()
				at[h] = g.main[k].at
				if want[h] == nil {
					want[h] = found{}
				}
				if k+1 < len(g.main) {
					m := g.main[k+1].by.move
					if list := want[h][m]; len(list) == 0 || list[len(list)-1] != g.number {
						want[h][m] = append(list, g.number)
					}
				}
			}
		}
		most := 0
		for h, p := range at {
			got, n := found{}, 0
			do := func(w moveindex.Index, list []int) error {
				m, _ := w.Move()
				got[m] = append(got[m], list...)
				n += len(list)
				return nil
			}
			if err := query.Played(context.Background(), x, r, p, math.MaxInt, do); err != nil {
				t.Fatal(err)
			}
			if !maps.EqualFunc(got, want[h], slices.Equal) {
				t.Fatalf("%s: %v, want %v", p.FEN(), got, want[h])
			}
			most = max(most, n)
			for _, fewer := range []int{n - 1, 0, -1, math.MinInt} {
				had := n
				if err := query.Played(context.Background(), x, r, p, fewer, do); n > 0 &&
					!errors.Is(err, query.ErrManyGames) || n != had {
					t.Fatalf("%s: at most %d games: %v after %d", p.FEN(), fewer, err, n-had)
				}
			}
			stop := errors.New("stop")
			if err := query.Played(context.Background(), x, r, p, math.MaxInt, func(moveindex.Index, []int) error {
				return stop
			}); (n > 0) != errors.Is(err, stop) {
				t.Fatalf("%s: %v", p.FEN(), err)
			}
		}
		t.Logf("%d positions, at most %d games", len(at), most)
		if most < 300 {
			t.Errorf("at most %d games have a position", most)
		}
		strange, _ := position.ParseFEN("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
		if err := query.Played(context.Background(), x, r, strange, math.MaxInt, func(moveindex.Index, []int) error {
			return errors.New("called")
		}); err != nil {
			t.Error(err)
		}
		// The tree of an archive that is open is the same, and the archive may have grown.
		s := query.Source{Name: "a", Reader: bytes.NewReader(nil), Index: x, Archive: r}
		got, err := query.New().Tree(context.Background(), []query.Source{s}, position.Start(), query.TreeOptions{})
		if err != nil || got.All.Games == 0 {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// onDisk writes a file, which can be changed, and gives what returns its content.
func onDisk(t *testing.T, data []byte) (*os.File, func() []byte) {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	testenv.Must(t, err)
	t.Cleanup(func() { f.Close() })
	_, err = f.Write(data)
	testenv.Must(t, err)
	return f, func() []byte {
		data, err := os.ReadFile(f.Name())
		testenv.Must(t, err)
		return data
	}
}
