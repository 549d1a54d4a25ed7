// SPDX-License-Identifier: Apache-2.0

package polyglot

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
	"ply11/game/pgn"
	"ply11/internal/bounded"
	"ply11/internal/codectest"
	"ply11/position"
)

func book(t testing.TB, games ...*game.Game) *Book {
	t.Helper()
	var out bytes.Buffer
	if err := codectest.WriteAll(NewWriter(&out, codec.Lossy(nil)), games); err != nil {
		t.Fatal(err)
	}
	return NewBook(bytes.NewReader(out.Bytes()), int64(out.Len()))
}

// readGame makes the game of a book, and returns what is wrong with the book.
func readGame(b *Book, g *game.Game, start position.Position) error {
	g.Reset()
	return errors.Join(b.tree(g, start)...)
}

// Lines go into a book and come out, by falling weight; what is written again is the same book.
func TestGame(t *testing.T) {
	for _, c := range []struct{ in, out string }{
		{"1. e4 e5 (1... c5 2. Nf3) (1... f6? 2. d4) 2. Nf3 *",
			"1. e4 {[%weight 3]} 1... c5 {[%weight 1]} (1... e5 {[%weight 1]} 2. Nf3 {[%weight 1]}) " +
				"(1... f6 {[%weight 0]} 2. d4 {[%weight 1]}) 2. Nf3 {[%weight 1]} *"},
		// The same position by two ways is gone on with once: where the text has it first.
		{"1. d4 (1. Nf3 Nf6 2. d4 g6) 1... Nf6 2. Nf3 g6 *",
			"1. Nf3 {[%weight 1]} (1. d4 {[%weight 1]} 1... Nf6 {[%weight 1]} 2. Nf3 {[%weight 1]} 2... g6 {[%weight " +
				"2]}) " +
				"1... Nf6 {[%weight 1]} 2. d4 {[%weight 1]} *"},
		{"*", "*"},
		{"1. e4 {[%weight 500]} e5 {[%weight 0]} (1... e6 {[%weight 3]}) *",
			"1. e4 {[%weight 500]} 1... e6 {[%weight 3]} (1... e5 {[%weight 0]}) *"},
	} {
		b := book(t, codectest.Parse(t, c.in))
		var g game.Game
		if err := readGame(b, &g, position.Start()); err != nil {
			t.Fatal(err)
		}
		// Moves of one weight are ordered by their bits: e5 and c5 by square.
		if s := codectest.Movetext(&g); s != c.out {
			t.Errorf("%s:\n%s, not\n%s", c.in, s, c.out)
		}
		again := book(t, &g)
		if again.entries != b.entries {
			t.Errorf("%s: %d entries, then %d", c.in, b.entries, again.entries)
		}
		for i := range b.entries {
			x, err := b.entryAt(i)
			if err != nil {
				t.Fatal(err)
			}
			y, err := again.entryAt(i)
			if err != nil || x != y {
				t.Errorf("%s: entry %d is %+v, then %+v, %v", c.in, i, x, y, err)
			}
		}
	}
}

// Decided games: 2 for a win, 1 for a draw, nothing for a loss.
func TestScores(t *testing.T) {
	b := book(t, codectest.Parse(t, "[Result \"1-0\"]\n\n1. e4 e5 1-0"),
		codectest.Parse(t, "[Result \"1/2-1/2\"]\n\n1. e4 c5 1/2-1/2"),
		codectest.Parse(t, "[Result \"0-1\"]\n\n1. d4 d5 0-1"))
	var g game.Game
	if err := readGame(b, &g, position.Start()); err != nil {
		t.Fatal(err)
	}
	if s := codectest.Movetext(&g); s != "1. e4 {[%weight 3]} 1... c5 {[%weight 1]} *" {
		t.Error(s)
	}
}

func TestLosses(t *testing.T) {
	for _, c := range []struct{ pgn, want string }{
		{"[White \"A\"]\n[Round \"?\"]\n\n1. e4 1-0", "tag White, result"},
		{"1. e4 {x} $1 (1. d4) 1-0", "result, comment at ply 1, NAG $1 at ply 1, variation at ply 1"},
		{"1. e4 -- 2. d4 ? *", "null move at ply 2"},
		{"{x} 1. e4? *", "comment at ply 0"},
	} {
		w := NewWriter(new(bytes.Buffer))
		err := w.Write(codectest.Parse(t, c.pgn))
		var loss *codec.LossError
		if !errors.As(err, &loss) || strings.Join(loss.Names, ", ") != c.want {
			t.Errorf("%s: %v", c.pgn, err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	g := game.New()
	var b game.Builder
	b.Reset(g)
	b.Move(chess.NewMove(chess.E2, chess.E5))
	if err := NewWriter(new(bytes.Buffer), codec.Lossy(nil)).Write(g); !errors.Is(err, position.ErrIllegal) {
		t.Error(err)
	}
}

// A long line comes back whole.
func TestLongLine(t *testing.T) {
	g := game.New()
	var b game.Builder
	b.Reset(g)
	p := g.Start
	for p.Ply() < 400 {
		moves := p.LegalMoves(nil)
		if len(moves) == 0 {
			break
		}
		m := moves[(p.Ply()*7)%len(moves)]
		b.Move(m)
		p.Make(m)
	}
	bk := book(t, g)
	var back game.Game
	if err := readGame(bk, &back, position.Start()); err != nil || back.NumMoves() != int(bk.entries) {
		t.Error(err, back.NumMoves(), bk.entries)
	}
}

func TestExplain(t *testing.T) {
	b := book(t, codectest.Parse(t, "1. e4 e5 2. Nf3 *"))
	var out strings.Builder
	if err := b.Explain(&out); err != nil {
		t.Fatal(err)
	}
	want := `3 entries
offset    key               move        weight  learn
00000000  0844931a6ef4b9a0  0195 g1f3        1  0  2. Nf3  in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2
00000010  463b96181691fc9c  031c e2e4        1  0  1. e4  in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
00000020  823c9b50fd114196  0d24 e7e5        1  0  1... e5  in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
`
	if out.String() != want {
		t.Errorf("%s, not\n%s", out.String(), want)
	}
}

// FuzzBook reads any bytes as a book: no panic, and what is read of it is written to the same entries.
func FuzzBook(f *testing.F) {
	p := position.Start()
	data := entry{key: p.Hash(), move: 12<<6 | 28, weight: 3}.appendTo(nil)
	data = entry{key: p.Hash(), move: 6<<6 | 21, weight: 1}.appendTo(data)
	f.Add(data)
	f.Add([]byte{1, 2, 3})
	bounded.Fuzz(f, func(t *testing.T, data []byte) {
		b := NewBook(bytes.NewReader(data), int64(len(data)))
		for range b.all() {
		}
		var g game.Game
		if readGame(b, &g, position.Start()) != nil {
			return
		}
		again := book(t, &g)
		var g2 game.Game
		if err := readGame(again, &g2, position.Start()); err != nil || g2.NumMoves() != g.NumMoves() {
			t.Fatal(err, codectest.Movetext(&g2), codectest.Movetext(&g))
		}
	})
}

func ExampleBook() {
	var file bytes.Buffer
	w := NewWriter(&file, codec.Lossy(nil)) // results are lost
	for g := range pgn.NewReader(strings.NewReader("1. d4 1-0 1. e4 1-0 1. d4 1/2-1/2")).All() {
		if err := w.Write(g); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	if err := w.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	p := position.Start()
	moves, _ := NewBook(bytes.NewReader(file.Bytes()), int64(file.Len())).Moves(nil, &p)
	for _, m := range moves {
		fmt.Println(m.Move, m.Weight)
	}
	// Output:
	// d2d4 3
	// e2e4 2
}
