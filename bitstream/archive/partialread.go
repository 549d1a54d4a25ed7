// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"fmt"
	"io"

	"ply11/bitstream"
	"ply11/game"
	"ply11/moveindex"
)

// run is the words of a group of games of a block, which have a checksum: a result costs that, and not the digest of
// all moves.
type run struct {
	group int // from 1; 0 for none
	words []byte
	own   []byte // memory of words that are read
	first uint64 // the word that words begin with, or before it
}

// Peek is Block that reads the front of the block, and of the other columns each when it is first wanted. It is for
// searches that want few of them: in more reads, which cost little in a file of this machine. The block is valid until
// Peek, PeekTags or MainLine is called again.
func (t *Reader) Peek(n int) (_ *Block, err error) {
	defer guard(&err)
	if n <= 0 || n > t.blocks {
		return nil, fmt.Errorf("%w: block %d of %d", ErrNoGame, n, t.blocks)
	}
	b := &t.peeked
	b.byRuns = false // what it tells of is overwritten, whether or not all is read
	if err := t.load(b, &t.peekBuf, n, true); err != nil {
		return nil, err
	}
	b.src, b.have = t.r, append(b.have[:0], make([]bool, len(b.head.columns))...)
	for i := range b.head.columns {
		c := &b.head.columns[i]
		b.have[i] = c.offset+c.stored <= b.head.front()-uint32(b.head.size)
	}
	return b, nil
}

// peekGame is Peek of the block that has game n (from 1), of whose moves the words of a group of games are read.
func (t *Reader) peekGame(n int) (*Block, error) {
	b := &t.peeked
	if b.byRuns && b.has(n) {
		return b, nil
	}
	e, err := t.locate(uint64(n-1), true)
	if err != nil {
		return nil, err
	}
	if b, err = t.Peek(e.before.blocks + 1); err != nil {
		return nil, err
	}
	if !b.has(n) {
		return nil, b.corrupt(columnIndex, -1, fmt.Sprintf("the index promises game %d here", n))
	}
	b.byRuns = true
	return b, nil
}

// lineInPlace is MainLine that reads the front of the block and a group of games. ok is false where another way is
// better, or the only one.
func (t *Reader) lineInPlace(dst []moveindex.Index, n int) (_ []moveindex.Index, ok bool, err error) {
	defer guard(&err)
	if n <= 0 || n > t.stats.Games {
		return dst, false, nil
	}
	if t.loaded > 0 {
		if e, err := t.locate(uint64(n-1), true); err != nil || e.before.blocks == t.loaded-1 ||
			e.before.blocks == t.loaded {
			return dst, false, err // the block is here, or they are read in order
		}
	}
	b, err := t.peekGame(n)
	if err != nil {
		return dst, false, err
	}
	i := n - b.First()
	if b.head.dense || b.head.find(ColumnMoves) < 0 || b.run.group > 0 && b.run.group != i/indexGroup+1 {
		return dst, false, nil // more of the block is wanted
	}
	defer func() { b.byRuns = err == nil }() // a block keeps its errors, and the next read may do better
	if _, err := b.column(columnIndex); err != nil {
		return dst, false, err
	}
	if b.run.group == 0 {
		if err := b.loadRun(i); err != nil {
			return dst, false, err
		}
	}
	start, length := b.index.game(i)
	words := make([]moveindex.Index, length)
	bitstream.Unpack(words, b.run.words, b.run.bit(start))
	if k := bitstream.StartSize(words[0]); k > 0 {
		if len(words) < k+2 {
			return dst, false, b.corrupt(ColumnMoves, i, "the game is too short")
		}
		words = words[k+1:]
	}
	words = words[:len(words)-1]
	for _, w := range words {
		if w >= moveindex.NumMoves && w != moveindex.Null {
			return dst, false, b.corrupt(ColumnMoves, i, "a main line holds what is no move")
		}
	}
	return append(dst, words...), true, nil
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
	b, err := t.peekGame(n)
	if err == nil {
		err = b.Tags(n-b.First()+1, g)
		b.byRuns = err == nil // a block keeps its errors, and the next read may do better
	}
	return err
}

// loadRun takes the words of the group of games in which game i (from 0) of the block is, and verifies their checksum.
// The block has moves, and its index is open.
func (b *Block) loadRun(i int) error {
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
		if _, err := b.src.ReadAt(b.run.words, at); err != nil && err != io.EOF {
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
