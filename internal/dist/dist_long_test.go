// SPDX-License-Identifier: Apache-2.0

//go:build long

package dist

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ply11/internal/testenv"
)

// TestTwice makes everything twice, in folders of different names: the bytes are the same. Then it has check.sh use
// what was made.
func TestTwice(t *testing.T) {
	testenv.Tools(t, "clang", "cargo", "npm", "python3", "gcc")
	first, second := makeParts(t), makeParts(t)
	var sums [2]string
	for i, dir := range []string{first, second} {
		text, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = string(text)
	}
	if sums[0] != sums[1] {
		t.Errorf("made twice:\n%s\n%s", sums[0], sums[1])
	}
	if text, err := exec.Command("./check.sh", first).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}
