// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ply11/internal/cli"
)

// stats counts 200,000 different names exactly, from a file and from a pipe.
func TestStatsOfManyNames(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		white := fmt.Sprintf("White %d", i)
		if i%100 == 0 {
			white = "Carlsen"
		}
		fmt.Fprintf(&b, "[Event \"E\"]\n[White %q]\n[Black \"Black %d\"]\n[Result \"*\"]\n\n*\n\n", white, i)
	}
	dir := packed(t, b.String())
	for stdin, name := range map[string]string{"": "a.p11", read(t, dir, "a.p11"): "-"} {
		var s statistics
		out, _ := runCode(t, dir, 0, stdin, "stats", "--json", "--top", "1", name)
		if err := json.Unmarshal([]byte(out), &s); err != nil || s.TooLow != 0 ||
			!slices.Equal(s.Players, []count{{"Carlsen", 1000}}) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

// broken are games that are not valid in several ways, and two that are.
const broken = `[Event "valid"]
[White "A"]

1. e4 e5 *

[Event "broken, the same up to there"]
[White "B"]

1. e4 e5 2. Ke4 *

[Event "broken, other moves"]
[White "C"]

1. e4 e5 2. Nf5 *

[Event "broken twice"]
[White "D"]

1. d4 Kxd4 *

[Event "broken twice"]
[White "D"]

1. d4 Kxd4 *

[Event "no moves"]

*

[Event "variant"]
[Variant "Atomic"]

1. e4 e5 *

[Event "impossible"]
[SetUp "1"]
[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]

1. e4 e5 *

[Event "valid, again"]
[White "A"]

1. e4 e5 *

`

// Games that are not valid do not count as those that they begin as.
func TestInvalid(t *testing.T) {
	dir := packed(t, broken)
	ply11(t, dir, 0, "pack -q --dense -o dense.p11 a.pgn")
	for _, name := range []string{"a.p11", "dense.p11"} {
		out, errs := ply11(t, dir, 0, "dedupe --report "+name)
		if out != "1 9\n4 5  not valid\n" || !strings.Contains(errs, "2 of 9 games") ||
			!strings.Contains(errs, "1 games without moves") {
			t.Errorf("dedupe %s: %q %s", name, out, errs)
		}
		for invalid, want := range map[string]string{"skip": "1 9\n", "only": "4 5  not valid\n",
			"include": "1 9\n4 5  not valid\n"} {
			if out, _ := ply11(t, dir, 0, "dedupe --report --invalid "+invalid+" "+name); out != want {
				t.Errorf("dedupe --invalid %s %s: %q", invalid, name, out)
			}
		}
		out, _ = ply11(t, dir, 0, "dedupe --report --json "+name)
		var d struct {
			Games, WithoutMoves int
			Invalid             []int
			Groups              [][]int
		}
		if err := json.Unmarshal([]byte(strings.ReplaceAll(out, "without_moves", "WithoutMoves")), &d); err != nil ||
			d.Games != 9 ||
			d.WithoutMoves != 1 || fmt.Sprint(d.Invalid, d.Groups) != "[4 5] [[1 9] [4 5]]" {
			t.Errorf("dedupe --json %s: %s", name, out)
		}
		for invalid, want := range map[string][2]int{"include": {9, 6}, "skip": {3, 0}, "only": {6, 6}} {
			out, _ := ply11(t, dir, 0, "stats --json --invalid "+invalid+" "+name)
			var s statistics
			if err := json.Unmarshal([]byte(out), &s); err != nil || [2]int{s.Games, s.Invalid} != want {
				t.Errorf("stats --invalid %s %s: %s", invalid, name, out)
			}
		}
		if out, _ := ply11(t, dir, 0, "stats "+name); !strings.Contains(out, "6 games are not valid") {
			t.Errorf("stats %s: %s", name, out)
		}
	}
}

// show says what is wrong with a game, and gives no position that is not known.
func TestShowInvalid(t *testing.T) {
	dir := packed(t, broken)
	for _, c := range []struct {
		n        string
		code     int // of --ply 0 and --board
		wrong    string
		position bool
	}{{"1", 0, "", true}, {"2", 0, "Ke4", true}, {"4", 0, "Kxd4", true}, {"6", 0, "", true},
		{"7", cli.Invalid, "variant", false}, {"8", cli.Invalid, "king", false}} {
		text, errs := ply11(t, dir, 0, "show a.p11 "+c.n)
		if !strings.Contains(text, "[Event ") || !strings.Contains(errs, c.wrong) || (errs == "") != (c.wrong == "") {
			t.Errorf("game %s: %s%s", c.n, text, errs)
		}
		out, errs := ply11(t, dir, c.code, "show a.p11 "+c.n+" --ply 0 --board")
		if strings.Contains(out, "R N B Q") != c.position || strings.Contains(out+errs, "not valid") !=
			(c.wrong != "") || !strings.Contains(out+errs, c.wrong) {
			t.Errorf("game %s with its board: %s%s", c.n, out, errs)
		}
		out, _ = ply11(t, dir, 0, "show a.p11 "+c.n+" --json")
		var s shown
		if err := json.Unmarshal([]byte(out), &s); err != nil || (s.FEN != "") != c.position ||
			(s.Wrong != "") != (c.wrong != "") {
			t.Errorf("game %s in JSON: %s", c.n, out)
		}
	}
	ply11(t, dir, cli.NotFound, "show a.p11 2 --ply 3") // Ke4 is no halfmove of it
	if out, _ := ply11(t, dir, 0, "info a.p11"); !strings.Contains(out, "6 that are not valid") {
		t.Errorf("info: %s", out)
	}
}

func TestShowRange(t *testing.T) {
	dir := packed(t, broken)
	game := func(n int) string {
		out, _ := ply11(t, dir, 0, "show a.p11 "+fmt.Sprint(n))
		return out
	}
	for args, want := range map[string]string{"3-5": game(3) + game(4) + game(5), "9 1": game(9) + game(1),
		"1-": broken, "8-99": game(8) + game(9),
		"6-6 2": game(6) + game(2)} {
		out, _ := ply11(t, dir, 0, "show a.p11 "+args)
		if out != want {
			t.Errorf("show %s: %q, want %q", args, out, want)
		}
	}
}

// TestStatsLongest: the longest game is found in whatever block.
func TestStatsLongest(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n\n[Event \"c\"]\n\n1. c4 c5 2. "+
		"g3 *\n\n[Event \"d\"]\n\n1. d4 *\n\n")
	for _, block := range []string{"1", "2", "4"} {
		ply11(t, dir, 0, "pack -q -f --block "+block+" a.pgn")
		out, _ := ply11(t, dir, 0, "stats a.p11")
		if !strings.Contains(out, "the longest is game 3 with 3\n") {
			t.Errorf("blocks of %s: %s", block, out)
		}
	}
}
