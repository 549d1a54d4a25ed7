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

	"github.com/chromedp/chromedp"
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
	state := `(text('hw-state') + ', at ' + text('hw-at').split(' ').pop())`
	p.until(state + ` === 'clock 72, 5 beats out, at 43'`) // a variation, at its second ply
	p.is(`all('nav a').map((a) => a.textContent).join()`, "A move,Hardware")
	p.is(`text('hw-story')`, "Clock 43: d7d5 came out, 38 clocks after its last byte went in.")
	p.is(`text('hw-split')`, "111512waited for e2e4 to leavethe stack took e2e4 backcodec, board, output")
	p.holds(`text('hw-word').endsWith('6 steps of 8, so 2 back10axisalong the file110011squarefrom d75 × 256 + 2 × 64 + 51 = 1459')`)
	p.is(`all('#hw-line .now').map((c) => c.textContent).join()`, "66,6b,d55b3")
	p.is(`all('#hw-wave .tag').map((c) => c.textContent).join()`, "0,1,–,2,01,0,1,1,5b3")
	p.is(`all('.band i, .beats .hex').map((c) => c.textContent).join('')`,
		"bytes go inat work↑a variation begins↓no byte leftouta variation endse2e4d2d4d7d5")
	p.focus(`#hw-wave`)
	p.keys(kb.ArrowUp, kb.ArrowUp, kb.ArrowUp, kb.ArrowUp, kb.ArrowUp)
	p.until(`text('hw-signal').includes('a bracket is followed: bit 0 open, bit 1 close')`)
	p.keys(kb.ArrowLeft)
	p.until(`text('hw-story') === 'Clock 42: d2d4 came out, 38 clocks after its last byte went in.'`)
	// Clocks that have run can be looked at again; the next ones run.
	p.click(`#room-hardware [data-key=ArrowLeft]`)
	p.until(`text('hw-story') === "Clock 41: no byte left."`)
	p.click(`#room-hardware [data-key=" "]`)
	p.until(state + `.endsWith('at 42')`)
	p.click(`#hw-line button`)
	p.until(state + `.endsWith('at 15') && find('#hw-board .to').dataset.square === 'e4'`)
	p.click(`#room-hardware [data-key=r]`)
	p.until(state + ` === 'clock 0, 0 beats out, at 0'`)
	p.click(`[data-key="0"]`)
	p.until(state + ` === 'clock 10, 0 beats out, at 9'`)
	p.focus(`#room-hardware [data-key=ArrowRight]`)
	p.keys(kb.Enter)
	p.until(state + ` === 'clock 11, 0 beats out, at 10'`)
	for _, square := range []string{"e4", "d4"} {
		p.click(`#room-hardware [data-key=" "]`)
		p.until(`find('#hw-board .to')?.dataset.square === '%s'`, square)
	}
	p.click(`#room-hardware [data-key=e]`)
	p.until(`text('hw-story').includes('1-0 came out')`)
	x, y := p.middle(`#hw-all`)
	p.do(chromedp.MouseClickXY(x-200, y)) // the overview leads to the clocks before
	p.until(`find('.clocks i').textContent === '0'`)
	for _, c := range [][2]string{
		{"game", `text('hw-story').includes('f1b5 came out')`},
		{"illegal", `text('hw-story').includes('error 7 came out') && find('.beats .bad') !== null`},
		{"stall", `text('hw-story').includes('held by m_ready') && !element('hw-ready').checked`}} {
		p.click(fmt.Sprintf(`#hw-presets [value=%s]`, c[0]))
		p.until(c[1])
	}
	p.click(`#hw-ready`)
	p.js(`choose('hw-mode', 'chessbase')`)
	p.until(state + ` === 'clock 0, 0 beats out, at 0'`)
	p.js(`(element('hw-find').value = 'u_board side', element('hw-find').oninput(), 1)`)
	p.click(`#hw-found button`)
	p.until(`all('.tag').length === 10 && text('hw-signal').includes('side to move: 0 White, 1 Black')`)
	p.click(`#hw-found button`)
	p.until(`all('.tag').length === 9`)
	p.js(`(element('hw-bytes').value = 'zz', element('hw-bytes').onchange(), 1)`)
	p.until(`text('hw-wrong') !== ''`)
	p.click(`#hw-presets [value=variation]`)
	p.until(`text('hw-story').includes('d7d5')`)
	p.axe()
	for _, night := range []string{"light", "dark"} {
		p.accessible("hardware, "+night, "")
		p.shot("hardware-" + night)
		p.click(`#theme`)
	}
	p.is(tooSmall, "")
	p.resize(phone)
	p.is(tooWide, "")
	p.is(tooSmall, "")
	p.accessible("hardware, phone", "")
	p.shot("hardware-phone")
	p.resize([2]int64{320, 640})
	p.is(tooWide, "")
	p.click(`nav [data-room=move]`)
	p.until(`find('#move-names [name=uci]')?.value === 'g1f3'`)
}
