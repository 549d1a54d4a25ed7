// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"ply11/internal/testenv"
	"ply11/web"
)

// served is what the server gave in a test.
var served struct {
	address, page string
	list          []struct {
		Name, URL, Index string
		Size             int64
	}
	content, index []byte // of the first archive
	wrong          error
}

// serveOnce makes the command serve end as soon as it was asked for everything, without the programs of the page.
func serveOnce(t *testing.T) {
	t.Helper()
	oldServing, oldPrograms := serving, pagePrograms
	t.Cleanup(func() { serving, pagePrograms = oldServing, oldPrograms })
	pagePrograms = func(context.Context, bool) (fs.FS, func(), error) { return fstest.MapFS{}, func() {}, nil }
	get := func(address string) []byte {
		r, err := http.Get(address)
		if err != nil {
			served.wrong = err
			return nil
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != 200 {
			served.wrong = err
			return nil
		}
		return b
	}
	serving = func(address string) {
		served.address, served.page, served.list, served.content, served.index, served.wrong = address,
			string(get(address)), nil, nil, nil, nil
		if err := json.Unmarshal(get(address+"archives.json"), &served.list); err != nil {
			served.wrong = err
		}
		if len(served.list) > 0 {
			served.content = get(address + served.list[0].URL)
			if i := served.list[0].Index; i != "" {
				served.index = get(address + i)
			}
		}
		(*onSignal.Swap(nil))() // as a signal does
	}
}

// TestServe serves a page and archives, with names that are no plain ones, and ends at a signal.
func TestServe(t *testing.T) {
	serveOnce(t)
	dir := t.TempDir()
	pgn := writeFile(t, dir, "x.pgn", games)
	odd := filepath.Join(dir, "a b%2f#?ü.p11")
	if code, errs := runHere(t, "pack", "-q", "-o", odd, pgn); code != 0 {
		t.Fatal(errs)
	}
	want, err := os.ReadFile(odd)
	if err != nil {
		t.Fatal(err)
	}
	code, out, errs := runBoth(t, "serve", odd)
	if code != 0 || served.wrong != nil || string(served.content) != string(want) ||
		!strings.Contains(served.page, "<title>ply11 explorer</title>") ||
		!strings.HasPrefix(out, "http://localhost:") || served.list[0].Name != filepath.Base(odd) ||
		served.list[0].Size != int64(len(want)) {
		t.Errorf("%d %q %s: %v, %+v, %d bytes", code, out, errs, served.wrong, served.list, len(served.content))
	}
	if served.list[0].Index != "" {
		t.Errorf("an index %q that is not there", served.list[0].Index)
	}
	if code, errs := runHere(t, "index", "-q", odd); code != 0 {
		t.Fatal(errs)
	}
	if want, err = os.ReadFile(odd + "x"); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := runBoth(t, "serve", odd); code != 0 || string(served.index) != string(want) ||
		len(served.list) != 1 {
		t.Errorf("with an index: %d %s, %+v, %d bytes", code, errs, served.list, len(served.index))
	}
	if code, _, errs := runBoth(t, "serve", "-q"); code != 0 || len(served.list) != 0 {
		t.Errorf("without archives: %d %s, %+v", code, errs, served.list)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"serve", filepath.Join(dir, "none.p11")}, exitError, "no such file"},
		{[]string{"serve", "https://a.example/x.p11"}, exitUsage, "the page can open an address itself"},
		{[]string{"serve", "--listen", "nonsense"}, exitError, "nonsense"},
		{[]string{"serve", "--listen", "localhost:99999"}, exitError, "99999"},
	} {
		if code, _, errs := runBoth(t, c.args...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%v: %d %s", c.args, code, errs)
		}
	}
}

// TestServeHosts: who listens on all addresses is warned, and names the machine by its names and addresses alone; who
// listens on this machine's own is not warned.
func TestServeHosts(t *testing.T) {
	serveOnce(t)
	pgn := writeFile(t, t.TempDir(), "x.pgn", games)
	file := strings.TrimSuffix(pgn, "pgn") + "p11"
	if code, errs := runHere(t, "pack", "-q", "-o", file, pgn); code != 0 {
		t.Fatal(errs)
	}
	own, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	status := map[string]int{}
	serving = func(address string) {
		for _, name := range []string{"localhost", "127.0.0.1", own, "evil.example", "games.example",
			"localhost.evil.example"} {
			r, err := http.NewRequest("GET", address+"archives/1/x.p11", nil)
			if err != nil {
				served.wrong = err
				continue
			}
			r.Host = name + ":" + r.URL.Port()
			if a, err := http.DefaultClient.Do(r); err != nil {
				served.wrong = err
			} else {
				a.Body.Close()
				status[name] = a.StatusCode
			}
		}
		(*onSignal.Swap(nil))()
	}
	for _, c := range []struct {
		args   []string
		warned bool
		games  int // the status for games.example
	}{
		{[]string{"serve", "-q", "--listen", ":0", file}, true, 421},
		{[]string{"serve", "-q", "--listen", "0.0.0.0:0", "--host", "more.example,games.example", file}, true, 200},
		{[]string{"serve", "-q", "--listen", "localhost:0", file}, false, 421},
		{[]string{"serve", "-q", "--listen", "127.0.0.1:0", file}, false, 421},
	} {
		clear(status)
		code, _, errs := runBoth(t, c.args...)
		if code != 0 || served.wrong != nil || strings.Contains(errs, "everybody") != c.warned {
			t.Errorf("%q: %d, %v, %q", c.args, code, served.wrong, errs)
		}
		for name, want := range map[string]int{"localhost": 200, "127.0.0.1": 200, own: 200, "evil.example": 421,
			"localhost.evil.example": 421, "games.example": c.games} {
			if status[name] != want {
				t.Errorf("%q: %s gets %d, want %d", c.args, name, status[name], want)
			}
		}
	}
}

// TestServeWithoutPage: a command that was built without the page, and stands where it cannot build it, says what makes
// one that has it.
func TestServeWithoutPage(t *testing.T) {
	if _, ok := web.Built(); ok {
		t.Skip("this tree's page is built, and so is part of the command")
	}
	project, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	code, out, errs := runBoth(t, "serve")
	if code != exitError || out != "" || !strings.Contains(errs, "make build") ||
		!strings.Contains(errs, "without the explorer's page") || strings.Contains(errs, "building") {
		t.Errorf("%d %q %q", code, out, errs)
	}
	// And what it names has the page for its source.
	text, err := exec.Command(testenv.Tools(t, "make")[0], "-n", "-C", project, "build").Output()
	if err != nil {
		t.Fatal(err)
	}
	page, command := strings.Index(string(text), "./web/build --programs web/dist"),
		strings.Index(string(text), "-o bin/ ./cmd/...")
	if page < 0 || command < page {
		t.Errorf("make build does %s", text)
	}
}
