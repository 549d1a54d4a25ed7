// SPDX-License-Identifier: Apache-2.0

//go:build !quick

package web_test

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"ply11/web"
)

const (
	aboutGames = `document.getElementById('games-about').textContent`
	statusText = `document.getElementById('status').textContent`
	foundText  = `document.getElementById('games-found').textContent`
	archiveOf  = `new URLSearchParams(location.search).get('archive')`
)

// testAddress: the address names the archive that the page shows: after Back and Forward, after files, which have none,
// and after an opening that failed.
func testAddress(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "?archive=archives/1/famous.p11#/games/3/3", wide)
	shows := func(name, address, hash string) {
		t.Helper()
		p.until(aboutGames + fmt.Sprintf(`.startsWith('%s')`, name))
		p.until(fmt.Sprintf(`location.hash === '%s'`, hash))
		p.is(archiveOf, address)
		if strings.HasPrefix(hash, "#/games/") {
			p.until(
				fmt.Sprintf(
					`!document.getElementById('game').hidden && document.getElementById('game-title').textContent.startsWith('%s. ')`, strings.Split(hash, "/")[2]))
		}
	}
	travel := func(steps int) {
		t.Helper()
		p.js(fmt.Sprintf(`(history.go(%d), 1)`, steps))
	}
	const famous, annotatedURL = "archives/1/famous.p11", "archives/2/annotated.p11"
	shows("famous.p11", famous, "#/games/3/3")
	p.served(2)
	shows("annotated.p11", annotatedURL, "#/games")
	p.js(`(location.hash = '#/games/1/2', 1)`)
	shows("annotated.p11", annotatedURL, "#/games/1/2")
	travel(-2)
	shows("famous.p11", famous, "#/games/3/3")
	p.is(`document.getElementById('game-title').textContent.includes('Anna')`, "false")
	travel(2)
	shows("annotated.p11", annotatedURL, "#/games/1/2")
	p.until(`document.getElementById('game-title').textContent.includes('Anna')`)
	// One that cannot be opened changes nothing.
	p.address(h.URL + "/archives/99/none.p11")
	p.until(statusText + `.includes('none.p11: ') && document.getElementById('status').classList.contains('wrong')`)
	p.is(statusText, h.URL+"/archives/99/none.p11: the server refuses: status 404: file does not exist")
	shows("annotated.p11", annotatedURL, "#/games/1/2")
	// Files have no address, and are shown again yet.
	p.drop("two.pgn", []byte(annotated))
	shows("two.pgn", "null", "#/games")
	p.js(`(location.hash = '#/games/1/1', 1)`)
	shows("two.pgn", "null", "#/games/1/1")
	p.is(`document.getElementById('copy-link').hidden`, "true") // for there is nothing to link to
	travel(-2)
	shows("annotated.p11", annotatedURL, "#/games/1/2")
	p.is(`document.getElementById('copy-link').hidden`, "false")
	travel(2)
	shows("two.pgn", "null", "#/games/1/1")
	// In another room, too.
	travel(-3)
	p.until(aboutGames + `.startsWith('annotated.p11')`)
	p.js(`(location.hash = '#/positions', 1)`)
	p.until(`document.getElementById('positions-about').textContent.startsWith('In annotated.p11')`)
	p.is(archiveOf, annotatedURL)
	p.clean()
	// A page that begins with one that is not there has none; where it was is in the field.
	q := newPage(t, browser, h)
	q.do(chromedp.Navigate(h.URL + "/?archive=archives/99/none.p11#/games/3"))
	q.until(`document.body.dataset.ready === 'true'`)
	q.is(
		archiveOf+` === null && location.hash === '#/games' && document.getElementById('status').classList.contains('wrong')`, "true")
	q.is(`document.getElementById('games-url').value`, h.URL+"/archives/99/none.p11")
	q.address(h.URL + "/archives/1/famous.p11")
	q.until(aboutGames + `.startsWith('famous.p11')`)
	q.is(archiveOf, h.URL+"/archives/1/famous.p11")
	q.js(`(history.back(), 1)`)
	q.until(aboutGames + ` === 'Open games'`)
	q.is(archiveOf, "null")
	// A link to a game of a file that is not open says so.
	q.js(`(location.hash = '#/games/3/3', 1)`)
	q.until(statusText + `.includes('Game 3 of which archive?')`)
}

// testTurns: what was opened last is what is shown, however late the one before comes, and whether or not it can still
// be given up.
func testTurns(t *testing.T, browser context.Context, programs fs.FS, archives []*web.Archive) {
	worker, err := fs.ReadFile(web.Static(), "worker.js")
	if err != nil {
		t.Fatal(err)
	}
	// A worker in which an archive is open already when it is told that nobody wants it any more.
	late := fstest.MapFS{
		"archives/slow.pgn": {Data: []byte(annotated)},
		"worker.js": {Data: append(worker, `
const listen = self.onmessage, tell = self.postMessage.bind(self);
let held = null, opening = 0;
self.postMessage = (m, ...more) => { if (opening && m.id === opening) held = m; else tell(m, ...more); };
self.onmessage = (e) => {
  if (e.data.method === 'openURL' && e.data.params.url.endsWith('annotated.p11')) opening = e.data.id;
  if (e.data.cancel === opening && opening) {
    const look = () => { if (!held) { setTimeout(look, 1); return; } opening = 0; tell(held); };
    look();
    return;
  }
  listen(e);
};
`...)},
	}
	h := newHost(t, []fs.FS{web.Static(), programs, late}, archives)
	p := open(t, browser, h, "#/games", wide)
	release := h.holds()
	defer release()
	p.address(h.URL + "/archives/slow.pgn")
	p.until(`!document.getElementById('busy').hidden`)
	p.is(`document.getElementById('busy-text').textContent`, "Fetching slow.pgn")
	p.drop("famous.p11", content(t, archives[0]))
	p.until(aboutGames + `.startsWith('famous.p11')`)
	p.givenUp()
	release()
	p.js(`(location.hash = '#/games/3/3', 1)`)
	p.until(`!document.getElementById('game').hidden`)
	p.is(aboutGames+`.startsWith('famous.p11: 36 games')`, "true")
	p.is(archiveOf, "null")
	// Given up when it is open in the worker: the games are those of what is shown.
	p.served(2)
	p.until(`!document.getElementById('busy').hidden`)
	p.click(`#busy-cancel`)
	p.until(statusText + `.endsWith(': canceled')`)
	p.js(`(location.hash = '#/games/36/1', 1)`)
	p.until(`document.getElementById('game-title').textContent.startsWith('36. ')`)
	p.clean()
}

// testLeft: what a room did ends with it: its replay, and what was said of it.
func testLeft(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "?archive=archives/1/famous.p11#/games/3/0", wide)
	p.until(`!document.getElementById('game').hidden`)
	p.is(statusText, "famous.p11 is open")
	p.click(`#game-run`)
	p.is(`document.getElementById('game-run').getAttribute('aria-pressed')`, "true")
	p.click(`nav [data-room=bytes]`)
	p.until(`document.querySelectorAll('#bytes-lines button').length === 4`)
	p.is(`document.getElementById('game-run').getAttribute('aria-pressed')`, "false")
	p.is(`location.hash`, "#/bytes")
	p.click(`nav [data-room=games]`)
	p.until(`!document.getElementById('room-games').hidden`)
	p.is(statusText, "")
	// The keys are the game's wherever in it something was clicked, and the list's and a field's in these.
	p.js(`(location.hash = '#/games/3/0', 1)`)
	p.until(`!document.getElementById('game').hidden`)
	at := `document.querySelector('#game-moves [aria-current]')?.dataset.item ?? 'none'`
	for i, click := range []string{square("game-board", "a5"), "#game-bits", "#game-title", "#game-board", "#game-flip",
		"header h1"} {
		p.click(click)
		p.keys(kb.ArrowRight)
		p.is(at, fmt.Sprint(i))
	}
	p.click(`#games-filter [name=player]`)
	p.keys(kb.ArrowRight, "f")
	p.is(at, "5")
	p.is(`document.querySelector('#games-filter [name=player]').value`, "f")
	p.focus(square("game-board", "a5")) // with the keys, the board is read
	p.keys(kb.ArrowLeft)
	p.is(at, "5")
	p.is(`document.activeElement.dataset.square`, "b5") // it is turned
	p.js(`(location.hash = '#/bytes', 1)`)
	p.until(`!document.getElementById('room-bytes').hidden`)
	p.keys(kb.ArrowRight)
	p.is(at, "5")
	// The theme is kept.
	night := p.js(`document.documentElement.classList.contains('night')`)
	p.click(`#theme`)
	p.do(chromedp.Reload())
	p.until(`document.body?.dataset.ready === 'true'`)
	p.is(`document.documentElement.classList.contains('night') !== `+night, "true")
	p.is(`document.getElementById('theme').getAttribute('aria-pressed') !== '`+night+`'`, "true")
	p.click(`#theme`)
	p.clean()
}

// testFailed: a program that could not be fetched is fetched when it is wanted next; no part of the room is there
// twice.
func testFailed(t *testing.T, browser context.Context, programs fs.FS, archives []*web.Archive) {
	h := newHost(t, []fs.FS{web.Static(), programs}, archives)
	files, failing := h.Config.Handler, map[string]int{"/explorer.wasm.gz": 3, "/bytes.wasm.gz": 1,
		"/hardware.wasm.gz": 1}
	h.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		failing[r.URL.Path]--
		fails := failing[r.URL.Path] >= 0
		h.mu.Unlock()
		if fails {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		files.ServeHTTP(w, r)
	})
	p := open(t, browser, h, "#/", wide)
	again := func(room, program, ready string, failed bool) {
		t.Helper()
		p.js(fmt.Sprintf(`(location.hash = '#/%s', 1)`, room))
		if failed {
			p.until(statusText + fmt.Sprintf(`.includes('%s.wasm.gz: status 503')`, program))
		}
		for p.js(`Boolean(`+ready+`)`) != "true" && p.ctx.Err() == nil {
			p.js(`document.querySelector('#status button:not(.close)')?.click()`)
			time.Sleep(50 * time.Millisecond)
		}
		p.is(fmt.Sprintf(`document.querySelectorAll('#room-%s .board').length`, room), "1")
	}
	// to go there tries once more, too
	again("move", "explorer", `document.querySelector('#move-names [name=uci]')?.value === 'g1f3'`, true)
	p.is(`document.querySelectorAll('#move-names input').length`, "10")
	again("bytes", "bytes", `document.querySelectorAll('#bytes-lines button').length === 4`, true)
	again("hardware", "hardware", `document.getElementById('hw-state').textContent.startsWith('clock 0,')`, true)
	again("positions", "explorer", `document.getElementById('positions-fen').value !== ''`, false)
}

// testUnstarted: a page whose scripts do not run says what it needs, and not that it loads.
func testUnstarted(t *testing.T, browser context.Context, h *host) {
	folder, err := filepath.Abs("static")
	if err != nil {
		t.Fatal(err)
	}
	for name, address := range map[string]string{"without scripts": h.URL + "/",
		"as a file": (&url.URL{Scheme: "file", Path: folder + "/index.html"}).String()} {
		p := newPage(t, browser, &host{Server: httptest.NewUnstartedServer(nil), bytes: map[string]int{}})
		if name == "without scripts" {
			if _, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled,
				emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
				t.Fatal(err)
			}
		}
		p.do(chromedp.Navigate(address))
		p.until(`getComputedStyle(document.getElementById('unstarted')).visibility === 'visible'`)
		if text := p.js(`document.body.innerText`); !strings.Contains(text, "needs JavaScript") ||
			!strings.Contains(text, "ply11 serve") || strings.Contains(text, "Loading") {
			t.Errorf("%s: %s", name, text)
		}
		p.shot("unstarted")
	}
}
