// SPDX-License-Identifier: Apache-2.0

//go:build !quick

package web_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"ply11/web/hardware"
)

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
	p.is(`document.querySelectorAll('#hw-wave path').length`, "8") // one for each signal
	// The cursor, by keys and under the pointer, tells the phase and the values of its clock.
	cursor := `document.getElementById('hw-cursor').textContent`
	p.until(cursor + `.endsWith(': a beat comes out: 1/2-1/2')`)
	p.is(`[...document.querySelectorAll('#hw-names b')][3].textContent`, "1") // m_valid
	var last int
	fmt.Sscanf(p.js(cursor), "Clock %d:", &last)
	p.focus(`#hw-wave`)
	p.keys(kb.ArrowLeft, kb.ArrowLeft, kb.ArrowRight)
	p.is(cursor+`.split(':')[0]`, fmt.Sprintf("Clock %d", last-1))
	p.is(`document.querySelectorAll('#hw-board .to').length`, "1")
	p.click(`#hw-clocks`) // after which the board is that of the next game
	p.until(`document.getElementById('hw-state').textContent.includes(', ply 0: ')`)
	p.is(`document.querySelectorAll('#hw-board .to').length`, "0")
	// What to look at first.
	for _, c := range [][2]string{
		{
			"game", `document.querySelector('#hw-beats').textContent.includes('PLY 396') && document.querySelector('#hw-board .to')?.dataset.man === 'p'`}, {"variation", `document.querySelector('#hw-beats').textContent.includes('in variation 1')`},
		{
			"illegal", cursor + `.includes('an error comes out') && document.querySelector('#hw-beats .wrong') !== null && document.querySelector('#hw-wave .error') !== null`},
		{
			"stall", cursor + `.includes('the output waits for m_ready') && !document.getElementById('hw-ready').checked`}} {
		p.click(fmt.Sprintf(`#hw-presets [data-preset=%s]`, c[0]))
		p.until(c[1])
	}
	p.click(`#hw-ready`)
	p.click(`#hw-ply`)
	p.until(`document.getElementById('hw-beats').textContent.includes('e2e4')`)
	p.is(`document.querySelectorAll('#hw-wave .taken').length > 0`, "true")
	for _, m := range slices.Backward(hardware.Modes) {
		mode := m.Name
		p.js(
			fmt.Sprintf(
				`(() => { document.getElementById('hw-bytes').value = ''; const m = document.getElementById('hw-mode'); m.value = '%s'; m.onchange() })()`, mode))
		p.until(
			`document.getElementById('hw-bytes').value !== '' && document.getElementById('hw-state').textContent.startsWith('clock 0,')`)
		p.click(`#hw-error`)
		p.until(`document.getElementById('hw-beats').textContent.includes('END 1/2-1/2')`)
		p.until(`[...document.querySelectorAll('#hw-wave text')].some((t) => t.textContent === '1/2-1/2')`)
	}
	for _, m := range hardware.Modes {
		if n := h.bytes["/"+m.Name+".aig.gz"]; n == 0 || n > 200_000 {
			t.Errorf("the netlist %s is of %d bytes", m.Name, n)
		}
	}
	// Any register can be added by a part of its name; its values in the clocks that were come with it.
	p.js(`(document.getElementById('hw-find').value = 'u_board side', document.getElementById('hw-find').oninput(), 1)`)
	p.click(`#hw-found button`)
	p.until(`document.querySelectorAll('#hw-wave path').length === 9`)
	p.is(`document.querySelector('#hw-names li:nth-last-child(2) span').title`, "g_no_legal.u_board.side")
	p.js(`(document.getElementById('hw-find').value = 'm_offset', document.getElementById('hw-find').oninput(), 1)`)
	p.click(`#hw-found button`)
	p.until(`document.querySelectorAll('#hw-wave path').length === 10`)
	p.is(`document.querySelector('#hw-found button').getAttribute('aria-pressed')`, "true")
	p.click(`#hw-names button`) // s_valid goes
	p.until(`document.querySelectorAll('#hw-wave path').length === 9`)
	p.shot("hardware")
	// An illegal input stops at its error.
	p.js(`(document.getElementById('hw-bytes').value = '00 00 00', 1)`)
	p.click(`#hw-load`)
	p.click(`#hw-error`)
	p.until(
		`document.querySelector('#hw-beats .wrong')?.textContent.includes('ERROR') && document.getElementById('status').textContent.includes('an error')`)
	p.js(`(document.getElementById('hw-bytes').value = 'zz', 1)`)
	p.click(`#hw-load`)
	p.until(`document.getElementById('hw-wrong').textContent !== ''`)
	p.resize(phone)
	p.is(tooWide, "")
	p.click(`#theme`)
	p.shot("hardware-phone")
	p.clean()
}
