// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"context"
	"crypto/sha256"
	"io"

	"ply11/internal/pipeline"
)

// Unpack writes the text of an archive, which it reads front to back: the very bytes that were packed, unless it is
// canonical. Every checksum is verified; what is written before an error is right.
func Unpack(ctx context.Context, dst io.Writer, src io.Reader, options ...UnpackOption) (stats Stats, err error) {
	defer guard(&err)
	o, err := apply(options)
	if err != nil {
		return Stats{}, err
	}
	type job struct {
		b    Block // its header and data alone
		text []byte
		err  error
	}
	s := NewScanner(src)
	sum := sha256.New()
	var readErr error
	p := pipeline.Pipeline[job]{
		Workers: o.workers,
		Budget:  4 * usualBlock,
		Produce: func(j *job) bool {
			b, err := s.Next()
			if err != nil {
				readErr = err
				return false
			}
			// The job's block takes the scanner's, and gives it its memory.
			if cap(j.b.data) > usualText {
				j.b.data = nil
			}
			j.b.take(b)
			return true
		},
		Cost: func(j *job) int { return j.b.weigh() },
		Worker: func() func(j *job) {
			b := new(Block)
			return func(j *job) {
				if cap(j.text) > usualText {
					j.text = nil
				}
				b.take(&j.b)
				if j.text, j.err = b.AppendAll(j.text[:0]); j.err == nil {
					j.err = b.complete()
				}
				j.b.take(b)
				if j.b.weigh() > usualBlock {
					b = new(Block)
				}
			}
		},
		Consume: func(j *job) error {
			if j.err != nil {
				return j.err
			}
			sum.Write(j.text)
			if _, err := dst.Write(j.text); err != nil {
				return err
			}
			stats.Games += int(j.b.head.games)
			stats.Plies += int64(j.b.head.plies)
			stats.Text += int64(len(j.text))
			stats.Bytes = j.b.at + j.b.Size()
			stats.Blocks++
			if o.progress != nil {
				o.progress(stats)
			}
			return nil
		},
	}
	err = p.Run(ctx)
	if err == nil && readErr != io.EOF {
		err = readErr
	}
	if err == nil {
		sum.Sum(stats.SHA256[:0])
		stats.Hashed = true
		stats.Bytes = s.size
		if r := &s.root.stats; r.Hashed && r.SHA256 != stats.SHA256 {
			err = wrongHash(s.footerAt)
		}
	}
	return stats, err
}

// wrongHash is the error of a footer, at an offset, that has another hash than the text.
func wrongHash(at int64) error {
	return corruptPart("footer", at, "its SHA-256 is not that of the text")
}

// usualBlock is the most that a block weighs in which games have the usual length.
const usualBlock = 3 << 20

// weigh returns about how much memory the block and its text take: the columns as they are stored, as they are raw, and
// as they are read, and the text. (A tag of a name of its own takes some ten times its length.)
func (b *Block) weigh() int {
	n := len(b.data) + int(b.head.text)
	for i := range b.head.columns {
		switch c := &b.head.columns[i]; {
		case c.kind == ColumnTags:
			n += 10 * int(c.raw)
		case c.comp != Stored:
			n += 2 * int(c.raw)
		}
	}
	if b.head.dense {
		n += 4 * int(b.head.words)
	}
	return n
}

// take makes b the block that o is, and gives o the memory that b had.
func (b *Block) take(o *Block) {
	b.reset()
	b.head, o.head = o.head, b.head
	b.data, o.data = o.data, b.data
	b.at, b.number = o.at, o.number
}
