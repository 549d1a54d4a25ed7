// SPDX-License-Identifier: Apache-2.0

// Package web is the page for the browser, whose files are part of the program, and how it is served: to whom, how
// fast, and with which policy. What the page asks is answered by packages of its own: explorer tells of archives and
// bytes, move of one move, lichess as Lichess's opening explorer does.
//
//	page, err := web.Page("games", "openings", "move", "bytes")
//	http.ListenAndServe("localhost:8011", web.OnlyHosts([]string{"localhost"}, page))
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"net"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"

	"ply11/clients"
)

//go:generate go test . -run ^TestElements$ -update
//go:embed static
var static embed.FS

// policy is what the page may do: it runs its own scripts, and asks its own server.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

var kinds = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".pgn": "application/x-chess-pgn",
	".wasm": "application/wasm"}

type file struct {
	content, zipped []byte // zipped is nil if it is not shorter
	tag, kind       string
}

// rooms finds the rooms in index.html: a section, and lines that name them.
var rooms = regexp.MustCompile(`(?s)<section id="room-([a-z]+)".*?</section>\n|[^\n]* data-room="([a-z]+)"[^\n]*\n`)

// Files returns the files of the page with the named rooms.
func Files(names ...string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, folder := range []struct {
		fs.FS
		name, as string
	}{{static, "static/", ""}, {clients.JS, "js/", "ply11/"}} {
		err := fs.WalkDir(folder, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			files[folder.as+strings.TrimPrefix(name, folder.name)], err = fs.ReadFile(folder, name)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	const symbols = "symbols.svg" // pieces and icons, to which a page's elements refer
	html := bytes.Replace(files["index.html"], []byte("<!-- "+symbols+" -->\n"), files[symbols], 1)
	delete(files, symbols)
	files["index.html"] = rooms.ReplaceAllFunc(html, func(b []byte) []byte {
		if m := rooms.FindSubmatch(b); slices.Contains(names, string(m[1])+string(m[2])) {
			return b
		}
		return nil
	})
	return files, nil
}

// Page serves the page with the named rooms, by the exact names of its files, so that no path leads to anything else.
func Page(names ...string) (http.Handler, error) {
	contents, err := Files(names...)
	if err != nil {
		return nil, err
	}
	files := map[string]*file{}
	for name, content := range contents {
		sum := sha256.Sum256(content)
		f := &file{content: content, tag: hex.EncodeToString(sum[:8]), kind: kinds[path.Ext(name)]}
		var zipped bytes.Buffer
		z, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
		z.Write(content)
		if z.Close(); zipped.Len() < len(content) {
			f.zipped = zipped.Bytes()
		}
		files["/"+name] = f
	}
	files["/"] = files["/index.html"]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		SetPolicy(w.Header())
		f, ok := files[r.URL.Path]
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the page is read-only", http.StatusMethodNotAllowed)
		case !ok:
			http.Error(w, "not found", http.StatusNotFound)
		default:
			f.serve(w, r)
		}
	}), nil
}

// Accepts reports whether a request takes answers in an encoding: it names it, and not with the quality 0.
func Accepts(r *http.Request, coding string) bool {
	for _, line := range r.Header.Values("Accept-Encoding") {
		for part := range strings.SplitSeq(line, ",") {
			name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
			if name = strings.TrimSpace(name); !strings.EqualFold(name, coding) {
				continue
			}
			value, ok := strings.CutPrefix(strings.ReplaceAll(quality, " ", ""), "q=")
			q, err := strconv.ParseFloat(value, 64)
			return !ok || err == nil && q > 0
		}
	}
	return false
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Content-Type", f.kind)
	content, tag := f.content, f.tag
	if f.zipped != nil {
		head.Set("Vary", "Accept-Encoding")
		if r.Header.Get("Range") == "" && Accepts(r, "gzip") {
			content, tag = f.zipped, tag+"-gzip"
			head.Set("Content-Encoding", "gzip")
			head.Set("Content-Length", strconv.Itoa(len(content))) // which ServeContent leaves to who compresses
		}
	}
	head.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// SetPolicy sets what a browser may do with an answer.
func SetPolicy(head http.Header) {
	head.Set("Content-Security-Policy", policy)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	head.Set("Cache-Control", "no-cache")
}

// OnlyHosts refuses requests that name another host, so that no other site can read what h serves by a name of its own
// that leads here ("DNS rebinding"), and requests from a page of another site that change something. A host is a name
// without a port; addresses are always taken.
func OnlyHosts(hosts []string, h http.Handler) http.Handler {
	known := map[string]bool{}
	for _, name := range hosts {
		known[strings.ToLower(name)] = true
	}
	origin := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.Host
		if host, _, err := net.SplitHostPort(name); err == nil {
			name = host
		}
		name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
		if !known[name] && net.ParseIP(name) == nil {
			SetPolicy(w.Header())
			http.Error(w, "this server does not have that name", http.StatusMisdirectedRequest)
			return
		}
		if err := origin.Check(r); err != nil {
			SetPolicy(w.Header())
			http.Error(w, "a page of another site may not ask this", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}

var zippers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	return z
}}

// Zip compresses a text by gzip, fast.
func Zip(text []byte) []byte {
	var b bytes.Buffer
	z := zippers.Get().(*gzip.Writer)
	defer zippers.Put(z)
	z.Reset(&b)
	z.Write(text)
	z.Close() // of which a buffer fails nothing
	return b.Bytes()
}

// Answer writes a value as JSON, or {"error": "…"} with the status that Status gives.
func Answer(w http.ResponseWriter, r *http.Request, value any, err error) {
	SetPolicy(w.Header())
	if err != nil {
		value = map[string]string{"error": err.Error()}
	}
	text, bad := json.Marshal(value)
	if bad != nil {
		text, err = []byte(`{"error":"the answer cannot be written"}`), bad
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Vary", "Accept-Encoding")
	if len(text) > 1000 && Accepts(r, "gzip") {
		text = Zip(text)
		w.Header().Set("Content-Encoding", "gzip")
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	if err != nil {
		w.WriteHeader(Status(err))
	}
	w.Write(text)
}
