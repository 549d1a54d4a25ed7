// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"strconv"
	"strings"

	"ply11/chess"
	"ply11/game"
)

// speed is how fast a game was, as Lichess sorts time controls.
type speed uint8

const (
	ultraBullet speed = iota
	bullet
	blitz
	rapid
	classical
	correspondence
)

var speedNames = [...]string{ultraBullet: "ultraBullet", bullet: "bullet", blitz: "blitz", rapid: "rapid",
	classical:      "classical",
	correspondence: "correspondence"}

const allSpeeds = 1<<len(speedNames) - 1

// speedOf returns the speed of the tag TimeControl: the seconds of a player for forty moves, of all periods. "-" is
// correspondence, as Lichess writes it. An unknown one is classical, which programs ask for by default.
func speedOf(control string) speed {
	control = strings.TrimSpace(control)
	if control == "-" {
		return correspondence
	}
	sum := 0.0
	for period := range strings.SplitSeq(control, ":") {
		if _, after, ok := strings.Cut(period, "/"); ok {
			period = after
		}
		base, increment, more := strings.Cut(strings.TrimPrefix(period, "*"), "+")
		b, ok := seconds(base)
		if !ok {
			return classical
		}
		sum += b
		if more {
			i, ok := seconds(increment)
			if !ok {
				return classical
			}
			sum += 40 * i
		}
	}
	switch {
	case sum < 30:
		return ultraBullet
	case sum < 3*60:
		return bullet
	case sum < 8*60:
		return blitz
	case sum < 25*60:
		return rapid
	case sum < 6*60*60:
		return classical
	}
	return correspondence
}

func seconds(s string) (float64, bool) {
	if s == "" || len(s) > 12 || strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

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
		fact(year)<<30 | fact(month)<<44 | fact(day)<<48 | fact(speedOf(g.Tag("TimeControl")))<<53 | fact(
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

func (f fact) speed() speed { return speed(f >> 53 & 7) }

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
