// SPDX-License-Identifier: Apache-2.0

//go:build long

package dataset_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"ply11/dataset"
	"ply11/internal/datadir"
)

// TestStockfishFile reads small.binpack of the trainer nnue-pytorch, and writes the same bytes.
func TestStockfishFile(t *testing.T) {
	file, err := os.ReadFile(datadir.Path(t, "engines", "small.binpack"))
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"binpack", "bin", "viriformat"} {
		from := file
		if format != "binpack" {
			from = exportOne(t, dataset.Job{Format: format}, packedGames(t, "binpack", file))
		}
		data := packedGames(t, format, from)
		if again := exportOne(t, dataset.Job{Format: "binpack"}, data); !bytes.Equal(again, file) {
			t.Errorf("by way of %s: other bytes", format)
		}
		t.Logf("by way of %s: %d bytes, %d in a dense archive", format, len(from), len(data))
		if len(data) >= len(file) {
			t.Errorf("a dense archive has %d bytes, a binpack %d", len(data), len(file))
		}
	}
}

// packedGames reads a file into a dense archive.
func packedGames(t *testing.T, format string, file []byte) []byte {
	t.Helper()
	list, err := imported(format, file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, g := range list {
		b.WriteString(textOf(g))
	}
	return pack(t, []byte(b.String()), 1024, true)
}
