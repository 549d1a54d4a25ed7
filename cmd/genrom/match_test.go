// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"strings"
	"testing"

	"ply11/internal/cli"
)

const matchGames = `1. e4 (1. d4 d5 2. c4) 1... e5 2. Nf3 Nc6 *

[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 Kd7 2. e5 1-0

1. c4 e5 2. -- Nf6 0-1
`

// sim --match tells how many plies ply11_match finds, if package query finds the same ones: main lines alone, from any
// start, null moves, too.
func TestSimMatch(t *testing.T) {
	for _, c := range []struct{ games, pattern, want string }{
		{"", "Pe4 pe5", "174 plies of 14 games"},
		{"", "Ke1", "606 plies of 35 games"},
		{matchGames, "Pe4", "6 plies of 2 games"},
		{matchGames, "Pe4; stm=black", "3 plies of 2 games"},
		{matchGames, "Pe4; stm=White; after-ply=3", "1 plies of 1 games"},
		{matchGames, "[Kk]e1 !e2; before-ply=0", "0 plies of 0 games"},
		{matchGames, "[Kk]e1 !e2; before-ply=2; after-ply=0", "2 plies of 1 games"},
		{matchGames, "8/8/8/4p3/2P5/8/8/8", "3 plies of 1 games"},
		{matchGames, "pd5", "0 plies of 0 games"},
		{matchGames, "Pe4; stm= W ; after-ply= 3", "1 plies of 1 games"},
		// Chess960 is left out
		{"[FEN \"4k3/8/8/8/8/8/4P3/1R2K3 w B - 0 1\"]\n\n1. Kf1 Kd7 *\n\n" + matchGames, "Pe2; stm=b",
			"2 plies of 1 games"},
	} {
		args := []string{"sim", "--mode", "words", "--match", c.pattern}
		if c.games != "" {
			args = append(args, "--games", "-")
		}
		status, out, errs := genrom(t, c.games, args...)
		if status != cli.Done || !strings.Contains(out, "match: "+c.want+", as package query finds them\n") {
			t.Errorf("%s: status %d, want %s\n%s%s", c.pattern, status, c.want, out, errs)
		}
	}
	for pattern, want := range map[string]string{
		" ":                       "needs a square",
		"Pe? .d5":                 "one of several squares",
		"[Kq]e1":                  "on e1",
		"Ke1; stm=blue":           "blue",
		"Ke1; moved=K":            "there are stm",
		"Ke1; after-ply=65536":    "65536",
		"Ke1; stm=white; stm=red": "twice",
		"Ke1;":                    "term",
	} {
		status, out, errs := genrom(t, "", "sim", "--mode", "words", "--match="+pattern)
		if status != cli.Usage || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, want %s\n%s%s", pattern, status, want, out, errs)
		}
	}
	if status, _, errs := genrom(t, "", "sim", "--match", "Ke1"); status != cli.Usage ||
		!strings.Contains(errs, "--mode words") {
		t.Errorf("status %d\n%s", status, errs)
	}
}
