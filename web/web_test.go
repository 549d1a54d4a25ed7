// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"ply11/internal/testenv"
	"ply11/web"
)

// ask asks a handler.
func ask(h http.Handler, method, target string, header ...string) *http.Response {
	r := httptest.NewRequest(method, "http://localhost/", nil)
	r.URL.Path, r.Host = target, "localhost:8011"
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

// TestHandler: files and archives by their exact names, in parts, with strict headers, and nothing else.
func TestHandler(t *testing.T) {
	content := []byte("0123456789")
	state := "1"
	changing := func() (web.Content, error) {
		return web.Content{ReaderAt: bytes.NewReader(content), Size: 10, State: state, Close: func() {}}, nil
	}
	h, err := web.Handler([]fs.FS{web.Static(), fstest.MapFS{"x.wasm.gz": {Data: []byte("w")},
		".hidden": {Data: []byte("h")}}},
		[]*web.Archive{{Name: "a b.p11", Open: changing,
			Positions: &web.Archive{Name: "a b.p11x", Open: web.Fixed(bytes.NewReader([]byte("x")), 1)}},
			{Name: "c.p11", Open: web.Fixed(bytes.NewReader(content), 10)}})
	if err != nil {
		t.Fatal(err)
	}
	h = web.OnlyHosts([]string{"localhost"}, h)
	for _, c := range []struct {
		method, target string
		header         []string
		status         int
		kind, body     string
	}{
		{"GET", "/", nil, 200, "text/html; charset=utf-8", ""},
		{"GET", "/app.js", nil, 200, "text/javascript; charset=utf-8", ""},
		{"GET", "/style.css", nil, 200, "text/css; charset=utf-8", ""},
		{"GET", "/icon.svg", nil, 200, "image/svg+xml", ""},
		{"GET", "/x.wasm.gz", nil, 200, "application/octet-stream", "w"},
		{"GET", "/archives.json", nil, 200, "application/json",
			`[{"name":"a b.p11","url":"archives/1/a%20b.p11","size":10,"index":"archives/1/a%20b.p11x"},{"name":"c.p11","url":"archives/2/c.p11","size":10}]`},
		{"GET", "/archives/1/a b.p11x", nil, 200, "application/octet-stream", "x"},
		{"GET", "/archives/2/c.p11x", nil, 404, "", ""},
		{"GET", "/archives/1/a b.p11", nil, 200, "application/octet-stream", "0123456789"},
		{"HEAD", "/archives/1/a b.p11", nil, 200, "application/octet-stream", ""},
		{"GET", "/archives/1/a b.p11", []string{"Range", "bytes=2-4"}, 206, "", "234"},
		{"GET", "/archives/1/a b.p11", []string{"Range", "bytes=-3"}, 206, "", "789"},
		{"GET", "/archives/1/a b.p11", []string{"Range", "bytes=10-"}, 416, "", ""},
		{"GET", "/archives/2/a b.p11", nil, 404, "", ""},
		{"GET", "/archives/1/../1/a b.p11", nil, 404, "", ""},
		{"GET", "/../web.go", nil, 404, "", ""},
		{"GET", "/static/index.html", nil, 404, "", ""},
		{"GET", "//etc/passwd", nil, 404, "", ""},
		{"GET", "/.hidden", nil, 404, "", ""},
		{"GET", "", nil, 404, "", ""},
		{"POST", "/", nil, 405, "", ""},
		{"PUT", "/archives/1/a b.p11", nil, 405, "", ""},
		{"DELETE", "/archives/1/a b.p11", nil, 405, "", ""},
		{"GET", "/", []string{"Host", "evil.example"}, 421, "", ""},
		{"GET", "/", []string{"Host", "localhost.evil.example:8011"}, 421, "", ""},
		{"GET", "/", []string{"Host", "localhost"}, 200, "", ""},
		{"GET", "/", []string{"Host", "LocalHost."}, 200, "", ""},
		{"GET", "/", []string{"Host", "192.168.1.9:8011"}, 200, "", ""},
		{"GET", "/", []string{"Host", "[::1]:8011"}, 200, "", ""},
		{"GET", "/", []string{"Host", "192.168.1.9.evil.example"}, 421, "", ""},
		{"GET", "/archives.json", []string{"Host", "evil.example:8011"}, 421, "", ""},
	} {
		r := ask(h, c.method, c.target, c.header...)
		body, _ := io.ReadAll(r.Body)
		if r.StatusCode != c.status || c.kind != "" && r.Header.Get("Content-Type") != c.kind || c.body != "" &&
			strings.TrimSpace(string(body)) != c.body {
			t.Errorf("%s %s %q: %d %s %q", c.method, c.target, c.header, r.StatusCode, r.Header.Get("Content-Type"),
				body)
		}
		if c.method == "HEAD" && len(body) > 0 {
			t.Errorf("HEAD gives %q", body)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin"} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q", c.target, name, got)
			}
		}
		if p := r.Header.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") ||
			strings.Contains(p, "unsafe-inline") || strings.Contains(p, "'unsafe-eval'") {
			t.Errorf("%s: policy %q", c.target, p)
		}
	}
	before := ask(h, "GET", "/archives/1/a b.p11").Header.Get("ETag")
	state = "2"
	if after := ask(h, "GET", "/archives/1/a b.p11").Header.Get("ETag"); before == "" || after == before {
		t.Errorf("the tag stays %q when the file changes", after)
	}
	if r := ask(h, "GET", "/app.js", "If-None-Match", ask(h, "GET", "/app.js").Header.Get("ETag")); r.StatusCode !=
		304 {
		t.Errorf("what a browser has is sent again: %d", r.StatusCode)
	}
}

// TestCompressed: texts are compressed for who takes that, whole, with tags of their own; nothing else is.
func TestCompressed(t *testing.T) {
	text := bytes.Repeat([]byte("a text that repeats itself. "), 100)
	h, err := web.Handler([]fs.FS{web.Static(), fstest.MapFS{"LICENSE.txt": {Data: text}, "x.wasm.gz": {Data: text},
		"short.txt": {Data: []byte("x")}}},
		[]*web.Archive{{Name: "a.p11", Open: web.Fixed(bytes.NewReader(text), int64(len(text)))}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, accept string
		header       []string
		zipped       bool
	}{
		{"/LICENSE.txt", "gzip, deflate, br", nil, true}, {"/LICENSE.txt", "br;q=1.0, GZIP;q=0.2", nil, true},
		{"/LICENSE.txt", "gzip;q=0", nil, false}, {"/LICENSE.txt", "gzip; q=0.000, *", nil, false},
		{"/LICENSE.txt", "", nil, false}, {"/LICENSE.txt", "identity", nil, false},
		{"/LICENSE.txt", "gzip", []string{"Range", "bytes=3-9"}, false},
		{"/x.wasm.gz", "gzip", nil, false}, {"/archives/1/a.p11", "gzip", nil, false},
		{"/short.txt", "gzip", nil, false},
		{"/", "gzip", nil, true}, {"/app.js", "gzip", nil, true}, {"/style.css", "gzip", nil, true},
		{"/icon.svg", "gzip", nil, true},
	} {
		plain, _ := io.ReadAll(ask(h, "GET", c.path, c.header...).Body)
		r := ask(h, "GET", c.path, append([]string{"Accept-Encoding", c.accept}, c.header...)...)
		got, _ := io.ReadAll(r.Body)
		if zipped := r.Header.Get("Content-Encoding") == "gzip"; zipped != c.zipped {
			t.Errorf("%s for %q %q: compressed: %v", c.path, c.accept, c.header, zipped)
			continue
		}
		if r.Header.Get("Content-Length") != fmt.Sprint(len(got)) {
			t.Errorf("%s for %q: length %s of %d bytes", c.path, c.accept, r.Header.Get("Content-Length"), len(got))
		}
		if c.zipped {
			z, err := gzip.NewReader(bytes.NewReader(got))
			if err != nil {
				t.Fatal(err)
			}
			if len(got) >= len(plain) {
				t.Errorf("%s: %d bytes of %d", c.path, len(got), len(plain))
			}
			if got, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
			if r.Header.Get("ETag") == ask(h, "GET", c.path).Header.Get("ETag") ||
				r.Header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s: a cache takes one for the other: %q", c.path, r.Header)
			}
			if n := ask(h, "GET", c.path, "Accept-Encoding", "gzip", "If-None-Match",
				r.Header.Get("ETag")); n.StatusCode != 304 {
				t.Errorf("%s is sent again: %d", c.path, n.StatusCode)
			}
		}
		if !bytes.Equal(got, plain) {
			t.Errorf("%s for %q is something else", c.path, c.accept)
		}
	}
}

// TestBrotli: what NAME.gz holds is sent by Brotli, if NAME.br is there and the request takes that, and else NAME.gz as
// it is.
func TestBrotli(t *testing.T) {
	h, err := web.Handler([]fs.FS{fstest.MapFS{"x.wasm.gz": {Data: []byte("zipped")},
		"x.wasm.br": {Data: []byte("brotli")}, "y.gz": {Data: []byte("y")}, "z.br": {Data: []byte("z")}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tags := map[string]string{}
	for _, c := range [][4]string{{"/x.wasm.gz", "gzip, deflate, br", "br", "brotli"},
		{"/x.wasm.gz", "gzip", "", "zipped"}, {"/x.wasm.gz", "br;q=0", "", "zipped"}, {"/x.wasm.gz", "", "", "zipped"},
		{"/y.gz", "br", "", "y"}, {"/z.br", "br", "", "z"}} {
		r := ask(h, "GET", c[0], "Accept-Encoding", c[1])
		body, _ := io.ReadAll(r.Body)
		if coding := r.Header.Get("Content-Encoding"); coding != c[2] || string(body) != c[3] || c[0] == "/x.wasm.gz" &&
			r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s for %q: %q %q, %v", c[0], c[1], coding, body, r.Header)
		}
		tag := r.Header.Get("ETag")
		if other, ok := tags[tag]; ok && other != c[3] {
			t.Errorf("%q and %q have one tag", other, body)
		}
		tags[tag] = c[3]
	}
}

// TestGrows: what is served is the file as it is: it grows, is replaced, goes and comes; an index appears.
func TestGrows(t *testing.T) {
	dir := t.TempDir()
	file, index := filepath.Join(dir, "a.p11"), filepath.Join(dir, "a.p11x")
	h, err := web.Handler([]fs.FS{web.Static()}, []*web.Archive{
		{Name: "a.p11", Open: web.OpenFile(file), Positions: &web.Archive{Name: "a.p11x", Open: web.OpenFile(index)}}})
	if err != nil {
		t.Fatal(err)
	}
	tags := map[string]bool{}
	is := func(what, list, end string) {
		t.Helper()
		if got, _ := io.ReadAll(ask(h, "GET", "/archives.json").Body); string(got) != list {
			t.Errorf("%s: the list is %s", what, got)
		}
		r := ask(h, "GET", "/archives/1/a.p11", "Range", "bytes=3-")
		if got, _ := io.ReadAll(r.Body); r.StatusCode == 206 && string(got) != end || r.StatusCode != 206 && end != "" {
			t.Errorf("%s: %d %q", what, r.StatusCode, got)
		}
		if tag := r.Header.Get("ETag"); end != "" && tags[tag] {
			t.Errorf("%s has a tag of before: %s", what, tag)
		} else {
			tags[tag] = true
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name+".new", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(name+".new", name); err != nil {
			t.Fatal(err)
		}
	}
	is("nothing", "[]", "")
	write(file, "012345")
	is("a file", `[{"name":"a.p11","url":"archives/1/a.p11","size":6}]`, "345")
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("678"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	is("a longer one", `[{"name":"a.p11","url":"archives/1/a.p11","size":9}]`, "345678")
	write(index, "an index")
	write(file, "another one")
	is("another one, with an index",
		`[{"name":"a.p11","url":"archives/1/a.p11","size":11,"index":"archives/1/a.p11x"}]`, "ther one")
	if got, _ := io.ReadAll(ask(h, "GET", "/archives/1/a.p11x").Body); string(got) != "an index" {
		t.Errorf("the index is %q", got)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	is("gone", "[]", "")
	if err := os.Mkdir(file, 0o777); err != nil {
		t.Fatal(err)
	}
	is("a folder", "[]", "")
}

// TestElements: what tsc is told of the page's elements is what the page has.
func TestElements(t *testing.T) {
	page, err := fs.ReadFile(web.Static(), "index.html")
	if err != nil {
		t.Fatal(err)
	}
	told, err := os.ReadFile("types/elements.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{"textarea": "TextArea"}
	var want []string
	for _, m := range regexp.MustCompile(
		`<(input|select|textarea|button|progress|canvas|form|details|dialog)\b[^>]*\bid="([^"]+)"`).FindAllStringSubmatch(string(page), -1) {
		name := names[m[1]]
		if name == "" {
			name = strings.ToUpper(m[1][:1]) + m[1][1:]
		}
		want = append(want, fmt.Sprintf("  '%s': HTML%sElement;", m[2], name))
	}
	got := regexp.MustCompile(`(?m)^  '.*;$`).FindAllString(string(told), -1)
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) || len(want) < 30 {
		t.Errorf("types/elements.d.ts has\n%s\nand the page\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestPage: the page has nothing that its own policy forbids, and names no other host; every file that it names is
// there.
func TestPage(t *testing.T) {
	inline := regexp.MustCompile(
		`(?i)<script(?:\s[^>]*)?>[^<\s]|\son[a-z]+\s*=|\sstyle\s*=|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`)
	other := regexp.MustCompile(`https?://[^\s'"…]+`)
	err := fs.WalkDir(web.Static(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := fs.ReadFile(web.Static(), name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".js") {
			if m := inline.Find(b); m != nil {
				t.Errorf("%s has %q", name, m)
			}
		}
		for _, m := range other.FindAllString(string(b), -1) {
			if m != "http://www.w3.org/2000/svg" {
				t.Errorf("%s names %s", name, m)
			}
		}
		for _, m := range regexp.MustCompile(`from '\./([^']+)'|(?:src|href)="([^"#:]+)"`).FindAllStringSubmatch(
			string(b), -1) {
			if _, err := fs.Stat(web.Static(), m[1]+m[2]); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPinned: what comes from npm is taken in the version and with the hash that are pinned, with its licences, and
// refused if it is anything else; what is there and right is not asked for.
func TestPinned(t *testing.T) {
	goCommand := testenv.Tools(t, "go", "tar", "sh")[0]
	dir := t.TempDir()
	program := filepath.Join(dir, "axe")
	if out, err := exec.Command(goCommand, "build", "-o", program, "./testdata/axe").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files := map[string][]byte{}
	for _, name := range []string{"axe.min.js.gz", "LICENSE", "LICENSE-3RD-PARTY.txt"} {
		b, err := os.ReadFile(filepath.Join("testdata/axe", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = b
	}
	if !strings.HasPrefix(string(files["LICENSE"]), "Mozilla Public License, version 2.0") {
		t.Error("testdata/axe/LICENSE is not that of axe-core")
	}
	z, err := gzip.NewReader(bytes.NewReader(files["axe.min.js.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	script, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	// An npm that gives a package of this test's making.
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	npm := "#!/bin/sh\n[ \"$1 $2\" = 'pack --ignore-scripts' ] || exit 1\ncp '" + dir +
		"/package.tgz' \"axe-core-${3#axe-core@}.tgz\"\n"
	if err := os.WriteFile(filepath.Join(dir, "bin/npm"), []byte(npm), 0o777); err != nil {
		t.Fatal(err)
	}
	give := func(script []byte) {
		t.Helper()
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		w := tar.NewWriter(z)
		for name, content := range map[string][]byte{"axe.min.js": script, "LICENSE": files["LICENSE"],
			"LICENSE-3RD-PARTY.txt": files["LICENSE-3RD-PARTY.txt"]} {
			if err := w.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o644,
				Size: int64(len(content))}); err != nil {
				t.Fatal(err)
			}
			w.Write(content)
		}
		w.Close()
		z.Close()
		if err := os.WriteFile(filepath.Join(dir, "package.tgz"), out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	folder := filepath.Join(dir, "testdata/axe")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	generate := func() (string, error) {
		cmd := exec.Command(program)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	wrong := bytes.Clone(script)
	wrong[len(wrong)/2] ^= 1
	give(wrong)
	out, err := generate()
	if list, _ := os.ReadDir(folder); err == nil || !strings.Contains(out, "another SHA-256") || len(list) > 0 {
		t.Errorf("a script with another hash: %v, %s, %v", err, out, list)
	}
	give(script)
	for _, before := range [][]byte{nil, []byte("damaged"), files["axe.min.js.gz"][:1000]} {
		if before != nil {
			if err := os.WriteFile(filepath.Join(folder, "axe.min.js.gz"), before, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := generate(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for name, want := range files {
			got, err := os.ReadFile(filepath.Join(folder, name))
			if err == nil && strings.HasSuffix(name, ".gz") {
				want = script
				if z, err = gzip.NewReader(bytes.NewReader(got)); err == nil {
					got, err = io.ReadAll(z)
				}
			}
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is of %d bytes, want %d (%v)", name, len(got), len(want), err)
			}
		}
	}
	if err := os.Remove(filepath.Join(dir, "bin/npm")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "package.tgz")); err != nil {
		t.Fatal(err)
	}
	if out, err := generate(); err != nil {
		t.Errorf("what is right is asked for again: %v: %s", err, out)
	}
	// The verifier of types, which make web-types installs, is pinned by its lock file.
	text, err := os.ReadFile("types/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Version, Integrity, License string }
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	for name, p := range lock.Packages {
		if name != "" && (p.Version == "" || !strings.HasPrefix(p.Integrity, "sha512-") || p.License == "") {
			t.Errorf("types/package-lock.json: %s has version %q, hash %q, licence %q", name, p.Version, p.Integrity,
				p.License)
		}
	}
}
