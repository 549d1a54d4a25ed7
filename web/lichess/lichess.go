// SPDX-License-Identifier: Apache-2.0

// Package lichess answers questions about openings in the language of Lichess's opening explorer, from archives with an
// index of their positions. Programs that ask explorer.lichess.org can ask it instead.
//
// The paths are /masters, /lichess, /lichess/history and /player with their parameters, and /masters/pgn/ID; also
// /master, /master/pgn/ID and /personal, their older names. What is asked and answered is as
// lichess-org/lila-openingexplorer and the description of Lichess's API have it. All tell of all archives, but those
// that are for one path.
//
// A Handler sees within a second that an archive has more games and an index of them, unless it is busy with games that
// were added before. It answers as before until it has read what it needs of them.
//
//	h, err := lichess.New([]lichess.Archive{{Name: "games.p11", Path: "games.p11", Index: "games.p11x"}}, lichess.Options{})
//	http.ListenAndServe("localhost:9002", h)
package lichess

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"ply11/position"
	"ply11/web"
)

// Options bound what a Handler does.
type Options struct {
	// Limits bound what one address may ask; nil is no limit.
	Limits *web.Limits
	// Requests is how many requests may be under way; 0 is 512.
	Requests int
	// MaxGames is how many games of a position are looked at for a question with filters, and for recent games; 0 is 16
	// million.
	MaxGames int
	// Patience is how long an answer may take, and a client to read it; 0 is ten seconds.
	Patience time.Duration
	// Log gets a line for each request and each change of an archive.
	Log *slog.Logger
}

var errNoGame = errors.New("there is no game of this name")

// Handler answers.
type Handler struct {
	options    Options
	state      atomic.Pointer[state]
	ctx        context.Context // of what goes on in the background
	cancel     context.CancelFunc
	ended      sync.WaitGroup
	ending     chan struct{} // closed when streams are to end
	end        func()
	work       *semaphore.Weighted
	busy       atomic.Int64
	searches   searches
	metrics    *metrics
	refreshing sync.Mutex        // held by refresh
	told       map[string]string // what is wrong with an archive that changed
}

// maxArchives is bounded by the names of games.
const maxArchives = 1 << 10

// New opens archives, each with its index, and begins to read what filters need of each game.
func New(archives []Archive, o Options) (*Handler, error) {
	if len(archives) == 0 || len(archives) > maxArchives {
		return nil, fmt.Errorf("the explorer takes 1 to %d archives, not %d", maxArchives, len(archives))
	}
	if o.Requests <= 0 {
		o.Requests = 512
	}
	if o.MaxGames <= 0 {
		o.MaxGames = 16_000_000
	}
	if o.Patience <= 0 {
		o.Patience = 10 * time.Second
	}
	if o.Limits == nil {
		o.Limits = web.NewLimits(0, nil)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	var list []*held
	for _, a := range archives {
		opened, err := a.open()
		if err != nil {
			for _, h := range list {
				h.close()
			}
			return nil, err
		}
		list = append(list, opened)
	}
	h := &Handler{options: o, work: semaphore.NewWeighted(int64(2 * runtime.GOMAXPROCS(0))), told: map[string]string{}}
	h.searches.one = make(chan struct{}, 1)
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.ending = make(chan struct{})
	h.end = sync.OnceFunc(func() { close(h.ending) })
	h.metrics = newMetrics(h)
	first := newState(list)
	h.state.Store(first)
	h.ended.Go(func() {
		first.err = first.readAll(h.ctx, nil)
		close(first.ready)
		if first.err != nil && h.ctx.Err() == nil {
			h.options.Log.Error("games cannot be read", "error", first.err)
		}
		h.watch()
	})
	return h, nil
}

// Games returns the number of games that are served.
func (h *Handler) Games() int { return h.state.Load().games() }

// End ends the answers of /player that are under way with what is known. A server that is to end calls it.
func (h *Handler) End() { h.end() }

// Close ends what goes on in the background. The handler answers nothing after it.
func (h *Handler) Close() {
	h.end()
	h.cancel()
	h.ended.Wait()
}

// readAll reads the facts of the archives. old is an older state or nil.
func (s *state) readAll(ctx context.Context, old *state) error {
	for i, a := range s.archives {
		var before *held
		if old != nil {
			if before = old.archives[i]; before == a {
				continue
			}
		}
		if err := a.read(ctx, before); err != nil {
			return err
		}
	}
	return nil
}

const watchEach = time.Second

func (h *Handler) watch() {
	t := time.NewTicker(watchEach)
	defer t.Stop()
	for {
		select {
		case <-h.ctx.Done():
			return
		case <-t.C:
			h.refresh()
		}
	}
}

// refresh opens archives anew that changed. What cannot be used yet stays as it was, as an archive whose index has
// fewer games.
func (h *Handler) refresh() {
	h.refreshing.Lock()
	defer h.refreshing.Unlock()
	s := h.state.Load()
	var list []*held
	changed := false
	for _, a := range s.archives {
		if a.changed() {
			switch now, err := a.open(); {
			case err == nil:
				h.told[a.Path] = ""
				a, changed = now, true
			case h.told[a.Path] != err.Error():
				h.told[a.Path] = err.Error()
				h.options.Log.Warn("an archive changed, and is served as it was", "archive", a.Name, "why", err)
			}
		}
		list = append(list, a)
	}
	if !changed && s.err == nil {
		return
	}
	next := newState(list)
	old := s
	if s.err != nil {
		old = nil // nothing is known
	}
	if err := next.readAll(h.ctx, old); err != nil {
		if h.ctx.Err() == nil && h.told[""] != err.Error() {
			h.told[""] = err.Error()
			h.options.Log.Warn("an archive changed, and is served as it was", "why", err)
		}
		return
	}
	h.told[""] = ""
	close(next.ready)
	h.state.Store(next)
	h.options.Log.Info("archives changed", "games", next.games())
}

func (h *held) close() {
	h.file.Close()
	h.indexFile.Close()
}

func (h *Handler) Handles(path string) bool {
	name, _ := route(path)
	return name != ""
}

var routes = map[string]string{"/masters": "masters", "/master": "masters", "/lichess": "lichess",
	"/lichess/history": "history", "/player": "player", "/personal": "player", "/metrics": "metrics"}

// route returns the name of a path's endpoint, and what follows on it.
func route(path string) (name, rest string) {
	if name = routes[path]; name != "" {
		return name, ""
	}
	for _, begin := range []string{"/masters/pgn/", "/master/pgn/"} {
		if id, ok := strings.CutPrefix(path, begin); ok {
			return "pgn", id
		}
	}
	return "", ""
}

// recorder notes what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (h *Handler) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	began := time.Now()
	name, rest := route(req.URL.Path)
	from := req.RemoteAddr
	ip, forwarded := h.options.Limits.Client(req)
	if forwarded {
		from = ip.String()
	}
	out := &recorder{ResponseWriter: w}
	defer func() {
		took := time.Since(began)
		h.metrics.request(name, out.status, took)
		h.options.Log.Info("request", "address", from, "method", req.Method, "url", clipURL(req.URL.RequestURI()),
			"status", out.status, "bytes", out.bytes, "took", took)
	}()
	if err := h.serve(out, req, ip, forwarded, name, rest); err != nil {
		h.fail(out, err)
	}
}

func clipURL(s string) string {
	if len(s) > 500 {
		return s[:500] + "…"
	}
	return s
}

func (h *Handler) fail(w *recorder, err error) {
	if w.status != 0 {
		return // the answer began
	}
	status := http.StatusInternalServerError
	var bad *badRequest
	switch {
	case errors.As(err, &bad):
		status = http.StatusBadRequest
	case errors.Is(err, errNoGame):
		status = http.StatusNotFound
	case errors.Is(err, web.ErrRate):
		status = http.StatusTooManyRequests
		w.Header().Set("Retry-After", "1")
	case errors.Is(err, web.ErrBusy), errors.Is(err, errReading), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "1")
	default:
		h.options.Log.Error("no answer", "error", err)
		err = errors.New("the archives cannot be read")
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	h.send(w, []byte(err.Error()))
}

// send writes a piece of an answer. The client has Options.Patience for each.
func (h *Handler) send(w http.ResponseWriter, b []byte) bool {
	c := http.NewResponseController(w)
	c.SetWriteDeadline(time.Now().Add(h.options.Patience))
	_, err := w.Write(b)
	if err == nil {
		err = c.Flush()
	}
	c.SetWriteDeadline(time.Time{}) // the connection may have other requests
	return err == nil || errors.Is(err, http.ErrNotSupported)
}

// serve answers a request of a client, as Limits.Client returns it.
func (h *Handler) serve(w http.ResponseWriter, req *http.Request, ip netip.Addr, forwarded bool, name,
	rest string) error {
	head := w.Header()
	// Programs in pages of all sites ask.
	head.Set("Access-Control-Allow-Origin", "*")
	head.Set("Access-Control-Allow-Methods", "GET,OPTIONS")
	head.Set("Access-Control-Allow-Headers",
		"Accept,If-Modified-Since,If-None-Match,Cache-Control,X-Requested-With,Authorization")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Del("Cross-Origin-Resource-Policy")
	if name == "" {
		head.Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		return nil
	}
	switch req.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodOptions:
		head.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
		return nil
	default:
		head.Set("Allow", "GET,HEAD,OPTIONS")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return nil
	}
	end, err := h.options.Limits.Begin(ip, forwarded)
	if err != nil {
		return err
	}
	defer end()
	defer h.busy.Add(-1)
	if h.busy.Add(1) > int64(h.options.Requests) {
		return web.ErrBusy
	}
	switch name {
	case "metrics":
		h.metrics.serve(w, req)
		return nil
	case "pgn":
		return h.servePGN(w, req, rest)
	}
	r, at, err := parse(map[string]source{"masters": masters, "lichess": all, "history": all, "player": player}[name],
		req.URL.RawQuery)
	if err != nil {
		return err
	}
	if name == "history" {
		r.history, r.moves, r.top, r.recent = true, 0, 0, 0
	}
	if r.source == player {
		return h.servePlayer(w, req, &r, at)
	}
	a, err := h.answer(req.Context(), &r, at)
	if err != nil {
		return err
	}
	head.Set("Content-Type", "application/json")
	head.Set("Cache-Control", "no-cache") // new games change it
	head.Set("Vary", "Accept-Encoding")
	body, tag := a.body, a.tag
	if web.Accepts(req, "gzip") {
		if zip := a.zipped(); zip != nil {
			head.Set("Content-Encoding", "gzip")
			body, tag = zip, tag+"-gzip"
		}
	}
	head.Set("ETag", `"`+tag+`"`)
	if matches(req.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	head.Set("Content-Length", strconv.Itoa(len(body)))
	h.send(w, body)
	return nil
}

// matches reports whether a list of tags has one. It costs less than http.ServeContent.
func matches(list, tag string) bool {
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimPrefix(strings.TrimSpace(part), "W/")
		if part == "*" || part == `"`+tag+`"` {
			return true
		}
	}
	return false
}

// answer returns the answer to a request, and keeps it for the next who asks the same.
func (h *Handler) answer(ctx context.Context, r *request, at position.Position) (*answer, error) {
	s := h.state.Load()
	if a, ok := s.answers.Get(*r); ok {
		h.metrics.hits.Inc()
		return a, nil
	}
	// Who asks the same meanwhile waits for the same answer.
	key := fmt.Sprintf("%+v", *r)
	waiting := s.flights.DoChan(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(h.ctx, h.options.Patience)
		defer cancel()
		if err := h.work.Acquire(ctx, 1); err != nil {
			return nil, web.ErrBusy
		}
		defer h.work.Release(1)
		h.metrics.misses.Inc()
		whole := s.isReady() // else fewer games may be named than later
		a, err := s.make(ctx, r, at, &h.options)
		if err == nil && whole && len(a.body) <= maxKept {
			s.answers.Add(*r, a)
		}
		return a, err
	})
	select {
	case got := <-waiting:
		if got.Err != nil {
			return nil, got.Err
		}
		return got.Val.(*answer), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *state) make(ctx context.Context, r *request, at position.Position, o *Options) (a *answer, err error) {
	defer func() { // or it would end the program
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%+v: %v", *r, cause)
		}
	}()
	c, err := s.count(ctx, r, at, o, nil)
	if err != nil {
		return nil, err
	}
	y, err := s.respond(r, at, c)
	if err != nil {
		return nil, err
	}
	return newAnswer(y)
}

func (h *Handler) servePGN(w http.ResponseWriter, req *http.Request, id string) error {
	r, ok := parseID(id)
	if !ok {
		return badf("invalid game id %q", clip(id))
	}
	ctx, cancel := context.WithTimeout(req.Context(), h.options.Patience)
	defer cancel()
	if err := h.work.Acquire(ctx, 1); err != nil {
		return web.ErrBusy
	}
	defer h.work.Release(1)
	text, err := h.state.Load().pgn(r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-chess-pgn")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	h.send(w, text)
	return nil
}
