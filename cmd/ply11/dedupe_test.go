// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"slices"
	"strings"
	"testing"
)

func textsOf(t *testing.T, dir, path string) (list []string) {
	t.Helper()
	text := unpacked(t, dir, path)
	for _, game := range strings.Split(text, "[Event ")[1:] {
		list = append(list, "[Event "+game)
	}
	return list
}

// TestDedupe: dedupe writes the first of equal games, in their order, with their texts.
func TestDedupe(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", broken)
	write(t, dir, "b.pgn", "[Event \"new\"]\n[White \"B\"]\n\n1. e4 e5 *\n\n[Event \"new\"]\n\n1. e4 {with a "+
		"comment} e5 (1... c5) 2. Nf3 *\n\n"+broken)
	write(t, dir, "bad.p11", "no archive")
	for _, name := range []string{"a", "b"} {
		ply11(t, dir, 0, "pack -q --block 2 "+name+".pgn")
	}
	ply11(t, dir, 0, "pack -q --dense -o dense.p11 a.pgn")
	a, b := textsOf(t, dir, "a.p11"), textsOf(t, dir, "b.p11")
	all := append(slices.Clone(a), b...)
	for _, c := range []struct {
		args  string
		all   []string
		games []int // from 1
	}{
		{"a.p11", a, []int{1, 2, 3, 4, 6, 7, 8}},
		{"dense.p11", a, []int{1, 2, 3, 4, 6, 7, 8}},
		{"--dense a.p11", a, []int{1, 2, 3, 4, 6, 7, 8}},
		{"--invalid skip a.p11", a, []int{1, 6}},
		{"--invalid only a.p11", a, []int{2, 3, 4, 7, 8}},
		{"a.p11 a.p11", append(slices.Clone(a), a...), []int{1, 2, 3, 4, 6, 7, 8, 15}}, // without moves: both
		{"--moves a.p11 b.p11", all, []int{1, 2, 3, 4, 6, 7, 8, 11, 17}},
		{"a.p11 b.p11", all, []int{1, 2, 3, 4, 6, 7, 8, 10, 11, 17}},
		{"--players a.p11 b.p11", all, []int{1, 2, 3, 4, 6, 7, 8, 10, 11, 17}},
		{"-", a, []int{1, 2, 3, 4, 6, 7, 8}},
		{"a.pgn", a, []int{1, 2, 3, 4, 6, 7, 8}},
	} {
		args := append([]string{"dedupe", "-f", "-o", "once.p11"}, strings.Fields(c.args)...)
		stdin := ""
		if c.args == "-" {
			stdin = read(t, dir, "a.p11")
		}
		out, errs := runCode(t, dir, 0, stdin, args...)
		if out != "" || !strings.Contains(errs, "are there already") {
			t.Errorf("%s: %q, %q", c.args, out, errs)
		}
		ply11(t, dir, 0, "verify -q once.p11")
		var want []string
		for _, n := range c.games {
			want = append(want, c.all[n-1])
		}
		if got := textsOf(t, dir, "once.p11"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.args, got, want)
		}
		if report, _ := ply11(t, dir, 0, "dedupe --report --players once.p11"); report != "" {
			t.Errorf("%s: still there: %s", c.args, report)
		}
	}
	for _, c := range []struct {
		code int
		args string
		want string
	}{
		{2, "a.p11", "--output"}, {2, "--report --dense a.p11", "--dense"},
		{2, "--report -o - a.p11", "standard output"}, {2, "-o a.p11 b.p11", "--force"},
		{2, "-o x.p11.gz a.p11", "compressed"}, {3, "-o x.p11 a.p11 bad.p11", "bad.p11"},
		{1, "-o x.p11 missing.p11", "missing.p11"},
	} {
		_, errs := ply11(t, dir, c.code, "dedupe "+c.args)
		if !strings.Contains(errs, c.want) || strings.Contains(left(t, dir), "x.p11") {
			t.Errorf("%s: %q; there is %s", c.args, errs, left(t, dir))
		}
	}
}

// TestDedupeNames: dedupe takes players as one who are written in another way.
func TestDedupeNames(t *testing.T) {
	dir := t.TempDir()
	text := ""
	for _, names := range [][2]string{{"Réti, Richard", "Tartakower, Savielly"}, {"RETI, R.", "Savielly Tartakower"},
		{"Reti, R", "Spielmann, R"}} {
		text += "[White \"" + names[0] + "\"]\n[Black \"" + names[1] + "\"]\n\n1. e4 c6 *\n\n"
	}
	write(t, dir, "a.pgn", text)
	for flag, want := range map[string]string{"": "1 2\n", "--players": "", "--moves": "1 2 3\n"} {
		if out, _ := ply11(t, dir, 0, "dedupe --report a.pgn "+flag); out != want {
			t.Errorf("%q: %q, want %q", flag, out, want)
		}
	}
	if _, errs := ply11(t, dir, 2, "dedupe --report --moves --players a.pgn"); !strings.Contains(errs,
		"one of --players and --moves") {
		t.Errorf("both: %q", errs)
	}
}

// TestDedupeContained: a game that is the beginning of another of the same players is one too many, unless their dates
// contradict.
func TestDedupeContained(t *testing.T) {
	dir := t.TempDir()
	one := func(white, date, moves string) string {
		return "[White \"" + white + "\"]\n[Black \"b\"]\n[Date \"" + date + "\"]\n\n" + moves + " *\n\n"
	}
	write(t, dir, "a.pgn", one("a", "2000.01.??", "1. e4")+ // 1, in 3
		one("a", "2001.01.01", "1. e4")+ // 2, equal to 1
		one("a", "2000.01.02", "1. e4 e5 2. Nf3")+ // 3, in 4
		one("A.", "????.??.??", "1. e4 e5 2. Nf3 Nc6")+ // 4
		one("a", "2000.01.01", "1. e4 e5 2. Nc3")+ // 5
		one("c", "2000.01.01", "1. e4 e5")+ // 6
		one("a", "1999.01.01", "1. e4 e5 2. Nf3")+ // 7, equal to 3, and in 4
		one("d", "1999.01.01", "1. d4")+ // 8
		one("d", "1998.01.01", "1. d4 d5")) // 9
	if out, errs := ply11(t, dir, 0, "dedupe --report --contained a.pgn"); out != "4 1 2 3 7\n" {
		t.Errorf("%q %s", out, errs)
	}
	if out, _ := ply11(t, dir, 0, "dedupe --report a.pgn"); out != "1 2\n3 7\n" {
		t.Errorf("without --contained: %q", out)
	}
	ply11(t, dir, 0, "dedupe -q --contained -o once.p11 a.pgn")
	if out, _ := ply11(t, dir, 0, "find --csv --columns plies once.p11"); out != "plies\n4\n3\n2\n1\n2\n" {
		t.Errorf("%q", out)
	}
}
