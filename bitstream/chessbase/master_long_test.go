// SPDX-License-Identifier: Apache-2.0

//go:build long

package chessbase

import (
	"testing"

	"ply11/internal/codectest"
	"ply11/internal/datadir"
)

// TestWrongNumberingMaster is TestWrongNumbering of 50,000 master games: the package's documentation and
// docs/hardware.md have the counts.
func TestWrongNumberingMaster(t *testing.T) {
	datadir.Path(t, "pgn", "master", "master-50k.pgn.zst") // skips where it is absent
	games := codectest.RealGames(t).Games()
	if same, other, wrong := readWrongly(t, games); same != 40_848 || other != 1267 || wrong != 7885 {
		t.Errorf("%d games are the same, %d have other moves, %d have a wrong one", same, other, wrong)
	}
}
