// SPDX-License-Identifier: Apache-2.0

// Package explorer answers what the page asks about archives and bytes, in JSON: docs/EXPLORER.md has the table. Each
// request opens the archive as it is then, so that games and indexes that are added meanwhile are seen. Whatever the
// input is, a request ends with an answer or an error, and takes memory that does not grow with the archive, but for
// the numbers of the games that were found.
//
//	h := explorer.New(explorer.Options{})
//	h.Add(&explorer.Archive{Name: "games.p11", Open: explorer.OpenFile("games.p11")})
//	http.ListenAndServe("localhost:8011", h)
package explorer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ply11/bitstream/archive"
	"ply11/query"
	"ply11/web"
	"ply11/web/move"
)

// Archive is an archive that is served.
type Archive struct {
	Name string
	// Label distinguishes it from others of its name; by default it is the name.
	Label string
	// Open opens the file as it is now. The error is fs.ErrNotExist if there is none.
	Open func() (Content, error)
	// Index opens the index of its positions in the same way; nil if there is none.
	Index func() (Content, error)
}

// Content is a file that is open.
type Content struct {
	io.ReaderAt
	Size  int64
	State string // another one for each state of the file
	Close func()
}

// OpenFile returns an Archive.Open of a plain file on disk.
func OpenFile(path string) func() (Content, error) {
	return func() (Content, error) {
		info, err := os.Stat(path)
		if err != nil {
			return Content{}, err
		}
		if !info.Mode().IsRegular() {
			return Content{}, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		f, err := os.Open(path)
		if err != nil {
			return Content{}, err
		}
		info, err = f.Stat()
		if err != nil {
			f.Close()
			return Content{}, err
		}
		state := fmt.Sprintf("%x-%x", info.Size(), info.ModTime().UnixNano())
		return Content{f, info.Size(), state, func() { f.Close() }}, nil
	}
}

// Fixed returns an Archive.Open of what does not change.
func Fixed(r io.ReaderAt, size int64) func() (Content, error) {
	return func() (Content, error) { return Content{r, size, fmt.Sprintf("%x", size), func() {}}, nil }
}

// Options are how a Handler serves.
type Options struct {
	// Here reports whether a request comes from the machine that serves. Only then files can be dropped.
	Here func(*http.Request) bool
	// Pack makes an archive of a file of games, whose name has its format. Without it only archives can be dropped.
	Pack func(ctx context.Context, path, to string) error
}

const (
	maxRequests  = 64 // under way, besides those for bytes, which cost nothing
	maxDownloads = 16
	maxDropped   = 1 << 31 // bytes of a file that is dropped
	maxFolder    = 1 << 33 // of all that were dropped, and what was made of them
)

// Handler answers.
type Handler struct {
	options Options
	mux     http.ServeMux
	busy    chan struct{} // room for requests under way
	loads   chan struct{} // for downloads, which a client may take slowly
	work    chan struct{} // room for searches that compute
	found   *results

	mu     sync.Mutex // of what follows
	list   []*Archive
	folder string // of dropped files; "" before the first
}

// New makes a handler without archives. Close removes what was dropped.
func New(o Options) *Handler {
	h := &Handler{options: o, busy: make(chan struct{}, maxRequests), loads: make(chan struct{}, maxDownloads),
		work: make(chan struct{}, runtime.GOMAXPROCS(0)), found: newResults()}
	answer := func(pattern string, do func(*http.Request) (any, error)) {
		h.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			value, err := do(r)
			web.Answer(w, r, value, err)
		})
	}
	of := func(do func(*http.Request, *opened) (any, error)) func(*http.Request) (any, error) {
		return func(r *http.Request) (any, error) {
			o, err := h.open(r)
			if err != nil {
				return nil, err
			}
			defer o.Close()
			return do(r, o)
		}
	}
	answer("GET /api/archives", h.archives)
	answer("POST /api/archives", h.drop)
	answer("GET /api/archives/{name}", of(h.told))
	answer("POST /api/archives/{name}/index", of(h.dropIndex))
	answer("GET /api/archives/{name}/games/{number}", of(h.game))
	answer("GET /api/formats", listFormats)
	answer("POST /api/explain", explain)
	h.mux.HandleFunc("GET /api/archives/{name}/games", h.long(h.games))
	h.mux.HandleFunc("GET /api/archives/{name}/moves", h.long(h.moves))
	h.mux.HandleFunc("GET /api/archives/{name}/{file}", h.download)
	h.mux.HandleFunc("GET /api/move", move.Handler)
	h.mux.HandleFunc("GET /api/position", move.Position)
	h.mux.HandleFunc("GET /archives/{name}", h.bytes)
	h.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		web.Answer(w, r, nil, fmt.Errorf("%s: %w", r.URL.Path, fs.ErrNotExist))
	})
	return h
}

// Handles reports whether a path is one that the handler answers.
func Handles(path string) bool {
	return strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/archives/")
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	room := h.busy
	switch {
	case strings.HasPrefix(r.URL.Path, "/archives/"):
		room = make(chan struct{}, 1)
	case strings.Contains(r.URL.Path, "/games."):
		room = h.loads
	}
	select {
	case room <- struct{}{}:
		defer func() { <-room }()
	default:
		web.Answer(w, r, nil, web.ErrBusy)
		return
	}
	defer func() {
		if cause := recover(); cause != nil {
			if cause == http.ErrAbortHandler {
				panic(cause)
			}
			web.Answer(w, r, nil, fmt.Errorf("bug in the explorer: %v", cause))
		}
	}()
	h.mux.ServeHTTP(w, r)
}

// Close removes what was dropped.
func (h *Handler) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.folder == "" {
		return nil
	}
	return os.RemoveAll(h.folder)
}

// Add serves an archive, under another name if its own is taken.
func (h *Handler) Add(a *Archive) {
	h.mu.Lock()
	defer h.mu.Unlock()
	end := filepath.Ext(a.Name)
	begin := strings.TrimSuffix(a.Name, end)
	for n := 2; slices.ContainsFunc(h.list, func(b *Archive) bool { return b.Name == a.Name }); n++ {
		if a.Label == "" || a.Label == a.Name {
			a.Label = fmt.Sprintf("%s (%d)", begin+end, n)
		}
		a.Name = fmt.Sprintf("%s-%d%s", begin, n, end)
	}
	if a.Label == "" {
		a.Label = a.Name
	}
	h.list = append(h.list, a)
}

func (h *Handler) open(r *http.Request) (*opened, error) {
	name := r.PathValue("name")
	h.mu.Lock()
	i := slices.IndexFunc(h.list, func(a *Archive) bool { return a.Name == name })
	var a *Archive
	if i >= 0 {
		a = h.list[i]
	}
	h.mu.Unlock()
	if a == nil {
		return nil, fmt.Errorf("archive %q: %w", name, fs.ErrNotExist)
	}
	return a.open()
}

type opened struct {
	*Archive
	Content
	r *archive.Reader
}

func (a *Archive) open() (*opened, error) {
	c, err := a.Open()
	if err != nil {
		return nil, hidden(err)
	}
	r, err := archive.NewReader(c, c.Size)
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	return &opened{a, c, r}, nil
}

// hidden is an error of the file system without the path.
func hidden(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		err = e.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the file is gone: %w", fs.ErrNotExist)
	}
	return fmt.Errorf("the file cannot be read: %w", err)
}

// Told tells of an archive.
type Told struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Path  string `json:"path"` // of its bytes
	Games int    `json:"games"`
	Plies int64  `json:"plies"`
	Bytes int64  `json:"bytes"`
	// Indexed is whether there is an index beside it.
	Indexed bool        `json:"indexed"`
	Index   *IndexState `json:"index,omitempty"`
	Rows    []Row       `json:"rows,omitempty"` // the first games
	Error   string      `json:"error,omitempty"`
}

func (h *Handler) told(_ *http.Request, o *opened) (any, error) {
	t := o.tell()
	x := o.index(context.Background(), nil)
	t.Index, t.Indexed = &x.IndexState, x.There
	x.close()
	return t, nil
}

func (o *opened) tell() *Told {
	s := o.r.Stats()
	t := &Told{Name: o.Name, Label: o.Label, Path: "archives/" + url.PathEscape(o.Name),
		Games: s.Games, Plies: s.Plies, Bytes: o.Size}
	if o.Archive.Index != nil {
		if c, err := o.Archive.Index(); err == nil {
			c.Close()
			t.Indexed = true
		}
	}
	return t
}

// archives lists the archives. With the parameter rows, one that is alone has its first games, which the page shows at
// once.
func (h *Handler) archives(r *http.Request) (any, error) {
	h.mu.Lock()
	archives := slices.Clone(h.list)
	h.mu.Unlock()
	rows, _ := strconv.Atoi(r.FormValue("rows"))
	list := []*Told{}
	for _, a := range archives {
		o, err := a.open()
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) { // which may come back
				list = append(list, &Told{Name: a.Name, Label: a.Label, Error: err.Error()})
			}
			continue
		}
		t := o.tell()
		for n := 1; len(archives) == 1 && n <= min(rows, maxRows, t.Games); n++ {
			t.Rows = append(t.Rows, o.row(n, maxText))
		}
		o.Close()
		list = append(list, t)
	}
	return list, nil
}

// bytes serves the bytes of an archive or its index.
func (h *Handler) bytes(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	open := func() (Content, error) { return Content{}, fs.ErrNotExist }
	h.mu.Lock()
	for _, a := range h.list {
		switch {
		case a.Name == name:
			open = a.Open
		case a.Name+"x" == name && a.Index != nil:
			open = a.Index
		}
	}
	h.mu.Unlock()
	c, err := open()
	if err != nil {
		web.Answer(w, r, nil, hidden(err))
		return
	}
	defer c.Close()
	web.SetPolicy(w.Header())
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("ETag", fmt.Sprintf("%q", c.State))
	http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(c, 0, c.Size))
}

// long answers a request that may take long. With the parameter progress the answer is lines of JSON: {"progress": 0.5}
// from time to time, and then {"result": …} or {"error": "…"}. Who closes the request gives it up.
func (h *Handler) long(do func(r *http.Request, o *opened, t *task) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		t := &task{ctx: r.Context(), h: h, last: time.Now()}
		if r.URL.Query().Has("progress") {
			t.out = w
		}
		value, err := func() (any, error) {
			o, err := h.open(r)
			if err != nil {
				return nil, err
			}
			defer o.Close()
			return do(r, o, t)
		}()
		if !t.stop() {
			web.Answer(w, r, value, err)
			return
		}
		line := map[string]any{"result": value}
		if err != nil {
			line = map[string]any{"error": err.Error()}
		}
		t.write(line)
	}
}

// compute does what takes long, when there is room for it.
func (t *task) compute(do func() error) error {
	select {
	case t.h.work <- struct{}{}:
		defer func() { <-t.h.work }()
		return do()
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
}

// others are the parameters of a request that are no conditions.
var others = []string{"event", "variations", "mirror", "swap", "sort", "from", "count", "place", "progress", "quick",
	"facets"}

// queryOf makes the query of a request's conditions, those of ply11 find, and event, the whole tag. It is nil if there
// are none.
func queryOf(v url.Values) (*query.Query, error) {
	q, any := query.New(), false
	add := func(name, value string) error {
		any = true
		return q.Add(name, value)
	}
	for name, values := range v {
		for _, value := range values {
			var err error
			switch {
			case name == "event" && value != "":
				if !strings.HasPrefix(value, "~") {
					value = "=" + value
				}
				err = add("tag", "Event"+value)
			case !slices.Contains(others, name) && value != "":
				err = add(name, value)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	q.Variations(v.Has("variations"))
	q.Mirror(v.Has("mirror"))
	q.SwapColors(v.Has("swap"))
	if !any {
		return nil, nil
	}
	return q, q.Check()
}
