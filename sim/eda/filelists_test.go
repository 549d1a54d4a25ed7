// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/hdl"
	"ply11/internal/testenv"
)

// The instances that docs/rom.md shows are taken by the tools as they stand.
func TestRomPage(t *testing.T) {
	testenv.Tools(t, "iverilog", "verilator", "yosys")
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "rom.md"))
	testenv.Must(t, err)
	_, text, _ := strings.Cut(string(page), "```verilog\n")
	text, _, ok := strings.Cut(text, "```")
	w, err := NewWork()
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	t.Cleanup(func() { w.Close() })
	testenv.Must(t, os.WriteFile(w.Path("both.v"), []byte(text), 0o666))
	c := Check{Verilog: Verilog{Top: "both", Files: []string{"both.v", "rtl/ply11_rom.v", "rtl/ply11_rom_case.v",
		"rtl/ply11_decode.v"}}}
	for _, tool := range linters {
		if v, r, err := w.lint(t.Context(), job{check: c, tool: tool}); v != passed {
			t.Errorf("%s: %v\n%s", tool, err, r.Output)
		}
	}
}

// A module has a list of its files in its header, or no parts, and the tree has no other lists.
func TestFileLists(t *testing.T) {
	files, err := FileLists()
	testenv.Must(t, err)
	for _, m := range hdl.Modules() {
		source, err := hdl.FS.ReadFile("rtl/" + m + ".v")
		testenv.Must(t, err)
		listed := files["hdl/rtl/"+m+".f"] != nil
		if strings.Contains(string(source), "\n// Files: those of "+m+".f.\n") != listed || !listed &&
			len(filesOf(t, m)) > 1 {
			t.Errorf("%s: its header names no list of its files", m)
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
