// SPDX-License-Identifier: Apache-2.0

//go:build !quick

package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"ply11/bitstream/archive"
	"ply11/internal/testenv"
	"ply11/web"
)

// hostile are texts that would do something if they were read as HTML.
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

// damage flips a bit in the second block of an archive.
func damage(t *testing.T, a *web.Archive) {
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
	a.Open = web.Fixed(bytes.NewReader(b), int64(len(b)))
}

func testHostile(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "?archive=archives/3/hostile.p11", wide)
	p.until(
		`!document.getElementById('games-list').textContent.includes('…') && document.querySelectorAll('.game-row').length > 10`)
	text := p.js(`document.getElementById('games-list').textContent`)
	for i, x := range hostile {
		if !strings.Contains(text, x) {
			t.Errorf("the list does not show %q as text", x)
		}
		p.js(fmt.Sprintf(`location.hash = '#/games/%d/1'`, i+1))
		p.until(fmt.Sprintf(`document.getElementById('game-title').textContent.startsWith('%d. ')`, i+1))
		p.is(`document.getElementById('game-title').textContent`, fmt.Sprintf("%d. %s – %s, *", i+1, x, x))
	}
	p.shot("hostile")
	p.is(`typeof window.hacked`, "undefined")
	p.is(`document.querySelectorAll('main script, main img, main iframe, main a[href^=javascript]').length`, "0")
	p.clean()
}

func testDamaged(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "?archive=archives/4/damaged.p11", wide)
	p.until(
		`document.querySelectorAll('.game-row').length > 10 && !document.getElementById('games-list').textContent.includes('…')`)
	p.is(`[...document.querySelectorAll('.game-row.wrong')].map((r) => r.dataset.game).join()`, "7,8,9,10,11,12")
	p.is(`document.querySelector('.game-row.wrong').textContent.includes('block 2')`, "true")
	p.shot("damaged")
	p.js(`location.hash = '#/games/7'`)
	p.until(`document.getElementById('status').classList.contains('wrong')`)
	p.js(`location.hash = '#/games/14'`)
	p.until(
		`document.getElementById('game-title').textContent.startsWith('14. ') && document.querySelectorAll('#game-moves .main').length > 20`)
	p.enter(`#games-filter [name=player]`, "a")
	p.until(`document.getElementById('status').textContent.includes('then: ')`)
	p.clean()
}

// testCanceled gives up what takes long: the page tells how far it is, ends it at once though the server does not
// answer, and goes on.
func testCanceled(t *testing.T, browser context.Context, h *host) {
	const busy, bar, status = `!document.getElementById('busy').hidden`, `document.getElementById('busy-bar')`,
		`document.getElementById('status').textContent`
	p := open(t, browser, h, "?archive=archives/7/several.p11", wide)
	p.until(
		`!document.getElementById('games-list').textContent.includes('…') && document.querySelectorAll('.game-row').length > 10`)
	p.is(aboutGames+`.includes('. A search reads up to ')`, "true") // before it is begun
	release := h.holds()
	defer release()
	p.enter(`#games-filter [name=player]`, "a")
	p.until(busy)
	p.is(`document.getElementById('busy-text').textContent`, "Searching")
	p.click(`#busy-cancel`)
	p.until(status + ` === 'The search was given up' && document.getElementById('busy').hidden`)
	p.givenUp()
	// So is an archive that is being opened: what was open stays open.
	p.served(1)
	p.until(busy)
	p.is(`document.getElementById('busy-text').textContent`, "Opening famous.p11")
	p.click(`#busy-cancel`)
	p.until(status + ` === 'archives/1/famous.p11: canceled' && document.getElementById('busy').hidden`)
	p.givenUp()
	release()
	p.click(`#games-filter [type=submit]`)
	p.until(`location.hash === '#/games?player=a'`)
	// In the room of positions: games that have one, and the moves. The archive is opened anew, so that nothing of it
	// is kept.
	p.js(
		fmt.Sprintf(
			`(window.most = 0, new MutationObserver(() => { window.most = Math.max(window.most, %s.value) }).observe(%s, {attributes: true}), 1)`, bar, bar))
	for _, button := range []string{"positions-find", "positions-tree"} {
		p.js(`(location.hash = '#/games', document.getElementById('status').textContent = '', 1)`)
		p.until(`!document.getElementById('room-games').hidden`)
		p.served(7)
		p.until(status + ` === 'several.p11 is open'`)
		p.js(`(location.hash = '#/positions', 1)`)
		p.until(`document.getElementById('positions-about').textContent.includes('no index')`)
		release = h.holds()
		defer release()
		p.click("#" + button)
		p.until(busy)
		p.focus(`#busy-cancel`)
		p.keys(kb.Enter)
		p.until(
			`document.getElementById('positions-wrong').textContent === 'It was given up' && document.getElementById('busy').hidden`)
		p.givenUp()
		release()
		done := `document.getElementById('found-about').textContent === '3,000 games, of which the first 200 are shown'`
		if button == "positions-tree" {
			done = `Boolean(document.querySelector('#tree caption')?.textContent.startsWith('3,000 games'))`
		}
		p.js(`(window.most = 0, 1)`)
		release = h.holds() // so that it takes long enough to tell how far it is
		defer release()
		p.click("#" + button)
		p.until(busy + ` || ` + done)
		release()
		p.until(done)
		p.is(`window.most > 0 && window.most <= 1`, "true")
	}
	p.clean()
}

// testEarly gives up an archive while the program comes: what was asked for it before ends at once, and the archive can
// be opened then.
func testEarly(t *testing.T, browser context.Context, programs fs.FS, archives []*web.Archive) {
	h := newHost(t, []fs.FS{web.Static(), programs}, archives)
	files, come := h.Config.Handler, make(chan struct{})
	h.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/explorer.wasm.gz" {
			select {
			case <-come:
			case <-r.Context().Done():
			}
		}
		files.ServeHTTP(w, r)
	})
	let := sync.OnceFunc(func() { close(come) })
	defer let()
	release := h.holds()
	defer release()
	p := newPage(t, browser, h)
	p.do(chromedp.EmulateViewport(wide[0], wide[1]), chromedp.Navigate(h.URL+"/?archive=archives/1/famous.p11#/games"))
	p.until(`!document.getElementById('busy').hidden`)
	for asked, _ := h.since(0); len(asked) == 0 && p.ctx.Err() == nil; asked, _ = h.since(0) {
		time.Sleep(5 * time.Millisecond)
	}
	p.click(`#busy-cancel`)
	p.until(`document.getElementById('status').textContent === 'archives/1/famous.p11: canceled'`)
	p.givenUp()
	release()
	let()
	p.served(1)
	p.until(
		`document.getElementById('games-about').textContent.startsWith('famous.p11: 36 games') && document.querySelectorAll('.game-row').length > 5`)
	p.clean()
}

// testStuck: a program that never comes back is ended when its call is given up, and another one opens what was open.
func testStuck(t *testing.T, browser context.Context, programs fs.FS, archives []*web.Archive) {
	worker, err := fs.ReadFile(web.Static(), "worker.js")
	if err != nil {
		t.Fatal(err)
	}
	stuck := fstest.MapFS{"worker.js": {Data: append(worker, "\nconst listen = self.onmessage;\nself.onmessage = (e) "+
		"=> { if (e.data.method === 'search') for (;;); listen(e); };\n"...)}}
	h := newHost(t, []fs.FS{web.Static(), programs, stuck}, archives)
	p := open(t, browser, h, "?archive=archives/1/famous.p11", wide)
	p.until(
		`!document.getElementById('games-list').textContent.includes('…') && document.querySelectorAll('.game-row').length > 10`)
	p.enter(`#games-filter [name=player]`, "a")
	p.until(`!document.getElementById('busy').hidden`)
	p.click(`#busy-cancel`)
	p.until(`document.getElementById('status').textContent === 'The search was given up'`)
	p.js(`(location.hash = '#/games/36/2', 1)`)
	p.until(
		`document.getElementById('game-title').textContent.startsWith('36. ') && !document.getElementById('game').hidden`)
	p.clean()
}

// testLies opens archives whose checksums are right and whose lengths, counts or contents are not, cut ones, and ones
// that are something else: for each the page tells what is wrong, or shows what can be read; and then it opens a good
// one.
func testLies(t *testing.T, browser context.Context, h *host) {
	text, err := os.ReadFile("../docs/vectors/refuse.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Name    string `json:"name"`
		Archive []byte `json:"archive"`
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	var lies []map[string]any
	for i, v := range vectors {
		if i%8 != 0 && !testenv.Long {
			continue
		}
		lies = append(lies, map[string]any{"name": v.Name, "archive": v.Archive})
	}
	good := content(t, h.archives[0])
	large := bytes.Clone(good)
	for i := len(large) - 32; i < len(large)-8; i++ {
		large[i] = 0xff
	}
	for name, b := range map[string][]byte{"nothing": {}, "a byte": {0x89}, "the magic alone": good[:8],
		"cut": good[:len(good)-1], "cut in the middle": good[:len(good)/2],
		"a trailer of the largest numbers": large, "zeros": make([]byte, 1<<16),
		"twice": append(bytes.Clone(good), good...)} {
		lies = append(lies, map[string]any{"name": name, "archive": b})
	}
	list, err := json.Marshal(lies)
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, browser, h, "#/games", wide)
	p.js(fmt.Sprintf(`(async () => {
		const status = document.getElementById('status'), list = document.getElementById('games-list'), title = document.getElementById('game-title');
		const until = (f) => new Promise((done) => { const look = () => (f() ? done() : setTimeout(look, 2)); look(); });
		window.told = [];
		for (const [i, {name, archive}] of %s.entries()) {
			status.textContent = '';
			const d = new DataTransfer();
			d.items.add(new File([Uint8Array.from(atob(archive), (c) => c.charCodeAt(0))], i + '.p11'));
			document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true}));
			await until(() => status.textContent.startsWith(i + '.p11'));
			const opened = status.textContent.endsWith(' is open');
			if (!opened && !status.classList.contains('wrong')) window.told.push(name + ': ' + status.textContent);
			if (!opened) continue;
			await until(() => !list.textContent.includes('…'));
			status.textContent = title.textContent = '';
			location.hash = '#/games/1';
			await until(() => title.textContent !== '' || status.textContent !== '');
			if (/bug|panic|undefined/.test(status.textContent + title.textContent)) window.told.push(name + ': ' + status.textContent + title.textContent);
			location.hash = '#/games';
		}
		window.ended = true;
	})(), 1`, list))
	p.until(`window.ended === true`)
	p.is(`window.told.join('\n')`, "")
	p.drop("famous.p11", good)
	p.until(`document.getElementById('games-about').textContent.startsWith('famous.p11: 36 games')`)
	p.until(
		`document.querySelectorAll('.game-row').length > 10 && !document.getElementById('games-list').textContent.includes('…')`)
	p.is(`document.querySelectorAll('.game-row.wrong').length`, "0")
	p.clean()
}

// named are games of names that are written from right to left, that are very long, and of many tags.
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
func testNames(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "?archive=archives/10/n.p11#/games/1/1", wide)
	p.until(
		`!document.getElementById('game').hidden && document.querySelectorAll('.game-row').length === 3 && !document.getElementById('games-list').textContent.includes('…1')`)
	p.until(`document.querySelectorAll('.game-row bdi').length === 6`)
	// From left to right: White, Black, the result; in the list each name before its rating.
	p.is(`(() => {
		const x = (node, from, to) => { const r = document.createRange(); r.setStart(node, from); r.setEnd(node, to); return r.getBoundingClientRect().left; };
		const title = document.getElementById('game-title'), [white, black] = title.querySelectorAll('bdi');
		const places = [x(title.firstChild, 0, 1), x(white.firstChild, 0, 4), x(black.firstChild, 0, 4), x(title.lastChild, 2, 5)];
		const row = document.querySelector('.game-row .players span');
		return [places.every((p, i) => i === 0 || p > places[i - 1]), x(row.lastChild.firstChild, 1, 3) > x(row.firstChild.firstChild, 0, 4)].join();
	})()`, "true,true")
	p.js(`(location.hash = '#/positions', 1)`)
	p.until(`!document.getElementById('room-positions').hidden`)
	p.click(`#positions-find`)
	p.until(`document.querySelectorAll('#found a bdi').length === 6`)
	for _, size := range [][2]int64{wide, phone} {
		p.resize(size)
		for _, hash := range []string{"#/positions", "#/games/2/1", "#/games/3/1"} {
			p.js(fmt.Sprintf(`(location.hash = '%s', 1)`, hash))
			p.until(fmt.Sprintf(`!document.getElementById('room-%s').hidden`, strings.Split(hash[2:], "/")[0]))
			if strings.HasPrefix(hash, "#/games") {
				p.until(
					fmt.Sprintf(
						`document.getElementById('game-title').textContent.startsWith('%s. ') && !document.getElementById('game').hidden`, strings.Split(hash, "/")[2]))
			}
			p.is(tooWide, "")
			p.is(`document.documentElement.scrollWidth <= innerWidth`, "true")
		}
	}
	// A file's name, too, where it stands and is told.
	p.drop(strings.Repeat("x", 5000)+".pgn", []byte("1. e4 *\n"))
	p.until(aboutGames + `.includes(': 1 games')`)
	p.is(tooWide, "")
	p.is(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.clean()
}
