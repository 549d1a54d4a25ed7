// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/codectest"
	"ply11/position"
)

// Every byte of both files is explained once, in order.
func TestExplain(t *testing.T) {
	cbf, cbi := write(t, sample(t))
	var out bytes.Buffer
	if err := newReader(t, cbf, cbi).Explain(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"index\n00000000  00 00 00 05                           games + 1: 4 games\n",
		"game 1 at offset 0\n", "first free offset: ", "year 1993\n", "result, bits 1..0 = 0: 0-1\n",
		"white Elo 2725\n",
		"ECO2: 0; bit 6 version: 1; ECO E86\n", "player text: \"Karpov-Kasparov\"\n",
		"source text: \"Linares / Spain\"\n",
		" 1... Nf6, bit 7: has a comment\n", "( a variation that replaces the move before it\n",
		"  number 9 of 20: 1... d5, bit 7",
		"comment 1: move 1, position 0, extra 0, \"\"\n", "comment 2: move 0, position 0, extra 0, \"or so\"\n",
		"end of the comments\n",
		"set-up position, white to move, k\n", "40... O-O\n", "rank 8: ....k..r\n", "move number - 1: the next is 40\n",
		"result, bits 1..0 = 3: *, bits 5..2 sign 0\n", "no year\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	// The offsets of the lines of the games go through the file without a gap.
	at := int64(0)
	lines := strings.Split(out.String(), "\n")
	var offsets []int64
	for _, l := range lines[8:] {
		var o int64
		if n, _ := fmt.Sscanf(l, "%08x  ", &o); n == 1 && !strings.HasPrefix(l, "game") {
			offsets = append(offsets, o)
		}
	}
	for i, o := range offsets {
		if o < at || i == 0 && o != 0 {
			t.Errorf("offset %d after %d", o, at)
		}
		at = o
	}
	// Of a bad file what can be read is explained, and the rest is told of.
	out.Reset()
	cbf[15] ^= 0x55
	if err := newReader(t, cbf[:len(cbf)-3], cbi).Explain(&out); !errors.Is(err, codec.ErrTruncated) ||
		!strings.Contains(out.String(), "game 4\nerror: offset 145: game 4: ") {
		t.Errorf("%v\n%s", err, out.String())
	}
	walk, _ := NewReader(bytes.NewReader(cbf), int64(len(cbf)), nil, 0)
	if err := walk.Explain(&out); err != nil {
		t.Error(err)
	}
	if err := newReader(t, cbf, cbi).Explain(failingWriter{}); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestExplainBook(t *testing.T) {
	book, err := ReadBook(bytes.NewReader(bookBytes(t, "e2e4:s f2f3:sewu e7e5 e1e3:e")))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := book.Explain(&out); !errors.Is(err, position.ErrIllegal) {
		t.Fatal(err)
	}
	want := `4 moves, flags as brackets
00000000  0c 1c                                 1. e4; byte 1 bit 6 = 0: starts
00000002  8d d5                                   1. f3; byte 1 bit 6 = 0: starts; byte 1 bit 7 = 1: ends; byte 2 bit 7: weak; byte 2 bit 6: unused
00000004  74 24                                 1... e5
error: offset 6: ply 3: illegal move: e1e3
00000006  c4 14                                 e1e3; byte 1 bit 7 = 1: ends
`
	if out.String() != want {
		t.Errorf("%s, not\n%s", out.String(), want)
	}
}

func ExampleGenerator() {
	g := NewGenerator(position.Start(), NumberingDocument)
	for _, uci := range []string{"e2e4", "c7c5"} {
		m, _ := chess.ParseUCI(uci)
		n, _ := g.Number(m)
		fmt.Println(uci, "is number", n, "of", g.Count())
		g.Make(m)
	}
	// Output:
	// e2e4 is number 11 of 20
	// c7c5 is number 7 of 20
}

func ExampleReader() {
	// A file of one game, made here instead of read from a disk.
	g := game.New()
	g.AddTag("White", "Légal")
	var b game.Builder
	b.Reset(g)
	for _, uci := range []string{"e2e4", "e7e5"} {
		m, _ := chess.ParseUCI(uci)
		b.Move(m)
	}
	var cbf bytes.Buffer
	var cbi codectest.File
	w := NewWriter(&cbf, &cbi, NumberingAuto)
	if err := w.Write(g); err != nil {
		fmt.Println(err)
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}

	r, err := NewReader(bytes.NewReader(cbf.Bytes()), int64(cbf.Len()), bytes.NewReader(cbi.Bytes),
		int64(len(cbi.Bytes)))
	if err != nil {
		fmt.Println(err)
	}
	for g, err := range r.All() {
		fmt.Println(g.Tag("White"), g.AppendMainLine(nil), g.Result, err)
	}
	// Output:
	// Légal [e2e4 e7e5] * <nil>
}
