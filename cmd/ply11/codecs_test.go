// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/game"
	"ply11/internal/formats"
)

// Castling on both sides, promotions, en passant, a set-up position, and what is not measured: tags, comments,
// NAGs and variations.
const codecGames = scholarsMate + `[White "A"]
[Black "B"]
[Result "0-1"]

1. e4 {a comment} d5 2. e5 f5 3. exf6 $1 (3. d4) 3... Kf7 4. fxg7 Nf6 5. gxh8=N+ Kg8 0-1

[SetUp "1"]
[FEN "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]
[Result "1/2-1/2"]

1. O-O O-O-O 1/2-1/2

`

// The rows say what stands in the files.
func TestCodecs(t *testing.T) {
	dir := t.TempDir()
	pgn, err := formats.ByName("pgn")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := measure(pgn, writeFile(t, dir, "games.pgn", codecGames), true)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(measured) {
		t.Fatalf("%d rows for %d formats", len(rows), len(measured))
	}
	for _, r := range rows {
		games, plies := 3, 19
		if strings.HasPrefix(r.Name, "brenner") || strings.HasPrefix(r.Name, "jose") {
			games, plies = 2, 17 // the bytes have no other start
		}
		if r.Games != games || r.Refused != 3-games || r.Plies != plies {
			t.Errorf("%s: %d games, %d refused, %d plies", r.Name, r.Games, r.Refused, r.Plies)
		}
		if r.PerPly != float64(r.Bytes)/float64(plies) || r.Moves != float64(r.Bytes-r.Frame)/float64(plies) {
			t.Errorf("%s: %+v", r.Name, r)
		}
		switch r.Name {
		case "brenner":
			// A byte a ply, one more for the promotion, and a result a game.
			if r.Bytes != 17+1+2 || r.Frame != 2 {
				t.Errorf("%+v", r)
			}
		case "chessbase":
			// A header and an index entry a game, two entries, a set-up position.
			if want := int64(3*(14+4) + 2*4 + 33); r.Frame != want {
				t.Errorf("chessbase: %d bytes without moves, want %d", r.Frame, want)
			}
		case "words":
			if r.Bytes%11 != 0 {
				t.Errorf("words: %d bytes", r.Bytes)
			}
		}
	}
	table := codecTable(rows)
	if lines := strings.Count(table, "\n"); lines != len(rows)+2 {
		t.Errorf("%d lines:\n%s", lines, table)
	}
	if code, told := runHere(t, "codecs", "-"); code != exitUsage {
		t.Errorf("exit code %d: %s", code, told)
	}
	if code, told := runHere(t, "codecs", filepath.Join(dir, "no.pgn")); code != exitError {
		t.Errorf("exit code %d: %s", code, told)
	}
}

// The comparison is seen to fail: a format that gives back another move, and one that loses a game, are found.
func TestCodecsDiffer(t *testing.T) {
	pgn, err := formats.ByName("pgn")
	if err != nil {
		t.Fatal(err)
	}
	path := writeFile(t, t.TempDir(), "games.pgn", codecGames)
	for _, c := range []struct {
		name string
		read func(yield func(*game.Game, error) bool)
		want string
	}{
		{"one game only", func(yield func(*game.Game, error) bool) {
			for g := range pgn.Read(formats.Input{Reader: strings.NewReader(codecGames)}, formats.Options{}) {
				yield(g, nil)
				return
			}
		}, "game 2: liar"},
		{"another move", func(yield func(*game.Game, error) bool) {
			text := strings.Replace(codecGames, "O-O O-O-O", "O-O O-O", 1)
			for g, err := range pgn.Read(formats.Input{Reader: strings.NewReader(text)}, formats.Options{}) {
				if !yield(g, err) {
					return
				}
			}
		}, "game 3: liar"},
		{"a game too many", func(yield func(*game.Game, error) bool) {
			for g, err := range pgn.Read(formats.Input{Reader: strings.NewReader(codecGames + scholarsMate)}, formats.Options{}) {
				if !yield(g, err) {
					return
				}
			}
		}, "game 4: liar"},
		{"an error", func(yield func(*game.Game, error) bool) { yield(nil, errors.New("torn")) }, "game 1: liar does not give it back: torn"},
	} {
		liar := &candidate{codecRow: codecRow{Name: "liar", Games: 3}, format: &formats.Format{
			Read: func(formats.Input, formats.Options) iter.Seq2[*game.Game, error] { return c.read },
		}}
		if _, err := liar.file.create(path); err != nil {
			t.Fatal(err)
		}
		liar.file.path = path
		defer liar.file.close()
		err := compareAll([]*candidate{liar}, pgn, path, true)
		if err == nil || codeOf(err) != exitCorrupt || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// The command as it is called: JSON that can be read.
func TestCodecsJSON(t *testing.T) {
	path := writeFile(t, t.TempDir(), "games.pgn", codecGames)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdout
	os.Stdout = w
	code, told := runHere(t, "codecs", "--json", path)
	os.Stdout = old
	w.Close()
	text, _ := io.ReadAll(r)
	var rows []codecRow
	if err := json.Unmarshal(text, &rows); err != nil || code != 0 || len(rows) != len(measured) {
		t.Errorf("exit code %d, %v: %s%s", code, err, text, told)
	}
	if !strings.Contains(told, "game 3: brenner cannot hold ") {
		t.Errorf("what brenner refuses is not told: %s", told)
	}
}
