// SPDX-License-Identifier: Apache-2.0

package query

import (
	"cmp"
	"context"
	"slices"

	"ply11/bitstream/archive"
	"ply11/moveindex"
	"ply11/query/index"
)

func wantedBy(list []*treeCounter) []index.Wanted {
	want := make([]index.Wanted, len(list))
	for i, c := range list {
		want[i] = index.Wanted{Hash: c.at.Hash(), Check: index.CheckOf(&c.at), I: i}
	}
	index.SortWanted(want)
	return want
}

// lookUpCounts adds the counts of a tree file.
func (q *Query) lookUpCounts(ctx context.Context, list []*treeCounter, s Source) error {
	if q.variations || !q.anyGame() {
		return ErrCountsAlone
	}
	return s.Counts.Find(ctx, wantedBy(list), func(i int, all *index.Branch, words []index.CommonGroup) {
		list[i].merge(all, words, -1, 0, false)
	})
}

// lookUp counts the games of an archive with an index.
func (q *Query) lookUp(ctx context.Context, list []*treeCounter, source int, s Source) error {
	x, want := s.Index, wantedBy(list)
	r, err := s.Archive, error(nil)
	if r == nil {
		if r, err = x.Archive(s.File()); err != nil {
			return err
		}
	}
	l := lookup{ctx: ctx, list: list, q: q, source: source, r: r}
	for _, s := range x.Segments() {
		l.facts = index.FactReader{Segment: s}
		if err := s.Find(ctx, want, l.found); err != nil {
			return err
		}
		if err := l.settle(); err != nil {
			return err
		}
	}
	return nil
}

// merge adds what an index has counted of games after the first ones.
func (c *treeCounter) merge(all *index.Branch, groups []index.CommonGroup, source, before int, variations bool) {
	c.all.Merge(all, source, before)
	for i := range groups {
		g := &groups[i]
		if w := g.Word &^ index.Aside; w != index.GameEnds && (w == g.Word || variations) {
			c.branch(w).Merge(&g.Branch, source, before)
		}
	}
}

// lookup counts the games of one archive.
type lookup struct {
	ctx     context.Context
	list    []*treeCounter
	q       *Query
	source  int
	r       *archive.Reader
	facts   index.FactReader
	touched []touch
	v       view
	m       matcher
	words   []moveindex.Index
}

// touch is a game to be counted for a position.
type touch struct {
	game uint64
	i    int32 // of the position
	word moveindex.Index
}

// askGame: the game itself must be asked.
const askGame = index.Aside<<1 - 2

const mostTouched = 1 << 20

// found counts or notes what a segment has of a position.
func (l *lookup) found(f *index.Found) error {
	lists := slices.DeleteFunc(f.Lists, func(list *index.List) bool { return !l.wants(list.Word) })
	for _, list := range lists {
		list.Word &^= index.Aside
	}
	switch c := f.Counts; {
	case f.Rare > 0:
		l.touched = append(l.touched, touch{f.Rare, int32(f.I), askGame})
	case c == nil:
		for _, list := range lists {
			games, err := list.Chunk()
			if err != nil {
				return err
			}
			for _, game := range games {
				l.touched = append(l.touched, touch{game, int32(f.I), list.Word})
			}
		}
	case !l.q.anyGame():
		return l.eachOf(f.I, lists)
	default:
		all := &c.All
		if l.q.variations {
			all = &c.Wide
		}
		l.list[f.I].merge(all, c.Groups, l.source, l.facts.Segment.Before(), l.q.variations)
	}
	if len(l.touched) < mostTouched {
		return nil
	}
	return l.settle()
}

// settle counts the games that are noted in their order, so that each is read once.
func (l *lookup) settle() error {
	t := l.touched
	l.touched = t[:0]
	slices.SortFunc(t, func(a, b touch) int {
		if a.game != b.game { // as a rule
			return cmp.Compare(a.game, b.game)
		}
		return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.word, b.word))
	})
	t = slices.Compact(t) // several positions of a game may share a part of a hash
	for len(t) > 0 {
		n := 1
		for n < len(t) && t[n].game == t[0].game {
			n++
		}
		if err := l.count(t[:n]); err != nil {
			return err
		}
		t = t[n:]
	}
	return nil
}

// count counts a game.
func (l *lookup) count(t []touch) error {
	game, before := t[0].game, l.v.loads
	f, err := l.facts.Of(game)
	if err == nil {
		err = l.ctx.Err()
	}
	if err != nil {
		return err
	}
	l.v.setKnown(l.r, l.facts.Segment.Before()+int(game), f)
	met, asked := false, false
	for rest := t; len(rest) > 0; {
		c, n, reached := l.list[rest[0].i], 0, true
		words := l.words[:0]
		for ; n < len(rest) && rest[n].i == rest[0].i; n++ {
			if w := rest[n].word; w != askGame {
				words = append(words, w)
			} else if words, reached, err = l.ask(c, words); err != nil {
				return err
			}
		}
		if l.words = words; reached {
			if !asked {
				met, asked = l.q.matches(&l.v, &l.m), true
			}
			if l.v.err != nil {
				return l.v.err
			}
			if met {
				c.count(l.source, l.v.game1, l.v.fact, words)
			}
		}
		rest = rest[n:]
	}
	for i := range t {
		if i == 0 || t[i].i != t[i-1].i {
			c := l.list[t[i].i]
			c.cost.Games++
			c.cost.Read += l.v.loads - before
		}
	}
	return nil
}

// count counts a game in which words were played.
func (c *treeCounter) count(source, number int, f index.Facts, words []moveindex.Index) {
	c.all.Add(source, number, f)
	for _, w := range words {
		if w != index.GameEnds {
			c.branch(w).Add(source, number, f)
		}
	}
}

// ask asks the game whether it reaches a position, and appends what was played there.
func (l *lookup) ask(c *treeCounter, words []moveindex.Index) (_ []moveindex.Index, reached bool, err error) {
	line := l.v.line()
	if l.q.variations && l.v.notes && l.v.err == nil {
		if g := l.v.game(); l.v.err == nil && !g.Plain() {
			played, reached := c.played(g)
			return append(words, played...), reached, nil
		}
	}
	if l.v.err != nil {
		return words, false, l.v.err
	}
	at := l.v.start
	k := c.condition().search(&at, line, 0, len(line))
	if k < 0 {
		return words, false, nil
	}
	return append(words, c.next(line, k)...), true, nil
}

// eachOf counts the games of lists one by one, merged, so that each is read once.
func (l *lookup) eachOf(i int, lists []*index.List) error {
	type head struct {
		game uint64
		list *index.List
	}
	var heads []head
	for _, list := range lists {
		game, err := list.Next()
		if err != nil {
			return err
		}
		heads = append(heads, head{game, list})
	}
	var t []touch
	for {
		// There are few lists.
		game := uint64(0)
		for _, h := range heads {
			if h.game != 0 && (game == 0 || h.game < game) {
				game = h.game
			}
		}
		if game == 0 {
			return nil
		}
		t = t[:0]
		for k := range heads {
			if h := &heads[k]; h.game == game {
				t = append(t, touch{game, int32(i), h.list.Word})
				var err error
				if h.game, err = h.list.Next(); err != nil {
					return err
				}
			}
		}
		if err := l.count(t); err != nil {
			return err
		}
	}
}

// anyGame reports whether there are no tests of games.
func (q *Query) anyGame() bool {
	return len(q.games)+len(q.not)+len(q.or) == 0 && q.invalid == IncludeInvalid
}

// wants reports whether a word counts.
func (l *lookup) wants(w moveindex.Index) bool { return w < index.Aside || l.q.variations }
