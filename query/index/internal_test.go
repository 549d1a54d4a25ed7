// SPDX-License-Identifier: Apache-2.0

package index

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// SealedParts returns where the parts of an index are that end with a CRC.
func SealedParts(index []byte) (parts [][2]int) {
	x, err := Open(bytes.NewReader(index), int64(len(index)))
	if err != nil {
		panic(err)
	}
	add := func(at int64, size int) { parts = append(parts, [2]int{int(at), int(at) + size}) }
	add(0, 16)
	for _, s := range x.segments {
		add := func(at int64, size int) { add(s.offset+at, size) }
		for i := range (s.games + factBlock - 1) / factBlock {
			n := min(factBlock, s.games-i*factBlock)
			add(int64(i)*(8*factBlock+4), int(8*n)+4)
		}
		buckets := bucketReader{x: s}
		for n := range uint64(1) << s.bucketBits {
			at, size, err := buckets.entry(n)
			if err != nil {
				panic(err)
			}
			b, err := buckets.bucket(n)
			if err != nil {
				panic(err)
			}
			for _, e := range b.common {
				c, err := s.commonAt(e)
				if err != nil {
					panic(err)
				}
				for _, l := range c.Lists() {
					for l.at < l.to {
						size := int(binary.LittleEndian.Uint16(index[s.offset+l.at:])) + 6
						add(l.at, size)
						l.at += int64(size)
					}
				}
				add(e.at, int(e.size))
			}
			add(at, int(size))
		}
		for at := s.directory; at < s.size; {
			size := min(pageEntries*entrySize+4, s.size-at)
			add(at, int(size))
			at += size
		}
	}
	add(x.head.table, int(x.size-trailerSize-x.head.table))
	add(x.size-trailerSize, trailerSize)
	return parts
}

// SealedTree returns where the pieces of a tree file are that end with a CRC.
func SealedTree(file []byte) (parts [][2]int) {
	t, err := OpenTree(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		panic(err)
	}
	parts = [][2]int{{0, int(t.body)}}
	var add func(list []treeEntry, levels int)
	add = func(list []treeEntry, levels int) {
		for i := range list {
			e := &list[i]
			parts = append(parts, [2]int{int(t.body + e.At), int(t.body+e.At) + int(e.Size)})
			if levels > 0 {
				page, err := t.page(e)
				if err != nil {
					panic(err)
				}
				add(page, levels-1)
			}
		}
	}
	add(t.root, t.levels)
	return parts
}

// TrailerSize is that of the trailer.
const TrailerSize = trailerSize

// Small makes parts small: records of a part, and memory to sort in. 0 is as usual.
func (o Options) Small(records uint64, memory int64) Options {
	o.small = smallParts{records: records, memory: memory}
	return o
}

// Small makes parts and pages small: bytes of a part, and entries of a page.
func (o TreeOptions) Small(part, entries int) TreeOptions {
	o.small = smallParts{part: part, entries: entries}
	return o
}

// Levels returns the levels of pages of a tree file.
func (t *TreeFile) Levels() int { return t.levels }

// Coarse stores few bits of the hash of a rare position, so that many share them.
func (o Options) Coarse(bits uint) Options {
	o.small.rare = bits
	return o
}

// Seal makes the CRC at the end of a part right.
func Seal(part []byte) { binary.LittleEndian.PutUint32(part[len(part)-4:], crcOf(part[:len(part)-4])) }

// TestBestSum reads the sum of a best game's ratings, which are at most 9,999.
func TestBestSum(t *testing.T) {
	for _, sum := range []int{0, 19_998, 19_999, 1<<15 | 5} {
		r := byteReader{data: appendBranch(nil, &Branch{Games: 1, Best: []Best{{Number: 1, Sum: sum}}})}
		if got := r.branch(1); r.bad != (sum > 19_998) || !r.bad && got.Best[0].Sum != sum {
			t.Errorf("%d is read as %v, bad: %v", sum, got.Best, r.bad)
		}
	}
}

// TestSharedByOneGame reads a shared position, which two games or more have.
func TestSharedByOneGame(t *testing.T) {
	for _, second := range []uint64{1, 2} {
		h := segmentHead{games: 2}
		var s bitWriter
		s.rice(1, riceBits(h.restBits(), 1))
		s.put(0, checkBits)
		s.shared([]uint64{postingKey(0, 7, 1), postingKey(0, 8, second)}, &h)
		b := bucket{nShared: 1, stream: bitReader{data: s.end()}}
		x := Segment{segmentHead: &h}
		if ok := x.shareds(&b, func(uint64, uint16, []Group) bool { return true }); ok != (second == 2) {
			t.Errorf("of games 1 and %d: %v", second, ok)
		}
	}
}
