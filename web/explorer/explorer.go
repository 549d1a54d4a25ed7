// SPDX-License-Identifier: Apache-2.0

// Package explorer is what the explorer's page asks about moves, positions and the games of an archive.
//
// A Session answers calls. It knows nothing of browsers, so that it is tested without one; web/wasm/explorer connects
// the two. Whatever the input is, a call ends with a result or an error, and takes memory that does not grow with the
// archive.
//
//	var s explorer.Session
//	value, err := s.Methods().Do(ctx, &call.Call{Method: "move", Params: []byte(`{"kind": "uci", "text": "g1f3"}`)})
package explorer

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"ply11/bitstream/archive"
	"ply11/web/call"
)

// Session is what one page has open. It serves several calls at once.
type Session struct {
	mu      sync.Mutex // of what follows
	archive *openArchive
}

// Methods returns the methods of a Session.
func (s *Session) Methods() call.Methods {
	return call.Methods{
		"move":     call.New(s.move),
		"codes":    call.New(s.codes),
		"position": call.New(s.position),
		"list":     call.New(s.list),
		"game":     call.New(s.game),
		"search":   call.New(s.search),
		"texts":    call.New(s.texts),
		"tree":     call.New(s.tree),
		"index":    call.New(s.index),
	}
}

// yieldAfter is how long a call works before it lets the browser do other things.
const yieldAfter = 25 * time.Millisecond

// source is an archive's bytes as a call reads them: it yields, tells the progress, and ends when the call is given up,
// with the request for what is read then.
type source struct {
	io.ReaderAt
	ctx  context.Context
	call *call.Call
	size int64 // of the part from the front by which the progress is told; 0 if it is not

	mu   sync.Mutex
	last time.Time
	far  int64
}

func (r *source) ReadAt(b []byte, at int64) (int, error) {
	r.mu.Lock()
	if at+int64(len(b)) <= r.size { // what stands behind it is read at any time
		r.far = max(r.far, at)
	}
	now := time.Now()
	yield := now.Sub(r.last) > yieldAfter
	if yield {
		r.last = now
	}
	far := r.far
	r.mu.Unlock()
	if yield {
		if r.call.Progress != nil && r.size > 0 {
			r.call.Progress(float64(far) / float64(r.size))
		}
		if r.call.Yield != nil {
			r.call.Yield()
		}
	}
	if r.ctx.Err() != nil {
		return 0, call.ErrCanceled
	}
	n, err := readAt(r.ctx, r.ReaderAt, b, at)
	if err != nil && r.ctx.Err() != nil {
		err = call.ErrCanceled
	}
	return n, err
}

// readAt reads, and gives up when ctx is done where the file can do that.
func readAt(ctx context.Context, file io.ReaderAt, b []byte, at int64) (int, error) {
	if f, ok := file.(interface {
		ReadAtContext(ctx context.Context, b []byte, at int64) (int, error)
	}); ok {
		return f.ReadAtContext(ctx, b, at)
	}
	return file.ReadAt(b, at)
}

// reading reads a file for a call.
type reading struct {
	io.ReaderAt
	ctx context.Context
}

func (r *reading) ReadAt(b []byte, at int64) (int, error) {
	return readAt(r.ctx, r.ReaderAt, b, at)
}

// openArchive is an archive that is open.
type openArchive struct {
	mu   sync.Mutex // of the reader
	r    *archive.Reader
	file io.ReaderAt
	size int64
	near bool

	tags   kept
	beside indexFile
}

// Opened tells of an archive.
type Opened struct {
	Games int   `json:"games"`
	Plies int64 `json:"plies"`
	Bytes int64 `json:"bytes"`
}

// Open opens an archive for the calls that follow, in place of the one before, which stays open if ctx is done before.
// near tells that it is on this machine: then it costs less to read much at once than to read often.
func (s *Session) Open(ctx context.Context, file io.ReaderAt, size int64, near bool) (Opened, error) {
	reads := &reading{file, ctx}
	r, err := archive.NewReader(reads, size)
	if ctx.Err() != nil {
		return Opened{}, call.ErrCanceled
	}
	reads.ctx = context.Background()
	if err != nil {
		return Opened{}, err
	}
	s.mu.Lock()
	s.archive = &openArchive{r: r, file: file, size: size, near: near}
	s.mu.Unlock()
	t := r.Stats()
	return Opened{t.Games, t.Plies, size}, nil
}

// SetIndex tells how to open the index of the archive that is open. It is opened when a call first wants it. open's
// error is fs.ErrNotExist if there is none.
func (s *Session) SetIndex(open func(context.Context) (io.ReaderAt, int64, error)) error {
	a, err := s.opened()
	if err != nil {
		return err
	}
	a.beside.mu.Lock()
	defer a.beside.mu.Unlock()
	a.beside.open, a.beside.tried = open, false
	return nil
}

// opened returns the archive that is open.
func (s *Session) opened() (*openArchive, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.archive == nil {
		return nil, errors.New("no archive is open")
	}
	return s.archive, nil
}
