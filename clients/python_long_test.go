// SPDX-License-Identifier: Apache-2.0

//go:build long

package clients_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// TestPythonInstall makes the source distribution and the wheel, installs the wheel in another environment, where it
// needs NumPy alone, and runs the tests and the example there.
func TestPythonInstall(t *testing.T) {
	testenv.Tools(t, "gcc", "python3", "objdump")
	dir, root := copyTo(t, t.TempDir(), "python"), t.TempDir()
	run := func(line ...string) string {
		t.Helper()
		return output(t, dir, "", nil, line...)
	}
	build, clean := filepath.Join(root, "build", "bin", "python"), filepath.Join(root, "clean", "bin", "python")
	run("python3", "-m", "venv", filepath.Join(root, "build"))
	run("python3", "-m", "venv", filepath.Join(root, "clean"))
	run(build, "-m", "pip", "install", "-q", "--require-hashes", "-r", "requirements.txt")
	made := filepath.Join(root, "dist")
	output(t, ".", "", nil, "../internal/dist/dist.sh", made, "python") // of the latest commit
	wheels, _ := filepath.Glob(filepath.Join(made, "*-manylinux*x86_64.whl"))
	if all, _ := filepath.Glob(filepath.Join(made, "*.whl")); len(all) != 5 {
		t.Errorf("the wheels are %v", all)
	}
	sources, _ := filepath.Glob(filepath.Join(made, "*.tar.gz"))
	if len(wheels) != 1 || len(sources) != 1 || !strings.Contains(wheels[0], "-py3-none-") {
		t.Fatalf("built are %v %v", wheels, sources)
	}
	// What the wheel's name promises of the C library.
	run(build, "-m", "zipfile", "-e", wheels[0], filepath.Join(root, "unpacked"))
	symbols := run("objdump", "-T", filepath.Join(root, "unpacked", "ply11", "_ply11.so"))
	for _, m := range regexp.MustCompile(`GLIBC_2\.(\d+)`).FindAllStringSubmatch(symbols, -1) {
		if n, _ := strconv.Atoi(m[1]); n > 17 {
			t.Errorf("the wheel is for glibc 2.17, its library asks for %s", m[0])
		}
	}
	// The source distribution alone is enough, too.
	numpy := filepath.Join(root, "numpy.txt")
	text := contents(t, filepath.Join(dir, "requirements.txt"))
	line := regexp.MustCompile(`(?m)^numpy==.*$`).Find(text)
	if err := os.WriteFile(numpy, line, 0o666); err != nil {
		t.Fatal(err)
	}
	run(clean, "-m", "pip", "install", "-q", "--require-hashes", "-r", numpy)
	run(build, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", sources[0])
	run(clean, "-m", "pip", "install", "-q", "--no-deps", wheels[0])
	runPython(t, dir, clean)
	site := filepath.Join(root, "site")
	run(clean, "-m", "pip", "install", "-q", "--no-deps", "--target", site, wheels[0])
	runPythonPGN(t, "PYTHONPATH="+site, "PATH=") // the wheel has the program
}
