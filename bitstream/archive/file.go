// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"hash"
	"io"
)

type fileWriter struct {
	w      io.Writer
	header header
	stats  Stats
	dense  uint32
	index  []ref         // of the blocks that are in no part of the index yet
	search []*searchKeys // of the same blocks; nil of one of which nothing is to be told
	top    [levels][]ref // of the parts of the index that are in no other, by their levels
	props  []property
	edited bool // blocks do not stand in the file in their order
	err    error
	// merge reads the entries of a part of the index that was there before, and the keys of its blocks, the first of
	// which has a number, from 0; it may be nil.
	merge func(e ref, first int) ([]ref, []*searchKeys, error)
}

func newFileWriter(w io.Writer, h header) *fileWriter {
	f := &fileWriter{w: w, header: h}
	f.write(h.encode())
	return f
}

func (f *fileWriter) write(b []byte) {
	if f.err != nil {
		return
	}
	var n int
	n, f.err = f.w.Write(b)
	f.stats.Bytes += int64(n)
}

func (f *fileWriter) block(b *packedBlock) error {
	b.head.number = uint32(f.stats.Blocks)
	b.head.encode(b.data[:0])
	f.index = append(f.index, b.head.ref(f.stats.Bytes, b.data[:b.head.size]))
	f.search = append(f.search, b.keys)
	f.write(b.data)
	f.stats.add(&b.head)
	if b.head.find(ColumnMoves) >= 0 {
		f.stats.Fixed++
	}
	if b.head.find(ColumnDense) >= 0 {
		f.dense++
	}
	if len(f.index) == partEntries {
		f.flush()
	}
	return f.err
}

func (f *fileWriter) setHash(sum hash.Hash) {
	sum.Sum(f.stats.SHA256[:0])
	f.stats.Hashed = true
	f.setProperty(propertyHash, hashState(sum))
}

func (f *fileWriter) close() error {
	f.tail()
	return f.err
}
