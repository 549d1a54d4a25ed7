// SPDX-License-Identifier: Apache-2.0

package pgn_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
)

// A game has just as many moves as MaxMoves allows, those of variations included, and in every spelling; the move after
// them is the error, and the next game is read.
func TestMaxMovesIsExact(t *testing.T) {
	cycle := [4]string{"Nf3", "Nf6", "Ng1", "Ng8"}
	long := [4]string{"Ng1-f3", "Ng8-f6", "Nf3-g1", "Nf6-g8"} // read by the slow way
	for _, max := range []int{1, 2, 127, 128, 129, 200, 255, 256, 257, 1000} {
		for name, move := range map[string]func(ply int) string{
			"plain":     func(ply int) string { return cycle[ply%4] },
			"long":      func(ply int) string { return long[ply%4] },
			"mixed":     func(ply int) string { return [2][4]string{cycle, long}[ply/4%2][ply%4] },
			"annotated": func(ply int) string { return cycle[ply%4] + " $1 {x}" },
			// The first move has a variation of one move for all the others.
			"variations": func(ply int) string { return [2]string{"e4", "(d4)"}[min(ply, 1)] },
		} {
			for _, moves := range []int{max - 1, max, max + 1, max + 2, 5 * max} {
				var b strings.Builder
				for ply := range moves {
					b.WriteString(move(ply) + " ")
				}
				r := pgn.NewReader(strings.NewReader(fmt.Sprintf("[Event \"x\"]\n\n%s*\n\n[Event \"y\"]\n\n1. e4 *\n",
					b.String())),
					pgn.MaxMoves(max), pgn.MaxItems(1<<20))
				var g game.Game
				err := r.Read(&g)
				if want := min(max, moves); g.NumMoves() != want {
					t.Fatalf("%s: %d of %d moves with a limit of %d", name, g.NumMoves(), moves, max)
				}
				var e *codec.Error
				if over := moves > max; errors.Is(err, codec.ErrLimit) != over || !over && err != nil {
					t.Fatalf("%s: %d moves with a limit of %d: %v", name, moves, max, err)
				} else if over && name == "plain" && (!errors.As(err, &e) || e.Ply != max+1 || e.Text != cycle[max%4]) {
					t.Fatalf("%d moves with a limit of %d: %v", moves, max, err)
				}
				if err := r.Read(&g); err != nil || g.Tag("Event") != "y" || g.Len() != 1 {
					t.Fatalf("%s: the game after %d moves, with a limit of %d: %v, %d moves", name, moves, max, err,
						g.Len())
				}
			}
		}
	}
}

// TestLongTagNames: a name of more bytes than a writer writes is an error of its game, each time that it comes, and the
// game after it is read.
func TestLongTagNames(t *testing.T) {
	for _, c := range []struct {
		name string
		want int // bytes of the tag's name
		over bool
	}{
		{strings.Repeat("n", 255), 255, false},
		{strings.Repeat("n", 256), 255, true},
		{strings.Repeat("n", 2000), 255, true},
		{strings.Repeat("ü", 127), 254, false},
		{strings.Repeat("ü", 128), 254, true},
	} {
		tags := fmt.Sprintf("[%s \"x\"]\n", c.name)
		r := pgn.NewReader(strings.NewReader(strings.Repeat(tags+"\n1. e4 *\n\n", 2) + "[Event \"y\"]\n\n1. e4 *\n"))
		var g game.Game
		for range 2 {
			err := r.Read(&g)
			if errors.Is(err, codec.ErrLimit) != c.over || !c.over && err != nil {
				t.Errorf("a name of %d bytes: %v", len(c.name), err)
			}
			if len(g.Tags) != 1 || len(g.Tags[0].Name) != c.want || !strings.HasPrefix(c.name, g.Tags[0].Name) ||
				g.Tags[0].Value != "x" {
				t.Errorf("a name of %d bytes: %q", len(c.name), g.Tags)
			}
		}
		if err := r.Read(&g); err != nil || g.Tag("Event") != "y" {
			t.Errorf("the game after names of %d bytes: %v", len(c.name), err)
		}
	}
}

// TestDefaultLimits: the limits of SECURITY.md hold without an option. What is just within one is read; a step more is
// an error of the game, and the next game is read.
func TestDefaultLimits(t *testing.T) {
	moves := "[Event \"x\"]\n\n1. e4 "
	for name, c := range map[string]struct {
		most, step int
		write      func(n int) string
	}{
		"tags":    {1000, 1, func(n int) string { return strings.Repeat("[A \"\"]\n", n) + "\n*" }},
		"tag":     {64 << 10, 1, func(n int) string { return "[A \"" + strings.Repeat("x", n) + "\"]\n\n*" }},
		"comment": {256 << 10, 1, func(n int) string { return moves + "{" + strings.Repeat("x", n) + "} *" }},
		"variations": {256, 1, func(n int) string {
			return moves + strings.Repeat("(d4 ", n) + strings.Repeat(")", n) +
				" *"
		}},
		"plies": {1 << 16, 1, func(n int) string {
			return "[Event \"x\"]\n\n" + strings.Repeat("Nf3 Nf6 Ng1 Ng8 ",
				n)[:4*n] + "*"
		}},
		"text": {1 << 20, 1 << 10, func(n int) string {
			comments := strings.Repeat("{"+strings.Repeat("x", 100<<10)+"} ", 10)
			return moves + comments + "{" + strings.Repeat("x", n-len(moves)-len(comments)-4) + "} *"
		}},
	} {
		for _, over := range []int{0, c.step} {
			r := pgn.NewReader(strings.NewReader(c.write(c.most+over) + "\n\n[Event \"y\"]\n\n1. e4 *\n"))
			var g game.Game
			if err := r.Read(&g); errors.Is(err, codec.ErrLimit) != (over > 0) || over == 0 && err != nil {
				t.Errorf("%s: %d with a limit of %d: %v", name, c.most+over, c.most, err)
			}
			if err := r.Read(&g); err != nil || g.Tag("Event") != "y" {
				t.Errorf("%s: the game after %d, with a limit of %d: %v", name, c.most+over, c.most, err)
			}
		}
	}
}

// TestTooLongAtTheEndOfTheBuffer: a game that is too long is read to where the buffer ends, and no bytes of games
// before it that once stood behind.
func TestTooLongAtTheEndOfTheBuffer(t *testing.T) {
	for before := range 900 {
		text := "{" + strings.Repeat("x", before) + "} *\n\n{short} *\n\ne4 (" + strings.Repeat("1.", 1000)
		n := 0
		for _, err := range pgn.NewReader(strings.NewReader(text), pgn.MaxGame(700)).All() {
			if n++; n == 3 && !errors.Is(err, codec.ErrLimit) {
				t.Errorf("behind %d bytes: %v", before, err)
			}
		}
	}
}
