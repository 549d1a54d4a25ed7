// SPDX-License-Identifier: Apache-2.0

package query

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"runtime"
	"slices"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/game"
	"ply11/internal/pipeline"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query/index"
)

// view is a game of a block, read as far as it is asked for. The first error stays.
type view struct {
	b   *archive.Block
	i   int // from 1
	err error

	// Of a game of an index facts are known, and the block is read when it is wanted.
	known bool
	fact  index.Facts
	r     *archive.Reader
	game1 int
	loads int // games that were read

	gotTags, gotLine, gotGame, gotInvalid bool
	head                                  game.Game         // tags and result
	words                                 []moveindex.Index // of the main line, which may be longer
	whole                                 bool              // and is not
	start                                 position.Position
	full                                  game.Game
	bad, lost                             bool // invalid; the start is not known
	notes                                 bool
	unwanted                              [][]int // games of the block that may meet each query of not
	filter                                archive.Filter
	filtered                              bool
}

func (v *view) set(b *archive.Block, i int) {
	v.b, v.i, v.known = b, i, false
	v.gotTags, v.gotLine, v.whole, v.gotGame, v.gotInvalid = false, false, false, false, false
}

// setKnown makes it a game of an index.
func (v *view) setKnown(r *archive.Reader, number int, f index.Facts) {
	v.set(nil, 0)
	v.known, v.fact, v.r, v.game1, v.notes, v.filtered = true, f, r, number, false, false
}

// ask calls do with the game's block, and keeps an error.
func (v *view) ask(do func(b *archive.Block) error) bool {
	var err error
	if v.b == nil {
		if v.b, v.i, err = v.r.Find(v.game1); err == nil {
			v.loads++
			v.notes = index.HasNotes(v.b)
		} else {
			v.b = nil
		}
	}
	if err == nil {
		err = do(v.b)
	}
	if err != nil {
		v.fail(err)
	}
	return err == nil
}

func (v *view) number() int {
	if v.known {
		return v.game1
	}
	return v.b.First() + v.i - 1
}

func (v *view) fail(err error) {
	if v.err == nil {
		v.err = err
	}
}

func (v *view) tags() *game.Game {
	if !v.gotTags {
		v.gotTags = true
		v.read(&v.head, (*archive.Block).Tags)
	}
	return &v.head
}

// tag returns the value of a tag, or "".
func (v *view) tag(name string) string {
	value, _ := v.lookupTag(name)
	return value
}

func (v *view) lookupTag(name string) (value string, ok bool) {
	v.ask(func(b *archive.Block) (err error) {
		value, ok, err = b.Tag(v.i, name)
		return err
	})
	return value, ok
}

// read reads the game into g by a method of its block.
func (v *view) read(g *game.Game, by func(b *archive.Block, i int, g *game.Game) error) {
	if !v.ask(func(b *archive.Block) error { return by(b, v.i, g) }) {
		g.Reset()
	}
}

func (v *view) result() game.Result {
	if v.known {
		return v.fact.Result()
	}
	var r game.Result
	v.ask(func(b *archive.Block) (err error) {
		r, err = b.Result(v.i)
		return err
	})
	return r
}

// rating returns a player's rating, if the tag is a number.
func (v *view) rating(c chess.Color) (n int, ok bool) {
	if v.known {
		if n, ok, known := v.fact.Rating(c); known {
			return n, ok
		}
	}
	return game.RatingOf(v.tag([2]string{"WhiteElo", "BlackElo"}[c]))
}

// date returns the days that the date may mean, if it has a year.
func (v *view) date() (d days, ok bool) {
	if v.known {
		year, month, day, ok := v.fact.Date()
		return spanOf(year, month, day), ok
	}
	year, month, day, ok := game.DateOf(game.DateTag(v.tag("Date"), v.tag("UTCDate")))
	return spanOf(year, month, day), ok
}

func (v *view) plies() (n int) {
	v.ask(func(b *archive.Block) (err error) {
		_, n, err = b.Address(v.i)
		return err
	})
	return n
}

// line returns the main line.
func (v *view) line() []moveindex.Index {
	v.readLine(math.MaxInt)
	return v.words
}

// meets reports whether a position of the main line, from the start on, meets a condition.
func (v *view) meets(is func(p *position.Position) bool) bool {
	words := v.line()
	p := v.start
	for i := 0; !is(&p); i++ {
		if i == len(words) {
			return false
		}
		p.MakeIndex(words[i])
	}
	return true
}

// opening returns the first plies of the main line, or all of it if it is short or was read.
func (v *view) opening() []moveindex.Index {
	v.readLine(openingPlies)
	return v.words
}

// openingPlies are as many as tell of most games that they have no position of a query.
const openingPlies = 16

// readLine reads the start and the main line, up to a number of plies.
func (v *view) readLine(plies int) {
	if v.whole || v.gotLine && plies == openingPlies {
		return
	}
	if !v.ask(func(b *archive.Block) (err error) {
		v.start, v.words, v.whole, err = b.Opening(v.words[:0], v.i, plies)
		return err
	}) {
		v.words, v.whole = v.words[:0], true
	}
	v.gotLine = true
}

func (v *view) game() *game.Game {
	if !v.gotGame {
		v.gotGame = true
		v.read(&v.full, (*archive.Block).Game)
	}
	return &v.full
}

// comment reports whether a comment passes a test.
func (v *view) comment(t *textTest) bool {
	if v.ask(func(*archive.Block) error { return nil }); !v.notes {
		return false
	}
	g := v.game()
	for c := g.Cursor(); c.Next(); {
		if c.Kind == game.Comment && t.matches(c.Text) {
			return true
		}
	}
	return false
}

// invalid reports whether the game is not valid.
func (v *view) invalid() bool {
	if v.known {
		return v.fact.Invalid()
	}
	if !v.gotInvalid {
		v.gotInvalid, v.bad, v.lost = true, false, false
		if v.b.Departing() > 0 {
			x, _, err := v.b.Exception(v.i)
			if err != nil {
				v.fail(err)
			}
			v.bad, v.lost = x.Invalid, x.StartUnknown
		}
	}
	return v.bad
}

// located reports whether the positions of the game are known.
func (v *view) located() bool { return v.known || !v.invalid() || !v.lost }

// matches reports whether the game meets the query. The matcher has the hits.
func (q *Query) matches(v *view, m *matcher) bool {
	if q.invalid != IncludeInvalid && v.invalid() != (q.invalid == OnlyInvalid) {
		return false
	}
	met := q.meets(v, m) || anyOr(q, func(n *Query) bool {
		m.hits = m.hits[:0]
		return v.err == nil && n.meets(v, m)
	})
	if !met {
		return false
	}
	for k, n := range q.not {
		if !v.known {
			if _, may := slices.BinarySearch(v.unwanted[k], v.i); !may {
				continue
			}
		}
		hits, all := m.hits, m.all
		m.hits, m.all = nil, false
		met := n.matches(v, m)
		m.hits, m.all = hits, all
		if met {
			return false
		}
	}
	return v.err == nil && (q.book == nil || q.leaves(v, m))
}

func (q *Query) meets(v *view, m *matcher) bool {
	k := 0
	for ; k < len(q.games) && q.games[k].cost < costMoves; k++ {
		if !q.games[k].test(v) {
			return false
		}
	}
	if len(q.places) > 0 && !q.place(v, m) {
		return false
	}
	for ; k < len(q.games); k++ {
		if !q.games[k].test(v) {
			return false
		}
	}
	return v.err == nil
}

// keep removes from a list of games of the block, by their numbers there, those that the filters, of main lines alone,
// show to have none of the programs of a place, and those that tests of tags refuse.
func (q *Query) keep(v *view, list []int) []int {
	if v.known {
		return list
	}
	if len(q.or) > 0 {
		own := *q
		own.or = nil
		all := slices.Concat(q.or, []*Query{&own})
		return union(list, all, func(n *Query, list []int) []int { return n.keep(v, list) })
	}
	if v.filtered && !(q.variations && v.notes) {
		for _, programs := range q.places {
			list = union(list, programs, func(p program, list []int) []int { return p.keep(v, list) })
		}
	}
	for i := range q.games {
		if t := &q.games[i]; t.passes != nil {
			list = union(list, t.names, func(name string, list []int) []int { return t.keep(v, name, list) })
		}
	}
	return list
}

// keep removes from a list those whose tag of a name does not pass.
func (t *gameTest) keep(v *view, name string, list []int) []int {
	v.ask(func(b *archive.Block) error {
		if t.column != nil && len(list) > few {
			if column, err := b.TagColumn(name); err != nil || !t.column(column) {
				list = list[:0]
				return err
			}
		}
		kept, last, had, passes := list[:0], "", false, t.passes("", false)
		for _, i := range list {
			value, ok, err := b.Tag(i, name)
			if err != nil {
				return err
			}
			if value != last || ok != had {
				last, had, passes = value, ok, t.passes(value, ok)
			}
			if passes {
				kept = append(kept, i)
			}
		}
		list = kept
		return nil
	})
	return list
}

// few games are as many as are read one by one, and not their block.
const few = 8

// union returns what one of several keeps of a list.
func union[T any](list []int, of []T, keep func(t T, list []int) []int) []int {
	if len(of) == 1 {
		return keep(of[0], list)
	}
	var any []int
	for _, t := range of {
		any = append(any, keep(t, slices.Clone(list))...)
	}
	slices.Sort(any)
	return slices.Compact(any)
}

func (p *program) keep(v *view, list []int) []int {
	for _, t := range p.needs {
		list = t.Keep(&v.filter, list)
	}
	return list
}

// place looks for the positions of the query.
func (q *Query) place(v *view, m *matcher) bool {
	m.hits = m.hits[:0]
	// Only a game without moves may have no known start.
	if words := v.opening(); v.err != nil || len(words) == 0 && !v.located() {
		return false
	}
	var g *game.Game
	if q.variations && v.notes {
		if g = v.game(); v.err != nil {
			return false
		}
		if g.Plain() {
			g = nil
		}
	}
	for _, programs := range q.places {
		if !m.place(programs, v, g) || v.err != nil {
			return false
		}
	}
	return true
}

// place looks for one of several programs. g is nil if the main line is the whole game.
func (m *matcher) place(programs []program, v *view, g *game.Game) (any bool) {
	before := len(m.hits)
	for i := range programs {
		p := &programs[i]
		if g != nil {
			any = m.tree(p, g) || any
			continue
		}
		first, last := p.span(v)
		any = first <= last && m.mainLine(p, &v.start, v.words, first, last) || any
	}
	if hits := m.hits[before:]; len(programs) > 1 && len(hits) > 1 {
		// The first place counts, however the board is turned, and each once.
		slices.SortStableFunc(hits, func(a, b Hit) int { return a.Plies[len(a.Plies)-1] - b.Plies[len(b.Plies)-1] })
		hits = slices.CompactFunc(hits, func(a, b Hit) bool {
			return a.Variation == b.Variation &&
				slices.Equal(a.Plies, b.Plies)
		})
		if !m.all {
			hits = hits[:1]
		}
		m.hits = m.hits[:before+len(hits)]
	}
	return any
}

// span returns the plies after which the main line may meet the last condition; first is more than last if there are
// none. It reads as much of the line as tells.
func (p *program) span(v *view) (first, last int) {
	known := false
	if v.start != usual || p.sieve == nil {
		last = len(v.line())
	} else if first, last, known = p.sieve.span(v.words); !known && !v.whole {
		first, last, _ = p.sieve.span(v.line())
	}
	if c := &p.steps[0].condition; len(p.steps) == 1 && c.counted && v.start == usual && first <= last {
		first = c.firstFit(v.words, first, last)
	}
	return first, last
}

// Source is an archive to search.
type Source struct {
	Name   string // for errors
	Reader io.ReaderAt
	Size   int64
	// Blocks are the blocks to search, from 1, in their order; nil is all.
	Blocks []int
	// Games are the games to search, from 1 and ascending, as from Query.Candidates; nil is all. It excludes Blocks.
	Games []int
	// Index is that of the archive, or nil, for Tree.
	Index *index.Index
	// Counts is a tree file in place of an archive, or nil, for Tree without conditions and variations.
	Counts *index.TreeFile
	// Archive is the open archive after Index.Of, or nil, for one call at a time.
	Archive *archive.Reader
	// Sparse asks to read no more of a block than is wanted, in more reads: where a read costs little, or little is
	// wanted (OfTags). Moves are then verified as by archive.Reader.Peek.
	Sparse bool
}

// File returns the archive as package index takes it.
func (s Source) File() index.Source {
	return index.Source{Name: s.Name, Reader: s.Reader, Size: s.Size}
}

// Match is a game that was found, valid during the call that it is for, as is what its methods return.
type Match struct {
	Source int // from 0
	Number int // in its archive, from 1
	// Hits are those of the position terms, and then of each sequence in its order.
	Hits []Hit

	v *view
}

// Tags returns tags and result, without moves.
func (m *Match) Tags() (*game.Game, error) {
	g := m.v.tags()
	return g, m.v.err
}

// Tag returns the value of a tag, or "". It costs less than Tags.
func (m *Match) Tag(name string) (string, error) {
	value := m.v.tag(name)
	return value, m.v.err
}

// Plies returns the number of plies of the main line.
func (m *Match) Plies() (int, error) {
	n := m.v.plies()
	return n, m.v.err
}

// MainLine returns the start position and the words of the main line.
func (m *Match) MainLine() (position.Position, []moveindex.Index, error) {
	words := m.v.line()
	return m.v.start, words, m.v.err
}

// Invalid reports whether the game is not valid.
func (m *Match) Invalid() (bool, error) {
	bad := m.v.invalid()
	return bad, m.v.err
}

// Result returns the result.
func (m *Match) Result() (game.Result, error) {
	r := m.v.result()
	return r, m.v.err
}

// OfGames reports whether all terms are of whole games, as Holds needs.
func (q *Query) OfGames() bool {
	return !q.positional && len(q.sequences)+len(q.not)+len(q.or) == 0 && q.book == nil
}

// OfTags reports whether all terms are of tags, as suits a Sparse Source. Check must have found the query right.
func (q *Query) OfTags() bool {
	return q.OfGames() && q.invalid == IncludeInvalid &&
		!slices.ContainsFunc(q.games, func(t gameTest) bool { return !t.tags })
}

// Holds reports whether the game of a match of another query meets a query that is OfGames.
func (q *Query) Holds(m *Match) (bool, error) {
	for i := range q.games {
		if !q.games[i].test(m.v) || m.v.err != nil {
			return false, m.v.err
		}
	}
	return true, nil
}

// Annotated reports whether the game may have comments, NAGs or variations, at no cost.
func (m *Match) Annotated() bool { return m.v.notes }

// Game returns the game with verified moves and annotations.
func (m *Match) Game() (*game.Game, error) {
	g := m.v.game()
	return g, m.v.err
}

// AppendText is as Reader.AppendText of the archive.
func (m *Match) AppendText(dst []byte) ([]byte, error) { return m.v.b.AppendText(dst, m.v.i, nil) }

// Options are those of a search.
type Options struct {
	// Workers is the number of goroutines; 0 is one for each processor. Results do not depend on it.
	Workers int
	// All finds every place that meets the query, not the first alone.
	All bool
	// Progress is called with the bytes of each block that is done, in the goroutine that takes the games.
	Progress func(bytes int64)
}

// Check returns what is wrong with the terms together, as a search does.
func (q *Query) Check() error { return q.prepare() }

// Count returns how many games meet a query, or how many were found before an error of Games.
func Count(ctx context.Context, sources []Source, q *Query, o Options) (n int, err error) {
	for _, err := range Games(ctx, sources, q, o, func(*Match) (struct{}, error) { return struct{}{}, nil }) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// Games searches archives and yields what of returns for each game that meets the query, in the order of the archives,
// as soon as it can. Several goroutines read blocks and call of. It takes a few MiB of memory for each, what of returns
// for some blocks, and for Sparse sources archive.Fronts, which stay. Leaving the loop ends the search.
//
// An error comes last: that of ctx, of of, or of package archive with the source before it.
func Games[T any](ctx context.Context, sources []Source, q *Query, o Options, of func(m *Match) (T, error)) iter.Seq2[T,
	error] {
	return func(yield func(T, error) bool) {
		if err := search(ctx, sources, q, o, of, yield); err != nil {
			var none T
			yield(none, err)
		}
	}
}

// search is Games; it returns nil if yield returns false.
func search[T any](ctx context.Context, sources []Source, q *Query, o Options, of func(m *Match) (T, error),
	yield func(T, error) bool) error {
	if err := q.prepare(); err != nil {
		return err
	}
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	type job struct {
		at    blockAt
		size  int64
		found []T
		err   error
	}
	next, stop := iter.Pull2(q.blocks(sources))
	defer stop()
	p := pipeline.Pipeline[job]{
		Workers: workers,
		Produce: func(j *job) bool {
			at, err, more := next()
			*j = job{at: at, found: j.found[:0], err: err}
			return more
		},
		Worker: func() func(j *job) {
			w := worker{q: q, all: o.All, sources: sources, open: -1}
			return func(j *job) {
				if j.err == nil {
					j.err = ctx.Err()
				}
				if j.err != nil {
					return
				}
				j.size, j.err = w.block(j.at, func(m *Match) error {
					t, err := of(m)
					if err == nil {
						j.found = append(j.found, t)
					}
					return err
				})
			}
		},
		Consume: func(j *job) error {
			// What was found before an error is given.
			for _, t := range j.found {
				if !yield(t, nil) {
					return errEnough
				}
			}
			clear(j.found)
			if err := ctx.Err(); err != nil {
				return err
			}
			if j.err != nil {
				return fmt.Errorf("%s: %w", sources[j.at.source].Name, j.err)
			}
			if o.Progress != nil {
				o.Progress(j.size)
			}
			return nil
		},
	}
	if err := p.Run(ctx); err != errEnough {
		return err
	}
	return nil
}

// errEnough: no more games are wanted.
var errEnough = errors.New("enough")

type blockAt struct {
	source, block int
	games         []int // nil for all
}

// blocks yields the blocks that a search reads. An error comes last, with its source.
func (q *Query) blocks(sources []Source) iter.Seq2[blockAt, error] {
	return func(yield func(blockAt, error) bool) {
		for i, s := range sources {
			r, err := archive.NewReader(s.Reader, s.Size)
			if err != nil {
				yield(blockAt{source: i}, err)
				return
			}
			for at, err := range s.blocks(i, r) {
				if err == nil && q.numbered() {
					var p archive.Place
					if p, err = r.Place(at.block); err == nil && !q.wants(p.First, p.First+p.Games-1) {
						continue
					}
				}
				if !yield(at, err) || err != nil {
					return
				}
			}
		}
	}
}

// blocks yields the blocks of source number.
func (s *Source) blocks(number int, r *archive.Reader) iter.Seq2[blockAt, error] {
	return func(yield func(blockAt, error) bool) {
		switch {
		case s.Games != nil:
			for left := s.Games; len(left) > 0; {
				block, p, err := r.PlaceOf(left[0])
				n := 1
				for n < len(left) && left[n] < p.First+p.Games {
					n++
				}
				if !yield(blockAt{number, block, left[:n]}, err) || err != nil {
					return
				}
				left = left[n:]
			}
		case s.Blocks != nil:
			for _, block := range s.Blocks {
				if !yield(blockAt{source: number, block: block}, nil) {
					return
				}
			}
		default:
			for k := range r.Blocks() {
				if !yield(blockAt{source: number, block: k + 1}, nil) {
					return
				}
			}
		}
	}
}

type worker struct {
	q       *Query
	all     bool
	sources []Source
	open    int // the source of r, -1 for none
	r       *archive.Reader
	v       view
	m       matcher
	games   []int // of the block that is searched
	match   Match
}

// fronts are kept from a search of a Sparse source to the next.
var fronts archive.Fronts

// block searches a block and returns its length in bytes.
func (w *worker) block(at blockAt, found func(m *Match) error) (size int64, err error) {
	source, number := at.source, at.block
	if w.open != source {
		s := w.sources[source]
		if w.r, err = archive.NewReader(s.Reader, s.Size); err != nil {
			return 0, err
		}
		w.r.Keep(&fronts)
		w.open = source
	}
	var b *archive.Block
	if !w.q.mayBe(func() (archive.Summary, bool, error) { return w.r.Summary(number) }) {
		place, err := w.r.Place(number)
		return place.Size, err
	}
	read := w.r.Block
	if w.sources[source].Sparse {
		read = w.r.Peek
	}
	if b, err = read(number); err != nil {
		return 0, err
	}
	w.m.all = w.all
	w.v.err, w.v.notes = nil, index.HasNotes(b)
	// Damaged filters are no loss but of time.
	if w.v.filtered = false; len(w.q.places)+len(w.q.not)+len(w.q.or) > 0 {
		if w.v.filter, w.v.filtered, err = b.Filter(); err != nil && !errors.Is(err, archive.ErrCorrupt) {
			return 0, err
		}
	}
	w.games = slices.Grow(w.games[:0], b.Len())[:b.Len()]
	for i := range w.games {
		w.games[i] = i + 1
	}
	if at.games != nil {
		w.games = w.games[:0]
		for _, n := range at.games {
			w.games = append(w.games, n-b.First()+1)
		}
	}
	w.v.set(b, 1)
	list := w.q.keep(&w.v, w.games)
	w.v.unwanted = w.v.unwanted[:0]
	for _, n := range w.q.not {
		w.v.unwanted = append(w.v.unwanted, n.keep(&w.v, slices.Clone(list)))
	}
	if w.v.err != nil {
		return b.Size(), w.v.err
	}
	if len(list) <= few {
		b.Few()
	}
	for _, i := range list {
		w.v.set(b, i)
		w.m.hits = w.m.hits[:0]
		if !w.q.matches(&w.v, &w.m) {
			if w.v.err != nil {
				return b.Size(), w.v.err
			}
			continue
		}
		w.match = Match{Source: source, Number: w.v.number(), Hits: w.m.hits, v: &w.v}
		if err := found(&w.match); err != nil {
			return b.Size(), err
		}
	}
	return b.Size(), nil
}
