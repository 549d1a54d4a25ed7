// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"fmt"

	"ply11/bitstream/archive"
	"ply11/position"
	"ply11/query"
)

func ExampleQuery_Scan() {
	var file bytes.Buffer
	archive.Pack(&file, bytes.NewReader([]byte(ownGames)))

	q := query.New()
	q.Add("result", "0-1")
	q.Add("pattern", "qh4 Ke1 .f3")

	found, err := q.Scan([]query.Source{{Name: "games.p11", Reader: bytes.NewReader(file.Bytes()), Size: int64(file.Len())}},
		query.Options{
			Append: func(dst []byte, m *query.Match) ([]byte, error) {
				return fmt.Appendf(dst, "game %d, after ply %d\n", m.Number, m.Hits[0].Plies[0]), nil
			},
			Write: func(text []byte) error { _, err := fmt.Printf("%s", text); return err },
		})
	fmt.Println(found, err)
	// Output:
	// 0 <nil>
}

func ExampleQuery_Tree() {
	var file bytes.Buffer
	archive.Pack(&file, bytes.NewReader([]byte(turning)))

	tree, err := query.New().Tree([]query.Source{{Name: "games.p11", Reader: bytes.NewReader(file.Bytes()), Size: int64(file.Len())}},
		position.Start(), 0)
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
