// SPDX-License-Identifier: Apache-2.0

package polyglot

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"

	"ply11/game/codec"
	"ply11/position"
)

// Explain prints each entry of a book: offset, key, move, weight and learn, and, for the first 1,048,576 positions that
// the book's own moves reach from the usual start, the move's number, SAN and the position. It prints what is wrong in
// its place, and returns the first error of the output, or else of the book.
func (b *Book) Explain(w io.Writer) error {
	out := bufio.NewWriter(w)
	_, err := fmt.Fprintf(out, "%d entries\noffset    key               move        weight  learn\n", b.entries)
	known := b.positions(position.Start())
	var fault error
	offset := int64(-entrySize)
	for e, bad := range b.all() {
		offset += entrySize
		if err != nil {
			break
		}
		if bad != nil {
			fault = cmp.Or(fault, bad)
			if _, err = fmt.Fprintf(out, "error: %v\n", bad); errors.Is(bad, codec.ErrTruncated) {
				break
			}
		}
		where := ""
		if p, ok := known[e.key]; ok {
			if m, legal := e.move.in(&p); legal {
				where = fmt.Sprintf("  %s %s  in %s", p.MoveNumber(), p.AppendSAN(nil, m), p.FEN())
			} else {
				where = fmt.Sprintf("  not legal in %s", p.FEN())
				fault = cmp.Or[error](fault, entryError(offset/entrySize, position.ErrIllegal, e.move.String()))
			}
		}
		if err == nil {
			_, err = fmt.Fprintf(out, "%08x  %016x  %04x %-5s  %6d  %d%s\n", offset, e.key, uint16(e.move), e.move,
				e.weight, e.learn, where)
		}
	}
	return cmp.Or(err, out.Flush(), fault)
}

func (b *Book) positions(start position.Position) map[uint64]position.Position {
	known := map[uint64]position.Position{start.Hash(): start}
	queue := []position.Position{start}
	var moves []BookMove
	for n := 0; n < len(queue) && len(queue) < maxTreeMoves; n++ {
		p := queue[n]
		var err error
		if moves, err = b.Moves(moves[:0], &p); err != nil {
			break
		}
		for _, m := range moves {
			after := p
			after.Make(m.Move)
			if key := after.Hash(); known[key] == (position.Position{}) {
				known[key] = after
				queue = append(queue, after)
			}
		}
	}
	return known
}
