// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query"
)

type ref struct {
	archive int // its number, from 0
	game    int // in it, from 1
}

// found is a game to be named, with the move that it played.
type found struct {
	ref
	word moveindex.Index
	key  uint64 // the games of the highest keys are named
}

// best are the games of the highest keys.
type best struct {
	list  []found
	most  int
	later bool // of equal keys those that stand later in the archives come first
}

func (b *best) compare(x, y found) int {
	place := cmp.Or(cmp.Compare(x.archive, y.archive), cmp.Compare(x.game, y.game))
	if b.later {
		place = -place
	}
	return cmp.Or(cmp.Compare(y.key, x.key), place)
}

// add puts a game among them, if it is one.
func (b *best) add(g found) {
	n := len(b.list)
	if b.most == 0 || n == b.most && b.compare(g, b.list[n-1]) >= 0 {
		return
	}
	i, there := slices.BinarySearchFunc(b.list, g, b.compare)
	if there {
		return // it is there with another move
	}
	if n == b.most {
		b.list = b.list[:n-1]
	}
	b.list = slices.Insert(b.list, i, g)
}

type stats struct {
	White int `json:"white"`
	Draws int `json:"draws"`
	Black int `json:"black"`
}

func (s *stats) total() int { return s.White + s.Draws + s.Black }

// add counts a game, if its result is known.
func (s *stats) add(r game.Result) bool {
	switch r {
	case game.WhiteWins:
		s.White++
	case game.Draw:
		s.Draws++
	case game.BlackWins:
		s.Black++
	default:
		return false
	}
	return true
}

// tally is what is counted of a move.
type tally struct {
	word moveindex.Index
	stats
	ratings int64 // the sum, of who moves, or of a player's opponents
	rated   int   // of how many games
	one     ref   // a game, the only one if there is one
}

func (t *tally) mean() float64 {
	if t.rated == 0 {
		return 0
	}
	return float64(t.ratings) / float64(t.rated)
}

// counts is what is counted of a position.
type counts struct {
	moves   []tally
	top     best
	recent  best
	history map[int]stats // by months; nil if it is not asked for
}

// firstMonth is the first of a history, as with Lichess.
const firstMonth = 12 * 1952

var errWork = errors.New(
	"the position is in too many games to look at each: ask without filters, or for a position further on")

// count counts the games of a request.
func (s *state) count(ctx context.Context, r *request, at position.Position, o *Options, players []bits) (*counts,
	error) {
	plain := r.filter == noFilter && !r.history && r.source != player
	most := o.MaxGames
	if plain && r.recent == 0 {
		// The index's counts serve as well, but for the last of many best games.
		if most = fewGames; !s.isReady() {
			most = 0
		}
	}
	c, err := s.walk(ctx, r, at, most, players)
	if !errors.Is(err, query.ErrManyGames) {
		return c, err
	}
	if !plain || r.recent > 0 {
		return nil, &badRequest{errWork}
	}
	c, few, err := s.lookUp(ctx, r, at)
	if few && err == nil {
		if all, err := s.walk(ctx, r, at, o.MaxGames, players); !errors.Is(err, query.ErrManyGames) {
			return all, err
		}
	}
	return c, err
}

// fewGames is how many games are looked at one by one though the index has their counts, so that the best are named.
// Tests set it.
var fewGames = 1 << 13

// leastBest is how many best games are named at least, if there are so many.
const leastBest = 8

// Counting sleeps for pause after each longestRun games, in less than a millisecond. Else all other answers wait while
// the games of a first move are counted: Go takes the processor away only after ten milliseconds.
const (
	longestRun = 1 << 14
	pause      = 50 * time.Microsecond
)

// walk counts games one by one.
func (s *state) walk(ctx context.Context, r *request, at position.Position, most int, players []bits) (*counts, error) {
	c := &counts{top: best{most: maxMasters, later: r.source != masters},
		recent: best{most: maxTop + maxGames, later: true}}
	if r.source != masters {
		c.top.most = maxTop
	}
	// else the recent ones are as many as the best leave, also if these are not asked for
	if r.source == player || r.top == 0 && r.recent == 0 {
		c.top.most = 0
	}
	if r.recent == 0 {
		c.recent.most = 0
	}
	if r.history {
		c.history = map[int]stats{}
	}
	rater := at.Turn() // whose ratings count
	if r.source == player {
		rater = r.color.Other()
	}
	least := topGroup(r)
	index := map[moveindex.Index]int{}
	run := 0 // games since others had the processor
	if most > 0 {
		if err := s.wait(ctx); err != nil {
			return nil, err
		}
	}
	for _, number := range s.asked(r.source) {
		a := s.archives[number]
		if players != nil && !slices.ContainsFunc(players[number], func(word uint64) bool { return word != 0 }) {
			continue // there is nothing to look for, in however many games the position is
		}
		archive, err := a.take()
		if err != nil {
			return nil, err
		}
		err = query.Played(ctx, a.index, archive, at, most, func(w moveindex.Index, games []int) error {
			if run += len(games); run >= longestRun {
				run = 0
				time.Sleep(pause)
			}
			if w >= moveindex.NumMoves {
				return nil // the null move
			}
			i, ok := index[w]
			if !ok {
				i = len(c.moves)
				index[w] = i
				c.moves = append(c.moves, tally{word: w})
			}
			t := &c.moves[i]
			for _, g := range games {
				if g > len(a.facts) {
					return errGone
				}
				if players != nil && !players[number].has(g) {
					continue
				}
				f := a.facts[g-1]
				if !r.passes(f) || !t.add(f.result()) {
					continue
				}
				if rating := f.rating(rater); rating > 0 {
					t.ratings += int64(rating)
					t.rated++
				}
				t.one = ref{number, g}
				if c.top.most > 0 {
					if sum := f.sum(); sum >= least {
						c.top.add(found{t.one, w, uint64(sum)})
					}
				}
				if c.recent.most > 0 {
					c.recent.add(found{t.one, w, f.date()})
				}
				if first, last, ok := f.months(); c.history != nil && ok && first == last && first >= firstMonth {
					month := c.history[first]
					month.add(f.result())
					c.history[first] = month
				}
			}
			return nil
		})
		a.give(archive)
		if err != nil {
			return nil, a.named(err)
		}
		if most < math.MaxInt {
			n := 0
			for i := range c.moves {
				n += c.moves[i].total()
			}
			if n > most {
				return nil, query.ErrManyGames
			}
		}
	}
	return c.done(r), nil
}

// topGroup returns the sum of ratings from which games are among the best: of /lichess 2000, or the lowest group above
// it that is asked for with all that follow.
func topGroup(r *request) int {
	if r.source != all {
		return 0
	}
	least := math.MaxInt
	for i := len(groups) - 1; i >= groupOf(2000) && r.ratings&(1<<i) != 0; i-- {
		least = 2 * groups[i]
	}
	return least
}

// lookUp counts by the indexes. few is whether fewer than leastBest games are known to be the best, and more may be.
func (s *state) lookUp(ctx context.Context, r *request, at position.Position) (c *counts, few bool, err error) {
	var sources []query.Source
	asked := s.asked(r.source)
	giveBack := func() {
		for i := range sources {
			s.archives[asked[i]].give(sources[i].Archive)
		}
	}
	for _, number := range asked {
		a := s.archives[number]
		archive, err := a.take()
		if err != nil {
			giveBack()
			return nil, false, err
		}
		sources = append(sources, query.Source{Name: a.Name, Reader: a.file, Size: a.size, Index: a.index,
			Archive: archive})
	}
	t, err := query.New().Tree(ctx, sources, at, query.TreeOptions{Workers: 1})
	giveBack() // what follows takes readers itself
	if err != nil {
		return nil, false, err
	}
	c = &counts{top: best{most: r.top, later: r.source != masters}}
	least := topGroup(r)
	sure := 0 // the sum from which no game is missing among the best
	for i := range t.Branches {
		b := &t.Branches[i]
		w, ok := moveindex.Of(b.Move)
		if !ok || b.Move == chess.NullMove {
			continue
		}
		m := tally{word: w, stats: stats{b.White, b.Draws, b.Black}}
		ratings := b.WhiteRating
		if at.Turn() == chess.Black {
			ratings = b.BlackRating
		}
		m.ratings, m.rated = ratings.Sum, ratings.Games
		for _, g := range b.Best {
			one := ref{asked[g.Source], g.Number}
			// A game without a result does not count here. The index does not say which it is.
			if b.Games > m.total() {
				i, err := s.info(one)
				if err != nil {
					return nil, false, err
				}
				if i.result() == game.Unknown {
					continue
				}
			}
			m.one = one
			c.top.add(found{one, w, uint64(g.Sum)})
		}
		if n := len(b.Best); n < b.Games {
			sure = max(sure, b.Best[n-1].Sum)
		}
		c.moves = append(c.moves, m)
	}
	c.top.list = slices.DeleteFunc(c.top.list, func(g found) bool { return int(g.key) < max(sure, least) })
	few = len(c.top.list) < min(leastBest, r.top) && sure > least
	return c.done(r), few, nil
}

// done sorts the moves, and cuts the lists of games.
func (c *counts) done(r *request) *counts {
	c.moves = slices.DeleteFunc(c.moves, func(t tally) bool { return t.total() == 0 })
	slices.SortFunc(c.moves, func(a, b tally) int {
		return cmp.Or(cmp.Compare(b.total(), a.total()), cmp.Compare(a.word, b.word))
	})
	// No game is among both.
	c.recent.list = slices.DeleteFunc(c.recent.list, func(g found) bool {
		return slices.ContainsFunc(c.top.list, func(t found) bool { return t.ref == g.ref })
	})
	most := max(0, maxGames-len(c.top.list))
	c.top.list = c.top.list[:min(r.top, len(c.top.list))]
	c.recent.list = c.recent.list[:min(r.recent, most, len(c.recent.list))]
	return c
}

// total sums the moves up, also those that are left out.
func (c *counts) total() (s stats) {
	for i := range c.moves {
		t := &c.moves[i]
		s.White += t.White
		s.Draws += t.Draws
		s.Black += t.Black
	}
	return s
}

// bits is a set of games, by their numbers from 1.
type bits []uint64

func newBits(n int) bits { return make(bits, n/64+1) }

func (b bits) has(game int) bool { return game/64 < len(b) && b[game/64]>>(game%64)&1 != 0 }

func (b bits) set(game int) { b[game/64] |= 1 << (game % 64) }

// errGone: an index has more games than its archive.
var errGone = errors.New("the index has games that the archive does not have")

type reader = archive.Reader
