// SPDX-License-Identifier: Apache-2.0

package readme

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPackageComments: each package says in its first sentence what it is for, so that `go list` and `go doc` are the map of the tree.
func TestPackageComments(t *testing.T) {
	cmd := exec.Command("go", "list", "-f", "{{.ImportPath}}\t{{.Doc}}", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	begin := regexp.MustCompile(`^(Package|Command) \S+ .`)
	n := 0
	for line := range strings.Lines(string(out)) {
		path, doc, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if !begin.MatchString(doc) {
			t.Errorf("package %s has no comment that begins with its name: %q", path, doc)
		}
		n++
	}
	if n < 20 {
		t.Errorf("%d packages", n)
	}
}

// TestMakeHelp: `make help` lists every target of the Makefile, and CONTRIBUTING.md names no other.
func TestMakeHelp(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):[^#=\n]*## \S`).FindAllSubmatch(text, -1) {
		described[string(m[1])] = true
	}
	phony := regexp.MustCompile(`(?m)^\.PHONY: (.*)$`).FindSubmatch(text)
	if phony == nil {
		t.Fatal("no .PHONY")
	}
	for _, target := range strings.Fields(string(phony[1])) {
		if !described[target] {
			t.Errorf("make help does not tell of %s", target)
		}
	}
	for _, page := range []string{"CONTRIBUTING.md", "README.md"} {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("(?m)(?:`|^)make ([a-z-]+)").FindAllSubmatch(text, -1) {
			if !described[string(m[1])] {
				t.Errorf("%s names make %s, which the Makefile does not have", page, m[1])
			}
		}
	}
}

// goFolders returns the folders of the tree that have Go files besides tests, by their paths from its root, each with the parsed files
// that are no tests and those that are.
func goFolders(t *testing.T) map[string]*folder {
	t.Helper()
	folders := map[string]*folder{}
	eachFile(t, func(name, p string) {
		if path.Ext(name) != ".go" {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		dir := path.Dir(name)
		if folders[dir] == nil {
			folders[dir] = &folder{}
		}
		if strings.HasSuffix(name, "_test.go") {
			folders[dir].tests = append(folders[dir].tests, file)
		} else {
			folders[dir].files = append(folders[dir].files, file)
		}
	})
	for name, f := range folders {
		if len(f.files) == 0 {
			delete(folders, name)
		}
	}
	if len(folders) < 60 {
		t.Fatalf("only %d folders with Go", len(folders))
	}
	return folders
}

// folder is a folder with Go files.
type folder struct{ files, tests []*ast.File }

// TestNamedTests: where a page says `go test FOLDER -run NAME`, the folder has such a test.
func TestNamedTests(t *testing.T) {
	folders := goFolders(t)
	command := regexp.MustCompile("go test (?:-[a-z]+ [a-z0-9]+ )*\\./(\\S+)[^`|\n]*? -(run|bench) '?([A-Za-z^$]+)")
	found := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range command.FindAllStringSubmatch(string(text), -1) {
			dir, kind, name := m[1], map[string]string{"run": "Test", "bench": "Benchmark"}[m[2]], strings.TrimSuffix(m[3], "$")
			if strings.Contains(dir, "...") || name == "^" || strings.HasPrefix(page, "beam/") {
				continue
			}
			found++
			ok, pattern := false, regexp.MustCompile(name)
			if f := folders[dir]; f != nil {
				for _, file := range f.tests {
					for _, d := range file.Decls {
						fn, isFunc := d.(*ast.FuncDecl)
						ok = ok || isFunc && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, kind) && (pattern.MatchString(fn.Name.Name) ||
							pattern.MatchString(strings.TrimPrefix(fn.Name.Name, kind)))
					}
				}
			}
			if !ok {
				t.Errorf("%s: %s names no test", page, m[0])
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d commands", found)
	}
}

// TestRunPatterns: where a page says `genrom prove --run PATTERN`, the pattern, as it stands there, matches a check; and so for synth and mutate. A pattern is for
// the reader to paste, so that a bar with a backslash, as tables want it, is none.
func TestRunPatterns(t *testing.T) {
	names := map[string][]string{}
	for command, table := range map[string]string{"prove": "hdl/checks.tsv", "mutate": "hdl/mutate.tsv", "synth": "hdl/syn/designs.tsv"} {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(table)))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if name, _, ok := strings.Cut(line, "\t"); ok && name != "name" && !strings.HasPrefix(line, "#") {
				names[command] = append(names[command], name)
			}
		}
	}
	command := regexp.MustCompile(`(prove|mutate|synth)( [^` + "`" + `\n]*)? --run ('[^']*'|[^ ` + "`" + `\n]+)`)
	found := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range command.FindAllStringSubmatch(string(text), -1) {
			raw := strings.Trim(m[3], "'")
			if raw == "NAME" {
				continue // whoever reads it puts another there
			}
			found++
			pattern, err := regexp.Compile(raw)
			if err != nil || !slices.ContainsFunc(names[m[1]], pattern.MatchString) || strings.Contains(raw, `\|`) {
				t.Errorf("%s: %s matches nothing (%v)", page, m[0], err)
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d patterns", found)
	}
}
