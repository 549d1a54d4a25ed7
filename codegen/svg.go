// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"fmt"
	"strings"

	"ply11/moveindex"
)

// classColors differ in lightness, for print without colour, and in hue for the colour-blind (after Okabe and Ito).
var classColors = []struct {
	class moveindex.Class
	color string
	about string
}{
	{moveindex.ClassRook, "#d9ecf7", "along a file or a rank"},
	{moveindex.ClassBishop, "#7fb8dc", "along a diagonal"},
	{moveindex.ClassKnight, "#0b4f80", "a knight's move: where one coordinate wraps"},
	{moveindex.ClassPromotion, "#e69f00", "22 ways for each colour, four kinds of piece"},
	{moveindex.ClassControl, "#b03a2e", "results, variations, text, NAGs, start, null, idle"},
	{moveindex.ClassReserved, "#ffffff", "a reader refuses it"},
}

// The picture's measures, in its own units.
const (
	svgCell   = 12            // a code
	svgPlane  = 8*svgCell + 4 // a plane of 8 by 8 and the gap beside it
	svgLeft   = 66            // for the names of the axes
	svgTop    = 62            // for the title and the numbers of steps
	svgWidth  = svgLeft + 8*svgPlane + 14
	svgHeight = svgTop + 4*(svgPlane+16) + 16 + 3*20 + 8
)

// writeSVG draws the codes as 32 planes of 8 by 8: a row for each axis, a column for each number of
// steps, the from-square's place in the plane (a1 at the left bottom), coloured by class.
func writeSVG(p *printer, f *Format) {
	p.f(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" fill="#111">`+"\n",
		svgWidth, svgHeight, svgWidth, svgHeight)
	p.f("<!-- SPDX-License-Identifier: Apache-2.0\n")
	for _, line := range bannerLines(bannerCommand + f.Name) {
		p.f("     %s\n", line)
	}
	p.f("-->\n<title>The 2,048 codes of the 11-bit move index</title>\n")
	p.f(`<rect width="%d" height="%d" fill="#fff"/>`+"\n", svgWidth, svgHeight)
	p.text(svgLeft, 22, 16, "start", "The 2,048 codes: bits 10..8 steps - 1, bits 7..6 axis, bits 5..0 from-square")

	paths := make(map[moveindex.Class]*strings.Builder)
	for _, c := range classColors {
		paths[c.class] = new(strings.Builder)
	}
	counts := make(map[moveindex.Class]int)
	for i := range moveindex.Index(moveindex.NumWords) {
		x, y := svgPlaneAt(int(i) >> 6)
		x += int(i) & 7 * svgCell
		y += (7 - int(i)>>3&7) * svgCell
		fmt.Fprintf(paths[i.Class()], "M%d %dh%dv%dh-%dz", x, y, svgCell, svgCell, svgCell)
		counts[i.Class()]++
	}
	for _, c := range classColors {
		p.f(`<path fill="%s" stroke="#667" stroke-width=".5" d="%s"/>`+"\n", c.color, paths[c.class])
	}
	for plane := range 32 {
		x, y := svgPlaneAt(plane)
		p.f(`<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#111"/>`+"\n", x, y, 8*svgCell, 8*svgCell)
		p.text(x+4*svgCell, y+8*svgCell+12, 10, "middle", fmt.Sprintf("%d..%d", plane*64, plane*64+63))
	}
	for n := range 8 {
		x, _ := svgPlaneAt(4 * n)
		label := fmt.Sprintf("%d steps", n+1)
		switch n {
		case 0:
			label = "1 step"
		case 7:
			label = "no line"
		}
		p.text(x+4*svgCell, svgTop-8, 13, "middle", label)
	}
	for axis, name := range [4]string{"E", "NE", "N", "NW"} {
		_, y := svgPlaneAt(axis)
		p.text(svgLeft-30, y+4*svgCell+5, 15, "middle", name)
		for _, corner := range []struct {
			dy   int
			name string
		}{{9, "8"}, {8*svgCell - 2, "1"}} {
			p.text(svgLeft-5, y+corner.dy, 9, "end", corner.name)
		}
	}
	for k, c := range classColors {
		x, y := svgLeft+k%2*(svgWidth-svgLeft)/2, svgTop+4*(svgPlane+16)+14+k/2*20
		p.f(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="#111"/>`+"\n", x, y, svgCell, svgCell,
			c.color)
		p.text(x+svgCell+8, y+svgCell-2, 12, "start", fmt.Sprintf("%s, %d: %s", c.class, counts[c.class], c.about))
	}
	p.f("</svg>\n")
}

func svgPlaneAt(plane int) (x, y int) {
	return svgLeft + plane>>2*svgPlane, svgTop + plane&3*(svgPlane+16)
}

// text prints a line of text, which needs no escaping.
func (p *printer) text(x, y, size int, anchor, s string) {
	p.f(`<text x="%d" y="%d" font-size="%d" text-anchor="%s">%s</text>`+"\n", x, y, size, anchor, s)
}
