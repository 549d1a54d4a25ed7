// SPDX-License-Identifier: Apache-2.0

//go:build long && linux

package web_test

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"ply11/internal/testenv"
	"ply11/web"
	"ply11/web/wasm"
)

// Fast 3G is 1.6 Mbit a second for all answers together, and 150 ms until one begins:
// https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md.
const (
	slowRate  = 200_000
	slowDelay = 150 * time.Millisecond
)

// slowLine is a line that all answers share. The answers of workers go over it, too, which the browser's own emulation
// leaves out.
type slowLine struct {
	mu   sync.Mutex
	free time.Time // when the line has sent what it was given
}

// send waits until the line has sent so many bytes more.
func (l *slowLine) send(n int) {
	l.mu.Lock()
	// a line that was awakened late makes up for it
	if most := time.Now().Add(-20 * time.Millisecond); l.free.Before(most) {
		l.free = most
	}
	l.free = l.free.Add(time.Duration(n) * time.Second / slowRate)
	until := l.free
	l.mu.Unlock()
	time.Sleep(time.Until(until))
}

type slowWriter struct {
	http.ResponseWriter
	line *slowLine
	sent int // bytes
}

func (w *slowWriter) Write(b []byte) (n int, err error) {
	const packet = 1400
	for len(b) > 0 && err == nil {
		part := b[:min(len(b), packet)]
		w.line.send(len(part))
		var m int
		m, err = w.ResponseWriter.Write(part)
		http.NewResponseController(w.ResponseWriter).Flush()
		n += m
		w.sent += m
		b = b[len(part):]
	}
	return n, err
}

// TestSlowLine opens the page, as somebody who never saw it, over Fast 3G: the board with its men is there within 2 s.
// It tells when each answer began and ended, and when the games of the server's archive are listed, which are times of
// the machine, too.
func TestSlowLine(t *testing.T) {
	chromium := testenv.Tools(t, "chromium", "go")[0]
	dir := t.TempDir()
	if err := wasm.Build(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	h, err := web.Handler([]fs.FS{web.Static(), os.DirFS(dir)}, []*web.Archive{generated(t, "games.p11", 20_000)})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		line := &slowLine{}
		begin := time.Now()
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked := time.Since(begin)
			time.Sleep(slowDelay)
			to := &slowWriter{ResponseWriter: w, line: line}
			h.ServeHTTP(to, r)
			t.Logf("%v to %v: %s %s, %d bytes", asked.Round(time.Millisecond),
				time.Since(begin).Round(time.Millisecond), r.URL, r.Header.Get("Range"), to.sent)
		}))
		p := newPage(t, newBrowser(t, chromium), &host{Server: s})
		if _, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument,
			cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: `(() => {
			const when = (name, there) => { new MutationObserver((_, o) => { if (there()) { window[name] = performance.now(); o.disconnect(); } }).observe(document, {subtree: true, childList: true, attributes: true, characterData: true}); };
			when('boardAt', () => document.querySelectorAll('#game-board .man').length === 32 && document.getElementById('game-board').offsetParent);
			when('usableAt', () => document.querySelectorAll('.game-row').length > 5 && !document.getElementById('games-list').textContent.includes('…'));
		})()`}); err != nil {
			t.Fatal(err)
		}
		p.do(chromedp.EmulateViewport(wide[0], wide[1]))
		begin = time.Now()
		p.do(chromedp.Navigate(s.URL))
		p.until(`window.usableAt > 0`)
		board, usable := p.ms(`boardAt`), p.ms(`usableAt`)
		t.Logf("the board after %v, the games after %v", board, usable)
		if board > 2*time.Second {
			t.Errorf("the board is there after %v, want 2 s", board)
		}
		chromedp.Cancel(p.ctx)
		s.Close()
	}
}

// ms returns the value of an expression that is a number of milliseconds.
func (p *page) ms(expression string) time.Duration {
	p.Helper()
	v, err := strconv.ParseFloat(p.js(expression), 64)
	if err != nil {
		p.Fatal(err)
	}
	return time.Duration(v * float64(time.Millisecond)).Round(time.Millisecond)
}
