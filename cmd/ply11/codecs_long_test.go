// SPDX-License-Identifier: Apache-2.0

//go:build long

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/datadir"
	"ply11/internal/formats"
)

// All of master-50k through every format and back: the same start and the same moves, so the same positions. And the
// README's table is what this finds, but for the archive, whose encoder may choose.
func TestCodecsMaster(t *testing.T) {
	path := datadir.Path(t, "pgn", "master", "master-50k.pgn.zst")
	pgn, err := formats.ByName("pgn")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := measure(pgn, path, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Games != 50_000 || r.Plies != rows[0].Plies {
			t.Errorf("%s: %d games, %d plies, want 50000 and %d", r.Name, r.Games, r.Plies, rows[0].Plies)
		}
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, shown, found := strings.Cut(string(readme), "<!-- ply11 codecs -->\n")
	shown, _, ended := strings.Cut(shown, "<!-- end -->")
	if !found || !ended {
		t.Fatal("README.md has no table of ply11 codecs")
	}
	for _, line := range strings.Split(codecTable(rows), "\n") {
		if !strings.HasPrefix(line, "| `p11`") && !strings.Contains(shown, line+"\n") && line != "" {
			t.Errorf("README.md has not what ply11 codecs finds of master-50k:\n%s", line)
		}
	}
}
