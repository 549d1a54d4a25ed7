// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/hdl"
)

// The lists of files of the tree are those that are made from the checks, and the tree has no others.
func TestFileLists(t *testing.T) {
	files, err := FileLists()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join("..", "..")
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name))); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what its checks make of it (%v): go run ./cmd/genrom vectors", name, err)
		}
	}
	found, err := fs.Glob(hdl.FS, "*/*.f")
	if err != nil || len(found) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	for _, name := range found {
		if files["hdl/"+name] == nil {
			t.Errorf("%s is of no check", name)
		}
	}
}

// Each proof of the checks has a task in the project of its module for SymbiYosys, which names files that exist.
func TestEmittedProofs(t *testing.T) {
	projects, err := Projects()
	if err != nil {
		t.Fatal(err)
	}
	checks, err := Checks()
	if err != nil {
		t.Fatal(err)
	}
	proofs := 0
	for _, c := range checks {
		switch c.Kind {
		case "lint", "bench", "netlist":
			continue
		}
		proofs++
		text := string(projects["formal/"+c.Top+".sby"])
		if _, tasks, _ := strings.Cut(text, "[tasks]\n"); !strings.Contains("\n"+tasks, "\n"+strings.ReplaceAll(c.Name, ".", "_")+"\n") {
			t.Errorf("formal/%s.sby has no task for %s", c.Top, c.Name)
		}
		_, files, _ := strings.Cut(text, "[files]\n")
		for _, f := range c.Files {
			if _, err := fs.Stat(hdl.FS, f); err != nil || !strings.Contains("\n"+files, "\n"+f+"\n") {
				t.Errorf("formal/%s.sby: %s: %v", c.Top, f, err)
			}
		}
	}
	if proofs < 50 {
		t.Errorf("only %d proofs", proofs)
	}
}
