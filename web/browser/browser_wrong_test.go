// SPDX-License-Identifier: Apache-2.0

package browser_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"ply11/bitstream/archive"
	"ply11/web/explorer"
)

// hostile are texts that act if they are read as HTML.
var hostile = []string{
	`<script>window.hacked=1</script>`, `<img src=x onerror="window.hacked=1">`, `"><svg onload=window.hacked=1>`,
	`javascript:window.hacked=1`,
	`</title><script>window.hacked=1</script>`, `<a href="javascript:window.hacked=1">x</a>`,
	`{{constructor.constructor('window.hacked=1')()}}`,
	`<iframe srcdoc="<script>parent.hacked=1</script>">`, `&lt;b&gt;&amp;`, "\u202egnp.exe",
	`'onmouseover='window.hacked=1`,
}

func hostilePGN() string {
	var b strings.Builder
	for _, h := range hostile {
		q := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(h)
		fmt.Fprintf(&b, "[Event \"%s\"]\n[White \"%s\"]\n[Black \"%s\"]\n[Date \"%s\"]\n[ECO \"%s\"]\n[Result "+
			"\"*\"]\n\n1. e4 {%s} *\n\n", q, q, q, q, q,
			strings.ReplaceAll(h, "}", ")"))
	}
	return b.String()
}

func damage(t *testing.T, a *explorer.Archive) {
	t.Helper()
	b := content(t, a)
	r, err := archive.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	block, err := r.Block(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range block.Columns() {
		if c.Kind == archive.ColumnTags {
			b[c.Offset+c.Stored/2] ^= 4
		}
	}
	a.Open = explorer.Fixed(bytes.NewReader(b), int64(len(b)))
}

func testHostile(t *testing.T, h *host) {
	p := open(t, h, "?archive=hostile.p11", wide)
	p.until(`all('.game-row').length > 10`)
	text := p.js(`text('games-list')`)
	for i, x := range hostile {
		if !strings.Contains(text, x) {
			t.Errorf("the list does not show %q as text", x)
		}
		p.visit("#/games/%d/1", i+1)
		p.until(`title().startsWith('%d. ')`, i+1)
		p.is(`title()`, fmt.Sprintf("%d. %s – %s, *", i+1, x, x))
	}
	p.is(`typeof window.hacked`, "undefined")
	p.is(`all('main script, main img, main iframe, main a[href^=javascript]').length`, "0")
}

func testDamaged(t *testing.T, h *host) {
	p := open(t, h, "?archive=damaged.p11", wide)
	p.until(`all('.game-row').length > 10`)
	p.is(`all('.game-row.wrong').map((r) => r.dataset.game).join()`, "7,8,9,10,11,12")
	p.holds(`find('.game-row.wrong').textContent.includes('block 2')`)
	p.visit("#/games/7")
	p.until(`isWrong()`)
	p.visit("#/games/14")
	p.until(`title().startsWith('14. ') && all('#game-moves .main').length > 20`)
	p.enter(`#games-text`, "a")
	p.until(`text('status').includes('then: ')`)
}

// testCanceled gives up what takes long: the page ends it at once, and goes on.
func testCanceled(t *testing.T, h *host) {
	const busy, status = `find('.toast progress') !== null`, `text('status')`
	p := open(t, h, "?archive=several.p11", wide)
	p.until(`all('.game-row').length > 10`)
	release := h.holds()
	defer release()
	p.enter(`#games-text`, "a")
	p.until(busy)
	p.is(`find('.toast').textContent`, "Searching  Cancel")
	p.click(`.toast button`)
	p.until(status + ` === 'The search was given up' && find('progress') === null`)
	p.givenUp()
	release()
	p.focus(`#games-text`)
	p.keys(kb.Enter) // what was typed is there yet
	p.until(`location.hash === '#/games?player=a'`)
	// in the room of openings: games that have a position, and its moves
	for tab, c := range map[string][3]string{
		"search": {"#openings-find", `text('openings-wrong') === 'It was given up'`, foundText + ` === '6,000 games'`},
		"tree":   {"#tree button", `true`, `text('tree-about').startsWith('6,000 games')`},
	} {
		p.visit("#/openings")
		p.until(`text('openings-about').includes('no index') && find('#tree :is(button, a)') !== null`)
		p.click("[value=" + tab + "-box]")
		release = h.holds()
		defer release()
		p.click(c[0])
		p.until(busy)
		p.focus(`.toast button`)
		p.keys(kb.Enter)
		p.until(c[1] + ` && find('progress') === null`)
		p.givenUp()
		release()
		p.click(c[0])
		p.until(c[2])
	}
}

// named are games of names that are written from right to left, very long, and of many tags.
func named() string {
	var b strings.Builder
	game := func(white, black, more string) {
		fmt.Fprintf(&b, "[Event \"%s\"]\n[White \"%s\"]\n[Black \"%s\"]\n[WhiteElo \"2500\"]\n[BlackElo "+
			"\"2400\"]\n[Result \"1-0\"]\n%s\n1. e4 e5 1-0\n\n", black, white, black, more)
	}
	game("אבגד", "הוזח", "")
	game(strings.Repeat("W", 20_000), strings.Repeat("M", 20_000), "")
	var tags strings.Builder
	for i := range 60 {
		fmt.Fprintf(&tags, "[Tag%d \"value %d\"]\n", i, i)
	}
	game("Anna", "Boris", tags.String())
	return b.String()
}

// testNames: a name turns nothing around but itself, and none makes the page wider than the window.
func testNames(t *testing.T, h *host) {
	p := open(t, h, "?archive=n.p11#/games/1/1", wide)
	p.until(`shown('game') && all('.game-row').length === 3`)
	p.until(`all('.game-row bdi').length === 6`)
	// from left to right: White, Black, the result; in the list each name before its rating
	p.is(`(() => {
		const x = (node, from, to) => { const r = document.createRange(); r.setStart(node, from); r.setEnd(node, to); return r.getBoundingClientRect().left; };
		const title = element('game-title'), [white, black] = title.querySelectorAll('bdi');
		const places = [x(title.firstChild, 0, 1), x(white.firstChild, 0, 4), x(black.firstChild, 0, 4), x(title.lastChild, 2, 5)];
		const row = find('.game-row .players span');
		return [places.every((p, i) => i === 0 || p > places[i - 1]), x(row.lastChild.firstChild, 1, 3) > x(row.firstChild.firstChild, 0, 4)].join();
	})()`, "true,true")
	for _, size := range [][2]int64{wide, phone} {
		p.resize(size)
		for _, hash := range []string{"#/openings", "#/games/2/1", "#/games/3/1"} {
			p.visit("%s", hash)
			p.until(`!element('room-%s').hidden`, strings.Split(hash[2:], "/")[0])
			if strings.HasPrefix(hash, "#/games") {
				p.until(`title().startsWith('%s. ') && shown('game')`, strings.Split(hash, "/")[2])
			}
			p.is(tooWide, "")
			p.holds(`document.documentElement.scrollWidth <= innerWidth`)
		}
	}
	p.drop(strings.Repeat("x", 190)+".pgn", []byte("1. e4 *\n"))
	p.until(aboutGames + `.includes(' · 1 game ·')`)
	p.is(tooWide, "")
	p.holds(`document.documentElement.scrollWidth <= innerWidth`)
}
