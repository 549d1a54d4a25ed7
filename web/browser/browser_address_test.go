// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"context"
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

// testAddress: the address names the archive that the page shows: after Back and Forward, after files, and after an
// opening that failed.
func testAddress(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "?archive=famous.p11#/games/3/3", wide)
	shows := func(name, hash string) {
		t.Helper()
		p.until(aboutGames + fmt.Sprintf(`.startsWith('%s')`, name))
		p.until(fmt.Sprintf(`location.hash === '%s'`, hash))
		p.is(archiveOf, name)
		if strings.HasPrefix(hash, "#/games/") {
			p.until(
				fmt.Sprintf(
					`!element('game').hidden && text('game-title').startsWith('%s. ')`, strings.Split(hash, "/")[2]))
		}
	}
	travel := func(steps int) {
		t.Helper()
		p.js(fmt.Sprintf(`(history.go(%d), 1)`, steps))
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
	p.until(`text('game-title').includes('Anna')`)
	p.drop("pair.pgn", []byte(annotated))
	shows("pair.p11", "#/games")
	p.visit("#/games/1/1")
	shows("pair.p11", "#/games/1/1")
	travel(-2)
	shows("annotated.p11", "#/games/1/2")
	travel(2)
	shows("pair.p11", "#/games/1/1")
	// In another room, too.
	travel(-3)
	p.until(aboutGames + `.startsWith('annotated.p11')`)
	p.visit("#/positions")
	p.until(`text('positions-about').startsWith('In annotated.p11')`)
	p.is(archiveOf, "annotated.p11")
	p.clean()
	// A page that begins with one that is not there has none.
	q := open(t, browser, h, "?archive=none.p11#/games/3", wide)
	q.is(
		archiveOf+` === null && location.hash === '#/games' && element('status').classList.contains('wrong')`, "true")
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

// testLeft: what a room did ends with it: its replay, and what was said of it.
func testLeft(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "?archive=famous.p11#/games/3/0", wide)
	p.until(`!element('game').hidden`)
	p.is(statusText, "famous.p11 is open")
	p.click(`#game-run`)
	p.is(`element('game-run').getAttribute('aria-pressed')`, "true")
	p.click(`nav [data-room=bytes]`)
	p.until(`all('#bytes-lines button').length === 4`)
	p.is(`element('game-run').getAttribute('aria-pressed')`, "false")
	p.is(`location.hash`, "#/bytes")
	p.click(`nav [data-room=games]`)
	p.until(`!element('room-games').hidden`)
	p.is(statusText, "")
	// The keys are the game's wherever in it something was clicked, and the list's and a field's in these.
	p.visit("#/games/3/0")
	p.until(`!element('game').hidden`)
	at := `find('#game-moves [aria-current]')?.dataset.item ?? 'none'`
	for i, click := range []string{square("game-board", "a5"), "#game-bits", "#game-title", "#game-board", "#game-flip",
		"header h1"} {
		p.click(click)
		p.keys(kb.ArrowRight)
		p.is(at, fmt.Sprint(i))
	}
	p.click(`#games-filter [name=player]`)
	p.keys(kb.ArrowRight, "f")
	p.is(at, "5")
	p.is(`find('#games-filter [name=player]').value`, "f")
	p.focus(square("game-board", "a5")) // with the keys, the board is read
	p.keys(kb.ArrowLeft)
	p.is(at, "5")
	p.is(`document.activeElement.dataset.square`, "b5") // it is turned
	p.visit("#/bytes")
	p.until(`!element('room-bytes').hidden`)
	p.keys(kb.ArrowRight)
	p.is(at, "5")
	// The theme is kept.
	night := p.js(`document.documentElement.classList.contains('night')`)
	p.click(`#theme`)
	p.do(chromedp.Reload())
	p.until(`document.body?.dataset.ready === 'true'`)
	p.is(`document.documentElement.classList.contains('night') !== `+night, "true")
	p.is(`element('theme').getAttribute('aria-pressed') !== '`+night+`'`, "true")
	p.click(`#theme`)
	p.clean()
}

// testUnstarted: a page whose scripts do not run says what it needs, and not that it loads.
func testUnstarted(t *testing.T, browser context.Context, h *host) {
	folder, err := filepath.Abs("../static")
	if err != nil {
		t.Fatal(err)
	}
	for name, address := range map[string]string{"without scripts": h.URL + "/",
		"as a file": (&url.URL{Scheme: "file", Path: folder + "/index.html"}).String()} {
		p := newPage(t, browser, &host{Server: httptest.NewUnstartedServer(nil)})
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
		p.shot("unstarted")
	}
}
