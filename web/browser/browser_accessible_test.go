// SPDX-License-Identifier: Apache-2.0

package browser_test

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"ply11/internal/testenv"
)

func (p *page) axe() {
	p.Helper()
	file, err := os.Open("testdata/axe/axe.min.js.gz")
	if err != nil {
		p.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		p.Fatal(err)
	}
	axe, err := io.ReadAll(z)
	if err != nil {
		p.Fatal(err)
	}
	const sum = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c" // as testdata/axe/main.go has it
	if h := sha256.Sum256(axe); hex.EncodeToString(h[:]) != sum {
		p.Fatal("testdata/axe/axe.min.js.gz is not axe-core as it was published: go generate here")
	}
	p.js("(() => {" + string(axe) + "; return 1 })()")
}

// accessible has axe-core look at what is shown. rules, unless "", are more options.
func (p *page) accessible(what, rules string) {
	p.Helper()
	p.js(`(() => { window.found = null; axe.run(document, {resultTypes: ['violations']` + rules + `}).then((r) => {
		window.found = r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target.join(' ') + ' ' + n.failureSummary).slice(0, 3).join(' | ')).join('\n') }) })()`)
	p.until(`window.found !== null`)
	if got := p.js(`window.found`); got != "" {
		p.Errorf("%s: %s", what, got)
	}
}

// tooSmall names what is pressed and has less than 24 pixels.
const tooSmall = `all('a, button, summary, select, label:has(input)').filter((e) => {
	const r = e.getBoundingClientRect();
	return e.checkVisibility() && r.width > 1 && (r.height < 23.9 || r.width < 23.9) && !e.matches('.fields label');
}).map((e) => e.tagName + e.id + e.textContent.trim()).join()`

// testAccessible has axe-core look at every room in both themes, on a wide screen and on a phone; by all rules at two
// of the four, unless the tag is long.
func testAccessible(t *testing.T, h *host) {
	p := open(t, h, "?archive=annotated.p11#/games/1/2", wide)
	p.axe()
	rooms := []struct{ name, hash, ready string }{
		{
			"games", "games/1/2", `shown('game') && current()?.textContent === 'e5' && find('.game-row') !== null`},
		{"move", "move/e2e4", `find('#move-names [name=uci]')?.value === 'e2e4'`},
		{"bytes", "bytes", `all('#bytes-lines button').length === 10`},
		{"openings", "openings", `text('openings-about').includes('no index')`},
		{"pattern", "openings", `shown('setup')`},
	}
	begin := map[string]func(){ // what is done in a room when it is first entered, and stays so
		"bytes": func() { p.click(`#bytes-lines li:nth-child(5) button`) },
		"openings": func() {
			p.until(`all('#tree tbody tr').length === 1`)
		},
	}
	for _, look := range []struct {
		name  string
		size  [2]int64
		night bool
	}{{"wide-light", wide, false}, {"wide-dark", wide, true}, {"phone-dark", phone, true},
		{"phone-light", phone, false}} {
		p.resize([2]int64{look.size[0], 1440}) // so high that a picture has most of a room
		if p.js(`isNight()`) != fmt.Sprint(look.night) {
			p.click(`#theme`)
		}
		p.is(`isNight()`, fmt.Sprint(look.night))
		whole := look.name == "wide-light" || look.name == "phone-dark"
		for _, room := range rooms {
			p.visit("#/%s", room.hash)
			p.until(`!element('room-%s').hidden`, strings.SplitN(room.hash, "/", 2)[0])
			if room.name == "openings" || room.name == "pattern" {
				p.click(map[string]string{"openings": `[value=tree-box]`,
					"pattern": `[value=search-box]`}[room.name])
				if room.name == "pattern" {
					p.click(`label:has(> [value=pattern])`)
				}
			}
			p.until(room.ready)
			if f := begin[room.name]; f != nil {
				f()
				delete(begin, room.name)
			}
			p.is(tooWide, "")
			p.is(tooSmall, "")
			rules := ""
			// the other rules do not depend on the theme, and the theme's do not on the size
			if !whole && !testenv.Long {
				rules = `, runOnly: ['color-contrast', 'link-in-text-block']`
			}
			p.accessible(room.name+", "+look.name, rules)
			p.shot(look.name + "-" + room.name)
		}
	}
}

// testStates has axe-core look at what a room shows at times. And where the system chooses the colours, squares and
// pieces differ.
func testStates(t *testing.T, h *host) {
	p := open(t, h, "?archive=n.p11#/games/3/1", phone)
	p.axe()
	shown := func(game int) string {
		return fmt.Sprintf(
			`shown('game') && title().startsWith('%d. ')`, game)
	}
	hash := func(h string) { p.visit("#/%s", h) }
	for _, state := range []struct {
		name  string
		begin func()
		ready string
	}{
		{"many tags", func() {}, shown(3)},
		{"long names", func() { hash("games/2/1") }, shown(2)},
		{"no game found", func() {
			hash("games")
			p.until(`element('games-pane').offsetHeight > 0`)
			p.enter(`#games-text`, "nobody")
		}, foundText + `.startsWith('0 of ')`},
		{"a wrong filter", func() { p.enter(`#games-text`, "~(") },
			`isWrong()`},
		{"filters and a menu", func() {
			p.js(`(element('games-more').open = element('games-save').open = true, 1)`)
		}, `element('save-csv').offsetHeight > 0`},
		{"a variation", func() {
			hash("games/3/1")
			p.until(shown(3))
			p.click(square("game-board", "c7"))
			p.until(`all('#game-board .target').length === 2`)
			p.click(square("game-board", "c5"))
		}, `current()?.textContent === 'c5' && find('#game-moves .line') !== null`},
		{"no archive", func() { p.click(`#games-about`) }, `element('games-sample').offsetHeight > 0`},
		{"keys", func() { p.js(`(document.activeElement.blur(), 1)`); p.keys("?") },
			`element('keys').open`},
		{"a tour", func() {
			p.keys(kb.Escape)
			hash("move/g1f3")
			p.until(`find('#move-bits button')?.textContent === '1'`)
			p.click(`#tour summary`)
		},
			`find('#tour').open`},
		{"a tree", func() {
			hash("openings")
			p.until(`shown('room-openings')`)
		}, `all('#tree tbody tr').length > 0 && all('#tree .game-row').length > 0`},
		{"a search", func() { p.click(`[value=search-box]`) }, `element('openings-find').offsetHeight > 0`},
		{"a promotion", func() {
			p.enter(`#openings-fen`, "7k/P7/8/8/8/8/8/K7 w - - 0 1")
			p.until(`find('#openings-board [data-square=a7]').dataset.piece === 'P'`)
			p.click(square("openings-board", "a7"))
			p.click(square("openings-board", "a8"))
		}, `element('promotion').open`},
		{"no promotion", func() { p.keys(kb.Escape) }, `!element('promotion').open`},
		{"bytes without moves", func() {
			hash("bytes")
			p.until(`shown('room-bytes') && all('#bytes-lines button').length === 10`)
			// which is an archive by its first bytes, whatever its name is
			p.drop("games.bin", content(t, h.archives[0]))
		}, `element('bytes-format').value === 'p11' && text('bytes-lines').includes('magic')`},
		{"bytes of an index", func() { p.drop("x.bin", indexOf(t, h.archives[0])) },
			`text('bytes-wrong').includes('index of an archive')`},
		{"bytes that are compressed", func() { p.drop("x.gz", []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0}) },
			`text('bytes-wrong').includes('gzip')`},
		{"a game that is not valid", func() {
			hash("games")
			p.until(`document.body.dataset.room === 'games' && shown('room-games')`)
			p.drop("broken.pgn", []byte("[White \"X\"]\n\n1. e4 Ke4 "+strings.Repeat("{a long comment that goes on} ",
				400)+"*\n"))
			p.until(aboutGames + `.startsWith('broken.p11')`)
			hash("games/1/1")
		}, `shown('game-text')`},
		{"a game that is not there", func() { hash("games/99/1") },
			`isWrong()`},
	} {
		state.begin()
		p.until(state.ready)
		p.is(tooWide, "")
		p.accessible(state.name, "")
		p.shot("state-" + strings.ReplaceAll(state.name, " ", "-"))
	}
	hash("games/1/0")
	p.until(shown(1))
	set := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "forced-colors", Value: "active"}}}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, set); err != nil {
		t.Fatal(err)
	}
	p.until(`matchMedia('(forced-colors: active)').matches`)
	p.holds(
		`(() => { const c = (name) => getComputedStyle(find('#game-board [data-square=' + name + ']')).backgroundColor; return c('a1') !== c('b1') && c('a1') === c('b2') })()`)
	p.holds(
		`(() => { const a = find('nav a[aria-current]'), b = find('nav a:not([aria-current])'); return getComputedStyle(a).backgroundColor !== getComputedStyle(b).backgroundColor })()`)
}
