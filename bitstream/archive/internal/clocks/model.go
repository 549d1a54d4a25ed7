// SPDX-License-Identifier: Apache-2.0

package clocks

// series is what is known of the clocks of a form in a game, or of its times.
type series struct {
	n       int
	first   int64    // the first of the game
	last    [2]int64 // the last but one, and the last
	average [2]int64 // sixteen times what was spent lately, by turns
	gain    int64    // the greatest gain of a clock: the increment, or nearly
}

// score is what is known of the evaluations of a game.
type score struct {
	n       int   // how many there were, with mates
	last    int64 // in hundredths
	change  int64 // the last change, as the side that moved sees it
	average int64 // sixteen times the size of changes lately
	level   int   // which of the last three are 0.00, a bit each
	mate    int64 // the last mate
	mated   int   // 1 if the last evaluation was a mate
}

func (c *Coder) Game() {
	c.clocks = [3]series{}
	c.score = score{average: 16 * 20}
}

// Clock codes a clock of a form, 0 to 2, as its difference from the one before it of the same side: the second last of
// the game; of the second, the first; of the first, that of the last game.
func (c *Coder) Clock(form int, v int64) int64 {
	s := &c.clocks[form]
	was := s.last[0]
	switch s.n {
	case 0:
		was = c.firsts[form]
		s.first = was
	case 1:
		was = s.last[1]
	}
	v = c.spend(s, was, was, v)
	if s.n == 1 {
		s.first, c.firsts[form] = v, v
	}
	return v
}

// Time codes a time of a form, 0 to 2, as it is.
func (c *Coder) Time(form int, v int64) int64 {
	s := &c.clocks[form]
	return c.spend(s, s.last[0], 0, v)
}

// spend codes a value of a series as its difference from base. was is the value before it of the same side.
func (c *Coder) spend(s *series, was, base, v int64) int64 {
	side := s.n & 1
	early := s.n < 2
	a, b, d := min(s.n/2, 31)*16+min(length(s.first+40*s.gain), 15), s.n, s.n
	if !early {
		b = 16 + min(length(was), 15) + 16*min(step(s.average[side]), 47)
		d = 8 + min(length(s.gain), 7) + 8*min(step(was), 63)
	}
	c.in(a, b, d)
	x := c.number(v - base)
	v = base + x
	if v < 0 || v > Limit {
		x, v, c.bad = 0, base, true
	}
	if !early {
		s.gain = max(s.gain, x)
		s.average[side] += 4*abs(x) - s.average[side]>>2
	}
	s.last[0], s.last[1] = s.last[1], v
	s.n++
	return v
}

// Score codes an evaluation in hundredths.
func (c *Coder) Score(v int64) int64 {
	s := &c.score
	sign := int64(1)
	if s.n&1 != 0 {
		sign = -1 // the side that moved is Black, if White began and all moves have one
	}
	a := min(step(s.average), 63) * 2
	if s.last == 0 {
		a++
	}
	c.in(a, (signed(s.change, length, 16)*16+min(length(abs(s.last)), 15))*2+s.mated,
		signed(s.last*sign, step, 64)*8+s.level)
	was := s.last
	level := c.bit(nodeLevel, v == 0)
	if level {
		v = 0
	} else {
		v = was + sign*c.number((v-was)*sign)
		if v < -Limit || v > Limit || v == 0 {
			v, c.bad = was, true
		}
	}
	s.level = s.level << 1 & 7
	if level {
		s.level |= 1
	}
	s.change = (v - was) * sign
	s.average += 4*abs(s.change) - s.average>>2
	s.last, s.mated = v, 0
	s.n++
	return v
}

// Mate codes the moves to a mate, below 0 if Black mates.
func (c *Coder) Mate(v int64) int64 {
	s := &c.score
	k := 1024 + int(min(max(s.mate+20, 0), 41)) + 64*s.mated + 128*(s.n&1)
	c.in(k, k, k)
	v = s.mate + c.number(v-s.mate)
	if v < -Limit || v > Limit {
		v, c.bad = s.mate, true
	}
	s.mate, s.mated = v, 1
	s.n++
	return v
}

// signed is a class of a number of any sign: that of its size, below limit, and as many more below 0.
func signed(v int64, class func(int64) int, limit int) int {
	if v < 0 {
		return limit + min(class(-v), limit-1)
	}
	return min(class(v), limit-1)
}
