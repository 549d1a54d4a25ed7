// SPDX-License-Identifier: Apache-2.0

package browser_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

func testBytes(t *testing.T, h *host) {
	p := open(t, h, "#/bytes", wide)
	line := func(n int) string { return fmt.Sprintf(`#bytes-lines li:nth-child(%d) button`, n) }
	p.until(`all('#bytes-lines button').length === 10`)
	p.click(line(3))
	p.keys(kb.ArrowDown)
	p.is(`text('bytes-move') + ', ' + text('bytes-turn')`, "After 2... Nc6, White to move")
	p.click(`#bytes-position [data-key=ArrowRight]`)
	// Byte 4, db, is 1 1 011 01 1: its line, its form, its direction and its fields.
	p.is(`all('#bytes-cut .now, #bytes-compass .now').map((e) => e.textContent).join()`, "bishop1wnnndd1,NW011")
	p.is(`text('bytes-one')`, "Byte 4, dbBc4 as a word: 2c5110110111 … 1typebishop1which#1011count3 squares01directionNW, so to c4")
	p.shot("bytes")
	// A byte that is typed over is explained at once: 53, the queen's last move, becomes 5b, which is three squares.
	p.click(`#bytes-grid button:nth-of-type(9)`)
	p.is(`text('bytes-move')`, "After 4. Qxf7#")
	p.keys("5", "b")
	p.until(`text('bytes-wrong').includes('ply 7')`)
	p.is(`document.activeElement.getAttribute('aria-label')`, "byte 9: 02")
	p.keys(kb.ArrowLeft, "5", "3")
	p.until(`text('bytes-wrong') === ''`)
	for i, c := range []struct{ format, holds string }{
		{"jose", `text('bytes-one').includes('11, so to c4')`},
		{"chessbase", `text('bytes-lines').includes('number 15 of 39') && text('bytes-one').includes('count')`},
		{"words", `text('bytes-one').startsWith('Bits 44 to 54') && text('bytes-one').includes('from f1')`},
		{"p11", `text('bytes-lines').includes('magic') && text('bytes-lines').includes('1-0')`},
	} {
		p.click(fmt.Sprintf(`#bytes-samples button:nth-child(%d)`, i+2))
		p.until(`element('bytes-format').value === '%s' && text('bytes-about').endsWith('no errors') && %s`, c.format, c.holds)
	}
	p.click(`#bytes-box summary`)
	p.until(`element('bytes-text').value !== ''`)
	pasted := func(text, wrong string) {
		p.js(`(element('bytes-text').value = %q, element('bytes-text').oninput(), 1)`, text)
		p.until(`text('bytes-wrong').includes('%s')`, wrong)
	}
	pasted("2c 2", "odd")
	pasted("1. e4 e5 2. Ke7 *", "Ke7")                                       // which is PGN
	p.until(`text('bytes-lines').endsWith('error: ' + text('bytes-wrong'))`) // behind what is right
	p.upload("#bytes-file", "x.p11", content(t, h.archives[1]))
	p.until(`text('bytes-lines').includes('magic')`)
	p.is(`text('bytes-wrong')`, "")
	// the same file may be chosen again
	p.is(
		`(() => { const f = element('bytes-file'); f.dispatchEvent(new MouseEvent('click')); return String(f.files.length); })()`, "0")
}
