// SPDX-License-Identifier: Apache-2.0

//go:build !quick

package web_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"ply11/bitstream/archive"
	"ply11/web"
)

// drop drops a file on the page: its bytes in base 64.
func (p *page) drop(name string, content []byte) {
	p.Helper()
	p.js(
		fmt.Sprintf(
			`(() => { const d = new DataTransfer(); d.items.add(new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], %q));
		document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true})); return 1 })()`, base64.StdEncoding.EncodeToString(content), name))
}

// testDropped: files that are dropped go to the room that knows them; what is copied is what is shown.
func testDropped(t *testing.T, browser context.Context, h *host) {
	const about = `document.getElementById('games-about').textContent`
	p := open(t, browser, h, "", wide)
	p.drop("two.pgn", []byte(annotated))
	p.until(about + `.startsWith('two.pgn: 2 games')`)
	p.is(`location.hash`, "#/games")
	p.drop("famous.p11", content(t, h.archives[0]))
	p.until(about + `.startsWith('famous.p11: 36 games')`)
	p.drop("game.jgt", []byte{0x13, 0x13, 0x74, 0x25})
	p.until(
		`!document.getElementById('room-bytes').hidden && document.querySelectorAll('#bytes-lines button').length > 0`)
	p.until(`document.getElementById('bytes-format').value === 'jose'`)
	// The game, its position and its address, as they are copied.
	p.js(`(navigator.clipboard.writeText = async (text) => { window.copied = text }, 1)`)
	p.js(`(location.hash = '#/games/3/3', 1)`)
	p.until(`!document.getElementById('game').hidden && location.hash === '#/games/3/3'`)
	r, err := archive.NewReader(bytes.NewReader(content(t, h.archives[0])), int64(len(content(t, h.archives[0]))))
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.AppendText(nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	for button, want := range map[string]string{"copy-pgn": string(text),
		"copy-fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"} {
		p.click("#" + button)
		p.until(`document.getElementById('status').textContent.endsWith(' copied')`)
		p.is(`window.copied`, want)
		p.js(`(document.getElementById('status').textContent = '', 1)`)
	}
	p.is(`document.getElementById('copy-link').hidden`, "true") // an address says nothing of a file
	p.served(1)
	p.until(`location.search === '?archive=archives/1/famous.p11'`)
	p.js(`(location.hash = '#/games/3/3', 1)`)
	p.until(`!document.getElementById('game').hidden`)
	p.click(`#copy-link`)
	p.until(`window.copied === '` + h.URL + `/?archive=archives/1/famous.p11#/games/3/3'`)
	p.clean()
}

// testBegin: the page shows what the server has: its one archive, or a card for each; and where there is nothing, it
// says what to do, and has games to try.
func testBegin(t *testing.T, browser context.Context, programs fs.FS, archives []*web.Archive) {
	folders := []fs.FS{web.Static(), programs}
	p := open(t, browser, newHost(t, folders, archives[:1]), "", wide)
	p.until(
		aboutGames + `.startsWith('famous.p11: 36 games') && location.hash === '#/games' && document.querySelectorAll('.game-row').length > 5`)
	p.is(archiveOf, "archives/1/famous.p11")
	p.is(`document.getElementById('games-open').open`, "false")
	p.enter(`#games-filter [name=player]`, "nobody")
	p.until(`!document.getElementById('games-none').hidden && document.getElementById('games-list').hidden`)
	p.click(`#games-clear`)
	p.until(
		`document.getElementById('games-none').hidden && document.querySelectorAll('.game-row').length > 5 && document.querySelector('#games-filter [name=player]').value === ''`)
	p.clean()
	p = open(t, browser, newHost(t, folders, archives), "", wide)
	p.until(`location.hash === '#/games' && document.querySelectorAll('#games-served button').length === 2`)
	p.is(
		`[...document.querySelectorAll('#games-served button')].map((b) => b.textContent.replace(/[0-9.]+ k?B/, 'SIZE').replace(/[0-9]+ bytes/, 'SIZE')).join()`,
		"famous.p1136 games · SIZE · index of positions,annotated.p112 games · SIZE")
	p.is(`document.getElementById('games-filter').hidden`, "true") // there is nothing to search in
	p.clean()
	p = open(t, browser, newHost(t, folders, nil), "", wide)
	p.until(`location.hash.startsWith('#/move')`)
	p.js(`(location.hash = '#/games', 1)`)
	p.until(
		`!document.getElementById('room-games').hidden && document.getElementById('game-none').textContent.includes('drop it')`)
	p.is(`document.querySelector('#game-board [data-square=e1]').dataset.man`, "K") // the men are there at once
	p.click(`#games-sample`)
	p.until(aboutGames + `.startsWith('famous.p11: 36 games')`)
	p.clean()
	// The program is fetched once, though the script that begins it comes after the others.
	late := newHost(t, folders, archives[:1])
	files, asked := late.Config.Handler, make(chan struct{})
	once := sync.OnceFunc(func() { close(asked) })
	late.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/explorer.wasm.gz":
			once()
		case "/first.js":
			select {
			case <-asked:
			case <-r.Context().Done():
			}
		}
		files.ServeHTTP(w, r)
	})
	p = open(t, browser, late, "", wide)
	p.until(
		aboutGames + `.startsWith('famous.p11: 36 games') && document.readyState === 'complete' && document.querySelectorAll('.game-row').length > 5`)
	p.is(`String(globalThis.firstWorker)`, "undefined") // nobody would take it
	late.mu.Lock()
	n := 0
	for _, r := range late.requests {
		if r == "GET /explorer.wasm.gz" {
			n++
		}
	}
	late.mu.Unlock()
	if n != 1 {
		t.Errorf("the program is fetched %d times", n)
	}
	p.clean()
}

// testStatic: the folder that package build makes, on a host that knows nothing of it, at some path, reads an archive
// of another host by ranges.
func testStatic(t *testing.T, browser context.Context, programs fs.FS, archives []*web.Archive) {
	folder := t.TempDir()
	for _, files := range []fs.FS{web.Static(), programs} {
		if err := os.CopyFS(filepath.Join(folder, "some/path"), files); err != nil {
			t.Fatal(err)
		}
	}
	other := newHost(t, nil, archives)
	allowed := other.Config.Handler
	other.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodOptions { // it answers no question before
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Expose-Headers", "Content-Range, ETag")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		allowed.ServeHTTP(w, r)
	})
	s := &host{Server: httptest.NewServer(http.FileServer(http.Dir(folder))), bytes: map[string]int{}}
	t.Cleanup(s.Close)
	p := open(t, browser, s, "some/path/?archive="+url.QueryEscape(other.URL+"/archives/1/famous.p11")+"#/games/3/3",
		wide)
	p.until(
		`!document.getElementById('game').hidden && document.querySelector('#game-moves [aria-current]')?.textContent === 'Nf3'`)
	p.js(`(location.hash = '#/positions', 1)`)
	p.until(`document.getElementById('positions-about').textContent.includes('Its index has')`)
	for _, room := range []string{"bytes", "hardware", "move/e2e4"} {
		p.js(fmt.Sprintf(`(location.hash = '#/%s', 1)`, room))
		p.until(fmt.Sprintf(`!document.getElementById('room-%s').hidden`, strings.Split(room, "/")[0]))
	}
	p.until(
		`document.querySelectorAll('#bytes-lines button').length === 4 && document.getElementById('hw-state').textContent !== '' && document.querySelector('#move-names [name=uci]').value === 'e2e4'`)
	for _, asked := range s.others {
		if !strings.HasPrefix(asked, other.URL+"/archives/1/famous.p11") {
			t.Errorf("the page asks for %s", asked)
		}
	}
	for _, r := range other.requests {
		if strings.HasPrefix(r, "GET") && !strings.Contains(r, "bytes=") {
			t.Errorf("the page asks for the whole of %q", r)
		}
	}
	p.clean()
}

// testClicks: from the page as it is opened, without help, at most two clicks lead to a game by its player, two to the
// statistics of a position, and two to the bits of a move.
func testClicks(t *testing.T, browser context.Context, programs fs.FS, archives []*web.Archive) {
	h := newHost(t, []fs.FS{web.Static(), programs}, archives)
	for _, c := range []struct {
		what string
		most int
		do   func(p *page, click func(selector string))
	}{
		{"a game by its player", 2, func(p *page, click func(string)) {
			click(`#games-filter [name=player]`)
			for _, letter := range "fischer" {
				p.keys(string(letter))
			}
			p.keys(kb.Enter)
			p.until(
				foundText + `.includes(' of 36 games') && document.querySelector('.game-row').textContent.includes('Fischer')`)
			click(`.game-row`)
			p.until(
				`document.getElementById('game-title').textContent.includes('Fischer') && !document.getElementById('game').hidden`)
		}},
		{"the statistics of a position", 2, func(p *page, click func(string)) {
			p.until(`document.querySelectorAll('#played .played li .bar').length > 2`) // of the start, without a click
			click(`#played .played li a`)
			p.until(
				`document.body.dataset.room === 'positions' && location.hash.startsWith('#/positions/rnbqkbnr/pppppppp/')`)
			click(`#positions-tree`)
			p.until(`document.querySelectorAll('#tree tbody tr').length > 2`)
		}},
		{"the bits of a move", 2, func(p *page, click func(string)) {
			click(`.game-row`)
			p.until(`document.querySelectorAll('#game-moves button').length > 5`)
			click(`#game-moves button`)
			p.until(`/ is[01]{11}steps/.test(document.getElementById('game-bits').textContent)`)
		}},
	} {
		p := open(t, browser, h, "", wide)
		p.until(`document.querySelectorAll('.game-row').length > 5`)
		clicks := 0
		c.do(p, func(selector string) {
			clicks++
			p.click(selector)
		})
		t.Logf("%s: %d clicks", c.what, clicks)
		if clicks > c.most {
			t.Errorf("%s takes %d clicks, more than %d", c.what, clicks, c.most)
		}
		p.clean()
		chromedp.Cancel(p.ctx)
	}
}
