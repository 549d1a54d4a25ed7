// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"strings"

	"ply11/chess"
	"ply11/game"
)

const allSpeeds = 1<<len(game.SpeedNames) - 1

// mode tells whether a game was rated.
type mode uint8

const (
	rated mode = iota // also of a game that does not tell
	casual
)

var modeNames = [...]string{rated: "rated", casual: "casual"}

const allModes = 1<<rated | 1<<casual

// modeOf returns the mode by the tag Event: "Casual Blitz game".
func modeOf(event string) mode {
	if len(event) > 7 && strings.EqualFold(event[:7], "casual ") {
		return casual
	}
	return rated
}

// fact is what filters ask of a game, in 64 bits:
//
//	 0..1   the result, as game.Result
//	 2..15  White's rating, 0 if it is not known
//	16..29  Black's
//	30..43  the year of the date, 0 if it is not known
//	44..47  the month, 0 if it is not known
//	48..52  the day, 0 if it is not known
//	53..55  the speed
//	56      the mode
type fact uint64

func newFact(g *game.Game) fact {
	year, month, day, _ := game.DateOf(g.Date())
	return fact(g.Result) | fact(ratingOf(g.Tag("WhiteElo")))<<2 | fact(ratingOf(g.Tag("BlackElo")))<<16 |
		fact(year)<<30 | fact(month)<<44 | fact(day)<<48 | fact(game.SpeedOf(g.Tag("TimeControl")))<<53 | fact(
		modeOf(g.Tag("Event")))<<56
}

// ratingOf reads a rating from 1 to 9999; anything else is 0.
func ratingOf(tag string) int {
	n, _ := game.RatingOf(tag)
	if n < 1 || n > 9999 {
		return 0
	}
	return n
}

func (f fact) result() game.Result { return game.Result(f & 3) }

func (f fact) rating(c chess.Color) int { return int(f>>(2+14*c)) & (1<<14 - 1) }

func (f fact) year() int { return int(f>>30) & (1<<14 - 1) }

func (f fact) month() int { return int(f>>44) & 15 }

func (f fact) date() uint64 { return uint64(f.year()<<9 | f.month()<<5 | int(f>>48)&31) }

func (f fact) speed() game.Speed { return game.Speed(f >> 53 & 7) }

func (f fact) mode() mode { return mode(f >> 56 & 1) }

// sum is the sum of the ratings, 0 if one is not known.
func (f fact) sum() int {
	w, b := f.rating(chess.White), f.rating(chess.Black)
	if w == 0 || b == 0 {
		return 0
	}
	return w + b
}

// months returns the months that the date leaves open, counted from January of year 0, and whether it has a year.
func (f fact) months() (first, last int, ok bool) {
	y, m := f.year(), f.month()
	if m == 0 {
		return 12 * y, 12*y + 11, y > 0
	}
	return 12*y + m - 1, 12*y + m - 1, true
}

// groups are the lower ends of the groups of ratings; a game is in that of the mean of its two.
var groups = [...]int{0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500}

const allGroups = 1<<len(groups) - 1

func groupOf(rating int) int {
	for i := len(groups) - 1; i > 0; i-- {
		if rating >= groups[i] {
			return i
		}
	}
	return 0
}
