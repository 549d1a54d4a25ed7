// SPDX-License-Identifier: Apache-2.0

//go:build long

package dataset_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/dataset"
	"ply11/internal/datadir"
	"ply11/internal/testenv"
)

// TestValues: DuckDB, pyarrow, polars and NumPy read of 20,500 games what python-chess reads of the PGN: moves, evals,
// clocks, tags of columns, and all columns of positions but legal_count.
func TestValues(t *testing.T) {
	const games, each = 20_500, 3_500
	text := readText(t, datadir.Path(t, "pgn", "annotated", "lichess-1k.pgn.zst"), math.MaxInt64)
	text = append(append(bytes.TrimSpace(text), "\n\n"...),
		readText(t, datadir.Path(t, "pgn", "master", "master-50k.pgn.zst"), math.MaxInt64)...)
	for first := 0; first < games; first += each {
		n := min(each, games-first)
		end := 0
		for range n {
			end += bytes.Index(text[end+1:], []byte("\n[Event ")) + 2
		}
		part := text[:end]
		text = text[end:]
		t.Run(fmt.Sprint(first/each+1), func(t *testing.T) { checkValues(t, part, n) })
	}
}

// checkValues checks so many games.
func checkValues(t *testing.T, text []byte, games int) {
	py := testenv.Python(t)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("games.pgn"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	source := sourceOf("a.p11", pack(t, text, 1000, false))
	for name, format := range map[string]string{"games.parquet": "parquet", "positions.parquet": "parquet-positions",
		"games.npz": "npz"} {
		m := exportTo(t, path(name), dataset.Options{Job: dataset.Job{Format: format}, Single: true}, source)
		if m.Games != games {
			t.Fatalf("%s: %d games", name, m.Games)
		}
		if m.Labels != nil {
			if err := os.WriteFile(path("games.labels.txt"), m.LabelsText(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := exec.Command(py, "-B", "testdata/oracle/values.py", path("games.pgn"), dir).CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), fmt.Sprint(games, " ")) {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("games and positions: %s", out)
}
