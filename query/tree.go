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

// Tree is what was played in a position, and with what success.
//
// A game counts once in All, and once in the Branch of each move that it plays there: in two if it comes back and plays
// another, in none if it ends there. How it came to the position does not matter.
type Tree struct {
	All      index.Branch   // with the null move
	Branches []index.Branch // one for each move, the most frequent first, then by index
	Cost     TreeCost
}

// TreeCost is what a look-up in indexes cost.
type TreeCost struct {
	Games int // whose facts (result, ratings, date) were read
	Read  int // of them, from the archive
}

func (v *view) facts() index.Facts {
	if v.known {
		return v.fact
	}
	return index.NewFacts(v.tags(), v.invalid())
}

// errPositionTerms: a tree is of one position, and its terms of whole games.
var errPositionTerms = errors.New(
	"a tree takes no terms about positions: they would be of other positions than its own")

// ErrCountsAlone: a tree file cannot answer conditions on games, and has no variations.
var ErrCountsAlone = errors.New("a tree file has the counts of main lines alone: conditions and variations need the " +
	"archive")

// ParsePosition returns the position after moves, in SAN or UCI, from a FEN record with castling rights at least, or
// from the usual start for "" or startpos.
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

// TreeOptions are those of Tree.
type TreeOptions struct {
	// Workers is the number of goroutines; 0 is one for each processor.
	Workers int
	// Progress is called with the bytes of each block that is read, in the goroutine that calls Tree.
	Progress func(bytes int64)
}

// Tree returns what was played in a position in the games that meet the query, which has no terms about positions.
// Positions are compared without counters; an en passant square counts where a pawn stands beside the one to be taken.
//
// Errors of an archive are as those of Games; those of an index are *index.Error or index.ErrOtherArchive. It is
// ErrCountsAlone if a tree file is asked for more than it has.
//
// Cost: that of Games for an exact position, and the tags of the games that reach it. With an index: a few reads; with
// terms of results, ratings and dates also 8 bytes for each game that reaches the position, with others its tags.
func (q *Query) Tree(ctx context.Context, sources []Source, at position.Position, o TreeOptions) (*Tree, error) {
	t, err := q.Trees(ctx, sources, []position.Position{at}, o)
	if err != nil {
		return nil, err
	}
	return t[0], nil
}

// Trees is Tree for many positions at once. An archive with an index is read once, in its order; one without is read
// once for each position. It keeps a few hundred bytes for each position and each of its moves.
func (q *Query) Trees(ctx context.Context, sources []Source, list []position.Position, o TreeOptions) ([]*Tree, error) {
	positional := func(q *Query) bool { return q.positional || len(q.sequences) > 0 }
	if positional(q) || anyOr(q, positional) {
		return nil, errPositionTerms
	}
	games := Query{games: slices.Clone(q.games), not: q.not, or: q.or, invalid: q.invalid, variations: q.variations}
	if err := games.prepare(); err != nil {
		return nil, err
	}
	counters := make([]*treeCounter, len(list))
	for i := range list {
		counters[i] = &treeCounter{at: list[i], variations: q.variations}
	}
	var plain []Source
	var numbers []int
	for i, source := range sources {
		x := source.Index
		if source.Counts != nil {
			if err := games.lookUpCounts(ctx, counters, source); err != nil {
				return nil, fmt.Errorf("%s: %w", source.Name, err)
			}
			continue
		}
		if x == nil || source.Blocks != nil || source.Games != nil || !games.ServedBy(x) {
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

// ServedBy reports whether an index has what the query asks: variations are in some alone.
func (q *Query) ServedBy(x *index.Index) bool { return x.Variations() || !q.variations }

// reaching returns a query of games for those that also reach a position.
func (q *Query) reaching(b board) *Query {
	s := &Query{here: newCondition(), positional: true, games: slices.Clone(q.games), not: q.not}
	s.here.board = &b
	for _, n := range q.or {
		s.or = append(s.or, n.reaching(b))
	}
	return s
}

func (c *treeCounter) scan(ctx context.Context, plain []Source, numbers []int, q *Query, o TreeOptions) error {
	c.sources = numbers
	s := q.reaching(boardOf(&c.at))
	s.invalid, s.variations = q.invalid, q.variations
	c.condition()
	if err := s.prepare(); err != nil {
		return err
	}
	for g, err := range Games(ctx, plain, s, Options{Workers: o.Workers, Progress: o.Progress}, c.of) {
		if err != nil {
			return err
		}
		c.count(g.source, g.number, g.facts, g.words)
	}
	return nil
}

// Merge adds a tree of the same position in other games, as if one Tree had been made of all; Best needs the numbers of
// archives and games of the whole (Number).
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

// Number renumbers the games in Best of a tree of one archive, which gets the number source, and its first game the
// number first.
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

func (t *Tree) sort() {
	slices.SortStableFunc(t.Branches, func(a, b index.Branch) int {
		i, _ := moveindex.Of(a.Move)
		j, _ := moveindex.Of(b.Move)
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(i, j))
	})
}

// treeCounter makes a tree.
type treeCounter struct {
	at         position.Position
	here       *condition // that it is there; nil if not made yet
	variations bool
	sources    []int // numbers of those that are scanned
	cost       TreeCost
	all        index.Branch
	words      []moveindex.Index // of branches
	branches   []index.Branch
}

// treeGame is what is counted of a game.
type treeGame struct {
	source int
	number int
	facts  index.Facts
	words  []moveindex.Index // played there, each once
}

func (c *treeCounter) of(m *Match) (g treeGame, err error) {
	g = treeGame{source: c.sources[m.Source], number: m.Number, facts: m.v.facts()}
	if c.variations && m.v.notes && !m.v.game().Plain() {
		g.words, _ = c.played(m.v.game())
	} else {
		g.words = c.next(m.v.line(), m.Hits[0].Plies[0])
	}
	return g, m.v.err
}

// next returns the words that follow on the position in a line, each once. The line first has it after ply k.
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

// played returns the words played there in a game with variations, and whether the position is reached.
func (c *treeCounter) played(g *game.Game) (words []moveindex.Index, reached bool) {
	here := c.condition().board
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

func (c *treeCounter) condition() *condition {
	if c.here == nil {
		here := newCondition()
		b := boardOf(&c.at)
		here.board = &b
		here.prepare()
		c.here = &here
	}
	return c.here
}

// branch returns the branch of a word. It is valid until the next call.
func (c *treeCounter) branch(w moveindex.Index) *index.Branch {
	i := slices.Index(c.words, w)
	if i < 0 {
		m, _ := w.Move() // of the null move it is chess.NullMove
		i = len(c.words)
		c.words, c.branches = append(c.words, w), append(c.branches, index.Branch{Move: m})
	}
	return &c.branches[i]
}

func (c *treeCounter) tree() *Tree {
	t := &Tree{All: c.all, Branches: c.branches, Cost: c.cost}
	t.sort()
	return t
}
