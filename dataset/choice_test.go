// SPDX-License-Identifier: Apache-2.0

package dataset_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ply11/dataset"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/internal/testenv"
	"ply11/query"
)

// TestSample: each row has the same chance, whatever its game, ply and side; splits share no game.
func TestSample(t *testing.T) {
	data := sourceOf("a", generated(t, testenv.Pick(1500, 500), 4))
	near := func(what string, got, n int, part float64) {
		t.Helper()
		if float64(n)*part*(1-part) < 10 {
			return // too few to tell
		}
		if most := 5*math.Sqrt(float64(n)*part*(1-part)) + 1e-9; math.Abs(float64(got)-float64(n)*part) > most {
			t.Errorf("%s: %d of %d, want %.0f and at most %.0f more or fewer", what, got, n, float64(n)*part, most)
		}
	}
	count := func(rows []rowOf) (white int, plies map[int]int, games map[uint64]int) {
		plies, games = map[int]int{}, map[uint64]int{}
		for _, r := range rows {
			white += 1 - int(r.side)
			plies[r.ply]++
			games[r.game]++
		}
		return white, plies, games
	}
	whole := positions(t, dataset.Job{}, data)
	white, plies, games := count(whole)
	for _, part := range []float64{0.02, 0.5} {
		rows := positions(t, dataset.Job{Sample: part}, data)
		w, p, g := count(rows)
		near("rows", len(rows), len(whole), part)
		near("White's", w, white, part)
		for ply, n := range plies {
			near(fmt.Sprint("ply ", ply), p[ply], n, part)
		}
		for n, rows := range games {
			near(fmt.Sprint("game ", n), g[n], rows, part)
		}
		if slices.Equal(rows, positions(t, dataset.Job{Sample: part, Shuffle: true, Seed: 1}, data)) {
			t.Error("another seed takes the same")
		}
	}
	seen := map[uint64]bool{}
	for _, split := range []string{"0-0.1", "0.1-0.75", "0.75-1"} {
		var part [2]float64
		fmt.Sscanf(split, "%g-%g", &part[0], &part[1])
		_, _, g := count(positions(t, dataset.Job{Split: split, PerGame: 1}, data))
		near(split, len(g), len(games), part[1]-part[0])
		for n, rows := range g {
			if rows != 1 || seen[n] {
				t.Errorf("game %d: %d rows, in another split: %v", n, rows, seen[n])
			}
			seen[n] = true
		}
	}
	if len(seen) != len(games) {
		t.Errorf("%d games in the splits, want %d", len(seen), len(games))
	}
	// One position of each game: each ply as often as by its part of the games.
	_, p, _ := count(positions(t, dataset.Job{PerGame: 1}, data))
	first, mean := 0, 0.0
	for ply, n := range p {
		if ply < 20 {
			first += n
		}
	}
	for _, n := range games {
		mean += min(1, 20/float64(n)) / float64(len(games))
	}
	near("one of a game in its first 20 plies", first, len(games), mean)
	// Of formats of games, a row is a game.
	rows := exportTo(t, t.TempDir(), dataset.Options{Job: dataset.Job{Format: "jsonl", Sample: 0.25}}, data).Rows
	near("games", rows, len(games), 0.25)
}

// TestOthers: readers of WebDataset, TFRecord and bullet's ChessBoard find what an npz has, and the card is sound.
func TestOthers(t *testing.T) {
	py := testenv.Python(t)
	path, _ := datadir.PathOr(samples.Annotated, "pgn", "annotated", "lichess-1k.pgn.zst")
	source := sourceOf("a|b.p11", pack(t, append([]byte(text+"\n\n"), readText(t, path, 200_000)...), 16, true))
	args := []string{"-B", "testdata/oracle/others.py"}
	rows := 0
	for _, c := range []dataset.Options{
		{Job: dataset.Job{Format: "npz", Legal: true, WDL: "stockfish-17", Labels: "searchless-chess", Planes: "bits",
			Shards: 2}},
		{Job: dataset.Job{Format: "webdataset", Legal: true, WDL: "stockfish-17", Labels: "searchless-chess",
			Planes: "bits", Shards: 2, Batch: 100}, Card: "cc0-1.0"},
		{Job: dataset.Job{Format: "tfrecord", Legal: true, WDL: "stockfish-17", Labels: "searchless-chess",
			Planes: "bits", Shards: 3}},
		{Job: dataset.Job{Format: "bullet"}, Single: true},
	} {
		c.Only, c.Shuffle, c.Seed, c.MaxEval = []string{"eval"}, true, 3, 0
		dir := filepath.Join(t.TempDir(), "set")
		q := query.New()
		if err := errors.Join(q.Add("not", "result=*"), q.Add("plies", "1-")); err != nil { // what bullet cannot hold
			t.Fatal(err)
		}
		c.Output = dir
		m, err := dataset.Export(t.Context(), q, []query.Source{source}, c)
		if err != nil {
			t.Fatal(err)
		}
		rows = m.Rows
		args = append(args, dir)
	}
	out, err := exec.Command(py, args...).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != fmt.Sprint(rows) || rows < 1000 {
		t.Errorf("%v: %s; %d rows", err, out, rows)
	}
}

// TestCard: pages of others are kept, those of a set go with it, and labels of games name the null move.
func TestCard(t *testing.T) {
	data := sourceOf("a", pack(t, []byte(text), 2, false))
	dir := t.TempDir()
	o := dataset.Options{Job: dataset.Job{Format: "jsonl"}, Output: dir, Card: "cc0-1.0"}
	for _, name := range []string{"README.md", "labels.txt"} {
		page := filepath.Join(dir, name)
		if err := os.WriteFile(page, []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := export(t, data, o); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := os.ReadFile(page); string(text) != "mine" {
			t.Errorf("%s: %.20q, %v", name, text, err)
		}
		if name == "README.md" {
			os.Remove(page)
		}
	}
	o.Force = true
	for range 2 { // and then its own is replaced
		if _, err := export(t, data, o); err != nil {
			t.Fatal(err)
		}
		o.Force = false
	}
	all := files(t, dir)
	if card := all["README.md"]; !strings.Contains(card, "<!-- made by ply11 export -->") ||
		!strings.Contains(card, "5 rows of 5 chess games") || !strings.Contains(card, "- n<1K\n") {
		t.Errorf("%s", card)
	}
	if lines := strings.Split(all["labels.txt"], "\n"); len(lines) != 1974 || lines[1972] != "0000" ||
		lines[396] != "e2e4" || lines[1968] != "" {
		t.Errorf("%d lines: %q", len(lines), lines[1968:])
	}
	// Another data set removes what was beside the one before, but no page of others.
	o.Force, o.Card, o.Format = true, "", "bin"
	for _, mine := range []bool{false, true} {
		if mine {
			if err := errors.Join(os.WriteFile(filepath.Join(dir, "README.md"), []byte("mine"), 0o666),
				os.WriteFile(filepath.Join(dir, "labels.txt"), []byte("mine"), 0o666)); err != nil {
				t.Fatal(err)
			}
			o.Format = "bullet"
		}
		if _, err := export(t, data, o); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"README.md", "labels.txt"} {
			if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != mine {
				t.Errorf("%s: %s, kept: %v", o.Format, name, !mine)
			}
		}
	}
	o.Card = "a: b"
	if _, err := export(t, data, o); err == nil {
		t.Error("a licence that is none is taken")
	}
}
