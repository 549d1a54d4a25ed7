// SPDX-License-Identifier: Apache-2.0

package position

import (
	"encoding/binary"
	"errors"
)

// BinarySize is the number of bytes of a position.
const BinarySize = 40

// errBinary: bytes are no position.
var errBinary = errors.New("not 40 bytes of a position")

// AppendBinary appends the position in BinarySize bytes, for a program's own temporary files: another version of this
// package may have others. It never fails.
func (p *Position) AppendBinary(dst []byte) ([]byte, error) {
	for _, v := range [5]uint64{uint64(p.kind0), uint64(p.kind1), uint64(p.kind2), uint64(p.black), p.state} {
		dst = binary.LittleEndian.AppendUint64(dst, v)
	}
	return dst, nil
}

// UnmarshalBinary reads what AppendBinary appended. It refuses what Setup.Position refuses, but for large counters.
func (p *Position) UnmarshalBinary(b []byte) error {
	if len(b) != BinarySize {
		return errBinary
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	q := Position{Bitboard(word(0)), Bitboard(word(1)), Bitboard(word(2)), Bitboard(word(3)), word(4)}
	if !q.sound() {
		return errBinary
	}
	*p = q
	return nil
}

// sound reports whether a position of any bits is one that Setup.Position takes, but for its counters.
func (p *Position) sound() bool {
	s := p.Setup()
	same := s.raw() == *p // no bits without a meaning
	s.HalfmoveClock, s.FullmoveNumber = 0, 1
	_, err := s.Position()
	return same && err == nil
}
