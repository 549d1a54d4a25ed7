// SPDX-License-Identifier: Apache-2.0

package brenner_test

import (
	"bytes"
	"io"
	"testing"

	"ply11/bitstream/brenner"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/bounded"
	"ply11/internal/codectest"
)

func fuzzSeeds(f *testing.F) {
	for _, l := range brenner.Layouts {
		for _, moves := range []string{"", "e4 e5 Qh5 Nc6 Bc4 Nf6 $4 Qxf7#", promotions, captured,
			"e4 $1 {best} e5 {text}",
			"e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O"} {
			g := codectest.Line(f, "", moves)
			g.Result = game.Draw
			b, err := l.Encode(g)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(l), b)
		}
		f.Add(uint8(l), []byte("\x00WWhite\x00\x00a comment\x00\x2c\x00text\x00\x01\x2c\x2c"))
	}
}

// FuzzWords: no panic, and what decodes encodes to bytes that decode to the same.
func FuzzWords(f *testing.F) {
	fuzzSeeds(f)
	bounded.Fuzz(f, func(t *testing.T, layout uint8, src []byte) {
		l := brenner.Layout(layout % uint8(len(brenner.Layouts)))
		codectest.CheckWords(t, src, l.EncodeIndices, l.DecodeIndices)
	})
}

// FuzzGames: a file is read to its end, and each game without an error is written and read as the same.
func FuzzGames(f *testing.F) {
	fuzzSeeds(f)
	bounded.Fuzz(f, func(t *testing.T, layout uint8, src []byte) {
		l := brenner.Layout(layout % uint8(len(brenner.Layouts)))
		codectest.CheckGames(t, src, brenner.NewReaderOf(bytes.NewReader(src), l, 200), func(w io.Writer) codec.Writer {
			return brenner.NewWriter(w, l)
		},
			func(r io.Reader) codec.Reader { return brenner.NewReader(r, l) })
	})
}
