// SPDX-License-Identifier: Apache-2.0

//go:build !quick

package web_test

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// testAccessible has axe-core look at every room in both themes, on a wide screen and on a phone, and compares pictures of the rooms with those in the tree.
// By all rules it looks at two of the four, which have each theme and each width, and at all four with the tag long.
func testAccessible(t *testing.T, browser context.Context, h *host) {
	file, err := os.Open("testdata/axe/axe.min.js.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	axe, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	const sum = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c" // as testdata/axe/main.go has it
	if h := sha256.Sum256(axe); hex.EncodeToString(h[:]) != sum {
		t.Fatal("testdata/axe/axe.min.js.gz is not axe-core as it was published: go generate ./web")
	}
	p := open(t, browser, h, "?archive=archives/2/annotated.p11#/games/1/2", wide)
	p.js("(() => {" + string(axe) + "; return 1 })()")
	rooms := []struct{ name, hash, ready string }{
		{"games", "games/1/2", `!document.getElementById('game').hidden && document.querySelector('#game-moves [aria-current]')?.textContent === 'e5'
			&& !document.getElementById('games-list').textContent.includes('…')`},
		{"move", "move/e2e4", `document.querySelector('#move-names [name=uci]').value === 'e2e4'`},
		{"bytes", "bytes", `document.querySelectorAll('#bytes-lines button').length === 4`},
		{"positions", "positions", `document.getElementById('positions-about').textContent.includes('no index')`},
		{"pattern", "positions", `!document.getElementById('setup').hidden`},
		{"hardware", "hardware", `document.getElementById('hw-state').textContent !== ''`},
	}
	begin := map[string]func(){ // what is done in a room when it is first entered, and stays so
		"bytes": func() { p.click(`#bytes-lines li:nth-child(5) button`) },
		"positions": func() {
			p.click(`#positions-tree`)
			p.until(`document.querySelectorAll('#tree tbody tr').length === 1`)
		},
		"hardware": func() {
			p.click(`#hw-clocks`)
			p.until(`document.getElementById('hw-state').textContent.startsWith('clock 10,')`)
		},
	}
	for _, look := range []struct {
		name  string
		size  [2]int64
		night bool
	}{{"wide-light", wide, false}, {"wide-dark", wide, true}, {"phone-dark", phone, true}, {"phone-light", phone, false}} {
		p.resize([2]int64{look.size[0], 1440}) // so high that a picture has most of a room
		if p.js(`document.documentElement.classList.contains('night')`) != fmt.Sprint(look.night) {
			p.click(`#theme`)
		}
		p.is(`document.documentElement.classList.contains('night')`, fmt.Sprint(look.night))
		pictured := look.name == "wide-light" || look.name == "phone-dark"
		for _, room := range rooms {
			p.js(fmt.Sprintf(`(location.hash = '#/%s', 1)`, room.hash))
			p.until(fmt.Sprintf(`!document.getElementById('room-%s').hidden`, strings.SplitN(room.hash, "/", 2)[0]))
			if room.name == "positions" || room.name == "pattern" {
				p.click(fmt.Sprintf(`#positions-form [value=%s]`, strings.Replace(room.name, "ns", "n", 1)))
			}
			p.until(room.ready)
			if f := begin[room.name]; f != nil {
				f()
				delete(begin, room.name)
			}
			p.is(tooWide, "")
			rules := ""
			if !pictured && !testenv.Long { // the other rules do not depend on the theme, and the theme's do not on the size
				rules = `, runOnly: ['color-contrast', 'link-in-text-block']`
			}
			p.js(`(() => { window.found = null; axe.run(document, {resultTypes: ['violations']` + rules + `}).then((r) => {
				window.found = r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target.join(' ') + ' ' + n.failureSummary).slice(0, 3).join(' | ')).join('\n') }) })()`)
			p.until(`window.found !== null`)
			if got := p.js(`window.found`); got != "" {
				t.Errorf("%s, %s: %s", room.name, look.name, got)
			}
			if pictured {
				p.picture(look.name + "-" + room.name)
			}
		}
	}
	p.clean()
}
