// SPDX-License-Identifier: Apache-2.0

package position

import (
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"ply11/chess"
)

// Perft returns the number of sequences of depth legal moves from the position: the usual test
// of a move generator. Depth 0 or less is 1. The last move is counted, not made.
func (p *Position) Perft(depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	if depth == 1 {
		return uint64(p.CountLegal())
	}
	var buf [256]chess.Move
	var n uint64
	for _, m := range p.LegalMoves(buf[:0]) {
		q := *p
		q.Make(m)
		n += q.Perft(depth - 1)
	}
	return n
}

// ParallelPerft is Perft on the given number of goroutines; less than 2 is Perft. The work is
// split by the first two moves.
func (p *Position) ParallelPerft(depth, goroutines int) uint64 {
	if depth < 4 || goroutines < 2 {
		return p.Perft(depth)
	}
	var jobs []Position
	var first, second [256]chess.Move
	for _, m := range p.LegalMoves(first[:0]) {
		q := *p
		q.Make(m)
		for _, m := range q.LegalMoves(second[:0]) {
			r := q
			r.Make(m)
			jobs = append(jobs, r)
		}
	}
	var total atomic.Uint64
	var group errgroup.Group
	group.SetLimit(goroutines)
	for i := range jobs {
		group.Go(func() error {
			total.Add(jobs[i].Perft(depth - 2))
			return nil
		})
	}
	group.Wait()
	return total.Load()
}

// MoveCount is a move and the number of sequences that begin with it.
type MoveCount struct {
	Move  chess.Move
	Count uint64
}

// Divide returns Perft(depth) by its first move, to find where two generators differ.
func (p *Position) Divide(depth int) []MoveCount {
	if depth < 1 {
		return nil
	}
	var list []MoveCount
	for _, m := range p.LegalMoves(nil) {
		q := *p
		q.Make(m)
		list = append(list, MoveCount{m, q.Perft(depth - 1)})
	}
	return list
}
