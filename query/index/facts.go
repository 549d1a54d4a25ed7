// SPDX-License-Identifier: Apache-2.0

package index

import (
	"ply11/chess"
	"ply11/game"
)

// Facts is what a tree wants to know of a game, besides its moves, in 64 bits:
//
//	 0..1   the result, as game.Result
//	 2..17  White's rating: 0 none, 65535 another number, else the number and 1
//	18..33  Black's
//	34      the date has a year
//	35..48  the year
//	49..52  the month, 0 if it is not known
//	53..57  the day, 0 if it is not known
//	58      the game is not valid
type Facts uint64

const (
	otherRating = 1<<16 - 1
	factYear    = 1 << 34
	factInvalid = 1 << 58
)

// NewFacts makes them of tags and result.
func NewFacts(g *game.Game, invalid bool) Facts {
	f := Facts(g.Result)
	f |= Facts(ratingCode(g.Tag("WhiteElo")))<<2 | Facts(ratingCode(g.Tag("BlackElo")))<<18
	if year, month, day, ok := game.DateOf(g.Date()); ok {
		f |= factYear | Facts(year)<<35 | Facts(month)<<49 | Facts(day)<<53
	}
	if invalid {
		f |= factInvalid
	}
	return f
}

func ratingCode(tag string) int {
	n, ok := game.RatingOf(tag)
	switch {
	case !ok:
		return 0
	case n < 0 || n >= otherRating-1:
		return otherRating
	}
	return n + 1
}

// Result returns the result.
func (f Facts) Result() game.Result { return game.Result(f & 3) }

func (f Facts) ratingCode(c chess.Color) int { return int(f>>(2+16*c)) & 0xffff }

// meanRating is the rating for means, or 0.
func (f Facts) meanRating(c chess.Color) int {
	if n := f.ratingCode(c) - 1; n >= 1 && n <= 9999 {
		return n
	}
	return 0
}

// Rating returns a player's rating, and whether the tag is a number. known is false for numbers that no rating has.
func (f Facts) Rating(c chess.Color) (n int, ok, known bool) {
	code := f.ratingCode(c)
	return code - 1, code > 0, code != otherRating
}

func (f Facts) year() int { return int(f>>35) & (1<<14 - 1) }

// Date returns the date, as game.DateOf.
func (f Facts) Date() (year, month, day int, ok bool) {
	return f.year(), int(f>>49) & 15, int(f>>53) & 31, f&factYear != 0
}

// Invalid reports whether the game is not valid.
func (f Facts) Invalid() bool { return f&factInvalid != 0 }

// sound reports whether NewFacts makes them: what is not known is 0.
func (f Facts) sound() bool {
	year, month, day, ok := f.Date()
	return f < factInvalid<<1 && year <= 9999 && month <= 12 && (day == 0 || month > 0) && (ok || year|month == 0)
}
