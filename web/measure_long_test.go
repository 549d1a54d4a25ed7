// SPDX-License-Identifier: Apache-2.0

//go:build long && linux

package web_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"ply11/bitstream/archive"
	"ply11/internal/testenv"
	"ply11/query"
	"ply11/web"
	"ply11/web/wasm"
)

// observed counts the tasks of the page's own thread that take more than 50 ms, and notes when the page is ready.
const observed = `(() => {
	window.tasks = [];
	new PerformanceObserver((l) => { for (const e of l.getEntries()) tasks.push(Math.round(e.duration)); }).observe({type: 'longtask', buffered: true});
	new MutationObserver((_, o) => { if (document.body?.dataset.ready) { window.readyAt = performance.now(); o.disconnect(); } }).observe(document, {subtree: true, childList: true, attributes: true});
})()`

// task is a task of a page's own thread, in milliseconds: what passed by the clock, and what the processor worked.
// Where other programs use the processors, the second is what tells how long a task is.
type task struct {
	clock, worked float64
	what          string // what in it took longest
}

// traced records the tasks of the pages' own threads, until the function that it returns is called.
func traced(t *testing.T, p *page) (stop func() []task) {
	t.Helper()
	type event struct {
		Ph, Name      string
		Pid, Tid      int
		Ts, Dur, Tdur float64
		Args          struct{ Name string }
	}
	var (
		mu     sync.Mutex
		events []event
	)
	ctx, cancel := context.WithCancel(p.ctx)
	done := make(chan struct{})
	err := chromedp.Listen(ctx, func(e any) {
		switch e := e.(type) {
		case *tracing.EventDataCollected:
			mu.Lock()
			defer mu.Unlock()
			for _, v := range e.Value {
				var x event
				if json.Unmarshal(v, &x) == nil {
					events = append(events, x)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = chromedp.Call(p.ctx, tracing.Start, tracing.StartParams{
		TransferMode: tracing.StartTransferModeReportEvents,
		TraceConfig: &tracing.TraceConfig{IncludedCategories: []string{"toplevel", "devtools.timeline",
			"disabled-by-default-devtools.timeline", "v8"}, ExcludedCategories: []string{"*"}}})
	if err != nil {
		t.Fatal(err)
	}
	return func() (list []task) {
		defer cancel()
		if _, err := chromedp.Call(p.ctx, tracing.End, cdp.Empty{}); err != nil {
			t.Fatal(err)
		}
		<-done
		mu.Lock()
		defer mu.Unlock()
		type thread struct{ pid, tid int }
		pages := map[thread]bool{}
		for _, e := range events {
			if e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
				pages[thread{e.Pid, e.Tid}] = true
			}
		}
		for _, e := range events {
			if !pages[thread{e.Pid, e.Tid}] || e.Ph != "X" || e.Name != "RunTask" &&
				e.Name != "ThreadControllerImpl::RunTask" {
				continue
			}
			k := task{clock: e.Dur / 1000, worked: e.Tdur / 1000}
			longest := 0.0
			for _, c := range events {
				if c.Pid == e.Pid && c.Tid == e.Tid && c.Ph == "X" && c.Ts >= e.Ts && c.Ts+c.Dur <= e.Ts+e.Dur &&
					c.Dur > longest && c.Name != e.Name && !strings.HasSuffix(c.Name, "RunTask") && e.Tdur > 10_000 {
					k.what, longest = c.Name, c.Dur
				}
			}
			list = append(list, k)
		}
		return list
	}
}

// measured returns the archive that PLY11_MEASURE names, or else one of 20,000 games that are generated, on a host, and
// how many games it has.
func measured(t *testing.T) (a *web.Archive, games int, h *host, browser context.Context) {
	t.Helper()
	chromium := testenv.Tools(t, "chromium", "go")[0]
	dir := t.TempDir()
	if err := wasm.Build(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if name := os.Getenv("PLY11_MEASURE"); name != "" {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		a = &web.Archive{Name: "large.p11", Open: web.Fixed(f, info.Size())}
	} else {
		a = generated(t, "large.p11", 20_000)
	}
	r, err := archive.NewReader(source(t, a).Reader, source(t, a).Size)
	if err != nil {
		t.Fatal(err)
	}
	games = r.Stats().Games
	h = newHost(t, []fs.FS{web.Static(), os.DirFS(dir)}, []*web.Archive{a})
	load, _ := os.ReadFile("/proc/loadavg")
	t.Logf("Chromium on %d processors, load %s; an archive of %d games, %d bytes", runtime.NumCPU(),
		strings.Fields(string(load))[0], games, source(t, a).Size)
	return a, games, h, newBrowser(t, chromium)
}

// traffic returns how many requests for the archive there were since number n, and how many bytes of it since it was
// asked last.
func (s *host) traffic(n int) (requests, bytes, now int) {
	list, now := s.since(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	bytes = s.bytes["/archives/1/large.p11"]
	s.bytes["/archives/1/large.p11"] = 0
	return len(list), bytes, now
}

// memory returns what the largest process of the browser that has a page and its workers has of memory that it shares
// with none, in MB.
func memory(p *page) (most float64) {
	p.Helper()
	info, err := chromedp.CallBrowser(p.ctx, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		p.Fatal(err)
	}
	for _, process := range info.ProcessInfo {
		if process.Type == "renderer" {
			most = max(most, private(p.T, process.ID))
		}
	}
	return most
}

// opened fails unless an archive was opened by its front and by its end, which are all that it takes.
func opened(t *testing.T, requests []string, size int64) {
	t.Helper()
	var from, to int64
	if len(requests) > 1 && requests[0] == "GET /archives/1/large.p11 bytes=0-16383" {
		fmt.Sscanf(requests[1], "GET /archives/1/large.p11 bytes=%d-%d", &from, &to)
	}
	if to != size-1 || from < size-57_344 {
		t.Errorf("the archive is opened by %q", requests)
	}
}

// TestLarge uses a large archive from end to end: the list is scrolled, games are shown, and it is searched by each
// field to its end. It compares what is found with package query, and requests, bytes and memory with their bounds.
func TestLarge(t *testing.T) {
	patience = 2 * time.Hour
	defer func() { patience = 4 * time.Minute }()
	a, games, h, browser := measured(t)
	const ready = `document.querySelectorAll('.game-row').length > 5 && !document.getElementById('games-list').textContent.includes('…')`
	n := 0
	cost := func(what string, requests, bytes int) {
		t.Helper()
		r, b, now := h.traffic(n)
		n = now
		t.Logf("%s: %d requests, %d bytes", what, r, b)
		if r > requests || b > bytes {
			t.Errorf("%s takes %d requests and %d bytes, more than %d and %d", what, r, b, requests, bytes)
		}
	}
	p := open(t, browser, h, "?archive=archives/1/large.p11", wide)
	p.until(ready)
	cost("opened, and the first games listed", 4, 400_000)
	first, _ := h.since(0)
	opened(t, first, source(t, a).Size)
	p.focus(`#games-list`)
	p.keys(kb.End)
	p.until(fmt.Sprintf(`document.querySelector('.game-row[aria-selected=true]')?.dataset.game === '%d'`, games))
	p.until(ready)
	cost("the end of the list", 8, 600_000)
	for _, share := range []float64{0.5, 1. / 3, 0.9} {
		p.js(
			fmt.Sprintf(
				`(() => { const b = document.getElementById('games-list'); b.scrollTop = (b.scrollHeight - b.clientHeight) * %g })()`, share))
		p.until(fmt.Sprintf(`Math.abs(document.querySelector('.game-row').dataset.game - %g) < 20 + %g`,
			share*float64(games), float64(games)/10_000))
		p.until(ready)
		p.is(`document.querySelectorAll('.game-row').length < 40`, "true")
		cost(fmt.Sprintf("%.2f of the list", share), 8, 600_000)
	}
	for _, g := range []int{1, games / 3, games/2 + 1, games - 1, games} {
		p.js(fmt.Sprintf(`(document.getElementById('games-list').scrollTop = 0, location.hash = '#/games/%d/1', 1)`, g))
		p.until(
			fmt.Sprintf(
				`document.getElementById('game-title').textContent.startsWith('%d. ') && !document.getElementById('game').hidden`, g))
		p.until(ready)
		cost(fmt.Sprintf("game %d, with the list beside it", g), 8, 600_000)
	}
	// A game alone, as by a link in which the list is not in sight of it.
	for _, g := range []int{games / 5, games / 7, games / 11} {
		q := open(t, browser, h, "#/move", wide)
		h.traffic(0)
		q.js(
			fmt.Sprintf(
				`(async () => { const { Engine } = await import('./engine.js'); const e = new Engine('explorer'); await e.call('openURL', {url: new URL('archives/1/large.p11', location.href).href}); window.opened = true;
			window.go = async () => { window.shown = (await e.call('game', {game: %d})).game } })(), 1`, g))
		q.until(`window.opened === true`)
		_, _, n = h.traffic(0)
		q.js(`(go(), 1)`)
		q.until(fmt.Sprintf(`window.shown === %d`, g))
		cost(fmt.Sprintf("game %d alone", g), 4, 300_000)
		chromedp.Cancel(q.ctx)
	}
	p.js(`(location.hash = '#/games', 1)`)
	player := p.js(`document.querySelector('.game-row .players bdi').textContent`)
	for _, terms := range []map[string]string{{"date": "1990-1995"}, {"player": player}, {"result": "0-1"}} {
		q := query.New()
		for name, value := range terms {
			if err := q.Add(name, value); err != nil {
				t.Fatal(err)
			}
		}
		want, err := query.Count(context.Background(), []query.Source{source(t, a)}, q, query.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(terms)
		p.js(
			fmt.Sprintf(
				`(() => { const f = document.getElementById('games-filter'); f.reset(); document.getElementById('games-found').textContent = '';
			for (const [name, value] of Object.entries(%s)) f.elements[name].value = value; })()`, text))
		begin := time.Now()
		p.click(`#games-filter [type=submit]`)
		p.until(foundText + `.endsWith(' games')`)
		took := time.Since(begin)
		status := p.js(foundText + `.replaceAll(',', '')`)
		p.until(`!document.getElementById('games-list').textContent.includes('…')`)
		r, b, now := h.traffic(n)
		n = now
		t.Logf("%v: %s in %v, %d requests, %d bytes; then %.0f MB", terms, status, took.Round(time.Second/10), r, b,
			memory(p))
		if found := fmt.Sprintf("%d of ", min(want, 4_000_000)); !strings.HasPrefix(status, found) {
			t.Errorf("%v: %s, and package query: %d", terms, status, want)
		}
	}
	if m := memory(p); m > 300 {
		t.Errorf("the page's process has %.0f MB", m)
	}
	p.clean()
}

// TestMeasure prints what the page takes in Chromium: times, frames, tasks of the main thread, memory, requests and
// bytes. It compares requests and bytes alone with their bounds, because times are those of the machine and of what
// else it does; the load is printed with them. PLY11_MEASURE names an archive to measure with; without it, 20,000 games
// are generated.
func TestMeasure(t *testing.T) {
	a, games, h, browser := measured(t)
	const runs = 5
	table := map[string][]float64{}
	var order []string
	note := func(name string, v float64) {
		if table[name] == nil {
			order = append(order, name)
		}
		table[name] = append(table[name], v)
	}
	number := func(p *page, expression string) float64 {
		v, err := strconv.ParseFloat(p.js(expression), 64)
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		return v
	}
	var stop func() []task
	tasks := func(p *page, when string) {
		note("longest task of the page's thread, "+when+", ms by the clock (0: none over 50)",
			number(p, `Math.max(0, ...tasks.splice(0))`))
		longest := slices.MaxFunc(append(stop(), task{}), func(a, b task) int {
			return cmp.Compare(a.worked, b.worked)
		})
		note("processor time of the longest task, "+when+", ms", longest.worked)
		t.Logf("%s: %.1f ms of %.1f by the clock, most of it %s", when, longest.worked, longest.clock, longest.what)
		stop = traced(t, p)
	}
	for range runs {
		before := 0.0
		visit := func(address string) *page {
			p := newPage(t, browser, h)
			if _, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument,
				cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: observed}); err != nil {
				t.Fatal(err)
			}
			p.do(chromedp.EmulateViewport(wide[0], wide[1]))
			stop = traced(t, p)
			before = worked(p)
			p.do(chromedp.Navigate(h.URL + "/" + address))
			p.until(`document.body.dataset.ready === 'true'`)
			return p
		}
		p := visit("")
		work := worked(p) - before
		note("first paint, ms", number(p, `performance.getEntriesByName('first-contentful-paint')[0].startTime`))
		note("interactive, ms", number(p, `readyAt`))
		note("processor time until interactive, of all processes of the browser, ms", work)
		tasks(p, "load")
		stop()
		chromedp.Cancel(p.ctx)

		_, _, n := h.traffic(0)
		p = visit("?archive=archives/1/large.p11#/games")
		p.until(
			`document.querySelectorAll('.game-row').length > 5 && !document.getElementById('games-list').textContent.includes('…')`)
		requests, bytes, now := h.traffic(n)
		first, _ := h.since(n)
		n = now
		note("requests to open the archive and list its first games", float64(requests))
		note("bytes of these", float64(bytes))
		opened(t, first, source(t, a).Size)
		tasks(p, "archive opened and listed")
		for _, g := range []int{games / 3, games/2 + 1, games - 1} {
			p.js(fmt.Sprintf(`(location.hash = '#/games/%d/1', 1)`, g))
			p.until(
				fmt.Sprintf(
					`document.getElementById('game-title').textContent.startsWith('%d. ') && !document.getElementById('game').hidden`, g))
			p.until(`!document.getElementById('games-list').textContent.includes('…')`)
			requests, bytes, n = h.traffic(n)
			note("requests for a game", float64(requests))
			note("bytes of a game", float64(bytes))
		}
		tasks(p, "game shown")
		// A move at each frame, as when the key is held down.
		p.js(`(() => { window.frames_ = null; const at = []; const b = document.getElementById('game-next');
			document.getElementById('game-first').click();
			const step = (t) => { at.push(t); if (at.length <= 120) { if (at.length % 40 === 0) document.getElementById('game-first').click(); else b.click(); requestAnimationFrame(step); }
				else window.frames_ = at.slice(1).map((x, i) => x - at[i]); };
			requestAnimationFrame(step); })()`)
		p.until(`window.frames_ !== null`)
		note("frames a second, a move at each", number(p, `1000 * frames_.length / frames_.reduce((a, b) => a + b)`))
		tasks(p, "replay")
		p.js(
			`(() => { document.querySelector('#games-filter [name=eco]').value = 'B20-B99'; document.querySelector('#games-filter [name=result]').value = '1-0'; document.getElementById('games-filter').requestSubmit() })()`)
		if games <= 100_000 {
			p.until(foundText + `.includes(' of ')`)
		} else { // of a large one a part
			p.until(`!document.getElementById('busy').hidden && document.getElementById('busy-bar').value > 0.01`)
			p.click(`#busy-cancel`)
			p.until(`document.getElementById('busy').hidden`)
		}
		tasks(p, "search")
		stop()
		note("time of a move on the board, ms", number(p,
			`(() => { const b = document.getElementById('game-next'); document.getElementById('game-first').click();
			const t = performance.now(); for (let i = 0; i < 30; i++) b.click(); document.body.offsetHeight; return (performance.now() - t) / 30 })()`))
		note("memory of the page's process, private, MB", memory(p))
		p.clean()
		chromedp.Cancel(p.ctx)
	}
	bounds := map[string]float64{"requests for a game": 4, "bytes of a game": 300_000}
	for name, most := range bounds {
		if v := slices.Max(table[name]); v > most {
			t.Errorf("%s: %g, more than %g", name, v, most)
		}
	}
	t.Log("| | median | worst |")
	t.Log("|---|---|---|")
	for _, name := range order {
		v := slices.Sorted(slices.Values(table[name]))
		t.Logf("| %s | %.4g | %.4g |", name, v[len(v)/2], v[len(v)-1])
	}
}

// worked returns the processor time of all processes of the browser, in milliseconds.
func worked(p *page) (ms float64) {
	p.Helper()
	info, err := chromedp.CallBrowser(p.ctx, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		p.Fatal(err)
	}
	for _, process := range info.ProcessInfo {
		ms += 1000 * process.CPUTime
	}
	return ms
}

// private returns what a process has of memory that it shares with none, in MB.
func private(t *testing.T, pid int64) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, line := range strings.Split(string(text), "\n") {
		if f := strings.Fields(line); len(f) == 3 && strings.HasPrefix(f[0], "Private_") {
			kb, _ := strconv.ParseFloat(f[1], 64)
			sum += kb
		}
	}
	return sum / 1000 * 1.024
}
