// SPDX-License-Identifier: Apache-2.0

package browser_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// tabStop is what has the focus: its name, what is wrong with how it is seen, and where it stands.
const tabStop = `(() => {
	const e = document.activeElement, r = e.getBoundingClientRect(), wrong = [];
	if (e === document.body || e === document.documentElement) return {name: ''};
	const ringed = (e) => { const s = getComputedStyle(e); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1 };
	if (!ringed(e) && !(e.closest('label') && ringed(e.closest('label')))) wrong.push('nothing tells that it has the focus');
	const left = Math.max(r.left, 0), top = Math.max(r.top, 0), right = Math.min(r.right, innerWidth), bottom = Math.min(r.bottom, innerHeight);
	if (right - left < Math.min(r.width, 16) || bottom - top < Math.min(r.height, 16)) wrong.push('it is not in sight');
	else {
		const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
		if (!on || !(e.contains(on) || on.contains(e) || e.closest('label')?.contains(on))) wrong.push('it is behind ' + (on?.id || on?.className || on?.tagName));
	}
	return {name: e.id || e.name && e.name + ' ' + e.value || e.getAttribute('aria-label') || e.dataset.square || e.dataset.room || e.querySelector?.('[aria-label]')?.ariaLabel || e.textContent.trim().slice(0, 30), wrong: wrong.join(', '), top: Math.round(r.top + scrollY), bottom: Math.round(r.bottom + scrollY)};
})()`

type stop struct {
	Name, Wrong string
	Top, Bottom int
}

func (p *page) stop() (s stop) {
	p.Helper()
	if err := json.Unmarshal([]byte(p.js(tabStop)), &s); err != nil {
		p.Fatal(err)
	}
	return s
}

// testTabs goes through each room by the Tab key, magnified and on a phone: what has the focus is in sight and marked,
// the way leads down the page, and it ends.
func testTabs(t *testing.T, h *host) {
	p := open(t, h, "?archive=famous.p11#/games", wide)
	for _, size := range [][2]int64{{720, 450}, {390, 844}} {
		p.resize(size)
		for _, room := range []struct {
			hash, ready string
			least       int // how many places there are at least
		}{
			{
				"games?player=tal", `all('.game-row').length > 1 && element('games-pane').offsetHeight > 0`, 12},
			{
				"games/3/2", `shown('game') && current() !== null && find('#played td') !== null`, 18},
			{"openings", `shown('room-openings') && all('#tree .game-row').length > 0`, 20},
			{"move/e2e4", `find('#move-names [name=uci]')?.value === 'e2e4'`, 30},
			{"bytes", `all('#bytes-lines button').length > 0`, 12},
		} {
			p.visit("#/%s", room.hash)
			p.until(room.ready)
			p.js(`(document.activeElement.blur(), scrollTo(0, 0), find('.skip').focus(), 1)`)
			// what copies a game stands below its moves there, and belongs to the board
			down := !strings.HasPrefix(room.hash, "games/")
			last, n := stop{}, 0
			for ; n < 200; n++ {
				p.keys(kb.Tab)
				s := p.stop()
				if s.Name == "" || s.Name == "To the room" {
					break
				}
				if s.Wrong != "" {
					t.Errorf("%s, %d by %d: %s: %s", room.hash, size[0], size[1], s.Name, s.Wrong)
				}
				if down && s.Bottom <= last.Top {
					t.Errorf("%s, %d by %d: %s stands above %s, and has the focus after it", room.hash, size[0],
						size[1], s.Name, last.Name)
				}
				last = s
			}
			if n < room.least || n == 200 {
				t.Errorf("%s, %d by %d: %d places", room.hash, size[0], size[1], n)
			}
		}
	}
	// a game by the keyboard alone
	to := func(name string) {
		t.Helper()
		for n := 0; p.stop().Name != name; n++ {
			if n == 100 {
				t.Fatalf("Tab does not lead to %s", name)
			}
			p.keys(kb.Tab)
		}
	}
	p.js(`(location.hash = '#/games', scrollTo(0, 0), 1)`)
	p.until(`element('games-pane').offsetHeight > 0 && all('.game-row').length > 2`)
	p.js(`(find('.skip').focus(), 1)`)
	to("Download these games")
	p.keys(kb.Enter)
	p.until(`element('games-save').open`)
	to("save-csv")
	p.keys(kb.Escape)
	p.is(`element('games-save').open + document.activeElement.tagName`, "falseSUMMARY")
	to("games-list")
	p.keys(kb.Home, kb.ArrowDown, kb.Enter)
	p.until(`location.hash.startsWith('#/games/2') && title().startsWith('2. ')`)
	to("tab game-moves")
	p.keys(kb.ArrowRight)
	p.is(`document.activeElement.value + element('game-tags-box').hidden`, "game-tags-boxfalse")
	p.js(`(find('.skip').focus(), 1)`)
	to("‹ All games")
	p.keys(kb.Enter)
	p.until(`element('games-pane').offsetHeight > 0`)
	p.is(`document.activeElement.id`, "games-list")
}
