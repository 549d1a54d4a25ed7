// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
)

// TestCutWhileOpen cuts an archive off while it is open: what is gone is an error.
func TestCutWhileOpen(t *testing.T) {
	data, _ := archive.MustPack(t, []byte(strings.Repeat("[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n", 5000)),
		archive.WithBlockGames(500))
	path := filepath.Join(t.TempDir(), "cut.p11")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := archive.NewReader(f, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	var g game.Game
	for _, n := range []int{5000, 1, 2500} {
		if err := r.Game(n, &g); !errors.Is(err, archive.ErrCorrupt) {
			t.Errorf("game %d: %v", n, err)
		}
	}
	if _, err := r.Block(r.Blocks()); !errors.Is(err, archive.ErrCorrupt) {
		t.Errorf("the last block: %v", err)
	}
}
