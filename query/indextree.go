// SPDX-License-Identifier: Apache-2.0

package query

import (
	"cmp"
	"context"
	"slices"

	"ply11/bitstream/archive"
	"ply11/moveindex"
)

// wanted is a position that is looked up: the i-th of a list.
type wanted struct {
	hash  uint64
	check uint16
	i     int
}

// sortWanted sorts them as an index has them.
func sortWanted(list []wanted) {
	slices.SortFunc(list, func(a, b wanted) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash),
			cmp.Compare(a.check, b.check))
	})
}

// finder is told what a segment has of positions. Groups are valid during the call.
type finder interface {
	common(i int, e commonEntry) error
	shared(i int, groups []group) error
	rare(i int, game uint64) error // it may reach the position
}

// find looks positions up, which are sorted. Each bucket is read once.
func (x *segment) find(ctx context.Context, list []wanted, to finder) error {
	buckets := bucketReader{x: x}
	for len(list) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		number, _ := x.bucketOf(list[0].hash)
		n := 1
		for n < len(list) {
			if other, _ := x.bucketOf(list[n].hash); other != number {
				break
			}
			n++
		}
		b, err := buckets.bucket(number)
		if err != nil {
			return err
		}
		if err := x.findIn(b, list[:n], to); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// findIn looks positions up in their bucket.
func (x *segment) findIn(b *bucket, list []wanted, to finder) (err error) {
	var missing []wanted // with the rest as their hash
	for _, w := range list {
		_, w.hash = x.bucketOf(w.hash)
		k, ok := slices.BinarySearchFunc(b.common, w, func(e commonEntry, w wanted) int {
			return e.compare(w.hash, w.check)
		})
		if !ok {
			missing = append(missing, w)
		} else if err := to.common(w.i, b.common[k]); err != nil {
			return err
		}
	}
	if len(missing) == 0 {
		return nil
	}
	k, rares := 0, missing[:0]
	ok := x.shareds(b, func(rest uint64, check uint16, groups []group) bool {
		for ; k < len(missing); k++ {
			w := missing[k]
			switch order := cmp.Or(cmp.Compare(w.hash, rest), cmp.Compare(w.check, check)); {
			case order > 0:
				return true
			case order < 0:
				rares = append(rares, w)
				continue
			}
			if err = to.shared(w.i, groups); err != nil {
				return false
			}
		}
		return len(rares) > 0
	})
	if ok && err == nil {
		rares = append(rares, missing[k:]...)
	}
	if ok && err == nil && len(rares) > 0 {
		k = 0
		ok = x.rares(b, func(part, game uint64) bool {
			for k < len(rares) && x.rareOf(rares[k].hash) < part {
				k++
			}
			for j := k; j < len(rares) && x.rareOf(rares[j].hash) == part; j++ {
				if err = to.rare(rares[j].i, game); err != nil {
					return false
				}
			}
			return k < len(rares)
		})
	}
	if !ok {
		return x.bad("bucket", b.at, "its positions are not right")
	}
	return err
}

// lookUp counts the games of an archive that has an index.
func (x *PositionIndex) lookUp(ctx context.Context, list []*treeCounter, q *Query, source int, s Source) error {
	if x.head.kind == kindPruned {
		if s.Archive == nil && s.Reader != nil {
			if err := x.Of(s); err != nil {
				return err
			}
		}
		return x.lookUpPruned(ctx, list, source)
	}
	r, err := s.Archive, error(nil)
	if r == nil {
		if r, err = x.open(s); err != nil {
			return err
		}
	}
	want := make([]wanted, len(list))
	for i, c := range list {
		want[i] = wanted{c.at.Hash(), checkOf(&c.at), i}
	}
	sortWanted(want)
	l := lookup{ctx: ctx, list: list, q: q, source: source, r: r}
	for _, s := range x.segments {
		l.facts = factReader{x: s}
		if err := s.find(ctx, want, &l); err != nil {
			return err
		}
		if err := l.settle(); err != nil {
			return err
		}
	}
	return nil
}

// lookup counts the games of one archive.
type lookup struct {
	ctx     context.Context
	list    []*treeCounter
	q       *Query // the tests of games
	source  int
	r       *archive.Reader
	facts   factReader // with the segment
	touched []touch
	v       view
	m       matcher
	words   []moveindex.Index
}

// touch is a game that is to be counted for a position.
type touch struct {
	game uint64
	i    int32 // of the position
	word moveindex.Index
}

// askGame is in the place of a word: it must be asked of the game whether it reaches the position, and what follows.
const askGame = moveindex.Index(1<<wordBits - 2)

// mostTouched is how many games are noted before they are counted.
const mostTouched = 1 << 20

// rare notes a game that may reach a position.
func (l *lookup) rare(i int, game uint64) error {
	l.touched = append(l.touched, touch{game, int32(i), askGame})
	return l.spill()
}

// shared notes games that are listed by their moves.
func (l *lookup) shared(i int, groups []group) error {
	for _, g := range groups {
		if !l.wants(g.word) {
			continue
		}
		for _, game := range g.games {
			l.touched = append(l.touched, touch{game, int32(i), g.word &^ aside})
		}
	}
	return l.spill()
}

func (l *lookup) spill() error {
	if len(l.touched) < mostTouched {
		return nil
	}
	return l.settle()
}

// settle counts the games that are noted: in their order, so that the facts, and the archive, are read once.
func (l *lookup) settle() error {
	t := l.touched
	l.touched = t[:0]
	slices.SortFunc(t, func(a, b touch) int {
		if a.game != b.game { // as a rule
			return cmp.Compare(a.game, b.game)
		}
		return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.word, b.word))
	})
	t = slices.Compact(t) // several positions of a game may have the part of a hash that is asked for
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
	f, err := l.facts.of(game)
	if err == nil {
		err = l.ctx.Err()
	}
	if err != nil {
		return err
	}
	l.v.setKnown(l.r, int(l.facts.x.first+game), f)
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

// count counts a game in which words were played, each once.
func (c *treeCounter) count(source, number int, f facts, words []moveindex.Index) {
	c.all.add(source, number, f)
	for _, w := range words {
		if w != gameEnds {
			c.branch(w).add(source, number, f)
		}
	}
}

// ask asks the game of the view whether it reaches a position, and appends what was played there.
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

// common counts the games of a common position: by what the index has counted, or one by one if there are terms.
func (l *lookup) common(i int, e commonEntry) error {
	x := l.facts.x
	c, at, err := x.commonAt(e)
	if err != nil {
		return err
	}
	to := l.list[i]
	if l.q.anyGame() {
		all := &c.all
		if l.q.variations {
			all = &c.wide
		}
		to.all.merge(all, l.source, x.first)
		for i := range c.groups {
			if g := &c.groups[i]; l.wants(g.word) && g.word&^aside != gameEnds {
				to.branch(g.word&^aside).merge(&g.branch, l.source, x.first)
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
	var t []touch
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
		t = t[:0]
		for k := range heads {
			if h := &heads[k]; h.game == game {
				t = append(t, touch{game, int32(i), h.list.word})
				if h.game, err = h.list.next(); err != nil {
					return err
				}
			}
		}
		if err := l.count(t); err != nil {
			return err
		}
	}
}

// anyGame reports whether each game meets the tests of games: there are none.
func (q *Query) anyGame() bool {
	return len(q.games) == 0 && len(q.not) == 0 && q.invalid == IncludeInvalid
}

// wants reports whether a word counts: those of variations alone do where variations do.
func (l *lookup) wants(w moveindex.Index) bool { return w < aside || l.q.variations }

// merge adds what another branch counts, of a source; of those that it names, if it is -1. first is how many games are
// before those that it numbers.
func (b *Branch) merge(o *Branch, source int, first uint64) {
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
		g.Number += int(first)
		b.best(g)
	}
}
