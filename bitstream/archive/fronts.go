// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"sync"
	"sync/atomic"
)

// Fronts keep what Readers have read and verified of blocks for searches: headers, where games begin, filters (of dense
// moves when a block is decoded to its end) and, from a second search on, tags, so that the next search neither reads
// nor verifies them. The zero value is empty. Several goroutines may use them.
//
// They take about 12 bytes a game, and at most 32 MiB: then blocks are forgotten at random. Tags take at most 32 MiB
// more; then no others are kept.
type Fronts struct {
	mu    sync.Mutex
	of    map[digest]*front // by the digest of the header, which has those of the columns
	games int               // of all, and frontGames for each
	tags  int               // bytes
}

const (
	mostFrontGames = 32 << 20 / 12
	frontGames     = 64 // that take as much as a header
	mostFrontTags  = 32 << 20
)

// front is what is known of a block. It does not change, but what is not known yet is added.
type front struct {
	in     *Fronts
	sum    digest
	head   head
	again  bool // tags were wanted
	tags   atomic.Pointer[[]byte]
	table  atomic.Pointer[tagTable]  // of tags
	index  atomic.Pointer[gameIndex] // of fixed moves
	filter atomic.Pointer[Filter]
}

// Keep makes Peek take what is kept of a block, and keep what it reads.
func (t *Reader) Keep(f *Fronts) { t.fronts = f }

func (f *Fronts) find(sum digest) *front {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.of[sum]
}

func (f *Fronts) add(sum digest, x *front) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil {
		f.of = map[digest]*front{}
	}
	if f.of[sum] != nil {
		return
	}
	f.of[sum] = x
	f.games += int(x.head.games) + frontGames
	for other, o := range f.of {
		if f.games <= mostFrontGames {
			break
		}
		delete(f.of, other)
		f.games -= int(o.head.games) + frontGames
		if tags := o.tags.Load(); tags != nil {
			f.tags -= len(*tags)
		}
	}
}

// loadFront makes b block number (from 1), of which it reads the front unless it is kept.
func (t *Reader) loadFront(b *Block, number int) (kept bool, err error) {
	e, err := t.locate(uint64(number-1), false)
	if err != nil {
		return false, err
	}
	x := t.fronts.find(e.sum)
	if x == nil || !x.head.is(e) {
		if err := t.load(b, number, true); err != nil {
			return false, err
		}
		b.front = &front{in: t.fronts, sum: e.sum, head: b.head}
		t.fronts.add(e.sum, b.front)
		return false, nil
	}
	b.reset()
	b.grow(int64(e.size))
	b.front, b.index = x, x.index.Load()
	b.head = x.head
	b.head.first = e.before.games + 1
	b.at, b.number, b.data = int64(e.at), number, b.buf[b.head.size:]
	return true, nil
}

// keepTags returns the column of tags that is kept, perhaps this one; else column.
func (x *front) keepTags(column []byte) []byte {
	f := x.in
	f.mu.Lock()
	defer f.mu.Unlock()
	if !x.again {
		x.again = true
	} else if f.tags+len(column) <= mostFrontTags && x.tags.Load() == nil && f.of[x.sum] == x {
		kept := bytes.Clone(column)
		x.tags.Store(&kept)
		f.tags += len(kept)
	}
	if kept := x.tags.Load(); kept != nil {
		return *kept
	}
	return column
}

// is reports whether a header that has the digest of an entry of the index is in its place.
func (h *head) is(e location) bool {
	return int(h.number) == e.before.blocks && ref{e.at, uint64(h.games), uint32(h.size) + h.data, h.front(),
		e.sum} == e.ref
}
