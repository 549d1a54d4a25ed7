// SPDX-License-Identifier: Apache-2.0

package bitstream

import (
	"encoding/binary"

	"ply11/moveindex"
)

const wordMask = moveindex.NumWords - 1

// Sizes of a group of words: eight of them fill eleven bytes.
const (
	groupWords = 8
	groupBytes = 11
)

// PackedLen returns the number of bytes that n words fill, the last one perhaps in part.
func PackedLen(n int) int { return (n*moveindex.Bits + 7) / 8 }

// At returns the word whose lowest bit is bit number bit of src, and whether all of it lies in src.
func At(src []byte, bit uint64) (moveindex.Index, bool) {
	at := bit >> 3
	if n := uint64(len(src)); at+4 <= n {
		return moveindex.Index(binary.LittleEndian.Uint32(src[at:])>>(bit&7)) & wordMask, true
	} else if at >= n || bit+moveindex.Bits > n*8 {
		return moveindex.Invalid, false
	}
	var tail [4]byte
	copy(tail[:], src[at:])
	return moveindex.Index(binary.LittleEndian.Uint32(tail[:])>>(bit&7)) & wordMask, true
}

// Unpack fills dst with the words of src from bit number bit on, and returns how many there were: less than len(dst)
// only where src ends.
func Unpack(dst []moveindex.Index, src []byte, bit uint64) int {
	if bit > uint64(len(src))*8 {
		return 0
	}
	src = src[bit>>3:]
	shift := uint(bit & 7)
	n := (len(src)*8 - int(shift)) / moveindex.Bits
	if n > len(dst) {
		n = len(dst)
	}
	dst = dst[:max(n, 0)]
	done := unpackGroups(dst, src, shift)
	at := uint64(shift) + uint64(done)*moveindex.Bits
	for i := done; i < len(dst); i++ {
		dst[i], _ = At(src, at)
		at += moveindex.Bits
	}
	return len(dst)
}

// unpackGroups unpacks whole groups while 16 bytes can be read for each, and returns the number of words.
func unpackGroups(dst []moveindex.Index, src []byte, shift uint) int {
	shift &= 7
	done := 0
	for len(dst) >= groupWords && len(src) >= 16 {
		d := (*[groupWords]moveindex.Index)(dst)
		a := binary.LittleEndian.Uint64(src) >> shift
		b := binary.LittleEndian.Uint64(src[5:]) >> (shift + 4)
		d[0] = moveindex.Index(a) & wordMask
		d[1] = moveindex.Index(a>>11) & wordMask
		d[2] = moveindex.Index(a>>22) & wordMask
		d[3] = moveindex.Index(a>>33) & wordMask
		d[4] = moveindex.Index(b) & wordMask
		d[5] = moveindex.Index(b>>11) & wordMask
		d[6] = moveindex.Index(b>>22) & wordMask
		d[7] = moveindex.Index(b>>33) & wordMask
		dst, src = dst[groupWords:], src[groupBytes:]
		done += groupWords
	}
	return done
}

// Pack writes the low eleven bits of words to dst from bit number bit on, and keeps all other bits of dst. It returns
// the number of words for which dst had room.
func Pack(dst []byte, bit uint64, words []moveindex.Index) int {
	if bit > uint64(len(dst))*8 {
		return 0
	}
	dst = dst[bit>>3:]
	shift := uint(bit & 7)
	n := max((len(dst)*8-int(shift))/moveindex.Bits, 0)
	if n < len(words) {
		words = words[:n]
	}
	if len(words) == 0 {
		return 0
	}
	carry := uint64(dst[0]) & (1<<shift - 1)
	done, carry := packGroups(dst, words, shift, carry)
	dst = dst[done/groupWords*groupBytes:]
	at, have := 0, shift
	for _, w := range words[done:] {
		carry |= uint64(w&wordMask) << have
		for have += moveindex.Bits; have >= 8; have -= 8 {
			dst[at] = byte(carry)
			at++
			carry >>= 8
		}
	}
	if have > 0 {
		keep := byte(0xff) << have
		dst[at] = dst[at]&keep | byte(carry)
	}
	return len(words)
}

// packGroups packs whole groups of words after the shift bits of carry, and returns the number of words and the bits
// left over.
func packGroups(dst []byte, words []moveindex.Index, shift uint, carry uint64) (int, uint64) {
	shift &= 7
	done := 0
	for len(words) >= groupWords && len(dst) >= groupBytes {
		w := (*[groupWords]moveindex.Index)(words)
		a := uint64(w[0]&wordMask) | uint64(w[1]&wordMask)<<11 | uint64(w[2]&wordMask)<<22 | uint64(w[3]&wordMask)<<33
		b := uint64(w[4]&wordMask) | uint64(w[5]&wordMask)<<11 | uint64(w[6]&wordMask)<<22 | uint64(w[7]&wordMask)<<33
		d := (*[groupBytes]byte)(dst)
		binary.LittleEndian.PutUint64(d[:8], carry|a<<shift|b<<(44+shift))
		high := b >> (20 - shift)
		d[8], d[9], d[10] = byte(high), byte(high>>8), byte(high>>16)
		carry = high >> 24
		words, dst = words[groupWords:], dst[groupBytes:]
		done += groupWords
	}
	return done, carry
}
