// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/gamegen"
	"ply11/internal/testenv"
)

// chess960Text is games of Chess960 and of standard chess: also the usual start with the tag alone, inner rooks, a
// start without rights, and a game that ends with a move of standard chess.
func chess960Text(t *testing.T) string {
	var b []byte
	for n := 0; n < 960; n += testenv.Pick(13, 60) {
		b = pgn.AppendGame(b, gamegen.Chess960(n), &pgn.Style{})
		b = append(b, '\n')
	}
	b = append(b, `[Variant "Chess960"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 {both} 5. d3 O-O (5... d6 6. c3 O-O) 1-0

[Variant "Standard"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0

[FEN "4k3/8/8/8/8/8/8/1RRK2RR w GBk - 0 1"]
[SetUp "1"]
[Result "*"]

1. O-O *

[FEN "4k3/8/8/8/8/8/8/1RRK2RR w GB - 0 1"]
[SetUp "1"]
[Result "*"]

1. O-O Ke7 2. Kh1 *

[FEN "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"]
[SetUp "1"]
[Variant "fischerandom"]
[Result "*"]

1. O-O-O *

[FEN "4k3/8/8/8/8/8/8/1RRK2RR w - - 0 1"]
[SetUp "1"]
[Variant "Fischer Random"]
[Result "*"]

1. Kd2 *

[FEN "4k3/8/8/8/8/8/8/1RRK2RR w GB - 0 1"]
[SetUp "1"]
[Result "*"]

1. O-O Ke7 2. O-O *

`...)
	return string(b)
}

// TestChess960 packs games of Chess960, and reads them in every way.
func TestChess960(t *testing.T) {
	checkChess960(t, chess960Text(t), 2, 20)
}

// TestChess960File does so with games of another program.
func TestChess960File(t *testing.T) {
	text, err := os.ReadFile(datadir.Path(t, "pgn", "variants", "cutechess-fischerrandom.pgn"))
	if err != nil {
		t.Fatal(err)
	}
	checkChess960(t, string(text), 0, 4)
}

func checkChess960(t *testing.T, text string, invalid, leastCastlings int) {
	t.Helper()
	for _, dense := range []bool{false, true} {
		data, s := archive.MustPack(t, []byte(text), archive.WithBlockGames(32), archive.WithDense(dense))
		if s.Invalid != invalid || dense && s.Fixed != 0 {
			t.Fatalf("%+v", s)
		}
		if err := checkOrders(t, data, []byte(text), rand.New(rand.NewPCG(9, 60))); err != nil {
			t.Error(err)
		}
		castlings := 0
		for g, err := range archive.MustOpen(t, data).All() {
			if err != nil && !codec.IsGameError(err) {
				t.Fatal(err)
			}
			at := g.Start
			for _, m := range g.AppendMainLine(nil) {
				if at.IsChess960() && at.IsCastling(m) {
					castlings++
				}
				at.Make(m)
			}
		}
		if castlings < leastCastlings {
			t.Errorf("%d castlings", castlings)
		}
	}
}
