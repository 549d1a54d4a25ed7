// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"encoding/binary"
	"slices"

	"ply11/chess"
	"ply11/position"
)

//go:generate go run ./internal/asm -out score_amd64.s -pkg dense

// A choice is the moves of a position and their frequencies.
type choice struct {
	moves [maxMoves + 32]chess.Move // the null move comes last
	freq  [maxMoves + 32]uint32
	n     int                  // moves, with the null move
	total uint64               // of the frequencies that hold
	mixed [maxMoves + 1]uint64 // with the book

	scores  [maxMoves + 32]int16  // sums of weights, and then what the net says, too
	tactics [maxMoves + 32]uint16 // places in the table of tactic
	neurons [neurons]uint8
}

// octave[x] is 2^16 halved x sixteenths of a time, written out because machines differ in floating point.
var octave = [16]uint32{65536, 62757, 60097, 57549, 55109, 52773, 50535, 48393,
	46341, 44376, 42495, 40693, 38968, 37316, 35734, 34219}

// exp2[x] is the frequency of a move whose score is x sixteenths of a bit below the best one's: 2^16 halved every
// sixteen steps, rounded down, and at least 1.
var exp2 = func() (t [256]uint32) {
	for x := range t {
		t[x] = max(octave[x&15]>>(x>>4), 1)
	}
	return
}()

// set lists the moves of the position of f, and their frequencies, in the order of position.Targets: by piece, then by
// target, a promotion's by knight, bishop, rook, queen; then comes the null move.
func (c *choice) set(f *frame, m *model) {
	n := c.list(f, &m.tables)
	c.moves[n], c.freq[n] = chess.NullMove, 1
	c.n, c.total = n+1, 1
	if n > 0 {
		c.sense(f, &m.net)
		c.weigh(f, &m.net, n)
		c.total += c.frequencies(n)
	}
}

// senseGo sets the neurons, in Go. Each word of a row is eight weights, which are made positive. Of four words at a
// time it sums, in registers, every second weight in lanes of 16 bits, and all but the lowest as they stand: the others
// are the difference.
func (c *choice) senseGo(f *frame, w *net) {
	const positive, lanes = 0x8080808080808080, 0x00ff00ff00ff00ff
	bias := 128 * uint64(f.numInputs)
	for j := 0; j < neurons/8; j += 4 {
		var even, rest [4]uint64
		for _, i := range f.inputs[:f.numInputs] {
			row := (*[4]uint64)(w.input[i][j:])
			x0, x1, x2, x3 := row[0]^positive, row[1]^positive, row[2]^positive, row[3]^positive
			even[0] += x0 & lanes
			even[1] += x1 & lanes
			even[2] += x2 & lanes
			even[3] += x3 & lanes
			rest[0] += x0 >> 8
			rest[1] += x1 >> 8
			rest[2] += x2 >> 8
			rest[3] += x3 >> 8
		}
		for k, e := range even {
			odd := rest[k] - e>>16<<8
			binary.LittleEndian.PutUint64(c.neurons[8*(j+k):], clamp(e, bias)|clamp(odd, bias)<<8)
		}
	}
}

// clamp subtracts bias from four lanes, of 16 bits each, and makes what is beyond 0 to 127 the nearer of the two.
func clamp(x, bias uint64) uint64 {
	const ones = 0x0001000100010001
	x += (0x8000 - bias) * ones // the highest bit of a lane tells that it is not negative
	x &= x >> 15 & ones * 0x7fff
	over := (x + (0x7fff-127)*ones) >> 15 & ones * 0x7f
	return (x | over) & (ones * 0x7f)
}

// weighGo adds what the net says to the scores of n moves, in Go.
func (c *choice) weighGo(f *frame, w *net, n int) {
	rows := w.triples()
	var values triple
	bias := int32(0)
	for j := range values {
		x, y, z := c.neurons[3*j], c.neurons[3*j+1], c.neurons[3*j+2]
		values[j] = uint64(x) | uint64(y)<<tripleBits | uint64(z)<<(2*tripleBits)
		bias += 128 * (int32(x) + int32(y) + int32(z))
	}
	last, from := uint16(0xffff), int32(0)
	for j, m := range c.moves[:n] {
		r := f.outputs(m, int(c.tactics[j]))
		if r[0] != last {
			last, from = r[0], values.dot(&rows[r[0]], new(triple))
		}
		c.scores[j] += int16((from + values.dot(&rows[r[1]], &rows[r[2]]) - 3*bias) >> netShift)
	}
}

// frequenciesGo sets the frequencies of n moves from their scores, and returns their sum, in Go.
func (c *choice) frequenciesGo(n int) (total uint64) {
	best := int32(slices.Max(c.scores[:n]))
	for j, s := range c.scores[:n] {
		f := exp2[min(uint32(best-int32(s)), 255)]
		c.freq[j] = f
		total += uint64(f)
	}
	return total
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

// list lists the legal moves with their places in the table of tactic, sets each score to the sum of its weights in the
// tables (but for the weight of no promotion where no move is one), and returns how many there are. This is features
// and the sum, with what the moves of one piece share worked out once.
func (c *choice) list(f *frame, w *[numWeights]int8) int {
	v := &f.view
	squares := f.squares()
	flip := uint(v.flip)
	n := uint(0)
	for i := range f.targets.Pieces[:f.targets.N] {
		g := &f.targets.Pieces[i]
		from, piece := uint(g.From&63), uint(g.Kind&7)
		level := uint(v.levelLow>>from)&1 | uint(v.levelHigh>>from)&1<<1
		flags := uint(v.ownTo>>from)&1 | uint(v.lastAttacks>>from)&1<<1 | uint(v.capture)
		place := (*[64]int8)(w[uint(v.place)+(piece*64+from^flip)*64:])
		reply := (*[64]int8)(w[uint(v.reply)+piece*64:])
		plan := (*[64]int8)(w[uint(v.plan)+piece*64:])
		first := ((piece*4+level)*2 + uint(v.guarded>>from)&1) * 64
		tactic := (*[64]int8)(w[tacticAt+first:])
		circumstance := (*[64]int8)(w[circumstanceAt+(piece*8+flags)*64:])
		guards, checks := v.guards[piece], v.checks[piece]
		for b := g.To; b != 0; b &= b - 1 {
			to := uint(b.First()) & 63
			x := uint(squares[to])
			exchange := x&0x3e | uint(guards>>to)&1
			c.moves[n&511] = chess.Move(from | to<<6)
			c.tactics[n&511] = uint16(first + exchange)
			c.scores[n&511] = int16(place[(to^flip)&63]) + int16(reply[(to^flip)&63]) + int16(plan[(to^flip)&63]) +
				int16(tactic[exchange]) +
				int16(circumstance[(x&0x38|x>>6|uint(checks>>to)&1<<2)&63])
			n++
		}
	}
	if f.promotes {
		n = c.promote(f.p, w[f.promotion:][:8], n)
	}
	return int(n)
}

// squares returns, by square, the part of the indices into the tables of tactic and circumstance that does not depend
// on the moving piece: in bits 3 to 5 the piece taken, in bits 1 and 2 the level, in bits 6 and 7 the circumstance's
// flags without the check. Sets are transposed into bytes, since a test of each set for each move needs more registers
// than there are.
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

// promote makes four moves of each of the n that takes a pawn to its last rank, adds the weights of the promotions, and
// returns how many there are then.
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
		m, s, t := c.moves[n], c.scores[n], c.tactics[n]
		if !promotes(m) {
			at--
			c.moves[at], c.scores[at], c.tactics[at] = m, s+int16(weights[0]), t
			continue
		}
		for code := 7; code >= 4; code-- {
			at--
			c.moves[at], c.scores[at], c.tactics[at] = m|chess.Move(code<<12), s+int16(weights[code]), t
		}
	}
	return all
}
