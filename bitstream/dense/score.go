// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"ply11/moveindex"
)

//go:generate go run ./internal/asm -out score_amd64.s -stubs score_stub_amd64.go -pkg dense

// A choice is the moves of a position and their frequencies.
type choice struct {
	moves [maxMoves + 32]moveindex.Move // the null move comes last
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

// setGo is set in Go.
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
	c.moves[n], c.freq[n] = moveindex.NullMove, 1
	c.n, c.total = n+1, total+1
}

// interval returns a move's frequency and the sum of those before it; 0 where it is no choice.
func (c *choice) interval(m moveindex.Move, mixed bool) (cum, freq uint64) {
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
func (c *choice) find(target uint64, mixed bool) (m moveindex.Move, cum, freq uint64) {
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
	return moveindex.NullMove, 0, 0 // not reached: target is below the sum
}

// score lists the legal moves, and sets each one's score to the sum of its weights. It returns how many
// there are, and the largest score. This is features and the sum, with what the moves of one man
// share worked out once.
func (c *choice) score(f *frame, w *[numWeights]int8) (int, int32) {
	v := &f.view
	best := int32(-1 << 30)
	n := 0
	promotions := w[f.promotion : f.promotion+8 : f.promotion+8]
	none := int32(promotions[0])
	flip := int(v.flip)
	low, high, oppTo, ownFrom := v.levelLow, v.levelHigh, v.oppTo, v.ownFrom
	theirs := v.taken[0] | v.taken[1] | v.taken[2]
	for i := range f.targets.Men[:f.targets.N] {
		g := &f.targets.Men[i]
		from, man := int(g.From&63), int(g.Kind&7)
		place := w[int(v.place)+(man*64+from^flip)*64:][:64]
		reply := w[int(v.reply)+man*64:][:64]
		plan := w[int(v.plan)+man*64:][:64]
		level := int(low>>from)&1 | int(high>>from)&1<<1
		tactic := w[tacticAt+((man*4+level)*2+int(v.guarded>>from)&1)*64:][:64]
		circumstance := w[circumstanceAt+(man*8+int(v.ownTo>>from)&1|int(v.lastAttacks>>from)&1<<1|int(v.capture))*64:][:64]
		checks, guard := v.checks[man], v.guards[man]
		for b := g.To; b != 0 && n < maxMoves; b &= b - 1 {
			to := int(b.First() & 63)
			seen := (to ^ flip) & 63
			taken := 0
			if theirs>>to&1 != 0 {
				taken = int(f.p.PieceAt(moveindex.Square(to))&7) << 3
			}
			s := none + int32(place[seen]) + int32(reply[seen]) + int32(plan[seen]) +
				int32(tactic[(taken|int(low>>to)&1<<1|int(high>>to)&1<<2|int(guard>>to)&1)&63]) +
				int32(circumstance[(taken|int(oppTo>>to)&1|int(ownFrom>>to)&1<<1|int(checks>>to)&1<<2)&63])
			move := moveindex.Move(from | to<<6)
			if man == int(moveindex.Pawn) && uint(to-8) >= 48 {
				for code := 4; code < 8 && n < maxMoves; code++ {
					score := s - none + int32(promotions[code])
					c.moves[n], c.scores[n] = move|moveindex.Move(code<<12), int16(score)
					best = max(best, score)
					n++
				}
				continue
			}
			c.moves[n&511], c.scores[n&511] = move, int16(s)
			best = max(best, s)
			n++
		}
	}
	return n, best
}
