// SPDX-License-Identifier: Apache-2.0

// Package extsort sorts more records than the memory holds. Several goroutines fill buffers; a full buffer is sorted and
// written to a temporary file as a run, and the runs are merged.
//
//	s := extsort.New(path, 512<<20, 2)
//	defer s.Close()
//	b := s.Buffer() // one for each goroutine
//	b.Add(extsort.Record{A: 7, B: 1})
//	b.Flush()
//	s.Each(func(list []extsort.Record) error { … })
package extsort

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"slices"
	"sync"

	"ply11/internal/tempfile"
)

// Record is what is sorted: by A, then by B. It takes 16 bytes, in memory and in files.
type Record struct{ A, B uint64 }

// Less reports whether the record comes before another.
func (r Record) Less(o Record) bool { return r.A < o.A || r.A == o.A && r.B < o.B }

const (
	size     = 16
	minRun   = 1 << 10 // records of a buffer at least
	maxRun   = 1 << 21 // and at most: with 32 MiB, an index of 22 M plies took a tenth less than with four times as many, in three runs
	minRead  = 4 << 10 // bytes that are read of a run at once, at least
	maxRead  = 1 << 20
	batch    = 4 << 10 // records that Each gives at once
	maxParts = 1 << 13 // parts into which a buffer is split before it is sorted
)

// Sorter sorts. Its methods are for one goroutine, but Buffer.
type Sorter struct {
	path    string
	memory  int64
	buffers int

	mu   sync.Mutex
	file *tempfile.File
	runs []run
	end  int64 // of the file
	n    uint64
}

// run is a sorted part of the file, in bytes.
type run struct{ from, to int64 }

// New returns a Sorter whose temporary files stand in the folder of path. All that it holds in memory, in so many buffers, is about
// memory bytes: at least 32 KiB for each buffer.
func New(path string, memory int64, buffers int) *Sorter {
	return &Sorter{path: path, memory: memory, buffers: buffers}
}

// Len returns the number of records in runs: all, after the Flush of each buffer.
func (s *Sorter) Len() uint64 { return s.n }

// Close removes the temporary files.
func (s *Sorter) Close() {
	if s.file != nil {
		s.file.Close()
		s.file = nil
	}
}

// Buffer takes records for a Sorter, in one goroutine.
type Buffer struct {
	s              *Sorter
	most           int // records
	records, spare []Record
}

// Buffer returns a new buffer. It may be called by several goroutines.
func (s *Sorter) Buffer() *Buffer {
	return &Buffer{s: s, most: int(min(max(minRun, s.memory/int64(2*size*s.buffers)), maxRun))}
}

// Add adds a record.
func (b *Buffer) Add(r Record) error {
	if n := len(b.records); n == cap(b.records) {
		if n >= b.most {
			if err := b.write(); err != nil {
				return err
			}
		} else {
			// It grows with what there is, up to its share of the memory.
			b.records = append(make([]Record, 0, min(max(minRun, 2*n), b.most)), b.records...)
		}
	}
	b.records = append(b.records, r)
	return nil
}

// Flush ends the buffer: no more can be added.
func (b *Buffer) Flush() error {
	err := b.write()
	b.records, b.spare = nil, nil
	return err
}

// write sorts the buffer and writes it as a run.
func (b *Buffer) write() error {
	if len(b.records) == 0 {
		return nil
	}
	if len(b.spare) < len(b.records) {
		b.spare = make([]Record, len(b.records))
	}
	sorted := Sort(b.records, b.spare)
	from, err := b.s.begin(int64(len(sorted)) * size)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(io.NewOffsetWriter(b.s.file, from), 256<<10)
	if err := writeRecords(w, sorted); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	b.records = b.records[:0]
	return nil
}

// begin takes room for a run.
func (s *Sorter) begin(n int64) (from int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		if s.file, err = tempfile.Beside(s.path); err != nil {
			return 0, err
		}
	}
	from = s.end
	s.end += n
	s.n += uint64(n / size)
	s.runs = append(s.runs, run{from, s.end})
	return from, nil
}

func writeRecords(w *bufio.Writer, list []Record) error {
	for _, r := range list {
		b := w.AvailableBuffer()
		b = binary.LittleEndian.AppendUint64(b, r.A)
		b = binary.LittleEndian.AppendUint64(b, r.B)
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// Sort sorts records, and returns them in one of the two places; spare has room for them. They are dealt out by the high bits of A first, after those that all
// have, which are those of a hash as a rule, so that what is sorted then lies in the cache.
func Sort(records, spare []Record) []Record {
	n := len(records)
	every, some := ^uint64(0), uint64(0)
	for i := range records {
		every, some = every&records[i].A, some|records[i].A
	}
	same := bits.LeadingZeros64(every ^ some) // bits that all have
	parts, shift := 1, 64
	for parts < maxParts && parts < n/64 {
		parts, shift = 2*parts, shift-1
	}
	if parts == 1 {
		slices.SortFunc(records, compare)
		return records
	}
	ends := make([]int, parts)
	for i := range records {
		ends[records[i].A<<same>>shift]++
	}
	sum := 0
	for i, k := range ends {
		ends[i] = sum
		sum += k
	}
	spare = spare[:n]
	for _, r := range records {
		k := r.A << same >> shift
		spare[ends[k]] = r
		ends[k]++
	}
	from := 0
	for _, to := range ends {
		slices.SortFunc(spare[from:to], compare)
		from = to
	}
	return spare
}

func compare(a, b Record) int {
	switch {
	case a.Less(b):
		return -1
	case b.Less(a):
		return 1
	}
	return 0
}

// Each calls do with all records in their order, some thousands at a time. What it is given is valid during the call. Records
// that are equal all come. It may be called once, after the Flush of each buffer.
func (s *Sorter) Each(do func([]Record) error) error {
	// As many runs are merged at once as there is memory for.
	most := int(max(2, s.memory/2/minRead))
	for len(s.runs) > most {
		if err := s.pass(most); err != nil {
			return err
		}
	}
	// Merging and what is done with the records go on at the same time.
	batches, free := make(chan []Record, 2), make(chan []Record, 4)
	stop := make(chan struct{})
	for range cap(free) {
		free <- make([]Record, 0, batch)
	}
	var mergeErr error
	var group sync.WaitGroup
	group.Go(func() {
		defer close(batches)
		list := <-free
		mergeErr = s.merge(s.file, s.runs, func(r Record) error {
			list = append(list, r)
			if len(list) < cap(list) {
				return nil
			}
			select {
			case batches <- list:
			case <-stop:
				return errStop
			}
			select {
			case list = <-free:
			case <-stop:
				return errStop
			}
			return nil
		})
		if mergeErr == nil {
			select {
			case batches <- list:
			case <-stop:
			}
		}
	})
	var err error
	for list := range batches {
		if err = do(list); err != nil {
			break
		}
		free <- list[:0]
	}
	close(stop)
	group.Wait()
	if err == nil {
		err = mergeErr
	}
	return err
}

// errStop ends a merge that is not wanted any more.
var errStop = errors.New("stopped")

// pass merges each so many runs to one, in a new file.
func (s *Sorter) pass(most int) error {
	old, runs := s.file, s.runs
	file, err := tempfile.Beside(s.path)
	if err != nil {
		return err
	}
	s.file, s.runs = file, nil
	defer old.Close()
	w := bufio.NewWriterSize(file, 256<<10)
	at := int64(0)
	for group := range slices.Chunk(runs, most) {
		from := at
		if err := s.merge(old, group, func(r Record) error {
			at += size
			return writeRecords(w, []Record{r})
		}); err != nil {
			return err
		}
		s.runs = append(s.runs, run{from, at})
	}
	return w.Flush()
}

// cursor reads a run.
type cursor struct {
	head   Record
	buf    []byte // what is read of it and not given
	space  []byte
	at, to int64
}

// next goes to the next record, and reports whether there is one.
func (c *cursor) next(r io.ReaderAt) (bool, error) {
	if len(c.buf) == 0 {
		n := min(int64(len(c.space)), c.to-c.at)
		if n == 0 {
			return false, nil
		}
		c.buf = c.space[:n]
		if _, err := r.ReadAt(c.buf, c.at); err != nil {
			return false, err
		}
		c.at += n
	}
	c.head = Record{binary.LittleEndian.Uint64(c.buf), binary.LittleEndian.Uint64(c.buf[8:])}
	c.buf = c.buf[size:]
	return true, nil
}

// merge gives the records of runs in their order.
func (s *Sorter) merge(r io.ReaderAt, runs []run, give func(Record) error) error {
	if len(runs) == 0 {
		return nil
	}
	each := min(max(s.memory/2/int64(len(runs)), minRead), maxRead) / size * size
	heap := make([]*cursor, 0, len(runs))
	for _, run := range runs {
		c := &cursor{at: run.from, to: run.to, space: make([]byte, each)}
		if more, err := c.next(r); err != nil {
			return err
		} else if more {
			heap = append(heap, c)
		}
	}
	slices.SortFunc(heap, func(a, b *cursor) int { return compare(a.head, b.head) })
	for len(heap) > 0 {
		top := heap[0]
		if err := give(top.head); err != nil {
			return err
		}
		more, err := top.next(r)
		if err != nil {
			return err
		}
		if !more {
			top = heap[len(heap)-1]
			heap = heap[:len(heap)-1]
			if len(heap) == 0 {
				return nil
			}
		}
		// top sinks to its place.
		i := 0
		for {
			k := 2*i + 1
			if k >= len(heap) {
				break
			}
			if k+1 < len(heap) && heap[k+1].head.Less(heap[k].head) {
				k++
			}
			if !heap[k].head.Less(top.head) {
				break
			}
			heap[i] = heap[k]
			i = k
		}
		heap[i] = top
	}
	return nil
}
