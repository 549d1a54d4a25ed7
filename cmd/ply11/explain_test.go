// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	entry "ply11/cmd/ply11"

	"github.com/google/go-cmp/cmp"

	"ply11/internal/formats"
)

//go:generate go test -run ^TestExplain$ -update-golden
var updateGolden = flag.Bool("update-golden", false, "write the golden files of explain")

const scholarsMate = `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 $4 4. Qxf7# 1-0

`

// A book has neither a result nor a NAG but for weak moves.
const scholarsBook = `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]

1. e4 e5 2. Qh5 (2. Nf3 Nc6) 2... Nc6 3. Bc4 Nf6 $2 4. Qxf7# *

`

// runHere runs the program in this process, and returns its exit code and its standard error.
func runHere(t *testing.T, args ...string) (code int, stderr string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stderr
	os.Stderr = f
	code = entry.Run(context.Background(), args)
	os.Stderr = old
	f.Close()
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, string(b)
}

func writeFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// The Scholar's Mate in every format.
func TestExplain(t *testing.T) {
	for _, name := range formats.Names() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			text, options := scholarsMate, []string(nil)
			if name == "fbk" || name == "polyglot" {
				text = scholarsBook
			}
			if name == "polyglot" || name == "uci" {
				options = []string{"--lossy"} // a weak move has no mark in a book, nor a line of UCI a result
			}
			f, err := formats.ByName(name)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "mate.bytes")
			if len(f.Extensions) > 0 {
				file = filepath.Join(dir, "mate"+f.Extensions[0])
			}
			args := append([]string{"convert", "--to", name, "-o", file, writeFile(t, dir, "source.pgn", text),
				"--from", "pgn"}, options...)
			if code, told := runHere(t, args...); code != 0 {
				t.Fatalf("exit code %d: %s", code, told)
			}
			out := filepath.Join(dir, "out")
			if code, told := runHere(t, "explain", "--format", name, "-o", out, file); code != 0 {
				t.Fatalf("exit code %d: %s", code, told)
			}
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", "explain", name+".golden")
			if *updateGolden {
				writeFile(t, ".", golden, string(got))
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s", diff)
			}
			for _, move := range []string{"1. e4", "1... e5", "2. Qh5", "2... Nc6", "3. Bc4", "3... Nf6", "4. Qxf7#"} {
				if !strings.Contains(string(got), move) {
					t.Errorf("%s is not in it", move)
				}
			}
			if len(f.Extensions) > 0 {
				if code, told := runHere(t, "explain", "-f", "-o", out, file); code != 0 {
					t.Errorf("exit code %d: %s", code, told)
				}
				again, _ := os.ReadFile(out)
				if string(again) != string(got) {
					t.Errorf("by the file's name it is another explanation")
				}
			}
		})
	}
}

// What is wrong is reported where it stands, and what follows is still explained.
func TestExplainErrors(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	for _, c := range []struct {
		name, file, content string
		code                int
		want                []string // in the output
	}{
		{"an empty file", "a.brn", "", 0, nil},
		// e4, the black king's pawn again where it is taken for no move, a result; then a game that is valid.
		{"brenner", "b.brn", "\x2c\xdb\x02\x2c\x2c\x02", 4, []string{"game 1", "1. e4", "game 1, ply 2", "game 2",
			"1... e5"}},
		{"jose", "b.jgt", "\x13\x9e\xff\x13\x13\xd2\xff", 4, []string{"1. e4", "game 1", "game 2", "1... e5"}},
		{"fbk, half a move", "b.fbk", "\x8c\x1c\x74", 4, []string{"1. e4", "error: "}},
		{"polyglot, half an entry", "b.bin", "\x46\x3b\x96", 4, []string{"error: "}},
		{"chessbase, cut off", "b.cbf", "\x40\x17\x07", 4, []string{"game 1: "}},
		{"words, cut off", "b.words", "\x8c\xa1\x05", 3, []string{"1. e4", "error: word"}},
		{"pgn, an illegal move", "b.pgn", "1. e4 e5 2. Ke3 *\n\n\n[White \"A\"]\n\n1. d4 {c} (1. c4 $1) 1-0\n", 4,
			[]string{"game 1, line 1", "1... e5", "error: 1:",
				"ply 3", "game 2, line 4", "tag White: \"A\"", "1. d4", "comment \"c\"", "1. c4", "$1", "1-0"}},
		{"uci, an illegal move", "b.uci", "e2e4 e2e4\nd2d4\n", 4,
			[]string{"game 1, line 1", "error: line 1: game 1, ply 2", "game 2, line 2", "1. d4"}},
		{"p11, none", "b.p11", "P11B", 3, []string{"error: not a ply11 archive"}},
		{"words, an illegal move", "c.words", "\x8c\x61\x0c\x00\x00\x00", 3,
			[]string{"1. e4", "illegal move", "not followed: a1 to b1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := writeFile(t, dir, c.file, c.content)
			code, told := runHere(t, "explain", "--force", "-o", out, file)
			if code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, told)
			}
			if code != 0 && !strings.Contains(told, c.file+": ") {
				t.Errorf("told %q without the file's name", told)
			}
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			at := 0
			for _, w := range c.want {
				i := strings.Index(string(got[at:]), w)
				if i < 0 {
					t.Fatalf("no %q, in this order, in\n%s", w, got)
				}
				at += i
			}
		})
	}
}

// What a format chose is reported, unless --quiet.
func TestNotes(t *testing.T) {
	dir := t.TempDir()
	mate := writeFile(t, dir, "mate.pgn", scholarsMate)
	cbf, fbk := filepath.Join(dir, "a.cbf"), filepath.Join(dir, "a.fbk")
	for _, args := range [][]string{{"convert", "-o", cbf, mate},
		{"convert", "-o", fbk, writeFile(t, dir, "book.pgn", scholarsBook)}} {
		if code, told := runHere(t, args...); code != 0 {
			t.Fatalf("%q: exit code %d: %s", args, code, told)
		}
	}
	expect := func(want string, args ...string) {
		t.Helper()
		args = append(args, "--force", "-o", filepath.Join(dir, "out.pgn"))
		for _, quiet := range []bool{false, true} {
			a := args
			if quiet {
				a = append(a, "--quiet")
			}
			code, told := runHere(t, a...)
			if code != 0 || strings.Contains(told, want) == quiet {
				t.Errorf("%q: exit code %d, told %q, want %q", a, code, told, want)
			}
		}
	}
	for _, command := range []string{"convert", "explain"} {
		expect("a.cbf: moves are numbered as in the document in 1 of the games", command, cbf)
		expect("a.fbk: the flags are brackets", command, fbk)
	}
	if err := os.Rename(cbf, filepath.Join(dir, "alone.cbf")); err != nil {
		t.Fatal(err)
	}
	expect("there is no index", "convert", filepath.Join(dir, "alone.cbf"))
	expect("there is no index", "explain", filepath.Join(dir, "alone.cbf"))
	table := writeFile(t, dir, "table", "gametext_hex\n1313d2ff\n")
	expect("tab-separated", "convert", "--from", "jose", table)
}
