// SPDX-License-Identifier: Apache-2.0

package rangecoder_test

import (
	"bytes"
	"math/rand/v2"
	"ply11/bitstream/internal/rangecoder"
	"testing"
)

// TestRangeCoder codes numbers of all kinds of totals.
func TestRangeCoder(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	type symbol struct{ cum, freq, total uint64 }
	for round := range 300 {
		symbols := make([]symbol, random.IntN(500))
		var e rangecoder.Encoder
		e.Reset([]byte{1, 2, 3})
		for i := range symbols {
			total := 1 + random.Uint64N(rangecoder.MaxTotal)>>random.IntN(40)
			freq := 1 + random.Uint64N(total)>>random.IntN(40)
			if round%3 == 0 {
				freq = 1
			}
			symbols[i] = symbol{random.Uint64N(total - min(freq, total-1)), min(freq, total), total}
			if symbols[i].freq == total {
				symbols[i].cum = 0
			}
			e.Encode(symbols[i].cum, symbols[i].freq, total)
		}
		coded := e.Finish()[3:]
		// read decodes them, and reports whether they are the symbols, and end where they should.
		read := func(coded []byte) (same, ended bool) {
			var d rangecoder.Decoder
			d.Reset(coded)
			for _, s := range symbols {
				target, scale := d.Target(s.total)
				if target < s.cum || target >= s.cum+s.freq {
					return false, false
				}
				d.Take(s.cum, s.freq, scale)
			}
			return true, d.Ended()
		}
		if same, ended := read(coded); !same || !ended {
			t.Fatalf("round %d: the same %v, ended %v", round, same, ended)
		}
		// There is one encoding: more bytes, fewer, or others at the end are other symbols, or do not end.
		for _, more := range []byte{0, 1, 0x80, 0xff} {
			if same, ended := read(append(bytes.Clone(coded), more)); same && ended {
				t.Fatalf("round %d: a byte %02x more is taken", round, more)
			}
		}
		for n := range min(len(coded), 10) {
			at := len(coded) - 1 - n
			bad := bytes.Clone(coded)
			bad[at] ^= 1 << (round % 8)
			if same, ended := read(bad); same && ended {
				t.Fatalf("round %d: byte %d of %d changed is taken", round, at, len(coded))
			}
			if same, ended := read(coded[:at]); same && ended {
				t.Fatalf("round %d: %d bytes of %d are taken", round, at, len(coded))
			}
		}
	}
}
