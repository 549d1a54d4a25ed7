// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"os/exec"
	"testing"

	"ply11/internal/testenv"
)

// TestFuzz gives changed inputs to every function of the core that reads, under the sanitizers.
func TestFuzz(t *testing.T) {
	rounds := "6000"
	if testenv.Long {
		rounds = "200000"
	}
	eachBuild(t, func(t *testing.T, b *build) {
		if !b.slow {
			return // sanitizers and other processors
		}
		line := append(b.run[:len(b.run):len(b.run)], b.compile(t, "fuzz"), rounds)
		if out, err := exec.Command(line[0], line[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	})
}
