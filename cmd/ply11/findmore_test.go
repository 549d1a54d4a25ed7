// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"fmt"
	"strings"
	"testing"

	"ply11/internal/cli"
)

// TestFindSome: every Nth game, and random ones, which are as likely as others and come in their order.
func TestFindSome(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i := range 20 {
		fmt.Fprintf(&text, "[White \"w%d\"]\n\n1. e4 *\n\n", i+1)
	}
	write(t, dir, "a.pgn", text.String())
	numbers := func(flags string) (list []int) {
		out, _ := ply11(t, dir, 0, "find --csv --columns game "+flags+" a.pgn")
		for line := range strings.Lines(strings.TrimPrefix(out, "game\n")) {
			var n int
			fmt.Sscan(line, &n)
			list = append(list, n)
		}
		return list
	}
	if got := fmt.Sprint(numbers("--every 7")); got != "[1 8 15]" {
		t.Errorf("--every 7: %s", got)
	}
	if got := fmt.Sprint(numbers("--skip 2 --every 7")); got != "[3 10 17]" {
		t.Errorf("--skip 2 --every 7: %s", got)
	}
	if got := numbers("--random 30"); len(got) != 20 {
		t.Errorf("%d of 20 games", len(got))
	}
	drawn := map[int]int{}
	const seeds = 60
	for seed := range seeds {
		flags := fmt.Sprintf("--random 5 --seed %d", seed)
		list := numbers(flags)
		if len(list) != 5 || fmt.Sprint(numbers(flags)) != fmt.Sprint(list) {
			t.Fatalf("seed %d: %v", seed, list)
		}
		for i, n := range list {
			if drawn[n]++; i > 0 && n <= list[i-1] {
				t.Fatalf("seed %d: %v is in another order", seed, list)
			}
		}
	}
	// Of each game 15 are expected, with a standard deviation of 3.4. Seeds are fixed, so that nothing is left to luck.
	for n := 1; n <= 20; n++ {
		if drawn[n] < 3 || drawn[n] > 30 {
			t.Errorf("game %d was drawn %d times of %d", n, drawn[n], seeds)
		}
	}
}

// TestFindColumns: columns are tags in any case, and what is computed.
func TestFindColumns(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", "[White \"a, b\"]\n[WhiteElo \"2700\"]\n[UTCDate \"2024.01.02\"]\n[Result \"1-0\"]\n\n"+
		"1. e4 d5 2. exd5 Qxd5 1-0\n\n[White \"c\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=Q+ *\n")
	for flags, want := range map[string]string{
		"--csv --columns WhiteElo,white,DATE,plies,moves,x,game": "whiteelo,white,date,plies,moves,x,game\n" +
			"2700,\"a, b\",2024.01.02,4,e4 d5 exd5 Qxd5,,1\n,c,,1,a8=Q+,,2\n",
		"--fens": "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3\nQ3k3/8/8/8/8/8/8/4K3 b - - 0 1\n",
		"--fens --all --stm black": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n" +
			"rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2\nQ3k3/8/8/8/8/8/8/4K3 b - - 0 1\n",
		"--fens --after-ply 2 --before-ply 2": "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2\n",
	} {
		if out, errs := ply11(t, dir, 0, "find "+flags+" a.pgn"); out != want {
			t.Errorf("find %s: %s%s, want %s", flags, out, errs, want)
		}
	}
	ply11(t, dir, cli.Usage, "find --columns white a.pgn")
}

// TestFindBooks: where games leave what was played, and a repertoire, and games that meet one of two conditions.
func TestFindBooks(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", "[White \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[White \"b\"]\n\n1. e4 c5 *\n\n[White \"c\"]\n\n"+
		"1. Nf3 e5 2. e4 d6 *\n\n[White \"d\"]\n\n1. e4 e5 2. Nf3 *\n")
	write(t, dir, "rep.pgn", "1. e4 e5 (1... c5) 2. Nf3 Nc6 *\n")
	write(t, dir, "other.pgn", "1. e4 *\n\n1. e4 e5 2. Nc3 *\n")
	ply11(t, dir, 0, "pack -q a.pgn other.pgn")
	ply11(t, dir, cli.Usage, "find --novelty a.p11 a.p11")
	ply11(t, dir, 0, "index -q a.p11 other.p11")
	for flags, want := range map[string]string{
		// The game itself is no other one. The position after 2. e4 is that of the first game.
		"--novelty a.p11":                        "1 4 2...Nc6\n2 2 1...c5\n3 1 1.Nf3\n",
		"--novelty other.p11":                    "1 3 2.Nf3\n2 2 1...c5\n3 1 1.Nf3\n4 3 2.Nf3\n",
		"--repertoire rep.pgn":                   "3 1 1.Nf3\n",
		"--repertoire a.p11":                     "",
		"--repertoire rep.pgn --moves e4":        "",
		"--repertoire other.pgn --fen startpos":  "1 0; 3 2.Nf3\n2 0; 2 1...c5\n3 0; 1 1.Nf3\n4 0; 3 2.Nf3\n",
		"--white a --or white=d":                 "1  \n4  \n",
		"--white a --or white=b --or moves=Nf3":  "1  \n2  \n3  \n",
		"--moves e4 --not white=a --or games=1":  "2  \n4  \n",
		"--novelty a.p11 --white a --or white=c": "1 4 2...Nc6\n3 1 1.Nf3\n",
	} {
		code := 0
		if want == "" {
			code = cli.NotFound
		}
		out, _ := ply11(t, dir, code, "find --csv --columns game,ply,move "+flags+" a.p11")
		got := strings.ReplaceAll(strings.TrimPrefix(out, "game,ply,move\n"), ",", " ")
		if got != want {
			t.Errorf("%s: %q, want %q", flags, got, want)
		}
	}
	if out, _ := ply11(t, dir, 0, "find --repertoire rep.pgn a.p11"); !strings.HasSuffix(out, "  ply 1  1.Nf3\n") {
		t.Error(out)
	}
}
