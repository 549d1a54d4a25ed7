// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"math/bits"

	"ply11/chess"
)

// maxCount is the largest number of games that a node counts. Beyond it, all its counts are halved, rounding up.
const maxCount = 1023

// A book says how often each move was played in a position, by the position's Polyglot hash. Two positions of one hash
// share a node; coder and decoder see the same node, so nothing breaks.
type book struct {
	slots   []node // open addressing; the number of slots is a power of two
	epoch   uint32 // slots of another epoch are free, so that reset costs nothing
	shift   uint   // the slot of a hash is its high bits
	n       int    // nodes
	entries []entry
}

// node is a position: how many games passed it, and the list of its moves. It lies in the slot itself, since each step
// to another array waits for memory.
type node struct {
	hash         uint64
	epoch        uint32
	first        uint32 // its newest entry + 1
	total, moves uint32
}

type entry struct {
	next  uint32 // entry + 1
	count uint16
	move  chess.Move
}

// init makes room for n nodes, at less than half load.
func (b *book) init(n int) {
	width := max(bits.Len(uint(2*n)), 1)
	*b = book{slots: make([]node, 1<<width), epoch: 1, shift: 64 - uint(width)}
}

// reset forgets all nodes.
func (b *book) reset() {
	b.n, b.entries = 0, b.entries[:0]
	if b.epoch++; b.epoch == 0 {
		clear(b.slots)
		b.epoch = 1
	}
}

// find returns the node of a hash, or the free slot in which it belongs.
func (b *book) find(hash uint64) (*node, bool) {
	for i := hash >> b.shift; ; i++ {
		d := &b.slots[i&uint64(len(b.slots)-1)]
		if d.epoch != b.epoch {
			return d, false
		}
		if d.hash == hash {
			return d, true
		}
	}
}

// insert returns the node of a hash, a new and empty one if there was none.
func (b *book) insert(hash uint64) *node {
	d, ok := b.find(hash)
	if !ok {
		*d = node{hash: hash, epoch: b.epoch}
		b.n++
	}
	return d
}

// add counts a move n times.
func (b *book) add(d *node, m chess.Move, n uint32) {
	d.total += n
	at := d.first
	for at != 0 && b.entries[at-1].move != m {
		at = b.entries[at-1].next
	}
	if at == 0 {
		b.entries = append(b.entries, entry{next: d.first, move: m})
		d.first = uint32(len(b.entries))
		d.moves++
		at = d.first
	}
	b.entries[at-1].count += uint16(n)
	if d.total <= maxCount {
		return
	}
	d.total = 0
	for at := d.first; at != 0; at = b.entries[at-1].next {
		e := &b.entries[at-1]
		e.count = (e.count + 1) / 2
		d.total += uint32(e.count)
	}
}

// copyNode copies a node of another book into an empty one of this, its moves in the same order.
func (b *book) copyNode(d *node, other *book, from *node) {
	d.total, d.moves = from.total, from.moves
	if from.first != 0 {
		d.first = uint32(len(b.entries)) + 1
	}
	for at := from.first; at != 0; at = other.entries[at-1].next {
		e := other.entries[at-1]
		if e.next != 0 {
			e.next = uint32(len(b.entries)) + 2 // the one that follows
		}
		b.entries = append(b.entries, e)
	}
}
