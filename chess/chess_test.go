// SPDX-License-Identifier: Apache-2.0

package chess_test

import (
	"errors"
	"fmt"
	"testing"

	"ply11/chess"
	"ply11/internal/bounded"
)

// TestUCI: each pair of squares, with each promotion, reads as it is written, and nothing else reads.
func TestUCI(t *testing.T) {
	for from := range chess.NoSquare {
		for to := range chess.NoSquare {
			if from == to {
				continue
			}
			for _, k := range []chess.Kind{chess.NoKind, chess.Knight, chess.Bishop, chess.Rook, chess.Queen} {
				m := chess.NewPromotion(from, to, k)
				if got, err := chess.ParseUCI(m.String()); err != nil || got != m || m.From() != from || m.To() != to ||
					m.Promotion() != k {
					t.Fatalf("%v reads as %v, %v", m, got, err)
				}
			}
		}
	}
	if m, err := chess.ParseUCI("0000"); m != chess.NullMove || err != nil || chess.NullMove.String() != "0000" {
		t.Errorf("the null move reads as %v, %v", m, err)
	}
	for _, s := range []string{"", "e2", "e2e", "e2e9", "i2e4", "e2e2", "e7e8k", "e7e8p", "e7e8Q", "e7e8qq", "00000",
		"e2e4 "} {
		var bad *chess.ParseError
		if m, err := chess.ParseUCI(s); !errors.As(err, &bad) || bad.Text != s {
			t.Errorf("%q reads as %v, %v", s, m, err)
		}
	}
}

func TestNames(t *testing.T) {
	for s := range chess.NoSquare {
		if got, err := chess.ParseSquare(s.String()); got != s || err != nil || chess.NewSquare(s.File(), s.Rank()) !=
			s {
			t.Fatalf("%v reads as %v", s, got)
		}
	}
	for _, s := range []string{"", "a", "a0", "a9", "i1", "a10"} {
		if got, err := chess.ParseSquare(s); err == nil || err.Error() != fmt.Sprintf("%q is no square: a1 to h8", s) {
			t.Errorf("%q reads as %v", s, got)
		}
	}
	letters := ""
	for _, c := range []chess.Color{chess.White, chess.Black} {
		for k := chess.NoKind; k <= chess.Pawn; k++ {
			p := chess.NewPiece(c, k)
			letters += p.String()
			if k != chess.NoKind && (p.Kind() != k || p.Color() != c || c.Other().Other() != c) {
				t.Errorf("%v %v is %v", c, k, p)
			}
			if got := chess.KindOf(p.Letter()); got != k {
				t.Errorf("%q reads as %v", p.Letter(), got)
			}
		}
	}
	if letters != ".KQNBRP.kqnbrp" {
		t.Errorf("letters are %s", letters)
	}
}

func FuzzParseUCI(f *testing.F) {
	for _, s := range []string{"e2e4", "a7b8n", "0000", "e1g1", "h7h8k", "é2e4"} {
		f.Add(s)
	}
	bounded.Fuzz(f, func(t *testing.T, s string) {
		if m, err := chess.ParseUCI(s); err == nil && m.String() != s {
			t.Errorf("%q reads as %v", s, m)
		}
	})
}
