// SPDX-License-Identifier: Apache-2.0

package browser_test

import (
	"bufio"
	"fmt"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// testHardware uses the page of genrom serve.
func testHardware(t *testing.T, h *host) {
	program := filepath.Join(t.TempDir(), "genrom")
	build := exec.Command("go", "build", "-o", program, "./cmd/genrom")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	serve := exec.CommandContext(t.Context(), program, "serve", "--listen", "localhost:0")
	out, err := serve.StdoutPipe()
	if err == nil {
		err = serve.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { serve.Process.Kill(); serve.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	h = &host{browser: h.browser, Server: &httptest.Server{URL: strings.TrimRight(address, "/\n")}}
	p := open(t, h, "", wide)
	p.until(`text('hw-state').startsWith('clock 0, 0 of')`)
	p.is(`all('nav a').map((a) => a.textContent).join()`, "A move,Hardware")
	p.click(`#hw-clocks`)
	p.until(`text('hw-state').startsWith('clock 10,')`)
	p.focus(`#hw-clock`)
	p.keys(kb.Enter)
	p.until(`text('hw-state').startsWith('clock 11,')`)
	p.click(`#hw-load`)
	for _, square := range []string{"e4", "e5", "f3"} {
		p.click(`#hw-ply`)
		p.until(`find('#hw-board .to')?.dataset.square === '%s'`, square)
	}
	p.click(`#hw-error`)
	p.until(`text('status').includes('the end of the game')`)
	p.holds(`text('hw-beats').includes('END 1/2-1/2')`)
	p.is(`all('#hw-wave path').length`, "8") // one for each signal
	cursor := `text('hw-cursor')`
	p.until(cursor + `.endsWith(': a beat comes out: 1/2-1/2')`)
	p.is(`all('#hw-names b')[3].textContent`, "1") // m_valid
	p.focus(`#hw-wave`)
	before := p.js(cursor + `.split(':')[0]`)
	p.keys(kb.ArrowLeft, kb.ArrowLeft)
	p.holds(cursor + `.split(':')[0] !== '` + before + `'`)
	for _, c := range [][2]string{
		{
			"game", `find('#hw-beats').textContent.includes('PLY 396') && find('#hw-board .to')?.dataset.piece === 'p'`},
		{"variation", `find('#hw-beats').textContent.includes('in variation 1')`},
		{
			"illegal", cursor + `.includes('an error comes out') && find('#hw-beats .wrong') !== null && find('#hw-wave .error') !== null`},
		{
			"stall", cursor + `.includes('the output waits for m_ready') && !element('hw-ready').checked`}} {
		p.click(fmt.Sprintf(`#hw-presets [data-preset=%s]`, c[0]))
		p.until(c[1])
	}
	p.click(`#hw-ready`)
	p.js(`(() => { const m = element('hw-mode'); m.value = 'chessbase'; m.onchange() })()`)
	p.until(`text('hw-state').startsWith('clock 0,') && text('hw-cursor') === ''`) // the waveform is drawn, too
	p.js(`(element('hw-find').value = 'u_board side', element('hw-find').oninput(), 1)`)
	p.click(`#hw-found button`)
	p.until(`all('#hw-names li').length === 12`)
	p.click(`#hw-names button`) // s_valid goes
	p.until(`all('#hw-names li').length === 11`)
	p.js(`(element('hw-bytes').value = 'zz', 1)`)
	p.click(`#hw-load`)
	p.until(`text('hw-wrong') !== ''`)
	p.axe()
	p.accessible("hardware", "")
	p.shot("hardware")
	p.resize(phone)
	p.is(tooWide, "")
	p.shot("hardware-phone")
	p.click(`nav [data-room=move]`)
	p.until(`find('#move-names [name=uci]')?.value === 'g1f3'`)
}
