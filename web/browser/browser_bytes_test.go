// SPDX-License-Identifier: Apache-2.0

package browser_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

func testBytes(t *testing.T, h *host) {
	p := open(t, h, "#/bytes", wide)
	p.until(`all('#bytes-lines button').length === 4`)
	p.click(`#bytes-lines li:nth-child(5) button`)
	p.is(`find('#bytes-board [data-square=f3]').dataset.piece`, "N")
	p.keys(kb.ArrowDown)
	p.is(`find('#bytes-board [data-square=c6]').dataset.piece`, "n")
	p.holds(`text('bytes-move').includes('2... Nc6')`)
	p.shot("bytes")
	explained := func(format, text string, hex bool) {
		t.Helper()
		p.js(`(() => { const s = element('bytes-format'); s.value = %q; s.onchange(); element('bytes-text').value = %q;
			if (%t) element('bytes-hex').checked = true })()`, format, text, hex)
		p.js(`(element('bytes-lines').replaceChildren(), element('bytes-wrong').textContent = '', 1)`)
		p.click(`#bytes-explain`)
		p.until(`all('#bytes-lines li').length > 0 || text('bytes-wrong') !== ''`)
	}
	wrong := `text('bytes-wrong')`
	explained("jose", "13 13 74 25 4b d2 ff", true)
	p.until(`all('#bytes-lines button').length > 2`)
	explained("pgn", "1. e4 e5 2. Ke7 *", false)
	if got := p.js(wrong); !strings.Contains(got, "Ke7") {
		t.Errorf("an illegal move: %q", got)
	}
	p.until(`find('#bytes-lines li:last-child').textContent === ` + wrong) // behind what is right
	explained("brenner", "2c 2", true)
	if got := p.js(wrong); !strings.Contains(got, "odd") {
		t.Errorf("half a byte: %q", got)
	}
	p.upload("#bytes-file", "x.p11", content(t, h.archives[1]))
	p.until(`text('bytes-lines').includes('magic')`)
	p.is(wrong, "")
	// the same file may be chosen again
	p.is(
		`(() => { const f = element('bytes-file'); f.dispatchEvent(new MouseEvent('click')); return String(f.files.length); })()`, "0")
}
