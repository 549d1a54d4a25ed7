// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"io"
	"testing"

	"ply11/bitstream/archive"
)

// TestRecoverLinear recovers many archives, blocks or headers in a row: what is read is a few times the file.
func TestRecoverLinear(t *testing.T) {
	one, _ := archive.MustPack(t, []byte(archive.TextOf("a", 3)))
	r := archive.MustOpen(t, one)
	b := archive.MustBlock(t, r, 1)
	block := one[b.Offset() : b.Offset()+b.Size()]
	mark := archive.Le.AppendUint32(nil, archive.BlockMark)
	for _, x := range []struct {
		name string
		part []byte
		most int64 // times the file
	}{{"archives", one, 10}, {"blocks", block, 6}, {"headers", one[:archive.HeaderSize], 100}, {"marks", mark, 20},
		{"junk", []byte("junk"), 6}} {
		for _, n := range []int{100, 1000} {
			file := append(bytes.Clone(one), bytes.Repeat(x.part, n)...)
			in := &archive.Counting{Reader: bytes.NewReader(file)}
			if _, err := archive.Recover(t.Context(), io.Discard, in, in.Size()); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d %s: %d bytes read of %d", n, x.name, in.Bytes, in.Size())
			if in.Bytes > x.most*in.Size()+64<<10 {
				t.Errorf("%d %s: %d bytes are read of %d", n, x.name, in.Bytes, in.Size())
			}
		}
	}
}
