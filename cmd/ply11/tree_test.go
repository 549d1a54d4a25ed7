// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"ply11/internal/cli"
	"ply11/internal/testenv"
)

// treeGames reach one position by two orders of moves.
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
	dir := packed(t, treeGames)
	ply11(t, dir, 0, "pack -q --dense --block 1 -o b.p11 a.pgn")
	const moves = "1.d4 Nf6 2.c4 e6 3.Nf3"
	const fen = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/5N2/PP2PPPP/RNBQKB1R b KQkq -"
	for _, name := range words("a.p11 b.p11") {
		out, _ := runCode(t, dir, 0, "", "tree", "--moves", moves, name)
		if want := `rnbqkb1r/pppp1ppp/4pn2/8/2PP4/5N2/PP2PPPP/RNBQKB1R b KQkq - 1 3
E10 Indian Defense: Anti-Nimzo-Indian
move  games   share  White   drawn  Black  rating W  rating B      years  best games
d5        2   50.0%  50.0%    0.0%  50.0%      2600      2650  1990-2001  2 1
Bb4+      1   25.0%   0.0%  100.0%   0.0%         -         -          -  3
all       4  100.0%  33.3%   33.3%  33.3%      2600      2650  1990-2001
`; out != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, out, want)
		}
		out, _ = runCode(t, dir, 0, "", "tree", "--fen", fen, "--csv", name)
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || len(rows) != 4 || strings.Join(rows[1], "|") != "d5|d7d5|2|1|0|1|2600.0|2650.5|1990|2001|"+
			name+":2 "+name+":1" ||
			strings.Join(rows[3], "|") != "||4|1|1|1|2600.0|2650.5|1990|2001|" {
			t.Errorf("%s: %q, %v", name, rows, err)
		}
		out, _ = ply11(t, dir, 0, "tree --fen 'rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 5 9' "+
			"--moves Ng1f3 --white short --best 0 --json "+name)
		var r treeResult
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.Games != 1 || r.Black != 1 || len(r.Moves) != 1 ||
			r.Moves[0].UCI != "d7d5" ||
			r.Moves[0].FirstYear != 2001 || len(r.Moves[0].Best) != 0 {
			t.Errorf("%s: %s: %v", name, out, err)
		}
	}
	out, _ := runCode(t, dir, 0, "", "tree", "--moves", moves, "--result", "1-0", "a.p11", "b.p11")
	if !strings.Contains(out,
		"\nd5        2  100.0%  100.0%   0.0%   0.0%      2500      2600   1990  a.p11:1 b.p11:1\n") {
		t.Error(out)
	}
	for _, c := range []struct {
		code int
		want string
		args string
	}{
		{cli.NotFound, "ply11: no game reaches the position\n", "--moves 1.a4"},
		{cli.NotFound, "", "--moves 1.a4 --json"},
		{cli.Usage, "ply11: --moves: ", "--moves 1.e5"},
		{cli.Usage, "ply11: --moves is empty\n", "--moves ' '"},
		{cli.Usage, "ply11: --fen is empty\n", "--fen ''"},
		{cli.Usage, "ply11: --fen: ", "--fen 8/8/8/4k3/8/8/4P3/4K3"},
		{cli.Usage, "ply11: --fen: ", "--fen '9/8/8/4k3/8/8/4P3/4K3 w -' --moves e4"},
		{cli.Usage, "ply11: one of --json and --csv\n", "--json --csv"},
		{cli.Usage, "ply11: --best is 0 to 8, not 9\n", "--best 9"},
		{cli.Usage, "ply11: --rating: ", "--rating x"},
		{cli.Usage, "ply11: --workers is 0 or more, not -1\n", "-j -1"},
		{cli.Usage, "ply11: unknown flag: --pattern", "--pattern Pe4"},
	} {
		if _, errs := ply11(t, dir, c.code, "tree a.p11 "+c.args); !strings.HasPrefix(
			errs, c.want) || c.want != "" && strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: %q, want %q", c.args, errs, c.want)
		}
	}
}

// TestIndex: with an index beside the archive, tree gives the same and says so.
func TestIndex(t *testing.T) {
	dir := packed(t, strings.Repeat(treeGames, 100)+sortsOfGames)
	ply11(t, dir, 0, "pack -q --dense -o b.p11 a.pgn")
	write(t, dir, "c.pgn", treeGames)
	ply11(t, dir, 0, "pack -q c.pgn")
	if _, errs := ply11(t, dir, 0, "index a.p11"); !strings.HasPrefix(errs, "ply11: a.p11x: 406 games, 2322 plies, ") {
		t.Error(errs)
	}
	var made indexResult
	out, _ := ply11(t, dir, 0, "index --json --memory 16 -j 1 b.p11")
	if err := json.Unmarshal([]byte(out), &made); err != nil || made.Games != 406 ||
		made.Bytes != int64(len(read(t, dir, "b.p11x"))) {
		t.Errorf("%s: %v", out, err)
	}
	if a, b := read(t, dir, "a.p11x"), read(t, dir, "b.p11x"); a[64:len(a)-260] != b[64:len(b)-260] {
		t.Error("the indexes of the same games are not the same")
	}
	for _, args := range testenv.First([]string{"", "--moves '1.d4 Nf6'", "--moves '1.c4 Nf6 2.Nf3 e6 3.d4'",
		"--date 2001",
		"--rating 2600-", "--player short", "--result 1-0 --black short", "--invalid only",
		"--invalid skip", "--plies 6-", "--not 'pattern=Pd4 Pc4'", "--text comment",
		"--moves 1.d4 --text comment", "--fen '8/P6k/8/8/8/8/6Kp/8 w - -'",
		"--moves '1.f3 e5 2.g4'", "--tag Event=a --best 8"}, 6) {
		for _, files := range []string{"a.p11", "b.p11", "a.p11 c.p11 b.p11"} {
			args := "tree --json " + args + " " + files
			want, _ := ply11(t, dir, 0, args+" --no-index")
			got, errs := ply11(t, dir, 0, args)
			if got != want {
				t.Errorf("%q: by the index %s\nby the archive %s", args, got, want)
			}
			if !strings.HasPrefix(errs, "ply11: by the index "+words(files)[0]+"x") || strings.Count(errs, "\n") != 1 {
				t.Errorf("%q: %q", args, errs)
			}
		}
	}
	// the index must have variations
	ply11(t, dir, 0, "index -q --variations -o both.p11x a.p11")
	for _, moves := range words("1.e4 1.d4 '1.d4 d5'") {
		for _, more := range []string{"", "--variations"} {
			args := fmt.Sprintf("tree --json --moves '%s' a.p11 %s", moves, more)
			want, _ := ply11(t, dir, 0, args+" --no-index")
			if got, errs := ply11(t, dir, 0, args+" --index both.p11x"); got != want ||
				!strings.HasPrefix(errs, "ply11: by the index both.p11x: ") {
				t.Errorf("%q: %s: by the index %s\nby the archive %s", args, errs, got, want)
			}
			if got, errs := ply11(t, dir, 0, args); got != want || more != "" &&
				!strings.HasPrefix(errs, "ply11: a.p11x has no variations: ") {
				t.Errorf("%q: %s: %s, want %s", args, errs, got, want)
			}
		}
	}
	if out, _ := ply11(t, dir, 0, "tree --variations --moves 1.e4 --no-index a.p11"); !strings.Contains(out, "\nc5 ") {
		t.Errorf("the variation is not counted: %s", out)
	}
	if _, errs := ply11(t, dir, 0, "tree -q a.p11"); errs != "" {
		t.Error(errs)
	}
	if _, errs := ply11(t, dir, 0, "tree --no-index a.p11"); errs != "" {
		t.Error(errs)
	}
	out, _ = ply11(t, dir, 0, "verify a.p11x")
	if !strings.HasPrefix(out, "a.p11x: whole: ") {
		t.Error(out)
	}
	whole := read(t, dir, "a.p11x")
	write(t, dir, "bad.p11x", whole[:len(whole)/2]+"?"+whole[len(whole)/2+1:])
	write(t, dir, "cut.p11x", whole[:len(whole)-9])
	write(t, dir, "later.p11x", whole[:8]+"\x02"+whole[9:])
	// As they began before format 1: 32 bits of zeros, b and r where the CRC is now.
	write(t, dir, "old.p11x", whole[:10]+"\x00\x00\x02\x0a\x00\x00"+whole[16:])
	write(t, dir, "d.p11", read(t, dir, "c.p11"))
	write(t, dir, "d.p11x", whole)
	for _, c := range []struct {
		code int
		want string
		args string
	}{
		{cli.Usage, "ply11: a.p11x exists; --force replaces it\n", "index a.p11"},
		{0, "", "index -q --force a.p11"},
		{cli.Usage, "ply11: a.p11 is read and would be written: name another file for the output\n",
			"index --force -o a.p11 a.p11"},
		{cli.Usage, "ply11: --output is for one archive, and there are 2\n",
			"index -o x a.p11 b.p11"},
		{cli.Usage, "ply11: --memory is 16 to 1048576, not 15\n", "index --memory 15 a.p11"},
		{cli.Usage, "ply11: --workers is 0 or more, not -1\n", "index -j -1 a.p11"},
		{cli.Failed, "ply11: open none.p11: ", "index none.p11"},
		{cli.Wrong, "ply11: c.pgn: not a ply11 archive", "index c.pgn"},
		{cli.Wrong, "ply11: bad.p11x: corrupt index: ", "verify bad.p11x"},
		{cli.Wrong, "ply11: cut.p11x: corrupt index: trailer at offset ",
			"tree --index cut.p11x a.p11"},
		{cli.Wrong, "ply11: later.p11x: index of an unknown version; ply11 index --force makes it again: ",
			"tree --index later.p11x a.p11"},
		{cli.Wrong, "ply11: old.p11x: corrupt index: start at offset 0: it was made before format 1, or is " +
			"damaged: ply11 index --force makes it again\n", "tree --index old.p11x a.p11"},
		{cli.Wrong, "ply11: a.p11: not a ply11 index: ", "tree --index a.p11 a.p11"},
		{0, "ply11: d.p11x: the index is of another archive, or this one was changed since: the archive is read " +
			"without it; ", "tree d.p11"},
		{cli.Wrong, "ply11: d.p11x: the index is of another archive, or this one was changed since: ",
			"tree --index d.p11x d.p11"},
		{0, "", "tree --no-index d.p11"},
		{cli.Usage, "ply11: one of --index and --no-index\n", "tree --no-index --index a.p11x a.p11"},
		{cli.Usage, "ply11: --index is for one archive, and there are 2\n",
			"tree --index a.p11x a.p11 b.p11"},
		{cli.NotFound, "ply11: by the index a.p11x: ", "tree --moves '1.a3 a6 2.a4' a.p11"},
	} {
		if _, errs := ply11(t, dir, c.code, c.args); !strings.HasPrefix(errs, c.want) || c.want == "" &&
			errs != "" ||
			c.code != cli.NotFound && strings.Count(errs, "\n") > 1 {
			t.Errorf("%q: %q, want %q", c.args, errs, c.want)
		}
	}
	if read(t, dir, "a.p11x") != whole {
		t.Error("made again, the index is another")
	}
	// nothing is left where the archive is damaged
	archive := []byte(read(t, dir, "c.p11"))
	archive[len(archive)/4] ^= 1 // in the moves
	write(t, dir, "e.p11", string(archive))
	ply11(t, dir, cli.Wrong, "index e.p11")
	if list, err := filepath.Glob(filepath.Join(dir, "*e.p11x")); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
}

// TestTreePositions: each line is answered as tree answers alone; a tree file says what it leaves out.
func TestTreePositions(t *testing.T) {
	dir := packed(t, strings.Repeat(treeGames, 100)+sortsOfGames)
	fens := words(
		"startpos 'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -' '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1' " +
			"startpos")
	list := strings.Join(fens, "\n\n") + "\n"
	write(t, dir, "list.fen", list)
	if _, errs := ply11(t, dir, cli.Usage, "tree --positions list.fen a.p11"); !strings.Contains(errs,
		"ply11 index makes it") {
		t.Error(errs)
	}
	ply11(t, dir, 0, "index -q a.p11")
	ply11(t, dir, 0, "index -q --min-games 2 --max-ply 3 -o small.p11t a.p11")
	for _, archive := range words("a.p11 small.p11t") {
		out, _ := ply11(t, dir, 0, "tree --positions list.fen --json "+archive)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if len(lines) != len(fens) {
			t.Fatalf("%d lines: %s", len(lines), out)
		}
		if again, _ := runCode(t, dir, 0, strings.TrimSuffix(list, "\n"), "tree", "--positions", "-", "--json",
			archive); again != out {
			t.Errorf("by the standard input: %s, want %s", again, out)
		}
		text, _ := ply11(t, dir, 0, "tree --positions list.fen "+archive)
		for i, fen := range fens {
			code := 0
			if i == 2 {
				code = cli.NotFound
			}
			var one, line any
			alone, errs := runCode(t, dir, code, "", "tree", "--fen", fen, "--json", archive)
			if err := errors.Join(json.Unmarshal([]byte(alone), &one), json.Unmarshal([]byte(lines[i]), &line)); err !=
				nil || !reflect.DeepEqual(one, line) {
				t.Errorf("%s: %s, want %s: %v", fen, lines[i], alone, err)
			}
			if strings.Contains(alone, `"max_ply": 3`) != (archive != "a.p11") ||
				strings.Contains(errs, "2 games or more reach within 3 plies") != (archive != "a.p11") {
				t.Errorf("%s: %s %s", archive, alone, errs)
			}
			if alone, _ := runCode(t, dir, code, "", "tree", "--fen", fen, archive); !strings.Contains(text, alone) {
				t.Errorf("%s: %s is not in %s", archive, alone, text)
			}
		}
	}
	write(t, dir, "bad.fen", "startpos\nnonsense\n")
	for _, c := range []struct {
		code int
		want string
		args string
	}{
		{cli.Failed, "ply11: bad.fen: line 2: ", "tree --positions bad.fen a.p11"},
		{cli.Usage, "ply11: --positions goes without --fen, --moves, --csv, --depth and --no-index\n",
			"tree --positions list.fen --moves e4 a.p11"},
		{cli.Failed, "ply11: small.p11t: a tree file has the counts of main lines alone: conditions and variations " +
			"need the archive\n", "tree --result 1-0 small.p11t"},
		{cli.Wrong, "ply11: small.p11t: not a ply11 index: ", "tree --index small.p11t a.p11"},
		{cli.NotFound, "ply11: by small.p11t: the positions that 2 games or more reach within 3 plies; no years, no " +
			"best games; a count may lack 1 games\nply11: the position is not there: at most 1 games reach it " +
			"within 3 plies\n",
			"tree small.p11t --fen '" + fens[2] + "'"},
		{cli.Usage, "ply11: a tree file, of --min-games, --max-ply or .p11t, has no --update and no --variations\n",
			"index --min-games 2 --update a.p11"},
		{cli.Usage, "ply11: a tree file, of", "index --variations -o x.p11t a.p11"},
		{cli.Usage, "ply11: b.p11x: with --min-games or --max-ply the output is a tree file, .p11t\n",
			"index --min-games 2 -o b.p11x a.p11"},
		{cli.Usage, "ply11: --min-games is 0 to 65535, not -1\n",
			"index --min-games -1 a.p11"},
	} {
		if _, errs := ply11(t, dir, c.code, c.args); !strings.HasPrefix(errs, c.want) {
			t.Errorf("%q: %q, want %q", c.args, errs, c.want)
		}
	}
}

// TestIndexAppend: games that are appended are added to the index.
func TestIndexAppend(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", strings.Repeat(treeGames, 100))
	write(t, dir, "more.pgn", sortsOfGames)
	ply11(t, dir, 0, "pack -q --block 50 a.pgn")
	ply11(t, dir, 0, "index -q --update a.p11") // there is none
	if _, errs := ply11(t, dir, 0, "index --update a.p11"); errs != "ply11: a.p11x: it has all games\n" {
		t.Error(errs)
	}
	first := read(t, dir, "a.p11x")
	ply11(t, dir, 0, "append -q a.p11 more.pgn")
	fresh, _ := ply11(t, dir, 0, "tree --no-index a.p11")
	if got, errs := ply11(t, dir, 0, "tree a.p11"); got != fresh ||
		!strings.HasPrefix(errs, "ply11: a.p11x: the index is of another archive, or this one was changed since: ") ||
		strings.Count(errs, "\n") != 1 {
		t.Errorf("%s, want %s: %s", got, fresh, errs)
	}
	if _, errs := ply11(t, dir, 0, "index --update a.p11"); !strings.HasPrefix(errs,
		"ply11: a.p11x: 406 games, ") || !strings.Contains(errs,
		" positions (each of 2 segments counted by itself) in ") {
		t.Error(errs)
	}
	for _, moves := range words("1.d4 1.e4 '1.e4 e5'") {
		want, _ := runCode(t, dir, 0, "", "tree", "--no-index", "--moves", moves, "a.p11")
		if got, errs := runCode(t, dir, 0, "", "tree", "--moves", moves, "a.p11"); got != want ||
			!strings.HasPrefix(errs, "ply11: by the index ") {
			t.Errorf("%s: %s\nwant %s: %s", moves, got, want, errs)
		}
	}
	if out, _ := ply11(t, dir, 0, "verify a.p11x"); !strings.HasPrefix(out, "a.p11x: whole: 406 games, ") ||
		!strings.HasSuffix(out, " positions (each of 2 segments counted by itself)\n") {
		t.Error(out)
	}
	write(t, dir, "b.pgn", games)
	ply11(t, dir, 0, "pack -q b.pgn")
	write(t, dir, "b.p11x", first)
	for _, c := range []struct {
		code int
		want string
		args string
	}{
		{cli.Wrong, "ply11: b.p11x: the index is of another archive, or this one was changed since: --force makes " +
			"it again\n", "--update b.p11"},
		{cli.Usage, "ply11: one of --update and --force\n", "--update --force b.p11"},
		{cli.Usage, "ply11: a.p11x has no variations: --force makes it again, with them\n",
			"--update --variations a.p11"},
	} {
		if _, errs := ply11(t, dir, c.code, "index "+c.args); errs != c.want {
			t.Errorf("%q: %q, want %q", c.args, errs, c.want)
		}
	}
	if read(t, dir, "b.p11x") != first {
		t.Error("what cannot be updated was changed")
	}
}

// TestTreeDepth: the report goes on after moves that enough games played, and not twice from one position.
func TestTreeDepth(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for moves, n := range map[string]int{"1. d4 d5 2. c4 e6": 3, "1. c4 e6 2. d4 d5 3. Nc3": 2, "1. e4": 1} {
		for range n {
			text.WriteString("[White \"a\"]\n\n" + moves + " 1-0\n\n")
		}
	}
	write(t, dir, "a.pgn", text.String())
	ply11(t, dir, 0, "pack -q a.pgn")
	ply11(t, dir, cli.Usage, "tree --depth 4 a.p11")
	ply11(t, dir, 0, "index -q a.p11")
	out, _ := ply11(t, dir, 0, "tree --depth 6 --min-games 2 a.p11")
	var moves []string
	for line := range strings.Lines(out) {
		row := strings.Fields(line)
		moves = append(moves, row[0]+" "+row[1])
	}
	if got := strings.Join(moves, ", "); got != "move games, 1.d4 3, 1...d5 3, 2.c4 3, 2...e6 3, 3.Nc3 2, 1.c4 2, "+
		"1...e6 2, 2.d4 2, 2...d5 2" {
		t.Errorf("%s\n%s", got, out)
	}
	out, _ = ply11(t, dir, 0, "tree --json --depth 2 --min-games 3 a.p11")
	if n := strings.Count(out, `"next"`); n != 1 {
		t.Errorf("%d positions follow: %s", n, out)
	}
}
