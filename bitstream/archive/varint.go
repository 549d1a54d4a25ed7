// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"encoding/binary"
)

// input reads a column's bytes. The first thing that is not there sets bad, and all that is read after it is 0.
type input struct {
	b   []byte
	bad bool
}

func (in *input) fail() {
	in.bad = true
	in.b = nil
}

// uvarint reads a number of at most limit, seven bits a byte, the lowest first. It has one encoding: the last byte is
// not 0, but that of 0 itself.
func (in *input) uvarint(limit uint64) uint64 {
	v, n := binary.Uvarint(in.b)
	if n <= 0 || v > limit || n > 1 && in.b[n-1] == 0 {
		in.fail()
		return 0
	}
	in.b = in.b[n:]
	return v
}

// varint reads a signed number: zigzag.
func (in *input) varint() int64 {
	u := in.uvarint(^uint64(0))
	return int64(u>>1) ^ -int64(u&1)
}

func (in *input) byte() byte {
	if len(in.b) == 0 {
		in.fail()
		return 0
	}
	c := in.b[0]
	in.b = in.b[1:]
	return c
}

func (in *input) take(n uint64) []byte {
	if n > uint64(len(in.b)) {
		in.fail()
		return nil
	}
	b := in.b[:n]
	in.b = in.b[n:]
	return b
}

// text reads up to a NUL, which it takes.
func (in *input) text() []byte {
	n := bytes.IndexByte(in.b, 0)
	if n < 0 {
		in.fail()
		return nil
	}
	b := in.b[:n]
	in.b = in.b[n+1:]
	return b
}

func appendVarint(dst []byte, v int64) []byte {
	return binary.AppendUvarint(dst, uint64(v)<<1^uint64(v>>63))
}
