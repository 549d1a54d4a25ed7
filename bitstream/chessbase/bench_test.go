// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"testing"

	"ply11/internal/codectest"
	"ply11/moveindex"
	"ply11/position"
)

// benchRecords are the games of the pair with long main lines, and their number of halfmoves.
func benchRecords(b *testing.B) (list []*Record, plies int) {
	cbf, cbi := readPair(b, "gnuchess_underpromotions")
	for _, g := range readAll(b, newReader(b, cbf, cbi)) {
		rec := new(Record)
		if err := EncodeGame(g, rec, NumberingDocument); err != nil {
			b.Fatal(err)
		}
		plies += len(rec.Moves)
		list = append(list, rec)
	}
	return list, plies
}

func BenchmarkDecodeIndices(b *testing.B) {
	list, plies := benchRecords(b)
	start := position.Start()
	var dst []moveindex.Index
	codectest.Plies(b, plies, func() {
		for _, r := range list {
			var err error
			if dst, err = AppendIndices(dst[:0], r.Moves, &start, NumberingDocument); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEncodeIndices(b *testing.B) {
	list, plies := benchRecords(b)
	start := position.Start()
	var words [][]moveindex.Index
	for _, r := range list {
		w, err := AppendIndices(nil, r.Moves, &start, NumberingDocument)
		if err != nil {
			b.Fatal(err)
		}
		words = append(words, w)
	}
	var dst []byte
	codectest.Plies(b, plies, func() {
		for _, w := range words {
			var err error
			if dst, err = AppendMoves(dst[:0], w, &start, NumberingDocument); err != nil {
				b.Fatal(err)
			}
		}
	})
}
