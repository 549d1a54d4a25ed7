// SPDX-License-Identifier: Apache-2.0

package query

import (
	"context"
	"slices"
	"sync"

	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// Book is what was played, or is to be played. Several goroutines may ask it at once.
type Book interface {
	// Leaves reports whether a move leaves the book in a position.
	Leaves(at *position.Position, w moveindex.Index) (bool, error)
}

// Leave makes the query find, of the games that meet its terms, those whose main line leaves a book. The hit, after
// those of the terms, is after the first move that does.
func (q *Query) Leave(b Book) { q.book = b }

func (q *Query) leaves(v *view, m *matcher) bool {
	words := v.line()
	at := v.start
	for i, w := range words {
		left, err := q.book.Leaves(&at, w)
		if err != nil {
			v.fail(err)
			return false
		}
		if left {
			m.one[0] = i + 1
			m.found(m.one[:], false)
			return true
		}
		at.MakeIndex(w)
	}
	return false
}

// Repertoire has moves for positions, by their hashes. A game leaves it by another move in one of these positions.
type Repertoire map[uint64][]moveindex.Index

// Add adds the moves of a game, with its variations.
func (r Repertoire) Add(g *game.Game) {
	line := position.NewLine(g.Start)
	for c := g.Cursor(); c.Next(); {
		switch c.Kind {
		case game.MoveEvent:
			h := line.At.Hash()
			if w, _ := moveindex.Of(c.Move); !slices.Contains(r[h], w) {
				r[h] = append(r[h], w)
			}
			line.Make(c.Move)
		case game.VariationStart:
			line.Open()
		case game.VariationEnd:
			line.Close()
		}
	}
}

// Leaves is that of Book.
func (r Repertoire) Leaves(at *position.Position, w moveindex.Index) (bool, error) {
	moves := r[at.Hash()]
	return len(moves) > 0 && !slices.Contains(moves, w), nil
}

// NewNovelty returns a Book of the games of sources, which need an index each: a move leaves it if no more than most of
// the games reach the position after the move. It is for one search, whose context it has. Cost: that of Tree for each
// position that is not among 2^18 that it keeps.
func NewNovelty(ctx context.Context, sources []Source, most int) Book {
	return &novelty{ctx: ctx, sources: sources, most: most, known: map[uint64]bool{}}
}

type novelty struct {
	ctx     context.Context
	sources []Source
	most    int
	mu      sync.Mutex
	known   map[uint64]bool // whether a position is new, by its hash
}

func (n *novelty) Leaves(at *position.Position, w moveindex.Index) (bool, error) {
	after := *at
	after.MakeIndex(w)
	n.mu.Lock()
	defer n.mu.Unlock()
	h := after.Hash()
	left, ok := n.known[h]
	if ok {
		return left, nil
	}
	t, err := New().Tree(n.ctx, n.sources, after, TreeOptions{Workers: 1})
	if err != nil {
		return false, err
	}
	if len(n.known) == 1<<18 {
		clear(n.known)
	}
	n.known[h] = t.All.Games <= n.most
	return n.known[h], nil
}
