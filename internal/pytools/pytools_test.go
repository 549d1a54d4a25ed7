// SPDX-License-Identifier: Apache-2.0

package pytools_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"ply11/internal/pytools"
	"strings"
	"testing"
)

// TestFind: a program is found where .ci/install-tools puts it, and not in an environment that is half made.
func TestFind(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	dir, err := pytools.Dir()
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join("..", "..", ".ci", "install-tools"))
	if err != nil {
		t.Fatal(err)
	}
	// The line by which the script names the folder, run here.
	var line string
	for l := range strings.Lines(string(script)) {
		if strings.HasPrefix(l, "pytools=") {
			line = l
		}
	}
	if sh, err := exec.LookPath("sh"); err == nil {
		cmd := exec.Command(sh, "-c", line+`printf %s "$pytools"`)
		cmd.Dir = filepath.Join("..", "..")
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != dir {
			t.Errorf(".ci/install-tools installs in %s (%v), and Go looks in %s", out, err, dir)
		}
	}
	program := filepath.Join(dir, "bin", "prog")
	if err := os.MkdirAll(filepath.Dir(program), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if path, err := pytools.Find("prog"); err == nil {
		t.Errorf("%s is found in an environment that is not complete", path)
	}
	if err := os.WriteFile(filepath.Join(dir, "complete"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if path, err := pytools.Find("prog"); err != nil || path != program {
		t.Error(path, err)
	}
	if path, err := pytools.Find("other"); err == nil {
		t.Error(path)
	}
}
