// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"slices"
	"testing"

	"ply11/testdata/samples"
)

// TestNames: each file of the folder is in Names, from which the tests have what they read, and there is no other name.
func TestNames(t *testing.T) {
	entries, err := samples.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, e := range entries {
		files = append(files, e.Name())
	}
	names := slices.Sorted(slices.Values(Names))
	if !slices.Equal(files, names) {
		t.Errorf("testdata/samples has %v, and Names %v", files, names)
	}
}
