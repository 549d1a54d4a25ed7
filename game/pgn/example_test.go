// SPDX-License-Identifier: Apache-2.0

package pgn_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"ply11/game"
	"ply11/game/pgn"
)

func Example() {
	text := `[White "Bird"][Black "?"]

1.e4 e5 (1...c5 2.Nf3) 2.Qh5?! Nc6 3.Bc4 Nf6?? {overlooks} 4.Qxf7# 1-0

1. e4 Ke7 2. d4 *
`
	w := pgn.NewWriter(os.Stdout)
	for g, err := range pgn.NewReader(strings.NewReader(text)).All() {
		if err != nil {
			fmt.Println(err)
			continue
		}
		w.Write(g)
	}
	w.Close()
	// Output:
	// 5:7: game 2, ply 2: illegal move "Ke7": e7 holds a pawn of black, expected a legal move
	// [Event "?"]
	// [Site "?"]
	// [Date "????.??.??"]
	// [Round "?"]
	// [White "Bird"]
	// [Black "?"]
	// [Result "1-0"]
	//
	// 1. e4 e5 (1... c5 2. Nf3) 2. Qh5 $6 Nc6 3. Bc4 Nf6 $4 {overlooks} 4. Qxf7# 1-0
}

// A game is read into the same memory again and again.
func ExampleReader_Read() {
	r := pgn.NewReader(strings.NewReader("1. d4 d5 2. c4 * 1. c4 *"))
	g := game.New()
	for {
		err := r.Read(g)
		if err == io.EOF {
			break
		}
		fmt.Println(g.Source.Number, g.Len(), g.Source.Start, g.Source.End, err)
	}
	// Output:
	// 1 3 0 16 <nil>
	// 2 1 17 24 <nil>
}
