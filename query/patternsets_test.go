// SPDX-License-Identifier: Apache-2.0

package query

import (
	"strings"
	"testing"

	"ply11/chess"
)

// PatternSets says of each square what the pattern lets stand there, both parts that name a square together.
func TestPatternSets(t *testing.T) {
	sets, err := PatternSets("[QRB]d1 [Rb]d1 .e4 !a8 [^Kk]h1")
	if err != nil {
		t.Fatal(err)
	}
	for s, set := range sets {
		want := uint16(0x7e7f)
		switch chess.Square(s) {
		case chess.D1:
			want = 1 << chess.NewPiece(chess.White, chess.Rook)
		case chess.E4:
			want = 1
		case chess.A8:
			want = 0x7e7e
		case chess.H1:
			want &^= 1<<chess.NewPiece(chess.White, chess.King) | 1<<chess.NewPiece(chess.Black, chess.King)
		}
		if set != want {
			t.Errorf("%v: %04x, want %04x", chess.Square(s), set, want)
		}
	}
	for text, want := range map[string]string{"": "needs a square", "N?5": "one of several squares",
		"Xe4": "is no piece"} {
		if _, err := PatternSets(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
