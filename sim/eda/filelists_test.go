// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"io/fs"
	"os"
	"path/filepath"
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
		if got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name))); err != nil ||
			string(got) != string(want) {
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
