// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"fmt"
	"strings"
	"testing"

	"ply11/internal/cli"
)

// TestScores: the match for the world championship of 2013, by its published results, and the performance by the table
// of FIDE's handbook: 65 % are worth 110.
func TestScores(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i, result := range []string{"1/2", "1/2", "1/2", "1/2", "c", "c", "1/2", "1/2", "c", "1/2"} {
		white, black, ratings := "Carlsen, M", "Anand, V", [2]int{2870, 2775}
		if (i < 6) == (i%2 == 1) { // the colours changed after game 6
			white, black, ratings = black, white, [2]int{2775, 2870}
		}
		switch {
		case result == "1/2":
			result = "1/2-1/2"
		case white[0] == 'C':
			result = "1-0"
		default:
			result = "0-1"
		}
		fmt.Fprintf(&text, "[Event \"WCh\"]\n[Date \"2013.11.%02d\"]\n[White %q]\n[Black %q]\n[Result %q]\n"+
			"[WhiteElo \"%d\"]\n[BlackElo \"%d\"]\n\n1. e4 %s\n\n", 9+i, white, black, result, ratings[0],
			ratings[1], result)
	}
	text.WriteString("[Event \"WCh\"]\n[Date \"2014.11.08\"]\n[White \"Carlsen, M\"]\n[Black \"Anand, V\"]\n\n" +
		"1. e4 *\n\n[Event \"x\"]\n[Date \"2014.11.08\"]\n[White \"Carlsen, M\"]\n[Black \"B\"]\n\n1. e4 0-1\n")
	write(t, dir, "a.pgn", text.String())
	for args, want := range map[string][]string{
		"--player carlsen --date 2013": {"all 10 3 7 0 6.5 65.0% 10 2775 2885", "as White 5 1 4 0 3 60.0% 5 2775 2847",
			"as Black 5 2 3 0 3.5 70.0% 5 2775 2924", "Anand, V 10 3 7 0 6.5 65.0% 10 2775 2885"},
		"--player carlsen --result 0-1 --moves 1.e4 --black carlsen": {"all 2 2 0 0 2 100.0% 2 2775 3575"},
		"--player carlsen": {"all 11 3 7 1 6.5 59.1% 10 2775 2885", "B 1 0 0 1 0 0.0% 0 - -"},
		"--event =WCh": {"10 games with a result, 2 players", "1 Carlsen, M * ½½½½11½½1½ 6.5 10 10 2775 2885",
			"2 Anand, V ½½½½00½½0½ * 3.5 10 10 2870 2760"},
	} {
		out, errs := ply11(t, dir, 0, "stats "+args+" a.pgn")
		lines := map[string]bool{}
		for line := range strings.Lines(out) {
			lines[strings.Join(strings.Fields(line), " ")] = true
		}
		for _, line := range want {
			if !lines[line] {
				t.Errorf("stats %s: no line %q in\n%s%s", args, line, out, errs)
			}
		}
	}
	out, _ := ply11(t, dir, 0, "stats --json --event WCh a.pgn")
	if !strings.Contains(strings.Join(strings.Fields(out), ""), `"cross":[[null,[0.5,0.5,0.5,0.5,1,1,0.5,0.5,1,0.5]],`) {
		t.Error(out)
	}
	ply11(t, dir, cli.NotFound, "stats --player nobody a.pgn")
	ply11(t, dir, cli.Usage, "stats --player a --event b a.pgn")
	ply11(t, dir, cli.Usage, "stats --date 2013 a.pgn")
}
