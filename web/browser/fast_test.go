// SPDX-License-Identifier: Apache-2.0

package browser_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"ply11/internal/testenv"
)

// conditions are those of a network, in milliseconds and bytes a second.
type conditions struct {
	Offline            bool    `json:"offline"`
	Latency            float64 `json:"latency"`
	DownloadThroughput float64 `json:"downloadThroughput"`
	UploadThroughput   float64 `json:"uploadThroughput"`
}

// fast3G is what Chromium's developer tools call Fast 3G.
var fast3G = conditions{Latency: 562.5, DownloadThroughput: 180_000, UploadThroughput: 84_375}

// TestFastLine opens the page for the first time over Fast 3G: the first games are listed within 2 s.
func TestFastLine(t *testing.T) {
	chromium := testenv.Tools(t, "chromium")[0]
	games := generated(t, "games.p11", 20_000)
	for range 3 {
		h := newHost(t, newBrowser(t, chromium), games)
		p := newPage(t, h)
		emulate := cdp.Command[conditions, cdp.Empty]{Method: "Network.emulateNetworkConditions"}
		if _, err := chromedp.Call(p.ctx, emulate, fast3G); err != nil {
			t.Fatal(err)
		}
		if _, err := chromedp.Call(p.ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{
			CacheDisabled: true}); err != nil {
			t.Fatal(err)
		}
		source := cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: `new MutationObserver((_, o) => {
			if (document.querySelectorAll('.game-row .players').length < 5) return;
			window.usableAt = performance.now();
			o.disconnect();
		}).observe(document, {subtree: true, childList: true})`}
		if _, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument, source); err != nil {
			t.Fatal(err)
		}
		p.do(chromedp.EmulateViewport(wide[0], wide[1]), chromedp.Navigate(h.URL))
		p.until(`window.usableAt > 0`)
		ms, err := strconv.ParseFloat(p.js(`window.usableAt`), 64)
		if err != nil {
			t.Fatal(err)
		}
		took := time.Duration(ms) * time.Millisecond
		if took > 2*time.Second {
			t.Errorf("the games are listed after %v", took)
		}
		chromedp.Cancel(p.ctx)
	}
}
