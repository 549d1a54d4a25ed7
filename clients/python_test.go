// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/pytools"
	"ply11/internal/samples"
	"ply11/internal/testenv"
)

// runExamples runs the programs of a README that say what they print.
func runExamples(t *testing.T, folder, language string, run func(program string) string) {
	t.Helper()
	for _, example := range readmeExamples(t, folder, language) {
		if got := run(example[0]); got != example[1] {
			t.Errorf("the example of %s/README.md prints\n%s\nwant\n%s", folder, got, example[1])
		}
	}
}

// readmeExamples returns these programs, each with what it prints.
func readmeExamples(t *testing.T, folder, language string) (examples [][2]string) {
	t.Helper()
	text := string(contents(t, filepath.Join(folder, "README.md")))
	example := regexp.MustCompile("(?s)```" + language + "\n(.*?)```\n(?:```text\n(.*?)```\n)?")
	for _, m := range example.FindAllStringSubmatch(text, -1) {
		if m[2] != "" {
			examples = append(examples, [2]string{m[1], m[2]})
		}
	}
	if len(examples) == 0 {
		t.Fatalf("%s/README.md has no example in %s", folder, language)
	}
	return examples
}

// copyTo copies a folder of clients, with the core and the model beside it, and without what builds leave.
func copyTo(t *testing.T, root, name string) (dir string) {
	t.Helper()
	dir = filepath.Join(root, "clients", name)
	out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", name, "c").Output()
	if err != nil {
		t.Skipf("no repository: %v", err)
	}
	for _, file := range append(strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), model) {
		copyFile(t, file, filepath.Join(root, "clients", file))
	}
	return dir
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, contents(t, from), 0o666))
	if err != nil {
		t.Fatal(err)
	}
}

// packageFolder returns a copy in which a package was built, once.
func packageFolder(t *testing.T, name string, build func(dir string)) string {
	t.Helper()
	dir := filepath.Join(buildDir, "clients", name)
	once(dir, func() { build(copyTo(t, buildDir, name)) })
	return dir
}

// ply11 builds the command once, and runs it.
func ply11(t *testing.T, args ...string) string {
	t.Helper()
	program := filepath.Join(buildDir, "ply11")
	once(program, func() { output(t, ".", "", nil, "go", "build", "-o", program, "../cmd/ply11") })
	return output(t, ".", "", nil, append([]string{program}, args...)...)
}

// TestPython runs the tests of the Python package, and the example of its README, without a network.
func TestPython(t *testing.T) {
	dir := pythonFolder(t)
	runPython(t, dir, findPython(), "PYTHONPATH="+filepath.Join(dir, "src"))
}

// TestPythonPolicy trains the network of examples/python for ten steps.
func TestPythonPolicy(t *testing.T) {
	dir, work := pythonFolder(t), t.TempDir()
	games := filepath.Join(work, "games.pgn")
	copyFile(t, "../testdata/famous.pgn", games)
	ply11(t, "--version") // which policy.py runs
	out := output(t, ".", "", []string{"PYTHONPATH=" + filepath.Join(dir, "src"),
		"PATH=" + buildDir + string(os.PathListSeparator) + os.Getenv("PATH")},
		findPython(), "-B", "../examples/python/policy.py", games, "10")
	// What the README shows of Python reads a file of its own.
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(readme), "```python\n")
	program, _, _ = strings.Cut(program, "```")
	program = strings.ReplaceAll(program, "testdata/famous.pgn", "games.pgn")
	if said := output(t, work, "", []string{"PYTHONPATH=" + filepath.Join(dir, "src"),
		"PATH=" + buildDir + string(os.PathListSeparator) + os.Getenv("PATH")}, findPython(), "-B", "-c",
		program); !strings.HasPrefix(said, "(256, 112, 8, 8) (256,) (256,)\n") {
		t.Errorf("the README's program prints\n%s", said)
	}
	var losses []float64
	for line := range strings.Lines(out) {
		var step int
		var loss float64
		if n, err := fmt.Sscanf(line, "step %d: %f nats a move", &step, &loss); n != 2 || err != nil ||
			step != len(losses)+1 {
			t.Fatalf("it prints %q", line)
		}
		losses = append(losses, loss)
	}
	if len(losses) != 10 || losses[9] > losses[0]-0.1 {
		t.Errorf("the losses of ten steps are %v", losses)
	}
	plot, err := os.ReadFile(filepath.Join(work, "games.svg"))
	if err != nil || xml.Unmarshal(plot, new(struct{})) != nil || strings.Count(string(plot), ",") != 10 {
		t.Errorf("the plot is %q: %v", plot, err)
	}
}

// pythonFolder is the Python package, with the core in it.
func pythonFolder(t *testing.T) string {
	t.Helper()
	testenv.Tools(t, "python3")
	return packageFolder(t, "python", func(dir string) {
		to := filepath.Join(dir, "src", "ply11")
		gcc(t, "-std=c99 -O2 -pedantic -Wall -Wextra -Werror -shared -fPIC -Ic -Ipython/src/ply11 c/ply11.c "+
			"python/host.c -o", filepath.Join(to, "_ply11.so"))
		for _, file := range []string{model, "c/ply11.h"} {
			copyFile(t, file, filepath.Join(to, filepath.Base(file)))
		}
	})
}

// findPython returns a Python that has NumPy, if there is one.
func findPython() string {
	const debian = "/usr/bin/python3"
	if exec.Command(debian, "-c", "import numpy").Run() != nil {
		return "python3"
	}
	return debian
}

// exportFolder writes an archive of several blocks, with evaluations, and the arrays that the command exports of it.
func exportFolder(t *testing.T) (path, export string) {
	t.Helper()
	dir := t.TempDir()
	path, export = filepath.Join(dir, "games.p11"), filepath.Join(dir, "set")+"/"
	var text []byte
	for _, name := range samples.Names {
		text = append(append(text, samples.File(name)...), "\n\n"...)
	}
	if err := os.WriteFile(path, pack(t, text, archive.WithBlockGames(8)), 0o666); err != nil {
		t.Fatal(err)
	}
	ply11(t, "index", "-q", "--min-games", "1", path)
	ply11(t, "export", "--to", "npy", "--labels", "lc0", "--planes", "lc0", "--legal", "-o", export, path)
	return path, export
}

// TestPythonTypes: checkers of types find nothing wrong in the package, nor in a program that uses it.
func TestPythonTypes(t *testing.T) {
	dir := copyTo(t, t.TempDir(), "python")
	const program = `import ply11

archive = ply11.open("games.p11")
print(archive[0].moves, [batch.moves for batch in archive.batches(100)])
with ply11.open("games.pgn.zst", beside=True) as other:
    print(other.find("eco=C3") + 1, ply11.Dataset("games.p11", 100, shuffle=1))
`
	if err := os.WriteFile(filepath.Join(dir, "src", "program.py"), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	python, err := pytools.Find("python")
	if err != nil {
		t.Skip("Python's packages of internal/pytools are not installed: ", err)
	}
	pyright, err := pytools.FindNPM("pyright")
	if err != nil {
		t.Skip("npm's packages of internal/pytools are not installed: ", err)
	}
	src := filepath.Join(dir, "src")
	output(t, src, "", nil, python, "-m", "mypy", "--strict", "ply11", "program.py")
	output(t, src, "", nil, pyright, "--pythonpath", python, "ply11", "program.py")
}

func pythonReads(t *testing.T, program string, lines []string) string {
	t.Helper()
	dir := pythonFolder(t)
	return output(t, dir, strings.Join(lines, "\n"), []string{"PYTHONPATH=" + filepath.Join(dir, "src")},
		findPython(), "-B", "tests/"+map[string]string{"games": "games", "trees": "trees",
			"counts": "trees"}[program]+".py", program)
}

// runPython runs the tests and the example.
func runPython(t *testing.T, dir, python string, env ...string) {
	t.Helper()
	path, export := exportFolder(t)
	env = append(env, "PLY11_ARCHIVE="+path, "PLY11_EXPORT="+export)
	output(t, dir, "", env, python, "-B", "-m", "unittest", "discover", "tests")
	runExamples(t, "python", "python", func(program string) string {
		return output(t, t.TempDir(), "", env, python, "-B", "-c", program)
	})
}
