// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"strings"
	"testing"

	"ply11/internal/cli"
	"ply11/internal/testenv"
)

// TestEdit: the text is the one that a person would make with an editor, and every command reads it.
func TestEdit(t *testing.T) {
	testenv.Slow(t)
	dir := t.TempDir()
	one := func(white, moves string) string {
		return "[White \"" + white + "\"]\n[Black \"b\"]\n\n" + moves + "\n\n"
	}
	write(t, dir, "a.pgn", one("a", "1. e4 *")+one("b", "1. d4 *")+one("c", "1. c4 *")+one("d", "1. e4 *")+one("e",
		"1. Nf3 *"))
	write(t, dir, "new.pgn", one("n", "1. g3 *"))
	write(t, dir, "changes.tsv", "1\tWhite\tO'Kelly\r\n2\tBlack\n3\n\n1\tEvent\tx=y")
	write(t, dir, "twice.tsv", "1\tWhite\tx\n2\tWhite\tx\n01\tWhite\tx\n")
	write(t, dir, "unset.tsv", "1\tWhite\n1\tWhite\tx\n")
	write(t, dir, "found.json", `{"file":"x.p11","game":1,"white":"A","result":"*"}`+"\n")
	write(t, dir, "other.json", `{"file":"y.p11","game":1}`)
	write(t, dir, "latin.tsv", "a\t\xe9\n")
	write(t, dir, "names.tsv", "White\tb\tB\nWhite\td\tD\n")
	write(t, dir, "bad.tsv", "a\tb\nc\n")
	write(t, dir, "out.tsv", "1\tWhite\n2\n1\n")
	for i, c := range []struct {
		args, want string
		code       int
	}{
		{"--games 2 --delete", one("a", "1. e4 *") + one("c", "1. c4 *") + one("d", "1. e4 *") + one("e", "1. Nf3 *"),
			0},
		{"--games 2,4-,2 --delete", one("a", "1. e4 *") + one("c", "1. c4 *"), 0},
		{"--games 1- --delete", "", 0},
		{"--games 3 --set White=C=c --unset Black", one("a", "1. e4 *") + one("b", "1. d4 *") +
			"[White \"C=c\"]\n\n1. c4 *\n\n" + one("d", "1. e4 *") + one("e", "1. Nf3 *"), 0},
		{"--games 4 --replace new.pgn", one("a", "1. e4 *") + one("b", "1. d4 *") + one("c", "1. c4 *") + one("n",
			"1. g3 *") + one("e", "1. Nf3 *"), 0},
		{"--white a --set White=z", one("z", "1. e4 *") + one("b", "1. d4 *") + one("c", "1. c4 *") + one("d",
			"1. e4 *") + one("e", "1. Nf3 *"), 0},
		{"--moves 1.e4 --delete", one("b", "1. d4 *") + one("c", "1. c4 *") + one("e", "1. Nf3 *"), 0},
		{"--changes found.json", one("A", "1. e4 *") + one("b", "1. d4 *") + one("c", "1. c4 *") + one("d", "1. e4 *") +
			one("e", "1. Nf3 *"), 0},
		{"--changes found.json --delete", one("b", "1. d4 *") + one("c", "1. c4 *") + one("d", "1. e4 *") +
			one("e", "1. Nf3 *"), 0},
		{"--rename names.tsv", one("a", "1. e4 *") + one("B", "1. d4 *") + one("c", "1. c4 *") + one("D", "1. e4 *") +
			one("e", "1. Nf3 *"), 0},
		{"--player a --set White=z", "give --white or --black", cli.Usage},
		{"--player nobody --delete", "no game found", cli.NotFound},
		{"--rename bad.tsv", "bad.tsv: line 2", cli.Usage},
		{"--changes other.json --delete", "of y.p11, not of x.p11", cli.Usage},
		{"--rename latin.tsv", "not UTF-8", cli.Usage},
		{"--strip notes", "comments, clk", cli.Usage},
		{"--games 6 --delete", "no such game", cli.NotFound},
		{"--games 2-6", "say what becomes", cli.Usage},
		{"--delete", "--games or another condition says", cli.Usage},
		{"--games 1 --delete --set a=b", "--delete takes", cli.Usage},
		{"--games 1 --set White", "NAME=VALUE", cli.Usage},
		{"--games 1 --set White=a --set Black=b --set White=a", "White is given twice", cli.Usage},
		{"--games 1 --set FEN=x", "belongs to the moves", cli.Usage},
		{"--games 1,2 --replace new.pgn", "one game", cli.Usage},
		{"--games 1 --replace a.pgn", "more than one game", cli.Failed},
		{"--games x --delete", "no game's number", cli.Usage},
		{"--changes changes.tsv --delete", "leave out", cli.Usage},
		{"--changes new.pgn", "line 1", cli.Usage},
		{"--changes twice.tsv", "line 3: the tag White of game 1 is in line 1, too", cli.Usage},
		{"--changes unset.tsv", "line 2: the tag White of game 1 is in line 1, too", cli.Usage},
		{"--changes out.tsv", "line 3: game 1 is in line 1, too, and one of them takes it out", cli.Usage},
	} {
		for j, form := range []string{"--block=2", "--dense"} {
			if (i+j)%testenv.Pick(1, 2) != 0 { // each form with some of them
				continue
			}
			ply11(t, dir, 0, "pack -q -f "+form+" -o x.p11 a.pgn")
			before := read(t, dir, "x.p11")
			_, errs := ply11(t, dir, c.code, "edit x.p11 "+c.args)
			if c.code != 0 {
				if !strings.Contains(errs, c.want) || read(t, dir, "x.p11") != before {
					t.Errorf("%s: %s", c.args, errs)
				}
				continue
			}
			check := func() {
				t.Helper()
				if out, errs := ply11(t, dir, 0, "unpack -o - x.p11"); out != c.want {
					t.Errorf("%s: it unpacks to %q %s", c.args, out, errs)
				}
				ply11(t, dir, 0, "verify x.p11")
			}
			check()
			long := len(read(t, dir, "x.p11"))
			ply11(t, dir, 0, "compact -q x.p11")
			check()
			if info, _ := ply11(t, dir, 0, "info x.p11"); !strings.Contains(info, "SHA-256") ||
				len(read(t, dir, "x.p11")) >= long {
				t.Errorf("%s: it is not compact: %s", c.args, info)
			}
		}
	}
	ply11(t, dir, 0, "pack -q -f -o x.p11 a.pgn")
	ply11(t, dir, 0, "index -q x.p11")
	_, errs := ply11(t, dir, 0, "edit --changes changes.tsv x.p11")
	if !strings.Contains(errs, "2 games changed and 1 taken out; 4 games") ||
		!strings.Contains(errs, "ply11 index --force x.p11 makes it again") {
		t.Error(errs)
	}
	want := "[White \"O'Kelly\"]\n[Black \"b\"]\n[Event \"x=y\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. d4 *\n\n" + one("d",
		"1. e4 *") + one("e", "1. Nf3 *")
	if out := unpacked(t, dir, "x.p11"); out != want {
		t.Errorf("%q", out)
	}
	if _, errs := runCode(t, dir, cli.Failed, read(t, dir, "x.p11"), "unpack", "-o", "-", "-"); !strings.Contains(errs,
		"ply11 compact changes that") {
		t.Error(errs)
	}
	whole := read(t, dir, "x.p11")
	write(t, dir, "bad-end.p11", whole[:len(whole)-1]+"x")
	for _, command := range []string{"unpack -o -", "cat"} {
		if _, errs := ply11(t, dir, cli.Wrong, command+" bad-end.p11"); !strings.Contains(errs, "trailer at offset") {
			t.Error(errs)
		}
	}
	tree, _ := ply11(t, dir, 0, "tree --no-index x.p11")
	if out, errs := ply11(t, dir, 0, "tree x.p11"); out != tree || !strings.Contains(errs, "x.p11x") {
		t.Errorf("%s%s", out, errs)
	}
	ply11(t, dir, cli.Wrong, "index --update x.p11")
	ply11(t, dir, 0, "dedupe --moves --in-place x.p11")
	if out := unpacked(t, dir, "x.p11"); out != strings.Replace(want, one("d", "1. e4 *"), "", 1) {
		t.Errorf("dedupe --moves --in-place: %q", out)
	}
	if out, _ := ply11(t, dir, 0, "find --white e x.p11"); !strings.Contains(out, "3  e - b") {
		t.Errorf("the last game is not game 3: %s", out)
	}
	first := startSlow(t, dir, "append -q x.p11 -")
	if _, errs := ply11(t, dir, cli.Failed, "edit --games 1 --delete x.p11"); !strings.Contains(errs, "x.p11") {
		t.Error(errs)
	}
	first.Close()
	if err := first.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

// TestUndo takes back edits and additions, one after the other, to the byte.
func TestUndo(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", "[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. d4 *\n")
	ply11(t, dir, 0, "pack -q a.pgn")
	ply11(t, dir, cli.Failed, "edit --undo a.p11")
	states := []string{read(t, dir, "a.p11")}
	for _, line := range []string{"edit -q --games 1 --set White=P11E a.p11", "append -q a.p11 a.pgn",
		"edit -q --games 2 --delete a.p11", "edit -q --set-eco a.p11"} {
		ply11(t, dir, 0, line)
		states = append(states, read(t, dir, "a.p11"))
	}
	for i := len(states) - 2; i >= 0; i-- {
		ply11(t, dir, 0, "edit -q --undo a.p11")
		if read(t, dir, "a.p11") != states[i] {
			t.Fatalf("state %d is another", i)
		}
		ply11(t, dir, 0, "verify -q a.p11")
	}
	ply11(t, dir, cli.Failed, "edit --undo a.p11")
	ply11(t, dir, cli.Usage, "edit --undo --games 1 a.p11")
}
