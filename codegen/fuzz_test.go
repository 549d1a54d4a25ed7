// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"ply11/internal/bounded"
)

// encodingNames are the encodings that FuzzParse knows by their numbers. (bin-be shares the parser of bin-le.)
var encodingNames = []string{"memh", "hex", "coe", "mif", "ihex", "ihex16", "lattice", "bin-le"}

// FuzzParse feeds the parser of an encoding with what is nearly an image. What it takes must be within bounds, and come
// out the same when it is written and read again; what it refuses must say why.
func FuzzParse(f *testing.F) {
	for i, more := range []string{
		"/* c */ 8040 @10 80_81 // x\n1 2 3 4 5 6",
		"1 2 3 4 5 6 7 8",
		"; c\nmemory_initialization_radix=2; c\nmemory_initialization_vector=1,10 , 11,\n0,1,1,1,1;\n",
		"% c % DEPTH=2048; WIDTH=16; ADDRESS_RADIX=DEC; DATA_RADIX=OCT; CONTENT BEGIN -- c\n[0..2047]:1 7;END;",
		":020000040000FA\n:1000000040808180C280038144818581C6810780BE\n:00000001FF\n",
		":00000001FF\n",
		"#Format=AddrHex\n#Depth=2048\n#Width=16\n#Data\n0: 1 2 3\n3:4 // c\n",
		"\x40\x80",
	} {
		for _, data := range append(cuts(f, encodingNames[i]), []byte(more)) {
			f.Add(uint8(i), data)
		}
	}
	bounded.Fuzz(f, func(t *testing.T, encoding uint8, data []byte) {
		format, err := Lookup(encodingNames[int(encoding)%len(encodingNames)])
		if err != nil {
			t.Fatal(err)
		}
		words, err := format.Parse(data)
		if err != nil {
			var pe *ParseError
			if !errors.As(err, &pe) || words != nil {
				t.Fatalf("%d words with error %T: %v", len(words), err, err)
			}
			return
		}
		if len(words) == 0 || len(words) > maxDepth {
			t.Fatalf("%d words", len(words))
		}
		again := *format
		again.Image = &Image{Name: "fuzz", Depth: len(words), Word: func(a int) uint16 { return words[a] }}
		if imageOfDepth(len(words)) == nil && len(words)%8 != 0 {
			return // no image; the writers write lines of eight words
		}
		out, err := again.Generate()
		if err != nil {
			t.Fatal(err)
		}
		back, err := format.Parse(out)
		if imageOfDepth(len(words)) == nil && errors.Is(err, ErrDepth) {
			return
		}
		if err != nil || !slices.Equal(back, words) {
			t.Fatalf("read back: %v", err)
		}
	})
}

// cuts are an image cut in the middle, without and with its end, so that seeds are small.
func cuts(f *testing.F, name string) [][]byte {
	format, err := Lookup(name)
	if err != nil {
		f.Fatal(err)
	}
	data, err := format.Generate()
	if err != nil {
		f.Fatal(err)
	}
	return [][]byte{data[:600], append(bytes.Clone(data[:500]), data[len(data)-300:]...)}
}

// FuzzCheck feeds whole files: whatever they are, there is an answer.
func FuzzCheck(f *testing.F) {
	for _, name := range append([]string{"bin-be", "c"}, encodingNames...) {
		for _, data := range cuts(f, name) {
			f.Add(data)
		}
	}
	bounded.Fuzz(f, func(t *testing.T, data []byte) {
		format, err := Check("fuzz", data)
		if err == nil && format == nil {
			t.Fatal("neither format nor error")
		}
	})
}
