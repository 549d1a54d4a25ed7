// SPDX-License-Identifier: Apache-2.0

// Package httprange reads a file on a web server at any place of it, by HTTP range requests (RFC 9110, section 14).
//
// A Reader is an io.ReaderAt. It keeps the pages that it read last, asks for what is missing in one request, reads
// ahead where the reading goes forwards, and repeats a request that was cut off from where it was cut, a bounded number
// of times for each page. It trusts no length that a server gives: a file that changes while it is read is an error,
// and so is an answer that is not what was asked for.
package httprange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Sizes of what is read and kept, in bytes.
const (
	pageSize   = 8 << 10
	frontSize  = 16 << 10 // what is read first
	maxRequest = 1 << 20  // the most that one request asks for
	minAhead   = 32 << 10 // the least that is read ahead; it doubles while the reading goes forwards
	cachePages = 8 << 20 / pageSize
	streams    = 8 // how many readings forwards are followed at once
)

// attempts is how often a piece is asked for. An answer with a page or more begins the count again.
const attempts = 5

// How long the beginning of an answer, and each next piece of it, may take, and how long the whole of it.
const (
	patience = 30 * time.Second
	longest  = 5 * time.Minute
)

// What can be wrong. Errors of a Reader are *Error, and wrap one of these or an error of the network.
var (
	// ErrNoRanges: the server sends whole files only.
	ErrNoRanges = errors.New("the server does not send parts of files (HTTP ranges)")
	// ErrChanged is final.
	ErrChanged = errors.New("the file changed on the server while it was read")
	ErrAnswer  = errors.New("the server's answer is wrong")
	// ErrStatus: the server refuses. If it does not have the file, the error is fs.ErrNotExist, too.
	ErrStatus = errors.New("the server refuses")
)

// Error says which file could not be read, and where.
type Error struct {
	URL    string // without a password
	Offset int64  // of the first byte that was asked for; -1 when the file was opened
	Err    error
}

// Error names the file only if it could not be opened.
func (e *Error) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s: %v", e.URL, e.Err)
	}
	return fmt.Sprintf("at byte %d: %v", e.Offset, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// temporary is an error after which to ask again.
type temporary struct {
	error
	after time.Duration // as the server asks, 0 if it does not
	moved bool          // a page or more arrived
}

func (t temporary) Unwrap() error { return t.error }

// Reader reads a file on a server. It serves several goroutines at once, and holds at most 8 MiB of the file, and what
// is on its way.
type Reader struct {
	ctx     context.Context
	request *http.Request
	name    string
	size    int64
	tag     string // the server's word for the file's state: its ETag, or else the time when it was changed
	pause   time.Duration

	mu    sync.Mutex // of what follows
	pages *lru.Cache[int64, *page]
	ahead []stream // the one that was used last in front
	err   error    // final
}

// page is on its way until ready is closed.
type page struct {
	number int64
	ready  chan struct{}
	data   []byte
	err    error
}

type stream struct {
	next  int64 // the byte after what was read last
	ahead int64 // bytes that are read ahead
}

// client follows no redirection from https to http.
var client = &http.Client{
	Transport: func() http.RoundTripper {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.ResponseHeaderTimeout = patience
		t.DisableCompression = true
		return t
	}(),
	CheckRedirect: func(to *http.Request, via []*http.Request) error {
		if len(via) >= 10 {
			return errors.New("more than 10 redirections")
		}
		if via[len(via)-1].URL.Scheme == "https" && to.URL.Scheme != "https" {
			return errors.New("it redirects from https to http")
		}
		return nil
	},
}

// Open opens the file at an address that begins with http:// or https://. It asks for the first 16 KiB; the answer
// shows the size. All ranges have both ends, which every server knows. Once ctx is done, all reading ends with an
// error.
func Open(ctx context.Context, address string) (*Reader, error) {
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r := &Reader{ctx: ctx, request: request, name: request.URL.Redacted(), pause: 100 * time.Millisecond}
	r.pages, _ = lru.New[int64, *page](cachePages)
	var front []byte
	n := 0
	err = r.repeat(func() (err error) {
		front, n, err = r.open()
		return err
	})
	if err == nil {
		err = r.fill(front, n, 0)
	}
	if err != nil {
		return nil, &Error{r.name, -1, err}
	}
	for at := 0; at < len(front); at += pageSize {
		p := r.begin(int64(at / pageSize))
		p.data = front[at:min(at+pageSize, len(front))]
		close(p.ready)
	}
	return r, nil
}

// Size is in bytes.
func (r *Reader) Size() int64 { return r.size }

// repeat does something until it is done, refused, or given up.
func (r *Reader) repeat(do func() error) error {
	pause := r.pause
	for i := 1; ; i++ {
		err := do()
		var t temporary
		if err == nil || !errors.As(err, &t) {
			return err
		}
		if t.moved {
			i, pause = 0, r.pause
		}
		if i == attempts {
			return fmt.Errorf("asked for %d times: %w", attempts, t.error)
		}
		select {
		case <-time.After(max(pause, min(t.after, 5*time.Second))):
		case <-r.ctx.Done():
			return context.Cause(r.ctx)
		}
		pause *= 2
	}
}

// patient is a body whose pieces may not take long.
type patient struct {
	io.ReadCloser
	cancel func()
	timer  *time.Timer
}

func (p *patient) Read(b []byte) (int, error) {
	p.timer.Reset(patience)
	return p.ReadCloser.Read(b)
}

func (p *patient) Close() error {
	p.timer.Stop()
	defer p.cancel()
	return p.ReadCloser.Close()
}

// ask returns an answer that is a part of the file, or the whole of it (206 or 200), or that it is empty.
func (r *Reader) ask(first, last int64) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.ctx, longest)
	q := r.request.Clone(ctx)
	q.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", first, last))
	q.Header.Set("User-Agent", "ply11")
	a, err := client.Do(q)
	if err != nil {
		cancel()
		if r.ctx.Err() != nil {
			return nil, context.Cause(r.ctx)
		}
		if inner := errors.Unwrap(err); inner != nil { // without the address of *url.Error
			err = inner
		}
		return nil, temporary{error: err}
	}
	a.Body = &patient{a.Body, cancel, time.AfterFunc(patience, cancel)}
	switch code := a.StatusCode; {
	case code == 200 || code == 206:
		if c := a.Header.Get("Content-Encoding"); c == "" || c == "identity" {
			return a, nil
		}
		err = fmt.Errorf("%w: it is compressed", ErrAnswer)
	case code == 416 && strings.TrimSpace(a.Header.Get("Content-Range")) == "bytes */0":
		return a, nil
	case code == 408 || code == 429 || code >= 500 && code != 501 && code != 505:
		seconds, _ := strconv.Atoi(a.Header.Get("Retry-After"))
		err = temporary{error: fmt.Errorf("%w: status %d", ErrStatus, code),
			after: time.Duration(min(max(seconds, 0), 60)) * time.Second}
	case code == 404 || code == 410:
		err = fmt.Errorf("%w: status %d: %w", ErrStatus, code, fs.ErrNotExist)
	case code == 416 && r.tag != "":
		err = fmt.Errorf("%w: it is shorter", ErrChanged)
	case code == 416:
		err = fmt.Errorf("%w: status %d", ErrNoRanges, code)
	default:
		err = fmt.Errorf("%w: status %d", ErrStatus, code)
	}
	a.Body.Close()
	return nil, err
}

// contentRange reads the header of an answer that is a part: bytes first-last/size.
func contentRange(a *http.Response) (first, last, size int64, err error) {
	s := a.Header.Get("Content-Range")
	span, total, _ := strings.Cut(strings.TrimPrefix(s, "bytes "), "/")
	from, to, _ := strings.Cut(span, "-")
	number := func(s string) int64 {
		n, bad := strconv.ParseUint(s, 10, 63)
		if bad != nil {
			err = bad
		}
		return int64(n)
	}
	first, last, size = number(from), number(to), number(total)
	if !strings.HasPrefix(s, "bytes ") || err != nil || first > last || last >= size {
		return 0, 0, 0, fmt.Errorf("%w: Content-Range is %q", ErrAnswer, s)
	}
	return first, last, size, nil
}

// tagOf returns the server's word for the state of the file. The two kinds cannot be taken for each other.
func tagOf(a *http.Response) string {
	if tag := a.Header.Get("ETag"); tag != "" {
		return "E" + strings.TrimPrefix(tag, "W/") // a proxy that compresses makes strong tags weak
	}
	return "M" + a.Header.Get("Last-Modified")
}

// open asks for the file's front. It returns the place for it, and how much of it arrived.
func (r *Reader) open() (front []byte, n int, err error) {
	a, err := r.ask(0, frontSize-1)
	if err != nil {
		return nil, 0, err
	}
	defer a.Body.Close()
	part := int64(frontSize)
	switch {
	case a.StatusCode == 416, a.Header.Get("Content-Range") == "bytes 0--1/0": // empty; the latter is net/http's
		r.size = 0
	case a.StatusCode == 200 && a.ContentLength >= 0 && a.ContentLength <= frontSize:
		r.size = a.ContentLength // all of a small file
	case a.StatusCode == 200:
		return nil, 0, ErrNoRanges
	default:
		first, last, size, err := contentRange(a)
		if err != nil {
			return nil, 0, err
		}
		if first != 0 || last >= frontSize {
			return nil, 0, fmt.Errorf("%w: it is bytes %d-%d, and not the first %d", ErrAnswer, first, last, frontSize)
		}
		r.size, part = size, last+1
	}
	front = make([]byte, min(frontSize, r.size))
	n, err = r.body(a, front[:min(part, r.size)])
	if err == nil && a.StatusCode == 200 && n < len(front) {
		err = temporary{error: io.ErrUnexpectedEOF} // there is no other way to the rest
	}
	if err == nil {
		r.tag = tagOf(a)
	}
	return front, n, err
}

// body reads the body of an answer into b, which it must not be longer than. It returns how much there was: what was
// cut off is asked for again.
func (r *Reader) body(a *http.Response, b []byte) (int, error) {
	n, err := io.ReadFull(a.Body, b)
	if err != nil && r.ctx.Err() != nil {
		return n, context.Cause(r.ctx)
	}
	if err == nil {
		if k, _ := io.ReadFull(a.Body, make([]byte, 1)); k > 0 {
			return 0, fmt.Errorf("%w: it is longer than was asked for", ErrAnswer)
		}
	}
	return n, nil
}

func (r *Reader) ReadAt(b []byte, at int64) (n int, err error) {
	if at < 0 {
		return 0, &Error{r.name, at, errors.New("negative offset")}
	}
	for rest := min(int64(len(b)), max(0, r.size-at)); int64(n) < rest; {
		k, err := r.read(b[n:min(rest, int64(n)+maxRequest)], at+int64(n))
		if n += k; err != nil {
			return n, &Error{r.name, at + int64(n), err}
		}
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (r *Reader) read(b []byte, at int64) (int, error) {
	pages, missing, err := r.claim(at, at+int64(len(b)))
	if err != nil {
		return 0, err
	}
	for len(missing) > 0 { // pages that follow each other make one request
		n := 1
		for n < len(missing) && missing[n].number == missing[0].number+int64(n) {
			n++
		}
		r.fetch(missing[:n])
		missing = missing[n:]
	}
	n := 0
	for _, p := range pages {
		select {
		case <-p.ready:
		case <-r.ctx.Done():
			return n, context.Cause(r.ctx)
		}
		if p.err != nil {
			return n, p.err
		}
		n += copy(b[n:], p.data[at+int64(n)-p.number*pageSize:])
	}
	return n, nil
}

// claim returns the pages of the bytes from at to next, and those that the caller has to fetch: what is missing of them
// and, where the reading goes forwards, after them.
func (r *Reader) claim(at, next int64) (pages, missing []*page, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return nil, nil, r.err
	}
	s := stream{next, 0}
	if i := slices.IndexFunc(r.ahead, func(s stream) bool { return s.next == at }); i >= 0 {
		s.ahead = min(max(2*r.ahead[i].ahead, minAhead), maxRequest/2)
		r.ahead = slices.Delete(r.ahead, i, i+1)
	}
	r.ahead = slices.Insert(r.ahead[:min(len(r.ahead), streams-1)], 0, s)
	end := (next-1)/pageSize + 1
	for n := at / pageSize; n < end; n++ {
		p, ok := r.pages.Get(n)
		if !ok {
			p = r.begin(n)
			missing = append(missing, p)
		}
		pages = append(pages, p)
	}
	if len(missing) > 0 && missing[len(missing)-1].number == end-1 {
		for n := end; n*pageSize < r.size && n < end+s.ahead/pageSize && !r.pages.Contains(n); n++ {
			missing = append(missing, r.begin(n))
		}
	}
	return pages, missing, nil
}

func (r *Reader) begin(n int64) *page {
	p := &page{number: n, ready: make(chan struct{})}
	r.pages.Add(n, p)
	return p
}

func (r *Reader) fetch(pages []*page) {
	at := pages[0].number * pageSize
	buf := make([]byte, min(r.size-at, int64(len(pages))*pageSize))
	err := r.fill(buf, 0, at)
	r.mu.Lock()
	defer r.mu.Unlock()
	if errors.Is(err, ErrChanged) && r.err == nil {
		r.err = err
	}
	for i, p := range pages {
		if p.err = err; err == nil {
			p.data = slices.Clone(buf[i*pageSize : min(len(buf), (i+1)*pageSize)]) // a kept page keeps no others
		} else {
			r.pages.Remove(p.number)
		}
		close(p.ready)
	}
}

// fill reads what lies from at on into buf, of which the first bytes arrived already.
func (r *Reader) fill(buf []byte, got int, at int64) error {
	if got == len(buf) {
		return nil
	}
	return r.repeat(func() error {
		n, err := r.get(buf[got:], at+int64(got))
		got += n
		if err == nil && got < len(buf) {
			err = temporary{error: io.ErrUnexpectedEOF, moved: n >= pageSize}
		}
		return err
	})
}

func (r *Reader) get(b []byte, at int64) (int, error) {
	last := at + int64(len(b)) - 1
	a, err := r.ask(at, last)
	if err != nil {
		return 0, err
	}
	defer a.Body.Close()
	if tag := tagOf(a); tag != r.tag {
		return 0, fmt.Errorf("%w: it was %s, and is %s", ErrChanged, r.tag[1:], tag[1:])
	}
	if a.StatusCode != 206 {
		if a.ContentLength >= 0 && a.ContentLength != r.size {
			return 0, fmt.Errorf("%w: it had %d bytes, and has %d", ErrChanged, r.size, a.ContentLength)
		}
		return 0, ErrNoRanges
	}
	f, l, size, err := contentRange(a)
	if err != nil {
		return 0, err
	}
	if size != r.size {
		return 0, fmt.Errorf("%w: it had %d bytes, and has %d", ErrChanged, r.size, size)
	}
	if f != at || l > last {
		return 0, fmt.Errorf("%w: it is bytes %d-%d, and not %d-%d", ErrAnswer, f, l, at, last)
	}
	return r.body(a, b[:l-at+1])
}
