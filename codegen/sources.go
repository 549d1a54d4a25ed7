// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"bytes"
	"embed"
	"encoding/json"
	"path"
	"strings"
	"text/template"

	"ply11/moveindex"
)

// constant is a constant of the sources.
type constant struct {
	name  string
	Value int
	About string
}

// Name is the name in capitals.
func (c constant) Name() string { return strings.ToUpper(c.name) }

// codes are the control codes, and the last of several that mean the same.
var codes = func() (all []constant) {
	for _, c := range moveindex.Controls() {
		all = append(all, constant{c.Name, int(c.First), c.Meaning})
		if c.LastName != "" {
			all = append(all, constant{c.LastName, int(c.Last), ""})
		}
	}
	return all
}()

var sizes = []constant{
	{"index_bits", moveindex.Bits, "width of a word of the stream"},
	{"num_words", moveindex.NumWords, "words"},
	{"num_moves", moveindex.NumMoves, "words that are moves"},
	{"first_promotion", moveindex.FirstPromotion, "first of the promotions"},
}

// templates are the sources in their languages, but for what is told by the index.
//
//go:embed templates
var templates embed.FS

// writeSource writes the source that has a template. hdl/rtl/ply11_rom_case.v is one of these.
func writeSource(p *printer, f *Format) {
	t := template.New(path.Base(f.Path) + ".tmpl").Funcs(template.FuncMap{
		"banner": func(sign string) string { return bannerOf(sign, f) },
		"sizes":  func() []constant { return sizes }, "codes": func() []constant { return codes },
		"sha256": func() string { return moveindex.TableSHA256 },
		"crc32":  func() string { return moveindex.TableCRC32 },
		"rom":    func() *Image { return ROM }, "inverse": func() *Image { return Inverse },
		"cases": cases, "table": table,
	})
	if err := template.Must(t.ParseFS(templates, "templates/*")).Execute(p, nil); err != nil {
		panic(err)
	}
}

// cases returns the arms of a Verilog case over the index that give the name its word.
func cases(name string) string {
	var p printer
	for i := range moveindex.Index(moveindex.NumMoves) {
		p.f("      11'd%d: %s = 16'h%04x;\n", i, name, i.Word())
	}
	p.f("      default: %s = 16'h0000;\n", name)
	return p.String()
}

// table returns the words of an image in hexadecimal digits, eight a line: indent before a line, around each word
// before and after, between words in a line between, and end behind a line; behind the last one if last is set.
func table(m *Image, indent, before, after, between, end string, last bool) string {
	var p printer
	for a, w := range m.Words() {
		separator := between
		switch {
		case a%8 == 7 && (last || a < m.Depth-1):
			separator = end + "\n"
		case a%8 == 7:
			separator = "\n"
		}
		if a%8 == 0 {
			p.f("%s", indent)
		}
		p.f("%s%04x%s%s", before, w, after, separator)
	}
	return p.String()
}

// aside returns a comment with its sign before it, or nothing.
func aside(sign, about string) string {
	if about == "" {
		return ""
	}
	return sign + about
}

// writeJSON writes the moves, a line for each, and the control codes. JSON has no comments: the banner is in its
// fields.
func writeJSON(p *printer, f *Format) {
	p.f("{\n  \"license\": \"Apache-2.0\",\n")
	p.f("  \"generated\": \"by genrom; do not edit\",\n  \"regenerate\": %q,\n", bannerCommand+f.Name)
	p.f("  \"sha256\": %q,\n  \"crc32\": %q,\n", moveindex.TableSHA256, moveindex.TableCRC32)
	for _, s := range sizes {
		p.f("  %q: %d,\n", s.name, s.Value)
	}
	p.f("  \"control\": [\n")
	for i, c := range codes {
		about := new(bytes.Buffer)
		enc := json.NewEncoder(about)
		enc.SetEscapeHTML(false)
		enc.Encode(c.About)
		p.f("    {\"index\": %d, \"name\": %q, \"meaning\": %s}%s\n", c.Value, c.name,
			bytes.TrimSpace(about.Bytes()), comma(i, len(codes)))
	}
	p.f("  ],\n  \"moves\": [\n")
	for i := range moveindex.Index(moveindex.NumMoves) {
		m, _ := i.Move()
		p.f("    {\"index\": %d, \"uci\": %q, \"class\": %q, \"from\": %d, \"to\": %d, \"promotion\": %d}%s\n",
			i, m, i.Class(), m.From(), m.To(), uint16(m)>>12, comma(int(i), moveindex.NumMoves))
	}
	p.f("  ]\n}\n")
}

func comma(i, n int) string {
	if i == n-1 {
		return ""
	}
	return ","
}
