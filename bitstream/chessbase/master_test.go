// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ply11/bitstream/codec"
	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/samples"
)

func create(t testing.TB, path string) *os.File {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// All of master-50k through files and back, by the index, and its first games by walking too.
func TestMaster(t *testing.T) {
	src, real := datadir.Open(t, samples.Plain, "pgn", "master", "master-50k.pgn.zst")
	source := pgn.NewReader(src)
	dir := t.TempDir()
	cbf, cbi := create(t, filepath.Join(dir, "m.cbf")), create(t, filepath.Join(dir, "m.cbi"))
	w := NewWriter(cbf, cbi, NumberingAuto, codec.Lossy(nil))
	var moves []chess.Move // of all games
	var ends []int
	var results []game.Result
	var g game.Game
	for {
		err := source.Read(&g)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(&g); err != nil {
			t.Fatal(err)
		}
		moves = g.AppendMainLine(moves)
		ends, results = append(ends, len(moves)), append(results, g.Result)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	size := func(f *os.File) int64 {
		n, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if real && len(ends) != 50000 || len(ends) < 100 || size(cbi) != int64(len(ends)+2)*entrySize {
		t.Errorf("%d games, index of %d bytes", len(ends), size(cbi))
	}
	r, err := NewReader(cbf, size(cbf), cbi, size(cbi))
	if err != nil {
		t.Fatal(err)
	}
	var got []chess.Move
	n, start := 0, 0
	for g, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		got = g.AppendMainLine(got[:0])
		if !slices.Equal(got, moves[start:ends[n]]) || g.Result != results[n] {
			t.Errorf("game %d: %d moves, %v; not %d, %v", n+1, len(got), g.Result, ends[n]-start, results[n])
		}
		start = ends[n]
		n++
	}
	if n != len(ends) {
		t.Errorf("%d games", n)
	}
	document, cbascii, either := r.Numbered()
	if cbascii != 0 {
		t.Errorf("%d games were taken for cbascii's", cbascii)
	}
	plies := float64(len(moves))
	t.Logf("%d games, %d halfmoves; %.4f bytes a ply in all; %d read by the document's numbering, %d of them also by cbascii's",
		n, len(moves), float64(size(cbf)+size(cbi))/plies, document, either)
	walk, err := NewReader(cbf, size(cbf), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n, start = 0, 0
	for g, err := range walk.All() {
		if err != nil {
			t.Fatal(err)
		}
		got = g.AppendMainLine(got[:0])
		if !slices.Equal(got, moves[start:ends[n]]) {
			t.Fatalf("game %d, by walking: other moves", n+1)
		}
		start = ends[n]
		if n++; n == 5000 {
			break
		}
	}
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
				t.Errorf("%s, game %d: %d moves with variations, not %d", filepath.Base(path), games, kept.NumMoves(), g.NumMoves())
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
