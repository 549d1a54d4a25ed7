// SPDX-License-Identifier: Apache-2.0

package brenner_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"ply11/bitstream/brenner"
	"ply11/chess"
	"ply11/internal/codectest"
)

//go:generate go test -run ^TestLayoutTable$ -update
var update = flag.Bool("update", false, "write table.txt")

// TestLayoutTable: table.txt accounts for all bytes of each layout.
func TestLayoutTable(t *testing.T) {
	const file = "table.txt"
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
	src, err := brenner.Main.Encode(g)
	if err != nil {
		t.Fatal(err)
	}
	src = append(src, 0b00000011, 0b00101100, 0b10_000_00_0, 0b01_000_01_0, 0b00000001)
	promoted := codectest.Line(t, "", promotions)
	more, err := brenner.Main.Encode(promoted)
	if err != nil {
		t.Fatal(err)
	}
	src = append(append(src, more...), 0x0a)
	var out bytes.Buffer
	err = brenner.Main.Explain(&out, bytes.NewReader(src))
	if err == nil || !strings.Contains(err.Error(), "game 2, ply 2: misplaced element: a rook") {
		t.Errorf("the first error is %v", err)
	}
	for _, want := range []string{`game 1
  offset  hex fields         move           meaning
       0  00  00000 000                     text begins: White
       1  57 41 20 73 6f 6d 65 77 68 61 74 20 6c 6f 6e 67  "WA somewhat long"
      17  65 72 20 6e 61 6d 65  "er name"
      24  00  00000 000                     text ends
      25  2c  001 01 100     1. e4          white pawn #4, step 2, e2 to e4
      26  06  00000 110                     ?
      27  06  00000 110                     ?, $4
      28  00  00000 000                     text begins: comment
      29  6e 6f  "no"
      31  00  00000 000                     text ends
      32  2c  001 01 100     1... e5        black pawn #4, step 2, e7 to e5
      33  03  00000 011                     .5-.5

game 2
  offset  hex fields         move           meaning
      34  2c  001 01 100     1. e4          white pawn #4, step 2, e2 to e4
error: offset 35: game 2, ply 2: misplaced element: a rook's prefix is followed by queen #1 moves next
      35  80  10 000 00 0                   rook #0 moves next
      36  42  01 000 01 0                   queen #1 moves next
      37  01  00000 001                     0-1

game 3
`, `  42  01 000 01 0                   promotion to queen #1
`, `  5. bxa8=Q      white pawn #0, take left, b7 to a8
`, `  01 000 01 0                   queen #1 moves next
`, `game 3, ply 35: illegal move: own piece on the target square
`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no\n%s\nin\n%s", want, out.String())
		}
	}
}

var (
	directionNames = [8]string{"E", "NE", "N", "NW", "W", "SW", "S", "SE"}
	knightNames    = [8]string{"EES", "EEN", "NNE", "NNW", "WWN", "WWS", "SSW", "SSE"}
)

// short describes a byte in a few characters, for the table.
func short(m brenner.Meaning) string {
	switch m.Class {
	case brenner.MoveByte:
		l := m.Kind.Letter()
		switch m.Kind {
		case chess.Pawn:
			return fmt.Sprintf("%c%d %s", l, m.Number, [4]string{"+1", "+2", "xR", "xL"}[m.Pawn])
		case chess.Knight:
			return fmt.Sprintf("%c%d %s", l, m.Number, knightNames[m.Direction])
		case chess.King:
			return fmt.Sprintf("%c %s", l, directionNames[m.Direction])
		case chess.Queen:
			return fmt.Sprintf("%c %d%s", l, m.Steps, directionNames[m.Direction])
		}
		return fmt.Sprintf("%c%d %d%s", l, m.Number, m.Steps, directionNames[m.Direction])
	case brenner.PrefixByte:
		return fmt.Sprintf("=%c%d", m.Kind.Letter(), m.Number)
	case brenner.Unassigned:
		return "-"
	case brenner.UnknownResult:
		return "*"
	}
	return m.String()
}

// appendLayoutTable appends a text that accounts for all bytes of all layouts.
func appendLayoutTable(dst []byte) []byte {
	dst = append(dst, `All 256 bytes of each layout. This file is made by "go generate ./bitstream/brenner".

K, Q, R, B, N, P and a number are the piece that moves, with the number of squares and the direction; of a pawn +1 and +2
are steps, xR and xL what it takes to its right and left. =R2 is the prefix that names rook #2. A pattern that the
document leaves unassigned is "-", and "*" the one of them that stands here for an unknown result.

`...)
	row := func(head string, cell func(l brenner.Layout) string) {
		line := fmt.Sprintf("%-9s", head)
		for _, l := range brenner.Layouts {
			line += fmt.Sprintf("%-*s", max(9, len(l.String())+2), cell(l))
		}
		dst = append(dst, strings.TrimRight(line, " ")+"\n"...)
	}
	row("byte", brenner.Layout.String)
	for b := range 256 {
		row(fmt.Sprintf("%02x", b), func(l brenner.Layout) string { return short(l.Meaning(uint8(b))) })
	}
	dst = append(dst, "\nHow many bytes each layout spends on what:\n\n"...)
	dst = fmt.Appendf(dst, "%-13s%6s%8s%9s%7s%10s%8s%12s\n", "", "moves", "prefix", "castling", "glyph", "text",
		"result", "unassigned")
	for _, l := range brenner.Layouts {
		var n [8]int
		for b := range 256 {
			n[l.Meaning(uint8(b)).Class]++
		}
		dst = fmt.Appendf(dst, "%-13s%6d%8d%9d%7d%10d%8d%12d\n", l, n[brenner.MoveByte], n[brenner.PrefixByte],
			n[brenner.CastlingByte],
			n[brenner.GlyphByte],
			n[brenner.TextByte], n[brenner.ResultByte], n[brenner.Unassigned]+n[brenner.UnknownResult])
	}
	return dst
}
