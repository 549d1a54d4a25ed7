// SPDX-License-Identifier: Apache-2.0

package jose_test

import (
	"bytes"
	"io"
	"testing"

	"ply11/bitstream/jose"
	"ply11/game/codec"
	"ply11/internal/bounded"
	"ply11/internal/codectest"
)

var fuzzSeeds = []string{
	"ff", "13 13 d0 ff", "13 e0 61 20 62 00 e0 00 f0 0f e0 c3 bc 00 f1 d3 ff", "98 99 9a d1 ff",
	"13 f0 0f f0 0b 0b f1 f0 07 f1 0f f1 13 b0 ff f0 0b f1 29 d3 ff", "13 13 2e 2c 43 43 98 98 d2 ff 0f 0f d3 ff",
	"03 07 02 00 02 44 02 2c a0 2b 03 a8 21 ff", "13 e1 78 00 e2 00 e3 00 e4 5d 00 ff", "13 f0 f1 ff",
}

// FuzzWords: no panic, and what decodes encodes to bytes that decode to the same.
func FuzzWords(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(uint8(0), unhex(s))
		f.Add(uint8(1), unhex(s))
	}
	bounded.Fuzz(f, func(t *testing.T, dialect uint8, src []byte) {
		d := jose.Dialect(dialect % uint8(len(jose.Dialects)))
		codectest.CheckWords(t, src, d.EncodeIndices, d.DecodeIndices)
	})
}

// FuzzGames: a file of GameText is read to its end, and each game without an error is written and read as the same.
func FuzzGames(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(uint8(0), unhex(s))
		f.Add(uint8(1), unhex(s))
	}
	bounded.Fuzz(f, func(t *testing.T, dialect uint8, src []byte) {
		d := jose.Dialect(dialect % uint8(len(jose.Dialects)))
		checkGames(t, src, d, jose.Plain)
	})
}

// FuzzTable is FuzzGames for an export.
func FuzzTable(f *testing.F) {
	for _, s := range []string{
		"fen\tgametext_hex\tcomments_hex\n\t13e0d3ff\t6100\n7k/3P4/7K/8/8/8/8/8 w - - 6 55\ta022d3ff\t\n",
		"n\tcomments_hex\tgametext_hex\tother\tfen\r\n1\t\t13d3ff\tx\t\r\n\r\n2\tzz",
		"gametext_hex\n13e06100d3ff\n13f00ff113ff\nff",
	} {
		f.Add(uint8(0), []byte(s))
		f.Add(uint8(1), []byte(s))
	}
	bounded.Fuzz(f, func(t *testing.T, dialect uint8, src []byte) {
		d := jose.Dialect(dialect % uint8(len(jose.Dialects)))
		checkGames(t, src, d, jose.Table)
	})
}

func checkGames(t *testing.T, src []byte, d jose.Dialect, c jose.Container) {
	t.Helper()
	codectest.CheckGames(t, src, jose.NewReaderOf(bytes.NewReader(src), d, c, 200), func(w io.Writer) codec.Writer {
		return jose.NewWriter(w, d, c)
	},
		func(r io.Reader) codec.Reader { return jose.NewReader(r, d, c) })
}
