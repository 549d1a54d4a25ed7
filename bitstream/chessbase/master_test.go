// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/codectest"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/position"
)

// All of master-50k through files and back, by the index, and its first games by walking too.
func TestMaster(t *testing.T) {
	games := codectest.RealGames(t).Games()
	cbf, cbi := write(t, games)
	if len(cbi) != (len(games)+2)*entrySize {
		t.Errorf("%d games, index of %d bytes", len(games), len(cbi))
	}
	same := func(r *Reader, want []*game.Game) {
		t.Helper()
		n := 0
		for g, err := range r.All() {
			if err != nil {
				t.Fatal(err)
			}
			if g.Tags = nil; g.Diff(want[n]) != "" {
				t.Fatalf("game %d: %s", n+1, g.Diff(want[n]))
			}
			if n++; n == len(want) {
				return
			}
		}
		t.Errorf("%d games of %d", n, len(want))
	}
	r := newReader(t, cbf, cbi)
	same(r, games)
	if err := r.Read(game.New()); err != io.EOF {
		t.Errorf("after the last game: %v", err)
	}
	document, cbascii, either := r.Numbered()
	if cbascii != 0 {
		t.Errorf("%d games were taken for cbascii's", cbascii)
	}
	t.Logf("%d games read by the document's numbering, %d of them also by cbascii's", document, either)
	walk, err := NewReader(bytes.NewReader(cbf), int64(len(cbf)), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	same(walk, games[:min(5000, len(games))])
}

// Annotated games: what the format holds of them comes back the same, after the losses were named once.
func TestAnnotated(t *testing.T) {
	files, err := filepath.Glob(datadir.Sample("*.pgn"))
	if dir, ok := datadir.Dir(); ok && err == nil {
		var more []string
		more, err = filepath.Glob(filepath.Join(dir, "pgn", "annotated", "*.pgn"))
		files = append(files, more...)
	}
	if err != nil || len(files) < len(samples.Names) {
		t.Fatal(files, err)
	}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		games, refused := 0, 0
		var lossless []*game.Game
		for g, err := range pgn.NewReader(f).All() {
			if err != nil {
				continue // the PGN package's own tests are of these
			}
			var r Record
			var kept game.Game
			if _, err := encodeGame(g, &r, NumberingDocument); err != nil {
				if !errors.Is(err, codec.ErrLimit) {
					t.Errorf("%s, game %d: %v", filepath.Base(path), games+1, err)
				}
				refused++
				continue
			}
			if _, err := DecodeGame(&r, &kept, NumberingDocument); err != nil {
				t.Errorf("%s, game %d: %v", filepath.Base(path), games+1, err)
				continue
			}
			games++
			var r2 Record
			var again game.Game
			if lost, err := encodeGame(&kept, &r2, NumberingDocument); err != nil || lost != nil {
				t.Errorf("%s, game %d: %v, %v when written again", filepath.Base(path), games, lost, err)
			}
			if _, err := DecodeGame(&r2, &again, NumberingDocument); err != nil || again.Diff(&kept) != "" {
				t.Errorf("%s, game %d: %v, %v", filepath.Base(path), games, again.Diff(&kept), err)
			}
			if !slices.Equal(kept.AppendMainLine(nil), g.AppendMainLine(nil)) && !hasNull(g) {
				t.Errorf("%s, game %d: other moves", filepath.Base(path), games)
			}
			if kept.NumMoves() != g.NumMoves() && !hasNull(g) {
				t.Errorf("%s, game %d: %d moves with variations, not %d", filepath.Base(path), games, kept.NumMoves(),
					g.NumMoves())
			}
			lossless = append(lossless, kept.Clone())
		}
		f.Close()
		cbf, cbi := write(t, lossless)
		compareGames(t, readAll(t, newReader(t, cbf, cbi, WithNumbering(NumberingDocument))), lossless)
		t.Logf("%s: %d games, %d refused", filepath.Base(path), games, refused)
	}
}

func hasNull(g *game.Game) bool {
	for e := range g.All() {
		if e.Kind == game.MoveEvent && e.Move == chess.NullMove {
			return true
		}
	}
	return false
}

// TestWrongNumbering: what becomes of games whose moves are numbered by the document and read by CBASCII's numbering.
func TestWrongNumbering(t *testing.T) {
	var games []*game.Game
	for g, err := range pgn.NewReader(bytes.NewReader(samples.File(samples.Plain))).All() {
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g.Clone())
	}
	if same, other, wrong := readWrongly(t, games); same != 77 || other != 2 || wrong != 41 {
		t.Errorf("%d games are the same, %d have other moves, %d have a wrong one", same, other, wrong)
	}
}

// readWrongly counts the games that are the same, other ones, and refused, if they are read by the wrong numbering.
func readWrongly(t *testing.T, games []*game.Game) (same, other, wrong int) {
	t.Helper()
	var rec Record
	for i, g := range games {
		if err := EncodeGame(g, &rec, NumberingDocument); err != nil && codec.LossesOf(err) == nil {
			t.Fatalf("game %d: %v", i+1, err)
		}
		right, err := AppendIndices(nil, rec.Moves, &g.Start, NumberingDocument)
		if err != nil {
			t.Fatalf("game %d: %v", i+1, err)
		}
		switch read, err := AppendIndices(nil, rec.Moves, &g.Start, NumberingCBASCII); {
		case errors.Is(err, codec.ErrReserved), errors.Is(err, position.ErrIllegal):
			wrong++
		case err != nil:
			t.Errorf("game %d: %v", i+1, err)
		case slices.Equal(read, right):
			same++
		default:
			other++
		}
	}
	return same, other, wrong
}
