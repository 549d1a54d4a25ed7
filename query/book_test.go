// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/game/pgn"
	"ply11/internal/querytest"
	"ply11/internal/testenv"
	"ply11/query"
	"ply11/query/index"
)

// TestOr: of two queries either may be met.
func TestOr(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	tried, more := 0, 0
	eachFile(t, func(f dataFile, games []plainGame, archives []form) {
		for range testenv.Pick(60, 20) {
			a, b := randomSample(rng, games), randomSample(rng, games)
			var or []string
			for _, term := range b.terms {
				or = append(or, term[0]+"="+term[1])
			}
			text := strings.Join(or, "; ")
			if strings.Count(text, ";") != len(or)-1 || slices.ContainsFunc(b.terms, func(t [2]string) bool {
				return t[0] == "not" || strings.TrimSpace(t[1]) != t[1]
			}) {
				continue
			}
			b.variations, b.mirror, b.swap, b.invalid = a.variations, a.mirror, a.swap, a.invalid
			both := a
			both.terms = append(slices.Clone(a.terms), [2]string{"or", text})
			data := archives[rng.IntN(len(archives))].data
			if b.query(t).Check() != nil {
				continue // castling has no mirror image
			}
			isNot := func(t [2]string) bool { return t[0] == "not" }
			own := slices.DeleteFunc(slices.Clone(a.terms), isNot)
			b.terms = append(slices.Clone(b.terms), slices.DeleteFunc(slices.Clone(a.terms),
				func(t [2]string) bool { return !isNot(t) })...)
			want := map[int]query.Hit{}
			for _, s := range []sample{b, a}[:1+min(1, len(own))] { // the first has the hits
				for _, found := range scan(t, s.query(t), data, query.Options{}) {
					want[found.game] = query.Hit{}
					if len(found.hits) > 0 {
						want[found.game] = found.hits[0]
					}
				}
			}
			tried++
			if n := len(scan(t, a.query(t), data, query.Options{})); n < len(want) {
				more++
			}
			got := map[int]query.Hit{}
			for _, found := range scan(t, both.query(t), data, query.Options{}) {
				got[found.game] = query.Hit{}
				if len(found.hits) > 0 {
					got[found.game] = found.hits[0]
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%s: %q: %d games, want %d:\n%v\n%v", f.name, both.terms, len(got), len(want), got, want)
			}
		}
	})
	if more < tried/4 {
		t.Errorf("of %d queries %d find more than without or", tried, more)
	}
}

// TestBooks compares where games leave what was played, and a repertoire, with a replay.
func TestBooks(t *testing.T) {
	left, stayed := 0, 0
	eachFile(t, func(f dataFile, games []plainGame, archives []form) {
		of := map[uint64]map[int]bool{} // games by positions
		for i := range games {
			for k := range games[i].main {
				h := games[i].main[k].at.Hash()
				if of[h] == nil {
					of[h] = map[int]bool{}
				}
				of[h][i] = true
			}
		}
		data := archives[0].data
		sources := indexed(t, map[*byte][]byte{}, data)
		var err error
		sources[0].Archive, err = sources[0].Index.Archive(sources[0].File())
		testenv.Must(t, err)
		compare := func(name string, b query.Book, leaves func(g *plainGame, k int) bool) {
			q := query.New()
			q.Leave(b)
			want := map[int]int{}
			for i := range games {
				g := &games[i]
				for k := 1; k < len(g.main) && !g.lost; k++ {
					if leaves(g, k) {
						want[g.number] = g.main[k].ply
						break
					}
				}
			}
			got := map[int]int{}
			for _, found := range scan(t, q, data, query.Options{}) {
				got[found.game] = found.hits[0].Plies[0]
			}
			if !maps.Equal(got, want) {
				t.Errorf("%s: %s: %d games, want %d", f.name, name, len(got), len(want))
			}
			left, stayed = left+len(want), stayed+len(games)-len(want)
		}
		compare("novelty", query.NewNovelty(t.Context(), sources, 1), func(g *plainGame, k int) bool {
			return len(of[g.main[k].at.Hash()]) < 2
		})
		compare("none", query.NewNovelty(t.Context(), sources, 0), func(g *plainGame, k int) bool { return false })
		played := map[string]map[string]bool{} // by position and side, of the first games, with variations
		book := query.Repertoire{}
		n := 0
		for g, err := range pgn.NewReader(strings.NewReader(string(f.text))).All() {
			if n++; n > 20 || n > len(games) {
				break
			}
			if err != nil {
				continue
			}
			book.Add(g)
			all := games[n-1].all
			for k := range all {
				if p := all[k].parent; p >= 0 {
					at := key(&all[p].at)
					if played[at] == nil {
						played[at] = map[string]bool{}
					}
					played[at][all[k].by.move.String()] = true
				}
			}
		}
		compare("repertoire", book, func(g *plainGame, k int) bool {
			moves := played[key(&g.main[k-1].at)]
			return len(moves) > 0 && !moves[g.main[k].by.move.String()]
		})
	})
	if left < 100 || stayed < 100 {
		t.Errorf("%d leave and %d do not: they test too little", left, stayed)
	}
}

// TestTreeOr: in a tree, games may meet one of two conditions.
func TestTreeOr(t *testing.T) {
	data := querytest.Pack(t, []byte(ownGames))
	with := indexed(t, map[*byte][]byte{}, data)
	count := func(sources []query.Source, terms ...[2]string) (list []*index.Branch) {
		q := query.New()
		for _, term := range terms {
			testenv.Must(t, q.Add(term[0], term[1]))
		}
		at, err := query.ParsePosition("", "")
		testenv.Must(t, err)
		tree, err := q.Tree(t.Context(), sources, at, query.TreeOptions{})
		testenv.Must(t, err)
		return branchesOf(tree)
	}
	sum := func(list []*index.Branch) (n int) {
		for _, b := range list {
			n += b.Games
		}
		return n
	}
	for _, sources := range [][]query.Source{with, querytest.Sources(data)} {
		white, other := sum(count(sources, [2]string{"result", "1-0"})), sum(count(sources, [2]string{"result", "0-1"}))
		either := sum(count(sources, [2]string{"result", "1-0"}, [2]string{"or", "result=0-1"}))
		if white == 0 || other == 0 || either != white+other {
			t.Errorf("%d and %d, either %d", white, other, either)
		}
	}
}
