// SPDX-License-Identifier: Apache-2.0

package query

import (
	"context"
	"errors"

	"ply11/bitstream/archive"
	"ply11/moveindex"
	"ply11/position"
)

// ErrManyGames: a position has more games than a caller wants to look at.
var ErrManyGames = errors.New("too many games have the position")

// Played tells which games of the main lines played which move in a position. It calls do with a word and games that played it there, which ascend;
// of a word there may be several calls, one after the other, and a game stands in each word that it played. A game that ends in the position
// is not told. The games are valid during the call.
//
// r is the archive of the index (see Of), of which games are read that may be the only one with the position. If the index knows of more than most games
// for the position, counted for each word, the error is ErrManyGames, and do is not called.
func (x *PositionIndex) Played(ctx context.Context, r *archive.Reader, at position.Position, most uint64, do func(w moveindex.Index, games []uint64) error) error {
	number, part := x.head.bucketOf(at.Hash())
	b, err := x.bucket(number)
	if err != nil {
		return err
	}
	for _, e := range b.common {
		if e.rest == part {
			return x.playedOften(ctx, e, most, do)
		}
	}
	wanted := x.head.rareOf(part)
	var games []uint64
	ok := x.rares(b, func(p, game uint64) {
		if p == wanted {
			games = append(games, game)
		}
	})
	shared, count := false, uint64(0)
	var failed error
	ok = ok && x.shareds(b, func(p uint64, groups []group) bool {
		if p == part {
			shared = true
			for _, g := range groups {
				if g.word < aside && g.word != gameEnds {
					count += uint64(len(g.games))
				}
			}
			if count > most {
				failed = ErrManyGames
			}
			for _, g := range groups {
				if failed == nil && g.word < aside && g.word != gameEnds {
					failed = do(g.word, g.games)
				}
			}
		}
		return p < part
	})
	switch {
	case !ok:
		return badIndex("bucket", b.at, "its positions are not right")
	case failed != nil || shared:
		return failed
	}
	return x.playedOnce(r, at, games, most, do)
}

// playedOften is Played of a common position.
func (x *PositionIndex) playedOften(ctx context.Context, e commonEntry, most uint64, do func(w moveindex.Index, games []uint64) error) error {
	c, at, err := x.commonAt(e)
	if err != nil {
		return err
	}
	lists, count := x.lists(c, at), uint64(0)
	for _, l := range lists {
		if l.word < aside && l.word != gameEnds {
			count += l.left
		}
	}
	if count > most {
		return ErrManyGames
	}
	for _, l := range lists {
		if l.word >= aside || l.word == gameEnds {
			continue
		}
		for {
			game, err := l.next()
			if err != nil {
				return err
			}
			if game == 0 {
				break
			}
			if err := do(l.word, l.chunk); err != nil {
				return err
			}
			l.i = len(l.chunk) // all of them are given
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// playedOnce is Played of games of which a part of the hash is known: they are read.
func (x *PositionIndex) playedOnce(r *archive.Reader, at position.Position, games []uint64, most uint64, do func(w moveindex.Index, games []uint64) error) error {
	if uint64(len(games)) > most {
		return ErrManyGames
	}
	c := treeCounter{at: at, here: newCondition()}
	c.here.boards = []board{boardOf(&at)}
	c.here.prepare()
	var v view
	for i, game := range games {
		if i > 0 && game == games[i-1] {
			continue // several of its positions have this part
		}
		v.setKnown(r, int(game), 0)
		line := v.line()
		if v.err != nil {
			return v.err
		}
		start := v.start
		k := c.here.search(&start, line, 0, len(line))
		if k < 0 {
			continue
		}
		for _, w := range c.next(line, k) {
			if err := do(w, []uint64{game}); err != nil {
				return err
			}
		}
	}
	return nil
}
