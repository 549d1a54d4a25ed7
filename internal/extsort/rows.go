// SPDX-License-Identifier: Apache-2.0

package extsort

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"

	"ply11/internal/tempfile"
)

// Rows sorts rows of any length by a Record for each, dealt out by the high bits of A as by a Sorter. What fits into
// the memory never comes into a file.
//
// Memory: about 16 MiB for what is dealt, and 12 MiB for each Cursor; more only for a larger row, or rows of one A. The
// file has about 12 bytes more for each row; what is beyond 8 GiB is in it twice.
//
// Methods are for one goroutine; after Sort, Cursors can be used at the same time.
type Rows struct {
	path  string
	first bool
	deal  rowDeal
	file  *tempfile.File
	end   int64
	parts []rowPart
	n     uint64
}

const (
	rowListBits = 10
	rowChunk    = 16 << 10 // bytes written at once
	rowHead     = 16       // place and length of the chunk before
	rowsPart    = 8 << 20  // bytes sorted at once
)

type rowList struct {
	n     uint64
	bytes int64
	at    int64  // of the last chunk in the file
	size  int64  // of it, 0 if there is none
	tail  []byte // not in the file, behind room for a head
}

type rowDeal struct {
	shift uint
	lists [1 << rowListBits]rowList
}

// rowPart is lists that are sorted at once.
type rowPart struct {
	lists  []rowList
	before uint64
	n      uint64
	bytes  int64
}

// NewRows returns a sorter with its temporary file beside path. If first is set, of each A only the row of the smallest
// B is kept.
func NewRows(path string, first bool) *Rows {
	return &Rows{path: path, first: first, deal: rowDeal{shift: 64 - rowListBits}}
}

// Add adds a copy of a row.
func (r *Rows) Add(key Record, row []byte) error { return r.add(&r.deal, key, row) }

func (r *Rows) add(d *rowDeal, key Record, row []byte) error {
	l := &d.lists[key.A>>d.shift&(1<<rowListBits-1)]
	if len(l.tail) == 0 {
		l.tail = append(l.tail, make([]byte, rowHead)...)
	}
	before := len(l.tail)
	l.tail = binary.LittleEndian.AppendUint64(l.tail, key.A)
	l.tail = binary.AppendUvarint(l.tail, key.B)
	l.tail = binary.AppendUvarint(l.tail, uint64(len(row)))
	l.tail = append(l.tail, row...)
	l.n++
	l.bytes += int64(len(l.tail) - before)
	if len(l.tail) < rowChunk {
		return nil
	}
	if r.first {
		if err := l.dropLater(); err != nil || len(l.tail) < rowChunk/2 {
			return err
		}
	}
	return r.write(l)
}

// dropLater drops rows in memory whose A another has with a smaller B.
func (l *rowList) dropLater() error {
	list, err := appendRows(nil, l.tail, rowHead)
	if err != nil {
		return err
	}
	kept := firstOf(list)
	tail := make([]byte, rowHead, len(l.tail))
	for _, e := range kept {
		tail = append(tail, l.tail[e.at:e.end]...)
	}
	l.n -= uint64(len(list) - len(kept))
	l.bytes -= int64(len(l.tail) - len(tail))
	l.tail = append(l.tail[:0], tail...)
	return nil
}

func (r *Rows) write(l *rowList) (err error) {
	if len(l.tail) <= rowHead {
		return nil
	}
	if r.file == nil {
		if r.file, err = tempfile.Beside(r.path); err != nil {
			return err
		}
	}
	binary.LittleEndian.PutUint64(l.tail, uint64(l.at))
	binary.LittleEndian.PutUint64(l.tail[8:], uint64(l.size))
	if _, err := r.file.WriteAt(l.tail, r.end); err != nil {
		return err
	}
	l.at, l.size = r.end, int64(len(l.tail))
	r.end += l.size
	l.tail = l.tail[:0]
	return nil
}

// rowAt is a row, from at to end.
type rowAt struct {
	Record
	at, end int
}

func (e *rowAt) data(b []byte) []byte {
	b = b[e.at+8 : e.end]
	_, n := binary.Uvarint(b)
	_, m := binary.Uvarint(b[n:])
	return b[n+m:]
}

// appendRows appends the rows of b from at on.
func appendRows(list []rowAt, b []byte, at int) ([]rowAt, error) {
	for at < len(b) {
		if len(b)-at < 8 {
			return list, errDamaged
		}
		e := rowAt{at: at}
		e.A = binary.LittleEndian.Uint64(b[at:])
		at += 8
		v, n := binary.Uvarint(b[at:])
		if n <= 0 {
			return list, errDamaged
		}
		at += n
		size, n := binary.Uvarint(b[at:])
		if n <= 0 || size > uint64(len(b)-at-n) {
			return list, errDamaged
		}
		at += n + int(size)
		e.B, e.end = v, at
		list = append(list, e)
	}
	return list, nil
}

func sortRows(list []rowAt) {
	slices.SortFunc(list, func(a, b rowAt) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
}

func firstOf(list []rowAt) []rowAt {
	sortRows(list)
	return slices.CompactFunc(list, func(a, b rowAt) bool { return a.A == b.A })
}

// chunks calls do with the rows of a list, valid during the call.
func (r *Rows) chunks(l *rowList, do func(rows []byte) error) error {
	var b []byte
	for at, size := l.at, l.size; size > 0; {
		b = slices.Grow(b[:0], int(size))[:size]
		if _, err := r.file.ReadAt(b, at); err != nil {
			return err
		}
		if err := do(b[rowHead:]); err != nil {
			return err
		}
		before, n := int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
		if n != 0 && (n < rowHead || before < 0 || before+n > at) {
			return errDamaged
		}
		at, size = before, n
	}
	if len(l.tail) > rowHead {
		return do(l.tail[rowHead:])
	}
	return nil
}

func (r *Rows) Sort() error {
	err := r.place(r.deal.lists[:], r.deal.shift)
	r.deal = rowDeal{}
	return err
}

// place makes parts of lists. One that is too large is dealt out again.
func (r *Rows) place(lists []rowList, shift uint) error {
	for i := range lists {
		l := lists[i]
		if l.n == 0 {
			continue
		}
		if l.bytes > rowsPart && l.n > 1 && shift > 0 {
			next := &rowDeal{shift: max(shift, rowListBits) - rowListBits}
			if err := r.chunks(&l, func(rows []byte) error {
				list, err := appendRows(nil, rows, 0)
				for k := 0; k < len(list) && err == nil; k++ {
					err = r.add(next, list[k].Record, list[k].data(rows))
				}
				return err
			}); err != nil {
				return err
			}
			for k := range next.lists {
				if err := r.write(&next.lists[k]); err != nil {
					return err
				}
				next.lists[k].tail = nil
			}
			if err := r.place(next.lists[:], next.shift); err != nil {
				return err
			}
			continue
		}
		last := len(r.parts) - 1
		if last < 0 || r.parts[last].bytes+l.bytes > rowsPart {
			r.parts = append(r.parts, rowPart{before: r.n})
			last++
		}
		p := &r.parts[last]
		p.lists = append(p.lists, l)
		p.n, p.bytes = p.n+l.n, p.bytes+l.bytes
		r.n += l.n
	}
	return nil
}

// Len returns the number of rows after Sort, without regard to first.
func (r *Rows) Len() uint64 { return r.n }

// Close removes the temporary file.
func (r *Rows) Close() {
	if r.file != nil {
		r.file.Close()
		r.file = nil
	}
}

// Each calls do with all rows in order, after Sort, valid during the call.
func (r *Rows) Each(do func(key Record, row []byte) error) error {
	c := r.Cursor()
	for i := range r.parts {
		if err := c.load(i); err != nil {
			return err
		}
		for k := range c.rows {
			if err := do(c.rows[k].Record, c.rows[k].data(c.data)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Cursor reads rows in one goroutine. It keeps what it sorted last.
type Cursor struct {
	r    *Rows
	part int // in memory; -1 is none
	rows []rowAt
	data []byte
}

func (r *Rows) Cursor() *Cursor { return &Cursor{r: r, part: -1} }

// Each calls do with the rows from from, of 0, to before to, valid during the call. It is not for first.
func (c *Cursor) Each(from, to uint64, do func(key Record, row []byte) error) error {
	parts := c.r.parts
	for from < to {
		i := sort.Search(len(parts), func(i int) bool { return parts[i].before > from }) - 1
		if i < 0 || from >= parts[i].before+parts[i].n {
			return nil // no such place
		}
		if err := c.load(i); err != nil {
			return err
		}
		for end := min(to, parts[i].before+parts[i].n); from < end; from++ {
			e := &c.rows[from-parts[i].before]
			if err := do(e.Record, e.data(c.data)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Cursor) load(i int) error {
	if c.part == i {
		return nil
	}
	c.part = -1
	p := &c.r.parts[i]
	c.data, c.rows = slices.Grow(c.data[:0], int(p.bytes)), slices.Grow(c.rows[:0], int(p.n))
	for k := range p.lists {
		if err := c.r.chunks(&p.lists[k], func(rows []byte) error {
			c.data = append(c.data, rows...)
			return nil
		}); err != nil {
			return err
		}
	}
	var err error
	if c.rows, err = appendRows(c.rows, c.data, 0); err != nil {
		return err
	}
	if uint64(len(c.rows)) != p.n {
		return errDamaged
	}
	if c.r.first {
		c.rows = firstOf(c.rows)
	} else {
		sortRows(c.rows)
	}
	c.part = i
	return nil
}
