// SPDX-License-Identifier: Apache-2.0

//go:build long

package clients

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// TestLibFuzzer does the same with clang's libFuzzer, which learns from what an input reaches.
func TestLibFuzzer(t *testing.T) {
	testenv.Tools(t, "clang")
	program := filepath.Join(buildDir, "libfuzzer")
	line := strings.Fields("-std=c99 -g -O1 -DLIBFUZZER -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all c/ply11.c c/test/fuzz.c -o")
	if out, err := exec.Command("clang", append(line, program)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program, "-max_total_time=60", "-max_len=400", "-print_final_stats=1")
	cmd.Dir = t.TempDir()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
