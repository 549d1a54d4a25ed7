// SPDX-License-Identifier: Apache-2.0

package chessbase

// The ciphers of sections 2.1, 2.3 and 2.4 xor each byte, from the last to the first, with a key that is then
// multiplied. Each is its own inverse, but for byte 11 of the header.

func xorBack(b []byte, key, factor byte) {
	for i := len(b) - 1; i >= 0; i-- {
		b[i] ^= key
		key *= factor
	}
}

// mask is what byte 11 is xored with besides.
func (h *Header) mask() byte { return 14 + h[4]&63 + h[5]&63 }

func decrypt(file [headerSize]byte) Header {
	h := Header(file)
	xorBack(h[:], 101, 3)
	h[11] ^= h.mask()
	return h
}

func (h Header) encrypt() [headerSize]byte {
	h[11] ^= h.mask()
	xorBack(h[:], 101, 3)
	return h
}

// cryptNames decodes or encodes player and source text together.
func cryptNames(text []byte) { xorBack(text, byte(3*len(text)), 3) }

// cryptMoves decodes or encodes a move list, all but its first byte.
func cryptMoves(moves []byte) {
	if len(moves) > 1 {
		xorBack(moves[1:], byte(49*(len(moves)+1)), 7)
	}
}

// cryptFirstMoves decodes the first bytes of a move list of n.
func cryptFirstMoves(moves []byte, n int) {
	if len(moves) > 1 {
		key := byte(49 * (n + 1))
		for range (n - len(moves)) % 64 { // 7 to the power of 64 is 1, modulo 256
			key *= 7
		}
		xorBack(moves[1:], key, 7)
	}
}
