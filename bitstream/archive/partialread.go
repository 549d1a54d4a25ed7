// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"fmt"

	"ply11/bitstream"
	"ply11/game"
	"ply11/moveindex"
)

// run is the words of a group of games of a block, which have a checksum of their own.
type run struct {
	group int // from 1; 0 for none
	words []byte
	own   []byte
	first uint64 // the word that words begin with, or before it
}

// Peek is Block that reads the front of the block, and each other column when it is first wanted. It is for searches
// that want few of them. Fixed moves are verified sixteen games at a time, by the checksums in the index, when one of
// the games is first wanted, unless MoveColumn is. The block is valid until Peek, PeekTags or MainLine is called again.
func (t *Reader) Peek(n int) (_ *Block, err error) {
	defer guard(&err)
	if err := t.hasBlock(n); err != nil {
		return nil, err
	}
	b := &t.peeked
	b.byRuns = false // what it has is overwritten, whether or not all is read
	kept := false
	if t.fronts == nil {
		err = t.load(b, n, true)
	} else {
		kept, err = t.loadFront(b, n)
	}
	if err != nil {
		return nil, err
	}
	b.src, b.have = t.r, append(b.have[:0], make([]bool, len(b.head.columns))...)
	for i := range b.head.columns {
		b.have[i] = !kept && b.head.columns[i].kind.rank() <= columnGames.rank()
	}
	return b, nil
}

// glance returns the block that has game n (from 1), and its number there. It reads the front, and of moves the words
// of a group of games, unless the block is here.
func (t *Reader) glance(n int) (*Block, int, error) {
	if err := hasGame(n, t.Len()); err != nil {
		return nil, 0, err
	}
	b := &t.peeked
	if t.loaded > 0 && t.b.has(n) {
		b = &t.b
	} else if !b.byRuns || !b.has(n) {
		e, err := t.locate(uint64(n-1), true)
		if err != nil {
			return nil, 0, err
		}
		if _, err := t.Peek(e.before.blocks + 1); err != nil {
			return nil, 0, err
		}
		if !b.has(n) {
			return nil, 0, b.corrupt(columnIndex, -1, fmt.Sprintf("the index promises game %d here", n))
		}
		b.byRuns = true
	}
	return b, n - b.First() + 1, nil
}

// Few makes a block of Peek read the words of sixteen games at a time, and not of all: eight reads take as long.
func (b *Block) Few() { b.byRuns = true }

// glanced keeps a block of glance for the next call, unless there was an error: a block keeps its errors, and the next
// read may do better.
func (b *Block) glanced(err *error) { b.byRuns = b.byRuns && *err == nil }

// MainLine appends the main line of game n (from 1) to dst: see Block.MainLine. Of fixed moves it reads the index, the
// front of the block and the words of sixteen games, until it is asked for other games of the block.
func (t *Reader) MainLine(dst []moveindex.Index, n int) (_ []moveindex.Index, err error) {
	defer guard(&err)
	if next := t.loaded > 0 && n == t.b.First()+t.b.Len(); !next { // they are not read in order
		b, i, err := t.glance(n)
		if err != nil {
			return dst, err
		}
		if b == &t.b || !b.head.dense && (b.run.group == 0 || b.run.group == (i-1)/indexGroup+1) {
			defer b.glanced(&err)
			dst, err = b.MainLine(dst, i)
			return dst, err
		}
	}
	b, i, err := t.Find(n)
	if err != nil {
		return dst, err
	}
	return b.MainLine(dst, i)
}

// PeekTags is Tags that reads the front of the block, its tags and the words of sixteen games, unless the block is
// here. It is for the tags of a few games of an archive far away.
func (t *Reader) PeekTags(n int, g *game.Game) (err error) {
	defer guard(&err)
	b, i, err := t.glance(n)
	if err != nil {
		return err
	}
	defer b.glanced(&err)
	return b.Tags(i, g)
}

// loadRun takes the words of the group of game i (from 0), and verifies their checksum. The index is open.
func (b *Block) loadRun(i int) error {
	k := b.head.find(ColumnMoves)
	if k < 0 {
		return b.corrupt(ColumnMoves, -1, "the length is not that of the words")
	}
	moves := b.head.columns[k]
	if int(moves.stored) != bitstream.PackedLen(int(b.head.words)) {
		return b.corrupt(ColumnMoves, -1, "the length is not that of the words")
	}
	b.run.group = 0
	first, end, want := b.index.run(i)
	from, to := runBytes(first, end)
	at := b.at + int64(b.head.size) + int64(moves.offset) + int64(from)
	if b.here(k) || !b.byRuns {
		stored, err := b.fetch(k)
		if err != nil {
			return err
		}
		b.run.words = stored[from:to]
	} else {
		b.run.own = append(b.run.own[:0], make([]byte, to-from)...)
		b.run.words = b.run.own
		if err := readAt(b.src, b.run.words, at); err != nil {
			return err
		}
	}
	if got := checksum(b.run.words); got != want {
		return &CorruptError{Part: ColumnMoves.String(), Block: b.number, Offset: at, Game: b.First() + i, Want: want,
			Got: got, Err: ErrCorrupt}
	}
	b.run.group, b.run.first = i/indexGroup+1, first
	return nil
}

func (r *run) bit(word uint32) uint64 {
	return uint64(word)*moveindex.Bits - r.first*moveindex.Bits/8*8
}
