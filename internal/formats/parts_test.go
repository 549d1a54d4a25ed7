// SPDX-License-Identifier: Apache-2.0

package formats_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ply11/internal/formats"
)

// TestParts: in formats of bytes and words, the parts are all bits of the file, one after the other, with each move;
// and bytes are cut as Explain writes them.
func TestParts(t *testing.T) {
	for _, f := range formats.All {
		if len(f.Forms) < 2 || f.Name == "p11" || f.Name == "jose-program" {
			continue
		}
		data := written(t, &f, famous(t)[:3])[append(f.Extensions, ".bytes")[0]].Bytes()
		var out bytes.Buffer
		in := formats.Input{Reader: bytes.NewReader(data), Path: "x"}
		if err := f.Explain(&out, in, formats.Options{}); err != nil {
			t.Fatal(err)
		}
		end, moves := 0, 0
		for line := range strings.Lines(out.String()) {
			p := f.Part(strings.TrimRight(line, "\n"))
			if p.Bits == 0 {
				continue
			}
			bits := ""
			for _, field := range p.Fields {
				bits += " " + field.Bits
			}
			if p.Bit != end || p.Form > 0 && f.Name[0] == 'b' && !strings.Contains(line, bits+"  ") {
				t.Fatalf("%s: a gap before %q, or it is not cut so:%s", f.Name, line, bits)
			}
			end += p.Bits
			if p.Move != "" {
				moves++
			}
		}
		if rest := 8*len(data) - end; rest >= 8 || rest < 0 || moves < 100 {
			t.Errorf("%s: %d of %d bits, %d moves", f.Name, end, 8*len(data), moves)
		}
	}
	for _, c := range [][3]string{
		{"chessbase", "00000025  24                 9c                 number 28 of 30: 3... Nf6, bit 7",
			"{296 8 9c 1 [{annotation 1 1} {count 0011100 28}] 3... Nf6 number 28 of 30, bit 7 false}"},
		{"words", "       5         6.7  01011111110   766  (       ( it",
			"{55 11 2fe 2 [{steps 010 3 steps of 8, over an edge} {axis 11 north-west} {square 111110 from g8}] ( " +
				"( it false}"},
		{"p11", "00000026  04                        x", "{304 8 04 0 [{ 00000100 }]  x false}"},
		{"brenner", "       9  2e 20 2e  \"1. e4\"", "{72 24  0 [{ 2e 20 2e }]  \"1. e4\" false}"},
	} {
		f, _ := formats.ByName(c[0])
		if got := fmt.Sprint(f.Part(c[1])); got != c[2] {
			t.Errorf("%q: %s, want %s", c[1], got, c[2])
		}
	}
}
