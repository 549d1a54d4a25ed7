// SPDX-License-Identifier: Apache-2.0

package clients_test

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

// header has the structs that ply11.h declares, ply11_position with what is in it; opaque ones are "".
type header map[string]string

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

func (h header) rust(v value) string {
	known := map[string]string{"void": "c_void", "char": "c_char", "int": "c_int", "unsigned": "c_uint",
		"size_t": "usize"}
	typ, ok := known[v.typ]
	switch members, isStruct := h[v.typ]; {
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

func (h header) parameters(text string) string {
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

func (h header) returns(text string) string {
	if v := valueOf(text); v.typ != "void" || v.stars > 0 {
		return " -> " + h.rust(v)
	}
	return ""
}

// rustDeclarations makes of the text of ply11.h the declarations for Rust, but those of types that users of the crate
// see.
func rustDeclarations(ply11 string) string {
	text := comment.ReplaceAllString(ply11, "")
	h := header{}
	for _, m := range opaque.FindAllStringSubmatch(text, -1) {
		h[m[1]] = ""
	}
	structs := structure.FindAllStringSubmatch(text, -1)
	for _, m := range structs {
		h[m[1]] = m[2]
	}
	var b strings.Builder
	b.WriteString("// Made from clients/c/ply11.h by go generate ./clients.\n\n" +
		"use super::{Branch, Counts, Position};\nuse core::ffi::{c_char, c_int, c_uint, c_void};\n")
	for _, s := range structs {
		if slices.Contains([]string{"Branch", "Counts", "Position"}, camel(s[1])) {
			continue
		}
		fmt.Fprintf(&b, "\n#[repr(C)]\n#[derive(Clone, Copy)]\npub struct %s {\n", camel(s[1]))
		for _, m := range values(s[2]) {
			if c := callback.FindStringSubmatch(m); c != nil {
				fmt.Fprintf(&b, "    pub %s: unsafe extern \"C\" fn(%s)%s,\n", c[2], h.parameters(c[3]),
					h.returns(c[1]))
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
	for _, f := range function.FindAllStringSubmatch(text, -1) {
		fmt.Fprintf(&b, "    pub fn ply11_%s(%s)%s;\n", f[2], h.parameters(f[3]), h.returns(f[1]))
	}
	return b.String() + "}\n"
}
