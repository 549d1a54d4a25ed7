// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ply11/internal/pytools"
	"ply11/web"
)

var all = []string{"games", "openings", "move", "bytes", "hardware"}

// page makes a page with all rooms.
func page(t *testing.T) (http.Handler, map[string][]byte) {
	t.Helper()
	h, err := web.Page(all...)
	if err != nil {
		t.Fatal(err)
	}
	files, err := web.Files(all...)
	if err != nil {
		t.Fatal(err)
	}
	return web.OnlyHosts([]string{"localhost"}, h), files
}

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

// TestPolicy: the page's files by their exact names, with strict headers, for who names this server, and nothing else.
func TestPolicy(t *testing.T) {
	h, _ := page(t)
	for _, c := range []struct {
		method, target string
		header         []string
		status         int
		kind           string
	}{
		{"GET", "/", nil, 200, "text/html; charset=utf-8"},
		{"HEAD", "/app.js", nil, 200, "text/javascript; charset=utf-8"},
		{"GET", "/style.css", nil, 200, "text/css; charset=utf-8"},
		{"GET", "/icon.svg", nil, 200, "image/svg+xml"},
		{"GET", "/ply11/board.js", nil, 200, "text/javascript; charset=utf-8"},
		{"GET", "/ply11/wasm.js", nil, 200, "text/javascript; charset=utf-8"},
		{"GET", "/ply11/wasm.c", nil, 404, ""},
		{"GET", "/../web.go", nil, 404, ""},
		{"GET", "/static/index.html", nil, 404, ""},
		{"GET", "//etc/passwd", nil, 404, ""},
		{"GET", "", nil, 404, ""},
		{"POST", "/", nil, 405, ""},
		{"DELETE", "/app.js", nil, 405, ""},
		{"GET", "/", []string{"Host", "evil.example"}, 421, ""},
		{"GET", "/", []string{"Host", "localhost.evil.example:8011"}, 421, ""},
		{"GET", "/", []string{"Host", "localhost"}, 200, ""},
		{"GET", "/", []string{"Host", "LocalHost."}, 200, ""},
		{"GET", "/", []string{"Host", "192.168.1.9:8011"}, 200, ""},
		{"GET", "/", []string{"Host", "[::1]:8011"}, 200, ""},
		{"GET", "/", []string{"Host", "192.168.1.9.evil.example"}, 421, ""},
		// A page of another site may not bring files, by a form either.
		{"POST", "/", []string{"Origin", "https://evil.example"}, 403, ""},
		{"POST", "/", []string{"Origin", "null"}, 403, ""},
		{"POST", "/", []string{"Sec-Fetch-Site", "cross-site"}, 403, ""},
		{"POST", "/", []string{"Origin", "http://localhost:8011", "Sec-Fetch-Site", "same-origin"}, 405, ""},
	} {
		r := ask(h, c.method, c.target, c.header...)
		body, _ := io.ReadAll(r.Body)
		if r.StatusCode != c.status || c.kind != "" && r.Header.Get("Content-Type") != c.kind || c.method == "HEAD" &&
			len(body) > 0 {
			t.Errorf("%s %s %q: %d %s, %d bytes", c.method, c.target, c.header, r.StatusCode,
				r.Header.Get("Content-Type"), len(body))
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin"} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q", c.target, name, got)
			}
		}
		if p := r.Header.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") ||
			!strings.Contains(p, "connect-src 'self';") || strings.Contains(p, "unsafe-inline") ||
			strings.Contains(p, "'unsafe-eval'") {
			t.Errorf("%s: policy %q", c.target, p)
		}
	}
	if r := ask(h, "GET", "/app.js", "If-None-Match", ask(h, "GET", "/app.js").Header.Get("ETag")); r.StatusCode !=
		304 {
		t.Errorf("what a browser has is sent again: %d", r.StatusCode)
	}
}

// TestCompressed: files are compressed for who takes that, whole, with tags of their own.
func TestCompressed(t *testing.T) {
	h, files := page(t)
	for _, c := range []struct {
		path, accept string
		header       []string
		zipped       bool
	}{
		{"/app.js", "gzip, deflate, br", nil, true}, {"/app.js", "br;q=1.0, GZIP;q=0.2", nil, true},
		{"/app.js", "gzip;q=0", nil, false}, {"/app.js", "gzip; q=0.000, *", nil, false},
		{"/app.js", "", nil, false}, {"/app.js", "identity", nil, false},
		{"/app.js", "gzip", []string{"Range", "bytes=3-9"}, false},
		{"/index.html", "gzip", nil, true}, {"/style.css", "gzip", nil, true}, {"/icon.svg", "gzip", nil, true},
		{"/ply11/wasm.js", "gzip", nil, true},
	} {
		plain := files[c.path[1:]]
		if c.header != nil {
			plain = plain[3:10]
		}
		r := ask(h, "GET", c.path, append([]string{"Accept-Encoding", c.accept}, c.header...)...)
		got, _ := io.ReadAll(r.Body)
		if zipped := r.Header.Get("Content-Encoding") == "gzip"; zipped != c.zipped ||
			r.Header.Get("Content-Length") != fmt.Sprint(len(got)) || r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s for %q %q: %v", c.path, c.accept, c.header, r.Header)
			continue
		}
		if c.zipped {
			z, err := gzip.NewReader(bytes.NewReader(got))
			if err != nil {
				t.Fatal(err)
			}
			if got, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
			if r.Header.Get("ETag") == ask(h, "GET", c.path).Header.Get("ETag") {
				t.Errorf("%s: a cache takes one for the other: %q", c.path, r.Header)
			}
		}
		if !bytes.Equal(got, plain) {
			t.Errorf("%s for %q is something else", c.path, c.accept)
		}
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	w := httptest.NewRecorder()
	web.Answer(w, r, strings.Repeat("x", 5000), nil)
	if w.Header().Get("Content-Encoding") != "gzip" || w.Body.Len() > 200 {
		t.Errorf("an answer of %d bytes: %v", w.Body.Len(), w.Header())
	}
}

// TestRooms: a page has the rooms that are asked for, whole, and no other.
func TestRooms(t *testing.T) {
	for _, want := range [][]string{{"games", "openings", "move", "bytes"}, {"move", "hardware"}} {
		files, err := web.Files(want...)
		if err != nil {
			t.Fatal(err)
		}
		html := string(files["index.html"])
		for _, room := range all {
			for _, part := range []string{`<section id="room-` + room + `"`, `href="#/` + room + `" data-room=`} {
				if has := strings.Contains(html, part); has != slices.Contains(want, room) {
					t.Errorf("rooms %v: %s: %v", want, part, has)
				}
			}
		}
		if strings.Count(html, "<section") != len(want) || strings.Count(html, "</section>") != len(want) ||
			!strings.Contains(html, "</footer>") {
			t.Errorf("rooms %v: %d sections", want, strings.Count(html, "<section"))
		}
	}
}

var update = flag.Bool("update", false, "make types/elements.d.ts")

// TestElements: what tsc is told of the page's elements is what the page has.
func TestElements(t *testing.T) {
	const name = "types/elements.d.ts"
	_, files := page(t)
	told, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{"textarea": "TextArea", "a": "Anchor"}
	var list []string
	for _, m := range regexp.MustCompile(
		`<(a|input|select|textarea|button|progress|canvas|form|details|dialog)\b[^>]*\bid="([^"]+)"`).FindAllStringSubmatch(string(files["index.html"]), -1) {
		name := names[m[1]]
		if name == "" {
			name = strings.ToUpper(m[1][:1]) + m[1][1:]
		}
		list = append(list, fmt.Sprintf("  '%s': HTML%sElement;\n", m[2], name))
	}
	slices.Sort(list)
	begin, _, _ := strings.Cut(string(told), "  '")
	_, end, _ := strings.Cut(string(told), "\n}\n")
	want := begin + strings.Join(list, "") + "}\n" + end
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if string(told) != want || len(list) < 30 {
		t.Errorf("%s is not of the page: go generate ./web makes it", name)
	}
}

// TestScripts: the page has nothing that its own policy forbids, and names no other host; every file that it names is
// there.
func TestScripts(t *testing.T) {
	inline := regexp.MustCompile(
		`(?i)<script(?:\s[^>]*)?>[^<\s]|\son[a-z]+\s*=|\sstyle\s*=|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`)
	other := regexp.MustCompile(`https?://[^\s'"…]+`)
	_, files := page(t)
	for name, b := range files {
		if strings.HasPrefix(name, "ply11/") {
			continue // which is no part of the page alone
		}
		if m := inline.Find(b); m != nil && (strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".js")) {
			t.Errorf("%s has %q", name, m)
		}
		for _, m := range other.FindAllString(string(b), -1) {
			if m != "http://www.w3.org/2000/svg" {
				t.Errorf("%s names %s", name, m)
			}
		}
		for _, m := range regexp.MustCompile(
			`(?:from|import\()\s*'\./([^']+)'|(?:src|href)="([^"#:?]+)"`).FindAllStringSubmatch(string(b), -1) {
			if files[m[1]+m[2]] == nil {
				t.Errorf("%s: there is no %s", name, m[1]+m[2])
			}
		}
	}
}

// TestLimits: an address may ask so often, and so much at once; this machine's own are not bounded, unless a proxy
// tells of them.
func TestLimits(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	l := web.NewLimits(2, proxies)
	request := func(from, forwarded string) *http.Request {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = from + ":1234"
		if forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		return r
	}
	status := func(from, forwarded string) (status int) {
		w := httptest.NewRecorder()
		l.Bound(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {})).ServeHTTP(w,
			request(from, forwarded))
		return w.Code
	}
	for range 4 {
		if got := status("10.0.0.1", ""); got != 200 {
			t.Fatalf("status %d", got)
		}
	}
	if got := status("10.0.0.1", ""); got != 429 {
		t.Errorf("the fifth request: %d", got)
	}
	for i := range 100 {
		if status("127.0.0.2", "") != 200 || status("[::1]", "") != 200 {
			t.Fatal("this machine is bounded")
		}
		if got := status(fmt.Sprintf("[2001:db8::%x]", i+2), ""); got != map[bool]int{true: 200, false: 429}[i < 4] {
			t.Fatalf("request %d of one network: %d", i+1, got)
		}
	}
	for range 4 {
		status("127.0.0.1", "10.0.0.9")
	}
	if status("127.0.0.1", "10.0.0.9") != 429 || status("127.0.0.1", "10.0.0.10") != 200 {
		t.Error("of what a proxy tells")
	}
	if !l.Here(request("127.0.0.1", "")) || l.Here(request("127.0.0.1", "127.0.0.1")) ||
		l.Here(request("10.0.0.1", "")) {
		t.Error("who is here")
	}
	l = web.NewLimits(1000, nil)
	var ends []func()
	for {
		end, err := l.Begin(l.Client(request("10.0.0.1", "")))
		if err != nil {
			break
		}
		ends = append(ends, end)
	}
	if len(ends) < 6 || len(ends) > 100 {
		t.Errorf("%d requests at once", len(ends))
	}
	ends[0]()
	if _, err := l.Begin(l.Client(request("10.0.0.1", ""))); err != nil {
		t.Errorf("after one ended: %v", err)
	}
}

// TestProxies: of a request through proxies the address is the last that is none of theirs; what others say of theirs
// is not believed.
func TestProxies(t *testing.T) {
	l := web.NewLimits(0, []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("10.0.0.0/8")})
	for _, c := range []struct {
		remote    string
		header    []string
		want      string
		forwarded bool
	}{
		{"192.0.2.1:1", nil, "192.0.2.1", false},
		{"192.0.2.1:1", []string{"198.51.100.7"}, "192.0.2.1", false},
		{"127.0.0.1:1", nil, "127.0.0.1", false},
		{"127.0.0.1:1", []string{"198.51.100.7"}, "198.51.100.7", true},
		{"[::ffff:127.0.0.1]:1", []string{"198.51.100.7"}, "198.51.100.7", true},
		{"127.0.0.1:1", []string{"203.0.113.9, 198.51.100.7"}, "198.51.100.7", true},
		{"127.0.0.1:1", []string{"203.0.113.9", "198.51.100.7, 10.1.2.3"}, "198.51.100.7", true},
		{"10.9.9.9:1", []string{"127.0.0.1, 2001:db8::1 , 10.1.2.3"}, "2001:db8::1", true},
		{"127.0.0.1:1", []string{"10.1.2.3"}, "10.1.2.3", true},
		{"127.0.0.1:1", []string{"198.51.100.7, unknown"}, "127.0.0.1", false},
		{"127.0.0.1:1", []string{"unknown, 10.1.2.3"}, "10.1.2.3", true},
		{"127.0.0.1:1", []string{""}, "127.0.0.1", false},
		{"nonsense", []string{"198.51.100.7"}, "invalid IP", false},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		r.Header["X-Forwarded-For"] = c.header
		if ip, forwarded := l.Client(r); ip.String() != c.want || forwarded != c.forwarded {
			t.Errorf("%s, %q: %s, %v", c.remote, c.header, ip, forwarded)
		}
	}
}

// TestPatient: who reads nothing, or sends nothing, has the connection closed; who is slow and goes on has not.
func TestPatient(t *testing.T) {
	const patience = 300 * time.Millisecond
	ended := make(chan error, 10)
	s := httptest.NewServer(web.Patient(patience, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			_, err := io.ReadAll(r.Body)
			ended <- err
			return
		}
		_, err := io.Copy(w, io.LimitReader(zeros{}, 64<<20))
		ended <- err
	})))
	defer s.Close()
	open := func(text string) net.Conn {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, text := range []string{"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n123"} {
		open(text)
		begun := time.Now()
		select {
		case err := <-ended:
			if took := time.Since(begun); err == nil || took < patience/2 {
				t.Errorf("%.4s: %v after %v", text, err, took)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%.4s holds its connection", text)
		}
	}
	c := open("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n")
	for i := range 10 {
		time.Sleep(patience / 4)
		fmt.Fprint(c, i)
	}
	if err := <-ended; err != nil {
		t.Errorf("who sends slowly: %v", err)
	}
	// The deadline of one request is not that of the next.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for range 2 {
		r, _ := http.NewRequestWithContext(ctx, "GET", s.URL, nil)
		a, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, a.Body)
		a.Body.Close()
		if <-ended; err != nil || n != 64<<20 {
			t.Errorf("%d bytes, %v", n, err)
		}
		time.Sleep(patience * 3 / 2)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// TestTypes: the types in the page's scripts are right, by TypeScript's checker.
func TestTypes(t *testing.T) {
	tsc, err := pytools.FindNPM("tsc")
	if err != nil {
		t.Skip("npm's packages of internal/pytools are not installed: ", err)
	}
	if out, err := exec.Command(tsc, "-p", "types").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
