// SPDX-License-Identifier: Apache-2.0

//go:build long && linux

package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"ply11/query"
)

// TestFilters measures what a filter takes in the page and in package query, one after the other, several times, and
// compares what they find. It tells the least time by the clock, and of the page the processor time of all processes of
// the browser, which other programs change less. PLY11_MEASURE names the archive: one of 300,000 games, say.
func TestFilters(t *testing.T) {
	const runs = 3
	a, games, h, browser := measured(t)
	p := open(t, browser, h, "?archive=archives/1/large.p11", wide)
	p.until(`document.querySelectorAll('.game-row').length > 5`)
	p.js(
		`(async () => { const { Engine } = await import('./engine.js'); const e = new Engine('explorer'); await e.call('openURL', {url: new URL('archives/1/large.p11', location.href).href});
		window.search = async (terms, sort) => { window.found = null; const t = performance.now(); const b = await e.call('search', {terms, sort}); window.found = [performance.now() - t, new DataView(b.buffer).getUint32(0, true)] };
		window.opened = true })(), 1`)
	p.until(`window.opened === true`)
	t.Logf("| of %d games | found | package query, ms | the page, ms | its processor time, ms | at first, ms |", games)
	t.Log("|---|---|---|---|---|---|")
	for _, c := range []struct{ name, value, sort string }{{"player", "an", ""}, {"player", "~^(?i)an.*n$", ""},
		{"eco", "B20-B99", ""}, {"date", "1990-1995", ""}, {"rating", "2400-2600", ""}, {"tag", "Event=open", ""},
		{"result", "0-1", ""}, {"games", "1-", "white"}, {"games", "1-", "-rating"}} {
		text, _ := json.Marshal([]map[string]string{{"name": c.name, "value": c.value}})
		var command, page []time.Duration
		var work []float64
		found := 0
		for range runs {
			q := query.New()
			if err := q.Add(c.name, c.value); err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			n, err := query.Count(context.Background(), []query.Source{source(t, a)}, q, query.Options{})
			command = append(command, time.Since(begin))
			if err != nil {
				t.Fatal(err)
			}
			before := worked(p)
			p.js(fmt.Sprintf(`(search(%s, %q), 1)`, text, c.sort))
			p.until(`window.found !== null`)
			work = append(work, worked(p)-before)
			page = append(page, p.ms(`found[0]`))
			if found = n; p.js(`found[1]`) != fmt.Sprint(n) {
				t.Errorf("%v: the page finds %s, and package query %d", c, p.js(`found[1]`), n)
			}
		}
		t.Logf("| %s %s %s | %d | %d | %d | %.0f | %.0f |", c.name, c.value, c.sort, found,
			slices.Min(command).Milliseconds(), slices.Min(page).Milliseconds(), slices.Min(work), work[0])
	}
	p.clean()
}
