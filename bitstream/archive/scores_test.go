// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"testing"

	"ply11/internal/datadir"
)

// TestScoreSize: a move and its evaluation take together at most 1.4 bytes in a dense archive, and nothing is lost.
func TestScoreSize(t *testing.T) {
	text := readData(t, datadir.Path(t, "pgn", "annotated", "lichess-1k.pgn.zst"))
	data, _ := mustPack(t, text, WithDense(true))
	if got := mustUnpack(t, data); !bytes.Equal(got, text) {
		t.Fatal(firstDifference(text, got))
	}
	r := mustOpen(t, data)
	sizes := map[ColumnKind]int64{}
	evals, plies := 0, 0
	for n := range r.Blocks() {
		b, err := r.Block(n + 1)
		if err != nil {
			t.Fatal(err)
		}
		plies += b.Plies()
		for _, c := range b.Columns() {
			sizes[c.Kind] += c.Stored
		}
		comments, err := b.column(columnText)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range []byte{textEval, textEvalDecimal, textMate} {
			evals += bytes.Count(comments, []byte{code})
		}
	}
	if evals != bytes.Count(text, []byte("[%eval ")) {
		t.Errorf("%d evaluations are in the typed column, of %d", evals, bytes.Count(text, []byte("[%eval ")))
	}
	moves := float64(sizes[ColumnDense]+sizes[columnGames]) / float64(plies)
	scores := float64(sizes[columnEvals]) / float64(evals)
	t.Logf("%d plies, %d evaluations: %.3f bytes a move, %.3f an evaluation, %.3f together", plies, evals, moves, scores, moves+scores)
	if moves+scores > 1.4 {
		t.Errorf("a move and its evaluation take %.3f bytes", moves+scores)
	}
}
