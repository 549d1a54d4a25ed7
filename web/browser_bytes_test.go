// SPDX-License-Identifier: Apache-2.0

//go:build !quick

package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"ply11/web/call"
	"ply11/web/explain"
)

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
		p.js(
			fmt.Sprintf(
				`(() => { const s = document.getElementById('bytes-format'); s.value = %q; s.onchange(); document.getElementById('bytes-text').value = %q;
			if (%t) document.getElementById('bytes-hex').checked = true })()`, format, text, hex))
		p.js(
			`(document.getElementById('bytes-lines').replaceChildren(), document.getElementById('bytes-wrong').textContent = '', 1)`)
		p.click(`#bytes-explain`)
		p.until(
			`document.querySelectorAll('#bytes-lines li').length > 0 || document.getElementById('bytes-wrong').textContent !== ''`)
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
	if err := os.WriteFile(file, content(t, a), 0o666); err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#bytes-file"), []string{file}))
	p.until(`document.getElementById('bytes-lines').textContent.includes('magic')`)
	p.is(wrong, "")
	// The same file may be chosen again, as it is by then: a click lets go of it.
	p.is(
		`(() => { const f = document.getElementById('bytes-file'); f.dispatchEvent(new MouseEvent('click')); return String(f.files.length); })()`, "0")
	p.clean()
}
