// SPDX-License-Identifier: Apache-2.0

package query

import (
	"context"
	"errors"
	"slices"

	"ply11/chess"
	"ply11/position"
)

// A query that asks for exact positions needs to look only at the games of which an index tells that they may have
// them.

const (
	mostExact      = 64      // positions that are looked up for one condition
	mostCandidates = 1 << 20 // games that are listed for one condition
)

// exactly is what an index can tell of a query: games that meet it have one of some positions.
type exactly struct {
	want       []wanted
	variations bool // or have it in variations
}

// Exact reports whether each game that meets the query has one of a few positions, so that an index tells which games
// may meet it: see Candidates. So it is where a position is given whole, or but for its last fields, and where the
// first moves are given.
func (q *Query) Exact() bool { return len(q.exact()) > 0 }

// exact returns what an index can tell.
func (q *Query) exact() (list []exactly) {
	if q.prepare() != nil {
		return nil // a search tells what is wrong
	}
	add := func(want []wanted, variations bool) {
		sortWanted(want)
		if want = slices.Compact(want); len(want) > 0 && len(want) <= mostExact {
			list = append(list, exactly{want, variations})
		}
	}
	for i := range q.games {
		add(wantedOf(q.games[i].reaches), false)
	}
	for _, programs := range q.places {
		var all []wanted
		for i := range programs {
			// Of a sequence, the condition that has the fewest positions.
			var least []wanted
			for k := range programs[i].steps {
				if want := wantedOf(programs[i].steps[k].boards); len(want) > 0 &&
					(least == nil || len(want) < len(least)) {
					least = want
				}
			}
			if least == nil {
				all = nil
				break
			}
			all = append(all, least...)
		}
		add(all, q.variations)
	}
	return list
}

// wantedOf returns the positions that boards stand for.
func wantedOf(boards []board) (list []wanted) {
	for i := range boards {
		if list = boards[i].appendWanted(list); len(list) > mostExact {
			break
		}
	}
	return list
}

// appendWanted appends the positions that have the board: several, if fields are not compared.
func (t *board) appendWanted(list []wanted) []wanted {
	check := checkOfPlanes(t.kind0, t.kind1, t.kind2, t.black)
	turns := []chess.Color{t.turn}
	if t.fields < 2 {
		turns = []chess.Color{chess.White, chess.Black}
	}
	for _, turn := range turns {
		files := []int{t.ep}
		if t.fields < 4 {
			files = t.takeable(turn)
		}
		possible := t.castling()
		for rights := range position.AllCastling + 1 {
			if t.fields >= 3 && rights != t.rights || t.fields < 3 && rights&^possible != 0 {
				continue
			}
			for _, ep := range files {
				list = append(list, wanted{hash: position.HashOf(t.kind0, t.kind1, t.kind2, t.black, turn, rights, ep),
					check: check})
			}
		}
	}
	return list
}

// castling returns the rights that a position with these men may have, also in Chess960: the king is on his home rank,
// and a rook on the side.
func (t *board) castling() (rights position.CastlingRights) {
	kings, rooks := t.kind0&^t.kind1&^t.kind2, t.kind0&^t.kind1&t.kind2
	for c, home := range [2]position.Bitboard{position.Rank1, position.Rank8} {
		own := home & t.black
		if c == 0 {
			own = home &^ t.black
		}
		king := kings & own
		if king == 0 {
			continue
		}
		if rooks&own&^(king-1) != 0 {
			rights |= 1 << (2 * c)
		}
		if rooks&own&(king-1) != 0 {
			rights |= 2 << (2 * c)
		}
	}
	return rights
}

// takeable returns the files, from 1, of pawns that may just have been pushed and stand beside one of the side to move;
// and 0, for none.
func (t *board) takeable(turn chess.Color) []int {
	files := []int{0}
	pawns, occupied := t.kind1&t.kind2, t.kind0|t.kind1|t.kind2
	own, rank, over, from := pawns&^t.black, 4, 5, 6
	if turn == chess.Black {
		own, rank, over, from = pawns&t.black, 3, 2, 1
	}
	for f := range 8 {
		file := position.FileOf(f)
		pawn := file & position.RankOf(rank)
		beside := (pawn<<1 | pawn>>1) & position.RankOf(rank)
		if pawns&^own&pawn != 0 && own&beside != 0 && occupied&file&(position.RankOf(over)|position.RankOf(from)) == 0 {
			files = append(files, f+1)
		}
	}
	return files
}

// Narrows reports whether the index can tell which games may meet a query: it is not pruned, and has variations if the
// query looks into them.
func (x *PositionIndex) Narrows(q *Query) bool {
	return x.narrows(q, q.exact())
}

// narrows is Narrows of a query with what exact tells of it.
func (x *PositionIndex) narrows(q *Query, list []exactly) bool {
	return x.head.kind == kindFull && len(list) > 0 && (x.Variations() || !q.variations)
}

// Candidates returns the numbers of the games that may meet a query, for Source.Games: ascending, each once, and empty
// where none does. Those that meet it are among them. narrow is false if the index does not tell (Narrows), or there
// are so many that it is of little use: then all games must be searched.
//
// Cost: for each position a few reads of the index, and the lists of a position that many games have. The archive is
// not read. It keeps 8 bytes for each game that it finds, at most 2^20 games for each condition.
func (x *PositionIndex) Candidates(ctx context.Context, q *Query) (games []int, narrow bool, err error) {
	conditions := q.exact()
	if !x.narrows(q, conditions) {
		return nil, false, nil
	}
	for _, e := range conditions {
		list, err := x.gamesOf(ctx, e)
		switch {
		case err == errMany:
			continue
		case err != nil:
			return nil, false, err
		case !narrow:
			games, narrow = list, true
		default:
			games = slices.DeleteFunc(games, func(g int) bool {
				_, ok := slices.BinarySearch(list, g)
				return !ok
			})
		}
	}
	return games, narrow, nil
}

// errMany: too many games have a position to list them.
var errMany = errors.New("too many games")

// gamesOf returns the numbers of the games that may have one of some positions, ascending, each once. All that have one
// are among them. Others are among them only if the index knows the position of few games, by a part of its hash.
func (x *PositionIndex) gamesOf(ctx context.Context, e exactly) ([]int, error) {
	l := gameLister{ctx: ctx, variations: e.variations, games: []int{}}
	for _, s := range x.segments {
		l.x, l.from = s, len(l.games)
		if err := s.find(ctx, e.want, &l); err != nil {
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
	games      []int
	from       int // where those of the segment begin
}

func (l *gameLister) rare(_ int, game uint64) error {
	l.games = append(l.games, int(l.x.first+game))
	return nil
}

func (l *gameLister) shared(_ int, groups []group) error {
	for _, g := range groups {
		if g.word < aside || l.variations {
			for _, game := range g.games {
				l.games = append(l.games, int(l.x.first+game))
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
	lists := slices.DeleteFunc(l.x.lists(c, at), func(list *listReader) bool {
		return list.word >= aside &&
			!l.variations
	})
	n := uint64(len(l.games))
	for _, list := range lists {
		n += list.left
	}
	if n > mostCandidates {
		return errMany
	}
	for _, list := range lists {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		for {
			game, err := list.next()
			if err != nil {
				return err
			}
			if game == 0 {
				break
			}
			l.games = append(l.games, int(l.x.first+game))
		}
	}
	return nil
}
