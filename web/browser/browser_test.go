// SPDX-License-Identifier: Apache-2.0

package browser_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
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
	"ply11/query"
	"ply11/query/index"
	"ply11/web"
	"ply11/web/explorer"
)

//go:generate go run ./testdata/axe

// host serves the page and archives to a browser.
type host struct {
	*httptest.Server
	browser  context.Context
	explorer *explorer.Handler
	archives []*explorer.Archive
	mu       sync.Mutex
	others   []string      // hosts but this one that the browser asked
	hold     chan struct{} // unless nil, archives are told of when it is closed
	given    int           // requests that the browser gave up meanwhile
	gone     bool          // connections are closed without an answer
}

func newHost(t *testing.T, browser context.Context, archives ...*explorer.Archive) *host {
	t.Helper()
	page, err := web.Page("games", "openings", "move", "bytes")
	if err != nil {
		t.Fatal(err)
	}
	pack := func(ctx context.Context, path, to string) error {
		text, err := os.Open(path)
		if err != nil {
			return err
		}
		defer text.Close()
		out, err := os.Create(to)
		if err == nil {
			_, err = archive.Pack(ctx, out, text)
		}
		return errors.Join(err, out.Close())
	}
	s := &host{browser: browser, archives: archives, explorer: explorer.New(explorer.Options{
		Here: func(*http.Request) bool { return true }, Pack: pack})}
	for _, a := range archives {
		with := *a
		s.explorer.Add(&with)
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		hold, gone := s.hold, s.gone
		s.mu.Unlock()
		if gone {
			panic(http.ErrAbortHandler)
		}
		if hold != nil && strings.HasPrefix(r.URL.Path, "/api/archives/") {
			select {
			case <-hold:
			case <-r.Context().Done():
				s.mu.Lock()
				s.given++
				s.mu.Unlock()
			}
		}
		if explorer.Handles(r.URL.Path) {
			s.explorer.ServeHTTP(w, r)
		} else {
			page.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() {
		s.Close()
		s.explorer.Close()
	})
	return s
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
			p.Fatal("the request goes on")
		}
	}
}

// patience is how long a tab may be open; half of it is how long something may take.
var patience = time.Minute

type page struct {
	*testing.T
	ctx    context.Context
	host   *host
	mu     sync.Mutex
	errors []string // of the console, and of scripts
}

func open(t *testing.T, h *host, address string, size [2]int64) *page {
	t.Helper()
	p := newPage(t, h)
	p.do(chromedp.EmulateViewport(size[0], size[1]), chromedp.Navigate(h.URL+"/"+address))
	p.until(`document.body.dataset.ready === 'true'`)
	t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.errors) > 0 {
			p.Errorf("the console has %q", p.errors)
		}
	})
	return p
}

func newPage(t *testing.T, h *host) *page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(h.browser)
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
			// which the page reports
			if e.Entry.Level == log.EntryLevelError && !strings.HasPrefix(e.Entry.Text, "Failed to load resource") {
				p.errors = append(p.errors, e.Entry.Text+" "+e.Entry.URL)
			}
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, h.URL+"/") && e.Request.URL != "about:blank" &&
				!strings.HasPrefix(e.Request.URL, "blob:"+h.URL+"/") {
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

func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.Fatal(err)
	}
}

// js returns the value of an expression, as text. Like those of until and visit it may be a format with values.
func (p *page) js(expression string, values ...any) string {
	p.Helper()
	expression = formatted(expression, values)
	v, err := p.evaluate(expression)
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return v
}

// helpers are functions for expressions.
const helpers = `var element = (id) => document.getElementById(id), text = (id) => element(id).textContent,
	find = (selector) => document.querySelector(selector), all = (selector) => [...document.querySelectorAll(selector)],
	shown = (id) => !element(id).hidden, isWrong = () => element('status').classList.contains('wrong'),
	current = () => find('#game-moves [aria-current]'), title = () => text('game-title'),
	isNight = () => document.documentElement.classList.contains('night'),
	choose = (id, value) => { element(id).value = value; element(id).dispatchEvent(new Event('change', {bubbles: true})) };
`

func (p *page) evaluate(expression string) (string, error) {
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[any](helpers+expression))
	if err != nil {
		return "", err
	}
	if s, ok := v.(string); ok {
		return s, nil
	}
	b, err := json.Marshal(v)
	return string(b), err
}

// until waits for an expression to be true. Between two documents there may be nobody to ask.
func (p *page) until(expression string, values ...any) {
	p.Helper()
	expression = formatted(expression, values)
	for end := time.Now().Add(patience / 2); ; time.Sleep(15 * time.Millisecond) {
		v, err := p.evaluate(expression)
		if v == "true" && err == nil {
			return
		}
		if err != nil && !betweenDocuments(err) {
			p.Fatalf("%s: %v", expression, err)
		}
		if time.Now().After(end) {
			p.shot("failed")
			p.Fatalf("%s does not become true; status: %s; errors: %q", expression,
				p.js(`text('status')`), p.errors)
		}
	}
}

func formatted(text string, values []any) string {
	if len(values) == 0 {
		return text
	}
	return fmt.Sprintf(text, values...)
}

func betweenDocuments(err error) bool {
	var refused *cdproto.Error
	return errors.As(err, &refused) && refused.Code == -32000
}

func (p *page) resize(size [2]int64) {
	p.Helper()
	p.do(chromedp.EmulateViewport(size[0], size[1]))
	p.until(`innerWidth === %d`, size[0])
}

// middle returns where the middle of an element is on the screen, after scrolling there.
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

func (p *page) click(selector string) {
	p.Helper()
	x, y := p.middle(selector)
	p.do(chromedp.MouseClickXY(x, y))
}

func (p *page) drag(from, to string) {
	p.Helper()
	p.middle(from)
	p.middle(to) // after which nothing scrolls any more
	x, y := p.middle(from)
	u, v := p.middle(to)
	p.do(chromedp.DragAndDropXY(x, y, u, v))
}

// visit follows a link within the page.
func (p *page) visit(hash string, values ...any) {
	p.Helper()
	hash = formatted(hash, values)
	p.js(`(location.hash = %q, 1)`, hash)
}

// focus and keys use the keyboard.
func (p *page) focus(selector string) {
	p.Helper()
	p.js(`(find(%q).focus(), 1)`, selector)
}

func (p *page) keys(keys ...string) {
	p.Helper()
	for _, k := range keys {
		p.do(chromedp.KeyEvent(k))
	}
}

func (p *page) is(expression, want string) {
	p.Helper()
	if got := p.js(expression); got != want {
		p.Errorf("%s is %q, want %q", expression, got, want)
	}
}

func (p *page) holds(expression string) {
	p.Helper()
	p.is(expression, "true")
}

func (p *page) mouse(kind input.DispatchMouseEventType, x, y, down float64) {
	p.Helper()
	params := input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1}
	switch kind {
	case input.DispatchMouseEventTypeMouseMoved:
		params = input.DispatchMouseEventParams{Type: kind, X: x, Y: y}
	case input.DispatchMouseEventTypeMouseWheel:
		params = input.DispatchMouseEventParams{Type: kind, X: x, Y: y, DeltaX: 1e-9, DeltaY: down}
	}
	if _, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, params); err != nil {
		p.Fatal(err)
	}
}

// upload chooses a file in an input.
func (p *page) upload(selector, name string, content []byte) {
	p.Helper()
	file := filepath.Join(p.TempDir(), name)
	if err := os.WriteFile(file, content, 0o666); err != nil {
		p.Fatal(err)
	}
	p.do(chromedp.SetUploadFiles(chromedp.CSS(selector), []string{file}))
}

// count returns how many games of an archive meet conditions, names and values in turns.
func count(t *testing.T, a *explorer.Archive, terms ...string) int {
	t.Helper()
	q := query.New()
	for i := 0; i < len(terms); i += 2 {
		if err := q.Add(terms[i], terms[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	n, err := query.Count(context.Background(), []query.Source{source(t, a)}, q, query.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// shot makes a picture in the folder of PLY11_SHOTS, if that is set.
func (p *page) shot(name string) {
	folder := os.Getenv("PLY11_SHOTS")
	if folder == "" {
		return
	}
	if name != "failed" {
		p.until(`find('#status:not(:empty, .gone, .wrong)') === null`)
	}
	b, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), b, 0o666)
	}
	if err != nil {
		p.Log(err)
	}
}

func (p *page) enter(selector, text string) {
	p.Helper()
	p.focus(selector)
	p.js(`(find(%q).select(), 1)`, selector)
	if _, err := chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		p.Fatal(err)
	}
	p.keys(kb.Enter)
}

// served opens an archive of the server, by its place in the list.
func (p *page) served(n int) {
	p.Helper()
	p.js(`(element('games-open').hidden = false, 1)`)
	p.click(fmt.Sprintf(`#games-served li:nth-child(%d) button`, n))
}

// tooWide names what is wider than the window.
const tooWide = `all('body *').filter((e) => document.documentElement.scrollWidth > innerWidth && e.getBoundingClientRect().right > innerWidth + 1
	&& !e.closest('.map, .wave, .lines, .list, pre, .symbols')).map((e) => e.tagName + ' ' + e.id + ' ' + e.className).join()`

var (
	wide  = [2]int64{1400, 900}
	phone = [2]int64{360, 740}
)

func newBrowser(t *testing.T, program string) context.Context {
	t.Helper()
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(program),
		chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(2*time.Minute),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.NoFirstRun)
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

func packed(t *testing.T, name, pgn string, o ...archive.PackOption) *explorer.Archive {
	t.Helper()
	var out bytes.Buffer
	if _, err := archive.Pack(context.Background(), &out, strings.NewReader(pgn), o...); err != nil {
		t.Fatal(err)
	}
	return &explorer.Archive{Name: name, Open: explorer.Fixed(bytes.NewReader(out.Bytes()), int64(out.Len()))}
}

func generated(t *testing.T, name string, games int, o ...archive.WriterOption) *explorer.Archive {
	t.Helper()
	return written(t, name, games, gamegen.New(1).Next, o...)
}

// empty makes an archive of games without moves.
func empty(t *testing.T, name string, games int) *explorer.Archive {
	t.Helper()
	return written(t, name, games, func(*game.Game) {})
}

func written(t *testing.T, name string, games int, next func(*game.Game), o ...archive.WriterOption) *explorer.Archive {
	t.Helper()
	var out bytes.Buffer
	w := archive.NewWriter(&out, o...)
	g := game.New()
	for range games {
		next(g)
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &explorer.Archive{Name: name, Open: explorer.Fixed(bytes.NewReader(out.Bytes()), int64(out.Len()))}
}

func indexOf(t *testing.T, a *explorer.Archive) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := index.Build(context.Background(), &out, source(t, a).File(), index.Options{
		Temp: filepath.Join(t.TempDir(), "x")}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func content(t *testing.T, a *explorer.Archive) []byte {
	t.Helper()
	s := source(t, a)
	b := make([]byte, s.Size)
	if n, err := s.Reader.ReadAt(b, 0); n < len(b) {
		t.Fatal(err)
	}
	return b
}

// source returns an archive as searches take it.
func source(t *testing.T, a *explorer.Archive) query.Source {
	t.Helper()
	c, err := a.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return query.Source{Name: a.Name, Reader: c, Size: c.Size}
}

func TestBrowser(t *testing.T) {
	chromium := testenv.Tools(t, "chromium")[0]
	famous, err := os.ReadFile("../../testdata/famous.pgn")
	if err != nil {
		t.Fatal(err)
	}
	broken := packed(t, "damaged.p11", string(famous), archive.WithBlockGames(6))
	damage(t, broken)
	archives := []*explorer.Archive{
		packed(t, "famous.p11", string(famous)),
		packed(t, "annotated.p11", annotated),
		packed(t, "hostile.p11", hostilePGN()),
		broken,
		packed(t, "dense.p11", string(famous), archive.WithDense(true)),
		generated(t, "many.p11", 600),
		generated(t, "several.p11", 6000, archive.WithBlockGames(200)),
		empty(t, "long.p11", 300_000),
		packed(t, "tagged.p11", tagged()),
		packed(t, "n.p11", named()),
	}
	for _, i := range []int{0, 5} {
		x := indexOf(t, archives[i])
		archives[i].Index = explorer.Fixed(bytes.NewReader(x), int64(len(x)))
	}
	h := newHost(t, newBrowser(t, chromium), archives...)
	for _, c := range []struct {
		name string
		test func(*testing.T, *host)
	}{{"move", testMove}, {"bytes", testBytes}, {"games", testGames}, {"panes", testPanes}, {"drawn", testDrawn},
		{"variation", testVariation},
		{"openings", testOpenings},
		{"played", testPlayed}, {"index", testIndex}, {"setup", testSetup}, {"stale", testStale},
		{"address", testAddress}, {"left", testLeft},
		{"unstarted", testUnstarted}, {"names", testNames}, {"states", testStates}, {"accessible", testAccessible},
		{"hostile", testHostile},
		{"damaged", testDamaged}, {"filters", testFilters}, {"found", testFound}, {"keys", testKeys},
		{"tabs", testTabs},
		{"long", testLong}, {"dropped", testDropped}, {"canceled", testCanceled},
		{"begin", testBegin}, {"sample", testSample},
		{"gone", testGone}, {"hardware", testHardware}} {
		t.Run(c.name, func(t *testing.T) { c.test(t, h) })
	}
	if len(h.others) > 0 {
		t.Errorf("the page asks other hosts: %q", h.others)
	}
}

// button is the button of the room in sight that does what a key does.
func button(key string) string { return fmt.Sprintf("main > :not([hidden]) [data-key=%q]", key) }

func square(board, name string) string {
	return fmt.Sprintf("#%s [data-square=%s]", board, name)
}
