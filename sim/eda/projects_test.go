// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"os"
	"path/filepath"
	"testing"
)

// The project files of the tree are those that are made from the checks, and the tree has no others.
func TestProjectFiles(t *testing.T) {
	files, err := ProjectFiles()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join("..", "..")
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name))); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what its checks make of it (%v): go run ./cmd/genrom vectors", name, err)
		}
	}
	for _, pattern := range []string{"hdl/*.core", "hdl/*/*.f", "hdl/*/*.sby"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Errorf("%s: no files (%v)", pattern, err)
		}
		for _, f := range found {
			name, err := filepath.Rel(root, f)
			if err != nil {
				t.Fatal(err)
			}
			if files[filepath.ToSlash(name)] == nil {
				t.Errorf("%s is of no check", name)
			}
		}
	}
}
