// SPDX-License-Identifier: Apache-2.0

package browser_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"ply11/bitstream/archive"
)

func (p *page) drop(name string, content []byte) {
	p.Helper()
	p.dropAll(dropped{name, content})
}

// dropped is a file; its content goes as base 64.
type dropped struct {
	Name    string
	Content []byte
}

func (p *page) dropAll(files ...dropped) {
	p.Helper()
	list, err := json.Marshal(files)
	if err != nil {
		p.Fatal(err)
	}
	p.js(`(() => { const d = new DataTransfer();
		for (const f of %s) d.items.add(new File([Uint8Array.from(atob(f.Content), (c) => c.charCodeAt(0))], f.Name));
		document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true})); return 1 })()`,
		list)
}

// testDropped: dropped files go to the room that knows them; what is copied is what is shown.
func testDropped(t *testing.T, h *host) {
	const about = `text('games-about')`
	p := open(t, h, "", wide)
	p.drop("dropped.pgn", []byte(annotated))
	p.until(about + `.startsWith('dropped.p11 · 2 games')`)
	p.is(`location.hash`, "#/games")
	p.drop("whole.p11", content(t, h.archives[0]))
	p.until(about + `.startsWith('whole.p11 · 36 games')`)
	p.drop("game.jgt", []byte{0x13, 0x13, 0x74, 0x25})
	p.until(`shown('room-bytes') && all('#bytes-lines button').length > 0`)
	p.until(`element('bytes-format').value === 'jose'`)
	p.js(`(navigator.clipboard.writeText = async (text) => { window.copied = text }, 1)`)
	p.visit("#/games/3/3")
	p.until(`shown('game') && location.hash === '#/games/3/3'`)
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
		p.click(`.tools .menu summary`)
		p.click("#" + button)
		p.until(`text('status').endsWith(' copied')`)
		p.is(`window.copied`, want)
		p.js(`(element('status').textContent = '', 1)`)
	}
	p.click(`.tools .menu summary`)
	p.click(`#copy-link`)
	p.until(`window.copied === '` + h.URL + `/?archive=whole.p11#/games/3/3'`)
	p.dropAll(dropped{"b.pgn", []byte("1. e4 *")}, dropped{"a.p11x", indexOf(t, h.archives[0])},
		dropped{"a.p11", content(t, h.archives[0])})
	p.until(about + `.startsWith('b.p11 · 1 game ·')`)
	p.is(
		`all('#games-served button').slice(-2).map((b) => b.firstChild.textContent + b.textContent.includes('index')).join()`, "b.p11false,a.p11true")
	p.drop("c.p11", []byte("nothing"))
	p.until(statusText + `.startsWith('c.p11: ') && isWrong()`)
	p.holds(about + `.startsWith('b.p11')`)
	p.is(archiveOf, "b.p11")
}

// testBegin: the page shows the server's one archive, or a card for each.
func testBegin(t *testing.T, h *host) {
	p := open(t, newHost(t, h.browser, h.archives[:1]...), "", wide)
	p.until(
		aboutGames + `.startsWith('famous.p11 · 36 games') && location.hash === '#/games' && all('.game-row').length > 5`)
	p.is(archiveOf, "famous.p11")
	p.is(`element('games-open').hidden`, "true")
	p.enter(`#games-text`, "nobody")
	p.until(`shown('games-none') && element('games-list').hidden`)
	p.click(`#games-clear`)
	p.until(
		`element('games-none').hidden && all('.game-row').length > 5 && find('#games-filter [name=player]').value === ''`)
	p = open(t, newHost(t, h.browser, h.archives[0], h.archives[1], h.archives[0]), "", wide)
	p.until(`location.hash === '#/games' && all('#games-served button').length === 3`)
	p.is(
		`all('#games-served button').map((b) => b.textContent.replace(/[0-9.]+ k?B/, 'SIZE').replace(/[0-9]+ bytes/, 'SIZE')).join()`, "famous.p1136 games · SIZE · index of positions,annotated.p112 games · SIZE,famous.p11 (2)36 games · SIZE · "+
			"index of positions")
	p.holds(`element('games-filter').hidden`)                       // there is nothing to search in
	p.is(`find('#game-board [data-square=e1]').dataset.piece`, "K") // the pieces are there at once
}

// testSample: without an archive, the page offers games to begin with.
func testSample(t *testing.T, h *host) {
	p := open(t, newHost(t, h.browser), "", wide)
	p.until(`shown('game-asks') && !element('games-open').hidden`)
	p.click(`#games-sample`)
	p.until(aboutGames + `.startsWith('famous.p11 · 3 games') && all('.game-row .players').length === 3`)
	p.holds(`element('game-asks').hidden && element('games-open').hidden`)
}

// testGone: when the server does not answer, what is shown stays, and the page offers to try again.
func testGone(t *testing.T, h *host) {
	own := newHost(t, h.browser, h.archives[0])
	p := open(t, own, "?archive=famous.p11#/games/3/2", wide)
	p.until(`shown('game')`)
	p.keys(kb.ArrowRight) // which a screen reader is told
	p.is(`text('game-said')`, "2. Nf3")
	lose := func(gone bool) {
		own.mu.Lock()
		own.gone = gone
		own.mu.Unlock()
	}
	lose(true)
	for _, c := range []struct {
		do    func()
		after string
	}{
		{func() { p.visit("#/games/5/1") },
			`title().startsWith('5. ')`},
		{func() { p.enter(`#games-text`, "tal") }, foundText + ` === '2 of 36 games'`},
	} {
		before := p.js(`title()`)
		c.do()
		p.until(
			statusText + `.startsWith('The server does not answer') && find('#status button:not(.close)')?.textContent === 'Try again'`)
		p.is(`element('game').hidden + title()`, "false"+before)
		lose(false)
		p.click(`#status button:not(.close)`)
		p.until(c.after)
		lose(true)
	}
}
