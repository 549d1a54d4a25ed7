// SPDX-License-Identifier: Apache-2.0

package formats_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/formats"
)

// manyPieces are games from positions with more than 16 pieces of a side, and with more than 218 halfmoves to choose
// from.
const manyPieces = `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]
[SetUp "1"]
[FEN "rnbqkbnr/pppppppp/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]

1. a5 e5 2. b5 exd4 3. exd4 *

[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]
[SetUp "1"]
[FEN "5nkn/5npn/8/8/8/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1"]

1. Qaa4 Nd7 2. Qhg4 *

`

// TestManyPieces writes games with more than 16 pieces of a side to every format: each holds them, or refuses them by
// name.
func TestManyPieces(t *testing.T) {
	var games []*game.Game
	for g, err := range pgn.NewReader(strings.NewReader(manyPieces)).All() {
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g.Clone())
	}
	holds := map[string]bool{"pgn": true, "p11": true, "words": true, "chessbase": true, "uci": true}
	for _, f := range formats.All {
		if f.Write == nil || f.Name == "polyglot" {
			continue
		}
		for _, g := range games {
			bare := g.Clone()
			if f.Name != "pgn" && f.Name != "p11" {
				bare.Tags = nil
			}
			files := memory{path: "x" + append(f.Extensions, ".x")[0]}
			w, err := f.Write(files.output(), formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			err = w.Write(bare)
			if !holds[f.Name] {
				if err == nil {
					t.Errorf("%s takes it", f.Name)
				} else if text := err.Error(); !strings.Contains(text, "start") && !strings.Contains(text, "pieces") {
					t.Errorf("%s refuses it, and does not say why: %v", f.Name, err)
				}
				continue
			}
			if err == nil {
				err = w.Close()
			}
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
				continue
			}
			if back := files.game(t, &f); back != nil {
				if back.Tags = bare.Tags; back.Diff(bare) != "" {
					t.Errorf("%s: %s", f.Name, back.Diff(bare))
				}
			}
		}
	}
}

// An archive with such games is exact; their block has fixed moves.
func TestManyPiecesArchive(t *testing.T) {
	for _, o := range [][]archive.PackOption{nil, {archive.WithDense(true)}} {
		var packed, text bytes.Buffer
		s, err := archive.Pack(context.Background(), &packed, strings.NewReader(manyPieces), o...)
		if err != nil || s.Games != 2 || s.Invalid != 0 || s.Plies != 8 || s.Fixed != s.Blocks {
			t.Fatalf("%+v, %v", s, err)
		}
		if _, err := archive.Unpack(context.Background(), &text, &packed, archive.WithWorkers(1)); err != nil ||
			text.String() != manyPieces {
			t.Errorf("it unpacks to %q, %v", text.String(), err)
		}
	}
}

// memory is a file of a format, and those beside it, in memory.
type memory struct {
	path string
	out  bytes.Buffer
	side map[string]*bytes.Buffer
}

func (m *memory) output() formats.Output {
	m.side = make(map[string]*bytes.Buffer)
	return formats.Output{Writer: &m.out, Path: m.path, Sibling: func(ext string) (io.Writer, error) {
		m.side[ext] = new(bytes.Buffer)
		return m.side[ext], nil
	}}
}

// game reads the one game that there is; each error, and each other number of games, is one of the test.
func (m *memory) game(t *testing.T, f *formats.Format) (one *game.Game) {
	t.Helper()
	n := 0
	for g, err := range f.Read(formats.Input{Reader: &m.out, Path: m.path, Sibling: func(ext string) (io.ReadCloser,
		error) {
		return io.NopCloser(m.side[ext]), nil
	}}, formats.Options{}) {
		if n++; err != nil {
			t.Errorf("%s: %v", f.Name, err)
		} else {
			one = g.Clone()
		}
	}
	if n != 1 {
		t.Errorf("%s: %d games come back", f.Name, n)
	}
	return one
}
