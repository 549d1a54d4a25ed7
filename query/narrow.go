// SPDX-License-Identifier: Apache-2.0

package query

import (
	"context"
	"errors"
	"slices"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/position"
	"ply11/query/index"
)

// A query for exact positions need search only the games that an index names.

const (
	mostExact      = 64      // positions that are looked up for one condition
	mostCandidates = 1 << 20 // games that are listed for one condition
	someOf         = 8       // of so many games one is no more than is worth being listed, if a read costs little
)

// exactly is what an index can be asked: games that meet the query have one of some positions.
type exactly struct {
	want       []index.Wanted
	variations bool // in variations, too
}

// Exact reports whether games that meet the query have one of a few positions, as Candidates needs: a position is
// given, but for its last fields, or the first moves.
func (q *Query) Exact() bool { return len(q.exact()) > 0 }

func (q *Query) exact() (list []exactly) {
	if q.prepare() != nil || len(q.or) > 0 {
		return nil // a search returns the error
	}
	add := func(want []index.Wanted, variations bool) {
		index.SortWanted(want)
		if want = slices.Compact(want); len(want) > 0 && len(want) <= mostExact {
			list = append(list, exactly{want, variations})
		}
	}
	for i := range q.games {
		if b := q.games[i].reaches; b != nil {
			add(b.appendWanted(nil), false)
		}
	}
	for _, programs := range q.places {
		var all []index.Wanted
		for i := range programs {
			// Of a sequence, the condition with the fewest positions.
			var least []index.Wanted
			for k := range programs[i].steps {
				if b := programs[i].steps[k].board; b != nil {
					if want := b.appendWanted(nil); least == nil || len(want) < len(least) {
						least = want
					}
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

// appendWanted appends the positions that have the board.
func (t *board) appendWanted(list []index.Wanted) []index.Wanted {
	check := index.CheckOfPlanes(t.kind0, t.kind1, t.kind2, t.black)
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
				list = append(list, index.Wanted{Hash: position.HashOf(t.kind0, t.kind1, t.kind2, t.black, turn, rights,
					ep),
					Check: check})
			}
		}
	}
	return list
}

// castling returns the rights that are possible with these pieces, also in Chess960.
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

// takeable returns 0 and the files, from 1, of pawns that may just have been pushed beside one of the other side.
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

// NarrowedBy reports whether Candidates can use an index.
func (q *Query) NarrowedBy(x *index.Index) bool { return q.narrowedBy(x, q.exact()) }

func (q *Query) narrowedBy(x *index.Index, list []exactly) bool {
	return len(list) > 0 && q.ServedBy(x)
}

// Candidates returns the numbers of the games that may meet the query, ascending, for Source.Games. narrow is false
// where the index cannot tell, or names too many: then all games must be searched. sure is whether all of them have the
// positions that were looked up: a rare position may be taken for another.
//
// Cost: for each position a few reads of the index, and the lists of a common position; 8 bytes for each game found, at
// most 2^20 for each condition.
func (q *Query) Candidates(ctx context.Context, x *index.Index) (games []int, narrow, sure bool, err error) {
	return q.candidates(ctx, x, mostCandidates)
}

// Narrow sets Games to those that its Index names for the query, if that makes a search faster: in a Sparse source, the
// filters of fixed archives find many games sooner than they are listed.
func (s *Source) Narrow(ctx context.Context, q *Query) error {
	most := mostCandidates
	if s.Sparse {
		r, err := archive.NewReader(s.Reader, s.Size)
		if err != nil {
			return err
		}
		if !r.HasDense() {
			most = min(most, s.Index.Games()/someOf)
		}
	}
	games, _, _, err := q.candidates(ctx, s.Index, most)
	s.Games = games
	return err
}

func (q *Query) candidates(ctx context.Context, x *index.Index, most int) (games []int, narrow, sure bool, err error) {
	conditions := q.exact()
	if !q.narrowedBy(x, conditions) {
		return nil, false, false, nil
	}
	sure = true
	for _, e := range conditions {
		list, own, err := e.games(ctx, x, most)
		sure = sure && own && err == nil
		switch {
		case err == errMany:
			continue
		case err != nil:
			return nil, false, false, err
		case !narrow:
			games, narrow = list, true
		default:
			games = slices.DeleteFunc(games, func(g int) bool {
				_, ok := slices.BinarySearch(list, g)
				return !ok
			})
		}
	}
	return games, narrow, sure, nil
}

// errMany: too many games.
var errMany = errors.New("too many games")

// games returns the numbers of the games that may have one of the positions, ascending, and whether all of them do;
// errMany if they are more than most.
func (e exactly) games(ctx context.Context, x *index.Index, most int) (games []int, sure bool, err error) {
	games, sure = []int{}, true
	for _, s := range x.Segments() {
		from := len(games)
		add := func(game uint64) { games = append(games, s.Before()+int(game)) }
		if err := s.Find(ctx, e.want, func(f *index.Found) error {
			if f.Rare > 0 {
				sure = false
				add(f.Rare)
			}
			lists := f.Lists
			if !e.variations {
				lists = slices.DeleteFunc(lists, func(l *index.List) bool { return l.Word >= index.Aside })
			}
			n := uint64(len(games))
			for _, l := range lists {
				n += l.Left()
			}
			if n > uint64(most) {
				return errMany
			}
			for _, l := range lists {
				for {
					list, err := l.Chunk()
					if err == nil {
						err = ctx.Err()
					}
					if err != nil {
						return err
					}
					if len(list) == 0 {
						break
					}
					for _, game := range list {
						add(game)
					}
				}
			}
			return nil
		}); err != nil {
			return nil, false, err
		}
		slices.Sort(games[from:])
	}
	return slices.Compact(games), sure, nil
}
