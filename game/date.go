// SPDX-License-Identifier: Apache-2.0

package game

import (
	"strconv"
	"strings"
)

// DateOf reads a date as tags have it: the year, the month and the day, 0 where they are not known, and whether it has
// a year. The year is the first four characters, if they are digits. A month of one or two digits may follow after '.',
// '-' or '/', and after it a day. A day is known only if the month is. White space around the date says nothing.
func DateOf(tag string) (year, month, day int, ok bool) {
	tag = strings.Trim(tag, " \t\r\n")
	year, rest := digits(tag, 4)
	if len(tag)-len(rest) != 4 {
		return 0, 0, 0, false
	}
	part := func(most int) int {
		if rest == "" || strings.IndexByte(".-/", rest[0]) < 0 {
			return 0
		}
		n, after := digits(rest[1:], 2)
		if rest = after; n > most || after != "" && after[0] >= '0' && after[0] <= '9' {
			return 0
		}
		return n
	}
	if month = part(12); month > 0 {
		day = part(31)
	}
	return year, month, day, true
}

// digits reads a number of at most so many digits at the front of s. It returns what stands behind it.
func digits(s string, most int) (n int, rest string) {
	i := 0
	for ; i < len(s) && i < most && s[i] >= '0' && s[i] <= '9'; i++ {
		n = 10*n + int(s[i]-'0')
	}
	return n, s[i:]
}

// DateTag returns a game's date from its tags Date and UTCDate: UTCDate where Date has no year, and it has.
func DateTag(date, utc string) string {
	if _, _, _, ok := DateOf(date); !ok {
		if _, _, _, ok = DateOf(utc); ok {
			return utc
		}
	}
	return date
}

// Date returns the date of the game: see DateTag.
func (g *Game) Date() string { return DateTag(g.Tag("Date"), g.Tag("UTCDate")) }

// RatingOf reads a rating's tag, and reports whether it is a number.
func RatingOf(tag string) (rating int, ok bool) {
	rating, err := strconv.Atoi(strings.TrimSpace(tag))
	return rating, err == nil
}
