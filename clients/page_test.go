// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPage builds the program of docs/clients.md, without a warning, and runs it.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```c\n")
	program, rest, _ := strings.Cut(rest, "```\n```text\n")
	want, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("docs/clients.md has no program in C")
	}
	source := filepath.Join(t.TempDir(), "example.c")
	if err := os.WriteFile(source, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	gcc(t, warnings+" -std=c99 -O2 -Ic c/ply11.c", source, "-o", source+".out")
	if out := output(t, ".", "", nil, source+".out"); out != want {
		t.Errorf("it prints %q, want %q", out, want)
	}
}
