// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"ply11/internal/bounded"
)

// fuzzParser feeds a parser with what is nearly an image. What it takes must be within bounds, and come
// out the same when it is written and read again; what it refuses must say why.
func fuzzParser(f *testing.F, name string) {
	format, err := Lookup(name)
	if err != nil {
		f.Fatal(err)
	}
	bounded.Fuzz(f, func(t *testing.T, data []byte) {
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

// seed adds an image cut in the middle, with its end, so that seeds are small.
func seed(f *testing.F, name string) {
	format, err := Lookup(name)
	if err != nil {
		f.Fatal(err)
	}
	data, err := format.Generate()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[:600])
	f.Add(append(bytes.Clone(data[:500]), data[len(data)-300:]...))
}

func FuzzMemh(f *testing.F) {
	seed(f, "memh")
	f.Add([]byte("/* c */ 8040 @10 80_81 // x\n1 2 3 4 5 6"))
	f.Add([]byte("1 2 3 4 5 6 7 8"))
	fuzzParser(f, "memh")
}

func FuzzHex(f *testing.F) {
	seed(f, "hex")
	fuzzParser(f, "hex")
}

func FuzzCOE(f *testing.F) {
	seed(f, "coe")
	f.Add([]byte("; c\nmemory_initialization_radix=2; c\nmemory_initialization_vector=1,10 , 11,\n0,1,1,1,1;\n"))
	fuzzParser(f, "coe")
}

func FuzzMIF(f *testing.F) {
	seed(f, "mif")
	f.Add([]byte("% c % DEPTH=2048; WIDTH=16; ADDRESS_RADIX=DEC; DATA_RADIX=OCT; CONTENT BEGIN -- c\n[0..2047]:1 7;END;"))
	fuzzParser(f, "mif")
}

func FuzzIntelHex(f *testing.F) {
	seed(f, "ihex")
	f.Add([]byte(":020000040000FA\n:1000000040808180C280038144818581C6810780BE\n:00000001FF\n"))
	fuzzParser(f, "ihex")
}

func FuzzIntelHex16(f *testing.F) {
	seed(f, "ihex16")
	fuzzParser(f, "ihex16")
}

func FuzzLattice(f *testing.F) {
	seed(f, "lattice")
	f.Add([]byte("#Format=AddrHex\n#Depth=2048\n#Width=16\n#Data\n0: 1 2 3\n3:4 // c\n"))
	fuzzParser(f, "lattice")
}

func FuzzBinary(f *testing.F) {
	seed(f, "bin-le")
	fuzzParser(f, "bin-le")
	// The other byte order shares the parser.
}

// FuzzCheck feeds whole files: whatever they are, there is an answer.
func FuzzCheck(f *testing.F) {
	for _, name := range []string{"memh", "hex", "coe", "mif", "ihex", "ihex16", "lattice", "bin-le", "bin-be", "c"} {
		seed(f, name)
	}
	bounded.Fuzz(f, func(t *testing.T, data []byte) {
		format, err := Check("fuzz", data)
		if err == nil && format == nil {
			t.Fatal("neither format nor error")
		}
	})
}
