// SPDX-License-Identifier: Apache-2.0

package bounded_test

import (
	"os/exec"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// TestBound: a function whose work is linear passes, and one whose work is the square of the input's length does not.
func TestBound(t *testing.T) {
	testenv.Slow(t)
	out, err := exec.Command("go", "test", "-v", "-tags", "fuzzed", "-vet=off", "-cover", "-covermode=atomic", "-run",
		"^Fuzz", ".").CombinedOutput()
	for _, line := range []string{"--- PASS: FuzzLine ", "--- FAIL: FuzzSquare ", " bytes take "} {
		if err == nil || !strings.Contains(string(out), line) {
			t.Errorf("no %q: %v\n%s", line, err, out)
		}
	}
}
