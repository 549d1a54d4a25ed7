// SPDX-License-Identifier: Apache-2.0

package archive_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ply11/bitstream"
	"ply11/bitstream/archive"
	"ply11/moveindex"
)

// frozen are archives that are kept.
var frozen = []string{"sample", "canonical", "latin1", "dense", "mixed", "appended"}

// TestFrozen reads archives that were written once.
func TestFrozen(t *testing.T) {
	for _, name := range frozen {
		path := filepath.Join("testdata", "frozen", name)
		text, err := os.ReadFile(path + ".pgn")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path + ".p11"); err != nil && *archive.Update {
			data, _ := archive.MustPack(t, text, archive.WithBlockGames(4), archive.WithCanonical(name == "canonical"),
				archive.WithDense(name == "dense"), archive.WithMeta(map[string]string{"source": "us"}))
			if name == "appended" {
				for len(data) < 8000 { // the text is the same again and again
					more, _ := archive.MustPack(t, text)
					data = archive.MustAppend(t, data, nil, more)
				}
			}
			if name == "mixed" {
				half := text[:len(text)/2]
				data, _ = archive.MustPack(t, half)
				coded, _ := archive.MustPack(t, half, archive.WithDense(true))
				data = archive.MustCopy(t, nil, data, coded)
			}
			if err := os.WriteFile(path+".p11", data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(path + ".p11")
		if err != nil {
			t.Fatal(err)
		}
		want := text
		if name == "appended" {
			want = bytes.Repeat(text, bytes.Count(data, archive.Le.AppendUint32(nil, archive.TrailerMark)))
		}
		if name == "canonical" {
			if want, err = os.ReadFile(path + ".out.pgn"); err != nil {
				if !*archive.Update {
					t.Fatal(err)
				}
				want = archive.MustUnpack(t, data)
				os.WriteFile(path+".out.pgn", want, 0o666)
			}
		}
		if got := archive.MustUnpack(t, data); !bytes.Equal(got, want) {
			t.Errorf("%s: %s", name, archive.FirstDifference(want, got))
		}
		rep, err := archive.Verified(data)
		if err != nil || !rep.OK() {
			t.Errorf("%s: %v %v", name, err, rep.Errors)
		}
	}
}

// Example packs a game, and reads a halfmove of it again, by its address.
func Example() {
	var file bytes.Buffer
	archive.Pack(context.Background(), &file, strings.NewReader("[White \"Morphy\"]\n\n1. e4 e5 2. Nf3 d6 3. d4 1-0\n"))
	r, err := archive.Opened(file.Bytes())
	if err != nil {
		fmt.Println(err)
		return
	}
	b, i, _ := r.Find(1)
	bit, plies, _ := b.Address(i)
	moves, _ := b.MoveColumn()
	word, _ := bitstream.At(moves, bit+2*moveindex.Bits)
	move, _ := word.Move()
	fmt.Println(plies, "plies; ply 3 is", move)
	text, _ := r.AppendText(nil, 1)
	fmt.Print(string(text))
	// Output:
	// 5 plies; ply 3 is g1f3
	// [White "Morphy"]
	//
	// 1. e4 e5 2. Nf3 d6 3. d4 1-0
}
