// SPDX-License-Identifier: Apache-2.0

// Package web is the explorer: a static page that shows what eleven bits are and browses archives, and the handler that
// serves it.
//
// The page is the files of static, and what package build makes: the Go programs that run in its workers. They are not
// in the tree, because they are large and change with every change of the reader. `make web` makes them in dist, from
// where they become part of the command; without that, `ply11 serve` makes them when it starts. The folder that `go run
// ./web/build` writes works on any static host.
//
//	programs, _ := web.Built()
//	games := &web.Archive{Name: "games.p11", Open: web.OpenFile("games.p11")}
//	h, err := web.Handler([]fs.FS{web.Static(), programs}, []*web.Archive{games})
//	http.ListenAndServe("localhost:8011", web.OnlyHosts([]string{"localhost"}, h))
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"ply11/bitstream/archive"
)

//go:embed static
var static embed.FS

//go:embed all:dist
var dist embed.FS

// Static returns the files of the page that are in the tree.
func Static() fs.FS { return below(static, "static") }

// Built returns the files that package build made before this program was built, and whether there are any.
func Built() (fs.FS, bool) {
	files := below(dist, "dist")
	_, err := fs.Stat(files, "explorer.wasm.gz")
	return files, err == nil
}

func below(files fs.FS, folder string) fs.FS {
	f, err := fs.Sub(files, folder)
	if err != nil {
		panic(err)
	}
	return f
}

// Archive is a file to be served beside the page, or the index of one.
type Archive struct {
	Name string
	// Open opens the file as it is now: it may grow, be replaced, appear and go. It is called for each request. The
	// error is fs.ErrNotExist if there is no file.
	Open func() (Content, error)
	// Positions is the index of its positions, which need not be there; or nil.
	Positions *Archive
}

// Content is a file that is open.
type Content struct {
	io.ReaderAt
	Size  int64
	State string // another one for each state of the file
	Close func()
}

// OpenFile returns an Archive.Open that opens a file on disk. What is no plain file is not there.
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
		return Content{f, info.Size(), fmt.Sprintf("%x-%x", info.Size(), info.ModTime().UnixNano()),
			func() { f.Close() }}, nil
	}
}

// Fixed returns an Archive.Open of what does not change.
func Fixed(r io.ReaderAt, size int64) func() (Content, error) {
	return func() (Content, error) { return Content{r, size, fmt.Sprintf("%x", size), func() {}}, nil }
}

// binaryKind is the type of what is no text.
const binaryKind = "application/octet-stream"

// policy is what the page may do: it runs its own programs alone, and reads archives from anywhere.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; " +
	"connect-src 'self' https: http:; " +
	"worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// file is a file of the page.
type file struct {
	content []byte
	packed  []byte // what is sent in its place to who takes its encoding; nil if there is none
	coding  string // its encoding: gzip or br
	tag     string
	kind    string
}

// handler serves files that it has in memory, by their exact names, and archives. So no path leads to anything else.
type handler struct {
	files    map[string]file
	archives map[string]*Archive
	list     []*Archive // in their order
}

// OnlyHosts refuses requests that name another host than those given, so that no other site can read what h serves by a
// name of its own that leads here ("DNS rebinding"). A host is a name without a port. Addresses are always taken: no
// name is needed for them, so none can lead elsewhere.
func OnlyHosts(hosts []string, h http.Handler) http.Handler {
	known := map[string]bool{}
	for _, name := range hosts {
		known[strings.ToLower(name)] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.Host
		if host, _, err := net.SplitHostPort(name); err == nil {
			name = host
		}
		if name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), ".")); !known[name] &&
			net.ParseIP(name) == nil {
			setPolicy(w.Header())
			http.Error(w, "this server does not have that name", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// Handler returns what serves the page, whose files are those of the folders given, and archives, read-only. Texts are
// compressed for who takes that. A file NAME.br is what NAME.gz holds, compressed by Brotli: who asks for NAME.gz and
// takes Brotli is sent that, with its Content-Encoding.
func Handler(folders []fs.FS, archives []*Archive) (http.Handler, error) {
	h := &handler{files: map[string]file{}, archives: map[string]*Archive{}, list: archives}
	add := func(name string, content []byte) error {
		kind := binaryKind
		switch path.Ext(name) {
		case ".html":
			kind = "text/html; charset=utf-8"
		case ".js":
			kind = "text/javascript; charset=utf-8"
		case ".css":
			kind = "text/css; charset=utf-8"
		case ".json":
			kind = "application/json"
		case ".svg":
			kind = "image/svg+xml"
		case ".txt":
			kind = "text/plain; charset=utf-8"
		}
		f, err := newFile(content, kind)
		h.files["/"+name] = f
		return err
	}
	for _, folder := range folders {
		err := fs.WalkDir(folder, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || strings.HasPrefix(path.Base(name), ".") {
				return err
			}
			content, err := fs.ReadFile(folder, name)
			if err != nil {
				return err
			}
			return add(name, content)
		})
		if err != nil {
			return nil, err
		}
	}
	for name, f := range h.files {
		base, ok := strings.CutSuffix(name, ".br")
		if zipped, there := h.files[base+".gz"]; ok && there {
			zipped.packed, zipped.coding = f.content, "br"
			h.files[base+".gz"] = zipped
		}
	}
	if index, ok := h.files["/index.html"]; ok {
		h.files["/"] = index
	}
	for i, a := range archives {
		h.archives["/"+pathOf(i, a)] = a
		if a.Positions != nil {
			h.archives["/"+pathOf(i, a.Positions)] = a.Positions
		}
	}
	return h, nil
}

// pathOf is the path of an archive of the list, or of its index.
func pathOf(i int, a *Archive) string { return fmt.Sprintf("archives/%d/%s", i+1, a.Name) }

// newFile makes a file of the page.
func newFile(content []byte, kind string) (file, error) {
	sum := sha256.Sum256(content)
	f := file{content: content, tag: hex.EncodeToString(sum[:8]), kind: kind}
	if kind == binaryKind {
		return f, nil
	}
	var zipped bytes.Buffer
	z, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return f, err
	}
	if _, err := z.Write(content); err != nil {
		return f, err
	}
	if err := z.Close(); err != nil {
		return f, err
	}
	if zipped.Len() < len(content) {
		f.packed, f.coding = zipped.Bytes(), "gzip"
	}
	return f, nil
}

// served lists the archives as they are now, with the indexes that are there.
func (h *handler) served() (file, error) {
	type listed struct {
		Name  string `json:"name"`
		URL   string `json:"url"`
		Size  int64  `json:"size"`
		Games int    `json:"games,omitempty"`
		Index string `json:"index,omitempty"`
	}
	list := []listed{}
	for i, a := range h.list {
		c, err := a.Open()
		if err != nil {
			continue // it is gone, for now
		}
		l := listed{Name: a.Name, URL: (&url.URL{Path: pathOf(i, a)}).EscapedPath(), Size: c.Size}
		if r, err := archive.NewReader(c, c.Size); err == nil { // what else it is, the page tells when it is opened
			l.Games = r.Stats().Games
		}
		c.Close()
		if a.Positions != nil {
			if x, err := a.Positions.Open(); err == nil {
				x.Close()
				l.Index = (&url.URL{Path: pathOf(i, a.Positions)}).EscapedPath()
			}
		}
		list = append(list, l)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return file{}, err
	}
	return newFile(text, "application/json")
}

// Accepts reports whether a request takes answers in an encoding, such as gzip or br: it names it, and not with the
// quality 0.
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

// serve serves a file of the page.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Content-Type", f.kind)
	content, tag := f.content, f.tag
	if f.packed != nil {
		head.Set("Vary", "Accept-Encoding")
		if r.Header.Get("Range") == "" && Accepts(r, f.coding) {
			content, tag = f.packed, tag+"-"+f.coding
			head.Set("Content-Encoding", f.coding)
			head.Set("Content-Length", strconv.Itoa(len(content))) // which ServeContent leaves to who compresses
		}
	}
	head.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// setPolicy sets what a browser may do with an answer.
func setPolicy(head http.Header) {
	head.Set("Content-Security-Policy", policy)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	head.Set("Cache-Control", "no-cache")
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	setPolicy(head)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		head.Set("Allow", "GET, HEAD")
		http.Error(w, "the server is read-only", http.StatusMethodNotAllowed)
		return
	}
	if r.URL.Path == "/archives.json" { // in place of that of a static host

		f, err := h.served()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		f.serve(w, r)
		return
	}
	if f, ok := h.files[r.URL.Path]; ok && f.content != nil {
		f.serve(w, r)
		return
	}
	if a, ok := h.archives[r.URL.Path]; ok {
		c, err := a.Open()
		if errors.Is(err, fs.ErrNotExist) {
			http.Error(w, "not found", http.StatusNotFound)
			return
		}
		if err != nil {
			http.Error(w, "the file cannot be read", http.StatusInternalServerError)
			return
		}
		defer c.Close()
		head.Set("Content-Type", binaryKind)
		head.Set("ETag", fmt.Sprintf("%q", c.State))
		http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(c, 0, c.Size))
		return
	}
	http.Error(w, "not found", http.StatusNotFound)
}
