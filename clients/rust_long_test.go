// SPDX-License-Identifier: Apache-2.0

//go:build long

package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ply11/internal/testenv"
)

// TestRust runs the tests of the crate, packs it, and runs the example of its README with what was packed. cargo fetches what Cargo.lock pins.
func TestRust(t *testing.T) {
	testenv.Tools(t, "gcc", "cargo")
	dir, example := copyFolder(t, "rust"), t.TempDir()
	run := func(folder string, args ...string) string {
		t.Helper()
		cmd := exec.Command("cargo", args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "CARGO_TARGET_DIR="+filepath.Join(filepath.Dir(dir), "target"))
		out, err := cmd.Output()
		if err != nil {
			said := out
			if e, ok := err.(*exec.ExitError); ok {
				said = append(said, e.Stderr...)
			}
			t.Fatalf("cargo %v: %v\n%s", args, err, said)
		}
		return string(out)
	}
	run(dir, "test", "--locked", "--quiet")
	run(dir, "package", "--locked", "--allow-dirty", "--quiet")
	packed, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "target", "package", "ply11-*", "Cargo.toml"))
	if len(packed) != 1 {
		t.Fatalf("packed are %v", packed)
	}
	program, want := readmeExample(t, "rust", "rust")
	manifest := "[package]\nname = \"example\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nply11 = { path = \"" + filepath.Dir(packed[0]) + "\" }\n"
	if err := os.WriteFile(filepath.Join(example, "Cargo.toml"), []byte(manifest), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(example, "src"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(example, "src", "main.rs"), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := run(example, "run", "--quiet"); got != want {
		t.Errorf("the example of the README prints\n%s\nwant\n%s", got, want)
	}
}
