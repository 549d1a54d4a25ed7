// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"cmp"
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/internal/querytest"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

// plainSame tells whether two positions are the same but for their counters.
func plainSame(a, b *plainPos) bool {
	return a.Board == b.Board && a.Turn == b.Turn && a.Castling == b.Castling && plainTakeable(a) == plainTakeable(b)
}

// plainBranch counts a game by its tags.
func plainBranch(b *index.Branch, g *plainGame, source int) {
	b.Games++
	switch g.result {
	case game.WhiteWins:
		b.White++
	case game.Draw:
		b.Draws++
	case game.BlackWins:
		b.Black++
	}
	sum, known := 0, 0
	for i, r := range []*index.Ratings{&b.WhiteRating, &b.BlackRating} {
		n, err := strconv.Atoi(strings.TrimSpace(g.tag([]string{"WhiteElo", "BlackElo"}[i])))
		if err == nil && n >= 1 && n <= 9999 {
			r.Sum += int64(n)
			r.Games++
			sum += n
			known++
		}
	}
	if known < 2 {
		sum = 0
	}
	date := g.tag("Date")
	if date == "" || strings.HasPrefix(date, "?") {
		date = g.tag("UTCDate")
	}
	if len(date) >= 4 && strings.Trim(date[:4], "0123456789") == "" {
		if year, _ := strconv.Atoi(date[:4]); year > 0 {
			if b.FirstYear == 0 {
				b.FirstYear = year
			}
			b.FirstYear, b.LastYear = min(b.FirstYear, year), max(b.LastYear, year)
		}
	}
	b.Best = append(b.Best, index.Best{Source: source, Number: g.number, Sum: sum})
}

// plainTree makes a tree from all positions of all games.
func plainTree(sources [][]plainGame, want *plainPos, wanted func(g *plainGame) bool, variations bool) *query.Tree {
	var t query.Tree
	branches := map[chess.Move]*index.Branch{}
	for source, games := range sources {
		for i := range games {
			g := &games[i]
			if g.lost || wanted != nil && !wanted(g) {
				continue
			}
			reached := false
			played := map[chess.Move]bool{}
			list := g.main
			if variations {
				list = g.all
			}
			for k := range list {
				reached = reached || plainSame(&list[k], want)
				if p := list[k].parent; p >= 0 && plainSame(&list[p], want) {
					played[list[k].by.move] = true
				}
			}
			if reached {
				plainBranch(&t.All, g, source)
			}
			for m := range played {
				if branches[m] == nil {
					branches[m] = &index.Branch{Move: m}
				}
				plainBranch(branches[m], g, source)
			}
		}
	}
	return plainSorted(t.All, branches)
}

// plainSorted is the tree of branches, in order.
func plainSorted(all index.Branch, branches map[chess.Move]*index.Branch) *query.Tree {
	t := query.Tree{All: all}
	for _, b := range branches {
		t.Branches = append(t.Branches, *b)
	}
	slices.SortFunc(t.Branches, func(a, b index.Branch) int {
		i, _ := moveindex.Of(a.Move)
		j, _ := moveindex.Of(b.Move)
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(i, j))
	})
	cut := func(b *index.Branch) {
		slices.SortStableFunc(b.Best, func(a, b index.Best) int { return b.Sum - a.Sum })
		b.Best = b.Best[:min(len(b.Best), index.MaxBest)]
	}
	cut(&t.All)
	for i := range t.Branches {
		cut(&t.Branches[i])
	}
	return &t
}

// randomPosition takes a position of a game, more often an early one.
func randomPosition(rng *rand.Rand, games []plainGame) *plainPos {
	g := &games[rng.IntN(len(games))]
	n := len(g.main)
	if rng.IntN(3) > 0 {
		n = min(n, 1+rng.IntN(8))
	}
	return &g.main[rng.IntN(n)]
}

// TestTreeAgainstReplay compares trees of random positions with a replay: of all files, in several forms, with and
// without filters and indexes, of one archive and two.
func TestTreeAgainstReplay(t *testing.T) {
	testenv.Slow(t)
	rng := rand.New(rand.NewPCG(15, 1))
	filters := slices.DeleteFunc(gameSamples(), func(s sample) bool { return len(s.steps) > 0 || s.variations })
	filters = append(filters, sample{name: "none"})
	tried, several := 0, 0
	eachFile(t, func(f dataFile, games []plainGame, archives []form) {
		indexes := map[*byte][]byte{}
		n := 15
		if f.name == "own" {
			n = 300
		}
		for range n {
			want := randomPosition(rng, games)
			if g := &games[rng.IntN(len(games))]; len(g.all) > len(g.main) && rng.IntN(3) == 0 {
				want = &g.all[rng.IntN(len(g.all))]
			}
			s := &filters[len(filters)-1]
			if rng.IntN(2) == 0 {
				s = &filters[rng.IntN(len(filters))]
			}
			wanted := func(g *plainGame) bool {
				return (s.game == nil || s.game(g)) && !(s.invalid == query.SkipInvalid && g.invalid ||
					s.invalid == query.OnlyInvalid && !g.invalid)
			}
			a := archives[rng.IntN(len(archives))]
			files, plain := [][]byte{a.data}, [][]plainGame{games}
			if rng.IntN(4) == 0 {
				files, plain = append(files, archives[rng.IntN(len(archives))].data), append(plain, games)
			}
			q := s.query(t)
			variations := rng.IntN(3) == 0
			q.Variations(variations)
			got, err := q.Tree(context.Background(), querytest.Sources(files...), want.at, query.TreeOptions{
				Workers: 1 + rng.IntN(3)})
			if err != nil {
				t.Fatal(err)
			}
			indexed, err := q.Tree(context.Background(), indexed(t, indexes, files...), want.at, query.TreeOptions{
				Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if indexed.Cost = (query.TreeCost{}); !reflect.DeepEqual(got, indexed) {
				t.Fatalf("%s, %s, filter %s: %s:\nby scan  %+v\nby index %+v", f.name, a.name, s.name, want.at.FEN(),
					got, indexed)
			}
			if tried%4 == 0 {
				if parts := treeOfParts(t, q, want.at, files); !reflect.DeepEqual(got, parts) {
					t.Fatalf("%s, %s, filter %s: %s:\nof all   %+v\nof parts %+v", f.name, a.name, s.name,
						want.at.FEN(), got, parts)
				}
			}
			if should := plainTree(plain, want, wanted, variations); !reflect.DeepEqual(got, should) {
				t.Fatalf("%s, %s, filter %s: %s:\n got %+v\nwant %+v", f.name, a.name, s.name, want.at.FEN(), got,
					should)
			}
			tried++
			if len(got.Branches) > 1 {
				several++
			}
		}
	})
	t.Logf("%d positions, %d of them with several moves", tried, several)
	if several < tried/10 {
		t.Errorf("of %d positions %d have several moves: they test too little", tried, several)
	}
}

// treeOfParts merges the trees of blocks, the last first.
func treeOfParts(t *testing.T, q *query.Query, at position.Position, files [][]byte) *query.Tree {
	t.Helper()
	var tree query.Tree
	for source, data := range slices.Backward(files) {
		r, err := archive.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for n := r.Blocks(); n > 0; n-- {
			b, err := r.Block(n)
			if err != nil {
				t.Fatal(err)
			}
			first := b.First()
			text, err := b.AppendAll(nil)
			if err != nil {
				t.Fatal(err)
			}
			part, err := q.Tree(context.Background(), querytest.Sources(querytest.Pack(t, text)), at,
				query.TreeOptions{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			part.Number(source, first)
			tree.Merge(part)
		}
	}
	return &tree
}

// TestTreeRefuses: terms of positions, and what is no position.
func TestTreeRefuses(t *testing.T) {
	q := query.New()
	q.Add("pattern", "Pe4")
	if _, err := q.Tree(context.Background(), nil, position.Start(), query.TreeOptions{Workers: 0}); err == nil {
		t.Error("a pattern is taken")
	}
	for _, c := range []struct{ fen, moves, want string }{
		{"8/8/8/4k3/8/8/4P3/4K3", "", "castling rights"},
		{"8/8/8/4k3/8/8/4P3/4K3 w", "", "castling rights"},
		{"8/8/8/4k3/8/8/4P3 w -", "", "rank"},
		{"8/8/8/8/8/8/4P3/4K3 w -", "", "king"},
		{"", "1.e5", "e5"},
		{"", "1.", "there is no move"},
		{"8/8/8/4k3/8/8/4P3/4K3 w -", "d4", "d4"},
	} {
		if _, err := query.ParsePosition(c.fen, c.moves); err == nil || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%q %q: %v, want %q", c.fen, c.moves, err, c.want)
		}
	}
	at, err := query.ParsePosition("8/8/8/4k3/8/8/4P3/4K3 w -", "1.e4 Kxe4 2.Ke2")
	if err != nil || at.FEN() != "8/8/8/8/4k3/8/4K3/8 b - - 1 2" {
		t.Error(at.FEN(), err)
	}
}
