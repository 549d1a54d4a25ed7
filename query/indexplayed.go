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
)

// ErrManyGames: a position has more games than a caller wants to look at.
var ErrManyGames = errors.New("too many games have the position")

// Played tells which games of the main lines played which move in a position. It calls do with a word and games that
// played it there, which ascend; of a word there may be several calls, one after the other, and a game stands in each
// word that it played. A game that ends in the position is not told. The games are valid during the call. Games up to
// the number after are left out: of the segments that have no others, nothing is read.
//
// r is the archive of the index (see Of), of which games are read that may be the only one with the position. If the
// index knows of more than most games for the position, counted for each word, the error is ErrManyGames, and do is not
// called; games that are left out may count if their segment has others. A negative most is as 0.
func (x *PositionIndex) Played(ctx context.Context, r *archive.Reader, at position.Position, after, most int,
	do func(w moveindex.Index, games []int) error) error {
	p, err := x.played(ctx, r, at, after)
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
		return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.first, b.first))
	})
	for _, l := range p.lists {
		if err := l.each(ctx, do); err != nil {
			return err
		}
	}
	return nil
}

// PlayedAfter reports by the index alone whether Played may tell of a game. It does if one would have to be read, which
// may be the only one with the position.
func (x *PositionIndex) PlayedAfter(ctx context.Context, at position.Position, after int) (bool, error) {
	p, err := x.played(ctx, nil, at, after)
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

// played finds what the segments have of a position, in games after a number.
func (x *PositionIndex) played(ctx context.Context, r *archive.Reader, at position.Position, after int) (*playedFinder,
	error) {
	if x.head.kind == kindPruned {
		return nil, ErrPruned
	}
	p := &playedFinder{ctx: ctx, r: r, c: treeCounter{at: at}}
	want := []wanted{{hash: at.Hash(), check: checkOf(&at)}}
	for _, s := range x.segments {
		p.x, p.after = s, uint64(max(after, 0))
		if p.after -= min(p.after, s.first); p.after >= s.games {
			continue
		}
		if err := s.find(ctx, want, p); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// playedFinder collects what segments have of a position.
type playedFinder struct {
	ctx   context.Context
	r     *archive.Reader
	c     treeCounter
	x     *segment
	after uint64 // the games of x up to this number are left out
	v     view
	count uint64
	lists []playedList
	once  []playedOnce
}

// playedList is the games of a segment that played a word: they are known, or they are read.
type playedList struct {
	word  moveindex.Index
	first uint64 // games before those of the segment
	after uint64 // the games of a list up to this number are left out
	games []uint64
	list  *listReader
}

// playedOnce is games of a segment that may be the only one with the position.
type playedOnce struct {
	x     *segment
	games []uint64
}

func (p *playedFinder) common(_ int, e commonEntry) error {
	c, at, err := p.x.commonAt(e)
	if err != nil {
		return err
	}
	for _, l := range p.x.lists(c, at) {
		if l.word < aside && l.word != gameEnds {
			p.count += l.left
			p.lists = append(p.lists, playedList{word: l.word, first: p.x.first, after: p.after, list: l})
		}
	}
	return nil
}

func (p *playedFinder) shared(_ int, groups []group) error {
	for _, g := range groups {
		k, _ := slices.BinarySearch(g.games, p.after+1)
		if games := g.games[k:]; g.word < aside && g.word != gameEnds && len(games) > 0 {
			p.count += uint64(len(games))
			p.lists = append(p.lists, playedList{word: g.word, first: p.x.first, games: slices.Clone(games)})
		}
	}
	return nil
}

func (p *playedFinder) rare(_ int, game uint64) error {
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

// ask reads games of which a part of the hash is known.
func (p *playedFinder) ask(x *segment, games []uint64) error {
	slices.Sort(games)
	for _, game := range slices.Compact(games) { // several positions of a game may have the part of the hash
		p.v.setKnown(p.r, int(x.first+game), 0)
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
			p.lists = append(p.lists, playedList{word: w, first: x.first, games: []uint64{game}})
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
			numbers = append(numbers, int(l.first+game))
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
		if game, err := l.list.next(); err != nil || game == 0 {
			return err
		}
		l.list.i = len(l.list.chunk) // all of them are given
		k, _ := slices.BinarySearch(l.list.chunk, l.after+1)
		if k == len(l.list.chunk) {
			if err := ctx.Err(); err != nil {
				return err
			}
			continue
		}
		if err := give(l.list.chunk[k:]); err != nil {
			return err
		}
	}
}
