// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// TestPage builds the program of docs/clients.md, without a warning, and runs it.
func TestPage(t *testing.T) {
	testenv.Tools(t, "gcc")
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
	line := append(strings.Fields("-std=c99 -O2 -Ic -o "+source+".out "+source+" c/ply11.c"),
		strings.Fields(warnings)...)
	if out, err := exec.Command("gcc", line...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(source + ".out").Output(); err != nil || string(out) != want {
		t.Errorf("it prints %q, %v, want %q", out, err, want)
	}
}
