// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ply11/hdl"
)

// parseRDL reads the part of SystemRDL 2.0 that the file uses: an address map of registers of fields, with strings, properties, ranges, reset
// values and addresses. Anything else is an error.
func parseRDL(text string) (registers []hdl.Register, err error) {
	text = regexp.MustCompile(`(?m)//.*$`).ReplaceAllString(text, "")
	token := regexp.MustCompile(`^(?:"[^"]*"|0x[0-9a-f]+|\w+|[{}\[\]:;=@])`)
	var tokens []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		one := token.FindString(text)
		if one == "" {
			return nil, fmt.Errorf("no token: %.20q", text)
		}
		tokens, text = append(tokens, one), text[len(one):]
	}
	next := func() (one string) {
		if len(tokens) > 0 {
			one, tokens = tokens[0], tokens[1:]
		}
		return one
	}
	want := func(all ...string) {
		for _, w := range all {
			if got := next(); got != w && err == nil {
				err = fmt.Errorf("%q, want %q", got, w)
			}
		}
	}
	number := func() (n uint64) {
		one := next()
		n, e := strconv.ParseUint(one, 0, 32)
		if e != nil && err == nil {
			err = fmt.Errorf("no number: %q", one)
		}
		return n
	}
	properties := func() map[string]string {
		all := map[string]string{}
		for len(tokens) > 0 && tokens[0] != "field" && tokens[0] != "reg" && tokens[0] != "}" {
			name, value := next(), "true"
			if name == "default" {
				name += " " + next()
			}
			if tokens[0] == "=" {
				next()
				value = next()
			}
			want(";")
			all[name] = value
		}
		return all
	}
	access := map[string]string{}
	for a, p := range rdlAccess {
		access[strings.ReplaceAll(p, " ", "")] = a
	}
	want("addrmap", "ply11_regs", "{")
	if p := properties(); p["default regwidth"] != "32" || p["default accesswidth"] != "32" || p["lsb0"] != "true" {
		return nil, fmt.Errorf("properties %v", p)
	}
	for len(tokens) > 0 && tokens[0] == "reg" && err == nil {
		var r hdl.Register
		want("reg", "{")
		for len(tokens) > 0 && tokens[0] == "field" && err == nil {
			var f hdl.Field
			want("field", "{", "desc", "=")
			f.Meaning = strings.Trim(next(), `"`)
			want(";")
			list := ""
			for len(tokens) > 0 && tokens[0] != "}" {
				list += next()
			}
			var ok bool
			if f.Access, ok = access[list]; !ok {
				return nil, fmt.Errorf("access %q", list)
			}
			want("}")
			f.Name = next()
			want("[")
			f.High = int(number())
			want(":")
			f.Low = int(number())
			want("]")
			if len(tokens) > 0 && tokens[0] == "=" {
				next()
				f.Reset, f.Fixed = uint32(number()), true
			}
			want(";")
			r.Fields = append(r.Fields, f)
		}
		want("}")
		r.Name = next()
		want("@")
		r.Address = int(number())
		want(";")
		registers = append(registers, r)
	}
	want("}", ";")
	if len(tokens) > 0 && err == nil {
		err = fmt.Errorf("%q behind the end", tokens)
	}
	return registers, err
}

func tableOfRegisters(t *testing.T) []hdl.Register {
	t.Helper()
	all, err := hdl.Registers()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The SystemRDL file says what the table says, and the parser that finds so refuses what is damaged.
func TestRegistersRDL(t *testing.T) {
	table := tableOfRegisters(t)
	text, err := RegistersRDL(table)
	if err != nil {
		t.Fatal(err)
	}
	got, err := parseRDL(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(table) {
		t.Errorf("the file says\n%v, the table\n%v", got, table)
	}
	for _, change := range [][2]string{{"addrmap", "adrmap"}, {"};\n", ""}, {"[9:8]", "[9]"}, {"@ 0x08", "@ x"}, {"woclr", "woset"}, {"lsb0", "msb0"}, {" = 0x504c3131", " 0x504c3131"}} {
		bad := strings.Replace(string(text), change[0], change[1], 1)
		if other, err := parseRDL(bad); bad == string(text) || err == nil && fmt.Sprint(other) == fmt.Sprint(table) {
			t.Errorf("%q in place of %q is not noticed", change[1], change[0])
		}
	}
	for _, bad := range []hdl.Field{{Name: "F", Access: "rx"}, {Name: "F", Access: "ro", Meaning: `a "word"`}} {
		if _, err := RegistersRDL([]hdl.Register{{Name: "R", Fields: []hdl.Field{bad}}}); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

// The C header has the table's numbers: each register and field, and nothing else.
func TestRegistersHeader(t *testing.T) {
	table := tableOfRegisters(t)
	text, err := RegistersHeader(table)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]uint64{}
	for _, m := range regexp.MustCompile(`(?m)^#define PLY11_REG_(\w+) (\w+?)u?(?:  /\* .* \*/)?$`).FindAllStringSubmatch(string(text), -1) {
		n, err := strconv.ParseUint(m[2], 0, 32)
		if _, twice := got[m[1]]; err != nil || twice {
			t.Errorf("%s: %v, twice %v", m[0], err, twice)
		}
		got[m[1]] = n
	}
	want := map[string]uint64{}
	for _, r := range table {
		want[r.Name] = uint64(r.Address)
		reset, fixed := uint64(0), true
		for _, f := range r.Fields {
			want[r.Name+"_"+f.Name+"_MASK"] = (1<<(f.High+1) - 1) &^ (1<<f.Low - 1)
			want[r.Name+"_"+f.Name+"_SHIFT"] = uint64(f.Low)
			reset += uint64(f.Reset) << f.Low
			fixed = fixed && f.Fixed
		}
		if fixed {
			want[r.Name+"_DEFAULT"] = reset
		}
	}
	if len(got) != len(want) || len(got) != strings.Count(string(text), "#define PLY11_REG_") {
		t.Errorf("%d macros, want %d", len(got), len(want))
	}
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%s is %#x, want %#x", name, got[name], n)
		}
	}
}
