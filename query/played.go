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
// come several times in succession. Games that end in the position, and those up to the number after, are left out. The
// games are valid during the call.
//
// r is the archive of the index (see Of), where games are read that may be the only one with the position. If the index
// has more than most games, counted for each word, the error is ErrManyGames and do is not called; games that are left
// out may count.
func Played(ctx context.Context, x *index.Index, r *archive.Reader, at position.Position, after, most int,
	do func(w moveindex.Index, games []int) error) error {
	p, err := findPlayed(ctx, x, r, at, after)
	if err != nil {
		return err
	}
	if p.count > uint64(max(most, 0)) {
		return ErrManyGames
	}
	for _, s := range p.once {
		if err := p.ask(s.x, s.games); err != nil {
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

// PlayedAfter reports by the index alone whether Played may find a game. It does if one would have to be read.
func PlayedAfter(ctx context.Context, x *index.Index, at position.Position, after int) (bool, error) {
	p, err := findPlayed(ctx, x, nil, at, after)
	if err != nil || len(p.once) > 0 {
		return err == nil, err
	}
	for _, l := range p.lists {
		switch err := l.each(ctx, func(moveindex.Index, []int) error { return errEnough }); err {
		case nil:
		case errEnough:
			return true, nil
		default:
			return false, err
		}
	}
	return false, nil
}

// findPlayed finds what the segments have of a position after a game.
func findPlayed(ctx context.Context, x *index.Index, r *archive.Reader, at position.Position,
	after int) (*playedFinder, error) {
	if _, _, pruned := x.Pruned(); pruned {
		return nil, index.ErrPruned
	}
	p := &playedFinder{r: r, c: treeCounter{at: at}}
	want := []index.Wanted{{Hash: at.Hash(), Check: index.CheckOf(&at)}}
	for _, s := range x.Segments() {
		p.x, p.after = s, uint64(max(max(after, 0)-s.Before(), 0))
		if p.after >= uint64(s.Games()) {
			continue
		}
		if err := s.Find(ctx, want, p); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// playedFinder collects what segments have of a position.
type playedFinder struct {
	r     *archive.Reader
	c     treeCounter
	x     *index.Segment
	after uint64
	v     view
	count uint64
	lists []playedList
	once  []playedOnce
}

// playedList is the games of a segment that played a word, known or to be read.
type playedList struct {
	word   moveindex.Index
	before int
	after  uint64
	games  []uint64
	list   *index.List
}

// playedOnce is games that may be the only one with the position.
type playedOnce struct {
	x     *index.Segment
	games []uint64
}

func (p *playedFinder) Common(_ int, c *index.Common) error {
	for _, l := range c.Lists() {
		if l.Word < index.Aside && l.Word != index.GameEnds {
			p.count += l.Left()
			p.lists = append(p.lists, playedList{word: l.Word, before: p.x.Before(), after: p.after, list: l})
		}
	}
	return nil
}

func (p *playedFinder) Shared(_ int, groups []index.Group) error {
	for _, g := range groups {
		k, _ := slices.BinarySearch(g.Games, p.after+1)
		if games := g.Games[k:]; g.Word < index.Aside && g.Word != index.GameEnds && len(games) > 0 {
			p.count += uint64(len(games))
			p.lists = append(p.lists, playedList{word: g.Word, before: p.x.Before(), games: slices.Clone(games)})
		}
	}
	return nil
}

func (p *playedFinder) Rare(_ int, game uint64) error {
	if game <= p.after {
		return nil
	}
	n := len(p.once)
	if n == 0 || p.once[n-1].x != p.x {
		p.once = append(p.once, playedOnce{x: p.x})
		n++
	}
	p.once[n-1].games = append(p.once[n-1].games, game)
	p.count++
	return nil
}

// ask reads games that have a part of the hash.
func (p *playedFinder) ask(x *index.Segment, games []uint64) error {
	slices.Sort(games)
	for _, game := range slices.Compact(games) {
		p.v.setKnown(p.r, x.Before()+int(game), 0)
		line := p.v.line()
		if p.v.err != nil {
			return p.v.err
		}
		start := p.v.start
		k := p.c.condition().search(&start, line, 0, len(line))
		if k < 0 {
			continue
		}
		for _, w := range p.c.next(line, k) {
			p.lists = append(p.lists, playedList{word: w, before: x.Before(), games: []uint64{game}})
		}
	}
	return nil
}

// each gives the games.
func (l *playedList) each(ctx context.Context, do func(w moveindex.Index, games []int) error) error {
	var numbers []int
	give := func(games []uint64) error {
		numbers = numbers[:0]
		for _, game := range games {
			numbers = append(numbers, l.before+int(game))
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		return do(l.word, numbers)
	}
	if l.list == nil {
		return give(l.games)
	}
	for {
		games, err := l.list.Chunk()
		if err != nil || len(games) == 0 {
			return err
		}
		if k, _ := slices.BinarySearch(games, l.after+1); k < len(games) {
			err = give(games[k:])
		} else {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}
