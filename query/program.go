// SPDX-License-Identifier: Apache-2.0

package query

import (
	"slices"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/moveindex"
	"ply11/position"
)

// program is conditions that must be met in their order.
type program struct {
	steps []step
	moves bool
	sieve *sieve
	needs []*archive.FilterTest
}

// prepare makes the programs of the query and of those in not.
func (q *Query) prepare() error {
	if q.ready {
		return nil
	}
	q.borrow()
	q.places = nil
	if q.positional {
		programs, err := q.turned([]step{{condition: q.here}})
		if err != nil {
			return err
		}
		q.places = append(q.places, programs)
	}
	for _, steps := range q.sequences {
		programs, err := q.turned(steps)
		if err != nil {
			return err
		}
		q.places = append(q.places, programs)
	}
	slices.SortStableFunc(q.games, func(a, b gameTest) int { return a.cost - b.cost })
	for _, n := range slices.Concat(q.not, q.or) {
		n.variations, n.mirror, n.swap, n.ready = q.variations, q.mirror, q.swap, false
		if err := n.prepare(); err != nil {
			return err
		}
	}
	q.ready = true
	return nil
}

// turned makes the programs of conditions: as they are, mirrored and swapped, as the query asks.
func (q *Query) turned(steps []step) (list []program, err error) {
	for _, mirror := range []bool{false, true} {
		for _, swap := range []bool{false, true} {
			if mirror && !q.mirror || swap && !q.swap {
				continue
			}
			var p program
			for i, s := range steps {
				c, err := s.turned(mirror, swap)
				if err != nil {
					return nil, err
				}
				if i == 0 {
					s.within = 0
				}
				p.steps = append(p.steps, step{c, s.within})
				p.moves = p.moves || c.wantsMove
			}
			p.sieve = newSieve(&p)
			for i := range p.steps {
				if n, any := p.steps[i].needs.need(); any {
					p.needs = append(p.needs, archive.NewFilterTest(n))
				}
			}
			list = append(list, p)
		}
	}
	return list, nil
}

// Hit is where a game meets the position terms or a sequence.
type Hit struct {
	// Plies are those after which the conditions are met, one for each of a sequence; 0 is the start.
	Plies []int
	// Variation is set if the last is in a variation.
	Variation bool
}

// matcher tries programs on games. It keeps memory between them.
type matcher struct {
	all   bool // not the first hit alone
	hits  []Hit
	plies []int // of hits
	one   [1]int
	by    played
	runs  []run // of sequences, by the depth of variations
}

// found notes a hit. Plies of many hits share an array.
func (m *matcher) found(plies []int, variation bool) {
	if cap(m.plies)-len(m.plies) < len(plies) {
		m.plies = make([]int, 0, 1024+len(plies))
	}
	at := len(m.plies)
	m.plies = append(m.plies, plies...)
	m.hits = append(m.hits, Hit{m.plies[at:len(m.plies):len(m.plies)], variation})
}

// run is how far a sequence has come: chains[j] are the plies of its first j+1 conditions.
type run struct {
	chains [][]int
}

func (r *run) reset(n int) {
	r.chains = slices.Grow(r.chains[:0], n)[:n]
	for i := range r.chains {
		r.chains[i] = r.chains[i][:0]
	}
}

func (r *run) copy(o *run) {
	r.chains = slices.Grow(r.chains[:0], len(o.chains))[:len(o.chains)]
	for i := range r.chains {
		r.chains[i] = append(r.chains[i][:0], o.chains[i]...)
	}
}

// step takes a position, and returns the plies of the sequence if it is complete.
//
// Of ways to meet the first conditions, the one that ended first serves a next condition at any time, the one that
// ended last one that must come soon.
func (p *program) step(r *run, m *matcher, at *position.Position, ply int, last bool) []int {
	n := len(p.steps)
	for j := n - 1; j >= 0; j-- {
		if j > 0 {
			before := r.chains[j-1]
			if len(before) == 0 {
				continue
			}
			if gap, within := ply-before[j-1], p.steps[j].within; within > 0 && gap > within {
				continue
			}
		}
		soon := j+1 < n && p.steps[j+1].within > 0
		if len(r.chains[j]) > 0 && !soon {
			continue
		}
		if !p.steps[j].matches(at, ply, &m.by, last) {
			continue
		}
		chain := r.chains[j][:0]
		if j > 0 {
			chain = append(chain, r.chains[j-1]...)
		}
		r.chains[j] = append(chain, ply)
		if j == n-1 {
			return r.chains[j]
		}
	}
	return nil
}

// mainLine reports whether a main line has the program, whose last condition it must meet after one of the plies from
// to to.
func (m *matcher) mainLine(p *program, start *position.Position, words []moveindex.Index, from, to int) (found bool) {
	n := len(p.steps)
	first, last := p.steps[0].span(len(words))
	if n > 1 {
		last, from = len(words), 0
	}
	first, last = max(first, from), min(last, to)
	// The move shows where to try a single condition.
	var marks *[2][moveindex.NumWords]uint32
	if s := p.sieve; n == 1 && s != nil && s.moves != 0 && !start.IsChess960() {
		first, marks = max(first, 1), &s.marks
	}
	if len(m.runs) == 0 {
		m.runs = make([]run, 1)
	}
	r := &m.runs[0]
	r.reset(n)
	at, turn := *start, start.Turn()
	m.by = played{}
	for k, ply := 0, first; ply <= last; ply++ {
		if marks != nil && marks[turn^chess.Color(ply-1)&1][words[ply-1]&(moveindex.NumWords-1)]&p.sieve.moves == 0 {
			continue
		}
		for ; k < ply; k++ {
			m.make(p.moves && k == ply-1, &at, words[k])
		}
		var plies []int
		switch c := &p.steps[0].condition; {
		case n > 1:
			plies = p.step(r, m, &at, k, k == len(words))
		case c.matches(&at, k, &m.by, k == len(words)):
			m.one[0] = k
			plies = m.one[:]
		}
		if plies != nil {
			found = true
			m.found(plies, false)
			if !m.all {
				return true
			}
			r.reset(n)
		}
		if k&3 == 3 && (p.steps[n-1].needs.hopeless(&at) || len(r.chains[0]) == 0 && p.steps[0].needs.hopeless(&at)) {
			break
		}
	}
	return found
}

// span returns the first and the last ply of a main line that may meet the condition.
func (c *condition) span(plies int) (first, last int) {
	if c.end != anyEnd {
		first = plies
	}
	return max(first, c.after), min(plies, c.before)
}

// make makes a move, and notes it if that is wanted.
func (m *matcher) make(wanted bool, at *position.Position, w moveindex.Index) {
	if wanted {
		if move, ok := w.Move(); ok {
			m.by.set(at, move)
		} else {
			m.by = played{}
		}
	}
	at.MakeIndex(w)
}

// search returns the first ply, k to last, with the board of a condition, or -1.
func (c *condition) search(at *position.Position, words []moveindex.Index, k, last int) int {
	b := c.board
	for ; k <= last; k++ {
		if b.matches(at) {
			return k
		}
		if k == last || c.needs.hopeless(at) {
			break
		}
		at.MakeIndex(words[k])
	}
	return -1
}

// hopeless reports whether no later position can meet it.
func (s *summary) hopeless(p *position.Position) bool {
	_, k1, k2, black := p.Planes()
	pawns := k1 & k2
	if s.home[0]&^(pawns&^black)|s.home[1]&^(pawns&black) != 0 {
		return true
	}
	return p.Occupied().Count() < s.pieces[0]+s.pieces[1]
}

// tree reports whether a game with variations has the program.
func (m *matcher) tree(p *program, g *game.Game) bool {
	// level is a line of the game: its position, the one before the last move, and the move.
	type level struct {
		at, before position.Position
		ply        int
		by, prior  played
	}
	n := len(p.steps)
	cur := level{at: g.Start, before: g.Start}
	var stack []level
	// Of each level, the run now is at 2*depth, and the one before the last move at 2*depth+1.
	grow := func(depth int) {
		for len(m.runs) < 2*depth+2 {
			m.runs = append(m.runs, run{})
		}
	}
	grow(0)
	m.runs[0].reset(n)
	m.runs[1].reset(n)
	any := false
	visit := func(last bool) (done bool) {
		r := &m.runs[2*len(stack)]
		m.by = cur.by
		plies := p.step(r, m, &cur.at, cur.ply, last)
		if plies == nil {
			return false
		}
		any = true
		m.found(plies, len(stack) > 0)
		r.reset(n)
		return !m.all
	}
	if visit(g.Next(game.Root) == game.NoNode) {
		return true
	}
	for c := g.Cursor(); c.Next(); {
		depth := len(stack)
		switch c.Kind {
		case game.MoveEvent:
			m.runs[2*depth+1].copy(&m.runs[2*depth])
			cur.before, cur.prior = cur.at, cur.by
			cur.by.set(&cur.at, c.Move)
			cur.at.Make(c.Move)
			cur.ply++
			if visit(depth == 0 && g.Next(c.Node) == game.NoNode) {
				return true
			}
		case game.VariationStart:
			stack = append(stack, cur)
			grow(depth + 1)
			m.runs[2*depth+2].copy(&m.runs[2*depth+1])
			m.runs[2*depth+3].copy(&m.runs[2*depth+1])
			cur = level{at: cur.before, before: cur.before, ply: cur.ply - 1, by: cur.prior, prior: cur.prior}
		case game.VariationEnd:
			cur = stack[depth-1]
			stack = stack[:depth-1]
		}
	}
	return any
}
