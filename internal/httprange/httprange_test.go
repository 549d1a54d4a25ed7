// SPDX-License-Identifier: Apache-2.0

package httprange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

// server serves a file with ranges, and counts. fault, unless nil, may answer a request itself, and then returns true.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	file     []byte
	tag      string
	requests []string // their ranges
	bytes    int
	fault    func(n int, w http.ResponseWriter, r *http.Request) bool // n from 1
}

func newServer(t *testing.T, file []byte) *server {
	s := &server{file: file, tag: `"1"`}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r.Header.Get("Range"))
		n, fault, file, tag := len(s.requests), s.fault, s.file, s.tag
		s.mu.Unlock()
		counted := &counting{w, s}
		if fault != nil && fault(n, counted, r) {
			return
		}
		w.Header().Set("ETag", tag)
		http.ServeContent(counted, r, "x.p11", time.Time{}, bytes.NewReader(file))
	}))
	t.Cleanup(s.Close)
	return s
}

type counting struct {
	http.ResponseWriter
	s *server
}

func (c *counting) Write(b []byte) (int, error) {
	c.s.mu.Lock()
	c.s.bytes += len(b)
	c.s.mu.Unlock()
	return c.ResponseWriter.Write(b)
}

func (s *server) open(t *testing.T) (*Reader, error) {
	t.Helper()
	r, err := Open(t.Context(), s.URL+"/x.p11")
	if r != nil {
		r.pause = time.Millisecond
	}
	return r, err
}

func mustOpen(t *testing.T, s *server) *Reader {
	t.Helper()
	r, err := s.open(t)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func noise(n int) []byte {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// TestReader holds readers of files of many sizes to the contract of io.ReaderAt.
func TestReader(t *testing.T) {
	for _, n := range []int{0, 1, pageSize - 1, pageSize, pageSize + 1, frontSize - 1, frontSize, frontSize + 1,
		3*frontSize + 77, 2*maxRequest + 12345} {
		s := newServer(t, noise(n))
		r := mustOpen(t, s)
		if r.Size() != int64(n) {
			t.Fatalf("size %d, want %d", r.Size(), n)
		}
		if err := iotest.TestReader(io.NewSectionReader(r, 0, r.Size()), s.file); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
		if k, err := r.ReadAt(make([]byte, 1), int64(n)); k != 0 || err != io.EOF {
			t.Errorf("at the end: %d, %v", k, err)
		}
		if _, err := r.ReadAt(nil, -1); err == nil {
			t.Error("a negative offset is taken")
		}
	}
}

// TestRandom reads pieces in any order, in several goroutines at once.
func TestRandom(t *testing.T) {
	s := newServer(t, noise(3<<20+99))
	r := mustOpen(t, s)
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			x := rand.New(rand.NewPCG(7, uint64(g)))
			for range 100 {
				at := x.IntN(len(s.file))
				b := make([]byte, x.IntN(1<<uint(x.IntN(22))))
				n, err := r.ReadAt(b, int64(at))
				if want := s.file[at:min(len(s.file), at+len(b))]; !bytes.Equal(b[:n], want) ||
					n < len(b) != (err == io.EOF) || err != nil && err != io.EOF {
					t.Errorf("%d bytes at %d: %d, %v", len(b), at, n, err)
				}
			}
		})
	}
	all.Wait()
}

// TestCost counts what is asked for: one request to open, one for a piece, none for what was read, few in a reading
// forwards.
func TestCost(t *testing.T) {
	s := newServer(t, noise(40<<20))
	r := mustOpen(t, s)
	read := func(at, n int) {
		t.Helper()
		if _, err := r.ReadAt(make([]byte, n), int64(at)); err != nil {
			t.Fatal(err)
		}
	}
	cost := func(what string, requests, most int) {
		t.Helper()
		if len(s.requests) > requests || s.bytes > most {
			t.Errorf("%s: %d requests (at most %d), %d bytes (at most %d)", what, len(s.requests), requests, s.bytes,
				most)
		}
		s.requests, s.bytes = nil, 0
	}
	cost("open", 1, frontSize)
	read(0, frontSize)
	cost("the front", 0, 0)
	read(len(s.file)-1000, 1000)
	cost("the end", 1, pageSize)
	read(10<<20+7, 100_000)
	cost("a piece", 1, 100_000+2*pageSize)
	read(10<<20+500, 99_000)
	cost("the same", 0, 0)
	for at := 20 << 20; at < 36<<20; at += 10_000 {
		read(at, 10_000)
	}
	cost("forwards", 50, 17<<20)
	read(10<<20+7, 100)
	cost("what was forgotten", 1, pageSize)
}

// cutOff ends an answer after so many bytes.
func cutOff(w http.ResponseWriter, r *http.Request, file []byte, after int) {
	var first, last int
	fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last)
	w.Header().Set("ETag", `"1"`)
	w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, len(file)))
	w.Header().Set("Content-Length", fmt.Sprint(last-first+1))
	w.WriteHeader(206)
	w.Write(file[first:min(first+after, last)])
	w.(*counting).ResponseWriter.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// TestFaults: a connection that is cut is taken up where it was cut; what cannot be mended is told, and ends.
func TestFaults(t *testing.T) {
	file := noise(1 << 20)
	cut := func(w http.ResponseWriter, r *http.Request, after int) { cutOff(w, r, file, after) }
	part := func(w http.ResponseWriter, contentRange, tag string, body []byte) bool {
		w.Header().Set("ETag", tag)
		w.Header().Set("Content-Range", contentRange)
		w.WriteHeader(206)
		w.Write(body)
		return true
	}
	is := func(e error) func(error) bool { return func(err error) bool { return errors.Is(err, e) } }
	type fault = func(n int, w http.ResponseWriter, r *http.Request) bool
	for _, c := range []struct {
		name     string
		fault    fault
		want     func(error) bool // nil if it is mended
		requests int              // after the opening
	}{
		{"cut twice", func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n <= 3 {
				cut(w, r, 30_000)
			}
			return false
		}, nil, 3},
		{"cut behind each page", func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n <= 14 {
				cut(w, r, pageSize)
			}
			return false
		}, nil, 14},
		{"cut always, within a page", func(n int, w http.ResponseWriter, r *http.Request) bool {
			cut(w, r, pageSize-1)
			return true
		}, is(io.ErrUnexpectedEOF), attempts},
		{"cut always", func(n int, w http.ResponseWriter, r *http.Request) bool { cut(w, r, 1); return true },
			is(io.ErrUnexpectedEOF), attempts},
		{"cut before the answer", func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n == 2 {
				panic(http.ErrAbortHandler)
			}
			return false
		}, nil, 2},
		{"busy twice", func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n <= 3 {
				w.WriteHeader(503)
			}
			return n <= 3
		}, nil, 3},
		{"busy for ever", func(n int, w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(503); return true },
			is(ErrStatus), attempts},
		{"gone", func(n int, w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(404); return true },
			is(ErrStatus), 1},
		{"another part", func(n int, w http.ResponseWriter, r *http.Request) bool {
			return part(w, fmt.Sprintf("bytes 0-99/%d", len(file)), `"1"`, file[:100])
		}, is(ErrAnswer), 1},
		{"more than was asked for", func(n int, w http.ResponseWriter, r *http.Request) bool {
			return part(w, fmt.Sprintf("bytes %d-%d/%d", 200_000/pageSize*pageSize, len(file)-1, len(file)), `"1"`,
				file)
		}, is(ErrAnswer), 1},
		{"a longer body", func(n int, w http.ResponseWriter, r *http.Request) bool {
			var first, last int
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last)
			return part(w, fmt.Sprintf("bytes %d-%d/%d", first, last, len(file)), `"1"`, file)
		}, is(ErrAnswer), 1},
		{"no part told", func(n int, w http.ResponseWriter, r *http.Request) bool {
			return part(w, "", `"1"`, file[:100])
		}, is(ErrAnswer), 1},
		{"nonsense", func(n int, w http.ResponseWriter, r *http.Request) bool {
			return part(w, "bytes 9-1/*", `"1"`, nil)
		}, is(ErrAnswer), 1},
		{"compressed", func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Encoding", "br")
			return part(w, "", `"1"`, nil)
		}, is(ErrAnswer), 1},
		{"another tag", func(n int, w http.ResponseWriter, r *http.Request) bool {
			return part(w, fmt.Sprintf("bytes 196608-303103/%d", len(file)), `"2"`, file[:106496])
		}, is(ErrChanged), 1},
		{"another size", func(n int, w http.ResponseWriter, r *http.Request) bool {
			return part(w, fmt.Sprintf("bytes 196608-303103/%d", len(file)+1), `"1"`, file[:106496])
		}, is(ErrChanged), 1},
		{"shorter", func(n int, w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(416); return true },
			is(ErrChanged), 1},
		{"the whole of it", func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("ETag", `"1"`)
			w.Header().Set("Content-Length", fmt.Sprint(len(file)))
			w.Write(file)
			return true
		}, is(ErrNoRanges), 1},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			s := newServer(t, file)
			r := mustOpen(t, s)
			s.fault = func(n int, w http.ResponseWriter, r *http.Request) bool { return c.fault(n, w, r) }
			b := make([]byte, 100_000)
			n, err := r.ReadAt(b, 200_000)
			if c.want == nil {
				if err != nil || !bytes.Equal(b, file[200_000:300_000]) {
					t.Errorf("%d bytes, %v", n, err)
				}
			} else if err == nil || !c.want(err) {
				t.Errorf("it is %v", err)
			} else if e := (*Error)(nil); !errors.As(err, &e) || e.Offset < 200_000 || e.URL != s.URL+"/x.p11" ||
				!strings.HasPrefix(err.Error(), "at byte 2") {
				t.Errorf("%v names no place", err)
			}
			if got := len(s.requests) - 1; got != c.requests {
				t.Errorf("%d requests, want %d: %q", got, c.requests, s.requests)
			}
			// What changed stays so; all else may be asked for anew.
			s.fault = nil
			_, again := r.ReadAt(b, 200_000)
			if changed := errors.Is(err, ErrChanged); changed != errors.Is(again, ErrChanged) || !changed &&
				again != nil {
				t.Errorf("then it is %v", again)
			}
		})
	}
}

// TestOpen: what a server says when a file is opened. Whatever is cut off of the first answer, the file is read, and
// what arrived is not asked for again.
func TestOpen(t *testing.T) {
	file := noise(200_000)
	type fault = func(n int, w http.ResponseWriter, r *http.Request) bool
	status := func(code int, header ...string) fault {
		return func(n int, w http.ResponseWriter, r *http.Request) bool {
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(code)
			return true
		}
	}
	cut := func(times, after int) fault {
		return func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n > times {
				return false
			}
			cutOff(w, r, file, after)
			return true
		}
	}
	for _, c := range []struct {
		name     string
		fault    fault
		want     error // nil if the file is read
		requests int   // to open it
		bytes    int   // most that is sent until all of it is read; 0 for no matter
	}{
		{"no ranges", func(n int, w http.ResponseWriter, r *http.Request) bool { w.Write(file); return true },
			ErrNoRanges, 1, 0},
		{"no file", status(404), ErrStatus, 1, 0},
		{"no file, as files have it", status(410), fs.ErrNotExist, 1, 0},
		{"forbidden", status(403), ErrStatus, 1, 0},
		{"no such range", status(416), ErrNoRanges, 1, 0},
		{"not the front", func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Range", "bytes 100-199/200000")
			w.WriteHeader(206)
			w.Write(file[:100])
			return true
		}, ErrAnswer, 1, 0},
		{"more than can be", status(206, "Content-Range", "bytes 0-9223372036854775807/9223372036854775808"), ErrAnswer,
			1, 0},
		{"busy twice", func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n <= 2 {
				w.WriteHeader(503)
			}
			return n <= 2
		}, nil, 3, 0},
		{"cut before the answer", func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n == 1 {
				panic(http.ErrAbortHandler)
			}
			return false
		}, nil, 2, 0},
		{"cut before the first byte", cut(1, 0), nil, 2, len(file)},
		{"cut in the first page", cut(1, pageSize-1), nil, 2, len(file)},
		{"cut in the second page", cut(1, pageSize+100), nil, 2, len(file)},
		{"cut four times", cut(4, 3000), nil, 5, len(file)},
		{"a shorter part", func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 1 {
				return false
			}
			w.Header().Set("ETag", `"1"`)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", pageSize-1, len(file)))
			w.WriteHeader(206)
			w.Write(file[:pageSize])
			return true
		}, nil, 2, len(file)},
		// A server that is asked by pages of another origin, and answers no question before: what such a page may ask
		// for is a range with both ends, or to the end.
		{"simple ranges alone", func(n int, w http.ResponseWriter, r *http.Request) bool {
			var first, last int
			if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last); err != nil || first > last {
				panic(http.ErrAbortHandler)
			}
			return false
		}, nil, 1, 0},
	} {
		s := newServer(t, file)
		s.fault = c.fault
		r, err := s.open(t)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := len(s.requests); got != c.requests {
			t.Errorf("%s: %d requests: %q", c.name, got, s.requests)
		}
		if err == nil {
			if b, err := io.ReadAll(io.NewSectionReader(r, 0, r.Size())); err != nil || !bytes.Equal(b, file) {
				t.Errorf("%s: %d bytes, %v", c.name, len(b), err)
			}
			if c.bytes > 0 && s.bytes > c.bytes {
				t.Errorf("%s: %d bytes were sent of a file of %d", c.name, s.bytes, len(file))
			}
		}
	}
	// A small file that is sent as a whole is read as one; cut off, it is asked for again.
	small := noise(1000)
	s := newServer(t, small)
	s.fault = func(n int, w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Length", "1000")
		w.Write(small[:min(len(small), 500*n)])
		if n == 1 {
			w.(*counting).ResponseWriter.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		return true
	}
	r, err := s.open(t)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(io.NewSectionReader(r, 0, r.Size())); err != nil || !bytes.Equal(b, small) ||
		len(s.requests) != 2 {
		t.Errorf("a small file: %d bytes, %v, by %q", len(b), err, s.requests)
	}
	if _, err := Open(t.Context(), "http://127.0.0.1:1/x"); err == nil {
		t.Error("a server is found where none is")
	}
	if _, err := Open(t.Context(), "http://a b/"); err == nil {
		t.Error("an address is taken that is none")
	}
	_, err = Open(t.Context(), "http://name:secret@127.0.0.1:1/x")
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("it tells the password: %v", err)
	}
}

// TestChange: a file that is replaced while it is read is not mixed with what it was.
func TestChange(t *testing.T) {
	s := newServer(t, noise(1<<20))
	r := mustOpen(t, s)
	if _, err := r.ReadAt(make([]byte, 100), 300_000); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	s.file, s.tag = noise(1<<20+1), `"2"`
	s.mu.Unlock()
	for range 2 {
		if _, err := r.ReadAt(make([]byte, 100), 500_000); !errors.Is(err, ErrChanged) {
			t.Errorf("it is %v", err)
		}
	}
	if len(s.requests) != 3 {
		t.Errorf("%d requests", len(s.requests))
	}
}

// TestCancel: a reader whose context is done gives up, and does not ask again.
func TestCancel(t *testing.T) {
	s := newServer(t, noise(1<<20))
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Open(ctx, s.URL)
	if err != nil {
		t.Fatal(err)
	}
	s.fault = func(n int, w http.ResponseWriter, r *http.Request) bool {
		cancel()
		<-r.Context().Done()
		return true
	}
	if _, err := r.ReadAt(make([]byte, 100), 300_000); !errors.Is(err, context.Canceled) {
		t.Errorf("it is %v", err)
	}
	if len(s.requests) != 2 {
		t.Errorf("%d requests", len(s.requests))
	}
}

func TestIsURL(t *testing.T) {
	for s, want := range map[string]bool{"http://x/y.p11": true, "HTTPS://x": true, "games.p11": false, "http": false,
		"ftp://x": false, "-": false} {
		if IsURL(s) != want {
			t.Errorf("%s: %v", s, !want)
		}
	}
}

// TestName: an address stands for a file with the name of its last part, without what signs it.
func TestName(t *testing.T) {
	for arg, want := range map[string]string{
		"dir/x.pgn": "dir/x.pgn", "-": "-", "https://a.example/b/c.pgn.zst?v=1#x": "c.pgn.zst",
		"http://a.example/": "a.example",
		"http://a.example":  "a.example", "http://a.example/x/..": "a.example", "http://a.example/x%2fy.pgn": "y.pgn",
		"http://a.example/..":        "a.example",
		"http://a.example/x%5cy.pgn": "y.pgn", `http://a.example/..%5C..\x.p11`: "x.p11",
	} {
		if got := Name(arg); got != want {
			t.Errorf("%s: %q, want %q", arg, got, want)
		}
	}
}
