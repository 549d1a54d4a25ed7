// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"ply11/bitstream"
	"ply11/moveindex"
	"ply11/position"
)

// appendWords appends all words of MoveColumn to dst.
//
// Cost: under 0.2 ns a word (see BenchmarkReadIndices).
func (b *Block) appendWords(dst []moveindex.Index) (_ []moveindex.Index, err error) {
	defer guard(&err)
	if b.head.dense && b.Len() > 0 {
		if err := b.decode(b.Len() - 1); err != nil {
			return dst, err
		}
		return append(dst, b.coded.words...), nil
	}
	moves, err := b.column(ColumnMoves)
	if err != nil {
		return dst, err
	}
	at, n := len(dst), b.Words()
	if cap(dst)-at < n {
		dst = append(dst, make([]moveindex.Index, n)...)
	} else {
		dst = dst[:at+n]
	}
	bitstream.Unpack(dst[at:], moves, 0)
	return dst, nil
}

// Replay calls yield with each position of the main lines of the block: of its game n (from 1), the one after ply
// plies, from 0. The position must not be kept or changed. When yield returns false, the next game comes. Moves are not
// verified, as a writer stored legal ones.
//
// Cost: about 10 ns a ply (see BenchmarkReadPositions).
func (b *Block) Replay(yield func(n, ply int, p *position.Position) bool) (err error) {
	if b.all, err = b.appendWords(b.all[:0]); err != nil { // it guards; after it, yield alone may panic
		return err
	}
	for i := range b.Len() {
		start, n, err := b.span(i)
		if err != nil {
			return err
		}
		words, line, err := b.split(i, b.all[start:start+n])
		if err != nil {
			return err
		}
		p, err := b.startOf(ColumnMoves, i, words)
		if err != nil {
			return err
		}
		if !yield(i+1, 0, &p) {
			continue
		}
		for k, w := range line {
			if w > moveindex.Null || w >= moveindex.NumMoves && w != moveindex.Null {
				return b.corrupt(ColumnMoves, i, "a main line holds what is no move")
			}
			p.MakeIndex(w)
			if !yield(i+1, k+1, &p) {
				break
			}
		}
	}
	return nil
}
