// SPDX-License-Identifier: Apache-2.0

// Package clocks codes the clocks, times and evaluations of a block of games. docs/FORMAT.md, "Codec 2", defines the
// bytes.
//
// A number becomes binary decisions, and a range coder codes each with the probability that three counters give it,
// which count the decisions before it in like circumstances. All is integers, so that every machine makes the same
// bytes.
package clocks

import (
	"math/bits"

	"ply11/bitstream/internal/rangecoder"
)

// Limit is the greatest clock, time and evaluation, and less it the least evaluation.
const Limit = 1 << 40

const (
	contexts = 1280
	nodes    = 64
	halves   = 1 << 15
	maxCount = 30
	maxBits  = 42 // of a number: the difference of two evaluations
	maxClass = 15 // the lengths that have decisions of their own
)

const (
	nodeZero  = 0
	nodeMinus = 1
	nodeLevel = 2 // the evaluation is 0.00
	// 30 for numbers above 0, then 30 for those below: the length is 1, 2 … 15 or more; then the second bit, by length
	nodeSigns = 4
	perSign   = 30
)

// cell is a counter: the probability of a 1 of 65,536, and how often it was asked, up to maxCount.
type cell struct{ p, n uint16 }

// rates are the shares of 65,536 by which a counter moves.
var rates = func() (r [32]uint32) {
	for n := range uint32(maxCount + 1) {
		r[n] = 65536 / (n + 2)
	}
	return r
}()

// Coder codes the numbers of one column of a block, or reads them: then its arguments do not matter, and it returns the
// numbers. It can be used again after Encode or Decode. It holds 1 MiB.
type Coder struct {
	reading bool
	bad     bool
	enc     rangecoder.Encoder
	dec     rangecoder.Decoder
	tables  [3][contexts * nodes]cell
	at      [3]*[nodes]cell // the counters of the number's circumstances

	clocks [3]series // by form; times are of one form each, too
	firsts [3]int64  // the first clocks of the last games that have any
	score  score
}

// Encode begins a column, whose bytes will be appended to dst.
func (c *Coder) Encode(dst []byte) {
	c.reset()
	c.reading = false
	c.enc.Reset(dst)
}

// Decode begins to read a column.
func (c *Coder) Decode(src []byte) {
	c.reset()
	c.reading = true
	c.dec.Reset(src)
}

func (c *Coder) reset() {
	for t := range c.tables {
		table := &c.tables[t]
		table[0] = cell{p: halves}
		for n := 1; n < len(table); n *= 2 {
			copy(table[n:], table[:n])
		}
	}
	c.bad, c.firsts = false, [3]int64{}
	c.Game()
}

func (c *Coder) Finish() []byte { return c.enc.Finish() }

// Ended reports whether all numbers are within the limits, and the bytes end where an encoder ends them: a column has
// one encoding.
func (c *Coder) Ended() bool { return !c.bad && c.dec.Ended() }

// Bad reports whether a number that was read is beyond the limits, or not as an encoder writes it.
func (c *Coder) Bad() bool { return c.bad }

func (c *Coder) in(a, b, d int) {
	for t, k := range [3]int{a, b, d} {
		c.at[t] = (*[nodes]cell)(c.tables[t][k*nodes:])
	}
}

func (c *Coder) bit(node int, b bool) bool {
	x, y, z := &c.at[0][node], &c.at[1][node], &c.at[2][node]
	p := (uint32(x.p) + uint32(y.p) + uint32(z.p)) / 3
	if c.reading {
		b = c.dec.Bit(p)
	} else {
		c.enc.Bit(p, b)
	}
	x.learn(b)
	y.learn(b)
	z.learn(b)
	return b
}

// learn moves a counter. It never comes to 0 or to 65,536.
func (l *cell) learn(b bool) {
	p, rate := uint32(l.p), rates[l.n%32]
	if b {
		p += (65536 - p) * rate >> 16
	} else {
		p -= p * rate >> 16
	}
	l.p = uint16(p)
	if l.n < maxCount {
		l.n++
	}
}

// number codes a number of at most maxBits bits, and its sign.
func (c *Coder) number(x int64) int64 {
	if c.bit(nodeZero, x == 0) {
		return 0
	}
	minus := c.bit(nodeMinus, x < 0)
	node, size := nodeSigns-1, uint64(x)
	if minus {
		node, size = node+perSign, uint64(-x)
	}
	length := bits.Len64(size)
	n := 1
	for ; n < maxBits && !c.bit(node+min(n, maxClass), n == length); n++ {
	}
	if n > 1 { // the second bit by its counters, the others as they are
		second := c.bit(node+maxClass+min(n, maxClass)-1, size>>(n-2)&1 != 0)
		rest := size & (1<<(n-2) - 1)
		if n > 2 {
			rest = c.plain(rest, n-2)
		}
		size = 1<<(n-1) | rest
		if second {
			size |= 1 << (n - 2)
		}
	} else {
		size = 1
	}
	if minus {
		return -int64(size)
	}
	return int64(size)
}

func (c *Coder) plain(v uint64, n int) uint64 {
	total := uint64(1) << n
	if !c.reading {
		c.enc.Encode(v, 1, total)
		return v
	}
	v, scale := c.dec.Target(total)
	if v >= total {
		c.bad, v = true, 0
	}
	c.dec.Take(v, 1, scale)
	return v
}

// step is the class of a number from 0 on: four to an octave. There are less than 160.
func step(v int64) int {
	if v < 4 {
		return int(v)
	}
	n := bits.Len64(uint64(v))
	return 4*(n-2) + int(v>>(n-3))&3
}

func length(v int64) int { return bits.Len64(uint64(v)) }

func abs(v int64) int64 { return max(v, -v) }
