// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestNames: a line end in a file's name begins no line of what commands print.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	const name = "x\nply11: y"
	write(t, dir, name+".pgn", games)
	write(t, dir, name+".bad", "no\n")
	runCode(t, dir, 0, "", "pack", "-q", name+".pgn")
	runCode(t, dir, 0, "", "index", "-q", name+".p11")
	runCode(t, dir, 0, "", "index", "-q", "--min-games", "1", name+".p11")
	write(t, dir, name+".cut.p11", read(t, dir, name+".p11")[:500])
	for _, args := range []string{"append A P", "append -j 1 A A", "append A none", "cat -f -o B A", "cat -o B none",
		"compact A", "convert -f -o B A", "convert -f -o C.uci A", "convert C.bad", "convert --to p11 none",
		"dedupe A A", "dedupe A D", "edit --games 1 --delete A", "edit --games 99 --delete A", "explain P", "explain D",
		"export --to jsonl -f -o E A", "export --to jsonl D", "find A A", "find none A", "find D", "import P",
		"index A",
		"index --update A", "index D", "info A", "info D", "pack -f P", "pack A", "pack none P", "pack -f -o B P C.bad",
		"recover -f -o B A", "recover -f -o B D", "show A 1", "show A 999", "show D 1", "stats A", "stats D", "tree A",
		"tree A A", "tree D", "tree --no-index A A", "tree --positions none A", "tree T",
		"tree-merge -f -o T T", "tree-merge -f -o M.p11t T", "tree-merge -f -o M.p11t D", "verify T",
		"unpack -f -o U A", "unpack D",
		"verify A P D none I", "verify D", "verify C.bad", "serve none"} {
		fields := strings.Fields(args)
		for i, f := range fields {
			f = strings.NewReplacer("C.", name+".", "M.", name+".m.").Replace(f)
			switch f {
			case "A", "B":
				f = name + map[string]string{"A": ".p11", "B": ".b.p11"}[f]
			case "D":
				f = name + ".cut.p11"
			case "E", "U", "none":
				f = name + "." + f
			case "I":
				f = name + ".p11x"
			case "T":
				f = name + ".p11t"
			case "P":
				f = name + ".pgn"
			}
			fields[i] = f
		}
		if out, _ := command(dir, fields...).CombinedOutput(); strings.Contains(string(out), "\nply11: y") {
			t.Errorf("%s prints\n%s", args, out)
		}
	}
}

// TestOneDoor: no file but print.go writes to the standard output or error.
func TestOneDoor(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || name == "print.go" {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, _ := s.X.(*ast.Ident)
			if x == nil {
				return true
			}
			what := x.Name + "." + s.Sel.Name
			// a bar moves the cursor, and holds our own text alone
			progress := name == "progress.go" && what == "os.Stderr"
			if what == "os.Stdout" || what == "os.Stderr" && !progress || x.Name == "fmt" &&
				strings.HasPrefix(s.Sel.Name, "Print") {
				t.Errorf("%s: %s writes what may not be printable; stdout and stderr of print.go do not",
					fset.Position(s.Pos()), what)
			}
			return true
		})
	}
}
