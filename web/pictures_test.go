// SPDX-License-Identifier: Apache-2.0

//go:build !quick

package web_test

import (
	"bytes"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

//go:generate go test -run ^TestBrowser$ -update
var update = flag.Bool("update", false,
	"write the pictures of the rooms in testdata/pictures anew: look first at what PLY11_SHOTS=folder writes")

// dejavu is where Debian's package fonts-dejavu-core has its fonts.
const dejavu = "/usr/share/fonts/truetype/dejavu"

// pictureFonts are the fonts of the pictures.
var pictureFonts = []string{"DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono", "DejaVuSansMono-Bold", "DejaVuSerif",
	"DejaVuSerif-Bold"}

func hasPictureFonts() bool {
	for _, name := range pictureFonts {
		if _, err := os.Stat(filepath.Join(dejavu, name+".ttf")); err != nil {
			return false
		}
	}
	return true
}

// fontsOfPictures returns the name of a configuration of fontconfig in which there are no other fonts, so that the
// pages look alike on all machines; "" where they are not.
func fontsOfPictures(t *testing.T) string {
	t.Helper()
	if !hasPictureFonts() {
		return ""
	}
	dir := t.TempDir()
	for _, name := range pictureFonts {
		if err := os.Symlink(filepath.Join(dejavu, name+".ttf"), filepath.Join(dir, name+".ttf")); err != nil {
			t.Fatal(err)
		}
	}
	config := filepath.Join(dir, "fonts.conf")
	text := fmt.Sprintf(`<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>%s</dir><cachedir>%s</cachedir>
<alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`, dir, filepath.Join(dir, "cache"))
	if err := os.WriteFile(config, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return config
}

// picture compares what the tab shows with the picture of that name in the tree.
func (p *page) picture(name string) {
	p.Helper()
	p.js(`(document.activeElement?.blur(), scrollTo(0, 0), 1)`)
	if _, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseMoved}); err != nil {
		p.Fatal(err) // so that it points at nothing
	}
	p.shot(name)
	text, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.Fatal(err)
	}
	shown, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		p.Fatal(err)
	}
	small := shrunk(shown)
	if !hasPictureFonts() {
		p.Logf("%s is not compared: the pictures need the fonts of Debian's package fonts-dejavu-core", name)
		return
	}
	path := filepath.Join("testdata/pictures", name+".png")
	if *update {
		var out bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small); err != nil {
			p.Fatal(err)
		}
		if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
			p.Fatal(err)
		}
		return
	}
	text, err = os.ReadFile(path)
	if err != nil {
		p.Fatal(err)
	}
	want, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		p.Fatal(err)
	}
	got := unlike(want, small)
	p.Logf("%s: %.3f of the cells have no like", name, got)
	if got > most {
		p.Errorf("%s looks different: %.3f of its cells have no like in %s, more than %g. PLY11_SHOTS=folder writes "+
			"what the page shows; "+
			"if that is as it should be, -update takes it", name, got, path, most)
	}
}
