// SPDX-License-Identifier: Apache-2.0

package position

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestBinary: the bytes of a position give it back, and any other bytes give what Setup.Position takes, or an error.
func TestBinary(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	taken, refused := 0, 0
	for range 2000 {
		p := Start()
		for range rng.IntN(120) {
			moves := p.LegalMoves(nil)
			if len(moves) == 0 {
				break
			}
			p.Make(moves[rng.IntN(len(moves))])
			b, err := p.AppendBinary(nil)
			var q Position
			if bad := q.UnmarshalBinary(b); err != nil || len(b) != BinarySize || bad != nil || q != p {
				t.Fatalf("%s: %v, %v: %s", p.FEN(), err, bad, q.FEN())
			}
		}
		b, _ := p.AppendBinary(nil)
		for range 20 {
			changed := append([]byte(nil), b...)
			for range 1 + rng.IntN(3) {
				at := rng.IntN(8 * (BinarySize - 2)) // the high bits of the clock mean nothing
				if rng.IntN(3) == 0 {
					at = 8*32 + rng.IntN(clockShift) // turn, rights, en passant and rooks
				}
				changed[at/8] ^= 1 << (at % 8)
			}
			state := binary.LittleEndian.Uint64(changed[32:]) &^ uint64(plyBits&^0xffff)
			binary.LittleEndian.PutUint64(changed[32:], state)
			q := Position{Bitboard(binary.LittleEndian.Uint64(changed)),
				Bitboard(binary.LittleEndian.Uint64(changed[8:])),
				Bitboard(binary.LittleEndian.Uint64(changed[16:])), Bitboard(binary.LittleEndian.Uint64(changed[24:])),
				state}
			want := false
			if q.kind0&q.kind1&q.kind2 == 0 && q.black&^q.Occupied() == 0 { // else a setup tells other pieces
				s := q.Setup()
				s.HalfmoveClock = min(s.HalfmoveClock, MaxHalfmoveClock)
				r, err := s.Position()
				want = err == nil && r.state&^clockBits == q.state&^clockBits // else the setup tells other rooks
			}
			var got Position
			if err := got.UnmarshalBinary(changed); (err == nil) != want || want && got != q {
				t.Fatalf("%s: %v, want %v", q.FEN(), err, want)
			}
			if want {
				taken++
			} else {
				refused++
			}
		}
	}
	if taken < 1000 || refused < 1000 {
		t.Errorf("%d were taken, %d refused", taken, refused)
	}
	for _, n := range []int{0, BinarySize - 1, BinarySize + 1} {
		var p Position
		if p.UnmarshalBinary(make([]byte, n)) == nil {
			t.Errorf("%d bytes are a position", n)
		}
	}
}
