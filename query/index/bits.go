// SPDX-License-Identifier: Apache-2.0

package index

import (
	"encoding/binary"
	"math/bits"
)

// Streams of bits fill each byte from its low end.

type bitWriter struct {
	buf []byte
	acc uint64
	n   uint // bits in acc, under 64
}

// put writes the low width bits of a number, at most 64.
func (w *bitWriter) put(v uint64, width uint) {
	v &= 1<<width - 1
	w.acc |= v << w.n
	if w.n += width; w.n >= 64 {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, w.acc)
		w.n -= 64
		w.acc = v >> (width - w.n)
	}
}

// rice writes as many zeros as the bits above k tell, a one, and the low k bits.
func (w *bitWriter) rice(v uint64, k uint) {
	if q := v >> k; q+uint64(k) < 64 {
		w.put((v&(1<<k-1)<<1|1)<<q, uint(q)+1+k)
		return
	}
	for q := v >> k; ; q -= 32 {
		if q < 32 {
			w.put(1<<q, uint(q)+1)
			break
		}
		w.put(0, 32)
	}
	w.put(v, k)
}

// gamma writes a number from 1 on: a zero for each bit below its highest, a one, and these bits.
func (w *bitWriter) gamma(v uint64) {
	n := uint(bits.Len64(v)) - 1
	w.put(0, n)
	w.put(1, 1)
	w.put(v, n)
}

// end returns the stream, its last byte filled with zeros.
func (w *bitWriter) end() []byte {
	for ; w.n > 0; w.n -= min(w.n, 8) {
		w.buf = append(w.buf, byte(w.acc))
		w.acc >>= 8
	}
	w.acc = 0
	return w.buf
}

// bitReader reads a stream. After its end it returns zeros and sets bad.
type bitReader struct {
	data []byte
	pos  uint64 // in bits
	bad  bool
}

// peek returns the next bits, at least 57 or all that are left.
func (r *bitReader) peek() uint64 {
	at := r.pos >> 3
	if at+8 <= uint64(len(r.data)) {
		return binary.LittleEndian.Uint64(r.data[at:]) >> (r.pos & 7)
	}
	var v uint64
	for i := at; i < uint64(len(r.data)); i++ {
		v |= uint64(r.data[i]) << (8 * (i - at))
	}
	return v >> (r.pos & 7)
}

func (r *bitReader) skip(n uint) {
	if r.pos += uint64(n); r.pos > 8*uint64(len(r.data)) {
		r.pos, r.bad = 8*uint64(len(r.data)), true
	}
}

func (r *bitReader) get(width uint) uint64 {
	if width > 32 {
		low := r.get(32)
		return low | r.get(width-32)<<32
	}
	v := r.peek() & (1<<width - 1)
	r.skip(width)
	return v
}

// zeros reads zeros and a one, and returns the number of zeros.
func (r *bitReader) zeros() uint64 {
	for n := uint64(0); !r.bad; {
		z := uint(bits.TrailingZeros64(r.peek()))
		if z < 57 {
			r.skip(z + 1)
			return n + uint64(z)
		}
		r.skip(57)
		n += 57
	}
	return 0
}

// rice reads a number of at most 64 bits.
func (r *bitReader) rice(k uint) uint64 {
	q := r.zeros()
	if k > 63 || q>>(64-k) != 0 {
		r.bad = true
		return 0
	}
	return q<<k | r.get(k)
}

func (r *bitReader) gamma() uint64 {
	n := r.zeros()
	if n > 63 {
		r.bad = true
		return 1
	}
	return 1<<n | r.get(uint(n))
}

// end reports whether the stream ends here, in zeros.
func (r *bitReader) end() bool {
	left := 8*uint64(len(r.data)) - r.pos
	return !r.bad && left < 8 && r.peek() == 0
}
