// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/internal/pytools"
	"ply11/internal/samples"
	"ply11/internal/testenv"
)

// readmeExamples returns the programs of a README in a language of which it tells what they print, each with that.
func readmeExamples(t *testing.T, folder, language string) (examples [][2]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "```"+language+"\n")[1:] {
		program, rest, closed := strings.Cut(part, "```\n")
		if !closed {
			t.Fatalf("%s/README.md has an example that does not end:\n%s", folder, part)
		}
		rest, told := strings.CutPrefix(rest, "```text\n")
		if !told {
			continue
		}
		want, _, ended := strings.Cut(rest, "```\n")
		if !ended {
			t.Fatalf("%s/README.md has an output that does not end:\n%s", folder, rest)
		}
		examples = append(examples, [2]string{program, want})
	}
	if len(examples) == 0 {
		t.Fatalf("%s/README.md has no example in %s", folder, language)
	}
	return examples
}

// copyFolder copies a folder of clients, without what builds leave there, to a new one, and what stands beside it in
// the project: the core, and the model.
func copyFolder(t *testing.T, name string) string {
	t.Helper()
	return copyTo(t, t.TempDir(), name)
}

// builtFolder is a copy in which a test has built, once for all tests that only run what is built.
func builtFolder(t *testing.T, name string, build func(dir string)) string {
	t.Helper()
	buildLock.Lock()
	defer buildLock.Unlock()
	root := filepath.Join(buildDir, "built-"+name)
	dir := filepath.Join(root, "clients", name)
	said, done := built[root]
	if !done {
		copyTo(t, root, name)
		defer func() {
			if _, done := built[root]; !done && t.Failed() {
				built[root] = "it cannot be built: " + t.Name() + " tells why"
			}
		}()
		build(dir)
		built[root] = ""
	}
	if said != "" {
		t.Fatal(said)
	}
	return dir
}

// copyTo is copyFolder to a folder below root.
func copyTo(t *testing.T, root, name string) string {
	t.Helper()
	dir := filepath.Join(root, "clients", name)
	data, err := os.ReadFile(model)
	to := filepath.Join(dir, "..", model)
	if err := errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, data, 0o666)); err != nil {
		t.Fatal(err)
	}
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

// TestPython runs the tests of the Python package, and the example of its README, with Debian's NumPy and the core that
// gcc builds: without a network. make long also installs it.
func TestPython(t *testing.T) {
	testenv.Tools(t, "gcc", "python3")
	dir := copyFolder(t, "python")
	buildPython(t, dir)
	runPython(t, dir, findPython(), "PYTHONPATH="+filepath.Join(dir, "src"))
}

// TestPythonPolicy trains the network of examples/python for ten steps: it has learnt something, and there is a plot.
func TestPythonPolicy(t *testing.T) {
	testenv.Tools(t, "gcc", "python3")
	dir, work := copyFolder(t, "python"), t.TempDir()
	buildPython(t, dir)
	if out, err := exec.Command("go", "build", "-o", work, "../cmd/ply11").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	games, err := os.ReadFile("../testdata/famous.pgn")
	if err := errors.Join(err, os.WriteFile(filepath.Join(work, "games.pgn"), games, 0o666)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(findPython(), "-B", "../examples/python/policy.py", filepath.Join(work, "games.pgn"), "10")
	cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(dir, "src"),
		"PATH="+work+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var losses []float64
	for line := range strings.Lines(string(out)) {
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

// buildPython puts the core, which is built once, into a copy of the Python package.
func buildPython(t *testing.T, dir string) {
	t.Helper()
	object := filepath.Join(buildDir, "_ply11.so")
	buildLock.Lock()
	defer buildLock.Unlock()
	said, done := built[object]
	if !done {
		line := strings.Fields(
			"-std=c99 -O2 -pedantic -Wall -Wextra -Werror -shared -fPIC -Ic c/ply11.c python/host.c -o")
		if out, err := exec.Command("gcc", append(line, object)...).CombinedOutput(); err != nil {
			said = fmt.Sprintf("%v\n%s", err, out)
		}
		built[object] = said
	}
	if said != "" {
		t.Fatal(said)
	}
	for from, to := range map[string]string{object: "_ply11.so", model: "model1.bin.zst"} {
		data, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "src", "ply11", to), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// findPython returns a Python that has NumPy, if there is one.
func findPython() string {
	const debian = "/usr/bin/python3"
	if exec.Command(debian, "-c", "import numpy").Run() != nil {
		return "python3"
	}
	return debian
}

// exportFolder writes an archive of several blocks, with evaluations, to a folder, and the arrays that the command
// exports of it.
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
	cmd := exec.Command("go", "run", "../cmd/ply11", "export", "--to", "npy", "--labels", "lc0", "--planes", "lc0",
		"--legal", "-o", export, path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path, export
}

// TestPythonTypes: checkers of types find nothing wrong in the package, nor in a program that uses it.
func TestPythonTypes(t *testing.T) {
	dir := copyFolder(t, "python")
	const program = `import ply11

archive = ply11.open("games.p11")
print(archive[0].moves, [batch.moves for batch in archive.batches(100)])
with ply11.open(b"") as other:
    print(len(other), ply11.Dataset("games.p11", 100, shuffle=1))
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

// pythonReads gives archives, by their paths, to a program of the Python package, and returns what it says of each.
func pythonReads(t *testing.T, program string, paths []string) []string {
	t.Helper()
	testenv.Tools(t, "gcc", "python3")
	dir := copyFolder(t, "python")
	buildPython(t, dir)
	cmd := exec.Command(findPython(), "-B", "tests/"+program)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PYTHONPATH="+filepath.Join(dir, "src"))
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\n"))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	return answers(t, string(out), len(paths))
}

// TestPythonArchives compares all that the Python package reads of archives with what the Go package reads.
func TestPythonArchives(t *testing.T) {
	root := t.TempDir()
	var paths, names, want []string
	for name, text := range texts(t) {
		path := filepath.Join(root, strconv.Itoa(len(names)))
		file := pack(t, text, archive.WithDense(len(names)%2 == 1 && len(text) < 1<<17))
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		paths, names, want = append(paths, path), append(names, name), append(want, says(t, file))
	}
	for i, got := range pythonReads(t, "lines.py", paths) {
		t.Run(names[i], func(t *testing.T) { sameLines(t, got, want[i]) })
	}
}

// runPython runs the tests and the example.
func runPython(t *testing.T, dir, python string, env ...string) {
	t.Helper()
	path, export := exportFolder(t)
	env = append(env, "PLY11_ARCHIVE="+path, "PLY11_EXPORT="+export)
	cmd := exec.Command(python, "-B", "-m", "unittest", "discover", "tests")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, example := range readmeExamples(t, "python", "python") {
		cmd = exec.Command(python, "-B", "-c", example[0])
		cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != example[1] {
			t.Errorf("the example of the README prints %v\n%s\nwant\n%s", err, out, example[1])
		}
	}
}
