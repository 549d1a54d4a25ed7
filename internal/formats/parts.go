// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"ply11/chess"
	"ply11/moveindex"
)

// A Part is some bits of a file, and what a line of Explain says of them.
type Part struct {
	Bit     int     `json:"bit"`              // the first, from 0 at the file's begin
	Bits    int     `json:"bits"`             // how many, 0 for a line that is about none
	Code    string  `json:"code,omitempty"`   // a byte or word in hexadecimal digits
	Form    int     `json:"form,omitempty"`   // which of the forms it has, from 1 on
	Fields  []Field `json:"fields,omitempty"` // what is in no form is one field without a name
	Move    string  `json:"move,omitempty"`   // number and SAN, or a variation's bracket
	Meaning string  `json:"meaning"`
	Cut     bool    `json:"-"` // Bits counts only those that the line shows
}

// A Field is neighbouring bits that say one thing.
type Field struct {
	Name string `json:"name"`
	Bits string `json:"bits"`           // in a form they are letters
	Text string `json:"text,omitempty"` // what they say
}

// fieldNames are the names of a form's fields by their letter. What is the same in all bits of a form is its type.
var fieldNames = map[byte]string{'s': "steps", 'a': "axis", 'd': "direction", 'n': "count", 'q': "square", 'w': "which",
	'o': "offset", 'c': "annotation", 'x': "mark"}

// Fields are a form's bits by field.
func (f Form) Fields() (list []Field) {
	for _, bits := range strings.Fields(f.Bits) {
		list = append(list, Field{Name: cmp.Or(fieldNames[bits[0]], "type"), Bits: bits})
	}
	return list
}

// cut cuts bits by the first form that they fit. It returns which that is, from 1 on.
func cut(forms []Form, bits string) (int, []Field) {
next:
	for k, form := range forms {
		list, rest := form.Fields(), bits
		for i, f := range list {
			n := len(f.Bits)
			if n > len(rest) || f.Name == "type" && rest[:n] != f.Bits {
				continue next
			}
			list[i].Bits, rest = rest[:n], rest[n:]
		}
		if rest == "" {
			return k + 1, list
		}
	}
	return 0, nil
}

// Parts of a line: where a word or bytes stand, bytes, bits by field, a move; and parts of a meaning.
var (
	wordPart = regexp.MustCompile(`^\s*(?:(?:\d+\s+(\d+)|([0-9a-f]{8}))\.(\d)\s+)?([01]{11})\s+(\d+)\s+`)
	bytePart = regexp.MustCompile(`^(?:([0-9a-f]{8})|\s+(\d{1,7}))  ((?:[0-9a-f]{2} )*[0-9a-f]{2})(\.\.)?(?:  +|$)`)
	hexPart  = regexp.MustCompile(`^((?:[0-9a-f]{2} )*[0-9a-f]{2})(?:\.\.)?  +`)
	bitsPart = regexp.MustCompile(`^[01]+(?: [01]+)+  +`)
	movePart = regexp.MustCompile(`^[()]|\d+\.(?:\.\.)? [^\s,;]+`)
	farPart  = regexp.MustCompile(`\d squares?`)
	toPart   = regexp.MustCompile(`to [a-h]\d$`)
	wayPart  = regexp.MustCompile(`step \d|take \w+|\b[NESW]{1,3}(?:,|$)`)
)

// Part takes a line of Explain apart. Lines of games' texts and of Polyglot's books have no Bits.
func (f *Format) Part(line string) (p Part) {
	rest, data := line, ""
	number := func(base int, digits string) int {
		n, _ := strconv.ParseInt(digits, base, 0)
		return int(n)
	}
	if m := wordPart.FindStringSubmatch(line); m != nil {
		if rest = line[len(m[0]):]; m[3] != "" {
			p.Bit, p.Bits = 8*(number(10, m[1])+number(16, m[2]))+number(10, m[3]), moveindex.Bits
		}
		word := number(2, m[4])
		p.Code = fmt.Sprintf("%03x", word)
		p.Form, p.Fields = WordFields(moveindex.Index(word))
	} else if m := bytePart.FindStringSubmatch(line); m != nil {
		data, rest, p.Cut = m[3], line[len(m[0]):], m[4] != ""
		p.Bit, p.Bits = 8*(number(16, m[1])+number(10, m[2])), 4*len(strings.ReplaceAll(data, " ", ""))
		if m[1] != "" {
			if plain := hexPart.FindStringSubmatch(rest); plain != nil { // ciphered bytes come first
				data, rest = plain[1], rest[len(plain[0]):]
			}
		}
		rest = rest[len(bitsPart.FindString(rest)):]
	}
	rest = strings.TrimSpace(rest)
	before, _, _ := strings.Cut(rest, `"`) // what is quoted is no move
	if at := movePart.FindStringIndex(before); at != nil {
		p.Move = rest[at[0]:at[1]]
		rest = strings.TrimRight(rest[:at[0]], " :") + strings.TrimLeft(rest[at[1]:], " ;")
	}
	p.Meaning = rest
	if data != "" {
		f.fields(&p, data)
	}
	return p
}

// fields puts the fields of bytes into a part, and what they say as far as its meaning has it.
func (f *Format) fields(p *Part, data string) {
	bits := ""
	for digits := range strings.FieldsSeq(data[:min(len(data), len("00 00"))]) {
		n, _ := strconv.ParseUint(digits, 16, 8)
		bits += fmt.Sprintf("%08b", n)
	}
	if len(data) == 2 {
		p.Code, data = data, bits
	}
	if p.Bits <= 16 && (len(f.Forms) > 1 || p.Move != "") && !strings.HasPrefix(p.Meaning, `"`) {
		p.Form, p.Fields = cut(f.Forms, bits)
	}
	if p.Fields == nil {
		if p.Cut {
			data += " …"
		}
		p.Fields = []Field{{Bits: data}}
		return
	}
	so := toPart.FindString(p.Meaning)
	if so != "" {
		so = ", so " + so
	}
	for i := range p.Fields {
		own := &p.Fields[i]
		n, _ := strconv.ParseUint(own.Bits, 2, 16)
		switch own.Text = fmt.Sprint(n); own.Name {
		case "type":
			own.Text = f.Forms[p.Form-1].Name
		case "which":
			own.Text = "#" + own.Text
		case "mark":
			own.Text = p.Meaning
		case "direction":
			own.Text = strings.TrimRight(wayPart.FindString(p.Meaning), ",") + so
		case "offset":
			own.Text += so
		case "count":
			own.Text = cmp.Or(farPart.FindString(p.Meaning), own.Text)
		}
	}
}

// WordFields returns the form of a word of eleven bits, and its fields.
func WordFields(i moveindex.Index) (form int, list []Field) {
	form, list = cut(wordForms, fmt.Sprintf("%0*b", moveindex.Bits, i))
	if i >= moveindex.FirstPromotion {
		list[0].Text, list[1].Text = i.Class().String(), "by a table"
		return form, list
	}
	n, axis, from := int(i)>>8+1, i>>6&3, chess.Square(i&63)
	dx, dy := [4]int{1, 1, 0, -1}[axis], [4]int{0, 1, 1, 1}[axis]
	x, y := from.File()+n*dx, from.Rank()+n*dy
	list[0].Text = fmt.Sprintf("%d steps of 8", n)
	switch over, out := x != x&7, y != y&7; {
	case over == (dx != 0) && out == (dy != 0): // all coordinates come in again at the other side
		list[0].Text += fmt.Sprintf(", so %d back", 8-n)
	case over || out:
		list[0].Text += ", over an edge"
	}
	list[1].Text = [4]string{"along the rank", "north-east", "along the file", "north-west"}[axis]
	list[2].Text = "from " + from.String()
	return form, list
}
