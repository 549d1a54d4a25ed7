// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/gamegen"
	"ply11/internal/querytest"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

// growing are archives that each begin with the one before, and the games of the last.
func growing(tb testing.TB, sizes ...int) (list [][]byte, games []*game.Game) {
	tb.Helper()
	gen := gamegen.New(31)
	var parts [][]byte
	for _, n := range sizes {
		part, more := querytest.ArchiveBy(tb, gen, n, archive.WithBlockGames(100))
		games, parts = append(games, more...), append(parts, part)
		list = append(list, archiveOf(tb, parts...))
	}
	return list, games
}

// somewhere is a position of some game, mostly an early one.
func somewhere(rng *rand.Rand, games []*game.Game) position.Position {
	g := games[rng.IntN(len(games))]
	at := g.Start
	moves := g.AppendMainLine(nil)
	for _, m := range moves[:rng.IntN(min(len(moves), []int{4, 12, 300}[rng.IntN(3)])+1)] {
		at.Make(m)
	}
	return at
}

// treesOf are trees of positions by an index.
func treesOf(tb testing.TB, data, made []byte, list []position.Position, add ...string) []*query.Tree {
	tb.Helper()
	s := querytest.Sources(data)
	if made != nil {
		s[0].Index = querytest.OpenIndex(tb, made)
	}
	q := query.New()
	for i := 0; i < len(add); i += 2 {
		if err := q.Add(add[i], add[i+1]); err != nil {
			tb.Fatal(err)
		}
	}
	trees, err := q.Trees(context.Background(), s, list, query.TreeOptions{Workers: 1})
	if err != nil {
		tb.Fatal(err)
	}
	for _, t := range trees {
		t.Cost = query.TreeCost{}
	}
	return trees
}

// TestIndexSegments: an index that is updated again and again answers as a new one, has few segments, and an update
// costs little.
func TestIndexSegments(t *testing.T) {
	testenv.Slow(t)
	sizes := []int{3000}
	for range 30 {
		sizes = append(sizes, 30)
	}
	archives, games := growing(t, sizes...)
	made := querytest.BuildIndex(t, archives[0], index.Options{})
	first := len(made)
	rng := rand.New(rand.NewPCG(31, 1))
	most, written := 0, 0
	for i, data := range archives[1:] {
		f := &indexFile{memory: memory{Data: slices.Clone(made)}}
		s := querytest.Sources(data)[0].File()
		reads := &countingReader{r: s.Reader}
		s.Reader = reads
		if _, err := index.Update(context.Background(), f, int64(len(made)), s, index.Options{
			Temp: t.TempDir() + "/x", Workers: 1}); err != nil {
			t.Fatal(err)
		}
		opened := &countingReader{r: bytes.NewReader(data)}
		if _, err := archive.NewReader(opened, int64(len(data))); err != nil {
			t.Fatal(err)
		}
		// Update, builder and goroutine open the archive.
		if i == 0 && (f.writes > first/20 || reads.n-3*opened.n > int64(len(data))/20) {
			t.Errorf("1 %% more games: %d bytes are written to an index of %d, and %d are read of an archive of %d",
				f.writes, first, reads.n, len(data))
		}
		if !bytes.Equal(f.Data[64:first], made[64:first]) {
			t.Fatal("old bytes were changed")
		}
		made = f.Data
		written += f.writes
		x := querytest.OpenIndex(t, made)
		most = max(most, len(x.Segments()))
		if err := x.Verify(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		if i%10 == 9 {
			var list []position.Position
			for range 200 {
				list = append(list, somewhere(rng, games[:3000+30*(i+1)]))
			}
			fresh := querytest.BuildIndex(t, data, index.Options{})
			for _, terms := range [][]string{nil, {"result", "1-0"}} {
				if got, want := treesOf(t, data, made, list, terms...),
					treesOf(t, data, fresh, list, terms...); !reflect.DeepEqual(got, want) {
					t.Fatalf("%d updates: other trees", i+1)
				}
			}
			for _, at := range list {
				var games [2][]int
				for k, x := range []*index.Index{x, querytest.OpenIndex(t, fresh)} {
					var err error
					var narrow bool
					if games[k], narrow, _, err = querytest.ExactQuery(t, at).Candidates(context.Background(),
						x); err != nil ||
						!narrow {
						t.Fatal(narrow, err)
					}
				}
				// Of a rare position, other games may be named, too.
				s := querytest.Sources(data)
				want, err := query.New().Tree(context.Background(), s, at, query.TreeOptions{Workers: 1})
				if err != nil || want.All.Games > min(len(games[0]), len(games[1])) {
					t.Errorf("%d games, and lists of %d and %d: %v", want.All.Games, len(games[0]), len(games[1]), err)
				}
			}
		}
	}
	if most < 3 || most > 6 {
		t.Errorf("%d segments", most)
	}
	if written > 3*first {
		t.Errorf("30 updates of 1 %% write %d bytes, and the index had %d", written, first)
	}
}

// countingReader counts what is read.
type countingReader struct {
	r interface {
		ReadAt(b []byte, at int64) (int, error)
	}
	n int64
}

func (c *countingReader) ReadAt(b []byte, at int64) (int, error) {
	c.n += int64(len(b))
	return c.r.ReadAt(b, at)
}

// TestIndexUpdateKilled: an update that ends after any number of bytes leaves the old index or the new one, for open
// readers too, and the next update goes on.
func TestIndexUpdateKilled(t *testing.T) {
	archives, games := growing(t, 300, 40, 3)
	base := querytest.BuildIndex(t, archives[0], index.Options{})
	var list []position.Position
	rng := rand.New(rand.NewPCG(31, 2))
	for range 20 {
		list = append(list, somewhere(rng, games))
	}
	update := func(f *indexFile, data []byte) error {
		_, err := index.Update(context.Background(), f, int64(len(f.Data)), querytest.Sources(data)[0].File(),
			index.Options{Temp: t.TempDir() + "/x", Workers: 1})
		return err
	}
	for step, from := range [][]byte{base, nil} {
		before, after := archives[step], archives[step+1]
		if from == nil {
			f := &indexFile{memory: memory{Data: slices.Clone(base)}}
			if err := update(f, archives[1]); err != nil {
				t.Fatal(err)
			}
			from = f.Data
		}
		all := &indexFile{memory: memory{Data: slices.Clone(from)}}
		if err := update(all, after); err != nil {
			t.Fatal(err)
		}
		want := treesOf(t, after, all.Data, list)
		old := treesOf(t, before, from, list)
		seen := map[bool]int{}
		for room := 0; room <= all.writes; room += 1 + min(room, all.writes-room)/20 {
			f := &indexFile{memory: memory{Data: slices.Clone(from)}, limit: true, room: room}
			live, err := index.Open(f, int64(len(f.Data)))
			if err != nil {
				t.Fatal(err)
			}
			if err := update(f, after); room < all.writes && !errors.Is(err, errFull) || room >= all.writes &&
				err != nil {
				t.Fatalf("%d bytes: %v", room, err)
			}
			if err := live.Verify(context.Background(), nil); err != nil {
				t.Fatalf("%d bytes: who reads it: %v", room, err)
			}
			x, err := index.Open(bytes.NewReader(f.Data), int64(len(f.Data)))
			if err != nil {
				t.Fatalf("%d bytes of %d: %v", room, all.writes, err)
			}
			if err := x.Verify(context.Background(), nil); err != nil {
				t.Fatalf("%d bytes: %v", room, err)
			}
			done := x.Games() == querytest.OpenIndex(t, all.Data).Games()
			seen[done]++
			if data := before; done {
				if got := treesOf(t, after, f.Data, list); !reflect.DeepEqual(got, want) {
					t.Fatalf("%d bytes: other trees", room)
				}
			} else if got := treesOf(t, data, f.Data, list); !reflect.DeepEqual(got, old) {
				t.Fatalf("%d bytes: other trees", room)
			}
			f.limit, f.killed = false, false
			if err := update(f, after); err != nil {
				t.Fatalf("%d bytes, and again: %v", room, err)
			}
			if got := treesOf(t, after, f.Data, list); !reflect.DeepEqual(got, want) {
				t.Fatalf("%d bytes, and again: other trees", room)
			}
			if err := querytest.OpenIndex(t, f.Data).Verify(context.Background(), nil); err != nil {
				t.Fatalf("%d bytes, and again: %v", room, err)
			}
		}
		if seen[false] < 50 || seen[true] == 0 {
			t.Errorf("%v", seen)
		}
	}
}
