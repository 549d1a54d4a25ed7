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
	h, err := web.Handler([]fs.FS{web.Static(), fstest.MapFS{"x.wasm.gz": {Data: []byte("w")}, ".hidden": {Data: []byte("h")}}},
		[]*web.Archive{{Name: "a b.p11", File: bytes.NewReader(content), Size: 10, State: func() string { return state },
			Positions: &web.Archive{Name: "a b.p11x", File: bytes.NewReader([]byte("x")), Size: 1}}, {Name: "c.p11", File: bytes.NewReader(content), Size: 10}}, []string{"localhost"})
	if err != nil {
		t.Fatal(err)
	}
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
		{"GET", "/archives.json", nil, 200, "application/json", `[{"name":"a b.p11","url":"archives/1/a%20b.p11","size":10,"index":"archives/1/a%20b.p11x"},{"name":"c.p11","url":"archives/2/c.p11","size":10}]`},
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
	} {
		r := ask(h, c.method, c.target, c.header...)
		body, _ := io.ReadAll(r.Body)
		if r.StatusCode != c.status || c.kind != "" && r.Header.Get("Content-Type") != c.kind || c.body != "" && strings.TrimSpace(string(body)) != c.body {
			t.Errorf("%s %s %q: %d %s %q", c.method, c.target, c.header, r.StatusCode, r.Header.Get("Content-Type"), body)
		}
		if c.method == "HEAD" && len(body) > 0 {
			t.Errorf("HEAD gives %q", body)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin"} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q", c.target, name, got)
			}
		}
		if p := r.Header.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || strings.Contains(p, "unsafe-inline") || strings.Contains(p, "'unsafe-eval'") {
			t.Errorf("%s: policy %q", c.target, p)
		}
	}
	before := ask(h, "GET", "/archives/1/a b.p11").Header.Get("ETag")
	state = "2"
	if after := ask(h, "GET", "/archives/1/a b.p11").Header.Get("ETag"); before == "" || after == before {
		t.Errorf("the tag stays %q when the file changes", after)
	}
	if r := ask(h, "GET", "/app.js", "If-None-Match", ask(h, "GET", "/app.js").Header.Get("ETag")); r.StatusCode != 304 {
		t.Errorf("what a browser has is sent again: %d", r.StatusCode)
	}
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
	for _, m := range regexp.MustCompile(`<(input|select|textarea|button|progress|canvas|form)\b[^>]*\bid="([^"]+)"`).FindAllStringSubmatch(string(page), -1) {
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

// TestPage: the page has nothing that its own policy forbids, and names no other host; every file that it names is there.
func TestPage(t *testing.T) {
	inline := regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>[^<\s]|\son[a-z]+\s*=|\sstyle\s*=|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`)
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
		for _, m := range regexp.MustCompile(`from '\./([^']+)'|(?:src|href)="([^"#:]+)"`).FindAllStringSubmatch(string(b), -1) {
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

// TestPinned: what comes from npm is taken in the version and with the hash that are pinned, with its licences, and refused if it is anything else; what
// is there and right is not asked for.
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
	npm := "#!/bin/sh\n[ \"$1 $2\" = 'pack --ignore-scripts' ] || exit 1\ncp '" + dir + "/package.tgz' \"axe-core-${3#axe-core@}.tgz\"\n"
	if err := os.WriteFile(filepath.Join(dir, "bin/npm"), []byte(npm), 0o777); err != nil {
		t.Fatal(err)
	}
	give := func(script []byte) {
		t.Helper()
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		w := tar.NewWriter(z)
		for name, content := range map[string][]byte{"axe.min.js": script, "LICENSE": files["LICENSE"], "LICENSE-3RD-PARTY.txt": files["LICENSE-3RD-PARTY.txt"]} {
			if err := w.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o644, Size: int64(len(content))}); err != nil {
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
			t.Errorf("types/package-lock.json: %s has version %q, hash %q, licence %q", name, p.Version, p.Integrity, p.License)
		}
	}
}
