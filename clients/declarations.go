// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	comment   = regexp.MustCompile(`(?s:/\*.*?\*/)|(?m:^#.*$)`)
	structure = regexp.MustCompile(`typedef struct (ply11_\w+) \{([^}]*)\}`)
	opaque    = regexp.MustCompile(`typedef struct (ply11_\w+) ply11_\w+;`)
	function  = regexp.MustCompile(`(?m)^([\w ]+[ *])ply11_(\w+)\(([^)]*)\);`)
	callback  = regexp.MustCompile(`^(.*)\(\*(\w+)\)\((.*)\)$`)
	word      = regexp.MustCompile(`\w+`)
)

const madeFrom = "Made from clients/c/ply11.h by go generate ./clients."

// header is what ply11.h declares.
type header struct {
	text    string
	structs []string // ply11_position, with what is in it; opaque ones are ""
	members map[string]string
}

// value is a parameter, a member, or what a function returns: the type, stars behind it, the name, and the size of an
// array.
type value struct {
	typ, name, size string
	stars           int
	constant        bool
}

func valueOf(text string) (v value) {
	text, v.constant = strings.CutPrefix(strings.TrimSpace(text), "const ")
	words := append(word.FindAllString(text, -1), "", "")
	return value{words[0], words[1], words[2], strings.Count(text, "*"), v.constant}
}

// values reads the members of a struct; what is a pointer to a function, it leaves as it is.
func values(members string) (list []string) {
	for _, m := range strings.Split(members, ";") {
		if m = strings.TrimSpace(m); m == "" || callback.MatchString(m) {
			list = append(list, m)
			continue
		}
		first, rest, _ := strings.Cut(m, ",")
		list = append(list, first)
		typ := first[:strings.LastIndexAny(first, " ")]
		for _, name := range strings.Split(rest, ",") {
			if name = strings.TrimSpace(name); name != "" {
				list = append(list, typ+" "+name)
			}
		}
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// camel is a name in Rust: "ply11_window_game" is WindowGame.
func camel(name string) (s string) {
	for _, part := range strings.Split(strings.TrimPrefix(name, "ply11_"), "_") {
		s += strings.ToUpper(part[:1]) + part[1:]
	}
	return s
}

func (h *header) rust(v value) string {
	known := map[string]string{"void": "c_void", "char": "c_char", "int": "c_int", "unsigned": "c_uint",
		"size_t": "usize"}
	typ, ok := known[v.typ]
	switch members, isStruct := h.members[v.typ]; {
	case ok:
	case !strings.HasPrefix(v.typ, "ply11_"): // uint16_t
		typ = strings.NewReplacer("uint", "u", "int", "i", "_t", "").Replace(v.typ)
	case !isStruct: // an enum
		typ = "c_int"
	case members == "":
		typ = "c_void"
	default:
		typ = camel(v.typ)
	}
	for i := range v.stars {
		if v.constant && i == 0 {
			typ = "*const " + typ
		} else {
			typ = "*mut " + typ
		}
	}
	return typ
}

func (h *header) rustParameters(text string) string {
	var list []string
	for _, p := range strings.Split(text, ", ") {
		v := valueOf(p)
		if v.size != "" {
			v.stars++
		}
		list = append(list, v.name+": "+h.rust(v))
	}
	return strings.Join(list, ", ")
}

func (h *header) rustReturns(text string) string {
	if v := valueOf(text); v.typ != "void" || v.stars > 0 {
		return " -> " + h.rust(v)
	}
	return ""
}

// rustFile has all declarations but those of types that users of the crate see.
func (h *header) rustFile() string {
	var b strings.Builder
	b.WriteString("// " + madeFrom + "\n\nuse super::{Branch, Counts, Position};\n" +
		"use core::ffi::{c_char, c_int, c_uint, c_void};\n")
	for _, name := range h.structs {
		if h.members[name] == "" || slices.Contains([]string{"Branch", "Counts", "Position"}, camel(name)) {
			continue
		}
		fmt.Fprintf(&b, "\n#[repr(C)]\n#[derive(Clone, Copy)]\npub struct %s {\n", camel(name))
		for _, m := range values(h.members[name]) {
			if c := callback.FindStringSubmatch(m); c != nil {
				fmt.Fprintf(&b, "    pub %s: unsafe extern \"C\" fn(%s)%s,\n", c[2], h.rustParameters(c[3]),
					h.rustReturns(c[1]))
				continue
			}
			v := valueOf(m)
			typ := h.rust(v)
			if v.size != "" {
				typ = "[" + typ + "; " + v.size + "]"
			}
			fmt.Fprintf(&b, "    pub %s: %s,\n", v.name, typ)
		}
		b.WriteString("}\n")
	}
	b.WriteString("\nextern \"C\" {\n")
	for _, f := range function.FindAllStringSubmatch(h.text, -1) {
		fmt.Fprintf(&b, "    pub fn ply11_%s(%s)%s;\n", f[2], h.rustParameters(f[3]), h.rustReturns(f[1]))
	}
	return b.String() + "}\n"
}

// RustDeclarations makes the declarations for Rust of the text of ply11.h.
func RustDeclarations(ply11 string) string {
	h := header{text: comment.ReplaceAllString(ply11, ""), members: map[string]string{}}
	for _, m := range opaque.FindAllStringSubmatch(h.text, -1) {
		h.members[m[1]] = ""
	}
	for _, m := range structure.FindAllStringSubmatch(h.text, -1) {
		h.structs, h.members[m[1]] = append(h.structs, m[1]), m[2]
	}
	return h.rustFile()
}
