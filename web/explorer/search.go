// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"ply11/query"
	"ply11/query/index"
	"ply11/web"
)

// task is a request that may take long.
type task struct {
	ctx context.Context
	h   *Handler

	mu    sync.Mutex          // of what follows
	out   http.ResponseWriter // that is told the progress; nil for nobody
	begun bool                // a line was written
	last  time.Time
}

const tellEach = 100 * time.Millisecond

// tell writes how much is done, from 0 to 1.
func (t *task) tell(done float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.out == nil || time.Since(t.last) < tellEach { // also when it ended
		return
	}
	t.last = time.Now()
	t.write(map[string]any{"progress": done})
}

// stop ends the telling, and reports whether something was written.
func (t *task) stop() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = time.Now().Add(time.Hour)
	return t.begun
}

func (t *task) write(line map[string]any) {
	if !t.begun {
		t.begun = true
		t.out.Header().Set("Content-Type", "application/jsonl")
		web.SetPolicy(t.out.Header())
	}
	json.NewEncoder(t.out).Encode(line) // who does not read it any more is noticed by the context
	http.NewResponseController(t.out).Flush()
}

// source is a file as a request reads it: it writes the progress, and ends when the request is given up.
type source struct {
	io.ReaderAt
	t    *task
	size int64 // of the part from the front by which the progress is told; 0 if it is not
}

func (s *source) ReadAt(b []byte, at int64) (int, error) {
	if s.t != nil {
		if err := s.t.ctx.Err(); err != nil {
			return 0, err
		}
		if s.size > 0 && at+int64(len(b)) <= s.size { // what stands behind it is read at any time
			s.t.tell(float64(at) / float64(s.size))
		}
	}
	return s.ReaderAt.ReadAt(b, at)
}

// source is the archive for a search. Its progress is by its blocks: the index behind them is read first.
func (o *opened) source(t *task) query.Source {
	blocks := int64(0)
	if last, err := o.r.Place(o.r.Blocks()); err == nil {
		blocks = last.Offset + last.Size
	}
	return query.Source{Name: o.Name, Reader: &source{o.Content, t, blocks}, Size: o.Size}
}

// maxFound is how many games a search gives, maxKept how many all kept results have together.
const (
	maxFound = 4_000_000
	maxKept  = 2 * maxFound
	maxLists = 64
)

// result is what a search gave; wrong is what kept it from the archive's end.
type result struct {
	games []uint32
	plies []int32 // of the first hits, -1 where they were not looked for
	wrong string
}

// results are those of the last searches: the next part of a list is asked for soon.
type results struct {
	mu   sync.Mutex
	of   *lru.Cache[string, *result]
	size int // games in all
}

func newResults() *results {
	l := &results{}
	l.of, _ = lru.NewWithEvict(maxLists, func(_ string, r *result) { l.size -= len(r.games) })
	return l
}

func (l *results) add(key string, r *result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of.Contains(key) {
		return
	}
	l.size += len(r.games)
	for l.of.Add(key, r); l.size > maxKept; {
		l.of.RemoveOldest()
	}
}

// games finds the games of a request, in its order; nil are all of the archive in its own.
func (o *opened) games(t *task, v url.Values) (*result, error) {
	q, err := queryOf(v)
	if err != nil {
		return nil, err
	}
	order, err := newOrder(v.Get("sort"))
	if err != nil || q == nil && order.of == nil {
		return nil, err
	}
	for _, name := range []string{"from", "count", "place", "progress", "facets"} {
		v.Del(name)
	}
	key := o.Name + "\x00" + o.State + "\x00" + v.Encode()
	if r, ok := t.h.found.of.Get(key); ok {
		return r, nil
	}
	alone := len(v) == 1 && v.Has("fen")
	if q == nil {
		q = query.New()
		err = q.Add("games", "1-")
	}
	var r *result
	if err == nil {
		err = t.compute(func() (err error) {
			r, err = o.search(t, q, order, alone)
			return err
		})
	}
	if err == nil {
		t.h.found.add(key, r)
	}
	return r, err
}

// search finds the games of a query. With an index, only those of a position are read; alone says that nothing else is
// asked, and that the first maxRows suffice if the index is sure of the others.
func (o *opened) search(t *task, q *query.Query, order *order, alone bool) (*result, error) {
	s := o.source(t)
	var known []int // games behind those that are read
	if q.Exact() {
		x := o.index(t.ctx, t)
		defer x.close()
		if x.Index != nil {
			games, _, sure, err := q.Candidates(t.ctx, x.Index)
			var damaged *index.Error
			if err != nil && !errors.As(err, &damaged) { // an index that is damaged is no reason to know nothing
				return nil, err
			}
			if err == nil {
				if alone && sure && order.of == nil && len(games) > maxRows {
					games, known = games[:maxRows], games[maxRows:]
				}
				s.Games = games
			}
		}
	}
	s.Sparse = q.OfTags() && !order.readsMoves
	var games []found
	var wrong error
	of := func(m *query.Match) (g found, err error) {
		g.game, g.ply = uint32(m.Number), -1
		if len(m.Hits) > 0 && len(m.Hits[0].Plies) > 0 {
			g.ply = int32(m.Hits[0].Plies[0])
		}
		g.key, err = order.key(m)
		return g, err
	}
	for g, err := range query.Games(t.ctx, []query.Source{s}, q, query.Options{}, of) {
		if wrong = err; err != nil {
			break
		}
		if games = append(games, g); len(games) == maxFound {
			break
		}
	}
	if err := t.ctx.Err(); err != nil {
		return nil, err
	}
	for _, n := range known[:min(len(known), maxFound-len(games))] {
		games = append(games, found{game: uint32(n), ply: -1})
	}
	if len(games) == maxFound {
		wrong = fmt.Errorf("no more than %d games are listed", maxFound)
	}
	order.sort(games)
	r := &result{games: make([]uint32, len(games)), plies: make([]int32, len(games))}
	for i, g := range games {
		r.games[i], r.plies[i] = g.game, g.ply
	}
	if wrong != nil {
		r.wrong = wrong.Error()
	}
	return r, nil
}

// Found is a part of the found games.
type Found struct {
	Found int   `json:"found"`
	From  int   `json:"from"` // the place of the first row in the list; the list's first game has 1
	Rows  []Row `json:"rows"`
	Place *int  `json:"place,omitempty"` // of the game that was asked for, if it is among them
	// Facets are the most frequent values of conditions.
	Facets map[string][]Facet `json:"facets,omitempty"`
	Error  string             `json:"error,omitempty"` // what kept the search from its end
}

// number reads a parameter that is a number, from least on.
func number(v url.Values, name string, without, least int) (int, error) {
	if !v.Has(name) {
		return without, nil
	}
	n, err := strconv.Atoi(v.Get(name))
	if err != nil || n < least {
		return 0, fmt.Errorf("%s: %q is no number from %d on", name, short(v.Get(name), maxText), least)
	}
	return n, nil
}

// games answers which games are found, and a part of them.
func (h *Handler) games(r *http.Request, o *opened, t *task) (any, error) {
	v := r.URL.Query()
	from, err := number(v, "from", 1, 1)
	count, bad := number(v, "count", 50, 0)
	place, wrong := number(v, "place", 0, 1)
	if err := errors.Join(err, bad, wrong); err != nil {
		return nil, err
	}
	facets := v.Has("facets") // of which the search knows nothing
	found, err := o.games(t, v)
	if err != nil {
		return nil, err
	}
	f := &Found{Found: o.r.Len(), From: from, Rows: []Row{}}
	at := func(place int) (game, ply int) { return place, -1 }
	if found != nil {
		f.Found, f.Error = len(found.games), found.wrong
		at = func(place int) (game, ply int) { return int(found.games[place-1]), int(found.plies[place-1]) }
		place = 1 + slices.Index(found.games, uint32(place))
	}
	if place > 0 && place <= f.Found {
		f.Place = &place
	}
	for i := from; i <= f.Found && i-from < min(count, maxRows); i++ {
		game, ply := at(i)
		row := o.row(game, maxText)
		if ply >= 0 {
			row.Ply = &ply
		}
		f.Rows = append(f.Rows, row)
	}
	if facets {
		f.Facets, err = o.facets(t, f.Found, at)
	}
	return f, err
}
