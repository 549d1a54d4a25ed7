// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"image"
	"image/color"
	"testing"
)

const (
	cell  = 12   // pixels of a side of what is one pixel of a picture in the tree
	apart = 28   // of 255, in one of the three colours: cells that are more different are not alike
	near  = 2    // cells by which a thing may stand elsewhere
	most  = 0.02 // the share of cells that may have no like
)

// shrunk returns a picture whose pixels are the means of cells of a picture.
func shrunk(m image.Image) *image.RGBA {
	b := m.Bounds()
	small := image.NewRGBA(image.Rect(0, 0, b.Dx()/cell, b.Dy()/cell))
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			var sum [3]uint32
			for i := range cell * cell {
				r, g, b, _ := m.At(b.Min.X+x*cell+i%cell, b.Min.Y+y*cell+i/cell).RGBA()
				sum[0], sum[1], sum[2] = sum[0]+r>>8, sum[1]+g>>8, sum[2]+b>>8
			}
			const n = cell * cell
			small.SetRGBA(x, y, color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255})
		}
	}
	return small
}

// unlike returns the share of cells of either picture that have no like near their place in the other; 1 if the
// pictures are not of one size.
func unlike(a, b image.Image) float64 {
	if a.Bounds() != b.Bounds() {
		return 1
	}
	lonely := func(a, b image.Image) (n int) {
		r := a.Bounds()
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				if !hasLike(b, x, y, a.At(x, y)) {
					n++
				}
			}
		}
		return n
	}
	return float64(max(lonely(a, b), lonely(b, a))) / float64(a.Bounds().Dx()*a.Bounds().Dy())
}

// hasLike tells whether a picture has a cell of about a colour near a place.
func hasLike(m image.Image, x, y int, c color.Color) bool {
	r, g, b, _ := c.RGBA()
	for v := max(m.Bounds().Min.Y, y-near); v <= min(m.Bounds().Max.Y-1, y+near); v++ {
		for u := max(m.Bounds().Min.X, x-near); u <= min(m.Bounds().Max.X-1, x+near); u++ {
			s, h, d, _ := m.At(u, v).RGBA()
			if far(r, s) <= apart && far(g, h) <= apart && far(b, d) <= apart {
				return true
			}
		}
	}
	return false
}

func far(a, b uint32) uint32 { return max(a>>8, b>>8) - min(a>>8, b>>8) }

// TestUnlike: a picture is like itself and like itself moved a little, and not like one that lacks a thing or has
// another colour.
func TestUnlike(t *testing.T) {
	paint := func(at image.Point, thing color.RGBA) image.Image {
		m := image.NewRGBA(image.Rect(0, 0, 40*cell, 30*cell))
		for i := range m.Pix {
			m.Pix[i] = 240
		}
		for y := range 10 * cell {
			for x := range 10 * cell {
				m.SetRGBA(at.X+x, at.Y+y, thing)
			}
		}
		return shrunk(m)
	}
	blue, pale := color.RGBA{20, 40, 200, 255}, color.RGBA{240, 240, 240, 255}
	m := paint(image.Pt(100, 100), blue)
	for _, c := range []struct {
		what  string
		other image.Image
		alike bool
	}{
		{"itself", m, true},
		{"the thing elsewhere, a little", paint(image.Pt(100+cell, 100+cell+5), blue), true},
		{"a little lighter", paint(image.Pt(100, 100), color.RGBA{40, 60, 210, 255}), true},
		{"the thing far away", paint(image.Pt(300, 100), blue), false},
		{"nothing", paint(image.Pt(100, 100), pale), false},
		{"another colour", paint(image.Pt(100, 100), color.RGBA{200, 40, 20, 255}), false},
		{"another size", image.NewRGBA(image.Rect(0, 0, 1, 1)), false},
	} {
		if a, b := unlike(m, c.other), unlike(c.other, m); (a <= most) != c.alike || a != b {
			t.Errorf("%s: %.3f and %.3f", c.what, a, b)
		}
	}
}
