// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"bytes"
	"errors"
	"testing"

	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/codectest"
)

// write writes games to files in memory.
func write(t testing.TB, games []*game.Game, numbering ...Numbering) (cbf, cbi []byte) {
	t.Helper()
	var data bytes.Buffer
	var index codectest.File
	w := NewWriter(&data, &index, append(numbering, NumberingAuto)[0])
	if err := codectest.WriteAll(w, games); err != nil {
		t.Fatal(err)
	}
	return data.Bytes(), index.Bytes
}

func readAll(t testing.TB, r *Reader) (games []*game.Game) {
	t.Helper()
	for g, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g.Clone())
	}
	return games
}

// compare fails the test where two lists of games differ.
func compareGames(t testing.TB, got, want []*game.Game) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d games, not %d", len(got), len(want))
	}
	for i := range got {
		if d := got[i].Diff(want[i]); d != "" {
			t.Errorf("game %d: %s", i+1, d)
		}
	}
}

// What was read is written without a loss, in either numbering, and read again as the same.
func TestRewritePairs(t *testing.T) {
	for _, pair := range pairs {
		cbf, cbi := readPair(t, pair.name)
		games := readAll(t, newReader(t, cbf, cbi))
		for _, n := range []Numbering{NumberingDocument, NumberingCBASCII} {
			cbf, cbi := write(t, games, n)
			r := newReader(t, cbf, cbi, WithNumbering(n))
			again := readAll(t, r)
			compareGames(t, again, games)
			cbf2, cbi2 := write(t, again, n)
			if !bytes.Equal(cbf, cbf2) || !bytes.Equal(cbi, cbi2) {
				t.Errorf("%s, %v: other bytes when written again", pair.name, n)
			}
			auto := newReader(t, cbf, cbi)
			compareGames(t, readAll(t, auto), games)
			// Without the index, by walking.
			walk, err := NewReader(bytes.NewReader(cbf), int64(len(cbf)), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			compareGames(t, readAll(t, walk), games)
		}
		walk, _ := NewReader(bytes.NewReader(cbf), int64(len(cbf)), nil, 0)
		compareGames(t, readAll(t, walk), games)
	}
}

// encodeGame is EncodeGame with the losses beside other errors.
func encodeGame(g *game.Game, r *Record, n Numbering) (lost []string, err error) {
	if err = EncodeGame(g, r, n); errors.Is(err, codec.ErrLoss) {
		return codec.LossesOf(err), nil
	}
	return nil, err
}

// lossyWrite writes a game, as far as the format can hold it, and returns what was lost.
func lossyWrite(t testing.TB, begin func(codec.WriterOption) codec.Writer, g *game.Game) (lost []string) {
	t.Helper()
	w := begin(codec.Lossy(func(l *codec.LossError) { lost = l.Names }))
	if err := w.Write(g); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	return lost
}
