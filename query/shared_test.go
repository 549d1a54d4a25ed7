// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"context"
	_ "embed"
	"testing"

	"ply11/internal/querytest"
	"ply11/query"
	"ply11/query/index"
)

// Texts of games, which the tests of package index read, too.
var (
	// ownGames are of every sort that a query must tell apart: with variations and comments, from a position, with an
	// impossible position, of a variant, with an illegal move, without moves, with promotions, en passant and mate.
	//go:embed testdata/own.pgn
	ownGames string
	// turning is a game that comes back to its start, goes on with another move, and with a move that it has played
	// before.
	//go:embed testdata/turning.pgn
	turning string
	// besides is a game with moves that are in variations alone, in the main line, too, and in both.
	//go:embed testdata/besides.pgn
	besides string
)

// indexed are archives with indexes, some with variations, kept by the archive's first byte.
func indexed(tb testing.TB, indexes map[*byte][]byte, files ...[]byte) []query.Source {
	list := querytest.Sources(files...)
	for i, data := range files {
		if indexes[&data[0]] == nil {
			indexes[&data[0]] = querytest.BuildIndex(tb, data, index.Options{Variations: len(data)%3 > 0})
			if err := querytest.OpenIndex(tb, indexes[&data[0]]).Verify(context.Background(), nil); err != nil {
				tb.Fatal(err)
			}
		}
		list[i].Index = querytest.OpenIndex(tb, indexes[&data[0]])
	}
	return list
}
