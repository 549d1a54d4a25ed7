// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/internal/cli"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/internal/testenv"
)

// TestKeepers compares what keepers do all day with the counts of python-chess.
func TestKeepers(t *testing.T) {
	python, script := testenv.Python(t), filepath.Join("testdata", "keepers.py")
	for _, file := range []struct {
		sample, folder, name string
		games                int
	}{{samples.Plain, "master", "master-50k.pgn.zst", 1200}, {samples.Clocks, "annotated", "lichess-1k.pgn.zst", 400}} {
		data, _ := datadir.ReadAll(t, file.sample, "pgn", file.folder, file.name)
		texts := gameTexts(string(data))
		texts = texts[:min(len(texts), file.games)]
		if file.folder == "master" { // some games come again, and go on
			texts = append(texts, texts[:20]...)
		}
		dir := t.TempDir()
		write(t, dir, "a.pgn", strings.Join(texts, "\n\n")+"\n")
		write(t, dir, "rep.pgn", strings.Join(texts[:40], "\n\n")+"\n")
		out, err := exec.Command(python, "-B", script, filepath.Join(dir, "a.pgn"),
			filepath.Join(dir, "rep.pgn")).Output()
		testenv.Must(t, err)
		want := map[string][]any{}
		testenv.Must(t, json.Unmarshal(out, &want))
		ply11(t, dir, 0, "pack -q --block 100 a.pgn")
		ply11(t, dir, 0, "index -q a.p11")
		list := func(line string) (rows []string) {
			cmd := command(dir, words(line)...)
			out, err := cmd.Output()
			if code := cmd.ProcessState.ExitCode(); err != nil && code != cli.NotFound {
				t.Fatalf("%s: exit code %d", line, code)
			}
			for row := range strings.Lines(string(out)) {
				rows = append(rows, strings.TrimSpace(row))
			}
			return rows
		}
		csv := func(columns, flags string) []string {
			rows := list("find --csv --columns " + columns + " " + flags + " a.p11")
			for i := range rows {
				rows[i] = strings.ReplaceAll(rows[i], ",", " ")
			}
			return rows[1:]
		}
		compare := func(name string, got []string) {
			var list []string
			for _, v := range want[name] {
				list = append(list, fmt.Sprint(v))
			}
			if !slices.Equal(got, list) {
				for i := range min(len(got), len(list)) {
					if got[i] != list[i] {
						t.Errorf("%s: row %d: %s, want %s", name, i, got[i], list[i])
						break
					}
				}
				t.Errorf("%s: %s: %d rows, want %d", file.name, name, len(got), len(list))
			}
		}
		compare("repetition", csv("game", "--repetition 3"))
		compare("quiet", csv("game", "--quiet-moves 20"))
		compare("novelty", csv("game,ply,move", "--novelty a.p11"))
		compare("repertoire", csv("game,ply,move", "--repertoire rep.pgn"))
		for _, speed := range []string{"bullet", "blitz", "rapid", "classical"} {
			compare(speed, csv("game", "--speed "+speed+" --tag TimeControl~^[0-9]+[+]"))
		}
		fens := list("find --after-ply 40 --before-ply 40 --fens a.p11")
		for i := range fens {
			fens[i], _, _ = strings.Cut(fens[i], " ")
		}
		compare("fens", fens)
		moves := csv("moves", "")
		for i := range moves {
			moves[i] = strings.NewReplacer("+", "", "#", "").Replace(moves[i])
		}
		compare("moves", moves)
		tree := list("tree --csv a.p11")
		for i := range tree {
			row := strings.Split(tree[i], ",")
			tree[i] = strings.TrimRight(row[0], "+#") + " " + row[2]
		}
		tree = tree[1 : len(tree)-1]
		slices.Sort(tree)
		compare("tree", tree)
		compare("same", list("dedupe --report --moves a.p11"))

		ply11(t, dir, 0, "convert -q --sort date,white -o sorted.pgn a.p11")
		var order []string
		sorted := gameTexts(read(t, dir, "sorted.pgn"))
		used := map[int]bool{}
		for _, text := range sorted {
			i := slices.IndexFunc(texts, func(s string) bool { return s == text })
			for used[i] { // the same text comes again, later
				i += 1 + slices.Index(texts[i+1:], text)
			}
			used[i] = true
			order = append(order, fmt.Sprint(i+1))
		}
		compare("sorted", order)

		best := want["best"]
		text, _ := ply11(t, dir, 0, fmt.Sprintf("stats --player '=%v' --json a.p11", best[0]))
		var score struct {
			All struct{ Wins, Draws, Losses int }
		}
		testenv.Must(t, json.Unmarshal([]byte(text), &score))
		if got := fmt.Sprint(score.All.Wins, " ", score.All.Draws, " ", score.All.Losses); got !=
			fmt.Sprint(best[1], " ", best[2], " ", best[3]) {
			t.Errorf("%v: %s", best, got)
		}
	}
}
