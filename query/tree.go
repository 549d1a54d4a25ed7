// SPDX-License-Identifier: Apache-2.0

package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query/index"
)

// Tree tells what was played in a position, and with what success.
//
// A game counts once in All, and once in the Branch of each move that was played from the position, however often it
// reaches it. So a game counts in two branches if it comes back to the position and goes on with another move, and in
// none if it ends there. The order of the moves that lead to the position does not matter.
type Tree struct {
	All      index.Branch   // the games that reach the position; its Move is the null move
	Branches []index.Branch // one for each move, the most frequent first, then by their index
	Cost     TreeCost       // of archives with an index
}

// TreeCost tells what it cost to look up a position in indexes.
type TreeCost struct {
	Games int // of whose facts (result, ratings, date) the index was asked, one by one
	Read  int // of them, read from the archive
}

// facts are those of the game.
func (v *view) facts() index.Facts {
	if v.known {
		return v.fact
	}
	return index.NewFacts(v.tags(), v.invalid())
}

// errPositionTerms: the tree is of one position, and its filters are about whole games.
var errPositionTerms = errors.New(
	"a tree takes no terms about positions: they would be of other positions than its own")

// ParsePosition returns the position after moves, in SAN or UCI, with or without numbers, from a FEN record, or from
// the usual start if it is empty or startpos. The record has its board, the turn and the castling rights at least.
func ParsePosition(fen, moves string) (position.Position, error) {
	at := usual
	if fen != "" && !isStart(fen) {
		if n := len(strings.Fields(fen)); n < 3 {
			return at, fmt.Errorf("%q: the position needs the board, the turn and the castling rights, as in \"%s\"",
				clip(fen), "8/8/8/4k3/8/8/4P3/4K3 w -")
		}
		var err error
		if at, err = position.ParseFENLenient(fen); err != nil {
			return at, err
		}
	}
	if strings.TrimSpace(moves) != "" {
		words, err := parseMoves(at, moves)
		if err != nil {
			return at, err
		}
		for _, w := range words {
			at.MakeIndex(w)
		}
	}
	return at, nil
}

// TreeOptions are the options of Tree.
type TreeOptions struct {
	// Workers is the number of goroutines that search; 0 is one for each processor.
	Workers int
	// Progress is called with the length in bytes of each block of an archive that is read, in the goroutine that calls
	// Tree. What an index tells is not counted.
	Progress func(bytes int64)
}

// Tree tells what was played in a position, in the games that meet the query. The position is compared without its
// counters, and its en passant square counts where a pawn stands beside the one that can be taken. It is an error if
// the query has terms about positions, or looks into variations.
//
// Errors of an archive are as those of Games; those of an index are *index.Error, or index.ErrOtherArchive.
//
// Cost: that of Games for an exact position, and of reading the tags of the games that reach it. Of an archive with an
// index: a few reads without terms; with terms of results, ratings and dates, 8 bytes for each game that reaches the
// position; with others, its tags, too.
func (q *Query) Tree(ctx context.Context, sources []Source, at position.Position, o TreeOptions) (*Tree, error) {
	t, err := q.Trees(ctx, sources, []position.Position{at}, o)
	if err != nil {
		return nil, err
	}
	return t[0], nil
}

// Trees is Tree for many positions at once. Archives with an index are read in the order of the index and then of the
// games, so that a position costs much less than alone. Archives without one are read once for each position. It keeps
// a few hundred bytes for each position, and as much for each of its moves.
func (q *Query) Trees(ctx context.Context, sources []Source, list []position.Position, o TreeOptions) ([]*Tree, error) {
	if q.positional || len(q.sequences) > 0 {
		return nil, errPositionTerms
	}
	// The tests of the games alone.
	games := Query{games: slices.Clone(q.games), not: q.not, invalid: q.invalid, variations: q.variations}
	if err := games.prepare(); err != nil {
		return nil, err
	}
	counters := make([]*treeCounter, len(list))
	for i := range list {
		counters[i] = &treeCounter{at: list[i], variations: q.variations}
	}
	var plain []Source // without an index that serves
	var numbers []int
	for i, source := range sources {
		x := source.Index
		if x == nil || source.Blocks != nil || source.Games != nil || !games.ServedBy(x) {
			if source.Reader == nil && source.Blocks == nil && source.Games == nil {
				return nil, fmt.Errorf("%s: %w: it has the counts of main lines alone, and conditions need the "+
					"archive", source.Name, index.ErrPruned)
			}
			plain, numbers = append(plain, source), append(numbers, i)
			continue
		}
		if err := games.lookUp(ctx, counters, i, source); err != nil {
			name := source.Name
			var bad *index.Error
			if x.Name != "" && (errors.As(err, &bad) || errors.Is(err, index.ErrOtherArchive)) {
				name = x.Name
			}
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	trees := make([]*Tree, len(list))
	for i, c := range counters {
		if len(plain) > 0 {
			if err := c.scan(ctx, plain, numbers, &games, o); err != nil {
				return nil, err
			}
		}
		trees[i], counters[i] = c.tree(), nil
	}
	return trees, nil
}

// ServedBy reports whether an index can answer for the games that meet the query: one without variations cannot where
// they are asked for, and a pruned one cannot where there are conditions.
func (q *Query) ServedBy(x *index.Index) bool {
	if _, _, pruned := x.Pruned(); pruned {
		return !q.variations && q.anyGame()
	}
	return x.Variations() || !q.variations
}

// scan counts the games of archives, whose numbers are given.
func (c *treeCounter) scan(ctx context.Context, plain []Source, numbers []int, q *Query, o TreeOptions) error {
	c.sources = numbers
	// The query with the position among its terms.
	s := Query{here: newCondition(), positional: true, games: slices.Clone(q.games), not: q.not, invalid: q.invalid,
		variations: q.variations}
	s.here.boards = []board{boardOf(&c.at)}
	c.condition()
	if err := s.prepare(); err != nil {
		return err
	}
	for g, err := range Games(ctx, plain, &s, Options{Workers: o.Workers, Progress: o.Progress}, c.of) {
		if err != nil {
			return err
		}
		c.count(g.source, g.number, g.facts, g.words)
	}
	return nil
}

// Merge adds the counts of another tree of the same position, of other games. So trees of parts of the archives can be
// made on several machines. It is as if one Tree had been made of all, if the numbers of archives and games in Best are
// the same. The order in which parts are added does not matter.
func (t *Tree) Merge(o *Tree) {
	t.All.Merge(&o.All, -1, 0)
	t.Cost.Games += o.Cost.Games
	t.Cost.Read += o.Cost.Read
	for i := range o.Branches {
		b := &o.Branches[i]
		k := slices.IndexFunc(t.Branches, func(a index.Branch) bool { return a.Move == b.Move })
		if k < 0 {
			k = len(t.Branches)
			t.Branches = append(t.Branches, index.Branch{Move: b.Move})
		}
		t.Branches[k].Merge(b, -1, 0)
	}
	t.sort()
}

// Number gives the games in Best of a tree of one archive the numbers that they have elsewhere: there the archive has
// the number source, and the first game of this one has the number first.
func (t *Tree) Number(source, first int) {
	number := func(b *index.Branch) {
		for i := range b.Best {
			b.Best[i].Source = source
			b.Best[i].Number += first - 1
		}
	}
	number(&t.All)
	for i := range t.Branches {
		number(&t.Branches[i])
	}
}

// sort puts the branches into their order.
func (t *Tree) sort() {
	slices.SortStableFunc(t.Branches, func(a, b index.Branch) int {
		i, _ := moveindex.Of(a.Move)
		j, _ := moveindex.Of(b.Move)
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(i, j))
	})
}

// treeCounter makes a tree of what a scan finds.
type treeCounter struct {
	at         position.Position
	here       *condition // it is there; nil: that was not asked for
	variations bool
	sources    []int // the numbers of those that are scanned
	cost       TreeCost
	all        index.Branch
	words      []moveindex.Index // of branches; they are few
	branches   []index.Branch
}

// treeGame is what is counted of a game that reaches the position.
type treeGame struct {
	source int
	number int
	facts  index.Facts
	words  []moveindex.Index // that were played there, each once
}

// of makes it of a game that is found.
func (c *treeCounter) of(m *Match) (g treeGame, err error) {
	g = treeGame{source: c.sources[m.Source], number: m.Number, facts: m.v.facts()}
	if c.variations && m.v.notes && !m.v.game().Plain() {
		g.words, _ = c.played(m.v.game())
	} else {
		g.words = c.next(m.v.line(), m.Hits[0].Plies[0])
	}
	return g, m.v.err
}

// next returns the words that follow on the position in a line, each once. It is known that the line first has the
// position after ply k.
func (c *treeCounter) next(line []moveindex.Index, k int) (words []moveindex.Index) {
	at := c.at
	for k >= 0 && k < len(line) {
		if w := line[k]; !slices.Contains(words, w) {
			words = append(words, w)
		}
		at.MakeIndex(line[k])
		k = c.condition().search(&at, line, k+1, len(line))
	}
	return words
}

// played returns what was played in the position in a game and its variations, each word once, and whether the position
// is reached.
func (c *treeCounter) played(g *game.Game) (words []moveindex.Index, reached bool) {
	here := &c.condition().boards[0]
	index.EachPlayed(g, func(at *position.Position, w moveindex.Index, _ bool) {
		if !here.matches(at) {
			return
		}
		reached = true
		if w != index.GameEnds && !slices.Contains(words, w) {
			words = append(words, w)
		}
	})
	return words, reached
}

// condition is that the position is there.
func (c *treeCounter) condition() *condition {
	if c.here == nil {
		here := newCondition()
		here.boards = []board{boardOf(&c.at)}
		here.prepare()
		c.here = &here
	}
	return c.here
}

// branch returns the branch of a word, until it is called again.
func (c *treeCounter) branch(w moveindex.Index) *index.Branch {
	i := slices.Index(c.words, w)
	if i < 0 {
		m, _ := w.Move() // of the null move it is chess.NullMove
		i = len(c.words)
		c.words, c.branches = append(c.words, w), append(c.branches, index.Branch{Move: m})
	}
	return &c.branches[i]
}

// tree returns the tree.
func (c *treeCounter) tree() *Tree {
	t := &Tree{All: c.all, Branches: c.branches, Cost: c.cost}
	t.sort()
	return t
}
