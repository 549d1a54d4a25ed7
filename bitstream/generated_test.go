// SPDX-License-Identifier: Apache-2.0

package bitstream_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// The assembly of the tree is what its generators make, by the lines that go generate runs.
func TestAssemblyIsGenerated(t *testing.T) {
	testenv.Tools(t, "go")
	for _, source := range []string{"dense/score.go", "../sim/internal/circuit/circuit.go"} {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		line := regexp.MustCompile(`(?m)^//go:generate go run (\S+) (.*)$`).FindStringSubmatch(string(text))
		if line == nil {
			t.Fatalf("%s has no line for go generate", source)
		}
		folder, dir := filepath.Dir(source), t.TempDir()
		build := exec.Command("go", "build", "-o", filepath.Join(dir, "asm"), line[1])
		build.Dir = folder
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", source, err, out)
		}
		made := exec.Command("./asm", strings.Fields(line[2])...)
		made.Dir = dir
		if out, err := made.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", source, err, out)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*_amd64.*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s makes %q (%v)", source, files, err)
		}
		for _, file := range files {
			name := filepath.Join(folder, filepath.Base(file))
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(name); err != nil || string(got) != string(want) {
				t.Errorf("%s is not what its generator makes (%v): go generate ./%s", name, err,
					filepath.Join("bitstream", folder))
			}
		}
	}
}
