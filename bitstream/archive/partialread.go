// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"fmt"
	"io"

	"ply11/bitstream"
	"ply11/game"
	"ply11/moveindex"
)

// lineReader reads main lines of fixed moves in place.
type lineReader struct {
	number int // of the block whose front is there, from 1; 0 for none
	b      Block
	buf    []byte
}

// run is the words of a group of games of a block, which have a checksum: a result costs that, and not the digest of
// all moves.
type run struct {
	group int // from 1; 0 for none
	words []byte
	own   []byte // memory of words that are read
	first uint64 // the word that words begin with, or before it
}

// lineInPlace is MainLine that reads the front of the block and a group of games. ok is false where another way is
// better, or the only one.
func (t *Reader) lineInPlace(dst []moveindex.Index, n int) (_ []moveindex.Index, ok bool, err error) {
	defer guard(&err)
	if n <= 0 || n > t.stats.Games || t.loaded > 0 && t.b.has(n) {
		return dst, false, nil
	}
	l := &t.line
	if l.number == 0 || !l.b.has(n) {
		e, err := t.locate(uint64(n-1), true)
		if err != nil {
			return dst, false, err
		}
		number := e.before.blocks + 1
		if t.loaded > 0 && number == t.loaded+1 {
			return dst, false, nil // they are read in order
		}
		if l.number != number {
			if err := t.loadFront(number); err != nil {
				return dst, false, err
			}
		}
	}
	h := &l.b.head
	if !l.b.has(n) {
		return dst, false, nil
	}
	i := n - l.b.First()
	if l.b.run.group != i/indexGroup+1 {
		if h.dense || h.find(ColumnMoves) < 0 {
			return dst, false, nil
		}
		if _, err := l.b.column(columnIndex); err != nil {
			return dst, false, err
		}
		if l.b.run.group > 0 {
			return dst, false, nil // more of the block is wanted
		}
		if err := l.b.loadRun(t.r, i); err != nil {
			return dst, false, err
		}
	}
	start, length := l.b.index.game(i)
	bit := l.b.run.bit(start)
	words := make([]moveindex.Index, length)
	bitstream.Unpack(words, l.b.run.words, bit)
	if k := bitstream.StartSize(words[0]); k > 0 {
		if len(words) < k+2 {
			return dst, false, l.b.corrupt(ColumnMoves, i, "the game is too short")
		}
		words = words[k+1:]
	}
	words = words[:len(words)-1]
	for _, w := range words {
		if w >= moveindex.NumMoves && w != moveindex.Null {
			return dst, false, l.b.corrupt(ColumnMoves, i, "a main line holds what is no move")
		}
	}
	return append(dst, words...), true, nil
}

// loadFront reads the front of a block.
func (t *Reader) loadFront(number int) error {
	l := &t.line
	l.number = 0
	if err := t.front(&l.b, &l.buf, number, false); err != nil {
		return err
	}
	l.number = number
	return nil
}

// Peek is Block that reads the front of the block, and of the other columns each when it is first wanted. It is for
// searches that want few of them: in more reads, which cost little in a file of this machine. The block is valid until
// another is asked for by Peek or PeekTags.
func (t *Reader) Peek(n int) (_ *Block, err error) {
	defer guard(&err)
	if n <= 0 || n > t.blocks {
		return nil, fmt.Errorf("%w: block %d of %d", ErrNoGame, n, t.blocks)
	}
	b := &t.peeked
	b.byRuns = false // what it tells of is overwritten, whether or not all is read
	if err := t.front(b, &t.peekBuf, n, true); err != nil {
		return nil, err
	}
	b.src, b.have = t.r, append(b.have[:0], make([]bool, len(b.head.columns))...)
	for i := range b.head.columns {
		c := &b.head.columns[i]
		b.have[i] = c.offset+c.stored <= b.head.front()-uint32(b.head.size)
	}
	return b, nil
}

// PeekTags is Tags that reads the front of the block, its tags and the words of sixteen games, in a read of each, and
// not all of the block, unless that is here. It is for who wants the tags of a few games, of an archive far away.
func (t *Reader) PeekTags(n int, g *game.Game) (err error) {
	defer guard(&err)
	if n <= 0 || n > t.stats.Games {
		return fmt.Errorf("%w: %d of %d", ErrNoGame, n, t.stats.Games)
	}
	if t.loaded > 0 && t.b.has(n) {
		return t.b.Tags(n-t.b.First()+1, g)
	}
	b := &t.peeked
	if !b.byRuns || !b.has(n) {
		e, err := t.locate(uint64(n-1), true)
		if err != nil {
			return err
		}
		if b, err = t.Peek(e.before.blocks + 1); err != nil {
			return err
		}
		if !b.has(n) {
			return b.corrupt(columnIndex, -1, fmt.Sprintf("the index promises game %d here", n))
		}
		b.byRuns = true
	}
	if err = b.Tags(n-b.First()+1, g); err != nil {
		b.byRuns = false // a block keeps its errors, and the next read may do better
	}
	return err
}

// front makes b the block of a number, with its front in buf; whole tells that buf is to have room for all of it.
func (t *Reader) front(b *Block, buf *[]byte, number int, whole bool) error {
	e, err := t.locate(uint64(number-1), false)
	if err != nil {
		return err
	}
	at, all, size := int64(e.at), int64(e.size), int64(e.sub)
	fail := func(detail string) error {
		return &CorruptError{Part: "block", Block: number, Offset: at, Reason: detail, Err: ErrCorrupt}
	}
	if size > maxBlockHead+3*maxColumn {
		return fail("its front is too long")
	}
	n := size
	if whole {
		n = all
	}
	if int64(cap(*buf)) < n {
		*buf = make([]byte, n, n+n/4)
	}
	*buf = (*buf)[:n]
	read := (*buf)[:size]
	if _, err := t.r.ReadAt(read, at); err != nil && err != io.EOF {
		return err
	}
	head := headSize(read)
	if head == 0 || int64(head) > size {
		return fail("no block begins here")
	}
	b.reset()
	if err := b.head.decode(read[:head]); err != nil {
		return placed(err, number, at)
	}
	b.at, b.number, b.data = at, number, (*buf)[head:]
	if !t.fits(&b.head, e, read[:head]) {
		return fail("it is not the block that the index tells of")
	}
	return nil
}

// loadRun takes the words of the group of games in which game i (from 0) of the block is, and verifies their checksum.
// The block has moves, and its index is open. If the words are not here, r is the block's file.
func (b *Block) loadRun(r io.ReaderAt, i int) error {
	k := b.head.find(ColumnMoves)
	moves := b.head.columns[k]
	if int(moves.stored) != bitstream.PackedLen(int(b.head.words)) {
		return b.corrupt(ColumnMoves, -1, "the length is not that of the words")
	}
	b.run.group = 0
	first, end, want := b.index.run(i)
	from, to := runBytes(first, end)
	at := b.at + int64(b.head.size) + int64(moves.offset) + int64(from)
	if b.here(k) {
		b.run.words = b.data[int(moves.offset)+int(from) : int(moves.offset)+int(to)]
	} else {
		b.run.own = append(b.run.own[:0], make([]byte, to-from)...)
		b.run.words = b.run.own
		if _, err := r.ReadAt(b.run.words, at); err != nil && err != io.EOF {
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

// bit is where a word of the block stands in the words.
func (r *run) bit(word uint32) uint64 {
	return uint64(word)*moveindex.Bits - r.first*moveindex.Bits/8*8
}
