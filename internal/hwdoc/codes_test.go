// SPDX-License-Identifier: Apache-2.0

package hwdoc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/hdl"
	"ply11/moveindex"
	"ply11/sim/oracle"
)

var (
	comments = regexp.MustCompile(`//[^\n]*`)
	// A localparam with a name of the registries.
	codeParam = regexp.MustCompile(`\b((?:ERR|CODE)_\w+)\s*=\s*\d+'d(\d+)`)
	// What gives an error code, and a number in it that has no name.
	givesError = regexp.MustCompile(`\b(?:m_error|(?:[a-z]_)?code)\s*(?:<=|=)`)
	bareNumber = regexp.MustCompile(`\b[34]'d[1-9]`)
	// A word of eleven bits.
	bareWord = regexp.MustCompile(`\b11'(d|h|b)([0-9a-fA-F_]+)`)
)

// source is a module without its comments.
func source(t *testing.T, module string) string {
	t.Helper()
	text, err := hdl.FS.ReadFile("rtl/" + module + ".v")
	if err != nil {
		t.Fatal(err)
	}
	return comments.ReplaceAllString(string(text), "")
}

// Each source gives the codes of the registries their names and numbers, and no code stands there without a name.
func TestCodesInVerilog(t *testing.T) {
	words := map[string]moveindex.Index{}
	for _, c := range controls {
		if c.Verilog != "" {
			words[c.Verilog] = c.First
		}
	}
	faults := map[string]oracle.FaultRow{}
	for _, f := range oracle.Faults() {
		faults[f.Verilog] = f
	}
	found := map[string][]string{} // modules, by the code that they give
	for _, module := range hdl.Modules() {
		text := source(t, module)
		short := strings.TrimPrefix(module, "ply11_")
		for _, m := range codeParam.FindAllStringSubmatch(text, -1) {
			name := m[1]
			number, _ := strconv.Atoi(m[2])
			row, isFault := faults[name]
			word, isWord := words[name]
			switch {
			case isFault && int(row.Fault) != number, isWord && int(word) != number:
				t.Errorf("%s: %s is %d, and %d in the registry", module, name, number, max(int(row.Fault), int(word)))
			case isFault && !onlyCompared(text, name):
				found[name] = append(found[name], short)
			case !isFault && !isWord:
				t.Errorf("%s: %s is in no registry (sim/oracle/fault.go, internal/hwdoc/codes.go)", module, name)
			}
		}
		for _, statement := range strings.Split(text, ";") {
			if givesError.MatchString(statement) && bareNumber.MatchString(statement) {
				t.Errorf("%s: an error code without a name:%s", module, statement)
			}
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

// The names in the tables are constants of the packages, and each has the number that the table gives it.
func TestCodesInGo(t *testing.T) {
	fault, code := constants(t, "sim/oracle", "fault.go"), constants(t, "moveindex", "index.go")
	rows := map[string]bool{"NoFault": true, "MaxFault": true}
	for _, f := range oracle.Faults() {
		rows[f.Go] = true
		if n, ok := fault[f.Go]; !ok || n != int(f.Fault) {
			t.Errorf("%s of oracle is %d, and %d in the registry", f.Go, n, f.Fault)
		}
	}
	for name := range fault {
		if !rows[name] {
			t.Errorf("%s of oracle is not in the registry", name)
		}
	}
	for _, c := range controls {
		if n, ok := code[c.Go]; !ok || n != int(c.First) {
			t.Errorf("%s of moveindex is %d, and %d in the table", c.Go, n, c.First)
		}
	}
}

// constants reads the constants of a file that have a number.
func constants(t *testing.T, folder, file string) map[string]int {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", folder, file), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
			if v, err := strconv.Atoi(lit.Value); err == nil {
				got[spec.Names[0].Name] = v
			}
		}
		return true
	})
	return got
}
