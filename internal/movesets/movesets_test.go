// SPDX-License-Identifier: Apache-2.0

package movesets

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

//go:generate go test -run ^TestVectors$ -update
var update = flag.Bool("update", false, "write hdl/tb/ply11_moves/positions.hex")

// The bench's positions are those that Vectors makes.
func TestVectors(t *testing.T) {
	const path = "../../hdl/tb/ply11_moves/positions.hex"
	want, err := Vectors(1, RandomPositions, RandomDoubleChecks, MorePositions)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%s differs (%v): go test ./internal/movesets -update", path, err)
	}
}
