// SPDX-License-Identifier: Apache-2.0

package browser_test

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	aboutGames = `text('games-about')`
	statusText = `text('status')`
	foundText  = `text('games-found')`
	archiveOf  = `new URLSearchParams(location.search).get('archive')`
)

// testAddress: the address names the archive that is shown.
func testAddress(t *testing.T, h *host) {
	p := open(t, h, "?archive=famous.p11#/games/3/3", wide)
	shows := func(name, hash string) {
		t.Helper()
		p.until(aboutGames + fmt.Sprintf(`.startsWith('%s')`, name))
		p.until(`location.hash === '%s'`, hash)
		p.is(archiveOf, name)
		if strings.HasPrefix(hash, "#/games/") {
			p.until(`shown('game') && title().startsWith('%s. ')`, strings.Split(hash, "/")[2])
		}
	}
	travel := func(steps int) {
		t.Helper()
		p.js(`(history.go(%d), 1)`, steps)
	}
	shows("famous.p11", "#/games/3/3")
	p.served(2)
	shows("annotated.p11", "#/games")
	p.visit("#/games/1/2")
	shows("annotated.p11", "#/games/1/2")
	travel(-2)
	shows("famous.p11", "#/games/3/3")
	travel(2)
	shows("annotated.p11", "#/games/1/2")
	p.until(`title().includes('Anna')`)
	p.drop("pair.pgn", []byte(annotated))
	shows("pair.p11", "#/games")
	p.visit("#/games/1/1")
	shows("pair.p11", "#/games/1/1")
	travel(-2)
	shows("annotated.p11", "#/games/1/2")
	travel(2)
	shows("pair.p11", "#/games/1/1")
	travel(-3)
	p.until(aboutGames + `.startsWith('annotated.p11')`)
	p.visit("#/openings")
	p.until(`text('openings-about').startsWith('In annotated.p11')`)
	p.is(archiveOf, "annotated.p11")
	// A page that begins with one that is not there has none.
	q := open(t, h, "?archive=none.p11#/games/3", wide)
	q.holds(archiveOf + ` === null && location.hash === '#/games' && isWrong()`)
	q.served(1)
	q.until(aboutGames + `.startsWith('famous.p11')`)
	q.is(archiveOf, "famous.p11")
	q.js(`(history.back(), 1)`)
	q.until(aboutGames + ` === 'Open games'`)
	q.is(archiveOf, "null")
	// A link to a game of no archive says so.
	q.visit("#/games/3/3")
	q.until(statusText + `.includes('Game 3 of which archive?')`)
}

// testLeft: what a room did ends with it.
func testLeft(t *testing.T, h *host) {
	p := open(t, h, "?archive=famous.p11#/games/3/0", wide)
	p.until(`shown('game')`)
	p.is(statusText, "famous.p11 is open")
	p.click(button(" "))
	p.holds(`find('[data-key=" "]').getAttribute('aria-pressed')`)
	p.click(`nav [data-room=bytes]`)
	p.until(`all('#bytes-lines button').length === 10`)
	p.is(`find('[data-key=" "]').getAttribute('aria-pressed')`, "false")
	p.is(`location.hash`, "#/bytes")
	p.click(`nav [data-room=games]`)
	p.until(`shown('room-games')`)
	p.is(statusText, "")
	// the keys are the game's wherever in it something was clicked, and the list's and a field's in these
	p.visit("#/games/3/0")
	p.until(`shown('game')`)
	at := `current()?.dataset.item ?? 'none'`
	for i, click := range []string{square("game-board", "a5"), "#game-bits", "#game-about", "#game-board", button("f"),
		"header h1"} {
		p.click(click)
		p.keys(kb.ArrowRight)
		p.is(at, fmt.Sprint(i))
	}
	p.click(`#games-text`)
	p.keys(kb.ArrowRight, "f")
	p.is(at, "5")
	p.is(`element('games-text').value`, "f")
	p.focus(square("game-board", "a5")) // with the keys, the board is read
	p.keys(kb.ArrowLeft)
	p.is(at, "5")
	p.is(`document.activeElement.dataset.square`, "b5") // it is turned
	p.visit("#/bytes")
	p.until(`shown('room-bytes')`)
	p.keys(kb.ArrowRight)
	p.is(at, "5")
	night := p.js(`isNight()`)
	p.click(`#theme`)
	p.do(chromedp.Reload())
	p.until(`document.body?.dataset.ready === 'true'`)
	p.holds(`isNight() !== ` + night)
	p.holds(`element('theme').getAttribute('aria-pressed') !== '` + night + `'`)
	p.click(`#theme`)
}

// testUnstarted: a page whose scripts do not run says what it needs.
func testUnstarted(t *testing.T, h *host) {
	folder, err := filepath.Abs("../static")
	if err != nil {
		t.Fatal(err)
	}
	for name, address := range map[string]string{"without scripts": h.URL + "/",
		"as a file": (&url.URL{Scheme: "file", Path: folder + "/index.html"}).String()} {
		p := newPage(t, &host{browser: h.browser, Server: httptest.NewUnstartedServer(nil)})
		if name == "without scripts" {
			if _, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled,
				emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
				t.Fatal(err)
			}
		}
		p.do(chromedp.Navigate(address))
		p.until(`getComputedStyle(element('unstarted')).visibility === 'visible'`)
		if text := p.js(`document.body.innerText`); !strings.Contains(text, "needs JavaScript") ||
			!strings.Contains(text, "ply11 serve") || strings.Contains(text, "Loading") {
			t.Errorf("%s: %s", name, text)
		}
	}
}
