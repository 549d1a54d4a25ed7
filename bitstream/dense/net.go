// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"sync"

	"ply11/chess"
)

// neurons is how many values the net knows of a position.
const neurons = 96

// The net's rows of weights, one weight for each neuron. What a position has adds the rows of input; what a move is
// picks the rows of output.
const (
	// piecesAt: whose piece 2 (ours first), where its king stands 4, piece 8, square 64.
	piecesAt = 0
	// attackedAt: our piece 8, level of its square 4, square 64.
	attackedAt = piecesAt + 2*4*8*64
	// reachedAt: the enemy's piece 8, square 64, if our pieces guard it.
	reachedAt = attackedAt + 8*4*64
	// oppLastAt, ownLastAt: the last piece 8 and its target 64, as in the tables of reply and plan.
	oppLastAt = reachedAt + 8*64
	ownLastAt = oppLastAt + 8*64
	// phaseAt: phase 4.
	phaseAt = ownLastAt + 8*64
	// captureAt: the opponent's last move took a piece on its target.
	captureAt = phaseAt + 4
	numInputs = captureAt + 1

	// fromAt, toAt: piece 8, square 64.
	fromAt = 0
	toAt   = fromAt + 8*64
	// exchangeAt: as the table of tactic.
	exchangeAt = toAt + 8*64
	numOutputs = exchangeAt + circumstanceAt - tacticAt

	// maxInputs is how many inputs 32 pieces can have: themselves, each attacked or reached; the last moves; phase and
	// capture.
	maxInputs = 32 + 32 + 4
)

// A neuron is in units of 1/64; a product of it and an output is in 1/4096 of a bit, and netShift gives the tables'
// unit.
const netShift = 8

// net is the weights of the net. The lowest byte of a word is the first of eight.
type net struct {
	input  [numInputs][neurons / 8]uint64
	output [numOutputs][neurons / 8]uint64

	once   sync.Once
	packed []triple
}

// triple is a row in the form in which one multiplication makes three products. Values and weights, which are made
// positive, lie in opposite order, so that the second lane of the result is the sum of products.
type triple [neurons / 3]uint64

const tripleBits = 21

// triples returns the rows of output for weighGo.
func (w *net) triples() []triple {
	w.once.Do(func() {
		w.packed = make([]triple, numOutputs)
		for i := range w.output {
			for j := range neurons {
				x := uint64(weight(&w.output[i], j) + 128)
				w.packed[i][j/3] |= x << ((2 - j%3) * tripleBits)
			}
		}
	})
	return w.packed
}

// weight returns a row's weight of a neuron.
func weight(row *[neurons / 8]uint64, j int) int { return int(int8(row[j/8] >> (j % 8 * 8))) }

// dot is the product of values and the sum of two rows of positive weights. Eight products fit in their lanes: of the
// three the last is at most 8 x 3 x 127 x 510, below 2^21.
func (t *triple) dot(a, b *triple) (sum int32) {
	for i := 0; i < len(t); i += 8 {
		x, y, z := (*[8]uint64)(t[i:]), (*[8]uint64)(a[i:]), (*[8]uint64)(b[i:])
		lanes := x[0]*(y[0]+z[0]) + x[1]*(y[1]+z[1]) + x[2]*(y[2]+z[2]) + x[3]*(y[3]+z[3]) +
			x[4]*(y[4]+z[4]) + x[5]*(y[5]+z[5]) + x[6]*(y[6]+z[6]) + x[7]*(y[7]+z[7])
		sum += int32(lanes >> (2 * tripleBits) & (1<<tripleBits - 1))
	}
	return sum
}

// home is the class of a king's square, as its side sees it: 0 and 1 on the wings of the first rank (a to c, g and h),
// 2 between them, 3 elsewhere.
func home(s uint64) int {
	switch {
	case s >= 8:
		return 3
	case s < 3:
		return 0
	case s > 5:
		return 1
	}
	return 2
}

// sense lists the inputs of the position.
func (f *frame) sense(h *history) {
	p, v := f.p, &f.view
	us := p.Turn()
	them := us.Other()
	flip := int(v.flip)
	n := 0
	add := func(row int) {
		f.inputs[n] = uint16(row)
		n++
	}
	ours := piecesAt + home(uint64(p.KingSquare(us))^v.flip)*8*64
	theirs := piecesAt + 4*8*64 + home(uint64(p.KingSquare(them))^v.flip^56)*8*64
	attacked := v.levelLow | v.levelHigh
	for kind := chess.King; kind <= chess.Pawn; kind++ {
		k := int(kind)
		pieces := p.Pieces(us, kind)
		for b := pieces; b != 0; b &= b - 1 {
			add(ours + k*64 + int(b.First()) ^ flip)
		}
		for b := pieces & attacked; b != 0; b &= b - 1 {
			s := int(b.First())
			add(attackedAt + (k*4+int(v.levelLow>>s)&1|int(v.levelHigh>>s)&1<<1)*64 + s ^ flip)
		}
		pieces = p.Pieces(them, kind)
		for b := pieces; b != 0; b &= b - 1 {
			add(theirs + k*64 + int(b.First()) ^ flip)
		}
		for b := pieces & v.guarded; b != 0; b &= b - 1 {
			add(reachedAt + k*64 + int(b.First()) ^ flip)
		}
	}
	if l := &h.last[them]; l.piece != chess.NoKind {
		add(oppLastAt + int(l.piece)*64 + int(l.to) ^ flip)
	}
	if l := &h.last[us]; l.piece != chess.NoKind {
		add(ownLastAt + int(l.piece)*64 + int(l.to) ^ flip)
	}
	add(phaseAt + (f.promotion-promotionAt)/8)
	if v.capture != 0 {
		add(captureAt)
	}
	f.numInputs = n
}

// outputs returns the rows of a legal move, whose place in the table of tactic is given.
func (f *frame) outputs(m chess.Move, tactic int) [3]uint16 {
	piece, flip := uint16(tactic)>>9*64, uint16(f.view.flip)
	return [3]uint16{
		fromAt + piece + uint16(m.From()) ^ flip,
		toAt + piece + uint16(m.To()) ^ flip,
		exchangeAt + uint16(tactic),
	}
}
