// SPDX-License-Identifier: Apache-2.0

package hdl_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/hdl"
)

// Whatever a table names is there, and each seeded error can be sown in exactly one place.
func TestTablesNameWhatExists(t *testing.T) {
	checks, err := hdl.Table("checks.tsv")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, c := range checks {
		if c["name"] == "" || files[c["name"]] != "" {
			t.Errorf("check name %q is empty or used twice", c["name"])
		}
		files[c["name"]] = c["files"]
		for _, f := range strings.Fields(c["files"]) {
			if _, err := fs.Stat(hdl.FS, f); err != nil {
				t.Errorf("check %s: %v", c["name"], err)
			}
		}
	}
	mutants, err := hdl.Table("mutants.tsv")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range mutants {
		seen[m["check"]] = true
		if !strings.Contains(" "+files[m["check"]]+" ", " "+m["file"]+" ") {
			t.Errorf("mutant of %q: the check does not read %s", m["check"], m["file"])
			continue
		}
		text, err := hdl.FS.ReadFile(m["file"])
		if err != nil {
			t.Error(err)
			continue
		}
		if n := strings.Count(string(text), m["old"]); n != 1 {
			t.Errorf("mutant of %s: %q stands %d times in %s, want once", m["check"], m["old"], n, m["file"])
		}
	}
	for _, c := range checks {
		if c["kind"] != "lint" && !seen[c["name"]] {
			t.Errorf("check %s has no mutant that it must notice", c["name"])
		}
	}
}

func TestExtract(t *testing.T) {
	dir := t.TempDir()
	if err := hdl.Extract(dir); err != nil {
		t.Fatal(err)
	}
	for _, m := range hdl.Modules() {
		want, _ := hdl.FS.ReadFile("rtl/" + m + ".v")
		got, err := os.ReadFile(filepath.Join(dir, "rtl", m+".v"))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: differs from the embedded file (%v)", m, err)
		}
		if !strings.Contains(string(got), "module "+m+" ") {
			t.Errorf("rtl/%s.v does not define %s", m, m)
		}
	}
}

func ExampleModules() {
	for _, m := range hdl.Modules() {
		if strings.HasPrefix(m, "ply11_decode") {
			fmt.Println(m)
		}
	}
	// Output:
	// ply11_decode
	// ply11_decode_pipe
}
