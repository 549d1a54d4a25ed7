// SPDX-License-Identifier: Apache-2.0

package query

import (
	"bytes"
	"encoding/binary"
)

// SealedParts returns where the parts of an index are that end with a CRC.
func SealedParts(index []byte) (parts [][2]int) {
	x, err := OpenIndex(bytes.NewReader(index), int64(len(index)))
	if err != nil {
		panic(err)
	}
	add := func(at int64, size int) { parts = append(parts, [2]int{int(at), int(at) + size}) }
	add(0, headerSize)
	for i := range (x.head.games + factBlock - 1) / factBlock {
		n := min(factBlock, x.head.games-i*factBlock)
		add(headerSize+int64(i)*(8*factBlock+4), int(8*n)+4)
	}
	for n := range uint64(1) << x.head.bucketBits {
		at, size, err := x.bucketEntry(n)
		if err != nil {
			panic(err)
		}
		b, err := x.bucket(n)
		if err != nil {
			panic(err)
		}
		for _, e := range b.common {
			c, lists, err := x.commonAt(e)
			if err != nil {
				panic(err)
			}
			for _, l := range x.lists(c, lists) {
				for l.at < l.to {
					size := int(binary.LittleEndian.Uint16(index[l.at:])) + 6
					add(l.at, size)
					l.at += int64(size)
				}
			}
			add(e.at, int(e.size))
		}
		add(at, int(size))
	}
	for at := x.head.directory; at < x.size-trailerSize; {
		size := min(pageEntries*entrySize+4, x.size-trailerSize-at)
		add(at, int(size))
		at += size
	}
	add(x.size-trailerSize, trailerSize)
	return parts
}

// Seal makes the CRC at the end of a part right.
func Seal(part []byte) { binary.LittleEndian.PutUint32(part[len(part)-4:], crcOf(part[:len(part)-4])) }
