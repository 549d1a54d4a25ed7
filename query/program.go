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

// program is the conditions on positions in the order in which they must be met.
type program struct {
	steps []step
	moves bool   // a step asks for the move
	sieve *sieve // nil if it tells nothing
	watch *watch // of one condition; nil if there is none
	needs []archive.Need
}

// prepare makes the programs of the query and of those that it negates.
func (q *Query) prepare() error {
	if q.ready {
		return nil
	}
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
	for _, n := range q.not {
		// What is said of the whole query holds for its parts.
		n.variations, n.mirror, n.swap, n.ready = q.variations, q.mirror, q.swap, false
		if err := n.prepare(); err != nil {
			return err
		}
	}
	q.ready = true
	return nil
}

// turned makes the programs of conditions: as they are, and mirrored and with the colours exchanged if the query says
// so.
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
			if len(p.steps) == 1 {
				p.watch = newWatch(&p.steps[0].condition)
			}
			// The watch of a board gives most games up as soon as the sieve could tell.
			if len(p.steps) > 1 || len(p.steps[0].boards) != 1 {
				p.sieve = newSieve(&p)
			}
			for i := range p.steps {
				if n, any := p.steps[i].needs.need(); any {
					p.needs = append(p.needs, n)
				}
			}
			list = append(list, p)
		}
	}
	return list, nil
}

// Hit is where a game meets the position terms of a query, or one of its sequences.
type Hit struct {
	// Plies are the numbers of the plies after which the conditions are met, one for each of a sequence; 0 is the
	// start.
	Plies []int
	// Variation tells that the last of them is in a variation.
	Variation bool
}

// matcher tries the programs on games. It keeps memory between them.
type matcher struct {
	all  bool // every hit is wanted, not the first alone
	hits []Hit
	by   played
	tray tray
	runs []run // of sequences, by the depth of variations
}

// found adds a hit.
func (m *matcher) found(plies []int, variation bool) {
	m.hits = append(m.hits, Hit{plies, variation})
}

// run is how far a sequence has come: chains[j] are the plies of its first j+1 conditions, if they were met so far.
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
// Of the ways to meet the first conditions, the one that ended first is as good as any for a next condition that may be
// met at any time later, and the one that ended last for a next condition that must be met soon.
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

// mainLine looks for the program in a main line, and reports whether it is there.
func (m *matcher) mainLine(p *program, start *position.Position, words []moveindex.Index) bool {
	if len(p.steps) == 1 {
		return m.single(p, start, words)
	}
	if len(m.runs) == 0 {
		m.runs = make([]run, 1)
	}
	r := &m.runs[0]
	r.reset(len(p.steps))
	at := *start
	m.by = played{}
	any := false
	for k := 0; ; k++ {
		if plies := p.step(r, m, &at, k, k == len(words)); plies != nil {
			any = true
			m.found(slices.Clone(plies), false)
			if !m.all {
				return true
			}
			r.reset(len(p.steps))
		}
		if k == len(words) || k&3 == 3 && (p.steps[len(p.steps)-1].needs.hopeless(&at) ||
			len(r.chains[0]) == 0 && p.steps[0].needs.hopeless(&at)) {
			return any
		}
		m.make(p.moves, &at, words[k])
	}
}

// make makes a move, and notes what it is if that is wanted.
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

// single looks for one condition in a main line.
func (m *matcher) single(p *program, start *position.Position, words []moveindex.Index) (found bool) {
	c := &p.steps[0].condition
	first, last := max(c.after, 0), len(words)
	if c.end != anyEnd {
		first = max(first, last)
	}
	if last = min(last, c.before); first > last {
		return false
	}
	at := *start
	m.by = played{}
	k := 0 // the ply of the position
	// try tries the condition after a later ply, and reports whether that is enough.
	try := func(ply int) bool {
		for ; k < ply; k++ {
			m.make(c.wantsMove && k == ply-1, &at, words[k])
		}
		if !c.matches(&at, k, &m.by, k == len(words)) {
			return false
		}
		found = true
		m.found([]int{k}, false)
		return !m.all
	}
	if w := p.watch; w != nil && w.set(&m.tray, start) {
		for ply := range first {
			w.play(&m.tray, words[ply])
		}
		for ply := w.search(&m.tray, words, first, last); ply >= 0 && !try(ply) && ply < last; {
			w.play(&m.tray, words[ply])
			ply = w.search(&m.tray, words, ply+1, last)
		}
		return found
	}
	if s := p.sieve; s != nil && s.moves != 0 && !start.IsChess960() {
		// The move tells where it is worth to try.
		turn := start.Turn()
		for ply := max(first, 1); ply <= last; ply++ {
			if s.marks[turn^chess.Color(ply-1)&1][words[ply-1]&(moveindex.NumWords-1)]&s.moves != 0 && try(ply) {
				break
			}
		}
		return found
	}
	for ply := first; ply <= last && !try(ply); ply++ {
		if ply&3 == 3 && c.needs.hopeless(&at) {
			break
		}
	}
	return found
}

// search looks for the board of a condition that has one and nothing else, from ply k to ply last, and returns the ply,
// -1 if it is not there.
func (c *condition) search(at *position.Position, words []moveindex.Index, k, last int) int {
	b := &c.boards[0]
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

// hopeless reports whether no later position of the line can have what it takes: a pawn has left its first square, or
// too few pieces are left.
func (s *summary) hopeless(p *position.Position) bool {
	_, k1, k2, black := p.Planes()
	pawns := k1 & k2
	if s.home[0]&^(pawns&^black)|s.home[1]&^(pawns&black) != 0 {
		return true
	}
	return p.Occupied().Count() < s.pieces[0]+s.pieces[1]
}

// tree looks for the program in a game with its variations.
func (m *matcher) tree(p *program, g *game.Game) bool {
	// level is a line of the game: the position in it, the one before the last move, and the move.
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
		m.found(slices.Clone(plies), len(stack) > 0)
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
