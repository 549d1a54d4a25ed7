// SPDX-License-Identifier: Apache-2.0

package browser_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"ply11/chess"
	"ply11/moveindex"
)

const annotated = `[Event "a"]
[White "Anna"]
[Black "Boris"]
[Result "1-0"]

1. e4 {[%eval 0.3] [%clk 0:05:00] best by test} e5 {[%eval 0.2] [%clk 0:04:58]} 2. Nf3 $1 {[%eval 0.4]} (2. Bc4 Nc6 (2... Nf6 3. d3) 3. Qh5 $6) 2... Nc6
{[%eval 0.3] [%clk 0:04:50]} 3. Bb5 1-0

[Event "broken"]
[White "X"]
[Result "*"]

1. e4 Ke4 *

`

// tagged are games of many ECO codes and years, by two players, with all results.
func tagged() string {
	var b strings.Builder
	for i := range 400 {
		players := [2]string{"Anna", "Boris"}
		result := [4]string{"1-0", "1/2-1/2", "0-1", "*"}[i%4]
		fmt.Fprintf(&b, "[Event \"Cup %d\"]\n[WhiteElo \"%d\"]\n[BlackElo \"%d\"]\n", i%4, 2200+i%500, 2300+i%400)
		fmt.Fprintf(
			&b, "[White \"%s\"]\n[Black \"%s\"]\n[Date \"%d.%02d.??\"]\n[ECO \"%c%02d\"]\n[Result \"%s\"]\n\n1. e4 "+
				"%s\n\n",
			players[i%2], players[i/7%2], 1900+i%101, 1+i%12, 'A'+rune(i%5), i%97, result, result)
	}
	return b.String()
}

func testGames(t *testing.T, h *host) {
	p := open(t, h, "?archive=famous.p11", wide)
	p.until(`all('.game-row').length > 5`)
	p.holds(`text('games-about').startsWith('famous.p11 · 36 games')`)
	p.shot("games")
	p.focus(`#games-list`)
	p.keys(kb.End)
	p.until(`find('.game-row[aria-selected=true]').dataset.game === '36'`)
	p.keys(kb.Home, kb.ArrowDown, kb.ArrowDown, kb.Enter)
	p.until(`shown('game') && title().startsWith('3. ')`)
	p.keys(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	p.until(`location.hash === '#/games/3/3'`)
	p.is(`current().dataset.item`, "2")
	p.keys(kb.End)
	p.until(`current() === all('#game-moves .main').at(-1)`)
	p.keys(kb.Home, "f")
	p.is(`find('#game-board button').dataset.square`, "h1")
	p.click(`.game-row[data-game="5"]`)
	p.until(`title().startsWith('5. ')`)
	p.holds(`/^1\. .* is[01]{11}steps/.test(text('game-bits'))`) // by one click
	p.click(`#game-moves [data-item="4"]`)
	p.until(`location.hash === '#/games/5/5'`)
	p.click(button("ArrowRight"))
	p.until(`location.hash === '#/games/5/6'`)
	p.click(button(" ")) // which makes moves by itself
	p.until(`Number(location.hash.split('/')[3]) >= 7`)
	p.click(button(" "))
	p.is(`find('[data-key=" "]').getAttribute('aria-pressed')`, "false")
	p.focus(`#games-text`)
	p.enter(`#games-text`, "morphy")
	p.until(foundText + `.endsWith(' of 36 games')`)
	p.until(`text('games-list').includes('Morphy')`)
	p.holds(`all('.game-row').every((r) => r.textContent.includes('Morphy'))`)
	// a link to a ply of a game with all that a game can have, on a phone
	q := open(t, h, "?archive=annotated.p11#/games/1/2", phone)
	q.until(`shown('game')`)
	q.is(`current()?.textContent`, "e5")
	// rows of two moves, and comments and variations between them
	q.is(`(() => {
		const text = (e) => [...e.childNodes].map((n) => (n.nodeType === 3 ? n.textContent : n.className === 'line' ? '(' + text(n) + ')' : n.tagName === 'BUTTON' ? n.textContent : text(n) + ' ')).join('').replace(/ +/g, ' ').trim();
		return all('#game-moves > div > *').map((e) => e.className + ': ' + text(e)).join('; ');
	})()`, "pair: 1 e4+0.3 5:00; note comment: best by test; pair: 1 … e5+0.2 4:58; pair: 2 Nf3!+0.4; line: 2. Bc4 "+
		"Nc6 (2... Nf6 3. d3)3. Qh5?!; pair: 2 … Nc6+0.3 4:50; pair: 3 Bb5; end: 1-0")
	q.is(
		`all('#game-graph polyline').map((l) => l.getAttribute('class') + ' ' + l.getAttribute('points')).join('; ')`,
		// pawns of 8 up and down, and seconds of 300
		"eval-line 1,48.13 2,48.75 3,47.50 4,48.13; clock black 2,0.67 4,3.33")
	q.is(`all('#game-graph .now').map((l) => l.getAttribute('x1')).join()`, "2")
	q.is(`all('#game-graph .graph-box').map((b) => b.innerText.replace(/\s+/g, ' ')).join('; ')`,
		"Evaluation · Clocks (┄ Black) 1... e5: +0.2 · 4:58")
	q.is(`all('.who').map((w) => w.innerText.replace(/\s+/g, ' ').trim()).join('; ')`, "Boris 4:58; Anna won 5:00")
	index, _ := moveindex.Of(chess.NewMove(chess.E7, chess.E5))
	q.is(`text('game-bits')`, fmt.Sprintf("1… e5 is%011bsteps · axis · square", index))
	q.keys(kb.ArrowLeft, kb.ArrowRight)
	q.is(`text('game-said')`, "1… e5, evaluation 0.2, clock 4:58") // to who does not see it
	q.focus(`#game-moves [aria-current]`)
	q.keys(kb.ArrowDown) // into the variation
	q.is(`current().textContent`, "Bc4")
	q.keys(kb.ArrowRight)
	q.is(`current().textContent`, "Nc6")
	q.keys(kb.ArrowUp) // and out
	q.is(`current().textContent`, "Nf3!")
	q.is(tooWide, "")
	q.shot("game-phone")
	q.visit("#/games/2")
	q.until(`text('game-wrong').includes('Ke4')`)
	q.holds(`text('game-text').includes('1. e4 Ke4 *')`)
	r := open(t, h, "?archive=dense.p11#/games/36/4", wide)
	r.until(`all('#game-moves .main').length > 20`)
	r.click(`#theme`)
	r.upload("#games-file", "two.pgn", []byte(annotated))
	r.until(`text('games-about').startsWith('two.p11 · 2 games')`)
}

// testPanes: from 1,300 pixels on the list, the board and the moves are in the window together, whatever is clicked;
// from 1,000 on the board and one of the two; on a phone they are two screens.
func testPanes(t *testing.T, h *host) {
	p := open(t, h, "?archive=famous.p11#/games/3/3", wide)
	p.until(`shown('game') && all('.game-row').length > 5`)
	inside := `(() => {
		const out = [...innerWidth < 1300 ? [] : ['#games-list'], '#game-board', '#game-moves', '#who-top', '#who-bottom', '#board-pane [data-key]'].filter((e) => {
			e = find(e);
			const r = e.getBoundingClientRect();
			return !e.hidden && (r.width < 30 || r.height < 10 || r.left < 0 || r.top < 0 || r.right > innerWidth || r.bottom > innerHeight);
		});
		if (scrollY !== 0 || document.documentElement.scrollHeight > innerHeight) out.push('the page scrolls');
		return out.join();
	})()`
	for _, size := range [][2]int64{{1440, 900}, {1024, 768}, {1000, 700}, {1200, 900}} {
		p.resize(size)
		p.is(inside, "")
		p.is(`find('#game-board .board').offsetWidth`,
			fmt.Sprint(map[bool]int64{true: min(size[1]-216, size[0]-832),
				false: min(size[1]-240, size[0]-432)}[size[0] >= 1300]))
		for _, click := range []string{button("End"), `[value=game-tags-box]`, `[value=game-text]`,
			`[value=game-moves]`, button("f"), `.game-row[aria-posinset="4"]`, button("ArrowRight"),
			`.game-row[aria-posinset="3"]`, `#games-about`, `#games-about`} {
			if size[0] < 1300 && (strings.HasPrefix(click, ".game-row") || click == "#games-about") {
				continue
			}
			p.click(click)
			p.is(inside, "")
		}
		p.until(`title().startsWith('3. ')`)
		if size[0] < 1300 {
			p.click(`.narrow-only a`)
			p.until(`element('games-list').offsetHeight > 300 && element('game-board').offsetHeight > 300 && all('.game-row').length > 5`)
			p.click(`.game-row[aria-posinset="3"]`)
			p.until(`title().startsWith('3. ') && element('game-moves').offsetHeight > 80`)
		}
	}
	p.click(button("Home"))
	x, y := p.middle("#game-board")
	p.mouse(input.DispatchMouseEventTypeMouseWheel, x, y, 100)
	p.until(`current()?.dataset.item === '0'`)
	p.resize(phone)
	p.is(`[element('games-pane').offsetHeight > 0, element('game-board').offsetHeight > 0].join()`, "false,true")
	p.holds(
		`find('.tabs').getBoundingClientRect().top - element('who-bottom').getBoundingClientRect().bottom < 80`)
	p.click(`.narrow-only a`)
	p.until(
		`location.hash === '#/games' && element('games-pane').offsetHeight > 0 && element('game-board').offsetHeight === 0 && all('.game-row').length > 5`)
	p.click(`.game-row[aria-posinset="2"]`)
	p.until(`title().startsWith('2. ') && element('game-board').offsetHeight > 0`)
}

// testDrawn: arrows and circles of comments are drawn on the board; moves that lose much are marked in the graph.
func testDrawn(t *testing.T, h *host) {
	p := open(t, h, "#/games", wide)
	p.drop("drawn.pgn", []byte(`[White "A"]

1. e4 {[%cal Ge2e4,Rd8h4,Zx1y2][%csl Bf7] [%eval 0.2]} e5 {[%eval 0.3]} 2. Ke2 {[%eval -3.1]} Nc6 {[%eval -3.0]} *
`))
	p.until(aboutGames + `.startsWith('drawn.p11')`)
	p.visit("#/games/1/1")
	shapes := `all('#game-board .shapes > *').map((e) => e.tagName + ' ' + e.getAttribute('class') + ' ' + (e.getAttribute('d')?.split('L')[0] ?? e.getAttribute('cx'))).join()`
	p.until(`all('#game-board .shapes > *').length === 3`)
	p.is(shapes, "path G M4.5 6.5,path R M3.5 0.5,circle B 5.5")
	p.keys("f")
	p.is(shapes, "path G M3.5 1.5,path R M4.5 7.5,circle B 2.5")
	p.keys(kb.ArrowRight)
	p.is(shapes, "")
	p.is(`all('#game-graph i').map((i) => i.title + ' ' + i.style.left).join()`, "2. Ke2 loses 3.4 75%")
	p.click(`#game-graph i`)
	p.until(`current().textContent === 'Ke2' && location.hash === '#/games/1/3'`)
}

// testFilters searches by fields, and compares what is found with package query.
func testFilters(t *testing.T, h *host) {
	p := open(t, h, "?archive=tagged.p11", wide)
	p.until(`all('.game-row').length > 10`)
	for _, terms := range []map[string]string{
		{"player": "~^A\\p{L}+a$", "eco": "A00-B99", "rating": "2300-2500"},
		{"player": "anna", "date": "1950-2030", "eco": "A00-C50", "result": "1-0"},
	} {
		var list []string
		for name, value := range terms {
			list = append(list, name, value)
		}
		n := count(t, h.archives[8], list...)
		if n == 0 || n == 400 {
			t.Fatalf("%v: %d games", terms, n)
		}
		text, _ := json.Marshal(terms)
		p.js(`(() => { const f = element('games-filter'); f.reset(); element('games-found').textContent = '';
			for (const [name, value] of Object.entries(%s)) f.elements[name].value = value; })()`, text)
		p.js(`(element('games-more').open = true, 1)`)
		p.click(`#games-filter [type=submit]`)
		p.until(foundText + fmt.Sprintf(` === '%d of 400 games'`, n))
		p.is(`Number(find('.game-row')?.getAttribute('aria-setsize') ?? 0)`, fmt.Sprint(n))
	}
	p.visit("#/games")
	p.until(`find('.game-row')?.getAttribute('aria-setsize') === '400'`)
}

// testFound: the address has the filters and the order; what was found is downloaded.
func testFound(t *testing.T, h *host) {
	p := open(t, h, "?archive=famous.p11#/games/5/2?player=kasparov&sort=-date", wide)
	shows := func(hash, numbers, count string) {
		t.Helper()
		p.until(`location.hash === '%s' && %s === '%s'`, hash, foundText, count)
		p.until(`all('.game-row').slice(0, 4).map((r) => r.dataset.game).join() === '%s'`, numbers)
	}
	chips := `all('#games-chips button').map((b) => b.textContent.trim()).join()`
	shows("#/games/5/2?player=kasparov&sort=-date", "5,6,7,20", "4 of 36 games")
	p.is(`document.title`, "Kasparov, Garry – Topalov, Veselin – famous.p11 – Games – ply11")
	p.is(chips, "Player: kasparov")
	p.click(`.game-row[data-game="7"]`)
	p.until(`title().startsWith('7. ')`)
	shows("#/games/7?player=kasparov&sort=-date", "5,6,7,20", "4 of 36 games")
	p.keys(kb.ArrowRight) // the ply's address has them, too
	shows("#/games/7/1?player=kasparov&sort=-date", "5,6,7,20", "4 of 36 games")
	p.js(`choose('games-sort', 'white')`)
	shows("#/games/7/1?player=kasparov&sort=white", "6,7,20,5", "4 of 36 games")
	p.enter(`#games-text`, "tal")
	shows("#/games/7/1?player=tal&sort=white", "30,24", "2 of 36 games")
	p.click(`#games-chips button`)
	p.until(foundText + ` === '36 games' && location.hash === '#/games/7/1?sort=white'`)
	p.is(chips, "")
	p.js(`(history.go(-2), 1)`)
	shows("#/games/7/1?player=kasparov&sort=white", "6,7,20,5", "4 of 36 games")
	p.is(`find('#games-filter [name=player]').value`, "kasparov")
	for _, wrong := range []string{"date=yesterday", "sort=colour"} {
		p.visit("#/games/7/1?%s", wrong)
		p.until(`isWrong()`)
		shows("#/games/7/1?player=kasparov&sort=white", "6,7,20,5", "4 of 36 games")
		p.keys(kb.Escape)
		p.is(statusText, "")
	}
	// another room and back: the link leads to what was shown
	p.click(`nav [data-room=move]`)
	p.until(`document.title === 'g1f3 – A move – ply11'`)
	p.click(`nav [data-room=games]`)
	shows("#/games/7/1?player=kasparov&sort=white", "6,7,20,5", "4 of 36 games")
	for kind, want := range map[string]string{"pgn": "games.pgn?player=kasparov&sort=white",
		"csv": "games.csv?player=kasparov&sort=white", "p11": "games.p11?player=kasparov&sort=white"} {
		p.is(`new URL(element('save-`+kind+`').href).pathname + new URL(element('save-`+
			kind+`').href).search`, "/api/archives/famous.p11/"+want)
	}
	p.js(`(fetch(element('save-csv').href).then((r) => r.text()).then((text) => { window.saved = text }), 1)`)
	p.until(`window.saved?.split('\r\n').slice(1, 5).map((l) => l.split(',')[0]).join() === '6,7,20,5'`)
	p.click(`#games-chips button`)
	p.until(foundText + ` === '36 games'`)
	// the one field takes a player, an event or an ECO code
	for _, c := range [][3]string{{"rosenwald", "Event: rosenwald", "1 of 36 games"},
		{"morphy", "Player: morphy", "3 of 36 games"}, {"nobody", "Player: nobody", "0 of 36 games"},
		{"b20-B99", "ECO: B20-B99", "0 of 36 games"},
		{"1851", "Date: 1851", fmt.Sprintf("%d of 36 games", count(t, h.archives[0], "date", "1851"))}} {
		p.visit("#/games")
		p.until(foundText + ` === '36 games'`)
		p.enter(`#games-text`, c[0])
		p.until(`%s === '%s' && %s === '%s'`, foundText, c[2], chips, c[1])
		p.until(`element('games-text').value === ''`)
	}
}

// testVariation: what is played on the board of a game becomes a variation, and the statistics follow.
func testVariation(t *testing.T, h *host) {
	p := open(t, h, "?archive=famous.p11#/games/1/2", wide)
	p.until(`shown('game') && current()?.textContent === 'e5'`)
	move := func(from, to string) {
		p.click(square("game-board", from))
		p.click(square("game-board", to))
	}
	lines := `all('#game-moves .line').map((l) => l.textContent.trim()).join('; ')`
	move("g1", "f3") // the game's own
	p.until(`location.hash === '#/games/1/3'`)
	p.is(lines, "")
	p.until(`all('#game-board .target').length === 0`)
	p.click(square("game-board", "b8"))
	p.until(`all('#game-board .target').map((e) => e.dataset.square).join() === 'a6,c6'`)
	p.click(square("game-board", "c6"))
	p.until(lines + ` === '2... Nc6' && current().textContent === 'Nc6'`)
	p.until(`/^B[bc]\d/.test(find('#played tbody tr')?.textContent ?? '')`)
	p.drag(square("game-board", "f1"), square("game-board", "b5"))
	p.until(lines + ` === '2... Nc6 3. Bb5'`)
	p.is(`location.hash`, "#/games/1/3")
	p.holds(`text('game-bits').startsWith('3. Bb5 is')`)
	p.keys(kb.ArrowLeft)
	move("f1", "c4")
	p.until(lines + ` === '2... Nc6 3. Bb53. Bc4; 3. Bc4'`)
	p.keys(kb.ArrowUp, kb.ArrowUp) // out of both
	p.is(`current().textContent`, "d6")
	p.keys(kb.ArrowLeft)
	move("f8", "h6")
	p.until(statusText + ` === 'f8h6 is not legal here'`)
	// a step's piece moves in 150 ms, unless the user does not want that
	for _, want := range []string{"150", ""} {
		p.js(`(find('#room-games [data-key=Home]').click(), document.getAnimations().forEach((a) => a.finish()), 1)`)
		p.is(`(find('#room-games [data-key=ArrowRight]').click(), document.getAnimations().filter((a) => a.effect.target.closest('.board')).map((a) => a.effect.getTiming().duration).join())`, want)
		reduced := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-reduced-motion", Value: "reduce"}}}
		if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, reduced); err != nil {
			t.Fatal(err)
		}
	}
}

// testKeys: keys that work in all rooms.
func testKeys(t *testing.T, h *host) {
	p := open(t, h, "?archive=famous.p11#/games/3/0", wide)
	p.until(`shown('game')`)
	p.keys("?")
	p.until(`element('keys').open && document.activeElement.closest('#keys') !== null`)
	p.keys(kb.ArrowRight) // nothing of the room behind
	p.keys(kb.Escape)
	p.until(`!element('keys').open`)
	p.is(`location.hash`, "#/games/3/0")
	// keys of one character can be switched off, and stay so when the page is loaded again
	for _, on := range []string{"false", "true"} {
		p.click(`#keys-open`)
		p.until(`element('keys').open`)
		p.click(`#keys-plain`)
		p.keys(kb.Escape)
		p.until(`!element('keys').open`)
		p.js(`(document.body.removeAttribute('data-ready'), location.reload(), 1)`)
		p.until(`document.body?.dataset.ready === 'true' && shown('game')`)
		p.is(`element('keys-plain').checked`, on)
		before := p.js(`isNight()`)
		p.keys("t", kb.ArrowRight)
		p.until(`location.hash === '#/games/3/1'`)
		p.is(`isNight() !== `+before, on)
		p.keys("2", "?")
		if on == "false" {
			p.is(`document.body.dataset.room + element('keys').open`, "gamesfalse")
		}
		p.keys(kb.Escape)
		p.visit("#/games/3/0")
		p.until(
			`document.body.dataset.room === 'games' && !element('keys').open && find('[data-key=" "]').offsetParent !== null`)
	}
	p.keys("t")
	p.slash()
	p.keys("t", "a", "l")
	p.is(`document.activeElement.id + document.activeElement.value`, "games-texttal")
	p.keys(kb.Enter)
	p.until(foundText + ` === '2 of 36 games'`)
	p.is(`find('.game-row').dataset.game`, "24")
	p.click(`#who-top`)
	p.keys("n") // the list has not the game that is shown: the first is chosen
	p.until(`title().startsWith('30. ')`)
	p.keys("p")
	p.until(`title().startsWith('24. ')`)
	p.keys(" ")
	p.holds(`find('[data-key=" "]').getAttribute('aria-pressed')`)
	p.keys(" ")
	night := p.js(`isNight()`)
	p.keys("t")
	p.holds(`isNight() !== ` + night)
	p.keys("t")
	p.keys("4")
	p.until(`document.body.dataset.room === 'bytes' && shown('room-bytes')`)
	p.keys("f")
	p.until(`find('#bytes-board button').dataset.square === 'h1'`)
	p.keys("2")
	p.until(`document.body.dataset.room === 'openings' && text('openings-about').startsWith('In famous.p11')`)
	p.drag(square("openings-board", "e2"), square("openings-board", "e4"))
	p.until(`location.hash.startsWith('#/openings/rnbqkbnr/pppppppp/8/8/4P3/8/')`) // the address has the position
	p.keys(kb.Backspace)
	p.until(`location.hash === '#/openings'`)
	p.slash()
	p.until(
		`document.body.dataset.room === 'games' && document.activeElement.id === 'games-text' && location.hash.endsWith('?player=tal')`)
	p.resize(phone)
	p.js(`(document.activeElement.blur(), location.hash = '#/games/24?player=tal', 1)`)
	p.until(`element('games-pane').offsetHeight === 0`)
	p.slash() // on a phone the list is another screen
	p.until(`location.hash === '#/games?player=tal' && document.activeElement.id === 'games-text'`)
}

// slash presses a key whose character comes only if the key is not taken, as of a keyboard.
func (p *page) slash() {
	p.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown,
		input.DispatchKeyEventTypeKeyUp} {
		if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: kind, Key: "/", Text: "/"}); err != nil {
			p.Fatal(err)
		}
	}
}

// testLong: what is long is shown to its end: a list longer than a browser's tallest element, a game, bytes.
func testLong(t *testing.T, h *host) {
	p := open(t, h, "?archive=long.p11", wide)
	p.until(`all('.game-row').length > 10`)
	p.focus(`#games-list`)
	p.keys(kb.End)
	last := `(all('.game-row').at(-1) ?? document.body)`
	p.until(last + `.dataset.game === '300000' && ` + last + `.getAttribute('aria-selected') === 'true'`)
	p.holds(`(() => { const r = ` + last +
		`.getBoundingClientRect(), b = element('games-list').getBoundingClientRect(); return r.bottom <= b.bottom + 1 && r.top >= b.top })()`)
	p.keys(kb.PageUp, kb.ArrowUp, kb.Enter)
	p.until(`title().startsWith('2999') && shown('game')`)
	p.js(`(choose(find('#games-pane select:has(+ .list)').id = 'page', 100000), 1)`)
	p.until(`find('.game-row[aria-selected]')?.dataset.game === '100001'`)
	p.js(`(() => { const b = element('games-list'); b.scrollTop = (b.scrollHeight - b.clientHeight) / 2 })()`)
	p.until(`all('.game-row').some((r) => r.dataset.game === '150000')`)
	p.holds(`all('.game-row').length < 500`)
	// a game with more comments and variations than are drawn at once
	var pgn strings.Builder
	pgn.WriteString("[Result \"*\"]\n\n")
	const plies = 480
	for i := range plies {
		if i%2 == 0 {
			fmt.Fprintf(&pgn, "%d. ", i/2+1)
		} else {
			fmt.Fprintf(&pgn, "%d... ", i/2+1)
		}
		fmt.Fprintf(&pgn, "%s {comment %d} (%s $2) ", [4]string{"Nf3", "Nf6", "Ng1", "Ng8"}[i%4], i,
			[4]string{"Nc3", "Nc6", "Nh4", "Nh5"}[i%4])
	}
	pgn.WriteString("*\n")
	p.upload("#games-file", "long.pgn", []byte(pgn.String()))
	p.until(`text('games-about').startsWith('long.p11 (2) · 1 game ·')`)
	p.visit("#/games/1/479")
	p.until(`current()?.textContent === 'Ng1'`)
	p.is(`all('#game-moves .main').length`, fmt.Sprint(plies))
	p.is(`all('#game-moves .side').length`, fmt.Sprint(plies))
	p.holds(
		`all('#game-moves .comment').map((c) => c.textContent).join() === Array.from({length: 480}, (_, i) => 'comment ' + i).join()`)
	p.is(`all('#game-moves [tabindex="0"]').length`, "1")
	p.visit("#/bytes")
	p.until(`shown('room-bytes') && all('#bytes-lines button').length === 10`)
	p.js(
		`(() => { element('bytes-text').value = '1. Nf3 Nf6 2. Ng1 Ng8 *\n\n'.repeat(500) + '1. Ke3 *'; element('bytes-text').oninput() })()`)
	p.until(`all('#bytes-lines button').length === 2500`)
	p.until(`find('#bytes-lines li:last-child').classList.contains('wrong')`)
	p.holds(`find('#bytes-lines li:last-child').textContent === 'error: ' + text('bytes-wrong')`)
}
