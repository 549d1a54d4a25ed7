// SPDX-License-Identifier: Apache-2.0

package jose_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"ply11/bitstream/jose"
	"ply11/game/codec"
)

func TestExplain(t *testing.T) {
	src := unhex("13 e0 61 62 00 b0 40 f0 0f e1 78 00 f1 0f d2 ff" + "13 9b 13 ff" + "9a d3 ff")
	var out bytes.Buffer
	err := jose.Document.Explain(&out, bytes.NewReader(src), jose.Plain)
	if !errors.Is(err, codec.ErrReserved) {
		t.Errorf("the first error is %v", err)
	}
	const want = `game 1
  offset  hex    move           meaning
       0  13     1. e4          white: move of the e-pawn, offset 3, e2 to e4
       1  e0                    text comment
       2  61 62 00  "ab\x00"
       5  b0 40                 annotation $64
       7  f0     (              start of variation
       8  0f       1. d4          white: move of the d-pawn, offset 3, d2 to d4
       9  e1                      error: move not readable
      10  78 00  "x\x00"
      12  f1     )              end of variation
      13  0f     1... d5        black: move of the d-pawn, offset 3, d7 to d5
      14  d2                    result: white wins
      15  ff                    end of data

game 2
  offset  hex    move           meaning
      16  13     1. e4          white: move of the e-pawn, offset 3, e2 to e4
error: offset 17: game 2, ply 2: reserved code 0x9b
      17  9b                    reserved
      18  13                    move of the e-pawn, offset 3
      19  ff                    end of data

game 3
  offset  hex    move           meaning
      20  9a     1. --          white: null move
      21  d3                    result unknown
      22  ff                    end of data
`
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}

	table := "fen\tgametext_hex\tcomments_hex\n8/3P3k/8/7K/8/8/8/8 w - - 0 1\ta02395a838e0d3ff\t6100\n\tzz\t\n"
	out.Reset()
	if err := jose.Program.Explain(&out, strings.NewReader(table), jose.Table); !errors.Is(err, codec.ErrCorrupt) {
		t.Errorf("the first error is %v", err)
	}
	const want2 = `game 1
from 8/3P3k/8/7K/8/8/8/8 w - - 0 1
  offset  hex    move           meaning
       0  a0 23  1. d8=Q        white: promotion move: a-pawn, offset 0, piece 3 (queen), d7 to d8
       2  95     1... Kg7       black: move of the king, offset 5, h7 to g7
       3  a8 38  2. Qa8         white: promoted piece move: "a" promotion piece, a queen, offset 18, d8 to a8
       5  e0                    text comment
comments  "a"
       6  d3                    result unknown
       7  ff                    end of data

game 2
error: line 3, offset 83: game 2: corrupt: column 2: encoding/hex: invalid byte: U+007A 'z'
`
	if out.String() != want2 {
		t.Errorf("%s\nwant\n%s", out.String(), want2)
	}
}
