// SPDX-License-Identifier: Apache-2.0

package brenner_test

import (
	"bytes"
	"fmt"
	"os"

	"ply11/bitstream/brenner"
	"ply11/moveindex"
)

// The Scholar's Mate of the document, ten bytes.
var scholar = []byte{0x2c, 0x2c, 0x61, 0x17, 0xdb, 0x1e, 0x06, 0x06, 0x53, 0x02}

func ExampleReader() {
	for g, err := range brenner.NewReader(bytes.NewReader(scholar), brenner.Main).All() {
		if err != nil {
			fmt.Println(err)
			continue
		}
		for ply, m := range g.MainLine() {
			fmt.Print(ply, " ", m, ", ")
		}
		fmt.Println(g.Result)
	}
	// Output: 1 e2e4, 2 e7e5, 3 d1h5, 4 b8c6, 5 f1c4, 6 g8f6, 7 h5f7, 1-0
}

func ExampleLayout_DecodeIndices() {
	words, n, err := brenner.Main.DecodeIndices(nil, scholar)
	fmt.Println(words, n, err)
	seven, _, _ := brenner.Main.EncodeIndices(nil, []moveindex.Index{396, 1460, 835, 633, 709, 766, 487})
	fmt.Printf("% x\n", seven)
	// Output:
	// [396 1460 835 633 709 766 1980 487 1970] 10 <nil>
	// 2c 2c 61 17 db 1e 53
}

func ExampleLayout_Explain() {
	brenner.Main.Explain(os.Stdout, bytes.NewReader(scholar))
	// Output:
	// game 1
	//   offset  hex fields         move           meaning
	//        0  2c  001 01 100     1. e4          white pawn #4, step 2, e2 to e4
	//        1  2c  001 01 100     1... e5        black pawn #4, step 2, e7 to e5
	//        2  61  01 100 001     2. Qh5         white queen, 4 squares NE, d1 to h5
	//        3  17  0001 0 111     2... Nc6       black knight #0, SSE, b8 to c6
	//        4  db  1 1 011 01 1   3. Bc4         white bishop #1, 3 squares NW, f1 to c4
	//        5  1e  0001 1 110     3... Nf6       black knight #1, SSW, g8 to f6
	//        6  06  00000 110                     ?
	//        7  06  00000 110                     ?, $4
	//        8  53  01 010 011     4. Qxf7#       white queen, 2 squares NW, h5 to f7
	//        9  02  00000 010                     1-0
}
