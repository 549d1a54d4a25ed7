// SPDX-License-Identifier: Apache-2.0

// Package httprange reads a file that lies on a web server at any place of it, by HTTP range requests (RFC 9110,
// section 14).
//
// A Reader is an io.ReaderAt. It keeps the pages that it read last, asks for what is missing in one request, reads
// ahead where the reading goes forwards, repeats a request that was cut off from where it was cut, a bounded number of
// times for each page, and compares what the server tells of the file with each answer: a file that changes while it is
// read is ErrChanged, and an answer that is not what was asked for is ErrAnswer. It trusts no length that a server
// tells.
package httprange

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Sizes of what is read and kept, in bytes. web/static/worker.js asks for the front and for pages at the end before a
// Reader does.
const (
	pageSize   = 8 << 10  // what is kept or forgotten as one
	frontSize  = 16 << 10 // what is read first: it tells the size, and a small file is whole
	maxRequest = 1 << 20  // the most that one request asks for
	minAhead   = 32 << 10 // the least that is read ahead, and doubled while the reading goes forwards
	cachePages = 8 << 20 / pageSize
	streams    = 8 // how many readings forwards are followed at once
)

// attempts is how often a piece is asked for before its error is told. An answer that brings a page or more begins the
// count again: a connection that always breaks after some time is slow, and no failure.
const attempts = 5

// What can be wrong. Errors of a Reader are *Error, and wrap one of these or an error of the network.
var (
	// ErrNoRanges: the server sends whole files only.
	ErrNoRanges = errors.New("the server does not send parts of files (HTTP ranges)")
	// ErrChanged: the file on the server is no longer the one that was opened. It is final.
	ErrChanged = errors.New("the file changed on the server while it was read")
	// ErrAnswer: the server's answer is not what was asked for.
	ErrAnswer = errors.New("the server's answer is wrong")
	// ErrStatus: the server refuses. If it does not have the file, the error is fs.ErrNotExist, too.
	ErrStatus = errors.New("the server refuses")
)

// Error tells which file could not be read, and where.
type Error struct {
	URL    string // without a password
	Offset int64  // of the first byte that was asked for; -1 when the file was opened
	Err    error
}

// Error names the file if it could not be opened. Those who read it have its name.
func (e *Error) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s: %v", e.URL, e.Err)
	}
	return fmt.Sprintf("at byte %d: %v", e.Offset, e.Err)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// temporary is an error after which it is worth to ask again.
type temporary struct {
	error
	after time.Duration // as the server asks, 0 if it does not
	moved bool          // a page or more arrived
}

func (t temporary) Unwrap() error { return t.error }

// A Response is an answer of a server, as a Transport gives it.
type Response struct {
	Status int
	Length int64 // of the body; -1 if it is not told
	Header func(name string) string
	Body   io.ReadCloser
}

// A Transport asks for a range of one file ("bytes=0-99") and returns the answer. An error of it is one of the network.
// It serves several goroutines at once.
type Transport func(ctx context.Context, byteRange string) (*Response, error)

// Reader reads a file on a server. It serves several goroutines at once, and holds at most 8 MiB of the file, and what
// is on its way.
type Reader struct {
	ctx       context.Context
	transport Transport
	name      string
	size      int64
	tag       string // what the server tells of the file's state: its ETag, or else the time when it was changed
	pause     time.Duration

	mu    sync.Mutex
	pages map[int64]*page
	order *list.List // of pages that are here, the one that was used last in front
	ahead []stream   // the one that was used last in front
	err   error      // final
}

// page is a part of the file. Its data do not change once ready is closed.
type page struct {
	number int64
	ready  chan struct{}
	data   []byte
	err    error
	at     *list.Element
}

// stream is a reading forwards: where it has come to, and how far it reads ahead.
type stream struct {
	next  int64 // the byte after what was read last
	ahead int64 // bytes
}

// New returns a Reader of a file behind a Transport. name is the file's name in errors. It asks for the file's first 16
// KiB, and the answer tells the size. All that is ever asked for is "bytes=0-99": a range with both ends is one that a
// page may ask a server of another origin for without a question before
// (https://fetch.spec.whatwg.org/#simple-range-header-value), and that servers know that do not know "the last 99".
//
// All reading ends with an error once ctx is done.
func New(ctx context.Context, name string, t Transport) (*Reader, error) {
	r := &Reader{ctx: ctx, transport: t, name: name, pages: map[int64]*page{}, order: list.New(),
		pause: 100 * time.Millisecond}
	var front []byte
	n := 0
	err := r.repeat(ctx, func() (err error) {
		front, n, err = r.open()
		return err
	})
	if err == nil {
		err = r.fill(ctx, front, n, 0)
	}
	if err != nil {
		return nil, &Error{name, -1, err}
	}
	for at := 0; at < len(front); at += pageSize {
		p := r.begin(int64(at / pageSize))
		p.data = front[at:min(at+pageSize, len(front))]
		close(p.ready)
		p.at = r.order.PushFront(p)
	}
	return r, nil
}

// Size returns the file's size in bytes.
func (r *Reader) Size() int64 { return r.size }

// repeat does something until it is done, is refused, was tried often enough, or is given up.
func (r *Reader) repeat(ctx context.Context, do func() error) error {
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
		wait := time.NewTimer(max(pause, min(t.after, 5*time.Second)))
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return context.Cause(ctx)
		}
		pause *= 2
	}
}

// ask sends a request, and returns an answer that is a part of the file, or the whole of it (206 or 200), or that it is
// empty.
func (r *Reader) ask(ctx context.Context, byteRange string) (*Response, error) {
	a, err := r.transport(ctx, byteRange)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, temporary{error: err}
	}
	fail := func(err error) (*Response, error) {
		a.Body.Close()
		return nil, err
	}
	switch code := a.Status; {
	case code == 200 || code == 206:
		if c := a.Header("Content-Encoding"); c != "" && c != "identity" {
			return fail(fmt.Errorf("%w: it is compressed (%s)", ErrAnswer, c))
		}
		return a, nil
	case code == 416 && strings.TrimSpace(a.Header("Content-Range")) == "bytes */0":
		return a, nil
	case code == 408 || code == 429 || code >= 500 && code != 501 && code != 505:
		seconds, _ := strconv.Atoi(a.Header("Retry-After"))
		return fail(temporary{error: fmt.Errorf("%w: status %d", ErrStatus, code),
			after: time.Duration(min(max(seconds, 0), 60)) * time.Second})
	case code == 404 || code == 410:
		return fail(fmt.Errorf("%w: status %d: %w", ErrStatus, code, fs.ErrNotExist))
	case code == 416 && r.tag != "":
		return fail(fmt.Errorf("%w: it is shorter", ErrChanged))
	case code == 416:
		return fail(fmt.Errorf("%w: status %d", ErrNoRanges, code))
	default:
		return fail(fmt.Errorf("%w: status %d", ErrStatus, code))
	}
}

// contentRange reads the header of an answer that is a part: bytes first-last/size.
func contentRange(s string) (first, last, size int64, err error) {
	span, total, ok := strings.Cut(strings.TrimPrefix(s, "bytes "), "/")
	from, to, ok2 := strings.Cut(span, "-")
	number := func(s string) int64 {
		n, err := strconv.ParseUint(s, 10, 63)
		if err != nil {
			ok = false
		}
		return int64(n)
	}
	first, last, size = number(from), number(to), number(total)
	if !strings.HasPrefix(s, "bytes ") || !ok || !ok2 || first > last || last >= size {
		if s == "" {
			return 0, 0, 0, fmt.Errorf("%w: it does not tell which part it is (Content-Range is not there, or not "+
				"exposed to pages of other origins)", ErrAnswer)
		}
		return 0, 0, 0, fmt.Errorf("%w: Content-Range is %q", ErrAnswer, s)
	}
	return first, last, size, nil
}

// tagOf returns what an answer tells of the state of the file. The two kinds cannot be taken for each other.
func tagOf(a *Response) string {
	if tag := a.Header("ETag"); tag != "" {
		return "E" + strings.TrimPrefix(tag, "W/") // a proxy that compresses makes strong tags weak
	}
	return "M" + a.Header("Last-Modified")
}

// open asks for the file's front. It returns the place for it, and how much of it arrived.
func (r *Reader) open() (front []byte, n int, err error) {
	a, err := r.ask(r.ctx, "bytes=0-"+strconv.Itoa(frontSize-1))
	if err != nil {
		return nil, 0, err
	}
	defer a.Body.Close()
	part := int64(frontSize)
	switch {
	case a.Status == 416, a.Header("Content-Range") == "bytes 0--1/0": // of an empty file; the latter is net/http's
		r.size = 0
	case a.Status == 200 && a.Length >= 0 && a.Length <= frontSize:
		r.size = a.Length // all of a small file
	case a.Status == 200:
		return nil, 0, ErrNoRanges
	default:
		first, last, size, err := contentRange(a.Header("Content-Range"))
		if err != nil {
			return nil, 0, err
		}
		if first != 0 || last >= frontSize {
			return nil, 0, fmt.Errorf("%w: it is bytes %d-%d of %d, and not the first %d", ErrAnswer, first, last, size,
				frontSize)
		}
		r.size, part = size, last+1
	}
	front = make([]byte, min(frontSize, r.size))
	n, err = r.body(r.ctx, a, front[:min(part, r.size)])
	if err == nil && a.Status == 200 && n < len(front) {
		err = temporary{error: io.ErrUnexpectedEOF} // there is no other way to the rest
	}
	if err == nil {
		r.tag = tagOf(a)
	}
	return front, n, err
}

// body reads the body of an answer into b, which it must not be longer than. It returns how much there was.
func (r *Reader) body(ctx context.Context, a *Response, b []byte) (int, error) {
	n, err := io.ReadFull(a.Body, b)
	if err == nil {
		var more [1]byte
		if k, _ := io.ReadFull(a.Body, more[:]); k > 0 {
			err = fmt.Errorf("%w: it is longer than was asked for", ErrAnswer)
			n = 0
		}
	} else if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil // it is short
	} else if ctx.Err() != nil {
		err = context.Cause(ctx)
	} else {
		err = nil // cut off: the rest is asked for again
	}
	return n, err
}

// ReadAt implements io.ReaderAt.
func (r *Reader) ReadAt(b []byte, at int64) (int, error) { return r.readAt(r.ctx, b, at) }

// ReadAtContext is ReadAt that also ends with an error once ctx is done: its request is given up, unless another
// reading began it. What another reading waits for is asked for again.
func (r *Reader) ReadAtContext(ctx context.Context, b []byte, at int64) (int, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer context.AfterFunc(r.ctx, func() { end(context.Cause(r.ctx)) })()
	return r.readAt(ctx, b, at)
}

func (r *Reader) readAt(ctx context.Context, b []byte, at int64) (n int, err error) {
	if at < 0 {
		return 0, &Error{r.name, at, errors.New("negative offset")}
	}
	whole := b
	if at >= r.size {
		b = nil
	} else {
		b = b[:min(int64(len(b)), r.size-at)]
	}
	for n < len(b) {
		part := b[n:min(int64(len(b)), int64(n)+maxRequest)]
		k, err := r.read(ctx, part, at+int64(n))
		n += k
		if errors.As(err, new(abandoned)) && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return n, &Error{r.name, at + int64(n), err}
		}
	}
	if len(b) < len(whole) {
		return n, io.EOF
	}
	return n, nil
}

// abandoned is the error of a page that was on its way when the reading that had asked for it was given up.
type abandoned struct{ error }

func (a abandoned) Unwrap() error { return a.error }

// read reads what is not longer than maxRequest and lies in the file.
func (r *Reader) read(ctx context.Context, b []byte, at int64) (int, error) {
	first, end := at/pageSize, (at+int64(len(b))-1)/pageSize+1
	pages, missing, err := r.claim(first, end, at, at+int64(len(b)))
	if err != nil {
		return 0, err
	}
	for len(missing) > 0 { // pages that follow each other make one request
		n := 1
		for n < len(missing) && missing[n].number == missing[0].number+int64(n) {
			n++
		}
		r.fetch(ctx, missing[:n])
		missing = missing[n:]
	}
	n := 0
	for _, p := range pages {
		select {
		case <-p.ready:
		case <-ctx.Done():
			return n, context.Cause(ctx)
		}
		if p.err != nil {
			return n, p.err
		}
		n += copy(b[n:], p.data[at+int64(n)-p.number*pageSize:])
	}
	return n, nil
}

// claim returns the pages from first up to end, in which the bytes from at to next are, and those that the caller has
// to fetch: what is missing of them and, where the reading goes forwards, after them.
func (r *Reader) claim(first, end, at, next int64) (pages, missing []*page, err error) {
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
	for n := first; n < end; n++ {
		p := r.pages[n]
		if p == nil {
			p = r.begin(n)
			missing = append(missing, p)
		} else if p.at != nil {
			r.order.MoveToFront(p.at)
		}
		pages = append(pages, p)
	}
	if len(missing) > 0 && missing[len(missing)-1].number == end-1 {
		for n := end; n*pageSize < r.size && n < end+s.ahead/pageSize && r.pages[n] == nil; n++ {
			missing = append(missing, r.begin(n))
		}
	}
	return pages, missing, nil
}

// begin makes a page that is on its way.
func (r *Reader) begin(n int64) *page {
	p := &page{number: n, ready: make(chan struct{})}
	r.pages[n] = p
	return p
}

// fetch asks for pages that follow each other, and makes them ready.
func (r *Reader) fetch(ctx context.Context, pages []*page) {
	at := pages[0].number * pageSize
	buf := make([]byte, min(r.size-at, int64(len(pages))*pageSize))
	err := r.fill(ctx, buf, 0, at)
	if err != nil && ctx.Err() != nil {
		err = abandoned{err}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if errors.Is(err, ErrChanged) && r.err == nil {
		r.err = err
	}
	for i, p := range pages {
		if p.err = err; err == nil {
			// a page that is kept keeps no others
			p.data = slices.Clone(buf[i*pageSize : min(len(buf), (i+1)*pageSize)])
			p.at = r.order.PushFront(p)
		} else {
			delete(r.pages, p.number)
		}
		close(p.ready)
	}
	for r.order.Len() > cachePages {
		old := r.order.Remove(r.order.Back()).(*page)
		delete(r.pages, old.number)
	}
}

// fill reads what lies from at on into buf, of which the first bytes arrived already.
func (r *Reader) fill(ctx context.Context, buf []byte, got int, at int64) error {
	if got == len(buf) {
		return nil
	}
	return r.repeat(ctx, func() error {
		n, err := r.get(ctx, buf[got:], at+int64(got))
		got += n
		if err == nil && got < len(buf) {
			err = temporary{error: io.ErrUnexpectedEOF, moved: n >= pageSize}
		}
		return err
	})
}

// get sends one request and reads what comes of it into b.
func (r *Reader) get(ctx context.Context, b []byte, at int64) (int, error) {
	last := at + int64(len(b)) - 1
	a, err := r.ask(ctx, fmt.Sprintf("bytes=%d-%d", at, last))
	if err != nil {
		return 0, err
	}
	defer a.Body.Close()
	if tag := tagOf(a); tag != r.tag {
		return 0, fmt.Errorf("%w: it was %s, and is %s", ErrChanged, r.tag[1:], tag[1:])
	}
	if a.Status != 206 {
		if a.Length >= 0 && a.Length != r.size {
			return 0, fmt.Errorf("%w: it had %d bytes, and has %d", ErrChanged, r.size, a.Length)
		}
		return 0, ErrNoRanges
	}
	f, l, size, err := contentRange(a.Header("Content-Range"))
	if err != nil {
		return 0, err
	}
	if size != r.size {
		return 0, fmt.Errorf("%w: it had %d bytes, and has %d", ErrChanged, r.size, size)
	}
	if f != at || l > last {
		return 0, fmt.Errorf("%w: it is bytes %d-%d, and not %d-%d", ErrAnswer, f, l, at, last)
	}
	return r.body(ctx, a, b[:l-at+1])
}
