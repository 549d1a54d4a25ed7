// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ply11/bitstream/archive"
	"ply11/internal/cli"
	"ply11/internal/httprange"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

// host serves a folder with ranges, and counts.
type host struct {
	*httptest.Server
	mu       sync.Mutex
	requests int
	bytes    int
}

func newHost(t *testing.T, dir string) *host {
	h := &host{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		h.requests++
		h.mu.Unlock()
		b, err := os.ReadFile(filepath.Join(dir, filepath.Base(r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", fmt.Sprintf("%q", fmt.Sprint(len(b))))
		http.ServeContent(&hostWriter{w, h}, r, "", time.Time{}, bytes.NewReader(b))
	}))
	t.Cleanup(h.Close)
	return h
}

type hostWriter struct {
	http.ResponseWriter
	h *host
}

func (w *hostWriter) Write(b []byte) (int, error) {
	w.h.mu.Lock()
	w.h.bytes += len(b)
	w.h.mu.Unlock()
	return w.ResponseWriter.Write(b)
}

// TestAddress: a command does the same with a file's address as with the file.
func TestAddress(t *testing.T) {
	commands, _ := cells(t)
	for i, k := range kindsOfFiles(t) {
		if k.name == "chessbase" {
			continue // which is two files
		}
		h := newHost(t, filepath.Dir(k.path))
		for j, command := range commands {
			// each kind with some commands, each command with some kinds
			if !testenv.Long && (i+j)%testenv.Pick(3, 13) != 0 {
				continue
			}
			if command == "serve" || command == "append" || command == "compact" || command == "edit" {
				continue // which leaves addresses to the page; which change the file
			}
			result := func(path string) string {
				k := k
				k.path = path
				args := cellArgs(command, k, t.TempDir())
				code, out, errs := runBoth(t, args...)
				written, _ := os.ReadFile(filepath.Join(filepath.Dir(args[len(args)-2]), "out.p11"))
				return strings.NewReplacer(path, "FILE", filepath.Base(path), "FILE").Replace(
					fmt.Sprintf("%d %q %q %q", code, out, errs, written))
			}
			if here, there := result(k.path), result(h.URL+"/"+filepath.Base(k.path)); here != there {
				t.Errorf("%s, %s: of the file %.300s, of its address %.300s", k.name, command, here, there)
			}
		}
	}
}

// TestAddressCost: of an archive on a server, show reads a few pieces, and find no more than the archive.
func TestAddressCost(t *testing.T) {
	testenv.Slow(t)
	dir := t.TempDir()
	ply11(t, dir, 0, "gen -q --games 2000 -o x.pgn")
	ply11(t, dir, 0, "pack -q --block 200 x.pgn")
	path := filepath.Join(dir, "x.p11")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	h := newHost(t, dir)
	for _, c := range []struct {
		args        []string
		requests    int
		bytes       int64
		description string
	}{
		{[]string{"show", "FILE", "1100"}, 3, 120_000, "one game"},
		{[]string{"show", "FILE", "1100", "--ply", "3"}, 3, 120_000, "one position"},
		{[]string{"find", "-j", "1", "--result", "1-0", "--count", "FILE"}, 10, info.Size() + 70_000, "a search"},
		{[]string{"verify", "FILE"}, 10, info.Size() + 70_000, "all of it"},
	} {
		here := strings.Split(strings.ReplaceAll(strings.Join(c.args, "\n"), "FILE", path), "\n")
		there := strings.Split(strings.ReplaceAll(strings.Join(c.args, "\n"), "FILE", h.URL+"/x.p11"), "\n")
		h.requests, h.bytes = 0, 0
		code, out, errs := runBoth(t, there...)
		_, want, _ := runBoth(t, here...)
		if code != 0 || strings.ReplaceAll(out, h.URL+"/x.p11", path) != want {
			t.Errorf("%s: %d %q %s, want %q", c.description, code, out, errs, want)
		}
		if h.requests > c.requests || int64(h.bytes) > c.bytes {
			t.Errorf("%s: %d requests (at most %d), %d bytes (at most %d) of an archive of %d", c.description,
				h.requests, c.requests, h.bytes, c.bytes, info.Size())
		}
	}
	for _, c := range []struct{ path, want string }{
		{h.URL + "/none.p11", "/none.p11: the server refuses: status 404: file does not exist"},
		{"http://127.0.0.1:1/x.p11", "connection refused"},
	} {
		if code, errs := runHere(t, "show", c.path, "1"); code != cli.Failed || !strings.Contains(errs, c.want) {
			t.Errorf("%s: %d %s", c.path, code, errs)
		}
	}
	for _, command := range []string{"pack", "unpack"} {
		if code, errs := runHere(t, command, "http://../"); code != cli.Usage ||
			!strings.Contains(errs, `".." is no name of a file here; --output names one`) {
			t.Errorf("%s: %d %s", command, code, errs)
		}
	}
}

// TestSearchCost: a search over a network for what is not there asks for little.
func TestSearchCost(t *testing.T) {
	testenv.Slow(t)
	// 300 blocks of 120 kB, nearly all of it a comment that no compression makes small.
	dir := t.TempDir()
	rnd := rand.NewChaCha8([32]byte{1})
	noise := make([]byte, 18_000)
	var text, packed bytes.Buffer
	for i := range 1500 {
		rnd.Read(noise)
		move := "e4"
		if i%300 == 200 {
			move = "a4"
		}
		fmt.Fprintf(&text, "[White \"Player, A%d\"]\n[Black \"Player, B%d\"]\n[Date \"%d.??.??\"]\n[Result "+
			"\"*\"]\n\n1. %s {%s} *\n\n", i, i, 1900+i%100, move, base64.StdEncoding.EncodeToString(noise))
	}
	if _, err := archive.Pack(t.Context(), &packed, &text, archive.WithBlockGames(5)); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "x.p11", packed.String())
	ply11(t, dir, 0, "index -q x.p11")
	h := newHost(t, dir)
	for _, c := range []struct {
		name, args string
		requests   int     // at most
		percent    float64 // of the file, at most
		found      int
	}{
		{"whole name", "--player '=Nobody, At All'", 12, 1, 0},
		{"year", "--date 1492", 12, 1, 0},
		{"part of a name", "--player 'body, at al'", 1000, 105, 0},
		{"exact position", "--no-index --fen '8/8/8/3k4/8/8/3KP3/8 w - - 0 1'", 1000, 105, 0},
		{"exact position, index", "--fen '8/8/8/3k4/8/8/3KP3/8 w - - 0 1'", 6, 0.5, 0},
		{"position of 5 games, index", "--fen 'rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR b'", 20, 3, 5},
	} {
		h.requests, h.bytes = 0, 0
		code, out, errs := runBoth(t, words("find -j 1 --count "+c.args+" "+h.URL+"/x.p11")...)
		percent := 100 * float64(h.bytes) / float64(packed.Len())
		if want := map[bool]int{true: 0, false: cli.NotFound}[c.found > 0]; code != want ||
			strings.TrimSpace(out) != fmt.Sprint(c.found) {
			t.Errorf("%s: %d %q %s", c.name, code, out, errs)
		}
		if h.requests > c.requests || percent > c.percent {
			t.Errorf("%s: %d requests (at most %d), %.2f %% (at most %.2f)", c.name, h.requests, c.requests, percent,
				c.percent)
		}
	}
}

// TestNoIndexAddress: whatever a server answers for a missing index, the archive is read.
func TestNoIndexAddress(t *testing.T) {
	dir := t.TempDir()
	ply11(t, dir, 0, "gen -q --games 200 --seed 4 -o a.p11")
	want, _ := ply11(t, dir, 0, "tree --moves '1.e4 c5' a.p11")
	page := "<!doctype html><title>Not here</title>" + strings.Repeat("<p>There is no such page. ", 2000)
	for name, answer := range map[string]func(w http.ResponseWriter){
		"403": func(w http.ResponseWriter) { w.WriteHeader(http.StatusForbidden) },
		"401": func(w http.ResponseWriter) { w.WriteHeader(http.StatusUnauthorized) },
		"404": func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) },
		"416": func(w http.ResponseWriter) { w.WriteHeader(http.StatusRequestedRangeNotSatisfiable) },
		"a page": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, page[:1000])
		},
		"a page of any length": func(w http.ResponseWriter) { io.WriteString(w, page) },
		"nothing":              func(w http.ResponseWriter) {},
	} {
		h := newHost(t, dir)
		files := h.Config.Handler
		h.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, ".p11x") {
				answer(w)
				return
			}
			files.ServeHTTP(w, r)
		})
		got, said := ply11(t, dir, 0, "tree --moves '1.e4 c5' "+h.URL+"/a.p11")
		if strings.ReplaceAll(got, h.URL+"/", "") != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if told := strings.Contains(said, "without an index"); told == (name == "404") {
			t.Errorf("%s: %q", name, said)
		}
		// one that is named has to be there
		code := cli.Failed
		if name == "a page" || name == "nothing" {
			code = cli.Wrong
		}
		ply11(t, dir, code, "tree --moves '1.e4 c5' --index "+h.URL+"/a.p11x "+h.URL+"/a.p11")
	}
}

// TestTreeFileRequests: to open a tree file on a server costs one request, and a look-up at most one.
func TestTreeFileRequests(t *testing.T) {
	testenv.Slow(t)
	dir := t.TempDir()
	for _, args := range [][]string{{"gen", "-q", "--games", "20000", "--seed", "3", "-o", "x.p11"},
		{"index", "-q", "--min-games", "2", "--max-ply", "40", "x.p11"}} {
		runCode(t, dir, 0, "", args...)
	}
	h := newHost(t, dir)
	f, err := httprange.Open(t.Context(), h.URL+"/x.p11t")
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.OpenTree(f, f.Size())
	if err != nil || h.requests > 1 || f.Size() < 6*64<<10 {
		t.Fatalf("%d requests to open a tree file of %d bytes: %v", h.requests, f.Size(), err)
	}
	asked := 0
	start := position.Start()
	for _, m := range start.LegalMoves(nil) {
		at := start
		at.Make(m)
		before, bytes := h.requests, h.bytes
		if _, err := query.New().Tree(t.Context(), []query.Source{{Name: "x", Counts: x}}, at,
			query.TreeOptions{}); err != nil || h.requests > before+1 || h.bytes-bytes > 200<<10 {
			t.Errorf("%s: %d requests, %d bytes, %v", at.FEN(), h.requests-before, h.bytes-bytes, err)
		}
		asked += h.requests - before
	}
	if asked < 4 {
		t.Errorf("%d look-ups make a request: it tests too little", asked)
	}
	h.requests = 0
	if code, _, errs := runBoth(t, "tree", "--moves", "1.e4 e5", h.URL+"/x.p11t"); code != 0 || h.requests > 2 {
		t.Errorf("%d requests: %d %s", h.requests, code, errs)
	}
}
