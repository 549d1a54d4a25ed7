// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/internal/datadir"
	"ply11/position"
)

func mustFEN(tb testing.TB, fen string) position.Position {
	tb.Helper()
	p, err := position.ParseFEN(fen)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func TestStart(t *testing.T) {
	const fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	p := position.Start()
	if p.FEN() != fen {
		t.Errorf("the start is %s", p.FEN())
	}
	if q := mustFEN(t, fen); q != p {
		t.Errorf("read back as %s", q.FEN())
	}
	if p.Turn() != chess.White || p.KingSquare(chess.Black) != chess.E8 || p.Ply() != 0 ||
		p.FullmoveNumber() != 1 || p.Castling() != position.AllCastling || p.EnPassantSquare() != chess.NoSquare {
		t.Error("the start's fields are wrong")
	}
}

// TestPolyglotKeys compares the table with the published one.
func TestPolyglotKeys(t *testing.T) {
	keys := position.PolyglotKeys()
	var list strings.Builder
	for _, key := range keys {
		fmt.Fprintf(&list, "%016x\n", key)
	}
	// Without the published table, its sum.
	sum := sha256.Sum256([]byte(list.String()))
	if got := hex.EncodeToString(sum[:]); got != "7f62c496bd6244afdfc3e0ed4e0ed228e385e083147af5cf6f0e80816ef6a295" {
		t.Errorf("SHA-256 of the keys is %s", got)
	}
	data, err := os.ReadFile(datadir.Path(t, "polyglot-random64.txt"))
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(data))
	if len(words) != len(keys) {
		t.Fatalf("%d keys are published, the table has %d", len(words), len(keys))
	}
	for i, word := range words {
		if key, err := strconv.ParseUint(word, 0, 64); err != nil || key != keys[i] {
			t.Errorf("key %d is %#016x, published is %s", i, keys[i], word)
		}
	}
}

// TestPolyglotVectors plays the examples of the format's specification.
func TestPolyglotVectors(t *testing.T) {
	for _, c := range []struct {
		moves string
		hash  uint64
		fen   string
	}{
		{"", 0x463b96181691fc9c, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
		{"e2e4", 0x823c9b50fd114196, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"},
		{"e2e4 d7d5", 0x0756b94461c50fb0, "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2"},
		{"e2e4 d7d5 e4e5", 0x662fafb965db29d4, "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"},
		{"e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78, "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"},
		{"e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1, "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 1 3"},
		{"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9,
			"rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 2 4"},
		{"a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637,
			"rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3"},
		{"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560,
			"rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 1 4"},
	} {
		p := position.Start()
		h := p.Hash()
		for rest := c.moves; rest != ""; rest = rest[min(len(rest), 5):] {
			m, err := p.ParseUCI(rest[:4])
			if err != nil {
				t.Fatal(err)
			}
			h = p.MakeHash(h, m)
		}
		if p.Hash() != c.hash || h != c.hash {
			t.Errorf("after %q the hash is %016x (incrementally %016x), not %016x", c.moves, p.Hash(), h, c.hash)
		}
		k0, k1, k2, black := p.Planes()
		ep := 0 // of the two positions here in which a pawn stands beside the pushed one
		switch c.hash {
		case 0x22a48b5a8e47ff78, 0x3c8123ea7b067637:
			ep = p.EnPassantFile()
		}
		if h := position.HashOf(k0, k1, k2, black, p.Turn(), p.Castling(), ep); h != c.hash {
			t.Errorf("after %q the hash is %016x spelt out, not %016x", c.moves, h, c.hash)
		}
		if p.FEN() != c.fen {
			t.Errorf("after %q: %s, not %s", c.moves, p.FEN(), c.fen)
		}
	}
}

// TestPlanes: the planes are the board, square by square.
func TestPlanes(t *testing.T) {
	p := mustFEN(t, "r3k2r/1P2q1pp/5n2/3pP3/8/2N1b3/P5PP/R3K2R w KQkq d6 0 20")
	k0, k1, k2, black := p.Planes()
	for s := chess.A1; s <= chess.H8; s++ {
		piece := chess.Piece(k0>>s&1 | k1>>s&1<<1 | k2>>s&1<<2 | black>>s&1<<3)
		if piece != p.PieceAt(s) {
			t.Errorf("%v holds %v by the planes, and %v", s, piece, p.PieceAt(s))
		}
	}
}
