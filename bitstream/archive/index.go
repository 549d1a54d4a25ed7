// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"ply11/moveindex"
)

// The column of the index tells where games begin in the column of moves: the widths a and w, a byte each, then for
// each sixteen games the number of the first one's first word in a bits, and the length of each in words in w bits;
// then, of fixed moves, for each sixteen games the checksum of their words' bytes.

// indexGroup is the number of games to an anchor.
const indexGroup = 16

type gameIndex struct {
	sums   []byte   // of the column that is in a file
	starts []uint32 // where games begin, in words, and where the last ends
	b      []byte   // the groups, and eight zero bytes, so that eight can be read anywhere, and at the end
}

func appendIndex(dst []byte, lengths []uint32) []byte {
	total, longest := uint32(0), uint32(0)
	for _, n := range lengths {
		total += n
		longest = max(longest, n)
	}
	a, w := uint(bits.Len32(total)), uint(bits.Len32(longest))
	dst = append(dst, byte(a), byte(w))
	var acc uint64
	have := uint(0)
	put := func(v uint32, n uint) {
		acc |= uint64(v) << have
		for have += n; have >= 8; have -= 8 {
			dst = append(dst, byte(acc))
			acc >>= 8
		}
	}
	at := uint32(0)
	for i, n := range lengths {
		if i%indexGroup == 0 {
			put(at, a)
		}
		put(n, w)
		at += n
	}
	if have > 0 {
		dst = append(dst, byte(acc))
	}
	return dst
}

// runBytes returns the bytes of the column of moves that have the words from first to before end.
func runBytes(first, end uint64) (from, to uint64) {
	return first * moveindex.Bits / 8, (end*moveindex.Bits + 7) / 8
}

func appendSums(dst []byte, lengths []uint32, moves []byte) []byte {
	at := uint64(0)
	for run := range slices.Chunk(lengths, indexGroup) {
		end := at
		for _, n := range run {
			end += uint64(n)
		}
		from, to := runBytes(at, end)
		dst = le.AppendUint32(dst, checksum(moves[from:to]))
		at = end
	}
	return dst
}

// run returns the words of the group of game i (from 0), and, if it is known, the checksum of their bytes.
func (x *gameIndex) run(i int) (first, end uint64, sum uint32) {
	k := i / indexGroup
	if len(x.sums) > 0 {
		sum = le.Uint32(x.sums[4*k:])
	}
	return uint64(x.starts[k*indexGroup]), uint64(x.starts[min(k*indexGroup+indexGroup, len(x.starts)-1)]), sum
}

func (x *gameIndex) decodeSummed(raw []byte, games, words int) bool {
	n := len(raw) - 4*((games+indexGroup-1)/indexGroup)
	if n < 0 || !x.decode(raw[:n], games, words) {
		return false
	}
	x.sums = raw[n:]
	return true
}

func indexSize(games int, a, w uint) int {
	groups := (games + indexGroup - 1) / indexGroup
	return int((uint64(groups)*uint64(a) + uint64(games)*uint64(w) + 7) / 8)
}

// decode reads a column, and verifies that the games fill the words without gaps.
func (x *gameIndex) decode(raw []byte, games, words int) bool {
	if len(raw) < 2 || raw[0] > 32 || raw[1] > 32 {
		return false
	}
	a, w := uint(raw[0]), uint(raw[1])
	x.starts, x.sums = append(x.starts[:0], 0), nil
	if len(raw)-2 != indexSize(games, a, w) {
		return false
	}
	x.b = append(append(x.b[:0], raw[2:]...), 0, 0, 0, 0, 0, 0, 0, 0)
	at := uint64(0)
	bit := uint64(0)
	for i := range games {
		if i%indexGroup == 0 {
			if x.bits(bit, a) != at {
				return false
			}
			bit += uint64(a)
		}
		n := x.bits(bit, w)
		if at += n; n == 0 || at > uint64(words) {
			return false
		}
		x.starts = append(x.starts, uint32(at))
		bit += uint64(w)
	}
	return at == uint64(words) && (bit%8 == 0 || raw[2+bit/8]>>(bit%8) == 0)
}

func (x *gameIndex) bits(at uint64, n uint) uint64 {
	return binary.LittleEndian.Uint64(x.b[at>>3:]) >> (at & 7) & (1<<n - 1)
}

// game returns where game i (from 0) begins, in words, and its length.
func (x *gameIndex) game(i int) (start, length uint32) {
	return x.starts[i], x.starts[i+1] - x.starts[i]
}
