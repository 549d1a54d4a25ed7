// SPDX-License-Identifier: Apache-2.0

//go:build long

package clients_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// TestLibFuzzer does the same with clang's libFuzzer.
func TestLibFuzzer(t *testing.T) {
	testenv.Tools(t, "clang")
	const longest = 16 << 10 // bytes of an input
	absolute, err := filepath.Abs(model)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(buildDir, "libfuzzer")
	line := strings.Fields("-std=c99 -g -O1 -DLIBFUZZER -fsanitize=fuzzer,address,undefined " +
		"-fno-sanitize-recover=all -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION c/ply11.c c/test/fuzz.c -o")
	if out, err := exec.Command("clang", append(line, program)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// Archives, and archives with their indexes, as the target takes them.
	corpus := t.TempDir()
	for i, name := range seedArchives(t) {
		file, err := os.ReadFile(name)
		index, indexErr := os.ReadFile(name + "x")
		if err := errors.Join(err, indexErr); err != nil {
			t.Fatal(err)
		}
		both := append(append([]byte{6, byte(len(file)), byte(len(file) >> 8)}, file...), index...)
		for k, seed := range [][]byte{append([]byte{5}, file...), both} {
			if len(seed) > longest {
				continue
			}
			if err := os.WriteFile(filepath.Join(corpus, fmt.Sprint(2*i+k)), seed, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.Command(program, corpus, "-max_total_time=300", fmt.Sprint("-max_len=", longest),
		"-print_final_stats=1")
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "PLY11_MODEL="+absolute)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out[max(0, len(out)-1000):])
}
