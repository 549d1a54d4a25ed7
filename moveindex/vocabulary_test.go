// SPDX-License-Identifier: Apache-2.0

package moveindex_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/internal/datadir"
	"ply11/moveindex"
)

// TestLabelsAreTheirs compares the label orders with the lists of the programs that use them, and
// those with the sums that stand here, so that the test holds without the lists.
func TestLabelsAreTheirs(t *testing.T) {
	for _, tt := range []struct {
		v         *moveindex.Vocabulary
		file, sum string
	}{
		{moveindex.LC0, "lc0-1858.txt", "eb2483cf8f53bb000dd6ca437c4ecd383b391bb5fee468b6c30f7f167fb591c5"},
		{moveindex.Zeta36, "alphazero-uci-1968.txt",
			"5b6de027c91aed9276474d48ae135b4ebc7540bb900c4f5b0ba15d3c8e62bc2f"},
		{moveindex.SearchlessChess, "searchless-chess-1968.txt",
			"e380c8539a556b24ae2efc5a6f4e56d440c3470af0ddaa354adaa957e0999f5f"},
	} {
		var text strings.Builder
		for l := range moveindex.Label(tt.v.Len()) {
			text.WriteString(tt.v.Text(l) + "\n")
		}
		sum := sha256.Sum256([]byte(text.String()))
		if got := hex.EncodeToString(sum[:]); got != tt.sum {
			t.Errorf("%s: sha-256 of the labels is %s, want %s", tt.v.Name(), got, tt.sum)
		}
		t.Run(tt.v.Name(), func(t *testing.T) {
			f, err := os.Open(datadir.Path(t, "labels", tt.file))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			lines := bufio.NewScanner(f)
			var l moveindex.Label
			for ; lines.Scan(); l++ {
				if got := tt.v.Text(l); got != lines.Text() {
					t.Fatalf("label %d is %q, want %q", l, got, lines.Text())
				}
			}
			if int(l) != tt.v.Len() {
				t.Errorf("%d labels, want %d", tt.v.Len(), l)
			}
		})
	}
}

// TestLabelsThereAndBack takes every halfmove through every vocabulary.
func TestLabelsThereAndBack(t *testing.T) {
	for _, v := range moveindex.Vocabularies() {
		used := map[moveindex.Label]bool{}
		for h := range moveindex.Halfmove(moveindex.NumHalfmoves) {
			c, k, i := h.Color(), h.Piece(), h.Index()
			l := v.Label(c, k, i)
			if l == moveindex.NoLabel {
				t.Fatalf("%s has no label for %v", v.Name(), h)
			}
			used[l] = true
			if got := v.Index(c, k, l); got != i {
				t.Fatalf("%s: %v is label %d (%s), which is %d for that piece, want %d",
					v.Name(), h, l, v.Text(l), got, i)
			}
			if !v.SideToMove() {
				continue
			}
			if got := v.Label(c.Other(), k, i.MirrorRanks()); got != l {
				t.Fatalf("%s: %v is label %d, mirrored %d", v.Name(), h, l, got)
			}
		}
		// lc0 has king takes rook on labels that rooks and queens use too. A vocabulary from the side to
		// move never sees the 88 promotions on the first rank.
		want := map[string]int{"lc0": 1858, "alphazero": 1858, "zeta36": 1968 - 88, "searchless-chess": 1968}
		if len(used) != want[v.Name()] {
			t.Errorf("%s: halfmoves use %d labels, want %d", v.Name(), len(used), want[v.Name()])
		}
		for l := moveindex.Label(-2); l < moveindex.Label(v.Len()+2); l++ {
			for h := range 2 * 8 {
				c, k := chess.Color(h&1), chess.Kind(h>>1)
				i := v.Index(c, k, l)
				if i == moveindex.Invalid {
					continue
				}
				back := v.Label(c, k, i)
				oldCastling := v == moveindex.LC0 && k == chess.King && (v.Text(l) == "e1g1" || v.Text(l) == "e1c1")
				if back != l && !oldCastling {
					t.Fatalf("%s: label %d (%s) of a %v %v is %d, whose label is %d", v.Name(), l, v.Text(l), c, k, i,
						back)
				}
			}
		}
	}
}

// TestLabelsOfSpecialMoves spells out what the vocabularies do with castling and promotions.
func TestLabelsOfSpecialMoves(t *testing.T) {
	for _, tt := range []struct {
		v    *moveindex.Vocabulary
		c    chess.Color
		k    chess.Kind
		move string
		want string
	}{
		{moveindex.LC0, chess.White, chess.King, "e1g1", "e1h1"},
		{moveindex.LC0, chess.White, chess.King, "e1c1", "e1a1"},
		{moveindex.LC0, chess.Black, chess.King, "e8g8", "e1h1"},
		{moveindex.LC0, chess.Black, chess.King, "e8c8", "e1a1"},
		{moveindex.LC0, chess.White, chess.Rook, "e1g1", "e1g1"},
		{moveindex.LC0, chess.White, chess.Pawn, "e7e8n", "e7e8"},
		{moveindex.LC0, chess.White, chess.Pawn, "e7e8q", "e7e8q"},
		{moveindex.LC0, chess.Black, chess.Pawn, "d2c1n", "d7c8"},
		{moveindex.LC0, chess.Black, chess.Pawn, "d2c1r", "d7c8r"},
		{moveindex.LC0, chess.White, chess.Pawn, "e7e8", ""},
		{moveindex.LC0, chess.White, chess.Pawn, "e2e1q", ""},
		{moveindex.AlphaZero, chess.White, chess.Pawn, "e2e4", "e2/01"},
		{moveindex.AlphaZero, chess.Black, chess.Pawn, "e7e5", "e2/01"},
		{moveindex.AlphaZero, chess.White, chess.King, "e1g1", "e1/15"},
		{moveindex.AlphaZero, chess.White, chess.King, "e1c1", "e1/43"},
		{moveindex.AlphaZero, chess.White, chess.Knight, "g1f3", "g1/63"},
		{moveindex.AlphaZero, chess.White, chess.Pawn, "e7e8q", "e7/00"},
		{moveindex.AlphaZero, chess.White, chess.Pawn, "e7d8n", "e7/64"},
		{moveindex.AlphaZero, chess.Black, chess.Pawn, "e2f1r", "e7/72"},
		{moveindex.Zeta36, chess.Black, chess.Pawn, "d2c1n", "d7c8n"},
		{moveindex.SearchlessChess, chess.Black, chess.Pawn, "d2c1n", "d2c1n"},
	} {
		m, err := chess.ParseUCI(tt.move)
		if err != nil {
			t.Fatal(err)
		}
		i, _ := moveindex.Of(m)
		if got := tt.v.Text(tt.v.Label(tt.c, tt.k, i)); got != tt.want {
			t.Errorf("%s: %s by a %v %v is %q, want %q", tt.v.Name(), tt.move, tt.c, tt.k, got, tt.want)
		}
	}
}
