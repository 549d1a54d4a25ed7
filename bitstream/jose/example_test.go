// SPDX-License-Identifier: Apache-2.0

package jose_test

import (
	"bytes"
	"fmt"
	"os"

	"ply11/bitstream/jose"
)

// 1 e4 (1 d4 d5) e5 2 Nf3, in the document's dialect, unfinished.
var gameText = []byte{0x13, 0xf0, 0x0f, 0x0f, 0xf1, 0x13, 0x29, 0xd3, 0xff}

func ExampleReader() {
	for g, err := range jose.NewReader(bytes.NewReader(gameText), jose.Document, jose.Plain).All() {
		if err != nil {
			fmt.Println(err)
			continue
		}
		for e := range g.All() {
			fmt.Print(e, " ")
		}
		fmt.Println(g.Result)
	}
	// Output: e2e4 ( d2d4 d7d5 ) e7e5 g1f3 *
}

func ExampleDialect_DecodeIndices() {
	words, n, err := jose.Document.DecodeIndices(nil, gameText)
	fmt.Println(words, n, err)
	program, _, _ := jose.Program.EncodeIndices(nil, words)
	fmt.Printf("% x\n", program)
	// Output:
	// [396 1973 395 1459 1974 1460 1094 1971] 9 <nil>
	// 13 f0 0f 0f f1 13 2e d3 ff
}

func ExampleDialect_Explain() {
	jose.Document.Explain(os.Stdout, bytes.NewReader(gameText), jose.Plain)
	// Output:
	// game 1
	//   offset  hex    move           meaning
	//        0  13     1. e4          white: move of the e-pawn, offset 3, e2 to e4
	//        1  f0     (              start of variation
	//        2  0f       1. d4          white: move of the d-pawn, offset 3, d2 to d4
	//        3  0f       1... d5        black: move of the d-pawn, offset 3, d7 to d5
	//        4  f1     )              end of variation
	//        5  13     1... e5        black: move of the e-pawn, offset 3, e7 to e5
	//        6  29     2. Nf3         white: move of the king's knight, offset 1, g1 to f3
	//        7  d3                    result unknown
	//        8  ff                    end of data
}
