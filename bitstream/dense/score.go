// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"encoding/binary"

	"ply11/chess"
	"ply11/position"
)

//go:generate go run ./internal/asm -out score_amd64.s -stubs score_stub_amd64.go -pkg dense

// A choice is the moves of a position and their frequencies.
type choice struct {
	moves [maxMoves + 32]chess.Move // the null move comes last
	freq  [maxMoves + 32]uint32
	n     int                  // moves, with the null move
	total uint64               // of the frequencies that hold
	mixed [maxMoves + 1]uint64 // with the book

	scores [maxMoves + 32]int16 // sums of weights
}

// octave[x] is 2^16 halved x sixteenths of a time. It is written out, since no machine's floating point can be
// relied upon.
var octave = [16]uint32{65536, 62757, 60097, 57549, 55109, 52773, 50535, 48393,
	46341, 44376, 42495, 40693, 38968, 37316, 35734, 34219}

// exp2[x] is the frequency of a move whose score is x sixteenths of a bit below the best one's: 2^16
// halved every sixteen steps, rounded down, and at least 1.
var exp2 = func() (t [256]uint32) {
	for x := range t {
		t[x] = max(octave[x&15]>>(x>>4), 1)
	}
	return
}()

// setGo is set in Go. It takes 235 ns a position, of those of real games, against 125 ns by AVX2 and 55 ns by
// VBMI2; the coder spends some 210 ns a ply on all else.
func (c *choice) setGo(f *frame, w *[numWeights]int8) {
	n, best := c.score(f, w)
	var total uint64
	for j, s := range c.scores[:n] {
		f := exp2[min(uint32(best-int32(s)), 255)]
		c.freq[j] = f
		total += uint64(f)
	}
	c.end(n, total)
}

// end adds the null move after n moves.
func (c *choice) end(n int, total uint64) {
	c.moves[n], c.freq[n] = chess.NullMove, 1
	c.n, c.total = n+1, total+1
}

// interval returns a move's frequency and the sum of those before it; 0 where it is no choice.
func (c *choice) interval(m chess.Move, mixed bool) (cum, freq uint64) {
	if mixed {
		for j, f := range c.mixed[:c.n] {
			if c.moves[j] == m {
				return cum, f
			}
			cum += f
		}
		return 0, 0
	}
	for j, f := range c.freq[:c.n] {
		if c.moves[j] == m {
			return cum, uint64(f)
		}
		cum += uint64(f)
	}
	return 0, 0
}

// find returns the move in whose interval a number below total lies, and the interval.
func (c *choice) find(target uint64, mixed bool) (m chess.Move, cum, freq uint64) {
	if mixed {
		for j, f := range c.mixed[:c.n] {
			if cum+f > target {
				return c.moves[j], cum, f
			}
			cum += f
		}
	}
	for j, f := range c.freq[:c.n] {
		if cum+uint64(f) > target {
			return c.moves[j], cum, uint64(f)
		}
		cum += uint64(f)
	}
	return chess.NullMove, 0, 0 // not reached: target is below the sum
}

// score lists the legal moves, and sets each one's score to the sum of its weights, but for the weight of no
// promotion where none of them is one. It returns how many there are, and the largest score. This is
// features and the sum, with what the moves of one man share worked out once.
func (c *choice) score(f *frame, w *[numWeights]int8) (int, int32) {
	v := &f.view
	squares := f.squares()
	flip := uint(v.flip)
	n := uint(0)
	for i := range f.targets.Men[:f.targets.N] {
		g := &f.targets.Men[i]
		from, man := uint(g.From&63), uint(g.Kind&7)
		level := uint(v.levelLow>>from)&1 | uint(v.levelHigh>>from)&1<<1
		flags := uint(v.ownTo>>from)&1 | uint(v.lastAttacks>>from)&1<<1 | uint(v.capture)
		place := (*[64]int8)(w[uint(v.place)+(man*64+from^flip)*64:])
		reply := (*[64]int8)(w[uint(v.reply)+man*64:])
		plan := (*[64]int8)(w[uint(v.plan)+man*64:])
		tactic := (*[64]int8)(w[tacticAt+((man*4+level)*2+uint(v.guarded>>from)&1)*64:])
		circumstance := (*[64]int8)(w[circumstanceAt+(man*8+flags)*64:])
		guards, checks := v.guards[man], v.checks[man]
		for b := g.To; b != 0; b &= b - 1 {
			to := uint(b.First()) & 63
			x := uint(squares[to])
			c.moves[n&511] = chess.Move(from | to<<6)
			c.scores[n&511] = int16(place[(to^flip)&63]) + int16(reply[(to^flip)&63]) + int16(plan[(to^flip)&63]) +
				int16(tactic[x&0x3e|uint(guards>>to)&1]) +
				int16(circumstance[(x&0x38|x>>6|uint(checks>>to)&1<<2)&63])
			n++
		}
	}
	if f.promotes {
		n = c.promote(f.p, w[f.promotion:][:8], n)
	}
	best := int16(-1 << 15)
	for _, s := range c.scores[:n] {
		best = max(best, s)
	}
	return int(n), int32(best)
}

// squares returns, by square, what of the indices into the tables of tactic and circumstance does not
// depend on the man who goes there: in bits 3 to 5 the man taken, in bits 1 and 2 the level, in bits 6 and 7
// the circumstance's flags but for the check. Sets are transposed into bytes, since a test of each set for
// each move needs more registers than there are: a position takes 226 ns so, and 243 with the tests.
func (f *frame) squares() (t [64]uint8) {
	v := &f.view
	x1, x2, x3 := uint64(v.levelLow), uint64(v.levelHigh), uint64(v.taken[0])
	x4, x5, x6, x7 := uint64(v.taken[1]), uint64(v.taken[2]), uint64(v.oppTo), uint64(v.ownFrom)
	for r := 0; r < 64; r += 8 {
		y := x1&0xff<<8 | x2&0xff<<16 | x3&0xff<<24 | x4&0xff<<32 | x5&0xff<<40 | x6&0xff<<48 | x7<<56
		x1, x2, x3, x4, x5, x6, x7 = x1>>8, x2>>8, x3>>8, x4>>8, x5>>8, x6>>8, x7>>8
		d := (y ^ y>>7) & 0x00aa00aa00aa00aa
		y ^= d ^ d<<7
		d = (y ^ y>>14) & 0x0000cccc0000cccc
		y ^= d ^ d<<14
		d = (y ^ y>>28) & 0x00000000f0f0f0f0
		binary.LittleEndian.PutUint64(t[r:], y^d^d<<28)
	}
	return
}

// promote makes four moves of each of the n that is a pawn's to its last rank, and adds the weights of the
// promotions. It returns how many there are then.
func (c *choice) promote(p *position.Position, weights []int8, n uint) uint {
	promotes := func(m chess.Move) bool {
		return (m.To() < 8 || m.To() >= 56) && p.PieceAt(m.From()).Kind() == chess.Pawn
	}
	all := n
	for _, m := range c.moves[:n] {
		if promotes(m) {
			all += 3
		}
	}
	at := all
	for at > 0 && n > 0 { // from the last, each to where it is or to the right of it
		n--
		m, s := c.moves[n], c.scores[n]
		if !promotes(m) {
			at--
			c.moves[at], c.scores[at] = m, s+int16(weights[0])
			continue
		}
		for code := 7; code >= 4; code-- {
			at--
			c.moves[at], c.scores[at] = m|chess.Move(code<<12), s+int16(weights[code])
		}
	}
	return all
}
