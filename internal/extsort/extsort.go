// SPDX-License-Identifier: Apache-2.0

// Package extsort sorts more records than the memory holds, on several processors. Goroutines deal the records out to
// parts by the high bits of their keys, in a temporary file; then parts are sorted in memory, at the same time.
//
//	s := extsort.New(extsort.Options{Path: path, Memory: 512 << 20, Workers: 2, Records: 1e6, Low: 64})
//	defer s.Close()
//	b := s.Buffer() // one for each goroutine
//	b.Add(extsort.Record{A: 7, B: 1})
//	b.Flush()
//	s.Each(func(list []extsort.Record) error { … })
package extsort

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"sync"

	"golang.org/x/sync/errgroup"

	"ply11/internal/tempfile"
)

// Record is what is sorted: by A, then by B.
type Record struct{ A, B uint64 }

func (r Record) Less(o Record) bool { return r.A < o.A || r.A == o.A && r.B < o.B }

// Options are those of a Sorter.
type Options struct {
	// Path has the folder of the temporary file.
	Path string
	// Memory is about how many bytes records take in memory, at least 16 KiB for each of the Workers.
	Memory int64
	// Workers is the number of buffers, and of goroutines that sort if there is memory.
	Workers int
	// Records is about how many there will be.
	Records uint64
	// Low and High say what is stored of B: Low low bits, and High bits from the bit From on; 64 at most together.
	Low, High, From uint
	// Part is about the records of a part; 0 is about 200,000, which fit into the cache.
	Part uint64
}

const (
	inMemory    = 16      // bytes of a record
	partRecords = 1 << 18 // of a part at most, about: 4 MiB
	minChunk    = 4 << 10 // bytes written at once
	maxChunk    = 32 << 10
	chunkHead   = 16      // the chunk before, from 1, and the number of records
	splitBits   = 8       // to split a part that is too large
	leastMost   = 256     // records sorted in memory, at least
	mostMost    = 1 << 30 // at most
)

// Sorter is for one goroutine, but for Buffer.
type Sorter struct {
	o     Options
	bits  uint  // of A that number the part
	chunk int64 // bytes
	width int   // of a record
	parts []list

	mu     sync.Mutex
	file   *tempfile.File
	chunks int64
}

// list is the records of a part: chunks in the file, each with the number of the one before.
type list struct {
	last int64 // chunk, from 1
	n    uint64
}

// New returns a Sorter.
func New(o Options) *Sorter {
	s := &Sorter{o: o}
	s.o.Workers = max(1, o.Workers)
	if o.Part == 0 {
		s.o.Part = partRecords
	}
	// Parts fit into the cache, if there is memory for a chunk of each.
	s.bits = uint(bits.Len64(o.Records / max(s.o.Part, 1)))
	for s.bits > 0 && s.o.Memory/2 < int64(s.o.Workers)*minChunk<<s.bits {
		s.bits--
	}
	s.chunk = min(max(s.o.Memory/2/int64(s.o.Workers)>>s.bits/8*8, minChunk), maxChunk)
	s.width = 8 + max(0, int(s.o.Low+s.o.High)-int(s.bits)+7)/8
	s.parts = make([]list, 1<<s.bits)
	return s
}

// Len returns the number of records, after each Flush.
func (s *Sorter) Len() (n uint64) {
	for i := range s.parts {
		n += s.parts[i].n
	}
	return n
}

// Close removes the temporary file.
func (s *Sorter) Close() {
	if s.file != nil {
		s.file.Close()
		s.file = nil
	}
}

// Buffer takes records in one goroutine.
type Buffer struct {
	dealer
	shift uint
}

// Buffer returns a new buffer, in any goroutine.
func (s *Sorter) Buffer() *Buffer { return &Buffer{newDealer(s, s.parts), 64 - s.bits} }

// Add adds a record.
func (b *Buffer) Add(r Record) error { return b.add(r.A>>b.shift, r) }

// dealer deals records out to lists, and holds a chunk of each.
type dealer struct {
	s     *Sorter
	lists []list
	space []byte
	at    []int32 // of the next record in each chunk
	full  int32
}

func newDealer(s *Sorter, lists []list) dealer {
	// A record is put there with eight bytes more.
	d := dealer{s: s, lists: lists, space: make([]byte, int64(len(lists))*s.chunk), at: make([]int32, len(lists)),
		full: int32(s.chunk) - int32(s.width) - 8}
	for i := range d.at {
		d.at[i] = chunkHead
	}
	return d
}

func (d *dealer) add(to uint64, r Record) error {
	s := d.s
	at := d.at[to]
	if at > d.full {
		if err := d.write(to); err != nil {
			return err
		}
		at = d.at[to]
	}
	// The rest of A and the bits of B make one number.
	rest := r.A << s.bits >> s.bits
	b := d.space[int64(to)*s.chunk+int64(at):][:16]
	binary.LittleEndian.PutUint64(b, rest<<(s.o.Low+s.o.High)|r.B>>s.o.From&(1<<s.o.High-1)<<s.o.Low|r.B&(1<<s.o.Low-1))
	binary.LittleEndian.PutUint64(b[8:], rest>>(64-s.o.Low-s.o.High))
	d.at[to] = at + int32(s.width)
	return nil
}

func (d *dealer) write(to uint64) error {
	n := int64(d.at[to]-chunkHead) / int64(d.s.width)
	if n == 0 {
		return nil
	}
	before, chunk, err := d.s.take(&d.lists[to], n)
	if err != nil {
		return err
	}
	b := d.space[int64(to)*d.s.chunk:][:d.at[to]]
	binary.LittleEndian.PutUint64(b, uint64(before))
	binary.LittleEndian.PutUint64(b[8:], uint64(n))
	d.at[to] = chunkHead
	_, err = d.s.file.WriteAt(b, chunk*d.s.chunk)
	return err
}

// Flush writes the rest, after which nothing can be added.
func (d *dealer) Flush() error {
	for i := range d.at {
		if err := d.write(uint64(i)); err != nil {
			return err
		}
	}
	d.space = nil
	return nil
}

func (s *Sorter) take(l *list, n int64) (before, chunk int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		if s.file, err = tempfile.Beside(s.o.Path); err != nil {
			return 0, 0, err
		}
	}
	before, chunk = l.last, s.chunks
	s.chunks++
	l.last = s.chunks
	l.n += uint64(n)
	return before, chunk, nil
}

var errDamaged = errors.New("the temporary file is damaged")

// Each sorts the records and calls do with them in order, as many at a time as fit into the memory, valid during the
// call. Several goroutines sort, and take turns to call do. The first error ends the work. It is called once, after
// each Flush.
func (s *Sorter) Each(do func([]Record) error) error {
	// As many goroutines as there is memory for parts, some of them larger.
	all, most := len(s.parts), s.o.Memory/(3*inMemory)
	workers := max(1, min(int64(s.o.Workers), int64(all), most/max(1, int64(s.Len())/int64(all)*3/2)))
	free := make(chan *worker, workers)
	for range workers {
		free <- &worker{s: s, most: int(min(max(leastMost, most/workers), mostMost))}
	}
	group, ctx := errgroup.WithContext(context.Background())
	before := make(chan struct{})
	close(before)
	for n, part := range s.parts {
		w, turn, done := <-free, before, make(chan struct{})
		if ctx.Err() != nil {
			break
		}
		wait := func() error {
			select {
			case <-turn:
				return nil
			case <-ctx.Done():
				return ctx.Err() // another goroutine has failed
			}
		}
		group.Go(func() error {
			defer func() { free <- w }()
			err := w.each(uint64(n), part, func(list []Record) error {
				if err := wait(); err != nil {
					return err
				}
				return do(list)
			})
			if err == nil {
				err = wait()
			}
			if err == nil {
				close(done)
			}
			return err
		})
		before = done
	}
	return group.Wait()
}

// worker sorts parts in one goroutine, and keeps memory between them.
type worker struct {
	s              *Sorter
	most           int // records
	records, spare []Record
	chunk          []byte
}

// each gives the sorted records of a list.
func (w *worker) each(part uint64, l list, do func([]Record) error) error {
	if l.n == 0 {
		return nil
	}
	if l.n <= uint64(w.most) {
		if n := int(l.n); cap(w.records) < n {
			w.records, w.spare = make([]Record, n), make([]Record, n)
		}
		n := 0
		if err := w.read(part, l, func(list []Record) error {
			n += copy(w.records[n:l.n], list)
			return nil
		}); err != nil {
			return err
		}
		sortInto(w.records[:n], w.spare[:n], false)
		return do(w.records[:n])
	}
	// What does not fit into the memory is dealt out again, by the bits after those that all have.
	every, some := Record{^uint64(0), ^uint64(0)}, Record{}
	if err := w.read(part, l, func(list []Record) error {
		for _, r := range list {
			every.A, every.B = every.A&r.A, every.B&r.B
			some.A, some.B = some.A|r.A, some.B|r.B
		}
		return nil
	}); err != nil {
		return err
	}
	if every == some {
		return w.read(part, l, do)
	}
	k := uint(1)
	for k < splitBits && w.s.chunk<<(k+1) <= int64(w.most)*inMemory {
		k++
	}
	lists := make([]list, 1<<k)
	out := newDealer(w.s, lists)
	by := digitOf(every, some, k)
	if err := w.read(part, l, func(list []Record) error {
		for _, r := range list {
			if err := out.add(by.of(r), r); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for _, l := range lists {
		if err := w.each(part, l, do); err != nil {
			return err
		}
	}
	return nil
}

// read calls do with the records of a list, valid during the call.
func (w *worker) read(part uint64, l list, do func([]Record) error) error {
	s := w.s
	if w.chunk == nil {
		w.chunk = make([]byte, s.chunk+8)
	}
	fits := (s.chunk - chunkHead) / int64(s.width)
	var batch [256]Record
	all := s.o.Low + s.o.High
	high, low, mask := uint64(1)<<s.o.High-1, uint64(1)<<s.o.Low-1, uint64(1)<<(8*(s.width-8))-1
	top := part << (64 - s.bits)
	for l.n > 0 {
		n, err := s.file.ReadAt(w.chunk[:s.chunk], (l.last-1)*s.chunk)
		if err != nil && err != io.EOF {
			return err
		}
		if n < chunkHead {
			return fmt.Errorf("%w: chunk %d", errDamaged, l.last)
		}
		before, records := int64(binary.LittleEndian.Uint64(w.chunk)), binary.LittleEndian.Uint64(w.chunk[8:])
		if records < 1 || records > min(uint64(fits), l.n) || n < chunkHead+int(records)*s.width || before < 0 ||
			before >= l.last || before == 0 && records < l.n {
			return fmt.Errorf("%w: chunk %d", errDamaged, l.last)
		}
		l = list{before, l.n - records}
		b := w.chunk[chunkHead:]
		for records > 0 {
			part := batch[:min(records, uint64(len(batch)))]
			for i := range part {
				x, y := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])&mask
				part[i] = Record{x>>all | y<<(64-all) | top, x>>s.o.Low&high<<s.o.From | x&low}
				b = b[s.width:]
			}
			if err := do(part); err != nil {
				return err
			}
			records -= uint64(len(part))
		}
	}
	return nil
}
