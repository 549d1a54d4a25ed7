// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/gamegen"
	"ply11/internal/testenv"
	"ply11/position"
)

// chess960Text is games of Chess960, between some of standard chess, and what makes them differ: the usual start
// position with the tag alone, inner rooks, a start without rights, and a game that ends with a move of standard chess.
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

// TestChess960 packs games of Chess960, in both forms, reads them back in every way, and asks for their text.
func TestChess960(t *testing.T) {
	checkChess960(t, chess960Text(t), 2, 20)
}

// TestChess960File does so with games of another program, if they are there.
func TestChess960File(t *testing.T) {
	text, err := os.ReadFile(datadir.Path(t, "pgn", "variants", "cutechess-fischerrandom.pgn"))
	if err != nil {
		t.Fatal(err)
	}
	checkChess960(t, string(text), 0, 4)
}

func checkChess960(t *testing.T, text string, invalid, leastCastlings int) {
	t.Helper()
	var want []*game.Game
	for g, err := range pgn.NewReader(strings.NewReader(text)).All() {
		if err != nil && !codec.IsGameError(err) {
			t.Fatal(err)
		}
		want = append(want, g.Clone())
	}
	for _, o := range [][]archive.PackOption{{archive.WithBlockGames(32)},
		{archive.WithBlockGames(32), archive.WithDense(true)}} {
		var packed, back bytes.Buffer
		s, err := archive.Pack(context.Background(), &packed, strings.NewReader(text), o...)
		if err != nil || s.Games != len(want) || s.Invalid != invalid || len(o) > 1 && s.Fixed != 0 {
			t.Fatalf("%+v, %v; %d games", s, err, len(want))
		}
		if _, err := archive.Unpack(context.Background(), &back, bytes.NewReader(packed.Bytes())); err != nil ||
			back.String() != text {
			t.Errorf("it unpacks to other bytes, %v", err)
		}
		if _, err := archive.Verified(packed.Bytes()); err !=
			nil {
			t.Error(err)
		}
		r, err := archive.Opened(packed.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		g := game.New()
		castlings := 0
		for n := len(want); n > 0; n-- { // backwards: each by itself
			if err := r.Game(n, g); err != nil {
				t.Fatalf("game %d: %v", n, err)
			}
			if d := g.Diff(want[n-1]); d != "" || g.Start != want[n-1].Start {
				t.Fatalf("game %d: %s", n, d)
			}
			if start, err := r.Start(n); err != nil || start != g.Start {
				t.Errorf("game %d begins with %s, %v", n, start.FEN(), err)
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
		seen := 0
		for k := 1; k <= r.Blocks(); k++ {
			b := archive.MustBlock(t, r, k)
			first := seen
			if err := b.Replay(func(n, ply int, p *position.Position) bool {
				if ply == 0 {
					seen++
					if *p != want[first+n-1].Start {
						t.Errorf("game %d is replayed from %s", first+n, p.FEN())
					}
				}
				return true
			}); err != nil {
				t.Fatal(err)
			}
		}
		if seen != len(want) {
			t.Errorf("%d games are replayed", seen)
		}
	}
}
