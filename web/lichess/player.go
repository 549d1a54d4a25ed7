// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"ply11/chess"
	"ply11/position"
	"ply11/query"
	"ply11/web"
)

// playerKey names the games of a player with a colour.
type playerKey struct {
	name  string // in small letters
	color chess.Color
}

// playerGames is which games a player played, as far as they are known.
type playerGames struct {
	turn uint64        // the number of the search
	done chan struct{} // all are known, or err tells why not
	err  error
	mu   sync.Mutex
	of   []bits // by archives; by mu until all are known
}

func (p *playerGames) known() bool {
	select {
	case <-p.done:
		return p.err == nil
	default:
		return false
	}
}

// soFar returns the games that are known, which nobody changes.
func (p *playerGames) soFar() []bits {
	if p.known() {
		return p.of
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]bits, len(p.of))
	for i, b := range p.of {
		list[i] = append(bits(nil), b...)
	}
	return list
}

// searches is where players' games are looked for, one player after the other.
type searches struct {
	begun, ended atomic.Uint64
	one          chan struct{} // who holds it searches
}

// maxSearches is how many players may wait.
const maxSearches = 64

type players struct {
	mu sync.Mutex // of who looks for one and adds him
	*lru.Cache[playerKey, *playerGames]
}

// playerGames returns the games of a player, and begins to look for those that are not known.
func (s *state) playerGames(ctx context.Context, r *request, q *searches) (*playerGames, error) {
	s.players.mu.Lock()
	defer s.players.mu.Unlock()
	key := playerKey{r.player, r.color}
	if p, ok := s.players.Get(key); ok {
		return p, nil
	}
	if q.begun.Load()-q.ended.Load() >= maxSearches {
		return nil, web.ErrBusy
	}
	p := &playerGames{turn: q.begun.Add(1), done: make(chan struct{})}
	for _, a := range s.archives {
		p.of = append(p.of, newBits(a.games))
	}
	s.players.Add(key, p)
	go func() {
		defer q.ended.Add(1)
		q.one <- struct{}{}
		defer func() { <-q.one }()
		if p.err = s.search(ctx, key, p); p.err != nil {
			s.players.mu.Lock()
			if now, _ := s.players.Peek(key); now == p {
				s.players.Remove(key)
			}
			s.players.mu.Unlock()
		}
		close(p.done)
	}()
	return p, nil
}

// search looks for the games of a player.
func (s *state) search(ctx context.Context, key playerKey, p *playerGames) error {
	tag := [2]string{chess.White: "white", chess.Black: "black"}[key.color]
	// The query finds names that hold this one.
	part := key.name
	if strings.HasPrefix(part, "=") || strings.HasPrefix(part, "~") {
		part = "~" + regexp.QuoteMeta(part)
	}
	for _, i := range s.asked(player) {
		a, q := s.archives[i], query.New()
		if err := q.Add(tag, part); err != nil {
			return err
		}
		name := [2]string{chess.White: "White", chess.Black: "Black"}[key.color]
		for n, err := range query.Games(ctx, []query.Source{a.source()}, q, query.Options{Workers: 1},
			func(m *query.Match) (int, error) {
				text, err := m.Tag(name)
				if err != nil || strings.ToLower(strings.TrimSpace(text)) != key.name {
					return 0, err
				}
				return m.Number, nil
			}) {
			if err != nil {
				return a.named(err)
			}
			if n == 0 {
				continue
			}
			p.mu.Lock()
			p.of[i].set(n)
			p.mu.Unlock()
		}
	}
	return nil
}

// Times of the stream of /player: how long the first line waits, how often another comes, and when an empty line shows
// that the connection lives.
const (
	firstWait = 500 * time.Millisecond
	lineEach  = time.Second
	emptyEach = 8 * time.Second
)

// servePlayer answers /player by lines of JSON while games are found. A line is written only if it has more than the
// one before.
func (h *Handler) servePlayer(w http.ResponseWriter, req *http.Request, r *request, at position.Position) error {
	ctx := req.Context()
	s := h.state.Load()
	p, err := s.playerGames(h.ctx, r, &h.searches)
	if err != nil {
		return err
	}
	began := false
	var last struct {
		stats
		queue int
	}
	wait := time.NewTimer(firstWait)
	defer wait.Stop()
	written := time.Now()
	for {
		done := false
		select {
		case <-p.done:
			if p.err != nil {
				if !began {
					return p.err
				}
				return nil // the stream ends early, as it does if the server ends
			}
			done = true
		case <-wait.C:
		case <-ctx.Done():
			return nil
		case <-h.ending:
			done = true // as far as it is known
		}
		queue := 0
		if ended := h.searches.ended.Load(); !done && p.turn > ended+1 {
			queue = int(p.turn - ended - 1)
		}
		y, err := h.playerResponse(ctx, s, r, at, p)
		if err != nil {
			if !began {
				return err
			}
			return nil
		}
		y.Queue = &queue
		now := last
		now.stats, now.queue = y.stats, queue
		switch {
		case !began || done || now != last:
			if !began {
				began = true
				w.Header().Set("Content-Type", "application/x-ndjson")
				w.Header().Set("X-Accel-Buffering", "no") // a proxy is to pass each line on
				w.Header().Set("Cache-Control", "no-cache")
			} else if done && now == last {
				return nil
			}
			last = now
			text, err := json.Marshal(y)
			if err != nil {
				return err
			}
			if !h.send(w, append(text, '\n')) {
				return nil
			}
			written = time.Now()
		case time.Since(written) >= emptyEach:
			if !h.send(w, []byte("\n")) {
				return nil
			}
			written = time.Now()
		}
		if done {
			return nil
		}
		wait.Reset(lineEach)
	}
}

// playerResponse answers by the games that are known.
func (h *Handler) playerResponse(ctx context.Context, s *state, r *request, at position.Position, p *playerGames) (
	*response, error) {
	ctx, cancel := context.WithTimeout(ctx, h.options.Patience)
	defer cancel()
	if err := h.work.Acquire(ctx, 1); err != nil {
		return nil, web.ErrBusy
	}
	defer h.work.Release(1)
	c, err := s.count(ctx, r, at, &h.options, p.soFar())
	if err != nil {
		return nil, err
	}
	return s.respond(r, at, c)
}
