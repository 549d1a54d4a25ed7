// SPDX-License-Identifier: Apache-2.0

//go:build long

package cosim

import (
	"testing"

	"ply11/bitstream/chessbase"
)

// 50,000 games by their numbers.
func TestChessBaseMaster(t *testing.T) {
	playNumbers(t, chessbase.NumberingDocument, fileLines(t, 50000, "pgn", "master", "master-50k.pgn.zst"))
}
