// SPDX-License-Identifier: Apache-2.0

//go:build long

package dataset_test

import (
	"bytes"
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

// TestValues: DuckDB, pyarrow, polars and NumPy read of 20,500 games of masters and of Lichess, which have evaluations and clocks, what python-chess reads of the PGN: each tag, move, number and board.
func TestValues(t *testing.T) {
	py := testenv.Python(t)
	const games = 20_500
	text := readText(t, datadir.Path(t, "pgn", "annotated", "lichess-1k.pgn.zst"), math.MaxInt64)
	text = append(bytes.TrimSpace(text), "\n\n"...)
	master := readText(t, datadir.Path(t, "pgn", "master", "master-50k.pgn.zst"), math.MaxInt64)
	for left := games - bytes.Count(text, []byte("[Event ")); left > 0; left-- {
		end := bytes.Index(master[1:], []byte("\n[Event ")) + 2
		text, master = append(text, master[:end]...), master[end:]
	}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("games.pgn"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	source := sourceOf("a.p11", pack(t, text, 1000, false))
	for name, format := range map[string]string{"games.parquet": "parquet", "positions.parquet": "parquet-positions", "games.npz": "npz"} {
		m := exportTo(t, path(name), dataset.Options{Job: dataset.Job{Format: format}, Single: true}, source)
		if m.Games != games {
			t.Fatalf("%s: %d games", name, m.Games)
		}
		if m.Labels != nil {
			if err := os.WriteFile(path("games.labels.txt"), []byte(strings.Join(m.Labels.Order, "\n")), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := exec.Command(py, "-B", "testdata/oracle/values.py", path("games.pgn"), dir).CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "20500 ") {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("games and positions: %s", out)
}
