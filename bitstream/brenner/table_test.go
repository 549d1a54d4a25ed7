// SPDX-License-Identifier: Apache-2.0

package brenner

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"ply11/internal/codectest"
)

var update = flag.Bool("update", false, "write the generated documentation")

// "All 256 bytes of each layout accounted for in a generated table in the package documentation."
func TestLayoutTable(t *testing.T) {
	const file = "doc_table.go"
	want := appendLayoutTable(nil)
	if *update {
		if err := os.WriteFile(file, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the layouts are: run go generate ply11/bitstream/brenner", file)
	}
}

func TestExplain(t *testing.T) {
	g := codectest.Line(t, "", "e4 $4 {no} e5")
	g.AddTag("White", "A somewhat longer name")
	src, err := Main.Encode(g)
	if err != nil {
		t.Fatal(err)
	}
	src = append(src, 0b00000011, 0b00101100, 0b10_000_00_0, 0b01_000_01_0, 0b00000001)
	promoted := codectest.Line(t, "", promotions)
	more, err := Main.Encode(promoted)
	if err != nil {
		t.Fatal(err)
	}
	src = append(append(src, more...), 0x0a)
	var out bytes.Buffer
	err = Main.Explain(&out, bytes.NewReader(src))
	if err == nil || !strings.Contains(err.Error(), "game 2, ply 2: misplaced prefix") {
		t.Errorf("the first error is %v", err)
	}
	for _, want := range []string{`game 1
  offset  hex fields         move           meaning
       0  00  00000 000                     text begins: White
       1  57 41 20 73 6f 6d 65 77 68 61 74 20 6c 6f 6e 67  "WA somewhat long"
      17  65 72 20 6e 61 6d 65  "er name"
      24  00  00000 000                     text ends
      25  2c  001 01 100     1. e4          white pawn #4, step 2, e2 to e4
      26  06  00000 110                     ?, $4
      27  06  00000 110                     ?
      28  00  00000 000                     text begins: comment
      29  6e 6f  "no"
      31  00  00000 000                     text ends
      32  2c  001 01 100     1... e5        black pawn #4, step 2, e7 to e5
      33  03  00000 011                     .5-.5

game 2
  offset  hex fields         move           meaning
      34  2c  001 01 100     1. e4          white pawn #4, step 2, e2 to e4
error: offset 35: game 2, ply 2: misplaced prefix: a rook's is followed by queen #1 moves next
      35  80  10 000 00 0                   rook #0 moves next
      36  42  01 000 01 0                   queen #1 moves next
      37  01  00000 001                     0-1

game 3
`, `  42  01 000 01 0                   promotion to queen #1
`, `  5. bxa8=Q      white pawn #0, take left, b7 to a8
`, `  01 000 01 0                   queen #1 moves next
`, `game 3, ply 35: own man on the target square
`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no\n%s\nin\n%s", want, out.String())
		}
	}
}
