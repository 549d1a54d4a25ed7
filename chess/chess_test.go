// SPDX-License-Identifier: Apache-2.0

package chess

import (
	"errors"
	"fmt"
	"testing"

	"ply11/internal/bounded"
)

// TestUCI: each pair of squares, with each promotion, reads as it is written, and nothing else reads.
func TestUCI(t *testing.T) {
	for from := range NoSquare {
		for to := range NoSquare {
			if from == to {
				continue
			}
			for _, k := range []Kind{NoKind, Knight, Bishop, Rook, Queen} {
				m := NewPromotion(from, to, k)
				if got, err := ParseUCI(m.String()); err != nil || got != m || m.From() != from || m.To() != to ||
					m.Promotion() != k {
					t.Fatalf("%v reads as %v, %v", m, got, err)
				}
			}
		}
	}
	if m, err := ParseUCI("0000"); m != NullMove || err != nil || NullMove.String() != "0000" {
		t.Errorf("the null move reads as %v, %v", m, err)
	}
	for _, s := range []string{"", "e2", "e2e", "e2e9", "i2e4", "e2e2", "e7e8k", "e7e8p", "e7e8Q", "e7e8qq", "00000",
		"e2e4 "} {
		var bad *ParseError
		if m, err := ParseUCI(s); !errors.As(err, &bad) || bad.Text != s {
			t.Errorf("%q reads as %v, %v", s, m, err)
		}
	}
}

func TestNames(t *testing.T) {
	for s := range NoSquare {
		if got, err := ParseSquare(s.String()); got != s || err != nil || NewSquare(s.File(), s.Rank()) != s {
			t.Fatalf("%v reads as %v", s, got)
		}
	}
	for _, s := range []string{"", "a", "a0", "a9", "i1", "a10"} {
		if got, err := ParseSquare(s); err == nil || err.Error() != fmt.Sprintf("%q is no square: a1 to h8", s) {
			t.Errorf("%q reads as %v", s, got)
		}
	}
	letters := ""
	for _, c := range []Color{White, Black} {
		for k := NoKind; k <= Pawn; k++ {
			p := NewPiece(c, k)
			letters += p.String()
			if k != NoKind && (p.Kind() != k || p.Color() != c || c.Other().Other() != c) {
				t.Errorf("%v %v is %v", c, k, p)
			}
			if got := KindOf(p.Letter()); got != k {
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
		if m, err := ParseUCI(s); err == nil && m.String() != s {
			t.Errorf("%q reads as %v", s, m)
		}
	})
}
