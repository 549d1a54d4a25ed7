// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/cli"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/internal/testenv"
)

// gameTexts cuts PGN before each tag Event.
func gameTexts(text string) []string {
	var list []string
	for i, s := range strings.Split(text, "[Event ") {
		if i > 0 {
			list = append(list, "[Event "+strings.TrimSpace(s))
		}
	}
	return list
}

// TestSort sorts games of PGN and of archives, to both, by a few orders. The texts are those that a stable sort of the
// texts gives.
func TestSort(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(datadir.Sample(samples.Plain))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "a.pgn", string(text))
	ply11(t, dir, 0, "pack -q --block 3 -o a.p11 a.pgn")
	tag := func(text, name string) string {
		_, rest, _ := strings.Cut(text, "["+name+` "`)
		value, _, _ := strings.Cut(rest, `"`)
		return value
	}
	date := func(a, b string) int {
		return strings.Compare(strings.ReplaceAll(tag(a, "Date"), "?", " "),
			strings.ReplaceAll(tag(b, "Date"), "?", " "))
	}
	for order, less := range map[string]func(a, b string) int{
		"date":  date,
		"-date": func(a, b string) int { return date(b, a) },
		"result,-white": func(a, b string) int {
			if c := strings.Compare(tag(a, "Result"), tag(b, "Result")); c != 0 {
				return c
			}
			return strings.Compare(tag(b, "White"), tag(a, "White"))
		},
	} {
		want := gameTexts(string(text))
		slices.SortStableFunc(want, less)
		for _, in := range []string{"a.pgn", "a.p11"} {
			for _, out := range []string{"out.pgn", "out.p11"} {
				ply11(t, dir, 0, fmt.Sprintf("convert -q -f --sort %s -o %s %s", order, out, in))
				got := read(t, dir, "out.pgn")
				if out == "out.p11" {
					got = unpacked(t, dir, out)
				}
				if !slices.Equal(gameTexts(got), want) {
					t.Errorf("--sort %s, %s to %s: another order or text", order, in, out)
				}
			}
		}
		got, _ := ply11(t, dir, 0, "find --pgn --skip 1 --limit 9 --sort "+order+" a.p11")
		if !slices.Equal(gameTexts(got), want[1:min(10, len(want))]) {
			t.Errorf("find --sort %s: another order or text", order)
		}
	}
}

// TestStripped takes parts of annotated games away. What is left is what the reader finds in the games without them.
func TestStripped(t *testing.T) {
	dir := t.TempDir()
	const tags = "[White \"a\"]\n[Result \"*\"]\n\n"
	for _, c := range []struct{ parts, text, want string }{
		{"comments", "1. e4 {good [%clk 0:01:00] move} e5 {bad} *", "1. e4 {[%clk 0:01:00]} e5 *"},
		{"clk", "1. e4 {[%clk 0:01:00] [%eval 0.3] fine} *", "1. e4 {[%eval 0.3] fine} *"},
		{"clk,eval", "1. e4 {[%clk 0:01:00] [%eval 0.3]} e5 *", "1. e4 e5 *"},
		{"commands", "1. e4 {[%csl Ga1] text} *", "1. e4 {text} *"},
		{"nags", "1. e4 $1 e5 $10 $2 *", "1. e4 e5 *"},
		{"variations", "1. e4 (1. d4 d5 (1... Nf6 {x}) 2. c4) 1... e5 (1... c5) 2. Nf3 {k} *", "1. e4 e5 2. Nf3 {k} *"},
		{"comments,nags,variations", "{before} 1. e4 $1 {x} (1. d4) 1... e5 *", "1. e4 e5 *"},
		{"variations", "1. e4 {as it  was} e5 *", "1. e4 {as it  was} e5 *"},
	} {
		write(t, dir, "a.pgn", tags+c.text+"\n")
		ply11(t, dir, 0, "convert -q -f --strip "+c.parts+" -o b.pgn a.pgn")
		_, got, _ := strings.Cut(read(t, dir, "b.pgn"), "\n\n")
		if got = strings.TrimSpace(strings.ReplaceAll(got, "\n", " ")); got != c.want {
			t.Errorf("--strip %s of %s: %s, want %s", c.parts, c.text, got, c.want)
		}
	}
	ply11(t, dir, cli.Usage, "convert --strip moves -o b.pgn a.pgn")
}

// TestNamesOnce reads the names once, as a pipe gives them; and the positions after a null move are right.
func TestNamesOnce(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.pgn", "[White \"a\"]\n[Black \"b\"]\n\n1. e4 -- 2. d4 *\n")
	for _, args := range [][]string{{"convert", "-q", "-o", "b.pgn", "--rename", "-", "a.pgn"},
		{"find", "--rename", "-", "-f", "-o", "b.pgn", "a.pgn"}} {
		runCode(t, dir, 0, "b\tB\n", args...)
		if text := read(t, dir, "b.pgn"); !strings.Contains(text, "[Black \"B\"]") {
			t.Errorf("%v: %s", args, text)
		}
	}
	out, _ := ply11(t, dir, 0, "find --fens a.pgn")
	if want := "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq d3 0 2\n"; out != want {
		t.Errorf("after a null move: %s, want %s", out, want)
	}
}

// TestSplit writes a file for each player: all games of each are in his file, in their order.
func TestSplit(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(datadir.Sample(samples.Plain))
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, "[Event \"x\"]\n[White \"unknown\"]\n[Black \"b\"]\n\n*\n"...)
	want := map[string][]string{}
	r := pgn.NewReader(bytes.NewReader(text))
	all := gameTexts(string(text))
	for i := 0; ; i++ {
		var g game.Game
		if err := r.Read(&g); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Compact([]string{g.Tag("White"), g.Tag("Black")}) {
			if name == "?" {
				name = "unknown"
			}
			want[name] = append(want[name], all[i])
		}
	}
	write(t, dir, "a.pgn", string(text))
	ply11(t, dir, 0, "convert -q --split-by player -o players a.pgn")
	files, err := filepath.Glob(filepath.Join(dir, "players", "*"))
	if err != nil || len(files) != len(want) {
		t.Fatalf("%d files for %d players: %v", len(files), len(want), err)
	}
	for name, games := range want {
		file := strings.NewReplacer("/", "%2F", "?", "%3F").Replace(name) + ".pgn"
		if got := gameTexts(read(t, dir, "players/"+file)); !slices.Equal(got, games) {
			t.Errorf("%s: %d games, want %d", file, len(got), len(games))
		}
	}
	ply11(t, dir, cli.Usage, "convert --split-by player -o players a.pgn") // the files exist
	ply11(t, dir, cli.Usage, "convert --split-by year a.pgn")
}

// TestEditMany changes most games of an archive, which is then written again as a whole: the same text comes as from
// changes of a few.
func TestEditMany(t *testing.T) {
	testenv.Slow(t)
	dir := t.TempDir()
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "[White \"w%d\"]\n[Black \"b\"]\n[Result \"*\"]\n\n1. e4 {x} e5 *\n\n", i%7)
	}
	write(t, dir, "a.pgn", text.String())
	ply11(t, dir, 0, "pack -q --meta source=here -o a.p11 a.pgn")
	ply11(t, dir, 0, "edit -q --not white==w3 --set Event=x --strip comments a.p11")
	var want strings.Builder
	for _, block := range strings.Split(text.String(), "[White")[1:] {
		if !strings.HasPrefix(block, " \"w3") {
			block = strings.Replace(block, "[Result \"*\"]", "[Result \"*\"]\n[Event \"x\"]", 1)
			block = strings.Replace(block, " {x}", "", 1)
		}
		want.WriteString("[White" + block)
	}
	if got := unpacked(t, dir, "a.p11"); got != want.String() {
		t.Errorf("%.300q, want %.300q", got, want.String())
	}
	if info, _ := ply11(t, dir, 0, "info a.p11"); !strings.Contains(info, "here") {
		t.Error("its properties are gone: ", info)
	}
	ply11(t, dir, 0, "verify a.p11")
}

// TestStrippedAgainst compares with pgn-extract, which leaves out comments, glyphs and variations by its own options.
func TestStrippedAgainst(t *testing.T) {
	extract := testenv.Tools(t, "pgn-extract")[0]
	dir := t.TempDir()
	for _, name := range []string{"annotated/perle.pgn", "annotated/starter.pgn", "annotated/studies.pgn"} {
		text, err := os.ReadFile(datadir.Path(t, "pgn", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, "a.pgn", string(text))
		for parts, flags := range map[string]string{"comments,commands": "-C", "nags": "-N", "variations": "-V",
			"comments,commands,nags,variations": "-CNV"} {
			ply11(t, dir, 0, "convert -q -f --strip "+parts+" -o b.pgn a.pgn")
			args := []string{"-s", "-obare.pgn"}
			for _, f := range flags[1:] {
				args = append(args, "-"+string(f))
			}
			cmd := exec.Command(extract, append(args, "a.pgn")...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			var words [2][]string
			for i, file := range []string{"b.pgn", "bare.pgn"} {
				ply11(t, dir, 0, "pack -q -f --canonical -o c.p11 "+file)
				// pgn-extract changes spaces in comments, and results that are none.
				for line := range strings.Lines(unpacked(t, dir, "c.p11")) {
					if !strings.HasPrefix(line, "[") {
						words[i] = append(words[i], strings.Fields(line)...)
					}
				}
			}
			for k := range max(len(words[0]), len(words[1])) {
				if k == len(words[0]) || k == len(words[1]) || words[0][k] != words[1][k] {
					t.Errorf("%s, --strip %s: other words from %d on: %.300q, of pgn-extract %.300q", name, parts, k,
						words[0][k:], words[1][k:])
					break
				}
			}
		}
	}
}
