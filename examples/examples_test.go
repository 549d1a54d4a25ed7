// SPDX-License-Identifier: Apache-2.0

package examples_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

//go:generate go test -run ^TestProjects$ -update
var update = flag.Bool("update", false, "write what the examples print into their READMEs")

// Each project builds by its Makefile and prints what its README says.
func TestProjects(t *testing.T) {
	for name, tools := range map[string][]string{
		"icarus":    {"make", "iverilog", "vvp"},
		"mask":      {"make", "iverilog", "vvp"},
		"match":     {"make", "iverilog", "vvp"},
		"verilator": {"make", "verilator", "g++"},
		"netlist":   {"make", "yosys"},
	} {
		t.Run(name, func(t *testing.T) {
			testenv.Tools(t, tools...)
			cmd := exec.CommandContext(t.Context(), "make", "-s", "--no-print-directory", "BUILD="+t.TempDir())
			cmd.Dir = name
			// Not as a part of the make above.
			for _, v := range os.Environ() {
				if !strings.HasPrefix(v, "MAKE") && !strings.HasPrefix(v, "MFLAGS=") {
					cmd.Env = append(cmd.Env, v)
				}
			}
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s%s", err, out, &stderr)
			}
			readme := filepath.Join(name, "README.md")
			text, err := os.ReadFile(readme)
			if err != nil {
				t.Fatal(err)
			}
			const begin, end = "```console\n$ make -s\n", "```\n"
			head, rest, ok := strings.Cut(string(text), begin)
			want, tail, closed := strings.Cut(rest, end)
			if !ok || !closed {
				t.Fatalf("%s has no block that begins with $ make -s", readme)
			}
			if *update {
				if err := os.WriteFile(readme, []byte(head+begin+string(out)+end+tail), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if string(out) != want {
				t.Errorf("make -s prints\n%s\nnot what %s says\n%s\nmend it with: go test ./examples -update", out,
					readme, want)
			}
		})
	}
}
