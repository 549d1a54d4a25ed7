// SPDX-License-Identifier: Apache-2.0

package extsort

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"io"
	"slices"

	"ply11/internal/tempfile"
)

// Rows sorts rows by keys, both of any length. Rows of equal keys stay in the order in which they were added. What fits
// into the memory never comes into a file; else sorted runs do, which are merged.
//
// Memory: about what NewRows was given, and one row; with more than 512 runs, 32 KiB for each. The file has about three
// bytes more for each row; after Sort all is in a second one, and not in the first.
//
// Methods are for one goroutine; after Sort, Cursors can be used at the same time.
type Rows struct {
	path   string
	memory int
	first  int
	bytes  []byte // keys and rows
	rows   []rowAt
	file   *tempfile.File // of runs, or sorted
	ends   []int64        // of runs
	marks  []int64        // after Sort: where each markRows-th row begins
	size   int64          // after Sort
	n      uint64
	last   []byte // the key of the row before
}

// rowAt is a row of Rows.bytes: its key from key, itself from row to end.
type rowAt struct{ key, row, end int }

const (
	rowSize  = 24 // bytes of a rowAt
	leastRun = 32 << 10
	markRows = 128
	maxRow   = 1 << 30 // more than any key or row has
)

// NewRows returns a sorter with its temporary file beside path, which holds about so many bytes in memory. If first is
// not 0, of the rows whose keys begin with the same so many bytes only the first in order is kept.
func NewRows(path string, memory, first int) *Rows {
	return &Rows{path: path, memory: memory, first: first}
}

// Add adds copies of a key and its row.
func (r *Rows) Add(key, row []byte) error {
	if n := len(r.bytes) + len(key) + len(row) + rowSize*(len(r.rows)+1); n > r.memory && len(r.rows) > 0 {
		if r.sort(); !r.shrink() {
			if err := r.write(); err != nil {
				return err
			}
		}
	}
	at := len(r.bytes)
	r.bytes = append(append(r.bytes, key...), row...)
	r.rows = append(r.rows, rowAt{at, at + len(key), len(r.bytes)})
	return nil
}

func (r *Rows) key(e rowAt) []byte { return r.bytes[e.key:e.row] }

func (r *Rows) sort() {
	slices.SortFunc(r.rows, func(a, b rowAt) int {
		return cmp.Or(bytes.Compare(r.key(a), r.key(b)), cmp.Compare(a.key, b.key))
	})
	if r.first > 0 {
		r.rows = slices.CompactFunc(r.rows, func(a, b rowAt) bool { return r.same(r.key(a), r.key(b)) })
	}
}

// same reports whether of two rows only the first is kept.
func (r *Rows) same(a, b []byte) bool {
	return r.first > 0 && bytes.Equal(a[:min(r.first, len(a))], b[:min(r.first, len(b))])
}

func appendHead(dst []byte, key, row int) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(dst, uint64(key)), uint64(row))
}

// write writes the sorted rows in memory as a run.
func (r *Rows) write() (err error) {
	if r.file == nil {
		if r.file, err = tempfile.Beside(r.path); err != nil {
			return err
		}
	}
	w := bufio.NewWriterSize(r.file, 256<<10)
	end := int64(0)
	if n := len(r.ends); n > 0 {
		end = r.ends[n-1]
	}
	var head []byte
	for _, e := range r.rows {
		head = appendHead(head[:0], e.row-e.key, e.end-e.row)
		w.Write(head)
		w.Write(r.bytes[e.key:e.end])
		end += int64(len(head) + e.end - e.key)
	}
	r.bytes, r.rows, r.ends = r.bytes[:0], r.rows[:0], append(r.ends, end)
	return w.Flush()
}

// shrink gives back the memory of rows that sort did not keep, and reports whether that is half of it.
func (r *Rows) shrink() bool {
	if r.first == 0 {
		return false
	}
	size := 0
	for _, e := range r.rows {
		size += e.end - e.key + rowSize
	}
	if 2*size > r.memory {
		return false
	}
	kept := make([]byte, 0, size)
	for i, e := range r.rows {
		at := len(kept)
		kept = append(kept, r.bytes[e.key:e.end]...)
		r.rows[i] = rowAt{at, at + e.row - e.key, len(kept)}
	}
	r.bytes = kept
	return true
}

// run is rows of a file.
type run struct {
	r        *bufio.Reader
	key, row []byte
}

func (r *Rows) runOf(from, to int64, size int) *run {
	return &run{r: bufio.NewReaderSize(io.NewSectionReader(r.file, from, to-from), size)}
}

// next reads a row; io.EOF is the end.
func (r *run) next() error {
	keys, err := binary.ReadUvarint(r.r)
	if err != nil {
		return err
	}
	rows, err := binary.ReadUvarint(r.r)
	if err != nil || keys|rows > maxRow {
		return cmp.Or(unless(err, io.EOF), errDamaged)
	}
	r.key, r.row = slices.Grow(r.key[:0], int(keys))[:keys], slices.Grow(r.row[:0], int(rows))[:rows]
	for _, b := range [][]byte{r.key, r.row} {
		if n, err := io.ReadFull(r.r, b); n < len(b) {
			return cmp.Or(unless(unless(err, io.EOF), io.ErrUnexpectedEOF), errDamaged)
		}
	}
	return nil
}

func unless(err, other error) error {
	if err == other {
		return nil
	}
	return err
}

// runs is a heap of runs by their keys; of equal ones that of an earlier run comes first.
type runs struct {
	list  []*run
	order []int // of list
}

func (h *runs) Len() int { return len(h.order) }
func (h *runs) Less(i, j int) bool {
	a, b := h.order[i], h.order[j]
	return cmp.Or(bytes.Compare(h.list[a].key, h.list[b].key), cmp.Compare(a, b)) < 0
}
func (h *runs) Swap(i, j int) { h.order[i], h.order[j] = h.order[j], h.order[i] }
func (h *runs) Push(any)      {}
func (h *runs) Pop() any      { h.order = h.order[:len(h.order)-1]; return nil }

// Each calls do with all keys and rows in order, valid during the call. Without Sort before it can be called once.
func (r *Rows) Each(do func(key, row []byte) error) error {
	if r.marks != nil {
		return r.Cursor().Each(0, r.n, do)
	}
	if len(r.ends) == 0 {
		r.sort()
		for _, e := range r.rows {
			if err := do(r.key(e), r.bytes[e.row:e.end]); err != nil {
				return err
			}
		}
		return nil
	}
	r.sort()
	if err := r.write(); err != nil {
		return err
	}
	r.bytes, r.rows = nil, nil
	h := new(runs)
	at, size := int64(0), min(max(r.memory/len(r.ends), leastRun), 1<<20)
	for i, end := range r.ends {
		h.list = append(h.list, r.runOf(at, end, size))
		at = end
		if err := h.list[i].next(); err == nil {
			h.order = append(h.order, i)
		} else if err != io.EOF {
			return err
		}
	}
	heap.Init(h)
	for begun := false; h.Len() > 0; begun = true {
		e := h.list[h.order[0]]
		if !begun || !r.same(r.last, e.key) {
			if err := do(e.key, e.row); err != nil {
				return err
			}
			r.last = append(r.last[:0], e.key...)
		}
		if err := e.next(); err == nil {
			heap.Fix(h, 0)
		} else if err == io.EOF {
			heap.Pop(h)
		} else {
			return err
		}
	}
	return nil
}

// Sort sorts the rows, for Len and Cursors.
func (r *Rows) Sort() error {
	if len(r.ends) == 0 {
		r.sort()
		r.n, r.marks = uint64(len(r.rows)), []int64{}
		return nil
	}
	sorted, err := tempfile.Beside(r.path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(sorted, 256<<10)
	var head []byte
	marks := []int64{}
	err = r.Each(func(key, row []byte) error {
		if r.n%markRows == 0 {
			marks = append(marks, r.size)
		}
		r.n++
		head = appendHead(head[:0], len(key), len(row))
		r.size += int64(len(head) + len(key) + len(row))
		w.Write(head)
		w.Write(key)
		_, err := w.Write(row)
		return err
	})
	err = cmp.Or(err, w.Flush())
	r.file.Close()
	r.file, r.marks = sorted, marks
	return err
}

// Len returns the number of rows after Sort.
func (r *Rows) Len() uint64 { return r.n }

// Cursor reads sorted rows in one goroutine.
type Cursor struct {
	r    *Rows
	run  *run
	next uint64 // the row that run reads next
}

// Cursor returns a reader of rows, after Sort.
func (r *Rows) Cursor() *Cursor { return &Cursor{r: r} }

// Each calls do with the keys and rows from from, of 0, to before to, valid during the call.
func (c *Cursor) Each(from, to uint64, do func(key, row []byte) error) error {
	r := c.r
	to = min(to, r.n)
	if len(r.ends) == 0 {
		for ; from < to; from++ {
			e := r.rows[from]
			if err := do(r.key(e), r.bytes[e.row:e.end]); err != nil {
				return err
			}
		}
		return nil
	}
	if from < to && (c.run == nil || from < c.next || from/markRows > c.next/markRows) {
		c.run, c.next = r.runOf(r.marks[from/markRows], r.size, 256<<10), from/markRows*markRows
	}
	for c.next < to && from < to {
		err := c.run.next()
		if err == nil {
			if c.next++; c.next > from {
				err = do(c.run.key, c.run.row)
			}
		} else if err == io.EOF {
			err = errDamaged
		}
		if err != nil {
			c.run = nil
			return err
		}
	}
	return nil
}

// Close removes the temporary file.
func (r *Rows) Close() {
	if r.file != nil {
		r.file.Close()
		r.file = nil
	}
}
