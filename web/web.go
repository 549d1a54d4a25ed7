// SPDX-License-Identifier: Apache-2.0

// Package web is the explorer: a static page that shows what eleven bits are and browses archives, and the handler that serves it.
//
// The page is the files of static, and what package build makes: the Go programs that run in its workers. They are not in
// the tree, because they are large and change with every change of the reader. `make web` makes them in dist, from where they
// become part of the command; without that, `ply11 serve` makes them when it starts. The folder that `go run ./web/build`
// writes works on any static host.
//
//	programs, _ := web.Built()
//	games := &web.Archive{Name: "games.p11", File: file, Size: size}
//	h, err := web.Handler([]fs.FS{web.Static(), programs}, []*web.Archive{games}, nil)
//	http.ListenAndServe("localhost:8011", h)
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
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
	File io.ReaderAt
	Size int64
	// State returns what changes when the file changes; nil if it does not.
	State func() string
	// Positions is the index of its positions, or nil.
	Positions *Archive
}

// policy is what the page may do: it runs its own programs alone, and reads archives from anywhere.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self' https: http:; " +
	"worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// file is a file of the page.
type file struct {
	content []byte
	tag     string
	kind    string
}

// handler serves files that it has in memory, by their exact names, and archives. So no path leads to anything else.
type handler struct {
	files    map[string]file
	archives map[string]*Archive
	hosts    map[string]bool // that a request may name; nil for any
}

// Handler returns what serves the page, whose files are those of the folders given, and archives, read-only. If hosts is not empty, a
// request that names another host is refused, so that no other site can read the archives by a name that leads here.
func Handler(folders []fs.FS, archives []*Archive, hosts []string) (http.Handler, error) {
	h := &handler{files: map[string]file{}, archives: map[string]*Archive{}}
	if len(hosts) > 0 {
		h.hosts = map[string]bool{}
		for _, name := range hosts {
			h.hosts[name] = true
		}
	}
	add := func(name string, content []byte) {
		sum := sha256.Sum256(content)
		kind := "application/octet-stream"
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
		h.files["/"+name] = file{content, `"` + hex.EncodeToString(sum[:8]) + `"`, kind}
	}
	for _, folder := range folders {
		err := fs.WalkDir(folder, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || strings.HasPrefix(path.Base(name), ".") {
				return err
			}
			content, err := fs.ReadFile(folder, name)
			if err == nil {
				add(name, content)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	h.files["/"] = h.files["/index.html"]
	type listed struct {
		Name  string `json:"name"`
		URL   string `json:"url"`
		Size  int64  `json:"size"`
		Index string `json:"index,omitempty"`
	}
	list := []listed{}
	for i, a := range archives {
		serve := func(a *Archive) string {
			at := fmt.Sprintf("archives/%d/%s", i+1, a.Name)
			h.archives["/"+at] = a
			return (&url.URL{Path: at}).EscapedPath()
		}
		l := listed{Name: a.Name, URL: serve(a), Size: a.Size}
		if a.Positions != nil {
			l.Index = serve(a.Positions)
		}
		list = append(list, l)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	add("archives.json", text)
	return h, nil
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Content-Security-Policy", policy)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	head.Set("Cache-Control", "no-cache")
	if h.hosts != nil {
		name := r.Host
		if host, _, err := net.SplitHostPort(name); err == nil {
			name = host
		}
		if !h.hosts[strings.Trim(name, "[]")] {
			http.Error(w, "this server does not have that name", http.StatusMisdirectedRequest)
			return
		}
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		head.Set("Allow", "GET, HEAD")
		http.Error(w, "the server is read-only", http.StatusMethodNotAllowed)
		return
	}
	if f, ok := h.files[r.URL.Path]; ok && f.content != nil {
		head.Set("Content-Type", f.kind)
		head.Set("ETag", f.tag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.content))
		return
	}
	if a, ok := h.archives[r.URL.Path]; ok {
		state := ""
		if a.State != nil {
			state = a.State()
		}
		head.Set("Content-Type", "application/octet-stream")
		head.Set("ETag", fmt.Sprintf("\"%x-%s\"", a.Size, state))
		http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(a.File, 0, a.Size))
		return
	}
	http.Error(w, "not found", http.StatusNotFound)
}
