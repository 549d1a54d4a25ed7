// SPDX-License-Identifier: Apache-2.0

package files

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
)

// TestWriteToKeep: a run that failed takes away what it has written, but for what is to be kept.
func TestWriteToKeep(t *testing.T) {
	dir := t.TempDir()
	text := func(w io.Writer) error {
		_, err := io.WriteString(w, "text")
		return err
	}
	for _, failed := range []bool{false, true} {
		gone, kept := filepath.Join(dir, "gone"), filepath.Join(dir, "kept")
		if err := Write(t.Context(), gone, text); err != nil {
			t.Fatal(err)
		}
		if err := WriteToKeep(t.Context(), kept, text); err != nil {
			t.Fatal(err)
		}
		EndRun(failed)
		if _, err := os.Stat(gone); (err == nil) == failed {
			t.Errorf("failed %v: %v", failed, err)
		}
		if b, err := os.ReadFile(kept); err != nil || string(b) != "text" {
			t.Errorf("failed %v: %q, %v", failed, b, err)
		}
		if err := os.Remove(kept); err != nil {
			t.Fatal(err)
		}
	}
}
