// SPDX-License-Identifier: Apache-2.0

package game

import (
	"iter"
	"strconv"
	"strings"
	"time"

	"ply11/chess"
)

// Comments may hold commands, "[%clk 0:10:00]", that programs read: the clock, the engine's evaluation,
// arrows and coloured squares. Command and what builds on it find them and leave the text as it is.

// Command is one command in a comment.
type Command struct {
	Name  string // "clk"
	Value string // "0:10:00", without white space around it
	// Start and End are its place in the comment, with the brackets.
	Start, End int
}

// Commands returns the commands of a comment, in order. The search is linear and allocates nothing.
func Commands(comment string) iter.Seq[Command] {
	return func(yield func(Command) bool) {
		for at := 0; ; {
			i := strings.Index(comment[at:], "[%")
			if i < 0 {
				return
			}
			start := at + i
			n := strings.IndexByte(comment[start:], ']')
			if n < 0 {
				return
			}
			c := Command{Start: start, End: start + n + 1}
			body := comment[start+2 : start+n]
			// A command that is not closed before the next begins is none.
			if j := strings.LastIndex(body, "[%"); j >= 0 {
				c.Start += 2 + j
				body = body[j+2:]
			}
			name, value, _ := strings.Cut(body, " ")
			c.Name, c.Value = trim(name), trim(value)
			at = c.End
			if c.Name != "" && !yield(c) {
				return
			}
		}
	}
}

// trim takes ASCII's white space away at both ends: docs/train.md defines what a command is.
func trim(s string) string { return strings.Trim(s, " \t\n\v\f\r") }

// FindCommand returns the first command of the name in a comment.
func FindCommand(comment, name string) (Command, bool) {
	for c := range Commands(comment) {
		if c.Name == name {
			return c, true
		}
	}
	return Command{}, false
}

// Clock returns the time left on the mover's clock after the move: [%clk 1:05:23]. Seconds may have
// a fraction.
func Clock(comment string) (time.Duration, bool) { return timeOf(comment, "clk") }

func timeOf(comment, name string) (time.Duration, bool) {
	c, ok := FindCommand(comment, name)
	if !ok {
		return 0, false
	}
	return clockOf(c.Value)
}

// clockOf reads hours, minutes and seconds, "1:05:23.4", of which the first may be missing, as may the minutes: "12.5"
// is in seconds. It refuses what is negative, or not below 10,000 hours.
func clockOf(s string) (time.Duration, bool) {
	total := time.Duration(0)
	parts := strings.Split(s, ":")
	if len(parts) > 3 {
		return 0, false
	}
	for i, part := range parts {
		whole, fraction, dotted := strings.Cut(part, ".")
		n, err := strconv.ParseUint(whole, 10, 32)
		if err != nil || n >= 36_000_000 || dotted && i+1 < len(parts) || i > 0 && n >= 60 {
			return 0, false
		}
		total = total*60 + time.Duration(n)*time.Second
		if dotted {
			unit := time.Second
			for _, c := range []byte(fraction) {
				if c < '0' || c > '9' {
					return 0, false
				}
				unit /= 10
				total += unit * time.Duration(c-'0')
			}
			if fraction == "" {
				return 0, false
			}
		}
	}
	return total, total < 10_000*time.Hour
}

// Evaluation is an engine's evaluation, from White's side.
type Evaluation struct {
	// Centipawns is the score in hundredths of a pawn, if IsMate is not set.
	Centipawns int
	// Mate is the number of moves to mate, negative if Black mates.
	Mate   int
	IsMate bool
	// Depth is the depth of the search in plies, 0 if it is not given.
	Depth int
}

// Eval returns the evaluation of the position after the move: [%eval -1.35], [%eval #-3],
// [%eval 0.17,24].
func Eval(comment string) (Evaluation, bool) {
	c, ok := FindCommand(comment, "eval")
	if !ok {
		return Evaluation{}, false
	}
	return evalOf(c.Value)
}

// MatchEval returns the evaluation of the position after the move of a side, as programs that let engines play write it
// at the front of a comment: "+0.30/13 0.28s" (cutechess, fastchess), "-M12/30 0.1s", "0.30/13 2" (XBoard). The score
// is from the mover's side there, mates are in plies, and the depth follows. A comment with a command "eval" has none.
func MatchEval(comment string, mover chess.Color) (e Evaluation, ok bool) {
	score, rest, found := strings.Cut(comment, "/")
	if !found {
		return e, false
	}
	n := 0
	for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
		n++
	}
	depth, err := strconv.ParseUint(rest[:n], 10, 16)
	if err != nil || n < len(rest) && trim(rest[n:n+1]) != "" {
		return e, false
	}
	sign, score := 1, trim(score)
	if rest, minus := strings.CutPrefix(score, "-"); minus {
		sign, score = -1, rest
	} else {
		score = strings.TrimPrefix(score, "+")
	}
	if mover == chess.Black {
		sign = -sign
	}
	if plies, mate := strings.CutPrefix(score, "M"); mate {
		n, err := strconv.ParseUint(plies, 10, 15)
		if err != nil || n == 0 {
			return e, false
		}
		e = Evaluation{Mate: sign * (int(n+1) / 2), IsMate: true}
	} else if e, ok = evalOf(score); !ok || strings.Trim(score, "0123456789") != "." {
		return Evaluation{}, false
	} else {
		e.Centipawns *= sign
	}
	if _, has := FindCommand(comment, "eval"); has {
		return Evaluation{}, false
	}
	e.Depth = int(depth)
	return e, true
}

// evalOf reads pawns or #moves, and the depth after a comma: "-1.35,20", "#-3".
func evalOf(s string) (e Evaluation, ok bool) {
	score, depth, deep := strings.Cut(s, ",")
	if deep {
		n, err := strconv.ParseUint(trim(depth), 10, 16)
		if err != nil {
			return Evaluation{}, false
		}
		e.Depth = int(n)
	}
	score = trim(score)
	if mate, ok := strings.CutPrefix(score, "#"); ok {
		n, err := strconv.ParseInt(mate, 10, 16)
		e.Mate, e.IsMate = int(n), true
		return e, err == nil
	}
	sign := 1
	if rest, ok := strings.CutPrefix(score, "-"); ok {
		sign, score = -1, rest
	} else {
		score = strings.TrimPrefix(score, "+")
	}
	whole, fraction, dotted := strings.Cut(score, ".")
	n, err := strconv.ParseUint(whole, 10, 24)
	if err != nil || dotted && fraction == "" {
		return Evaluation{}, false
	}
	cp := int(n) * 100
	for i, c := range []byte(fraction) {
		switch {
		case c < '0' || c > '9':
			return Evaluation{}, false
		case i == 0:
			cp += 10 * int(c-'0')
		case i == 1:
			cp += int(c - '0')
		}
	}
	e.Centipawns = sign * cp
	return e, true
}
