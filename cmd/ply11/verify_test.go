// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/internal/cli"
)

// Files that are no archives are verified too; each thing wrong is told with its place.
func TestVerifyOther(t *testing.T) {
	dir := t.TempDir()
	mate := writeFile(t, dir, "mate.pgn", scholarsMate+scholarsMate)
	cbf := filepath.Join(dir, "a.cbf")
	convertHere(t, "pgn", "chessbase", mate, cbf)
	for _, path := range []string{mate, cbf} {
		if code, told := runHere(t, "verify", "--quiet", path); code != 0 || told != "" {
			t.Errorf("%s: exit code %d: %s", path, code, told)
		}
	}
	whole, err := os.ReadFile(cbf)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		at   int
		want string
	}{
		{"byte 13 of the second game", 24 + 13, "offset 37: game 2: "},
		{"the number of moves", 12, "offset 12: game 1: "},
		{"a move of the first game", 14, "game 1, ply 1"},
	} {
		b := append([]byte(nil), whole...)
		b[c.at] ^= 0x55
		if err := os.WriteFile(cbf, b, 0o666); err != nil {
			t.Fatal(err)
		}
		code, told := runHere(t, "verify", "--quiet", cbf)
		if code != cli.Wrong || !strings.Contains(told, "a.cbf: ") || !strings.Contains(told, c.want) {
			t.Errorf("%s: exit code %d: %s", c.name, code, told)
		}
	}
	bad := writeFile(t, dir, "bad.pgn", strings.Replace(scholarsMate, "Qxf7#", "Qxf8#", 1)+scholarsMate)
	if code, told := runHere(t, "verify", bad); code != cli.Wrong || !strings.Contains(told, "bad.pgn:9") {
		t.Errorf("exit code %d: %s", code, told)
	}
	if code, told := runHere(t, "verify", filepath.Join(dir, "no.cbf")); code != cli.Failed {
		t.Errorf("exit code %d: %s", code, told)
	}
}
