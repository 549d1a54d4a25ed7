// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ply11/internal/cli"
)

type explored struct {
	White, Draws, Black uint64
	Moves               []struct{ UCI, SAN string }
}

func (e *explored) total() uint64 { return e.White + e.Draws + e.Black }

// TestServeExplorer: the command answers as Lichess's explorer beside the page. While games are added, each answer is
// of before or after.
func TestServeExplorer(t *testing.T) {
	dir := packed(t, strings.Repeat(treeGames, 10))
	ply11(t, dir, 0, "index -q a.p11")
	pgn, file := filepath.Join(dir, "a.pgn"), filepath.Join(dir, "a.p11")
	wrong := make(chan string, 100)
	tell := func(s string) {
		select {
		case wrong <- s:
		default:
		}
	}
	ask := func(address, path string, e any) string {
		r, err := http.Get(address + path)
		if err != nil {
			tell(err.Error())
			return ""
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != 200 || e != nil && json.Unmarshal(b, e) != nil {
			tell(path + ": " + r.Status + " " + string(b))
		}
		return string(b)
	}
	code, _, errs := serving(t, func(address string) {
		if page := ask(address, "", nil); !strings.Contains(page, "<html") {
			tell("the page is " + page)
		}
		var e explored
		if ask(address, "masters?play=d2d4,g8f6,c2c4,e7e6,g1f3", &e); e.total() != 30 || len(e.Moves) != 2 ||
			e.Moves[0].SAN != "d5" {
			tell("masters do not tell what they should")
		}
		if text := ask(address, "metrics", nil); !strings.Contains(text, "ply11_explorer_games 40\n") {
			tell(text)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 3 {
				for _, args := range [][]string{{"append", "-q", file, pgn}, {"index", "-q", "--update", file}} {
					if out, err := command(dir, args...).CombinedOutput(); err != nil {
						tell(err.Error() + ": " + string(out))
					}
				}
			}
		}()
		last, until := uint64(0), time.Now().Add(20*time.Second)
		for seen := false; !seen && time.Now().Before(until); {
			var e explored
			ask(address, "lichess?recentGames=0", &e)
			if e.total() < last || e.total()%30 != 0 {
				tell("games were lost")
			}
			last = e.total()
			select {
			case <-done:
				seen = last == 120
			default:
			}
			time.Sleep(time.Millisecond)
		}
		if last != 120 {
			tell("what was added is not seen")
		}
	}, "--explorer", file)
	close(wrong)
	for w := range wrong {
		t.Error(w)
	}
	if code != 0 || !strings.Contains(errs, `msg=request`) ||
		!strings.Contains(errs, `url="/masters?play=d2d4,g8f6,c2c4,e7e6,g1f3" status=200`) ||
		!strings.Contains(errs, "archives changed") {
		t.Errorf("%d %s", code, errs)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"serve", "--explorer"}, cli.Usage, "--explorer needs an archive"},
		{[]string{"serve", "--explorer", "--proxy", "nginx", file}, cli.Usage, `"nginx" is neither an address`},
		{[]string{"serve", "--explorer", "--rate", "-1", file}, cli.Usage, "--rate is 0 or more"},
		{[]string{"serve", "--masters", pgn}, cli.Wrong, "not a ply11 archive"},
		{[]string{"serve", "--explorer", "https://a.example/x.p11"}, cli.Usage,
			"--explorer needs a file with an index beside it"},
	} {
		if code, _, errs := runBoth(t, c.args...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%v: %d %s", c.args, code, errs)
		}
	}
}

// TestServeUnread: who asks and reads nothing gets no more answers than fit in short buffers.
func TestServeUnread(t *testing.T) {
	dir := packed(t, strings.Repeat(treeGames, 10))
	ply11(t, dir, 0, "index -q a.p11")
	file := filepath.Join(dir, "a.p11")
	asked, answered, size := 0, 0, 0
	var wrong error
	code, _, errs := serving(t, func(address string) {
		get := func(path string) (b []byte) {
			r, err := http.Get(address + path)
			if err == nil {
				defer r.Body.Close()
				b, err = io.ReadAll(r.Body)
			}
			if err != nil {
				wrong = err
			}
			return b
		}
		size = len(get("lichess?moves=300"))
		c, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/"))
		if err != nil {
			wrong = err
			return
		}
		defer c.Close()
		for err == nil { // until the server reads no more
			c.SetWriteDeadline(time.Now().Add(time.Second))
			_, err = io.WriteString(c, strings.Repeat("GET /lichess?moves=300 HTTP/1.1\r\nHost: localhost\r\n\r\n",
				100))
			asked += 100
		}
		_, text, _ := strings.Cut(string(get("metrics")),
			"ply11_explorer_requests_total{code=\"200\",endpoint=\"lichess\"} ")
		if _, err := fmt.Sscan(text, &answered); err != nil {
			wrong = err
		}
	}, "-q", "--explorer", file)
	if code != 0 || wrong != nil {
		t.Fatalf("%d %s, %v", code, errs, wrong)
	}
	if answered < 2 || answered*size > 1<<20 {
		t.Errorf("%d answers of %d bytes were made for a client who reads nothing", answered, size)
	}
}
