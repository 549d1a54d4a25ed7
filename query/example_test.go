// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"context"
	"fmt"

	"ply11/bitstream/archive"
	"ply11/position"
	"ply11/query"
)

func ExampleGames() {
	var file bytes.Buffer
	archive.Pack(context.Background(), &file, bytes.NewReader([]byte(ownGames)))

	q := query.New()
	q.Add("result", "0-1")
	q.Add("pattern", "qh4 Ke1")

	sources := []query.Source{{Name: "games.p11", Reader: bytes.NewReader(file.Bytes()), Size: int64(file.Len())}}
	for line, err := range query.Games(context.Background(), sources, q, query.Options{},
		func(m *query.Match) (string, error) {
			return fmt.Sprintf("game %d, after ply %d", m.Number, m.Hits[0].Plies[0]), nil
		}) {
		fmt.Println(line, err)
	}
	// Output:
	// game 6, after ply 4 <nil>
	// game 8, after ply 4 <nil>
}

func ExampleQuery_Tree() {
	var file bytes.Buffer
	archive.Pack(context.Background(), &file, bytes.NewReader([]byte(turning)))

	tree, err := query.New().Tree(context.Background(),
		[]query.Source{{Name: "games.p11", Reader: bytes.NewReader(file.Bytes()), Size: int64(file.Len())}},
		position.Start(), query.TreeOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range tree.Branches {
		fmt.Println(b.Move, b.Games, b.White, b.Draws, b.Black)
	}
	// Output:
	// g1f3 2 1 1 0
	// e2e4 1 1 0 0
}
