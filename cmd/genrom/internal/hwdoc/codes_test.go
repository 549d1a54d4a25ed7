// SPDX-License-Identifier: Apache-2.0

package hwdoc_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/hdl"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/sim/oracle"
)

var (
	comments = regexp.MustCompile(`//[^\n]*`)
	// An error's constant with its number.
	names = regexp.MustCompile(`\b(ERR_[A-Z0-9_]+)\s*=\s*(?:\d+'d)?\d+\b`)
	// A word of eleven bits.
	bareWord = regexp.MustCompile(`\b11'(d|h|b)([0-9a-fA-F_]+)`)
)

// The registry says which modules find each error, and no control code stands in a module without its name.
func TestCodesInVerilog(t *testing.T) {
	found := map[string][]string{} // modules, by the code that they give
	for _, module := range hdl.Modules() {
		source, err := hdl.FS.ReadFile("rtl/" + module + ".v")
		testenv.Must(t, err)
		text := comments.ReplaceAllString(string(source), "")
		for _, m := range names.FindAllStringSubmatch(text, -1) {
			if name := m[1]; strings.HasPrefix(name, "ERR_") && !onlyCompared(text, name) {
				found[name] = append(found[name], strings.TrimPrefix(module, "ply11_"))
			}
		}
		for _, statement := range strings.Split(text, ";") {
			if strings.Contains(statement, "localparam") || module == "ply11_rom_case" {
				continue
			}
			for _, m := range bareWord.FindAllStringSubmatch(statement, -1) {
				base := map[string]int{"d": 10, "h": 16, "b": 2}[m[1]]
				if n, err := strconv.ParseUint(m[2], base, 64); err == nil && n >= moveindex.NumMoves {
					t.Errorf("%s: a control code without a name:%s", module, statement)
				}
			}
		}
	}
	for _, f := range oracle.Faults() {
		got, want := found[f.Verilog], slices.Sorted(slices.Values(f.Modules))
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s is given by %v, and by %v in the registry", f.Verilog, got, want)
		}
	}
}

// onlyCompared reports whether a source asks for a code and does not give it.
func onlyCompared(text, name string) bool {
	uses := regexp.MustCompile(`(.{0,4})\b`+name+`\b(\s*=\s*\d+'d)?`).FindAllStringSubmatch(text, -1)
	compared := 0
	for _, u := range uses {
		switch {
		case u[2] != "":
		case strings.HasSuffix(strings.TrimSpace(u[1]), "=="):
			compared++
		default:
			return false
		}
	}
	return compared > 0
}
