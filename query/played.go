// SPDX-License-Identifier: Apache-2.0

package query

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"ply11/bitstream/archive"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query/index"
)

// ErrManyGames: a position has more games than a caller wants to look at.
var ErrManyGames = errors.New("too many games have the position")

// Played calls do with each word that main lines played in a position, and the games that did, ascending; a word may
// come several times in succession. Games that end in the position are left out. The games are valid during the call.
//
// r is the archive of the index (see Of), where games are read that may be the only one with the position. If the index
// has more than most games, counted for each word, the error is ErrManyGames and do is not called.
func Played(ctx context.Context, x *index.Index, r *archive.Reader, at position.Position, most int,
	do func(w moveindex.Index, games []int) error) error {
	p, err := findPlayed(ctx, x, at)
	if err != nil {
		return err
	}
	if p.count > uint64(max(most, 0)) {
		return ErrManyGames
	}
	p.v.r = r
	for _, o := range p.once {
		if err := p.ask(o); err != nil {
			return err
		}
	}
	slices.SortStableFunc(p.lists, func(a, b playedList) int {
		return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.before, b.before))
	})
	for _, l := range p.lists {
		if err := l.each(ctx, do); err != nil {
			return err
		}
	}
	return nil
}

// playedFinder collects what segments have of a position.
type playedFinder struct {
	c     treeCounter
	v     view
	count uint64
	lists []playedList
	once  []int // games that may be the only one with the position
}

// playedList is the games of a segment that played a word.
type playedList struct {
	word   moveindex.Index
	before int // games of the segments before
	list   *index.List
	games  []uint64 // without a list
}

// findPlayed finds what the segments have of a position.
func findPlayed(ctx context.Context, x *index.Index, at position.Position) (*playedFinder, error) {
	p := &playedFinder{c: treeCounter{at: at}}
	want := []index.Wanted{{Hash: at.Hash(), Check: index.CheckOf(&at)}}
	for _, s := range x.Segments() {
		if err := s.Find(ctx, want, func(f *index.Found) error {
			if f.Rare > 0 {
				p.once = append(p.once, s.Before()+int(f.Rare))
				p.count++
			}
			for _, l := range f.Lists {
				if l.Word < index.Aside && l.Word != index.GameEnds {
					p.count += l.Left()
					p.lists = append(p.lists, playedList{word: l.Word, before: s.Before(), list: l})
				}
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	slices.Sort(p.once)
	p.once = slices.Compact(p.once) // several positions of a game may share a part of the hash
	return p, nil
}

// ask reads a game that has a part of the hash.
func (p *playedFinder) ask(game int) error {
	p.v.setKnown(p.v.r, game, 0)
	line := p.v.line()
	if p.v.err != nil {
		return p.v.err
	}
	start := p.v.start
	if k := p.c.condition().search(&start, line, 0, len(line)); k >= 0 {
		for _, w := range p.c.next(line, k) {
			p.lists = append(p.lists, playedList{word: w, before: game - 1, games: []uint64{1}})
		}
	}
	return nil
}

// each calls do with the games.
func (l *playedList) each(ctx context.Context, do func(w moveindex.Index, games []int) error) error {
	var numbers []int
	for games, err := l.games, error(nil); ; {
		if l.list != nil {
			games, err = l.list.Chunk()
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || len(games) == 0 {
			return err
		}
		numbers = numbers[:0]
		for _, game := range games {
			numbers = append(numbers, l.before+int(game))
		}
		if err := do(l.word, numbers); err != nil || l.list == nil {
			return err
		}
	}
}
