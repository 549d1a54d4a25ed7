// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"bytes"
	"slices"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/internal/bounded"
	"ply11/internal/codectest"
	"ply11/position"
)

// FuzzRecord decodes any parts as a game: what decodes without an error is the same after it was encoded and decoded.
func FuzzRecord(f *testing.F) {
	for _, g := range sample(f) {
		var r Record
		if _, err := encodeGame(g, &r, NumberingAuto); err != nil {
			f.Fatal(err)
		}
		f.Add(r.Header[:], string(r.Player), string(r.Source), r.Moves, r.Comments, r.Setup)
	}
	f.Add(make([]byte, 14), "a-b", "c / d", []byte{11, 0xff, 11, 0x80}, []byte("\xff\x00\x00\x05\xff"), []byte{})
	f.Add([]byte{127, 0x3b, 13: 0}, "-", " / ", []byte{0x8b},
		[]byte("\xff\x00\x01\xff\x01\xff\x00\x00\x00\x00[%cbpos 9] x\xff"), []byte{})
	bounded.Fuzz(f, func(t *testing.T, header []byte, player, source string, moves, comments, setup []byte) {
		var r Record
		copy(r.Header[:], header)
		r.Player, r.Source, r.Moves, r.Comments = []byte(player), []byte(source), moves, comments
		if len(setup) >= setupSize {
			r.Setup = setup[:setupSize]
		}
		file, err := r.appendTo(nil)
		if err != nil {
			return
		}
		var back Record
		if err := back.read(bytes.NewReader(file), 0, int64(len(file))); err != nil {
			t.Fatal(err)
		}
		if back.Header != r.Header || !bytes.Equal(back.Moves, r.Moves) || !bytes.Equal(back.Comments, r.Comments) ||
			!bytes.Equal(back.Player, r.Player) || !bytes.Equal(back.Source, r.Source) ||
			!bytes.Equal(back.Setup, r.Setup) {
			t.Fatalf("other parts when read again")
		}
		var g, again game.Game
		used, err := DecodeGame(&back, &g, NumberingAuto)
		if err != nil {
			return
		}
		var out Record
		lost, err := encodeGame(&g, &out, used)
		if err != nil {
			t.Fatalf("%v: %v", codectest.Movetext(&g), err)
		}
		if len(lost) != 0 {
			t.Fatalf("%v: lost %q", codectest.Movetext(&g), lost)
		}
		if _, err := DecodeGame(&out, &again, used); err != nil {
			t.Fatal(err)
		}
		if d := again.Diff(&g); d != "" {
			t.Fatalf("%q, comments %q and %q: %s", moves, comments, out.Comments, d)
		}
	})
}

// FuzzFile reads any bytes as the two files, by the index and by walking.
func FuzzFile(f *testing.F) {
	cbf, cbi := write(f, sample(f))
	f.Add(cbf, cbi)
	f.Add(cbf[:40], cbi[:20])
	f.Add([]byte{}, []byte{0, 0, 0, 1, 0, 0, 0, 2})
	bounded.Fuzz(f, func(t *testing.T, cbf, cbi []byte) {
		read := func(r *Reader) {
			n := 0
			for g, err := range r.All() {
				if g == nil && err == nil {
					t.Fatal("neither a game nor an error")
				}
				if n++; n > len(cbf)+len(cbi) {
					t.Fatalf("%d games in %d bytes", n, len(cbf))
				}
			}
		}
		if r, err := NewReader(bytes.NewReader(cbf), int64(len(cbf)), bytes.NewReader(cbi), int64(len(cbi))); err ==
			nil {
			read(r)
		}
		r, _ := NewReader(bytes.NewReader(cbf), int64(len(cbf)), nil, 0)
		read(r)
	})
}

// FuzzMoves decodes any move list: what it gives encodes to a list that decodes to the same words.
func FuzzMoves(f *testing.F) {
	fens := []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"r3k2r/1P6/8/P2pP3/pP2p3/8/1p6/R3K2R w KQkq d6 0 1",
		"7k/8/1p6/P7/8/8/8/7K w - - 0 1",
		"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
	}
	f.Add(byte(0), false, []byte{11, 0xff, 12, 13, 0x80, 14})
	f.Add(byte(1), true, []byte{1, 2, 3})
	f.Add(byte(2), true, []byte{3, 0xff, 0x80, 4})
	bounded.Fuzz(f, func(t *testing.T, which byte, cbascii bool, moves []byte) {
		p, err := position.ParseFENLenient(fens[int(which)%len(fens)])
		if err != nil {
			t.Fatal(err)
		}
		numbering := NumberingDocument
		if cbascii {
			numbering = NumberingCBASCII
		}
		words, err := AppendIndices(nil, moves, &p, numbering)
		if err != nil {
			return
		}
		again, err := AppendMoves(nil, words, &p, numbering)
		if err != nil {
			t.Fatalf("% x: %v", moves, err)
		}
		plain := slices.Clone(moves)
		for i, b := range plain {
			if b != variationStart && b != variationEnd {
				plain[i] = b &^ commentBit
			}
		}
		empty := bytes.Contains(plain, []byte{variationStart, variationEnd})
		if !empty && !bytes.Equal(again, plain) {
			t.Fatalf("% x, not % x", again, plain)
		}
		back, err := AppendIndices(nil, again, &p, numbering)
		if err != nil || !slices.Equal(back, words) {
			t.Fatalf("%v, %v, %v", back, words, err)
		}
	})
}

// FuzzBook reads any bytes as an opening book: it is written byte for byte, and its tree is the same when it was
// written and read.
func FuzzBook(f *testing.F) {
	f.Add([]byte{12, 28, 0x40 | 52, 36, 0xc0 | 6, 21})
	f.Add([]byte{0x40 | 12, 28, 0xc0 | 52, 36})
	f.Add([]byte{12, 28, 11, 27, 0x80 | 51, 35, 0xc0 | 52, 36})
	bounded.Fuzz(f, func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return // repeated lines grow with the square
		}
		book, err := ReadBook(bytes.NewReader(data))
		if (err != nil) != (len(data)&1 != 0) {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := book.WriteTo(&out); err != nil || !bytes.Equal(out.Bytes(), data[:len(data)&^1]) {
			t.Fatalf("% x, %v", out.Bytes(), err)
		}
		tree := book.tree(nil)
		again := tree.book().tree(func(err error) { t.Fatal(err) })
		if !sameTree(again, tree) {
			t.Fatal("another tree")
		}
		sameByGame(t, tree)
	})
}

var _ = chess.NullMove
