// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"hash"
	"io"
)

// Ordered returns the archive as one that can be read front to back: its blocks in their order, with the present
// numbers of their games, and the index. The Reader is not for other use until all is read.
//
// Cost: blocks are copied one at a time. Only their headers are verified.
func (t *Reader) Ordered() io.Reader {
	o := &ordered{t: t, next: 1}
	o.out = newFileWriter(&o.buf, t.header)
	o.out.props = append(o.out.props, t.root.props...)
	return o
}

// Fragmented reports whether the archive has many blocks of few games, as many small additions leave them: they take
// more space.
func (t *Reader) Fragmented() bool {
	n := t.blocks
	return n >= indexGroup && t.stats.Games < indexGroup*n && t.stats.Text < int64(n)*blockText/8 &&
		(t.root.dense == 0 || int(t.root.dense) == n)
}

type ordered struct {
	t    *Reader
	sum  hash.Hash // of the text; nil if it is not wanted
	text []byte
	buf  bytes.Buffer
	out  *fileWriter
	next int // the number of the next block, from 1
	err  error
}

func (o *ordered) Read(b []byte) (int, error) {
	for o.buf.Len() == 0 {
		if o.err == nil {
			o.err = o.fill()
		}
		if o.err != nil && o.buf.Len() == 0 {
			return 0, o.err
		}
	}
	return o.buf.Read(b)
}

// fill puts a block into the buffer, or, behind the last, the index. It returns io.EOF after that.
func (o *ordered) fill() error {
	if o.next > o.t.blocks {
		if o.sum != nil {
			o.out.setHash(o.sum)
		}
		if err := o.out.close(); err != nil {
			return err
		}
		return io.EOF
	}
	b, err := o.t.Block(o.next)
	if err != nil {
		return err
	}
	o.next++
	if o.sum != nil {
		if o.text, err = b.AppendAll(o.text[:0]); err != nil {
			return err
		}
		o.sum.Write(o.text)
	}
	return o.out.copy(b)
}
