// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bytes"
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

	"ply11/chess"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/query"
)

// TestChoice: python-chess, which reads the games by itself, chooses the same positions, and finds in each row what is written.
func TestChoice(t *testing.T) {
	py := testenv.Python(t)
	path, _ := datadir.PathOr(samples.Annotated, "pgn", "annotated", "lichess-1k.pgn.zst")
	var games bytes.Buffer
	for _, g := range validGames(t, pack(t, append([]byte(rules+"\n\n"), readText(t, path, 200_000)...), 1000, false)) {
		if !g.Start.IsChess960() && g.Start.Occupied().Count() <= 32 && !strings.Contains(g.Tag("Variant"), "Chess960") {
			games.WriteString(textOf(g))
		}
	}
	file := filepath.Join(t.TempDir(), "games.pgn")
	if err := os.WriteFile(file, games.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	source := sourceOf("a", pack(t, games.Bytes(), 16, true))
	for _, c := range []Job{
		{Sample: 0.3, Shuffle: true, Seed: 5},
		{Only: []string{"quiet", "eval"}, MaxEval: 150, WDL: "stockfish-17"},
		{Only: []string{"no-check"}, PerGame: 3, LabelType: "int32", WDL: "lichess", Shuffle: true, Seed: 7, Shards: 3},
		{Weights: []string{"rating=-1500:0.5", "result=draw:0.25", "result=white:0"}, Every: 2, Sample: 0.9, LabelType: "int64"},
		{Split: "0-0.7", PerGame: 5, Sample: 0.5, Only: []string{"quiet"}, LabelType: "int16"},
		{Split: "0.7-1", FromPly: 9, ToPly: 60, Every: 3, Augment: []string{"colors"}},
		{Augment: []string{"files", "colors"}, PerGame: 9, WDL: "stockfish-17", Shuffle: true},
	} {
		c.Format = "npz"
		dir := t.TempDir()
		m := exportTo(t, dir, Options{Job: c}, source)
		out, err := exec.Command(py, "-B", "testdata/oracle/choice.py", file, dir).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != fmt.Sprint(m.Rows) || m.Rows < 100 {
			t.Errorf("%+v: %v: %s; %d rows", c, err, out, m.Rows)
		}
	}
}

// TestSample: each row has the chance that is said, whatever its game, ply and side to move; a split takes a part of the games, and splits that do
// not overlap share none.
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
	whole := positions(t, Job{}, data)
	white, plies, games := count(whole)
	for _, part := range []float64{0.02, 0.5} {
		rows := positions(t, Job{Sample: part}, data)
		w, p, g := count(rows)
		near("rows", len(rows), len(whole), part)
		near("White's", w, white, part)
		for ply, n := range plies {
			near(fmt.Sprint("ply ", ply), p[ply], n, part)
		}
		for n, rows := range games {
			near(fmt.Sprint("game ", n), g[n], rows, part)
		}
		if slices.Equal(rows, positions(t, Job{Sample: part, Shuffle: true, Seed: 1}, data)) {
			t.Error("another seed takes the same")
		}
	}
	seen := map[uint64]bool{}
	for _, split := range []string{"0-0.1", "0.1-0.75", "0.75-1"} {
		var part [2]float64
		fmt.Sscanf(split, "%g-%g", &part[0], &part[1])
		_, _, g := count(positions(t, Job{Split: split, PerGame: 1}, data))
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
	_, p, _ := count(positions(t, Job{PerGame: 1}, data))
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
	rows := exportTo(t, t.TempDir(), Options{Job: Job{Format: "jsonl", Sample: 0.25}}, data).Rows
	near("games", rows, len(games), 0.25)
}

// TestExchange: what captures win, worked out by hand.
func TestExchange(t *testing.T) {
	for _, c := range []struct {
		fen, move string
		want      int
	}{
		{"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 1},
		{"4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0},
		{"4k3/8/2p5/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -3},  // the second rook takes the pawn
		{"3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -4}, // two against two
		{"3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 1},    // two against one, the second behind the first
		{"8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 1},     // the king cannot take a rook that is protected
		{"8/8/3k4/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -4},     // but one that is not
		{"3r4/4P3/8/7k/8/8/8/4K3 w - - 0 1", "e7d8q", 13},     // a rook, and a queen for the pawn
		{"5r2/4P3/8/7k/8/8/8/4K3 w - - 0 1", "e7e8q", -1},     // the queen is taken
		{"4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 1},      // en passant
		{"4k3/1p6/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 0},    // and taken back
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0},         // castling
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1h7", 0},         // no capture, although it may lose a man
		{"3qk3/8/8/3r4/8/5B2/8/3QK3 w - - 0 1", "f3d5", 5},    // queen takes, queen takes: 5-3+9, so she does not
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", 0},
	} {
		p, err := position.ParseFENLenient(c.fen)
		if err != nil {
			t.Fatal(c.fen, err)
		}
		m, err := chess.ParseUCI(c.move)
		if err != nil || !p.IsLegal(m) {
			t.Fatal(c.fen, c.move, err)
		}
		if got := exchange(&p, m); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.fen, c.move, got, c.want)
		}
	}
}

// TestChoiceRefused: what makes no sense is refused, and what is the same has one form.
func TestChoiceRefused(t *testing.T) {
	for _, j := range []Job{
		{Format: "npz", Sample: -1}, {Format: "npz", Sample: 1.5}, {Format: "npz", Sample: math.NaN()}, {Format: "npz", Split: "1"}, {Format: "npz", Split: "0.5-0.5"},
		{Format: "npz", Split: "0-1.1"}, {Format: "npz", Split: "x-1"}, {Format: "npz", Weights: []string{"rating=2000-"}}, {Format: "npz", Weights: []string{"x=y:0.5"}},
		{Format: "npz", Weights: []string{"result=draw:2"}, Sample: 1}, {Format: "npz", Weights: []string{"fen=startpos:0.5"}}, {Format: "npz", Weights: []string{":1"}},
		{Format: "npz", Only: []string{"x"}}, {Format: "npz", Augment: []string{"x"}}, {Format: "npz", PerGame: -1}, {Format: "npz", MaxEval: -1}, {Format: "npz", WDL: "x"},
		{Format: "npz", LabelType: "int8"}, {Format: "jsonl", PerGame: 1}, {Format: "jsonl", MaxEval: 1}, {Format: "jsonl", Only: []string{"eval"}},
		{Format: "jsonl", WDL: "lichess"}, {Format: "bin", WDL: "lichess"}, {Format: "bin", Labels: "lc0"}, {Format: "binpack", Augment: []string{"files"}},
		{Format: "jsonl", Augment: []string{"files"}}, {Format: "parquet-positions", LabelType: "int32"},
		{Format: "bin", Legal: true}, {Format: "binpack", Legal: true}, {Format: "bullet", Legal: true}, {Format: "lc0", Legal: true}, {Format: "viriformat", Legal: true},
		{Format: "webdataset", Batch: math.MaxInt}, {Format: "webdataset", Batch: 1 << 20}, {Format: "webdataset", Planes: "lc0-bytes", Batch: 9500},
	} {
		if _, err := (&Options{Job: j}).check(); err == nil {
			t.Errorf("%+v is taken", j)
		}
	}
	for format, want := range map[string]bool{"npz": false, "npy": false, "none": false, "lc0": true, "tfrecord": true} {
		if err := (&Job{Format: format}).Check(); (err == nil) != want {
			t.Errorf("%s as a stream: %v", format, err)
		}
	}
	if err := (&Job{Format: "webdataset", Planes: "lc0-bytes", Batch: 9000}).Check(); err != nil {
		t.Error(err)
	}
	for _, only := range [][]string{nil, {"no-check"}, {"no-check", "eval"}} {
		o := Options{Job: Job{Format: "bullet", Only: only}}
		if _, err := o.check(); err != nil || !slices.IsSorted(o.Only) || !slices.Contains(o.Only, onlyEval) {
			t.Errorf("%q became %q, %v", only, o.Only, err)
		}
	}
	j := Job{Format: "npz", Sample: 1, Only: []string{"quiet", "eval", "eval"}, LabelType: "uint16"}
	if _, err := (&Options{Job: j}).check(); err != nil {
		t.Fatal(err)
	}
	o := Options{Job: j}
	if o.check(); o.Sample != 0 || o.LabelType != "" || fmt.Sprint(o.Only) != "[eval quiet]" {
		t.Errorf("%+v", o.Job)
	}
}

// TestCountersAtTheEnd: moves may go on where the counters are as large as a FEN can tell; such a position is mirrored, too.
func TestCountersAtTheEnd(t *testing.T) {
	at, err := position.ParseFENLenient("4k3/8/8/8/8/8/8/R3K3 w - - 65535 65535")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a1a2", "e8d7", "a2a3", "d7d8"} {
		m, err := chess.ParseUCI(text)
		if err != nil || !at.IsLegal(m) {
			t.Fatal(text, err)
		}
		at.Make(m)
		for how := uint8(1); how <= turnedColors|turnedFiles; how++ {
			if p, err := mirrorPosition(&at, how); err != nil || p.Occupied().Count() != 3 || p.FullmoveNumber() != 65535 {
				t.Errorf("%s, after %s: %s, %v", at.FEN(), text, p.FEN(), err)
			}
		}
	}
}

// TestOthers: the readers of WebDataset and TFRecord, and one by the definition of bullet's ChessBoard, find what an npz has, and the card is sound.
func TestOthers(t *testing.T) {
	py := testenv.Python(t)
	path, _ := datadir.PathOr(samples.Annotated, "pgn", "annotated", "lichess-1k.pgn.zst")
	source := sourceOf("a|b.p11", pack(t, append([]byte(text+"\n\n"), readText(t, path, 200_000)...), 16, true))
	args := []string{"-B", "testdata/oracle/others.py"}
	rows := 0
	for _, c := range []Options{
		{Job: Job{Format: "npz", Legal: true, WDL: "stockfish-17", Labels: "searchless-chess", Planes: "bits", Shards: 2}},
		{Job: Job{Format: "webdataset", Legal: true, WDL: "stockfish-17", Labels: "searchless-chess", Planes: "bits", Shards: 2, Batch: 100}, Card: "cc0-1.0"},
		{Job: Job{Format: "tfrecord", Legal: true, WDL: "stockfish-17", Labels: "searchless-chess", Planes: "bits", Shards: 3}},
		{Job: Job{Format: "bullet"}, Single: true},
	} {
		c.Only, c.Shuffle, c.Seed, c.MaxEval = []string{"eval"}, true, 3, 0
		dir := filepath.Join(t.TempDir(), "set")
		q := query.New()
		if err := errors.Join(q.Add("not", "result=*"), q.Add("plies", "1-")); err != nil { // what bullet cannot hold
			t.Fatal(err)
		}
		c.Output = dir
		m, err := Export(t.Context(), q, []query.Source{source}, c)
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

// TestCard: a page and labels that somebody wrote are kept, those of a set go with it, and the labels of games name the null move.
func TestCard(t *testing.T) {
	data := sourceOf("a", pack(t, []byte(text), 2, false))
	dir := t.TempDir()
	o := Options{Job: Job{Format: "jsonl"}, Output: dir, Card: "cc0-1.0"}
	for _, name := range []string{cardName, labelsName} {
		page := filepath.Join(dir, name)
		if err := os.WriteFile(page, []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Export(t.Context(), query.New(), []query.Source{data}, o); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := os.ReadFile(page); string(text) != "mine" {
			t.Errorf("%s: %.20q, %v", name, text, err)
		}
		if name == cardName {
			os.Remove(page)
		}
	}
	o.Force = true
	for range 2 { // and then its own is replaced
		if _, err := Export(t.Context(), query.New(), []query.Source{data}, o); err != nil {
			t.Fatal(err)
		}
		o.Force = false
	}
	all := files(t, dir)
	if card := all[cardName]; !strings.Contains(card, cardMark) || !strings.Contains(card, "5 rows of 5 chess games") || !strings.Contains(card, "- n<1K\n") {
		t.Errorf("%s", card)
	}
	if lines := strings.Split(all[labelsName], "\n"); len(lines) != 1974 || lines[1972] != "0000" || lines[396] != "e2e4" || lines[1968] != "" {
		t.Errorf("%d lines: %q", len(lines), lines[1968:])
	}
	for n, want := range map[int64]string{999: "n<1K", 1000: "1K<n<10K", 999_999_999_999: "100B<n<1T", 1_000_000_000_000: "n>1T"} {
		if got := sizeCategory(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	// Another data set takes away what stood beside the one before, but no page that somebody wrote.
	o.Force, o.Card, o.Format = true, "", "bin"
	for _, mine := range []bool{false, true} {
		if mine {
			if err := errors.Join(os.WriteFile(filepath.Join(dir, cardName), []byte("mine"), 0o666), os.WriteFile(filepath.Join(dir, labelsName), []byte("mine"), 0o666)); err != nil {
				t.Fatal(err)
			}
			o.Format = "bullet"
		}
		if _, err := Export(t.Context(), query.New(), []query.Source{data}, o); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{cardName, labelsName} {
			if exists(filepath.Join(dir, name)) != mine {
				t.Errorf("%s: %s, kept: %v", o.Format, name, !mine)
			}
		}
	}
	o.Card = "a: b"
	if _, err := Export(t.Context(), query.New(), []query.Source{data}, o); err == nil {
		t.Error("a licence that is none is taken")
	}
}
