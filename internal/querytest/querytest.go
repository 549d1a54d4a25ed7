// SPDX-License-Identifier: Apache-2.0

// Package querytest makes archives and indexes in memory for the tests of several packages.
package querytest

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/gamegen"
	"ply11/internal/testenv"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

// Generated is an archive of n made-up games, and the games.
func Generated(tb testing.TB, n int, options ...archive.WriterOption) ([]byte, []*game.Game) {
	tb.Helper()
	return ArchiveBy(tb, gamegen.New(3), n, options...)
}

// ArchiveBy is an archive of the next n games of a generator, and the games.
func ArchiveBy(tb testing.TB, gen *gamegen.Generator, n int, options ...archive.WriterOption) ([]byte, []*game.Game) {
	tb.Helper()
	var b bytes.Buffer
	w := archive.NewWriter(&b, options...)
	var list []*game.Game
	for range n {
		g := new(game.Game)
		gen.Next(g)
		testenv.Must(tb, w.Write(g))
		list = append(list, g)
	}
	testenv.Must(tb, w.Close())
	return b.Bytes(), list
}

// Pack makes an archive of a PGN text.
func Pack(tb testing.TB, text []byte, o ...archive.PackOption) []byte {
	tb.Helper()
	var b bytes.Buffer
	_, err := archive.Pack(tb.Context(), &b, bytes.NewReader(text), o...)
	testenv.Must(tb, err)
	return b.Bytes()
}

// ExactQuery asks for a position.
func ExactQuery(tb testing.TB, at position.Position) *query.Query {
	tb.Helper()
	q := query.New()
	testenv.Must(tb, q.Add("fen", at.FEN()))
	return q
}

// Sources are archives without indexes, with the names 0.p11, 1.p11 and so on.
func Sources(files ...[]byte) (list []query.Source) {
	for i, data := range files {
		list = append(list, query.Source{Name: fmt.Sprintf("%d.p11", i), Reader: bytes.NewReader(data),
			Size: int64(len(data))})
	}
	return list
}

// BuildIndex makes the index of an archive.
func BuildIndex(tb testing.TB, data []byte, o index.Options) []byte {
	tb.Helper()
	o.Temp = filepath.Join(tb.TempDir(), "x")
	var b bytes.Buffer
	_, err := index.Build(tb.Context(), &b, Sources(data)[0].File(), o)
	testenv.Must(tb, err)
	return b.Bytes()
}

// BuildTree makes the tree file of an archive.
func BuildTree(tb testing.TB, data []byte, o index.TreeOptions) []byte {
	tb.Helper()
	o.Temp = filepath.Join(tb.TempDir(), "x")
	var b bytes.Buffer
	_, err := index.BuildTree(tb.Context(), &b, Sources(data)[0].File(), o)
	testenv.Must(tb, err)
	return b.Bytes()
}

// OpenTree opens a tree file.
func OpenTree(tb testing.TB, file []byte) *index.TreeFile {
	tb.Helper()
	t, err := index.OpenTree(bytes.NewReader(file), int64(len(file)))
	testenv.Must(tb, err)
	return t
}

// OpenIndex opens an index.
func OpenIndex(tb testing.TB, file []byte) *index.Index {
	tb.Helper()
	x, err := index.Open(bytes.NewReader(file), int64(len(file)))
	testenv.Must(tb, err)
	return x
}
