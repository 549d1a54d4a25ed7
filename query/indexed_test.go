// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/internal/querytest"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

// key tells positions apart, as FEN does without its counters.
func key(p *position.Position) string {
	s := p.Setup()
	plain := plainPos{Setup: s}
	fields := strings.Fields(p.FEN())
	return fmt.Sprint(fields[0], fields[1], fields[2], plainTakeable(&plain))
}

// counted is what a replay counts in a position.
type counted struct {
	at       position.Position
	all      index.Branch
	branches map[chess.Move]*index.Branch
}

// count counts what games play in their first plies: in the positions of want, to which all are added if add is set.
func count(want map[string]*counted, games []*game.Game, last int, add bool, wanted func(g *plainGame) bool) {
	for j, g := range games {
		p := plainGame{number: j + 1, tags: g.Tags, result: g.Result, moves: g.AppendMainLine(nil)}
		if wanted != nil && !wanted(&p) {
			continue
		}
		at := g.Start
		played := map[*counted]map[chess.Move]bool{}
		for k := 0; k <= min(len(p.moves), last); k++ {
			name := key(&at)
			if want[name] == nil && add {
				want[name] = &counted{at: at, branches: map[chess.Move]*index.Branch{}}
			}
			w := want[name]
			if w != nil && played[w] == nil {
				played[w] = map[chess.Move]bool{}
				plainBranch(&w.all, &p, 0)
			}
			if k == len(p.moves) {
				break
			}
			if m := p.moves[k]; w != nil && !played[w][m] {
				played[w][m] = true
				if w.branches[m] == nil {
					w.branches[m] = &index.Branch{Move: m}
				}
				plainBranch(w.branches[m], &p, 0)
			}
			at.Make(p.moves[k])
		}
	}
}

// TestIndexAgainstReplay compares thousands of trees of thousands of games with a replay, with and without filters,
// fixed and dense.
func TestIndexAgainstReplay(t *testing.T) {
	n := 2000
	if testenv.Long {
		n = 30000
	}
	rng := rand.New(rand.NewPCG(15, 2))
	fixed, games := querytest.Generated(t, n)
	dense, _ := querytest.Generated(t, n, archive.WithDense(true), archive.WithBlockGames(100))
	indexes := map[*byte][]byte{}
	sources := [][]query.Source{indexed(t, indexes, fixed), indexed(t, indexes, dense)}
	counts := sources[0][0].Index.Counts()
	t.Logf("%d bytes, %+v", len(indexes[&fixed[0]]), counts)
	if counts.Common < 5 || counts.Rare < uint64(40*n) || counts.Positions-counts.Rare < uint64(n) {
		t.Errorf("%+v: they test too little", counts)
	}
	for i, filter := range append([]sample{{name: "none"}}, slices.DeleteFunc(gameSamples(), func(s sample) bool {
		return s.name != "rating" && s.name != "date" && s.name != "result" && s.name != "white" &&
			s.name != "black-rating"
	})...) {
		want := map[string]*counted{}
		some := 2000
		if i > 0 {
			some = 40
		}
		for k := range some {
			g := games[rng.IntN(n)]
			moves := g.AppendMainLine(nil)
			at := g.Start
			for _, m := range moves[:rng.IntN(min(len(moves), []int{3, 12, 300}[k%3])+1)] {
				at.Make(m)
			}
			want[key(&at)] = &counted{at: at, branches: map[chess.Move]*index.Branch{}}
		}
		count(want, games, math.MaxInt, false, filter.game)
		for s, source := range sources {
			var list []position.Position
			var should []*query.Tree
			for _, w := range want {
				if s == 1 && len(w.branches) < 2 && rng.IntN(20) > 0 {
					continue // dense games are slow to be asked
				}
				list, should = append(list, w.at, w.at), append(should, plainSorted(w.all, w.branches))
			}
			got, err := filter.query(t).Trees(context.Background(), source, list, query.TreeOptions{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			for i := range got { // each position comes twice
				if got[i].Cost = (query.TreeCost{}); !reflect.DeepEqual(got[i], should[i/2]) {
					t.Fatalf("%s: %s:\n got %+v\nwant %+v", filter.name, list[i].FEN(), got[i], should[i/2])
				}
			}
		}
	}
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

// TestTreeFile: a tree file has what a replay of the first plies counts, without the archive, which conditions need.
func TestTreeFile(t *testing.T) {
	data, games := querytest.Generated(t, 900, archive.WithBlockGames(100))
	for _, c := range []struct{ least, last int }{{2, 12}, {1, 3}, {5, 0}, {0, 6}, {0, 0}} {
		x := querytest.OpenTree(t, querytest.BuildTree(t, data, index.TreeOptions{MinGames: c.least, MaxPly: c.last}))
		if err := x.Verify(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		want := map[string]*counted{}
		if c.last == 0 {
			c.last = 65535
		}
		count(want, games, c.last, true, nil)
		c.least = max(c.least, 1)
		var list []position.Position
		var should []*query.Tree
		kept := uint64(0)
		for _, w := range want {
			tree := &query.Tree{}
			if w.all.Games >= c.least {
				tree = plainSorted(w.all, w.branches)
				kept++
				for _, b := range append([]*index.Branch{&tree.All}, branchesOf(tree)...) {
					b.Best, b.FirstYear, b.LastYear = nil, 0, 0
				}
			}
			list, should = append(list, w.at), append(should, tree)
		}
		stats := x.Stats()
		stats.Bytes = 0
		if stats != (index.TreeStats{Games: 900, Positions: kept, MinGames: c.least, MaxPly: c.last,
			Missing: uint64(c.least - 1)}) {
			t.Errorf("%+v: %+v, want %d positions", c, stats, kept)
		}
		q := query.New()
		alone := []query.Source{{Name: "x", Counts: x}}
		got, err := q.Trees(context.Background(), alone, list, query.TreeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if !reflect.DeepEqual(got[i].All, should[i].All) || len(got[i].Branches) != len(should[i].Branches) ||
				len(got[i].Branches) > 0 && !reflect.DeepEqual(got[i].Branches, should[i].Branches) {
				t.Fatalf("%+v: %s: %+v, want %+v", c, list[i].FEN(), got[i], should[i])
			}
		}
		conditions, variations := query.New(), query.New()
		conditions.Add("result", "1-0")
		variations.Variations(true)
		for _, q := range []*query.Query{conditions, variations} {
			if _, err := q.Trees(context.Background(), alone, list[:1], query.TreeOptions{}); !errors.Is(err,
				query.ErrCountsAlone) {
				t.Error(err)
			}
		}
	}
}

func branchesOf(t *query.Tree) (list []*index.Branch) {
	for i := range t.Branches {
		list = append(list, &t.Branches[i])
	}
	return list
}
