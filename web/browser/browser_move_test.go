// SPDX-License-Identifier: Apache-2.0

package browser_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"ply11/chess"
	"ply11/moveindex"
)

func testMove(t *testing.T, h *host) {
	p := open(t, h, "#/move", wide)
	value := func(kind string) string {
		return fmt.Sprintf(`find('#move-names [name="%s"]').value`, kind)
	}
	p.until(value("uci") + ` === 'g1f3'`)
	for kind, want := range map[string]string{"san": "Nf3", "index": "1094", "bits": "10001000110", "rom": "8546"} {
		p.is(value(kind), want)
	}
	index, _ := moveindex.Of(chess.NewMove(chess.G1, chess.F3))
	p.is(`text('h-move')`, "Nf3 · g1f3 · 1094 knight")
	p.holds(`all('#move-bits button').every((b) => b.offsetHeight === 48)`)
	p.js(`(navigator.clipboard.writeText = async (text) => { window.copied = text }, 1)`)
	p.click(`[aria-label="Copy Index"]`)
	p.until(`window.copied === '1094'`)
	p.is(`text('move-mirrors')`, "Ranks exchanged: g8f6, 766. Files exchanged: b1c3, 1217.")
	p.shot("explorer-move")
	for _, c := range [][4]string{{"index", "396", "e2e4", "e4"}, {"rom", "8546", "g1f3", "Nf3"},
		{"bits", "00110001100", "e2e4", "e4"}, {"uci", "g1f3", "g1f3", "Nf3"}, {"san", "e4", "e2e4", "e4"}} {
		p.enter(fmt.Sprintf(`#move-names [name=%s]`, c[0]), c[1])
		// each has another move: else the answer comes over what is typed next
		p.until(`%s === '%s' && %s === '%s'`, value("uci"), c[2], value("san"), c[3])
	}
	p.enter(`#move-names [name=uci]`, "g1f3")
	p.until(value("san") + ` === 'Nf3'`)
	p.is(`all('#move-bits button').map((b) => b.className + b.textContent).join(' ')`,
		"steps1 steps0 steps0 axis0 axis1 field0 field0 field0 field1 field1 field0")
	p.is(`all('#move-steps b').map((b) => b.textContent).join()`, "fields,steps,wrap,knight,rectangle,move")
	p.is(`find('#move-steps li:last-child').textContent`, "moveg1 to f3")
	p.is(
		`new Set(['steps', 'axis', 'field'].map((name) => getComputedStyle(find('#move-bits .' + name)).backgroundColor)).size`, "3")
	// a bit is a button; what it says is lit on the board and on the map
	p.click(`#move-bits button:nth-child(11)`)
	p.until(value("index") + ` === '1095'`)
	p.click(`#move-bits button:nth-child(11)`)
	p.until(value("index") + ` === '1094'`)
	circles := `all('#move-board circle').map((c) => c.getAttribute('class') + c.getAttribute('cx') + ',' + c.getAttribute('cy')).join(' ')`
	p.is(circles, "G6.5,7.5") // the pointer is on a bit of the from-square
	x, y := p.middle(`#move-bits .steps`)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x, y, 0)
	p.until(circles + ` === 'G6.5,7.5 B7.5,6.5 B0.5,5.5 B1.5,4.5 B2.5,3.5 B3.5,2.5'`) // five steps, over the edge
	p.is(`element('move-bits').dataset.light`, "steps")
	p.click(`#tour summary`)
	x, y = p.middle(`#tour [data-part=axis]`)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x, y, 0)
	p.until(`element('move-bits').dataset.light === 'axis'`)
	p.shot("tour")
	p.click(`#tour a`)
	p.until(value("san") + ` === '' && location.hash === '#/move/d4c4'`)
	p.click(`#tour li:last-child a`)
	p.until(value("san") + ` === 'Nf3' && location.hash === '#/move/g1f3'`)
	p.click(`#tour summary`)
	p.click(square("move-board", "d2"))
	p.click(square("move-board", "d4"))
	p.until(value("san") + ` === 'd4'`)
	p.drag(square("move-board", "b1"), square("move-board", "c3"))
	p.until(value("san") + ` === 'Nc3'`)
	p.focus(square("move-board", "c3"))
	p.keys(kb.ArrowDown, kb.Enter, kb.ArrowUp, kb.ArrowUp, kb.Enter)
	p.until(value("san") + ` === 'c4'`)
	p.is(`location.hash`, "#/move/c2c4")
	p.enter(`#move-names [name=bits]`, "0011")
	p.until(`text('move-wrong').includes('eleven binary digits')`)
	p.enter(`#move-fen`, "8/8/8/8/8/8/8/8 w - - 0 1")
	p.until(`text('move-wrong').includes('king')`)
	p.enter(`#move-fen`, "7k/P7/8/8/8/8/8/K7 w - - 0 1")
	p.until(`find('#move-board [data-square=a7]').dataset.piece === 'P'`)
	p.click(square("move-board", "a7"))
	p.click(square("move-board", "a8"))
	p.click(`#promotion [aria-label=rook]`)
	p.until(value("uci") + ` === 'a7a8r'`)
	p.until(value("san") + ` === 'a8=R+'`)
	p.click(`#move-reset`)
	p.until(`find('#move-board [data-square=g1]').dataset.piece === 'N'`)
	x, y = p.middle(fmt.Sprintf(`#move-map [data-word="%d"]`, index))
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x, y, 0)
	p.until(`text('map-tell') === '1094: knight g1f3'`)
	p.is(`find('#move-board .from').dataset.square + find('#move-board .to').dataset.square`, "g1f3")
	p.focus(`#move-map`)
	p.keys(kb.ArrowRight)
	p.until(`text('map-tell') !== ''`)
}
