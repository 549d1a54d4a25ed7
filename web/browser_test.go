// SPDX-License-Identifier: Apache-2.0

//go:build !quick

package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/gamegen"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/query"
	"ply11/web"
	"ply11/web/call"
	"ply11/web/explain"
	"ply11/web/wasm"
)

//go:generate go run ./testdata/axe

// host serves the page and archives, and counts what is asked for.
type host struct {
	*httptest.Server
	handler  http.Handler
	archives []*web.Archive
	mu       sync.Mutex
	requests []string
	bytes    map[string]int // of bodies, by path
	others   []string       // hosts but this one that the browser asked
	hold     chan struct{}  // unless nil, archives are served when it is closed
	given    int            // requests that the browser gave up meanwhile
}

func newHost(t *testing.T, folders []fs.FS, archives []*web.Archive) *host {
	t.Helper()
	h, err := web.Handler(folders, archives, []string{"127.0.0.1", "localhost"})
	if err != nil {
		t.Fatal(err)
	}
	s := &host{handler: h, archives: archives, bytes: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+r.Header.Get("Range")))
		hold := s.hold
		s.mu.Unlock()
		if hold != nil && strings.HasPrefix(r.URL.Path, "/archives/") {
			select {
			case <-hold:
			case <-r.Context().Done():
				s.mu.Lock()
				s.given++
				s.mu.Unlock()
			}
		}
		h.ServeHTTP(&countingWriter{w, s, r.URL.Path}, r)
	}))
	t.Cleanup(s.Close)
	return s
}

type countingWriter struct {
	http.ResponseWriter
	s    *host
	path string
}

func (w *countingWriter) Write(b []byte) (int, error) {
	w.s.mu.Lock()
	w.s.bytes[w.path] += len(b)
	w.s.mu.Unlock()
	return w.ResponseWriter.Write(b)
}

// since returns the requests for archives from number n on, and how many there are of all.
func (s *host) since(n int) (list []string, all int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests[n:] {
		if strings.Contains(r, "/archives/") {
			list = append(list, r)
		}
	}
	return list, len(s.requests)
}

// holds makes requests for archives wait until the function that it returns is called.
func (s *host) holds() (release func()) {
	hold := make(chan struct{})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold = hold
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.hold == hold {
			close(hold)
			s.hold = nil
		}
	}
}

// givenUp waits until the browser has given up a request that is held.
func (p *page) givenUp() {
	p.Helper()
	for end := time.Now().Add(patience / 2); ; time.Sleep(5 * time.Millisecond) {
		p.host.mu.Lock()
		n := p.host.given
		p.host.given = 0
		p.host.mu.Unlock()
		if n > 0 {
			return
		}
		if time.Now().After(end) {
			p.Fatal("the request for the archive goes on")
		}
	}
}

// patience is how long a tab may be open, and half of it how long something may take to become true. It ends a test that hangs, and is no measure of anything.
var patience = 4 * time.Minute

// page is a tab of the browser.
type page struct {
	*testing.T
	ctx    context.Context
	host   *host
	mu     sync.Mutex
	errors []string // of the console, and of scripts
}

// open opens a tab with an address of the host.
func open(t *testing.T, browser context.Context, h *host, address string, size [2]int64) *page {
	t.Helper()
	p := newPage(t, browser, h)
	p.do(chromedp.EmulateViewport(size[0], size[1]), chromedp.Navigate(h.URL+"/"+address))
	p.until(`document.body.dataset.ready === 'true'`)
	return p
}

// newPage opens an empty tab.
func newPage(t *testing.T, browser context.Context, h *host) *page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, patience)
	t.Cleanup(cancel)
	p := &page{T: t, ctx: ctx, host: h}
	err := chromedp.Listen(ctx, func(event any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			p.errors = append(p.errors, e.ExceptionDetails.Text)
		case *log.EventEntryAdded: // also what the policy forbids
			if e.Entry.Level == log.EntryLevelError {
				p.errors = append(p.errors, e.Entry.Text+" "+e.Entry.URL)
			}
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, h.URL+"/") && e.Request.URL != "about:blank" && !strings.HasPrefix(e.Request.URL, "blob:"+h.URL+"/") {
				h.mu.Lock()
				h.others = append(h.others, e.Request.URL)
				h.mu.Unlock()
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, enable := range []func() error{
		func() error { _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); return err },
		func() error { _, err := chromedp.Call(ctx, log.Enable, cdp.Empty{}); return err },
		func() error { _, err := chromedp.Call(ctx, runtime.Enable, cdp.Empty{}); return err },
	} {
		if err := enable(); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// do does things in the tab.
func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.Fatal(err)
	}
}

// js returns the value of an expression, as text.
func (p *page) js(expression string) string {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[any](expression))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		p.Fatal(err)
	}
	return string(b)
}

// until waits for an expression to be true.
func (p *page) until(expression string) {
	p.Helper()
	for end := time.Now().Add(patience / 2); p.js(expression) != "true"; time.Sleep(15 * time.Millisecond) {
		if time.Now().After(end) {
			p.shot("failed")
			p.Fatalf("%s does not become true; status: %s; errors: %q", expression, p.js(`document.getElementById('status').textContent`), p.errors)
		}
	}
}

// resize makes the window of another size, without a new tab: to load the page and its program costs more than most tests.
func (p *page) resize(size [2]int64) {
	p.Helper()
	p.do(chromedp.EmulateViewport(size[0], size[1]))
	p.until(fmt.Sprintf(`innerWidth === %d`, size[0]))
}

// middle returns where the middle of an element is on the screen, after it was scrolled there.
func (p *page) middle(selector string) (x, y float64) {
	p.Helper()
	at, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]float64](fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		if (!e) throw new Error('no element %s');
		e.scrollIntoView({block: 'nearest'});
		const r = e.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`, selector, strings.NewReplacer("'", "", `"`, "").Replace(selector))))
	if err != nil {
		p.Fatalf("%s: %v", selector, err)
	}
	return at[0], at[1]
}

// click clicks with the mouse.
func (p *page) click(selector string) {
	p.Helper()
	x, y := p.middle(selector)
	p.do(chromedp.MouseClickXY(x, y))
}

// drag drags with the mouse.
func (p *page) drag(from, to string) {
	p.Helper()
	p.middle(from)
	p.middle(to) // after which nothing scrolls any more
	x, y := p.middle(from)
	u, v := p.middle(to)
	p.do(chromedp.DragAndDropXY(x, y, u, v))
}

// focus and keys use the keyboard.
func (p *page) focus(selector string) {
	p.Helper()
	p.js(fmt.Sprintf(`(document.querySelector(%q).focus(), 1)`, selector))
}

func (p *page) keys(keys ...string) {
	p.Helper()
	for _, k := range keys {
		p.do(chromedp.KeyEvent(k))
	}
}

// is compares the value of an expression.
func (p *page) is(expression, want string) {
	p.Helper()
	if got := p.js(expression); got != want {
		p.Errorf("%s is %q, want %q", expression, got, want)
	}
}

// shot makes a picture, in the folder that PLY11_SHOTS names, if it does.
func (p *page) shot(name string) {
	folder := os.Getenv("PLY11_SHOTS")
	if folder == "" {
		return
	}
	b, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), b, 0o666)
	}
	if err != nil {
		p.Log(err)
	}
}

// enter writes into an input, as a user does who then goes on.
func (p *page) enter(selector, text string) {
	p.Helper()
	p.focus(selector)
	p.js(fmt.Sprintf(`(document.querySelector(%q).select(), 1)`, selector))
	if _, err := chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		p.Fatal(err)
	}
	p.keys(kb.Enter)
}

// clean fails for errors of the console.
func (p *page) clean() {
	p.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.errors) > 0 {
		p.Errorf("the console has %q", p.errors)
	}
}

// tooWide names what is wider than the window.
const tooWide = `[...document.querySelectorAll('body *')].filter((e) => document.documentElement.scrollWidth > innerWidth && e.getBoundingClientRect().right > innerWidth + 1
	&& !e.closest('.map, .wave, .lines, .list, pre, .symbols')).map((e) => e.tagName + ' ' + e.id + ' ' + e.className).join()`

var (
	wide  = [2]int64{1200, 900}
	phone = [2]int64{360, 740}
)

// newBrowser starts Chromium.
func newBrowser(t *testing.T, program string) context.Context {
	t.Helper()
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(2*time.Minute), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.NoFirstRun)
	if config := fontsOfPictures(t); config != "" {
		options = append(options, chromedp.Env("FONTCONFIG_FILE="+config))
	}
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(func() {
		chromedp.Cancel(ctx) // and waits for its end
		cancel()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// packed makes an archive.
func packed(t *testing.T, name, pgn string, o ...archive.Option) *web.Archive {
	t.Helper()
	var out bytes.Buffer
	if _, err := archive.Pack(&out, strings.NewReader(pgn), o...); err != nil {
		t.Fatal(err)
	}
	return &web.Archive{Name: name, File: bytes.NewReader(out.Bytes()), Size: int64(out.Len())}
}

// generated makes an archive of so many games.
func generated(t *testing.T, name string, games int, o ...archive.Option) *web.Archive {
	t.Helper()
	var out bytes.Buffer
	w := archive.NewWriter(&out, o...)
	gen, g := gamegen.New(1), game.New()
	for range games {
		gen.Next(g)
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &web.Archive{Name: name, File: bytes.NewReader(out.Bytes()), Size: int64(out.Len())}
}

// empty makes an archive of so many games without moves.
func empty(t *testing.T, name string, games int) *web.Archive {
	t.Helper()
	var out bytes.Buffer
	w := archive.NewWriter(&out)
	g := game.New()
	for range games {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &web.Archive{Name: name, File: bytes.NewReader(out.Bytes()), Size: int64(out.Len())}
}

// indexed makes the index of an archive.
func indexed(t *testing.T, a *web.Archive) *web.Archive {
	t.Helper()
	var out bytes.Buffer
	if _, err := query.BuildIndex(&out, query.Source{Name: a.Name, Reader: a.File, Size: a.Size}, query.IndexOptions{Temp: filepath.Join(t.TempDir(), "x")}); err != nil {
		t.Fatal(err)
	}
	return &web.Archive{Name: a.Name + "x", File: bytes.NewReader(out.Bytes()), Size: int64(out.Len())}
}

// content returns the bytes of a file.
func content(t *testing.T, a *web.Archive) []byte {
	t.Helper()
	b := make([]byte, a.Size)
	if n, err := a.File.ReadAt(b, 0); n < len(b) {
		t.Fatal(err)
	}
	return b
}

// hostile are texts that would do something if they were read as HTML.
var hostile = []string{
	`<script>window.hacked=1</script>`, `<img src=x onerror="window.hacked=1">`, `"><svg onload=window.hacked=1>`, `javascript:window.hacked=1`,
	`</title><script>window.hacked=1</script>`, `<a href="javascript:window.hacked=1">x</a>`, `{{constructor.constructor('window.hacked=1')()}}`,
	`<iframe srcdoc="<script>parent.hacked=1</script>">`, `&lt;b&gt;&amp;`, "\u202egnp.exe", `'onmouseover='window.hacked=1`,
}

func hostilePGN() string {
	var b strings.Builder
	for _, h := range hostile {
		q := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(h)
		fmt.Fprintf(&b, "[Event \"%s\"]\n[White \"%s\"]\n[Black \"%s\"]\n[Date \"%s\"]\n[ECO \"%s\"]\n[Result \"*\"]\n\n1. e4 {%s} *\n\n", q, q, q, q, q,
			strings.ReplaceAll(h, "}", ")"))
	}
	return b.String()
}

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

// tagged are games of each ECO code of some, in many years, by two players, with all results.
func tagged() string {
	var b strings.Builder
	for i := range 400 {
		players := [2]string{"Anna", "Boris"}
		result := [4]string{"1-0", "1/2-1/2", "0-1", "*"}[i%4]
		fmt.Fprintf(&b, "[White \"%s\"]\n[Black \"%s\"]\n[Date \"%d.%02d.??\"]\n[ECO \"%c%02d\"]\n[Result \"%s\"]\n\n1. e4 %s\n\n",
			players[i%2], players[i/7%2], 1900+i%101, 1+i%12, 'A'+rune(i%5), i%97, result, result)
	}
	return b.String()
}

// TestBrowser uses the page as people do, in Chromium.
func TestBrowser(t *testing.T) {
	chromium := testenv.Tools(t, "chromium", "go")[0]
	dir := t.TempDir()
	if err := wasm.Build(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	famous, err := os.ReadFile("../testdata/famous.pgn")
	if err != nil {
		t.Fatal(err)
	}
	broken := packed(t, "damaged.p11", string(famous), archive.WithBlockGames(6))
	damage(t, broken)
	archives := []*web.Archive{
		packed(t, "famous.p11", string(famous)),
		packed(t, "annotated.p11", annotated),
		packed(t, "hostile.p11", hostilePGN()),
		broken,
		packed(t, "dense.p11", string(famous), archive.WithDense(true)),
		generated(t, "many.p11", 600),
		generated(t, "several.p11", 3000, archive.WithBlockGames(200)),
		empty(t, "long.p11", 300_000),
		packed(t, "tagged.p11", tagged()),
	}
	archives[0].Positions = indexed(t, archives[0])
	archives[5].Positions = indexed(t, archives[5])
	programs := os.DirFS(dir)
	h := newHost(t, []fs.FS{web.Static(), programs}, archives)
	browser := newBrowser(t, chromium)
	for _, c := range []struct {
		name string
		test func(*testing.T, context.Context, *host)
	}{{"move", testMove}, {"bytes", testBytes}, {"games", testGames}, {"positions", testPositions}, {"index", testIndex}, {"setup", testSetup}, {"hardware", testHardware}, {"accessible", testAccessible}, {"hostile", testHostile}, {"damaged", testDamaged},
		{"filters", testFilters}, {"long", testLong}, {"dropped", testDropped}, {"canceled", testCanceled}, {"lies", testLies}} {
		t.Run(c.name, func(t *testing.T) { c.test(t, browser, h) })
	}
	t.Run("stuck", func(t *testing.T) { testStuck(t, browser, programs, archives[:1]) })
	t.Run("static", func(t *testing.T) { testStatic(t, browser, programs, archives[:2]) })
	if len(h.others) > 0 {
		t.Errorf("the page asks other hosts: %q", h.others)
	}
}

// damage flips a bit in the second block of an archive.
func damage(t *testing.T, a *web.Archive) {
	t.Helper()
	b := make([]byte, a.Size)
	if _, err := a.File.ReadAt(b, 0); err != nil {
		t.Fatal(err)
	}
	r, err := archive.NewReader(bytes.NewReader(b), a.Size)
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
	a.File = bytes.NewReader(b)
}

// gzipped returns the length of a file of the host, compressed.
func gzipped(t *testing.T, h *host, name string) int {
	t.Helper()
	r := ask(h.handler, "GET", name)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.Copy(z, r.Body); err != nil {
		t.Fatal(err)
	}
	z.Close()
	return b.Len()
}

// square returns the selector of a square of a board.
func square(board, name string) string {
	return fmt.Sprintf("#%s [data-square=%s]", board, name)
}

func testMove(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "", wide)
	// What the first page loads, as a host that compresses sends it.
	h.mu.Lock()
	sum := 0
	for name, n := range h.bytes {
		if !strings.HasSuffix(name, ".gz") {
			n = gzipped(t, h, name)
		}
		sum += n
		t.Logf("%8d %s", n, name)
	}
	h.mu.Unlock()
	t.Logf("%8d in all", sum)
	if sum > 2_000_000 {
		t.Errorf("the first page loads %d bytes", sum)
	}
	value := func(kind string) string {
		return fmt.Sprintf(`document.querySelector('#move-names [name="%s"]').value`, kind)
	}
	p.until(value("uci") + ` === 'g1f3'`)
	for kind, want := range map[string]string{"san": "Nf3", "index": "1094", "bits": "10001000110", "rom": "8546"} {
		p.is(value(kind), want)
	}
	index, _ := moveindex.NewMove(moveindex.G1, moveindex.F3).Index()
	halfmove, _ := moveindex.NewHalfmove(moveindex.White, moveindex.Knight, index)
	p.is(value("halfmove"), fmt.Sprint(int(halfmove)))
	for _, v := range moveindex.Vocabularies() {
		p.is(value(v.Name()), fmt.Sprint(int(v.Label(moveindex.White, moveindex.Knight, index))))
	}
	p.is(`document.getElementById('move-mirrors').textContent`, "Ranks exchanged: g8f6, 766. Files exchanged: b1c3, 1217.")
	p.shot("explorer-move")
	// By each name.
	for _, c := range [][3]string{{"index", "396", "e2e4"}, {"bits", "00110001100", "e2e4"}, {"rom", "8546", "g1f3"}, {"uci", "e2e4", "e2e4"}, {"san", "e4", "e2e4"}} {
		p.enter(fmt.Sprintf(`#move-names [name=%s]`, c[0]), c[1])
		p.until(fmt.Sprintf(`%s === '%s'`, value("uci"), c[2])) // else the answer comes over what is typed next
	}
	p.until(value("san") + ` === 'e4'`)
	for _, kind := range []string{"halfmove", "lc0", "alphazero"} { // by the numbers, which are compared above
		p.enter(`#move-names [name=uci]`, "g1f3")
		p.until(value("san") + ` === 'Nf3'`)
		label := p.js(value(kind))
		p.enter(`#move-names [name=uci]`, "e2e4")
		p.until(value("san") + ` === 'e4'`)
		p.enter(fmt.Sprintf(`#move-names [name=%s]`, kind), label)
		p.until(value("san") + ` === 'Nf3'`)
	}
	p.is(`[...document.querySelectorAll('#move-bits span')].map((b) => b.className + b.textContent).join(' ')`,
		"steps1 steps0 steps0 axis0 axis1 field0 field0 field0 field1 field1 field0")
	p.is(`[...document.querySelectorAll('#move-steps b')].map((b) => b.textContent).join()`, "fields,steps,wrap,knight,rectangle,move")
	p.is(`document.querySelector('#move-steps li:last-child').textContent`, "moveg1 to f3")
	p.is(`new Set(['steps', 'axis', 'field'].map((name) => getComputedStyle(document.querySelector('#move-bits .' + name)).backgroundColor)).size`, "3")
	// With the mouse: two clicks, then a drag.
	p.click(square("move-board", "d2"))
	p.click(square("move-board", "d4"))
	p.until(value("san") + ` === 'd4'`)
	p.drag(square("move-board", "b1"), square("move-board", "c3"))
	p.until(value("san") + ` === 'Nc3'`)
	// With the keys.
	p.focus(square("move-board", "c3"))
	p.keys(kb.ArrowDown, kb.Enter, kb.ArrowUp, kb.ArrowUp, kb.Enter)
	p.until(value("san") + ` === 'c4'`)
	p.is(`location.hash`, "#/move/c2c4")
	// What is wrong.
	p.enter(`#move-names [name=bits]`, "0011")
	p.until(`document.getElementById('move-wrong').textContent.includes('eleven binary digits')`)
	p.enter(`#move-fen`, "8/8/8/8/8/8/8/8 w - - 0 1")
	p.until(`document.getElementById('move-wrong').textContent.includes('king')`)
	// A promotion asks.
	p.enter(`#move-fen`, "7k/P7/8/8/8/8/8/K7 w - - 0 1")
	p.until(`document.querySelector('#move-board [data-square=a7]').dataset.man === 'P'`)
	p.click(square("move-board", "a7"))
	p.click(square("move-board", "a8"))
	p.click(`#promotion [aria-label=rook]`)
	p.until(value("uci") + ` === 'a7a8r'`)
	p.until(value("san") + ` === 'a8=R+'`)
	// The map: a word that the mouse is on, and each word by the keys.
	p.click(`#move-reset`)
	p.until(`document.querySelector('#move-board [data-square=g1]').dataset.man === 'N'`)
	p.middle(`#map-canvas`)
	// The plane of the word, and its place there, at the scale at which the canvas is shown.
	at, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]float64](fmt.Sprintf(`(() => { const c = document.getElementById('map-canvas'), r = c.getBoundingClientRect(), s = r.width / c.width;
		return [r.x + s * (%d * c.width / 8 + 3 + 14 * %d + 7), r.y + s * (%d * c.height / 4 + 3 + 14 * (7 - %d) + 7)] })()`, index>>8, index&7, index>>6&3, index>>3&7)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: at[0], Y: at[1]}); err != nil {
		t.Fatal(err)
	}
	p.until(`document.getElementById('map-tell').textContent === '1094: knight g1f3'`)
	p.is(`document.querySelector('#move-board .from').dataset.square + document.querySelector('#move-board .to').dataset.square`, "g1f3")
	p.focus(`#move-map`)
	p.keys(kb.ArrowRight)
	p.until(`document.getElementById('map-tell').textContent !== ''`)
	p.click(`#theme`)
	p.is(`document.documentElement.classList.contains('night')`, "true")
	p.shot("move-dark")
	p.clean()
	p.resize(phone)
	p.js(`(location.hash = '#/move/e7e8q', 1)`)
	p.until(`document.querySelector('#move-names [name=uci]').value === 'e7e8q'`)
	p.is(tooWide, "")
	p.shot("move-phone")
	p.clean()
}

func testBytes(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "#/bytes", wide)
	p.until(`document.querySelectorAll('#bytes-lines button').length === 4`)
	p.click(`#bytes-lines li:nth-child(5) button`)
	p.is(`document.querySelector('#bytes-board [data-square=f3]').dataset.man`, "N")
	p.keys(kb.ArrowDown)
	p.is(`document.querySelector('#bytes-board [data-square=c6]').dataset.man`, "n")
	p.is(`document.getElementById('bytes-move').textContent.includes('2... Nc6')`, "true")
	p.shot("bytes")
	explained := func(format, text string, hex bool) {
		t.Helper()
		p.js(fmt.Sprintf(`(() => { const s = document.getElementById('bytes-format'); s.value = %q; s.onchange(); document.getElementById('bytes-text').value = %q;
			if (%t) document.getElementById('bytes-hex').checked = true })()`, format, text, hex))
		p.js(`(document.getElementById('bytes-lines').replaceChildren(), document.getElementById('bytes-wrong').textContent = '', 1)`)
		p.click(`#bytes-explain`)
		p.until(`document.querySelectorAll('#bytes-lines li').length > 0 || document.getElementById('bytes-wrong').textContent !== ''`)
	}
	wrong := `document.getElementById('bytes-wrong').textContent`
	explained("jose", "13 13 74 25 4b d2 ff", true)
	p.until(`document.querySelectorAll('#bytes-lines button').length > 2`)
	explained("pgn", "1. e4 e5 2. Ke7 *", false)
	if got := p.js(wrong); !strings.Contains(got, "Ke7") {
		t.Errorf("an illegal move: %q", got)
	}
	p.until(`document.querySelector('#bytes-lines li:last-child').textContent === ` + wrong) // behind what is right
	explained("brenner", "2c 2", true)
	if got := p.js(wrong); !strings.Contains(got, "odd") {
		t.Errorf("half a byte: %q", got)
	}
	// The same game in every format: each move is linked to its position.
	methods := explain.Methods()
	formats, err := methods.Do(t.Context(), &call.Call{Method: "formats"})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(formats)
	var list []struct{ Name string }
	if err := json.Unmarshal(text, &list); err != nil || len(list) < 8 {
		t.Fatalf("%s: %v", text, err)
	}
	for _, f := range list {
		if f.Name == "p11" {
			continue // as a file, below
		}
		params, _ := json.Marshal(map[string]string{"format": f.Name, "pgn": "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *"})
		v, err := methods.Do(t.Context(), &call.Call{Method: "encode", Params: params})
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		explained(f.Name, fmt.Sprintf("% x", v.(call.Bytes)), true)
		p.until(`document.querySelectorAll('#bytes-lines button').length >= 6`)
		p.is(wrong, "")
		p.click(`#bytes-lines li:nth-last-child(1 of :has(button)) button`)
		p.is(`document.querySelectorAll('#bytes-board .to').length`, "1")
	}
	if n := h.bytes["/bytes.wasm.gz"]; n == 0 || n > 3<<19 {
		t.Errorf("the room's program is of %d bytes", n)
	}
	// A file by its name; an archive has another program.
	file := filepath.Join(t.TempDir(), "x.p11")
	a := packed(t, "x", annotated)
	content := make([]byte, a.Size)
	a.File.ReadAt(content, 0)
	if err := os.WriteFile(file, content, 0o666); err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#bytes-file"), []string{file}))
	p.until(`document.getElementById('bytes-lines').textContent.includes('magic')`)
	p.is(wrong, "")
	p.clean()
}

func testGames(t *testing.T, browser context.Context, h *host) {
	_, n := h.since(0)
	p := open(t, browser, h, "?archive=archives/1/famous.p11", wide)
	p.until(`document.querySelectorAll('.game-row').length > 5 && !document.getElementById('games-list').textContent.includes('…')`)
	p.is(`document.getElementById('games-about').textContent.startsWith('famous.p11: 36 games')`, "true")
	if list, _ := h.since(n); len(list) > 4 {
		t.Errorf("to open a small archive takes %q", list)
	}
	p.shot("games")
	// The list by keys: End scrolls, Enter opens.
	p.focus(`#games-list`)
	p.keys(kb.End)
	p.until(`document.querySelector('.game-row[aria-selected=true]').dataset.game === '36'`)
	p.keys(kb.Home, kb.ArrowDown, kb.ArrowDown, kb.Enter)
	p.until(`!document.getElementById('game').hidden && document.getElementById('game-title').textContent.startsWith('3. ')`)
	p.keys(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	p.until(`location.hash === '#/games/3/3'`)
	p.is(`document.querySelector('#game-moves [aria-current]').dataset.item`, "2")
	p.keys(kb.End)
	p.until(`document.querySelector('#game-moves [aria-current]') === [...document.querySelectorAll('#game-moves .main')].at(-1)`)
	p.keys(kb.Home, "f")
	p.is(`document.querySelector('#game-board button').dataset.square`, "h1")
	p.click(`.game-row[data-game="5"]`)
	p.until(`document.getElementById('game-title').textContent.startsWith('5. ')`)
	p.click(`#game-moves [data-item="4"]`)
	p.until(`location.hash === '#/games/5/5'`)
	p.click(`#game-next`)
	p.until(`location.hash === '#/games/5/6'`)
	p.click(`#game-run`) // which makes moves by itself
	p.until(`Number(location.hash.split('/')[3]) >= 7`)
	p.click(`#game-run`)
	p.is(`document.getElementById('game-run').getAttribute('aria-pressed')`, "false")
	// A filter.
	p.focus(`#games-filter [name=player]`)
	p.enter(`#games-filter [name=player]`, "morphy")
	p.until(`document.getElementById('status').textContent.includes('games found')`)
	p.until(`document.getElementById('games-list').textContent.includes('Morphy') && !document.getElementById('games-list').textContent.includes('…')`)
	p.is(`[...document.querySelectorAll('.game-row')].every((r) => r.textContent.includes('Morphy'))`, "true")
	p.clean()
	// A link to a ply of a game with variations, comments, clocks and evaluations, on a phone.
	q := open(t, browser, h, "?archive=archives/2/annotated.p11#/games/1/2", phone)
	q.until(`!document.getElementById('game').hidden`)
	q.is(`document.querySelector('#game-moves [aria-current]')?.textContent`, "e5")
	q.is(`document.getElementById('game-moves').textContent.replace(/\s+/g, ' ').trim()`,
		"1. e4 {best by test} 1... e5 2. Nf3! (2. Bc4 Nc6 (2... Nf6 3. d3) 3. Qh5?!) 2... Nc6 3. Bb5 1-0")
	q.is(`[...document.querySelectorAll('#game-graph polyline')].map((l) => l.getAttribute('class') + ' ' + l.getAttribute('points')).join('; ')`,
		"white 1,48.12 2,48.75 3,47.50 4,48.12; white 1,0.00; black 2,0.67 4,3.33") // pawns of 8 up and down, and seconds of 300
	q.is(`[...document.querySelectorAll('#game-graph .now')].map((l) => l.getAttribute('x1')).join()`, "2,2")
	q.focus(`#game-moves [aria-current]`)
	q.keys(kb.ArrowDown) // into the variation
	q.is(`document.querySelector('#game-moves [aria-current]').textContent`, "Bc4")
	q.keys(kb.ArrowRight)
	q.is(`document.querySelector('#game-moves [aria-current]').textContent`, "Nc6")
	q.keys(kb.ArrowUp) // and out
	q.is(`document.querySelector('#game-moves [aria-current]').textContent`, "Nf3")
	q.is(tooWide, "")
	q.shot("game-phone")
	// A game that is not valid has its text, and what is valid.
	q.js(`location.hash = '#/games/2'`)
	q.until(`document.getElementById('game-wrong').textContent.includes('Ke4')`)
	q.is(`document.getElementById('game-text').textContent.includes('1. e4 Ke4 *')`, "true")
	q.clean()
	// Dense moves, for which the model is fetched then.
	if h.bytes["/model1.bin.zst"] > 0 {
		t.Error("the model was fetched before it was wanted")
	}
	r := open(t, browser, h, "?archive=archives/5/dense.p11#/games/36/4", wide)
	r.until(`document.querySelectorAll('#game-moves .main').length > 20`)
	if h.bytes["/model1.bin.zst"] == 0 {
		t.Error("dense moves without their model")
	}
	r.click(`#theme`)
	r.shot("game-dark")
	// PGN is packed in the page.
	file := filepath.Join(t.TempDir(), "two.pgn")
	if err := os.WriteFile(file, []byte(annotated), 0o666); err != nil {
		t.Fatal(err)
	}
	r.do(chromedp.SetUploadFiles(chromedp.CSS("#games-file"), []string{file}))
	r.until(`document.getElementById('games-about').textContent.startsWith('two.pgn: 2 games')`)
	// What is no archive says so.
	if err := os.WriteFile(file[:len(file)-3]+"p11", []byte("nothing"), 0o666); err != nil {
		t.Fatal(err)
	}
	r.do(chromedp.SetUploadFiles(chromedp.CSS("#games-file"), []string{file[:len(file)-3] + "p11"}))
	r.until(`document.getElementById('status').textContent.includes('not a ply11 archive')`)
	r.clean()
}

func testPositions(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "?archive=archives/1/famous.p11#/positions", wide)
	p.until(`document.getElementById('positions-about').textContent.includes('36 games')`)
	for _, m := range [][2]string{{"e2", "e4"}, {"e7", "e5"}, {"g1", "f3"}} {
		p.click(square("positions-board", m[0]))
		p.click(square("positions-board", m[1]))
		p.until(fmt.Sprintf(`document.querySelector('%s').dataset.man !== ''`, square("positions-board", m[1])))
	}
	p.click(`#positions-tree`)
	p.until(`document.querySelectorAll('#tree tbody tr').length === 2`)
	p.is(`[...document.querySelectorAll('#tree tbody tr')].map((r) => r.cells[0].textContent + ' ' + r.cells[1].textContent).join()`, "Nc6 4,d6 1")
	p.click(`#positions-find`)
	p.until(`document.getElementById('found-about').textContent === '5 games'`)
	p.is(`[...document.querySelectorAll('#tree .bar')].map((b) => b.getAttribute('aria-label')).join('; ')`,
		"White 75.0 %, drawn 0.0 %, Black 25.0 %; White 100.0 %, drawn 0.0 %, Black 0.0 %")
	p.is(`[...document.querySelectorAll('#tree .bar span')].map((b) => b.style.width).join()`, "75%,0%,25%,100%,0%,0%")
	p.js(`(scrollTo(0, 0), 1)`)
	p.shot("explorer-positions")
	p.enter(`#positions-form [name=pattern]`, "Ze9")
	p.until(`document.getElementById('positions-wrong').textContent !== ''`)
	p.is(`document.querySelector('#positions-form [name=what]:checked').value`, "pattern")
	p.click(`#positions-form [value=other]`)
	p.js(`(() => { const f = document.getElementById('positions-form'); f.elements.pattern.value = ''; f.elements.material.value = 'KRPKR' })()`)
	p.click(`#positions-find`)
	q := query.New()
	if err := q.Add("material", "KRPKR"); err != nil {
		t.Fatal(err)
	}
	n, err := q.Scan([]query.Source{{Name: "famous", Reader: h.archives[0].File, Size: h.archives[0].Size}}, query.Options{})
	if err != nil || n == 5 {
		t.Fatal(n, err)
	}
	p.until(fmt.Sprintf(`document.getElementById('found-about').textContent === '%d games'`, n))
	p.is(`document.querySelectorAll('#found li').length`, fmt.Sprint(n))
	p.click(`#positions-start`)
	p.click(`#positions-tree`)
	p.until(`document.querySelector('#tree caption').textContent.startsWith('35 games')`)
	p.clean()
}

// testIndex looks positions up in an index, on a server and here, and counts what is asked for.
func testIndex(t *testing.T, browser context.Context, h *host) {
	const about, status = `document.getElementById('positions-about').textContent`, `document.getElementById('status').textContent`
	_, n := h.since(0)
	p := open(t, browser, h, "?archive=archives/6/many.p11#/positions", wide)
	p.until(about + `.includes('Its index has')`)
	index := func() (requests []string, bytes int) {
		t.Helper()
		list, now := h.since(n)
		n = now
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, r := range list {
			if !strings.Contains(r, "many.p11x ") {
				t.Logf("besides: %s", r)
				continue
			}
			requests = append(requests, r)
		}
		bytes = h.bytes["/archives/6/many.p11x"]
		h.bytes["/archives/6/many.p11x"] = 0
		return requests, bytes
	}
	list, bytes := index()
	t.Logf("opened by %d requests, %d bytes: %q", len(list), bytes, list)
	if len(list) > 2 || bytes > 100_000 {
		t.Errorf("to open the index takes %d requests, %d bytes: %q", len(list), bytes, list)
	}
	for _, move := range []string{"", "e4", "e5", "Nf3"} {
		if move != "" {
			p.js(fmt.Sprintf(`[...document.querySelectorAll('#tree button')].find((b) => b.textContent === '%s').click()`, move))
		} else {
			p.click(`#positions-tree`)
		}
		p.until(status + `.includes('looked up in the index')`)
		list, bytes := index()
		t.Logf("%q by %d requests, %d bytes: %q", move, len(list), bytes, list)
		if len(list) > 4 || bytes > 100_000 {
			t.Errorf("to look up %q takes %d requests, %d bytes: %q", move, len(list), bytes, list)
		}
		p.js(`(document.getElementById('status').textContent = '', 1)`)
	}
	p.clean()
	// The same of a file that is here, with the index chosen after it, or with it; and of an index that is of another archive.
	dir := t.TempDir()
	files := map[string]string{}
	for i, name := range []string{"famous.p11", "famous.p11x", "many.p11x"} {
		files[name] = filepath.Join(dir, name)
		if err := os.WriteFile(files[name], content(t, []*web.Archive{h.archives[0], h.archives[0].Positions, h.archives[5].Positions}[i]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	choose := func(names ...string) {
		t.Helper()
		var list []string
		for _, name := range names {
			list = append(list, files[name])
		}
		p.do(chromedp.SetUploadFiles(chromedp.CSS("#games-file"), list))
	}
	tree := func(want string) {
		t.Helper()
		p.js(`(location.hash = '#/positions', document.getElementById('status').textContent = '', 1)`)
		p.until(`!document.getElementById('room-positions').hidden`)
		p.click(`#positions-start`)
		p.click(`#positions-tree`)
		p.until(fmt.Sprintf(`%s.includes('%s')`, status, want))
	}
	choose("famous.p11")
	p.until(status + ` === 'famous.p11 is open'`)
	p.js(`location.hash = '#/positions'`)
	p.until(about + `.includes('no index')`)
	tree("all games were read")
	choose("many.p11x")
	p.until(status + `.includes('many.p11x is looked up')`)
	p.until(about + `.includes('of another archive')`)
	tree("all games were read, for the index is of another archive")
	choose("famous.p11x")
	p.until(about + `.includes('Its index has')`)
	tree("looked up in the index")
	choose("famous.p11x", "famous.p11")
	p.until(status + ` === 'famous.p11 is open'`)
	p.js(`location.hash = '#/positions'`)
	p.until(about + `.includes('Its index has')`)
	p.clean()
	// A host that has no list: the index is asked for beside the archive, and there may be none.
	q := open(t, browser, h, "?archive=archives/6/many.p11%3Fa=b#/positions", wide)
	q.until(about + `.includes('Its index has')`)
	q.clean()
	q = open(t, browser, h, "?archive=archives/2/annotated.p11%3Fa=b#/positions", wide)
	q.until(about + `.includes('no index')`)
	q.click(`#positions-tree`)
	q.until(status + `.includes('all games were read')`)
}

// testSetup sets positions and patterns up, with the mouse and by keys.
func testSetup(t *testing.T, browser context.Context, h *host) {
	const fen, wrong = `document.getElementById('positions-fen').value`, `document.getElementById('positions-wrong').textContent`
	at := func(name string) string { return square("positions-board", name) }
	label := func(name string) string {
		return fmt.Sprintf(`document.querySelector('%s').getAttribute('aria-label')`, at(name))
	}
	tool := func(letter string) string { return fmt.Sprintf(`#setup-men label:has([value="%s"])`, letter) }
	p := open(t, browser, h, "?archive=archives/1/famous.p11#/positions", wide)
	p.until(fen + ` !== ''`)
	p.click(`#positions-setup`)
	p.is(`document.getElementById('positions-setup').getAttribute('aria-expanded')`, "true")
	p.is(`[...document.querySelectorAll('#setup-castling input:checked')].length`, "4")
	p.click(`#setup-clear`)
	p.until(wrong + `.includes('king')`)
	p.is(fen, "8/8/8/8/8/8/8/8 w - - 0 1")
	p.click(`#positions-tree`) // is none of a board without kings
	p.is(wrong+`.includes('king')`, "true")
	// With the mouse: chosen and put down, dragged from the palette, dragged on the board and off it.
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
	// By keys: rooks at home can castle; a pawn that may have come by two can be taken.
	p.focus(at("e1"))
	p.keys(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, "R")
	p.is(`document.activeElement.dataset.square`, "h1")
	p.is(`[...document.querySelectorAll('#setup-castling input')].map((i) => Number(!i.disabled)).join('')`, "1000")
	p.focus(`#setup-castling [value=K]`)
	p.keys(" ")
	p.until(fen + ` === '4k3/8/8/8/8/8/8/4K2R w K - 0 1'`)
	p.focus(at("e1"))
	p.keys(kb.ArrowUp, kb.ArrowUp, kb.ArrowUp, kb.ArrowUp, "P", kb.ArrowLeft, "p", kb.ArrowLeft, "n", kb.Delete)
	p.is(`[...document.getElementById('setup-passant').options].map((o) => o.textContent).join()`, "none,d6")
	p.js(`(() => { const s = document.getElementById('setup-passant'); s.value = 'd6'; s.dispatchEvent(new Event('change', {bubbles: true})) })()`)
	p.until(fen + ` === '4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1'`)
	p.js(`(() => { const s = document.getElementById('setup-turn'); s.value = 'b'; s.dispatchEvent(new Event('change', {bubbles: true})) })()`)
	p.until(fen + ` === '4k3/8/8/3pP3/8/8/8/4K2R b K - 0 1'`)
	p.is(wrong, "")
	p.shot("setup")
	// A position that the games have: found as one that is played to.
	p.enter(`#positions-fen`, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
	p.until(label("e5") + ` === 'e5, black pawn'`)
	p.focus(at("g1"))
	p.keys(kb.Backspace, kb.ArrowUp, kb.ArrowUp, kb.ArrowLeft, "N")
	p.js(`(() => { const s = document.getElementById('setup-turn'); s.value = 'b'; s.dispatchEvent(new Event('change', {bubbles: true})) })()`)
	p.until(fen + ` === 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 1'`)
	p.click(`#positions-find`)
	p.until(`document.getElementById('found-about').textContent === '5 games'`)
	p.click(`#positions-tree`)
	p.until(`document.querySelectorAll('#tree tbody tr').length === 2`)
	// A pattern: several men on a square, an empty one, any man.
	p.click(`#positions-form [value=pattern]`)
	p.is(`document.getElementById('positions-tree').disabled`, "true")
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
	p.is(label("c5"), "c5, any man")
	p.is(label("b5"), "b5, any black man")
	p.is(`document.querySelector('#positions-form [name=pattern]').value`, "[NQ]f3 ab5 !c5 .d5 pe5")
	p.shot("pattern")
	p.keys("?", kb.ArrowRight, "?")
	p.click(`#positions-find`)
	found := func(pattern, turn string) string {
		q := query.New()
		for _, term := range [][2]string{{"pattern", pattern}, {"stm", turn}} {
			if err := q.Add(term[0], term[1]); term[1] != "" && err != nil {
				t.Fatal(err)
			}
		}
		n, err := q.Scan([]query.Source{{Name: "famous", Reader: h.archives[0].File, Size: h.archives[0].Size}}, query.Options{})
		if err != nil || n == 0 {
			t.Fatalf("%s: %d, %v", pattern, n, err)
		}
		return fmt.Sprintf("%d games", n)
	}
	p.until(fmt.Sprintf(`document.getElementById('found-about').textContent === '%s'`, found("[NQ]f3 .d5 pe5", "")))
	// Text shows on the board.
	p.enter(`#positions-form [name=pattern]`, "Qh5 [.r]e8")
	p.is(label("h5"), "h5, white queen")
	p.is(label("e8"), "e8, empty or black rook")
	p.is(label("e5"), "e5, anything")
	p.until(fmt.Sprintf(`document.getElementById('found-about').textContent === '%s'`, found("Qh5 [.r]e8", "")))
	p.clean()
	p.resize(phone)
	p.click(`#positions-form [value=position]`)
	p.is(tooWide, "")
	p.click(tool("n"))
	p.click(at("e4"))
	p.is(label("e4"), "e4, black knight")
	p.click(`#theme`)
	p.shot("setup-phone")
	p.clean()
}

func testHardware(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "#/hardware", wide)
	p.until(`document.getElementById('hw-state').textContent.startsWith('clock 0, 0 of')`)
	if n := h.bytes["/hardware.wasm.gz"]; n == 0 || n > 3<<19 {
		t.Errorf("the room's program is of %d bytes", n)
	}
	p.click(`#hw-clocks`)
	p.until(`document.getElementById('hw-state').textContent.startsWith('clock 10,')`)
	p.focus(`#hw-clock`)
	p.keys(kb.Enter)
	p.until(`document.getElementById('hw-state').textContent.startsWith('clock 11,')`)
	p.click(`#hw-load`)
	for _, square := range []string{"e4", "e5", "f3"} {
		p.click(`#hw-ply`)
		p.until(fmt.Sprintf(`document.querySelector('#hw-board .to')?.dataset.square === '%s'`, square))
	}
	p.click(`#hw-error`)
	p.until(`document.getElementById('status').textContent.includes('the end of the game')`)
	p.is(`document.getElementById('hw-beats').textContent.includes('END 1/2-1/2')`, "true")
	p.is(`document.querySelectorAll('#hw-wave path').length`, "6") // a line for each signal
	p.is(`document.querySelectorAll('#hw-wave .taken').length > 0`, "true")
	for _, mode := range []string{"brenner", "jose", "words"} {
		p.js(fmt.Sprintf(`(() => { document.getElementById('hw-bytes').value = ''; const m = document.getElementById('hw-mode'); m.value = '%s'; m.onchange() })()`, mode))
		p.until(`document.getElementById('hw-bytes').value !== '' && document.getElementById('hw-state').textContent.startsWith('clock 0,')`)
		p.click(`#hw-error`)
		p.until(`document.getElementById('hw-beats').textContent.includes('END 1/2-1/2')`)
		p.is(`[...document.querySelectorAll('#hw-wave text')].some((t) => document.getElementById('hw-bytes').value.split(' ').includes(t.textContent))`, "true")
	}
	p.shot("hardware")
	// An illegal input stops at its error.
	p.js(`(document.getElementById('hw-bytes').value = '00 00 00', 1)`)
	p.click(`#hw-load`)
	p.click(`#hw-error`)
	p.until(`document.querySelector('#hw-beats .wrong')?.textContent.includes('ERROR') && document.getElementById('status').textContent.includes('an error')`)
	p.js(`(document.getElementById('hw-bytes').value = 'zz', 1)`)
	p.click(`#hw-load`)
	p.until(`document.getElementById('hw-wrong').textContent !== ''`)
	p.resize(phone)
	p.is(tooWide, "")
	p.click(`#theme`)
	p.shot("hardware-phone")
	p.clean()
}

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

func testHostile(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "?archive=archives/3/hostile.p11", wide)
	p.until(`!document.getElementById('games-list').textContent.includes('…') && document.querySelectorAll('.game-row').length > 10`)
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
	p.until(`document.querySelectorAll('.game-row').length > 10 && !document.getElementById('games-list').textContent.includes('…')`)
	p.is(`[...document.querySelectorAll('.game-row.wrong')].map((r) => r.dataset.game).join()`, "7,8,9,10,11,12")
	p.is(`document.querySelector('.game-row.wrong').textContent.includes('block 2')`, "true")
	p.shot("damaged")
	p.js(`location.hash = '#/games/7'`)
	p.until(`document.getElementById('status').classList.contains('wrong')`)
	p.js(`location.hash = '#/games/14'`)
	p.until(`document.getElementById('game-title').textContent.startsWith('14. ') && document.querySelectorAll('#game-moves .main').length > 20`)
	p.enter(`#games-filter [name=player]`, "a")
	p.until(`document.getElementById('status').textContent.includes('then: ')`)
	p.clean()
}

// testFilters searches by each field, and by all of them, and compares what is found with package query.
func testFilters(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "?archive=archives/9/tagged.p11", wide)
	p.until(`!document.getElementById('games-list').textContent.includes('…') && document.querySelectorAll('.game-row').length > 10`)
	filters := []map[string]string{
		{"date": "1990-2005"}, {"eco": "B20-C99"}, {"result": "1/2-1/2"}, {"player": "boris"},
		{"player": "~^(?i)bO.IS$"}, {"player": "~^A\\p{L}+a$", "eco": "A00-B99"},
		{"player": "anna", "date": "1950-2030", "eco": "A00-C50", "result": "1-0"}, {"eco": "A00", "result": "*", "date": "1800"},
	}
	for _, terms := range filters {
		q := query.New()
		for name, value := range terms {
			if err := q.Add(name, value); err != nil {
				t.Fatal(err)
			}
		}
		n, err := q.Scan([]query.Source{{Name: "tagged", Reader: h.archives[8].File, Size: h.archives[8].Size}}, query.Options{})
		if err != nil || n == 0 && terms["date"] != "1800" || n == 400 {
			t.Fatalf("%v: %d games, %v", terms, n, err)
		}
		t.Logf("%v: %d games", terms, n)
		text, _ := json.Marshal(terms)
		p.js(fmt.Sprintf(`(() => { const f = document.getElementById('games-filter'); f.reset(); document.getElementById('status').textContent = '';
			for (const [name, value] of Object.entries(%s)) f.elements[name].value = value; })()`, text))
		p.click(`#games-filter [type=submit]`)
		p.until(fmt.Sprintf(`document.getElementById('status').textContent === '%d games found'`, n))
		p.is(`Number(document.querySelector('.game-row')?.getAttribute('aria-setsize') ?? 0)`, fmt.Sprint(n))
	}
	p.js(`(document.querySelector('#games-filter [name=date]').value = 'yesterday', 1)`)
	p.click(`#games-filter [type=submit]`)
	p.until(`document.getElementById('status').classList.contains('wrong') && document.getElementById('status').textContent.includes('yesterday')`)
	p.js(`(document.querySelector('#games-filter [name=date]').value = '', document.querySelector('#games-filter [name=player]').value = '~(', 1)`)
	p.click(`#games-filter [type=submit]`)
	p.until(`document.getElementById('status').textContent.includes('no regular expression')`)
	p.click(`#games-filter [type=reset]`)
	p.until(`document.querySelector('.game-row').getAttribute('aria-setsize') === '400'`)
	p.clean()
}

// testLong: a list that is longer than the tallest element of a browser, and what is long in a game and in bytes, is shown to its end.
func testLong(t *testing.T, browser context.Context, h *host) {
	p := open(t, browser, h, "?archive=archives/8/long.p11", wide)
	p.until(`!document.getElementById('games-list').textContent.includes('…') && document.querySelectorAll('.game-row').length > 10`)
	p.focus(`#games-list`)
	p.keys(kb.End)
	last := `[...document.querySelectorAll('.game-row')].at(-1)`
	p.until(last + `.dataset.game === '300000' && ` + last + `.getAttribute('aria-selected') === 'true'`)
	p.is(`(() => { const r = `+last+`.getBoundingClientRect(), b = document.getElementById('games-list').getBoundingClientRect(); return r.bottom <= b.bottom + 1 && r.top >= b.top })()`, "true")
	p.keys(kb.PageUp, kb.ArrowUp, kb.Enter)
	p.until(`document.getElementById('game-title').textContent.startsWith('2999') && !document.getElementById('game').hidden`)
	p.js(`(() => { const b = document.getElementById('games-list'); b.scrollTop = (b.scrollHeight - b.clientHeight) / 2 })()`)
	p.until(`Math.abs(document.querySelector('.game-row').dataset.game - 150000) < 100 && !document.getElementById('games-list').textContent.includes('…')`)
	p.is(`document.querySelectorAll('.game-row').length < 40`, "true")
	// A game with more comments and variations than are drawn at once: its text is whole, and an address within it is reached.
	var pgn strings.Builder
	pgn.WriteString("[Result \"*\"]\n\n")
	const plies = 480
	for i := range plies {
		if i%2 == 0 {
			fmt.Fprintf(&pgn, "%d. ", i/2+1)
		} else {
			fmt.Fprintf(&pgn, "%d... ", i/2+1)
		}
		fmt.Fprintf(&pgn, "%s {comment %d} (%s $2) ", [4]string{"Nf3", "Nf6", "Ng1", "Ng8"}[i%4], i, [4]string{"Nc3", "Nc6", "Nh4", "Nh5"}[i%4])
	}
	pgn.WriteString("*\n")
	file := filepath.Join(t.TempDir(), "long.pgn")
	if err := os.WriteFile(file, []byte(pgn.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#games-file"), []string{file}))
	p.until(`document.getElementById('games-about').textContent.startsWith('long.pgn: 1 games')`)
	p.js(`(location.hash = '#/games/1/479', 1)`)
	p.until(`document.querySelector('#game-moves [aria-current]')?.textContent === 'Ng1'`)
	p.until(fmt.Sprintf(`document.querySelectorAll('#game-moves .main').length === %d`, plies)) // in parts
	p.is(`document.querySelectorAll('#game-moves .side').length`, fmt.Sprint(plies))
	p.is(`[...document.querySelectorAll('#game-moves .comment')].map((c) => c.textContent).join() === Array.from({length: 480}, (_, i) => '{comment ' + i + '}').join()`, "true")
	p.is(`[...document.querySelectorAll('#game-moves [tabindex="0"]')].length`, "1")
	// Bytes of many lines, with the error behind them.
	p.js(`(location.hash = '#/bytes', 1)`)
	p.until(`document.querySelectorAll('#bytes-lines button').length === 4`)
	p.js(`(() => { const s = document.getElementById('bytes-format'); s.value = 'pgn'; s.onchange(); document.getElementById('bytes-text').value = '1. Nf3 Nf6 2. Ng1 Ng8 *\n\n'.repeat(500) + '1. Ke3 *' })()`)
	p.click(`#bytes-explain`)
	p.until(`document.querySelectorAll('#bytes-lines button').length === 2000`)
	p.until(`document.querySelector('#bytes-lines li:last-child').classList.contains('wrong')`)
	p.is(`document.querySelector('#bytes-lines li:last-child').textContent === document.getElementById('bytes-wrong').textContent`, "true")
	p.clean()
}

// drop drops a file on the page: its bytes in base 64.
func (p *page) drop(name string, content []byte) {
	p.Helper()
	p.js(fmt.Sprintf(`(() => { const d = new DataTransfer(); d.items.add(new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], %q));
		document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true})); return 1 })()`, base64.StdEncoding.EncodeToString(content), name))
}

// testDropped: files that are dropped go to the room that knows them; what is copied is what is shown.
func testDropped(t *testing.T, browser context.Context, h *host) {
	const about = `document.getElementById('games-about').textContent`
	p := open(t, browser, h, "", wide)
	p.drop("two.pgn", []byte(annotated))
	p.until(about + `.startsWith('two.pgn: 2 games')`)
	p.is(`location.hash`, "#/games")
	p.drop("famous.p11", content(t, h.archives[0]))
	p.until(about + `.startsWith('famous.p11: 36 games')`)
	p.drop("game.jgt", []byte{0x13, 0x13, 0x74, 0x25})
	p.until(`!document.getElementById('room-bytes').hidden && document.querySelectorAll('#bytes-lines button').length > 0`)
	p.until(`document.getElementById('bytes-format').value === 'jose'`)
	// The game, its position and its address, as they are copied.
	p.js(`(navigator.clipboard.writeText = async (text) => { window.copied = text }, 1)`)
	p.js(`(location.hash = '#/games/3/3', 1)`)
	p.until(`!document.getElementById('game').hidden && location.hash === '#/games/3/3'`)
	r, err := archive.NewReader(h.archives[0].File, h.archives[0].Size)
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.AppendText(nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	for button, want := range map[string]string{"copy-pgn": string(text), "copy-fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2", "copy-link": h.URL + "/#/games/3/3"} {
		p.click("#" + button)
		p.until(`document.getElementById('status').textContent.endsWith(' copied')`)
		p.is(`window.copied`, want)
		p.js(`(document.getElementById('status').textContent = '', 1)`)
	}
	p.clean()
}

// testCanceled gives up what takes long: the page tells how far it is, ends it at once though the server does not answer, and goes on.
func testCanceled(t *testing.T, browser context.Context, h *host) {
	const busy, bar, status = `!document.getElementById('busy').hidden`, `document.getElementById('busy-bar')`, `document.getElementById('status').textContent`
	p := open(t, browser, h, "?archive=archives/7/several.p11", wide)
	p.until(`!document.getElementById('games-list').textContent.includes('…') && document.querySelectorAll('.game-row').length > 10`)
	release := h.holds()
	defer release()
	p.enter(`#games-filter [name=player]`, "a")
	p.until(busy)
	p.is(`document.getElementById('busy-text').textContent`, "Searching")
	p.click(`#busy-cancel`)
	p.until(status + ` === 'The search was given up' && document.getElementById('busy').hidden`)
	p.givenUp()
	// So is an archive that is being opened: what was open stays open.
	p.click(`#games-served li:nth-child(1) button`)
	p.until(busy)
	p.is(`document.getElementById('busy-text').textContent`, "Opening famous.p11")
	p.click(`#busy-cancel`)
	p.until(status + ` === 'archives/1/famous.p11: canceled' && document.getElementById('busy').hidden`)
	p.givenUp()
	release()
	p.click(`#games-filter [type=submit]`)
	p.until(status + `.endsWith(' games found')`)
	// In the room of positions: games that have one, and the moves. The archive is opened anew, so that nothing of it is kept.
	p.js(fmt.Sprintf(`(window.most = 0, new MutationObserver(() => { window.most = Math.max(window.most, %s.value) }).observe(%s, {attributes: true}), 1)`, bar, bar))
	for _, button := range []string{"positions-find", "positions-tree"} {
		p.js(`(location.hash = '#/games', document.getElementById('status').textContent = '', 1)`)
		p.until(`!document.getElementById('room-games').hidden`)
		p.click(`#games-served li:nth-child(7) button`)
		p.until(status + ` === 'several.p11 is open'`)
		p.js(`(location.hash = '#/positions', 1)`)
		p.until(`document.getElementById('positions-about').textContent.includes('no index')`)
		release = h.holds()
		defer release()
		p.click("#" + button)
		p.until(busy)
		p.focus(`#busy-cancel`)
		p.keys(kb.Enter)
		p.until(`document.getElementById('positions-wrong').textContent === 'It was given up' && document.getElementById('busy').hidden`)
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

// testStuck: a program that never comes back is ended when its call is given up, and another one opens what was open.
func testStuck(t *testing.T, browser context.Context, programs fs.FS, archives []*web.Archive) {
	worker, err := fs.ReadFile(web.Static(), "worker.js")
	if err != nil {
		t.Fatal(err)
	}
	stuck := fstest.MapFS{"worker.js": {Data: append(worker, "\nconst listen = self.onmessage;\nself.onmessage = (e) => { if (e.data.method === 'search') for (;;); listen(e); };\n"...)}}
	h := newHost(t, []fs.FS{web.Static(), programs, stuck}, archives)
	p := open(t, browser, h, "?archive=archives/1/famous.p11", wide)
	p.until(`!document.getElementById('games-list').textContent.includes('…') && document.querySelectorAll('.game-row').length > 10`)
	p.enter(`#games-filter [name=player]`, "a")
	p.until(`!document.getElementById('busy').hidden`)
	p.click(`#busy-cancel`)
	p.until(`document.getElementById('status').textContent === 'The search was given up'`)
	p.js(`(location.hash = '#/games/36/2', 1)`)
	p.until(`document.getElementById('game-title').textContent.startsWith('36. ') && !document.getElementById('game').hidden`)
	p.clean()
}

// testLies opens archives whose checksums are right and whose lengths, counts or contents are not, cut ones, and ones that are something else: for each the page
// tells what is wrong, or shows what can be read; and then it opens a good one.
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
	for name, b := range map[string][]byte{"nothing": {}, "a byte": {0x89}, "the magic alone": good[:8], "cut": good[:len(good)-1], "cut in the middle": good[:len(good)/2],
		"a trailer of the largest numbers": large, "zeros": make([]byte, 1<<16), "twice": append(bytes.Clone(good), good...)} {
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
	p.until(`document.querySelectorAll('.game-row').length > 10 && !document.getElementById('games-list').textContent.includes('…')`)
	p.is(`document.querySelectorAll('.game-row.wrong').length`, "0")
	p.clean()
}

// testStatic: the folder that package build makes, on a host that knows nothing of it, at some path, reads an archive of another host by ranges.
func testStatic(t *testing.T, browser context.Context, programs fs.FS, archives []*web.Archive) {
	folder := t.TempDir()
	for _, files := range []fs.FS{web.Static(), programs} {
		if err := os.CopyFS(filepath.Join(folder, "some/path"), files); err != nil {
			t.Fatal(err)
		}
	}
	other := newHost(t, nil, archives)
	allowed := other.Config.Handler
	other.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "Range")
		w.Header().Set("Access-Control-Expose-Headers", "Content-Range, ETag")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		if r.Method == http.MethodOptions {
			return
		}
		allowed.ServeHTTP(w, r)
	})
	s := &host{Server: httptest.NewServer(http.FileServer(http.Dir(folder))), bytes: map[string]int{}}
	t.Cleanup(s.Close)
	p := open(t, browser, s, "some/path/?archive="+url.QueryEscape(other.URL+"/archives/1/famous.p11")+"#/games/3/3", wide)
	p.until(`!document.getElementById('game').hidden && document.querySelector('#game-moves [aria-current]')?.textContent === 'Nf3'`)
	p.js(`(location.hash = '#/positions', 1)`)
	p.until(`document.getElementById('positions-about').textContent.includes('Its index has')`)
	for _, room := range []string{"bytes", "hardware", "move/e2e4"} {
		p.js(fmt.Sprintf(`(location.hash = '#/%s', 1)`, room))
		p.until(fmt.Sprintf(`!document.getElementById('room-%s').hidden`, strings.Split(room, "/")[0]))
	}
	p.until(`document.querySelectorAll('#bytes-lines button').length === 4 && document.getElementById('hw-state').textContent !== '' && document.querySelector('#move-names [name=uci]').value === 'e2e4'`)
	for _, asked := range s.others {
		if !strings.HasPrefix(asked, other.URL+"/archives/1/famous.p11") {
			t.Errorf("the page asks for %s", asked)
		}
	}
	for _, r := range other.requests {
		if strings.HasPrefix(r, "GET") && !strings.Contains(r, "bytes=") {
			t.Errorf("the page asks for the whole of %q", r)
		}
	}
	p.clean()
}
