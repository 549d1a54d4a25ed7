// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/cli"
	"ply11/internal/testenv"
)

// The generated files of the tree are those that the programs make. A file that is another, and one
// that is missing, is told by its name; all are written where there are none.
func TestVectors(t *testing.T) {
	testenv.Slow(t)
	if status, out, errs := genrom(t, "", "vectors", "--check", "--root", "../.."); status != cli.Done {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	root := t.TempDir()
	if status, out, errs := genrom(t, "", "vectors", "--root", root); status != cli.Done {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	picture := filepath.Join(root, "docs", "ply11_map.svg")
	testenv.Must(t, os.WriteFile(picture, []byte("<svg/>\n"), 0o666))
	testenv.Must(t, os.Remove(filepath.Join(root, "hdl", "rtl", "ply11_rom_case.v")))
	status, out, _ := genrom(t, "", "vectors", "--check", "--root", root)
	if status != cli.Wrong || strings.Count(out, "\n") != 2 || !strings.Contains(out, picture) ||
		!strings.Contains(out, "ply11_rom_case.v") {
		t.Errorf("status %d\n%s", status, out)
	}
}
