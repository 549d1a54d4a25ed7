// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
)

// treeGames are games that reach one position by two orders of moves.
const treeGames = `[Event "a"]
[Date "1990.01.01"]
[White "Adams"]
[Black "Short"]
[WhiteElo "2500"]
[BlackElo "2600"]
[Result "1-0"]

1. d4 Nf6 2. c4 e6 3. Nf3 d5 1-0

[Event "b"]
[Date "2001.??.??"]
[White "Short"]
[Black "Adams"]
[WhiteElo "2700"]
[BlackElo "2701"]
[Result "0-1"]

1. Nf3 Nf6 2. c4 e6 3. d4 d5 0-1

[Event "c"]
[White "Other"]
[Black "=1+1"]
[Result "1/2-1/2"]

1. c4 Nf6 2. Nf3 e6 3. d4 Bb4+ 1/2-1/2

[Event "d"]
[Result "*"]

1. c4 Nf6 2. Nf3 e6 3. d4 *

`

// TestTree holds each output to what it should be, fixed and dense, of one archive and of two.
func TestTree(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", treeGames)
	runCode(t, dir, 0, "", "pack", "-q", "a.pgn")
	runCode(t, dir, 0, "", "pack", "-q", "--dense", "--block", "1", "-o", "b.p11", "a.pgn")
	const moves = "1.d4 Nf6 2.c4 e6 3.Nf3"
	const fen = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/5N2/PP2PPPP/RNBQKB1R b KQkq -"
	for _, name := range []string{"a.p11", "b.p11"} {
		out, _ := runCode(t, dir, 0, "", "tree", "--moves", moves, name)
		if want := `rnbqkb1r/pppp1ppp/4pn2/8/2PP4/5N2/PP2PPPP/RNBQKB1R b KQkq - 1 3
move  games   share  White   drawn  Black  rating W  rating B      years  best games
d5        2   50.0%  50.0%    0.0%  50.0%      2600      2650  1990-2001  2 1
Bb4+      1   25.0%   0.0%  100.0%   0.0%         -         -          -  3
all       4  100.0%  33.3%   33.3%  33.3%      2600      2650  1990-2001
`; out != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, out, want)
		}
		out, _ = runCode(t, dir, 0, "", "tree", "--fen", fen, "--csv", name)
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || len(rows) != 4 || strings.Join(rows[1], "|") != "d5|d7d5|2|1|0|1|2600.0|2650.5|1990|2001|"+name+":2 "+name+":1" ||
			strings.Join(rows[3], "|") != "||4|1|1|1|2600.0|2650.5|1990|2001|" {
			t.Errorf("%s: %q, %v", name, rows, err)
		}
		// A filter; and the moves that lead on from a position.
		out, _ = runCode(t, dir, 0, "", "tree", "--fen", "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 5 9", "--moves", "Ng1f3",
			"--white", "short", "--best", "0", "--json", name)
		var r treeResult
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.Games != 1 || r.Black != 1 || len(r.Moves) != 1 || r.Moves[0].UCI != "d7d5" ||
			r.Moves[0].FirstYear != 2001 || len(r.Moves[0].Best) != 0 {
			t.Errorf("%s: %s: %v", name, out, err)
		}
	}
	out, _ := runCode(t, dir, 0, "", "tree", "--moves", moves, "--result", "1-0", "a.p11", "b.p11")
	if !strings.Contains(out, "\nd5        2  100.0%  100.0%   0.0%   0.0%      2500      2600   1990  a.p11:1 b.p11:1\n") {
		t.Error(out)
	}
	// A game with no tree, and what is no position.
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitMissing, "ply11: no game reaches the position\n", []string{"--moves", "1.a4"}},
		{exitMissing, "", []string{"--moves", "1.a4", "--json"}},
		{exitUsage, "ply11: --moves: ", []string{"--moves", "1.e5"}},
		{exitUsage, "ply11: --moves is empty\n", []string{"--moves", " "}},
		{exitUsage, "ply11: --fen is empty\n", []string{"--fen", ""}},
		{exitUsage, "ply11: --fen: ", []string{"--fen", "8/8/8/4k3/8/8/4P3/4K3"}},
		{exitUsage, "ply11: --fen: ", []string{"--fen", "9/8/8/4k3/8/8/4P3/4K3 w -", "--moves", "e4"}},
		{exitUsage, "ply11: one of --json and --csv\n", []string{"--json", "--csv"}},
		{exitUsage, "ply11: --best is 0 to 8, not 9\n", []string{"--best", "9"}},
		{exitUsage, "ply11: --rating: ", []string{"--rating", "x"}},
		{exitUsage, "ply11: --workers is 0 or more, not -1\n", []string{"-j", "-1"}},
		{exitUsage, "ply11: unknown flag: --pattern\n", []string{"--pattern", "Pe4"}},
	} {
		if _, errs := runCode(t, dir, c.code, "", append([]string{"tree", "a.p11"}, c.args...)...); !strings.HasPrefix(errs, c.want) || c.want != "" && strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: %q, want %q", c.args, errs, c.want)
		}
	}
}
