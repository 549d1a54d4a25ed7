// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/internal/gamegen"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

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
	counts := sources[0][0].Index.Counts()
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
			all      index.Branch
			branches map[chess.Move]*index.Branch
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
			want[key(&at)] = &wanted{at: at, branches: map[chess.Move]*index.Branch{}}
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
							w.branches[g.moves[k]] = &index.Branch{Move: g.moves[k]}
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

// TestIndexPruned: a pruned index has what a replay of the first plies counts, and nothing else; it answers without the
// archive; conditions need it.
func TestIndexPruned(t *testing.T) {
	data, games := generated(t, 900, archive.WithBlockGames(100))
	for _, c := range []struct{ least, last int }{{2, 12}, {1, 3}, {5, 0}, {0, 6}, {1, 0}} {
		made := buildIndex(t, data, index.Options{MinGames: c.least, MaxPly: c.last})
		x := openIndex(t, made)
		if err := x.Verify(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		least, last, ok := x.Pruned()
		if c.last == 0 {
			c.last = 65535
		}
		if c.least = max(c.least, 1); !ok || least != c.least || last != c.last {
			t.Errorf("%+v: %d %d %v", c, least, last, ok)
		}
		// What a replay counts.
		type counted struct {
			all      index.Branch
			branches map[chess.Move]*index.Branch
		}
		want := map[string]*counted{}
		at := map[string]position.Position{}
		for j, g := range games {
			p := plainGame{number: j + 1, tags: g.Tags, result: g.Result}
			now := g.Start
			reached, played := map[string]bool{}, map[string]bool{}
			moves := g.AppendMainLine(nil)
			for k := 0; k <= min(len(moves), c.last); k++ {
				name := key(&now)
				w := want[name]
				if w == nil {
					w = &counted{branches: map[chess.Move]*index.Branch{}}
					want[name], at[name] = w, now
				}
				if !reached[name] {
					reached[name] = true
					plainBranch(&w.all, &p, 0)
				}
				if k == len(moves) {
					break
				}
				if m := moves[k]; !played[name+m.String()] {
					played[name+m.String()] = true
					if w.branches[m] == nil {
						w.branches[m] = &index.Branch{Move: m}
					}
					plainBranch(w.branches[m], &p, 0)
				}
				now.Make(moves[k])
			}
		}
		var list []position.Position
		var should []*query.Tree
		left, kept := uint64(0), uint64(0)
		for name, w := range want {
			tree := &query.Tree{}
			if w.all.Games >= c.least {
				tree = plainSorted(w.all, w.branches)
				kept++
				for _, b := range append([]*index.Branch{&tree.All}, branchesOf(tree)...) {
					b.Best, b.FirstYear, b.LastYear = nil, 0, 0
				}
			} else {
				left++
			}
			list, should = append(list, at[name]), append(should, tree)
		}
		if counts := x.Counts(); counts.Positions != kept || counts.Rare != left {
			t.Errorf("%+v: %+v, want %d and %d left out", c, counts, kept, left)
		}
		q := query.New()
		alone := []query.Source{{Name: "x", Index: x}} // without the archive
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
		q.Add("result", "1-0")
		if _, err := q.Trees(context.Background(), alone, list[:1], query.TreeOptions{}); err == nil ||
			!strings.Contains(err.Error(), "conditions need the archive") {
			t.Error(err)
		}
		if _, narrow, err := exactQuery(t, list[0]).Candidates(context.Background(), x); narrow || err != nil {
			t.Error("a pruned index tells of games", err)
		}
	}
}

func branchesOf(t *query.Tree) (list []*index.Branch) {
	for i := range t.Branches {
		list = append(list, &t.Branches[i])
	}
	return list
}
