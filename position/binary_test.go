// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"math/rand/v2"
	"ply11/position"
	"testing"
)

// TestBinary: the bytes of a position give it back, and changed ones a position that Setup.Position takes, but for its
// counters, or an error.
func TestBinary(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	taken, refused := 0, 0
	for _, p := range samplePositions(t) {
		b, err := p.AppendBinary(nil)
		var q position.Position
		if bad := q.UnmarshalBinary(b); err != nil || len(b) != position.BinarySize || bad != nil || q != p {
			t.Fatalf("%s: %v, %v: %s", p.FEN(), err, bad, q.FEN())
		}
		for range 1 + rng.IntN(3) {
			at := rng.IntN(8 * position.BinarySize)
			if rng.IntN(3) == 0 {
				at = 8*32 + rng.IntN(46) // turn, rights, en passant and rooks
			}
			b[at/8] ^= 1 << (at % 8)
		}
		if q.UnmarshalBinary(b) != nil {
			refused++
			continue
		}
		taken++
		again, _ := q.AppendBinary(nil)
		s := q.Setup()
		s.HalfmoveClock, s.FullmoveNumber = 0, 1
		if _, err := s.Position(); err != nil || string(again) != string(b) {
			t.Fatalf("%x is taken: %v", b, err)
		}
	}
	if taken < 50 || refused < 50 {
		t.Errorf("%d were taken, %d refused", taken, refused)
	}
	for _, n := range []int{0, position.BinarySize - 1, position.BinarySize + 1} {
		var p position.Position
		if p.UnmarshalBinary(make([]byte, n)) == nil {
			t.Errorf("%d bytes are a position", n)
		}
	}
}
