// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"math/bits"

	"ply11/chess"
	"ply11/position"
)

// lc0History is the number of boards in lc0's planes.
const lc0History = 8

// past is a position with those before it.
type past struct {
	boards   [lc0History]position.Position // the position first
	n        int
	repeated uint8 // a bit for each that was there before
	// of a game with another start: its first board stands for those before
	filled bool
}

func (h *past) begin(start *position.Position) {
	h.n, h.repeated, h.filled = 0, 0, start.ToStandard() != usual
}

// push adds the next position, and whether it was there before.
func (h *past) push(p *position.Position, again bool) {
	copy(h.boards[1:], h.boards[:])
	h.boards[0] = *p
	h.n = min(h.n+1, lc0History)
	h.repeated <<= 1
	if again {
		h.repeated |= 1
	}
}

const lc0Boards = 13 * lc0History

// lc0Planes sets the planes of the boards: for each, P N B R Q K of the side to move and of the other, as the side to
// move sees them, and one that is full if the position was there before. Bit 0 is a1, or a8 for Black. docs/train.md
// defines them.
func (h *past) lc0Planes(list *[lc0Boards]uint64) {
	black := h.boards[0].Turn() == chess.Black
	for i := range h.n {
		pieces := (*[13]uint64)(list[13*i:])
		putPlanes((*[12]uint64)(pieces[:]), &h.boards[i], black)
		pieces[12] = -uint64(h.repeated >> i & 1)
	}
	if h.n == lc0History {
		return
	}
	if !h.filled {
		clear(list[13*h.n:])
		return
	}
	// Before, a pawn that just moved two squares was on its first.
	p := &h.boards[h.n-1]
	pieces := (*[13]uint64)(list[13*h.n:])
	*pieces = [13]uint64(list[13*(h.n-1):])
	if f := p.EnPassantFile(); f != 0 {
		from := uint64(1) << (f - 1 + 8)
		to := from << 16
		if p.Turn() == chess.White { // Black's pawn
			from, to = from<<40, from<<24
		}
		side := 0
		if black {
			from, to = bits.ReverseBytes64(from), bits.ReverseBytes64(to)
		}
		if (p.Turn() == chess.White) != black {
			side = 6
		}
		pieces[side] = pieces[side]&^to | from
	}
	for i := h.n + 1; i < lc0History; i++ {
		copy(list[13*i:], pieces[:])
	}
}

// lc0's planes with rights, side, clock, zeros, ones.
const (
	lc0Inputs     = 112
	lc0ClockPlane = 109
)

// lc0Inputs sets lc0's classical planes but for the clock, which is no plane of bits.
func (h *past) lc0Inputs(list *[lc0Inputs]uint64) {
	h.lc0Planes((*[lc0Boards]uint64)(list[:]))
	p := &h.boards[0]
	rights := p.Castling()
	if p.Turn() == chess.Black {
		rights = otherRights(rights)
	}
	for i, r := range rightsOrder {
		list[lc0Boards+i] = -uint64(rights >> r & 1)
	}
	list[108], list[lc0ClockPlane], list[110], list[111] = -uint64(p.Turn()), 0, 0, ^uint64(0)
}
