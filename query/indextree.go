// SPDX-License-Identifier: Apache-2.0

package query

import (
	"context"
	"slices"

	"ply11/bitstream/archive"
	"ply11/moveindex"
)

// lookUp counts the games of an archive that has an index. q is the query with the position among its terms.
func (c *treeCounter) lookUp(ctx context.Context, q *Query, source int, s Source) error {
	x := s.PositionIndex
	r, err := s.Archive, error(nil)
	if r == nil {
		if r, err = x.open(s); err != nil {
			return err
		}
	}
	// The tests of the games alone.
	rest := Query{games: q.games, not: q.not, invalid: q.invalid, variations: q.variations, ready: true}
	l := lookup{ctx: ctx, c: c, q: &rest, source: source, r: r, facts: factReader{x: x}}
	defer func() { c.cost.Read += l.v.loads }()
	number, part := x.head.bucketOf(c.at.Hash())
	b, err := x.bucket(number)
	if err != nil {
		return err
	}
	for _, e := range b.common {
		if e.rest == part {
			return l.common(e)
		}
	}
	// A position of one game is known by a part of its hash alone: the game is asked, once, though several of its positions may have this part.
	var games []uint64
	wanted := x.head.rareOf(part)
	ok := x.rares(b, func(p, game uint64) {
		if p == wanted {
			games = append(games, game)
		}
	})
	var groups []group
	shared := false
	ok = ok && x.shareds(b, func(p uint64, g []group) bool {
		if p == part {
			shared = true
			for _, g := range g {
				if !l.wants(g.word) {
					continue
				}
				groups = append(groups, group{g.word &^ aside, slices.Clone(g.games)})
			}
		}
		return p < part
	})
	if !ok {
		return badIndex("bucket", b.at, "its positions are not right")
	}
	if shared {
		return l.groups(groups)
	}
	slices.Sort(games)
	for _, game := range slices.Compact(games) {
		if err := l.ask(game); err != nil {
			return err
		}
	}
	return nil
}

// lookup counts the games of one archive.
type lookup struct {
	ctx    context.Context
	c      *treeCounter
	q      *Query // the tests of games
	source int
	r      *archive.Reader
	facts  factReader
	v      view
	m      matcher
}

// set makes the view that of a game.
func (l *lookup) set(game uint64) error {
	f, err := l.facts.of(game)
	l.v.setKnown(l.r, int(game), f)
	l.c.cost.Games++
	if err == nil {
		err = l.ctx.Err()
	}
	return err
}

// count counts the game of the view, if it meets the query.
func (l *lookup) count(words []moveindex.Index) error {
	if !l.q.matches(&l.v, &l.m) {
		return l.v.err
	}
	l.c.all.add(l.source, l.v.game1, l.v.fact)
	for _, w := range words {
		if w != gameEnds {
			l.c.branch(w).add(l.source, l.v.game1, l.v.fact)
		}
	}
	return nil
}

// ask counts a game that may reach the position.
func (l *lookup) ask(game uint64) error {
	if err := l.set(game); err != nil {
		return err
	}
	line := l.v.line()
	if l.v.err != nil {
		return l.v.err
	}
	if l.q.variations && l.v.notes {
		if g := l.v.game(); !g.Plain() && l.v.err == nil {
			words, reached := l.c.played(g)
			if !reached {
				return nil
			}
			return l.count(words)
		}
		if l.v.err != nil {
			return l.v.err
		}
	}
	at := l.v.start
	k := l.c.here.search(&at, line, 0, len(line))
	if k < 0 {
		return nil
	}
	return l.count(l.c.next(line, k))
}

// groups counts games that are listed by their moves.
func (l *lookup) groups(groups []group) error {
	words := map[uint64][]moveindex.Index{}
	var games []uint64
	for _, g := range groups {
		for _, game := range g.games {
			if words[game] == nil {
				games = append(games, game)
			}
			words[game] = append(words[game], g.word)
		}
	}
	slices.Sort(games)
	for _, game := range games {
		if err := l.set(game); err != nil {
			return err
		}
		if err := l.count(words[game]); err != nil {
			return err
		}
	}
	return nil
}

// common counts the games of a common position: by what the index has counted, or one by one if there are terms.
func (l *lookup) common(e commonEntry) error {
	x := l.facts.x
	c, at, err := x.commonAt(e)
	if err != nil {
		return err
	}
	if len(l.q.games) == 0 && len(l.q.not) == 0 && l.q.invalid == IncludeInvalid {
		all := &c.all
		if l.q.variations {
			all = &c.wide
		}
		l.c.all.merge(all, l.source)
		for i := range c.groups {
			if g := &c.groups[i]; l.wants(g.word) && g.word&^aside != gameEnds {
				l.c.branch(g.word&^aside).merge(&g.branch, l.source)
			}
		}
		return nil
	}
	// The lists are merged, so that each game is looked at once, and each block of the archive is read once.
	type head struct {
		game uint64
		list *listReader
	}
	var heads []head
	for _, list := range x.lists(c, at) {
		if !l.wants(list.word) {
			continue
		}
		list.word &^= aside
		game, err := list.next()
		if err != nil {
			return err
		}
		heads = append(heads, head{game, list})
	}
	var words []moveindex.Index
	for {
		// There are few lists, and most games stand in one of them.
		game := uint64(0)
		for _, h := range heads {
			if h.game != 0 && (game == 0 || h.game < game) {
				game = h.game
			}
		}
		if game == 0 {
			return nil
		}
		words = words[:0]
		for i := range heads {
			if h := &heads[i]; h.game == game {
				words = append(words, h.list.word)
				if h.game, err = h.list.next(); err != nil {
					return err
				}
			}
		}
		if err := l.set(game); err != nil {
			return err
		}
		if err := l.count(words); err != nil {
			return err
		}
	}
}

// wants reports whether a word counts: those of variations alone do where variations do.
func (l *lookup) wants(w moveindex.Index) bool { return w < aside || l.q.variations }

// merge adds what another branch counts, of a source; of those that it names, if it is -1.
func (b *Branch) merge(o *Branch, source int) {
	b.Games += o.Games
	b.White += o.White
	b.Draws += o.Draws
	b.Black += o.Black
	b.WhiteRating.Sum += o.WhiteRating.Sum
	b.WhiteRating.Games += o.WhiteRating.Games
	b.BlackRating.Sum += o.BlackRating.Sum
	b.BlackRating.Games += o.BlackRating.Games
	if o.FirstYear > 0 && (b.FirstYear == 0 || o.FirstYear < b.FirstYear) {
		b.FirstYear = o.FirstYear
	}
	b.LastYear = max(b.LastYear, o.LastYear)
	for _, g := range o.Best {
		if source >= 0 {
			g.Source = source
		}
		b.best(g)
	}
}
