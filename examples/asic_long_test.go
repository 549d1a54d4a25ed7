// SPDX-License-Identifier: Apache-2.0

//go:build long

package examples_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// The modules are laid out, pass their checks and their benches, and are as large and fast as the README says.
func TestChip(t *testing.T) {
	testenv.Tools(t, "qflow", "yosys", "graywolf", "qrouter", "magic", "netgen-lvs", "sta", "iverilog", "vvp")
	readme, err := os.ReadFile("asic/README.md")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "./layout", "decode", "encode", "unpack", "board", "player")
	cmd.Dir = "asic"
	cmd.Env = append(os.Environ(), "BUILD="+t.TempDir())
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, &stderr)
	}
	for row := range strings.Lines(string(out)) {
		if !strings.Contains(string(readme), row) {
			t.Errorf("asic/README.md does not have the row\n%s", row)
		}
	}
}
