// SPDX-License-Identifier: Apache-2.0

package browser_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

func testOpenings(t *testing.T, h *host) {
	p := open(t, h, "?archive=famous.p11#/openings", wide)
	p.until(`text('openings-about').includes('36 games') && text('tree-name') === 'Start position'`)
	p.is(`find('#openings-board .board').offsetWidth`, "568") // as in Games
	for _, m := range [][2]string{{"e2", "e4"}, {"e7", "e5"}, {"g1", "f3"}} {
		p.click(square("openings-board", m[0]))
		p.click(square("openings-board", m[1]))
		p.until(`find('%s').dataset.piece !== ''`, square("openings-board", m[1]))
	}
	p.until(`all('#tree tbody tr').length === 2`)
	p.is(`text('openings-line').trim()`, "1. e4 e5 2. Nf3")
	p.is(`text('tree-name')`, "King's Knight Opening C40")
	p.is(`all('#tree :is(tbody, tfoot) tr').map((r) => [...r.cells].map((c) => c.textContent.trim()).join(' ')).join('; ')`,
		"Nc6 4 80 % Normal Variation 75 %25 % 1852–1918; d6 1 20 % Philidor Defense 100 % 1858; "+
			"Σ 5 100 %  80 %20 % 1852–1918")
	p.is(`all('#tree tbody .bar').map((b) => b.getAttribute('aria-label')).join('; ')`,
		"White 75.0 %, drawn 0.0 %, Black 25.0 %; White 100.0 %, drawn 0.0 %, Black 0.0 %")
	p.is(`all('#tree tbody .bar span').map((b) => b.style.width).join()`, "75%,0%,25%,100%,0%,0%")
	// what is pointed at is seen on the board, and by its bits
	x, y := p.middle(`#tree tbody tr:nth-child(2)`)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x, y, 0)
	p.until(`all('#openings-board path.G').length === 1 && text('openings-bits').startsWith('2… d6 would be')`)
	p.shot("explorer-openings")
	// games by name, which open at the position
	p.is(`all('#tree .game-row').length`, "5")
	p.holds(`!text('tree').includes('?')`)
	p.click(`#tree .game-row`)
	p.until(`shown('game') && current()?.textContent === 'Nf3' && document.body.dataset.room === 'games'`)
	p.js(`(history.back(), 1)`)
	p.until(`shown('room-openings')`)
	p.until(`all('#tree .game-row').length === 5`)
	p.click(button("ArrowLeft"))
	p.until(`all('#tree tbody tr').length > 2`)
	p.click(button("ArrowRight"))
	p.until(`all('#tree tbody tr').length === 2`)
	p.focus(`#tree tbody a`)
	p.keys(kb.Enter) // who plays by the keyboard goes on
	p.until(`text('openings-line').trim() === '1. e4 e5 2. Nf3 Nc6' && text('tree-about').startsWith('4 ')`)
	p.holds(`document.activeElement === find('#tree tbody a')`)
	p.click(button("ArrowLeft"))
	p.until(`all('#tree tbody tr').length === 2`)
	p.click(`#tree a[href*=fen]`)
	p.until(foundText + ` === '5 of 36 games' && text('games-chips').trim() === 'Position'`)
	p.visit("#/openings")
	p.click(`[value=search-box]`)
	p.enter(`#openings-form [name=pattern]`, "Ze9")
	p.until(`text('openings-wrong') !== ''`)
	p.is(`find('#openings-form [name=what]:checked').value`, "pattern")
	p.click(`label:has(> [value=other])`)
	p.js(
		`(() => { const f = element('openings-form'); f.elements.pattern.value = ''; f.elements.material.value = 'KRPKR' })()`)
	p.click(`#openings-find`)
	p.until(`text('openings-wrong') === 'No game matches'`)
	p.click(button("Home"))
	p.click(`[value=tree-box]`)
	p.until(`text('tree-about') === '35 games reach this position'`)
}

// testPlayed: the opening and the moves played here go with the board of a game.
func testPlayed(t *testing.T, h *host) {
	p := open(t, h, "?archive=famous.p11#/games", wide)
	played := `all('#played tbody tr').map((r) => r.cells[0].textContent + ' ' + r.cells[1].textContent).join()`
	head := `(find('#played .played-head')?.textContent ?? '')`
	p.until(head + ` === 'Played here35 games'`) // before a game is chosen, too
	p.click(`#played tbody a`)
	p.until(`location.hash.startsWith('#/openings/rnbqkbnr/pppppppp/') && all('#tree tbody tr').length > 2`)
	p.visit("#/games/3/3")
	p.until(head + ` === "Played here King's Knight Opening C405 games"`)
	p.is(played, "Nc6 4,d6 1")
	p.is(
		`all('#played .bar').map((b) => b.getAttribute('aria-label') + ': ' + b.innerText.replace(/\s+/g, ' ')).join('; ')`, "White 75.0 %, drawn 0.0 %, Black 25.0 %: 75 % 25 %; White 100.0 %, drawn 0.0 %, Black 0.0 %: 100 %; "+
			"White 80.0 %, drawn 0.0 %, Black 20.0 %: 80 % 20 %")
	p.is(`all('#played tr:has(td)').map((r) => r.cells[2].textContent.trim() + r.cells[1].textContent).join()`,
		"80 %4,20 %1,100 %5")
	p.holds(`element('played').offsetHeight >= 168`)
	p.keys(kb.ArrowRight)
	p.until(played + ` !== 'Nc6 4,d6 1' && ` + played + ` !== ''`)
	p.keys(kb.ArrowLeft)
	p.until(played + ` === 'Nc6 4,d6 1'`)
	next := p.js(`find('#game-moves [data-item="3"]').textContent`)
	p.js(`(all('#played tbody a').find((a) => a.textContent === '%s').click(), 1)`, next)
	p.until(`location.hash === '#/games/3/4' && current().dataset.item === '3'`)
	p.keys(kb.ArrowLeft)
	p.until(played + ` === 'Nc6 4,d6 1'`)
	other := p.js(`(all('#played tbody a').find((a) => a.textContent !== '%s').click(), find('#played tbody a').textContent)`, next)
	if other == next {
		other = "d6"
	}
	p.until(`current().textContent === '%s' && current().classList.contains('side')`, other)
	p.until(played + ` !== 'Nc6 4,d6 1' && ` + played + ` !== ''`)
	p.keys(kb.ArrowLeft)
	p.until(played + ` === 'Nc6 4,d6 1'`)
	p.click(`.played-head a`)
	p.until(`location.hash.startsWith('#/openings/') && text('tree-about') === '5 games reach this position'`)
	p.is(`text('tree-name')`, "King's Knight Opening C40")
	p.js(`(history.back(), 1)`)
	p.until(`shown('room-games') && ` + played + ` === 'Nc6 4,d6 1'`)
	// without an index, many games are read only when that is asked for
	p = open(t, h, "?archive=several.p11#/games/1/1", wide)
	p.until(`find('#played button')?.textContent === 'Count the moves played here'`)
	p.click(`#played button`)
	p.until(played + ` !== ''`)
	all := p.js(head)
	p.visit("#/games/1/1?result=1-0")
	p.until(`find('#played button')?.textContent === 'Count the moves played here'`)
	p.click(`#played button`)
	p.until(head + `.endsWith(' of those listed')`)
	if p.js(head) == all {
		t.Errorf("with a filter: %s", all)
	}
}

// testIndex looks positions up in an index of the server, and a dropped one; another archive's is refused.
func testIndex(t *testing.T, h *host) {
	const about = `text('openings-about')`
	p := open(t, h, "?archive=many.p11#/openings", wide)
	p.until(about + `.includes('Its index has')`)
	for _, move := range []string{"", "e4", "e5", "Nf3"} {
		if move != "" {
			p.until(`all('#tree tbody a').some((b) => b.textContent === '%s')`, move)
			p.js(`all('#tree tbody a').find((b) => b.textContent === '%s').click()`, move)
			p.until(`text('openings-line').trim().endsWith('%s')`, move)
		}
		p.until(about + `.includes('Looked up in the index')`)
	}
	p.is(`all('#tree td a').filter((a) => a.offsetWidth < 24 || a.offsetHeight < 24).length`, "0")
	tree := func(want string) {
		t.Helper()
		p.visit("#/openings")
		p.until(`shown('room-openings')`)
		p.until(`(find('#tree tbody a')?.click(), find('#openings-line [aria-current]') !== null)`)
		p.js(`(element('openings-about').textContent = '', 1)`)
		p.click(button("Home"))
		p.until(`%s.includes('%s')`, about, want)
	}
	p.drop("x.p11", content(t, h.archives[0]))
	p.until(aboutGames + `.startsWith('x.p11 · 36 games') && document.body.dataset.room === 'games'`)
	tree("All games were read")
	p.drop("many.p11x", indexOf(t, h.archives[5]))
	p.until(statusText + `.includes('another archive')`)
	p.drop("x.p11x", indexOf(t, h.archives[0]))
	p.until(statusText + ` === 'x.p11 is open' && document.body.dataset.room === 'games'`)
	tree("Looked up in the index")
	p.drop("many.p11x", indexOf(t, h.archives[5]))
	p.until(statusText + `.includes('another archive')`)
	tree("Looked up in the index")
}

// testSetup sets up positions and patterns.
func testSetup(t *testing.T, h *host) {
	const fen, wrong = `element('openings-fen').value`,
		`text('openings-wrong')`
	at := func(name string) string { return square("openings-board", name) }
	label := func(name string) string {
		return fmt.Sprintf(`find('%s').getAttribute('aria-label')`, at(name))
	}
	tool := func(letter string) string { return fmt.Sprintf(`#setup-pieces label:has([value="%s"])`, letter) }
	p := open(t, h, "?archive=famous.p11#/openings", wide)
	p.until(fen + ` !== ''`)
	p.click(`#openings-setup`)
	p.holds(`element('openings-setup').getAttribute('aria-expanded')`)
	p.is(`all('#setup-castling input:checked').length`, "4")
	p.click(`#setup-clear`)
	p.until(wrong + `.includes('king')`)
	p.is(fen, "8/8/8/8/8/8/8/8 w - - 0 1")
	p.is(`all('#tree tr').length`, "0") // of a board without kings
	p.click(tool("K"))
	p.click(at("d1"))
	p.drag(tool("k"), at("e8"))
	p.drag(at("d1"), at("e1"))
	p.click(tool("Q"))
	p.click(at("d4"))
	p.drag(at("d4"), "h1")
	p.until(fen + ` === '4k3/8/8/8/8/8/8/4K3 w - - 0 1'`)
	p.is(wrong, "")
	p.is(label("e1"), "e1, white king")
	p.is(label("d4"), "d4, empty")
	// rooks at home can castle; a pawn that may have come by two can be taken
	p.focus(at("e1"))
	p.keys(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, "R")
	p.is(`document.activeElement.dataset.square`, "h1")
	p.is(`all('#setup-castling input').map((i) => Number(!i.disabled)).join('')`, "1000")
	p.focus(`#setup-castling [value=K]`)
	p.keys(" ")
	p.until(fen + ` === '4k3/8/8/8/8/8/8/4K2R w K - 0 1'`)
	p.focus(at("e1"))
	p.keys(kb.ArrowUp, kb.ArrowUp, kb.ArrowUp, kb.ArrowUp, "P", kb.ArrowLeft, "p", kb.ArrowLeft, "n", kb.Delete)
	p.is(`[...element('setup-passant').options].map((o) => o.textContent).join()`, "none,d6")
	p.js(`choose('setup-passant', 'd6')`)
	p.until(fen + ` === '4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1'`)
	p.js(`choose('setup-turn', 'b')`)
	p.until(fen + ` === '4k3/8/8/3pP3/8/8/8/4K2R b K - 0 1'`)
	p.is(wrong, "")
	p.shot("setup")
	// rights of Chess960 go with king or rook
	p.enter(`#openings-fen`, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9")
	p.until(label("g1") + ` === 'g1, white king'`)
	p.js(`choose('setup-turn', 'b')`)
	p.until(fen + ` === 'bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR b KQkq - 0 1'`)
	p.enter(`#openings-fen`, "4k3/8/8/8/8/8/8/R1RK3R w CH - 0 1") // not of the outermost rook
	p.until(label("c1") + ` === 'c1, white rook'`)
	p.js(`choose('setup-turn', 'b')`)
	p.until(fen + ` === '4k3/8/8/8/8/8/8/R1RK3R b KC - 0 1'`)
	p.drag(at("h1"), at("g1"))
	p.until(fen + ` === '4k3/8/8/8/8/8/8/R1RK2R1 b C - 0 1'`)
	p.is(wrong, "")
	// a position that the games have
	p.enter(`#openings-fen`, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
	p.until(label("e5") + ` === 'e5, black pawn'`)
	p.focus(at("g1"))
	p.keys(kb.Backspace, kb.ArrowUp, kb.ArrowUp, kb.ArrowLeft, "N")
	p.js(`choose('setup-turn', 'b')`)
	p.until(fen + ` === 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 1'`)
	p.until(`all('#tree tbody tr').length === 2`)
	p.click(`[value=search-box]`)
	p.click(`#openings-find`)
	p.until(foundText + ` === '5 of 36 games'`)
	p.visit("#/openings")
	p.until(`shown('room-openings')`)
	p.click(`label:has(> [value=pattern])`)
	p.click(`#setup-clear`)
	p.is(label("a1"), "a1, anything")
	p.focus(at("f3"))
	p.keys("N")
	p.click(`#setup-add`)
	p.click(tool("Q"))
	p.click(at("f3"))
	p.is(label("f3"), "f3, white knight or white queen")
	p.click(tool("n"))
	p.click(at("f3"))
	p.click(at("f3")) // and away again
	p.click(`#setup-add`)
	p.focus(at("e5"))
	p.keys("p", kb.ArrowLeft, ".", kb.ArrowLeft, "!", kb.ArrowLeft, "a")
	p.is(label("d5"), "d5, empty")
	p.is(label("c5"), "c5, any piece")
	p.is(label("b5"), "b5, any black piece")
	p.is(`find('#openings-form [name=pattern]').value`, "[NQ]f3 ab5 !c5 .d5 pe5")
	p.keys("?", kb.ArrowRight, "?")
	p.click(`#openings-find`)
	found := func(pattern string) string {
		return fmt.Sprintf("%d of 36 games", count(t, h.archives[0], "pattern", pattern))
	}
	p.until(foundText+` === '%s'`, found("[NQ]f3 .d5 pe5"))
	p.visit("#/openings")
	p.until(`shown('room-openings')`)
	p.enter(`#openings-form [name=pattern]`, "Qh5 [.r]e8")
	p.is(label("h5"), "h5, white queen")
	p.is(label("e8"), "e8, empty or black rook")
	p.is(label("e5"), "e5, anything")
	p.until(foundText+` === '%s'`, found("Qh5 [.r]e8"))
	p.visit("#/openings")
	p.until(`shown('room-openings')`)
	p.resize(phone)
	p.click(`label:has(> [value=position])`)
	p.is(tooWide, "")
	p.click(tool("n"))
	p.click(at("e4"))
	p.is(label("e4"), "e4, black knight")
	p.click(`#theme`)
	p.shot("setup-phone")
}

// testStale: what was played goes when it answers the question no longer.
func testStale(t *testing.T, h *host) {
	p := open(t, h, "?archive=tagged.p11#/openings", wide)
	reached := func(n int) {
		t.Helper()
		p.until(`text('tree-about') === '%d games reach this position'`, n)
	}
	reached(400)
	p.click(square("openings-board", "d2"))
	p.click(square("openings-board", "d4"))
	reached(0)
	p.click(button("Home"))
	reached(400)
	p.enter(`#openings-form [name=player]`, "anna")
	reached(count(t, h.archives[8], "player", "anna"))
	p.enter(`#openings-form [name=player]`, " ")
	reached(400)
	p.enter(`#openings-fen`, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq") // what is left out is as usual
	p.until(`element('openings-fen').value === 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'`)
	p.click(button("ArrowLeft"))
	p.until(`element('openings-fen').value.includes('PPPPPPPP/RNBQKBNR w')`)
	p.click(`[value=search-box]`)
	p.click(`label:has(> [value=pattern])`) // of which nothing was played
	p.until(`all('#tree tr').length === 0`)
	p.click(`[value=tree-box]`)
	reached(400)
	p.drop("stale.p11", content(t, h.archives[0]))
	p.until(aboutGames + `.startsWith('stale.p11')`)
	p.visit("#/openings")
	p.until(`text('openings-about').startsWith('In stale.p11')`)
	reached(35)
}
