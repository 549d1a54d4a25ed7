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
	number, part := x.head.bucketOf(at.Hash())
	b, err := x.bucket(number)
	if err != nil {
		return nil, err
	}
	var games []uint64
	for _, e := range b.common {
		if e.rest != part {
			continue
		}
		c, at, err := x.commonAt(e)
		if err != nil {
			return nil, err
		}
		for _, list := range x.lists(c, at) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if list.word >= aside && !variations {
				continue
			}
			for {
				game, err := list.next()
				if err != nil {
					return nil, err
				}
				if game == 0 {
					break
				}
				games = append(games, game)
			}
		}
		slices.Sort(games)
		return slices.Compact(games), nil
	}
	wanted := x.head.rareOf(part)
	ok := x.rares(b, func(p, game uint64) {
		if p == wanted {
			games = append(games, game)
		}
	})
	var shared []uint64
	ok = ok && x.shareds(b, func(p uint64, groups []group) bool {
		if p == part {
			for _, g := range groups {
				if g.word < aside || variations {
					shared = append(shared, g.games...)
				}
			}
		}
		return p < part
	})
	if !ok {
		return nil, badIndex("bucket", b.at, "its positions are not right")
	}
	if shared != nil {
		games = shared
	}
	slices.Sort(games)
	return slices.Compact(games), nil
}
