// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"ply11/position"
)

// The positions of the page on formats have their moves there in the generator's order.
func TestPage(t *testing.T) {
	var want strings.Builder
	for _, one := range []struct {
		fen       string
		numbering Numbering
	}{
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", NumberingDocument},
		{"1n2k3/P7/8/1PpP4/3N4/8/4P3/R3K2R w KQ c6 0 1", NumberingDocument},
		{"r3k3/8/8/2q5/pb6/8/8/2BK4 b q - 0 1", NumberingDocument},
		{"r3k3/8/8/2q5/pb6/8/8/2BK4 b q - 0 1", NumberingCBASCII},
	} {
		p, err := position.ParseFEN(one.fen)
		if err != nil {
			t.Fatal(err)
		}
		g := NewGenerator(p, one.numbering)
		fmt.Fprintf(&want, "%s, %v:", one.fen, one.numbering)
		for n := 1; n <= g.Count(); n++ {
			if n%20 == 1 {
				want.WriteString("\n ")
			}
			name := "-"
			if m, ok := g.Generated(n); ok {
				name = m.String()
			}
			want.WriteString(" " + name)
		}
		want.WriteByte('\n')
	}
	text, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "<!-- the order of ChessBase's moves -->\n```text\n")
	got, _, _ := strings.Cut(after, "```\n")
	if got != want.String() {
		t.Errorf("docs/formats.md has\n%s\nand should have\n%s", got, want.String())
	}
}
