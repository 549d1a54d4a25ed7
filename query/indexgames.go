// SPDX-License-Identifier: Apache-2.0

package query

import (
	"context"
	"slices"

	"ply11/position"
)

// GamesOf returns the numbers of the games that may have a position in their main lines, or in variations too if variations is true: ascending, each once. All that
// have it are among them. Others are among them only if the index knows the position of few games, by a part of its hash. It reads what Tree reads, and
// the lists of a position that many games have; it does not read the archive.
//
// If variations is true, the index must have them (Variations).
func (x *PositionIndex) GamesOf(ctx context.Context, at position.Position, variations bool) ([]uint64, error) {
	if x.head.kind == kindPruned {
		return nil, ErrPruned
	}
	l := gameLister{ctx: ctx, variations: variations}
	want := []wanted{{hash: at.Hash(), check: checkOf(&at)}}
	for _, s := range x.segments {
		l.x, l.from = s, len(l.games)
		if err := s.find(ctx, want, &l); err != nil {
			return nil, err
		}
		slices.Sort(l.games[l.from:])
	}
	return slices.Compact(l.games), nil
}

// gameLister lists games.
type gameLister struct {
	ctx        context.Context
	x          *segment
	variations bool
	games      []uint64
	from       int // where those of the segment begin
}

func (l *gameLister) rare(_ int, game uint64) error {
	l.games = append(l.games, l.x.first+game)
	return nil
}

func (l *gameLister) shared(_ int, groups []group) error {
	for _, g := range groups {
		if g.word < aside || l.variations {
			for _, game := range g.games {
				l.games = append(l.games, l.x.first+game)
			}
		}
	}
	return nil
}

func (l *gameLister) common(_ int, e commonEntry) error {
	c, at, err := l.x.commonAt(e)
	if err != nil {
		return err
	}
	for _, list := range l.x.lists(c, at) {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		if list.word >= aside && !l.variations {
			continue
		}
		for {
			game, err := list.next()
			if err != nil {
				return err
			}
			if game == 0 {
				break
			}
			l.games = append(l.games, l.x.first+game)
		}
	}
	return nil
}
