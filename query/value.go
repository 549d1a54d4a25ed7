// SPDX-License-Identifier: Apache-2.0

package query

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ply11/game"
)

// maxText is the longest value of a term in bytes.
const maxText = 4096

// numbers is a range with both ends included.
type numbers struct{ least, most int }

func (r numbers) has(n int) bool { return n >= r.least && n <= r.most }

// parseRange reads "7", "7-9", "7-", "7+", "-9", ">6", ">=7", "<10" or "<=9" of numbers from 0 to most. An open end is
// math.MaxInt.
func parseRange(s string, most int) (r numbers, err error) {
	text := strings.TrimSpace(s)
	number := func(part string) int {
		n, e := strconv.ParseUint(strings.TrimSpace(part), 10, 31)
		if e != nil || int(n) > most {
			err = fmt.Errorf("%q is no number from 0 to %d", clip(part), most)
		}
		return int(n)
	}
	first, second, span := strings.Cut(text, "-")
	switch {
	case strings.HasPrefix(text, ">="):
		r = numbers{number(text[2:]), math.MaxInt}
	case strings.HasPrefix(text, ">"):
		r = numbers{number(text[1:]) + 1, math.MaxInt}
	case strings.HasPrefix(text, "<="):
		r.most = number(text[2:])
	case strings.HasPrefix(text, "<"):
		if r.most = number(text[1:]) - 1; r.most < 0 && err == nil {
			err = fmt.Errorf("%q: no number is less than 0", clip(text))
		}
	case strings.HasSuffix(text, "+") && !span:
		r = numbers{number(text[:len(text)-1]), math.MaxInt}
	case !span:
		r.least = number(text)
		r.most = r.least
	case first == "" && second == "":
		return r, errors.New("a range needs a number: 7, 7-9, 7- or -9")
	default:
		r.most = math.MaxInt
		if first != "" {
			r.least = number(first)
		}
		if second != "" {
			r.most = number(second)
		}
	}
	if err == nil && r.least > r.most {
		err = fmt.Errorf("%q: the range ends before it begins", clip(text))
	}
	return r, err
}

// gameNumbers are ranges of games, both ends included, in ascending order.
type gameNumbers [][2]int

// ParseGames reads numbers and ranges of games, as "3,17,100-200,300-", where math.MaxInt stands for the open end. They
// are returned in ascending order, both ends included.
func ParseGames(s string) (list [][2]int, err error) {
	if len(s) > maxText {
		return nil, fmt.Errorf("%d bytes are too many", len(s))
	}
	for part := range strings.SplitSeq(s, ",") {
		span, err := parseSpan(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		list = append(list, span)
	}
	slices.SortStableFunc(list, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	return list, nil
}

// parseSpan reads 3, 3-5 or 3-, of which the end is math.MaxInt.
func parseSpan(s string) (span [2]int, err error) {
	first, last, isRange := strings.Cut(s, "-")
	fail := fmt.Errorf("%q is no game's number, and no range of numbers such as 3-5 or 3-", clip(s))
	number := func(s string) int {
		n, e := strconv.ParseUint(s, 10, strconv.IntSize-1)
		if errors.Is(e, strconv.ErrRange) && strings.Trim(s, "0123456789") == "" {
			return math.MaxInt // no game has such a number either
		}
		if e != nil || n == 0 || s[0] == '0' || s[0] == '+' {
			err = fail
		}
		return int(n)
	}
	span[0] = number(first)
	switch {
	case !isRange:
		span[1] = span[0]
	case last == "":
		span[1] = math.MaxInt
	default:
		span[1] = number(last)
	}
	if err == nil && span[0] > span[1] {
		err = fmt.Errorf("%q: the range ends before it begins", clip(s))
	}
	return span, err
}

func (l gameNumbers) has(n int) bool { return l.any(n, n) }

// any reports whether one of first to last is among them.
func (l gameNumbers) any(first, last int) bool {
	return slices.ContainsFunc(l, func(span [2]int) bool { return span[0] <= last && span[1] >= first })
}

// parseResult reads a result as PGN has it, or a word.
func parseResult(s string) (game.Result, error) {
	text := strings.ToLower(strings.TrimSpace(s))
	switch text {
	case "white":
		return game.WhiteWins, nil
	case "black":
		return game.BlackWins, nil
	case "draw":
		return game.Draw, nil
	}
	r, err := game.ParseResult(text)
	if err != nil {
		return r, fmt.Errorf("%q is no result: 1-0, 0-1, 1/2-1/2 or *; or white, black or draw%s", clip(s),
			suggest(text, []string{"white", "black", "draw"}))
	}
	return r, nil
}

// suggest returns "; did you mean …?" with the most similar word of a list, "" if none is similar.
func suggest(typed string, list []string) string {
	typed = strings.ToLower(strings.TrimSpace(typed))
	best, least := "", 3
	if len(typed) > 40 {
		return ""
	}
	for _, word := range list {
		if d := distance(typed, word); d < least && d < len(word)/2+1 {
			best, least = word, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance is how many letters must be added, left out, changed or exchanged with a neighbour.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for k := range rows[i] {
			switch {
			case i == 0 || k == 0:
				rows[i][k] = i + k
				continue
			case a[i-1] == b[k-1]:
				rows[i][k] = rows[i-1][k-1]
			default:
				rows[i][k] = 1 + min(rows[i-1][k-1], rows[i-1][k], rows[i][k-1])
			}
			if i > 1 && k > 1 && a[i-1] == b[k-2] && a[i-2] == b[k-1] {
				rows[i][k] = min(rows[i][k], rows[i-2][k-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// textTest: a text contains another, whatever the case; after '=', is the other; after '~', matches a regular
// expression.
type textTest struct {
	part  string // in small letters
	exact bool
	re    *regexp.Regexp
	any   bool
}

func parseText(s string) (t textTest, err error) {
	switch {
	case strings.TrimSpace(s) == "":
		return t, errors.New("the text is empty, which everything holds")
	case len(s) > maxText:
		return t, fmt.Errorf("%d bytes are too many", len(s))
	case s[0] == '=':
		return textTest{part: s[1:], exact: true}, nil
	case s[0] == '~':
		t.re, err = regexp.Compile(s[1:])
		var e *syntax.Error
		if errors.As(err, &e) {
			err = fmt.Errorf("%q is no regular expression: %s: %q", clip(s[1:]), e.Code, clip(e.Expr))
		}
		return t, err
	}
	return textTest{part: strings.ToLower(s)}, nil
}

func (t *textTest) matches(s string) bool {
	switch {
	case t.any:
		return true
	case t.exact:
		return s == t.part
	case t.re != nil:
		return t.re.MatchString(s)
	}
	return containsFold(s, t.part)
}

// containsFold reports whether s contains part, which is in small letters, whatever its case.
func containsFold(s, part string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf { // small letters of other letters may be ASCII
			return strings.Contains(strings.ToLower(s), part)
		}
	}
	for ; len(s) >= len(part); s = s[1:] {
		if part == "" || s[0]|0x20 == part[0]|0x20 && strings.EqualFold(s[:len(part)], part) {
			return true
		}
	}
	return false
}

// column is gameTest.column of a tag's value.
func (t *textTest) column() func(column []byte) bool {
	text := t.part
	if t.re != nil {
		text, _ = t.re.LiteralPrefix()
	}
	// Not in the column as they are: escaped bytes, and bytes that are no UTF-8, for which an expression has U+FFFD.
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return r <= 3 || r == utf8.RuneError }) {
		return nil
	}
	if t.exact || t.re != nil {
		return func(column []byte) bool { return bytes.Contains(column, []byte(text)) }
	}
	return func(column []byte) bool { return columnHoldsFold(column, []byte(text)) }
}

// columnHoldsFold reports whether a column of tags may contain part, which is in small letters, whatever its case. It
// looks for the rarest letter first.
func columnHoldsFold(column, part []byte) bool {
	has := func(letter byte, other string) bool {
		return bytes.IndexByte(part, letter) >= 0 && bytes.Contains(column, []byte(other))
	}
	// Of other letters, two become small letters of ASCII.
	if bytes.ContainsFunc(part, func(r rune) bool { return r >= utf8.RuneSelf }) || has('i', "\u0130") ||
		has('k', "\u212a") {
		return bytes.Contains(bytes.ToLower(column), part)
	}
	at := 0
	for i := range part {
		if strings.IndexByte(frequent, part[i]) < strings.IndexByte(frequent, part[at]) {
			at = i
		}
	}
	letters := bytes.ToUpper(part[at : at+1])
	if letters[0] != part[at] {
		letters = append(letters, part[at])
	}
	for _, c := range letters {
		for k := at; k < len(column); k++ {
			n := bytes.IndexByte(column[k:], c)
			if n < 0 {
				break
			}
			k += n
			if from, end := k-at, k-at+len(part); end <= len(column) && bytes.EqualFold(column[from:end], part) {
				return true
			}
		}
	}
	return false
}

// frequent are bytes of tags, the most frequent last.
const frequent = "zqxjwpvfgybkmhcudt9876543lsornie210a. "

// tagTest is a test of a tag's value.
type tagTest struct {
	name string
	text textTest
	op   string // of numbers: "<", "<=", ">", ">="; or ""
	n    float64
}

// parseTag reads Name=text (the value contains it), Name==text (it is the text), Name~expression, Name<n, Name<=n,
// Name>n, Name>=n, or Name alone (the tag is there).
func parseTag(s string) (t tagTest, err error) {
	if len(s) > maxText {
		return t, fmt.Errorf("%d bytes are too many", len(s))
	}
	i := strings.IndexAny(s, "=~<>")
	if i < 0 {
		i = len(s)
	}
	t.name = strings.TrimSpace(s[:i])
	if t.name == "" {
		return t, fmt.Errorf("%q has no tag's name: Name=text, Name==text, Name~expression, Name>2000", clip(s))
	}
	rest := s[i:]
	switch {
	case rest == "":
		t.text.any = true
	case rest[0] == '=' && rest == "==": // a tag without a value
		t.text.exact = true
	case rest[0] == '=' && strings.HasPrefix(rest, "=="):
		t.text, err = parseText(rest[1:])
	case rest[0] == '=':
		// Here a later = or ~ is text.
		if strings.TrimSpace(rest[1:]) == "" {
			return t, fmt.Errorf("%q: the text is empty, which every tag holds", clip(s))
		}
		t.text = textTest{part: strings.ToLower(rest[1:])}
	case rest[0] == '~':
		t.text, err = parseText(rest)
	default:
		t.op = rest[:1]
		if strings.HasPrefix(rest[1:], "=") {
			t.op = rest[:2]
		}
		if t.n, err = strconv.ParseFloat(strings.TrimSpace(rest[len(t.op):]), 64); err != nil || math.IsNaN(t.n) {
			return t, fmt.Errorf("%q: %q is no number", clip(s), clip(rest[len(t.op):]))
		}
	}
	return t, err
}

func (t *tagTest) matches(value string) bool {
	if t.op == "" {
		return t.text.matches(value)
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		return false
	}
	switch t.op {
	case "<":
		return n < t.n
	case "<=":
		return n <= t.n
	case ">":
		return n > t.n
	}
	return n >= t.n
}

// days is a span of days, both included, as numbers with the digits of year, month and day.
type days struct{ first, last int }

// parseDate reads a date whose end may be missing, with '.', '-' or '/' between its parts.
func parseDate(s string) (d days, err error) {
	fail := fmt.Errorf("%q is no date: 1972, 1972.07 or 1972-07-11, or a range, 1972-1974 or 1972-07..1974-05", clip(s))
	var part [3]int
	n := 0
	for field := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '.' || r == '-' || r == '/' }) {
		v, err := strconv.ParseUint(field, 10, 31)
		if err != nil || n == 3 || n == 0 && len(field) != 4 || n > 0 && len(field) > 2 {
			return d, fail
		}
		part[n] = int(v)
		n++
	}
	if n == 0 || len(s) != 0 && (s[0] < '0' || s[0] > '9' || s[len(s)-1] < '0' || s[len(s)-1] > '9') ||
		n > 1 && (part[1] < 1 || part[1] > 12) || n > 2 && (part[2] < 1 || part[2] > 31) {
		return d, fail
	}
	first, last := part, part
	if n < 3 {
		first[2], last[2] = 1, 31
	}
	if n < 2 {
		first[1], last[1] = 1, 12
	}
	join := func(p [3]int) int { return p[0]*10000 + p[1]*100 + p[2] }
	return days{join(first), join(last)}, nil
}

// parseDates reads a date or a range: "1972-1974", "1972-", "1972.07-1972.09", "2024-11", "2024-11-05..2024-12-01".
func parseDates(s string) (days, error) {
	text := strings.TrimSpace(s)
	whole := days{0, 99999999}
	from, to, span := strings.Cut(text, "..")
	if !span {
		if d, err := parseDate(text); err == nil {
			return d, nil // 2024-11 is a month: no year has two digits
		}
		// A range with one hyphen, whose dates have dots.
		if strings.Count(text, "-") != 1 {
			_, err := parseDate(text)
			return whole, err
		}
		from, to, _ = strings.Cut(text, "-")
	}
	if from == "" && to == "" {
		return whole, errors.New(
			"a date is missing: 1972, 1972.07 or 1972-07-11, or a range, 1972-1974 or 1972-07..1974-05")
	}
	if from != "" {
		d, err := parseDate(from)
		if err != nil {
			return whole, err
		}
		whole.first = d.first
	}
	if to != "" {
		d, err := parseDate(to)
		if err != nil {
			return whole, err
		}
		whole.last = d.last
	}
	if whole.first > whole.last {
		return whole, fmt.Errorf("%q: the range ends before it begins", clip(text))
	}
	return whole, nil
}

// spanOf returns the days that a date may mean; what is not known of it is 0.
func spanOf(year, month, day int) days {
	monthEnd, dayEnd := month, day
	if month == 0 {
		month, monthEnd = 1, 12
	}
	if day == 0 {
		day, dayEnd = 1, 31
	}
	return days{year*10000 + month*100 + day, year*10000 + monthEnd*100 + dayEnd}
}

// within reports whether the span lies in another.
func (d days) within(o days) bool { return d.first >= o.first && d.last <= o.last }

// codes is a range of ECO codes of three characters.
type codes struct{ first, last string }

// parseECO reads "B90", "B" or "B20-B99".
func parseECO(s string) (c codes, err error) {
	text := strings.ToUpper(strings.TrimSpace(s))
	var span bool
	if c.first, c.last, span = strings.Cut(text, "-"); !span {
		c.last = c.first
	}
	if len(c.first) == 1 {
		c.first += "00"
	}
	if len(c.last) == 1 {
		c.last += "99"
	}
	for _, code := range []string{c.first, c.last} {
		if len(code) != 3 || code[0] < 'A' || code[0] > 'Z' || strings.Trim(code[1:], "0123456789") != "" {
			return c, fmt.Errorf("%q is no ECO code: B90, B or B20-B99", clip(s))
		}
	}
	if c.first > c.last {
		return c, fmt.Errorf("%q: the range ends before it begins", clip(s))
	}
	return c, nil
}

func (c *codes) has(eco string) bool {
	if len(eco) < 3 {
		return false
	}
	code := [3]byte{eco[0] &^ 0x20, eco[1], eco[2]}
	return string(code[:]) >= c.first && string(code[:]) <= c.last
}
