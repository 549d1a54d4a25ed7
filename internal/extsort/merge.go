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

// Merge sorts rows by keys of any length. Rows of equal keys stay in the order in which they were added. What fits into
// the memory never comes into a file; else sorted runs do, which are merged.
//
// Memory: about what NewMerge was given, and one row; with more than 2,048 runs, 32 KiB for each.
//
// Methods are for one goroutine.
type Merge struct {
	path   string
	memory int
	bytes  []byte     // keys and rows
	rows   []mergeRow // of bytes
	file   *tempfile.File
	ends   []int64 // of runs in the file
}

type mergeRow struct{ key, row, end int }

// rowSize is the size of a mergeRow.
const rowSize = 24

// NewMerge returns a sorter with its temporary file beside path, which holds about so many bytes in memory.
func NewMerge(path string, memory int) *Merge { return &Merge{path: path, memory: memory} }

// Add adds copies of a key and its row.
func (m *Merge) Add(key, row []byte) error {
	if n := len(m.bytes) + len(key) + len(row) + rowSize*(len(m.rows)+1); n > m.memory && len(m.rows) > 0 {
		if err := m.spill(); err != nil {
			return err
		}
	}
	at := len(m.bytes)
	m.bytes = append(append(m.bytes, key...), row...)
	m.rows = append(m.rows, mergeRow{at, at + len(key), len(m.bytes)})
	return nil
}

func (m *Merge) key(r mergeRow) []byte { return m.bytes[r.key:r.row] }

func (m *Merge) sort() {
	slices.SortFunc(m.rows, func(a, b mergeRow) int {
		return cmp.Or(bytes.Compare(m.key(a), m.key(b)), cmp.Compare(a.key, b.key))
	})
}

// spill writes the rows in memory as a run.
func (m *Merge) spill() (err error) {
	if m.file == nil {
		if m.file, err = tempfile.Beside(m.path); err != nil {
			return err
		}
	}
	m.sort()
	w := bufio.NewWriterSize(m.file, 256<<10)
	end := int64(0)
	if n := len(m.ends); n > 0 {
		end = m.ends[n-1]
	}
	var head []byte
	for _, r := range m.rows {
		head = binary.AppendUvarint(head[:0], uint64(r.row-r.key))
		head = binary.AppendUvarint(head, uint64(r.end-r.row))
		w.Write(head)
		w.Write(m.bytes[r.key:r.end])
		end += int64(len(head) + r.end - r.key)
	}
	m.bytes, m.rows, m.ends = m.bytes[:0], m.rows[:0], append(m.ends, end)
	return w.Flush()
}

// run is a run that is read.
type run struct {
	r        *bufio.Reader
	key, row []byte
}

func (r *run) next() error {
	keys, err := binary.ReadUvarint(r.r)
	if err != nil {
		return err // io.EOF behind the last
	}
	rows, err := binary.ReadUvarint(r.r)
	if err != nil || keys|rows > maxMergeRow {
		return errDamaged
	}
	r.key, r.row = slices.Grow(r.key[:0], int(keys))[:keys], slices.Grow(r.row[:0], int(rows))[:rows]
	if _, err := io.ReadFull(r.r, r.key); err != nil {
		return errDamaged
	}
	if _, err := io.ReadFull(r.r, r.row); err != nil {
		return errDamaged
	}
	return nil
}

// maxMergeRow is more than any key or row has.
const maxMergeRow = 1 << 30

// runs is a heap of runs by their keys; that of an earlier run comes first.
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

// Each calls do with all rows in the order of their keys, valid during the call. It is called once, after each Add.
func (m *Merge) Each(do func(row []byte) error) error {
	if len(m.ends) == 0 {
		m.sort()
		for _, r := range m.rows {
			if err := do(m.bytes[r.row:r.end]); err != nil {
				return err
			}
		}
		return nil
	}
	if err := m.spill(); err != nil {
		return err
	}
	m.bytes, m.rows = nil, nil
	h := new(runs)
	size := max(m.memory/len(m.ends), 32<<10)
	at := int64(0)
	for i, end := range m.ends {
		r := &run{r: bufio.NewReaderSize(io.NewSectionReader(m.file, at, end-at), min(size, 1<<20))}
		at = end
		switch err := r.next(); err {
		case nil:
			h.order = append(h.order, i)
		case io.EOF:
		default:
			return err
		}
		h.list = append(h.list, r)
	}
	heap.Init(h)
	for h.Len() > 0 {
		r := h.list[h.order[0]]
		if err := do(r.row); err != nil {
			return err
		}
		switch err := r.next(); err {
		case nil:
			heap.Fix(h, 0)
		case io.EOF:
			heap.Pop(h)
		default:
			return err
		}
	}
	return nil
}

// Close removes the temporary file.
func (m *Merge) Close() {
	if m.file != nil {
		m.file.Close()
		m.file = nil
	}
}
