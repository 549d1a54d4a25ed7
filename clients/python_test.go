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

// readmeExample returns the first program of a README in a language, and what it prints.
func readmeExample(t *testing.T, folder, language string) (program, want string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "```"+language+"\n")
	program, rest, closed := strings.Cut(rest, "```\n```text\n")
	want, _, ended := strings.Cut(rest, "```\n")
	if !ok || !closed || !ended {
		t.Fatalf("%s/README.md has no example in %s", folder, language)
	}
	return program, want
}

// copyFolder copies a folder of clients, without what builds leave there, to a new one.
func copyFolder(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", name, "c").Output()
	if err != nil {
		t.Skipf("no repository: %v", err)
	}
	for _, file := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(filepath.Dir(dir), file)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPython runs the tests of the Python package, and the example of its README, with Debian's NumPy and the core that gcc builds: without a network. make long
// also installs it.
func TestPython(t *testing.T) {
	testenv.Tools(t, "gcc", "python3")
	dir := copyFolder(t, "python")
	if out, err := exec.Command("gcc", "-std=c99", "-O2", "-shared", "-fPIC", "c/ply11.c", "-o", filepath.Join(dir, "src", "ply11", "_ply11.so")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	python := "/usr/bin/python3"
	if exec.Command(python, "-c", "import numpy").Run() != nil {
		python = "python3"
	}
	runPython(t, dir, python, "PYTHONPATH="+filepath.Join(dir, "src"))
}

// runPython runs the tests and the example.
func runPython(t *testing.T, dir, python string, env ...string) {
	t.Helper()
	cmd := exec.Command(python, "-B", "-m", "unittest", "discover", "tests")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	program, want := readmeExample(t, "python", "python")
	cmd = exec.Command(python, "-B", "-c", program)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != want {
		t.Errorf("the example of the README prints %v\n%s\nwant\n%s", err, out, want)
	}
}
