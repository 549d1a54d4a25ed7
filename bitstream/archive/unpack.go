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
	s := NewScanner(src)
	sum := sha256.New()
	err = eachBlock(ctx, o.workers, func(*[]byte) (*Block, error) { return s.Next() },
		func() func(b *Block, text *[]byte) error {
			return func(b *Block, text *[]byte) (err error) {
				if cap(*text) > usualText {
					*text = nil
				}
				if *text, err = b.AppendAll((*text)[:0]); err != nil {
					return err
				}
				return b.complete()
			}
		}, func(b *Block, text *[]byte) error {
			sum.Write(*text)
			stats.add(&b.head)
			stats.Bytes = b.at + b.Size()
			if _, err := dst.Write(*text); err != nil {
				return err
			}
			o.progress(stats)
			return nil
		})
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

func (s *Stats) add(h *head) {
	s.Games += int(h.games)
	s.Plies += int64(h.plies)
	s.Text += int64(h.text)
	s.Blocks++
}

type blockJob[T any] struct {
	b   Block // its header and data alone
	out T
	err error
}

// eachBlock does work on blocks in several goroutines, and calls use with the results, in their order. next returns a
// block, and io.EOF after the last.
func eachBlock[T any](ctx context.Context, workers int, next func(out *T) (*Block, error),
	worker func() func(b *Block, out *T) error, use func(b *Block, out *T) error) error {
	var readErr error
	p := pipeline.Pipeline[blockJob[T]]{
		Workers: workers,
		Budget:  max(4, workers) * usualBlock,
		Produce: func(j *blockJob[T]) bool {
			b, err := next(&j.out)
			if readErr = err; err != nil {
				return false
			}
			// The job's block takes the one that was read, and gives it its memory.
			if cap(j.b.data) > usualText {
				j.b.data, j.b.buf = nil, nil
			}
			j.b.take(b)
			return true
		},
		Cost: func(j *blockJob[T]) int { return j.b.weigh() },
		Worker: func() func(j *blockJob[T]) {
			b, work := new(Block), worker()
			return func(j *blockJob[T]) {
				b.take(&j.b)
				j.err = work(b, &j.out)
				if j.b.take(b); j.b.weigh() > usualBlock {
					b = new(Block)
				}
			}
		},
		Consume: func(j *blockJob[T]) error {
			if j.err != nil {
				return j.err
			}
			return use(&j.b, &j.out)
		},
	}
	err := p.Run(ctx)
	if err == nil && readErr != io.EOF {
		err = readErr
	}
	return err
}

func wrongHash(at int64) error {
	return corruptPart("footer", at, "its SHA-256 is not that of the text")
}

// usualBlock is the most that a block of games of usual length weighs.
const usualBlock = 3 << 20

// weigh returns about how much memory the block and its text take. A tag of a name of its own takes some ten times its
// length.
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

// take makes b the block that o is, and gives o its memory.
func (b *Block) take(o *Block) {
	b.reset()
	b.head, o.head = o.head, b.head
	b.data, o.data = o.data, b.data
	b.buf, o.buf = o.buf, b.buf
	b.at, b.number = o.at, o.number
}
