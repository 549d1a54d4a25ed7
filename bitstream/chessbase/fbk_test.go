// SPDX-License-Identifier: Apache-2.0

package chessbase

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/internal/codectest"
	"ply11/position"
)

// Section 3: "a move is specified by starting and ending square. A1 = 0, H8 = 63. rank = number / 8, file = number &
// 7", and each of its flags.
func TestSection3BookMove(t *testing.T) {
	for _, c := range []struct {
		bytes              bookMove
		from, to           chess.Square
		starts, ends, weak bool
		unused             bool
	}{
		{bookMove{0x00, 0x3f}, chess.A1, chess.H8, true, false, false, false},
		{bookMove{0x40, 0x3f}, chess.A1, chess.H8, false, false, false, false},
		{bookMove{0x80 | 12, 28}, chess.E2, chess.E4, true, true, false, false},
		{bookMove{0xc0 | 12, 0x80 | 28}, chess.E2, chess.E4, false, true, true, false},
		{bookMove{0x40 | 12, 0x40 | 28}, chess.E2, chess.E4, false, false, false, true},
	} {
		b := c.bytes
		if b.from() != c.from || b.to() != c.to || b.starts() != c.starts || b.ends() != c.ends ||
			b.weak() != c.weak || b.unused() != c.unused {
			t.Errorf("% x: %v %v starts %v, ends %v, weak %v, unused %v", b[:], b.from(), b.to(), b.starts(), b.ends(),
				b.weak(), b.unused())
		}
		if !c.unused && newBookMove(chess.NewMove(c.from, c.to), c.starts, c.ends, c.weak) != b {
			t.Errorf("% x is not written again", b[:])
		}
	}
	for s := chess.Square(0); s < 64; s++ {
		if b := newBookMove(chess.NewMove(s, 63-s), true, false, false); b.from().Rank() != int(b[0]&63)/8 ||
			b.from().File() != int(b[0]&7) || b.to() != 63-s {
			t.Errorf("%v", s)
		}
	}
}

// bookBytes are the bytes of moves in UCI, each with its flags after a colon.
func bookBytes(t *testing.T, list string) (b []byte) {
	for _, f := range strings.Fields(list) {
		uci, flags, _ := strings.Cut(f, ":")
		m, err := chess.ParseUCI(uci)
		if err != nil {
			t.Fatal(err)
		}
		k := newBookMove(m, strings.Contains(flags, "s"), strings.Contains(flags, "e"), strings.Contains(flags, "w"))
		if strings.Contains(flags, "u") {
			k[1] |= 0x40
		}
		b = append(b, k[:]...)
	}
	return b
}

// The flags as brackets, and, with one end more than starts, as siblings.
func TestBookLayouts(t *testing.T) {
	for _, c := range []struct {
		name, file string
		layout     bookLayout
		text       string
		same       bool // the tree is written as these bytes
	}{
		{"one line", "e2e4:s e7e5 g1f3:e", bookBrackets, "1. e4 e5 2. Nf3 *", true},
		{"a variation", "e2e4:s d2d4:s d7d5:e e7e5:e", bookBrackets, "1. e4 (1. d4 d5) 1... e5 *", true},
		{"two variations of one move", "e2e4:s d2d4:s d7d5:e c2c4:se e7e5:e", bookBrackets,
			"1. e4 (1. d4 d5) (1. c4) 1... e5 *", true},
		{"a variation in a variation", "e2e4:s d2d4:s d7d5 g8f6:s c2c4:e c2c4:e e7e5:e", bookBrackets,
			"1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5 *", true},
		{"weak and unused", "e2e4:s f2f3:sewu e7e5:eu", bookBrackets, "1. e4 (1. f3?) 1... e5 *", false},
		{"lines of the start", "e2e4:s e7e5:e e2e4:s c7c5:e d2d4:se", bookBrackets, "1. e4 (1. d4) 1... e5 (1... c5) *",
			false},
		{"castling and promotion", "e2e4:s e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8:e", bookBrackets,
			"1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *", true},
		{"siblings: one line", "e2e4 e7e5 g1f3:e", BookSiblings, "1. e4 e5 2. Nf3 *", false},
		{"siblings", "e2e4:s e7e5:se c7c5 g1f3:e d2d4:e", BookSiblings, "1. e4 (1. d4) 1... e5 (1... c5 2. Nf3) *",
			false},
		{"nothing", "", bookBrackets, "*", true},
	} {
		file := bookBytes(t, c.file)
		book, err := ReadBook(bytes.NewReader(file))
		if err != nil || book.Layout != c.layout {
			t.Errorf("%s: %v, %v", c.name, book.Layout, err)
		}
		var again bytes.Buffer
		if n, err := book.WriteTo(&again); err != nil || n != int64(len(file)) || !bytes.Equal(again.Bytes(), file) {
			t.Errorf("%s: written as % x, not % x", c.name, again.Bytes(), file)
		}
		var g game.Game
		layout, err := readBookGame(bytes.NewReader(file), &g)
		if err != nil || layout != c.layout {
			t.Errorf("%s: %v, %v", c.name, layout, err)
		}
		style := pgn.Line()
		if s := strings.TrimSpace(string(pgn.AppendMovetext(nil, &g, &style))); s != c.text {
			t.Errorf("%s: %s, not %s", c.name, s, c.text)
		}
		// To PGN and back to a book, of the same tree.
		tree := newBookTree()
		if err := tree.addGame(codectest.Parse(t, c.text), true); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if !sameTree(tree, book.tree(nil)) {
			t.Errorf("%s: another tree from PGN", c.name)
		}
		var out bytes.Buffer
		if _, err := tree.book().WriteTo(&out); err != nil {
			t.Error(err)
		}
		if c.same && !bytes.Equal(out.Bytes(), file) {
			t.Errorf("%s: % x from PGN, not % x", c.name, out.Bytes(), file)
		}
		if !sameTree(tree.book().tree(nil), tree) {
			t.Errorf("%s: another tree when read again", c.name)
		}
	}
}

// sameTree reports whether two trees have the same moves in the same order.
func sameTree(a, b *bookTree) bool {
	var same func(x, y int32) bool
	same = func(x, y int32) bool {
		p, q := a.Nodes[x].First, b.Nodes[y].First
		for ; p != 0 && q != 0; p, q = a.Nodes[p].Next, b.Nodes[q].Next {
			if a.Nodes[p].Move != b.Nodes[q].Move || a.Nodes[p].Weak != b.Nodes[q].Weak || !same(p, q) {
				return false
			}
		}
		return p == q
	}
	return len(a.Nodes) == len(b.Nodes) && same(0, 0)
}

// Any tree is the same after it was written and read.
func TestBookRandomTrees(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		tree := newBookTree()
		for range 1 + random.IntN(12) {
			p, n := position.Start(), int32(0)
			for range 1 + random.IntN(8) {
				moves := p.LegalMoves(nil)
				moves = slices.DeleteFunc(moves, func(m chess.Move) bool {
					return m.Promotion() != chess.NoKind && m.Promotion() != chess.Queen
				})
				if len(moves) == 0 {
					break
				}
				m := moves[random.IntN(min(len(moves), 3))]
				n = tree.add(n, m)
				tree.Nodes[n].Weak = random.IntN(5) == 0
				p.Make(m)
			}
		}
		var file bytes.Buffer
		if _, err := tree.book().WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		book, err := ReadBook(&file)
		if err != nil || book.Layout != bookBrackets {
			t.Fatal(book.Layout, err)
		}
		got := book.tree(func(err error) { t.Error(err) })
		if !sameTree(got, tree) {
			t.Fatal("another tree")
		}
		sameByGame(t, tree)
	}
}

// sameByGame makes a game of a tree, and a tree of the game: it is the same.
func sameByGame(t *testing.T, tree *bookTree) {
	t.Helper()
	var g game.Game
	tree.game(&g)
	from := newBookTree()
	if err := from.addGame(&g, true); err != nil || !sameTree(from, tree) {
		t.Fatal("another tree by a game", err)
	}
}

func TestBookErrors(t *testing.T) {
	for _, c := range []struct {
		file string
		err  error
		at   int64
		text string
	}{
		{"e2e4:s e7e5:e e1e2:s e2e5 a7a6:e d2d4:se", position.ErrIllegal, 4, "1. e4 (1. d4) 1... e5 *"},
		{"e2e4 e7e5:e d2d4:s d7d5", codec.ErrGrammar, 0, "1. e4 (1. d4 d5) 1... e5 *"},
		{"e2e4:s e7e5 c7c5:s", codec.ErrGrammar, 6, "1. e4 e5 (1... c5) *"},
		{"e2e4 e7e5:e d2d4:se", codec.ErrGrammar, 4, "1. e4 e5 *"},
		{"e2e4:s e7e5:e g1f3 b8c6 d2d4:e a2a3:e", codec.ErrGrammar, 4, "1. e4 (1. Nf3 Nc6 2. d4) (1. a3) 1... e5 *"},
	} {
		var g game.Game
		_, err := readBookGame(bytes.NewReader(bookBytes(t, c.file)), &g)
		var e *codec.Error
		if !errors.Is(err, c.err) || !errors.As(err, &e) || e.Offset != c.at {
			t.Errorf("%s: %v", c.file, err)
		}
		if c.err == position.ErrIllegal && e.Ply != 1 {
			t.Errorf("%s: %v", c.file, err)
		}
		if s := codectest.Movetext(&g); s != c.text {
			t.Errorf("%s: %s", c.file, s)
		}
	}
	b, err := ReadBook(bytes.NewReader([]byte{1, 2, 3}))
	if !errors.Is(err, codec.ErrTruncated) || len(b.Moves) != 1 {
		t.Error(b, err)
	}
}

// What a book cannot hold is named, and with Lossy left out.
func TestBookLosses(t *testing.T) {
	for _, c := range []struct {
		pgn  string
		want string
		kept string
	}{
		{"1. e4 {c} e5 $1 *", "comment at ply 1, NAG $1 at ply 2", "1. e4 e5 *"},
		{"[White \"A\"]\n\n1. e4 1-0", "tag White, result", "1. e4 *"},
		{"1. e4 -- 2. d4 *", "null move at ply 2 and what follows it", "1. e4 *"},
		{"1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. a7 Bc8 5. axb8=N Rxb8 *",
			"promotion to a knight at ply 9 and what follows it",
			"1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. a7 Bc8 *"},
		{"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd1 *", "start position and all that follows it",
			"*"},
	} {
		g := codectest.Parse(t, c.pgn)
		var out bytes.Buffer
		lost := lossyWrite(t, func(o codec.WriterOption) codec.Writer { return NewBookWriter(&out, o) }, g)
		if strings.Join(lost, ", ") != c.want {
			t.Errorf("%s: %v", c.pgn, lost)
		}
		var again game.Game
		if _, err := readBookGame(&out, &again); err != nil || codectest.Movetext(&again) != c.kept {
			t.Errorf("%s: %s, %v", c.pgn, codectest.Movetext(&again), err)
		}
	}
}

// readBookGame reads a book as a game, and returns all that is wrong with it.
func readBookGame(r io.Reader, g *game.Game) (bookLayout, error) {
	b := NewBookReader(r)
	var errs []error
	for {
		err := b.Read(g)
		if err == nil || err == io.EOF {
			return b.Book().Layout, errors.Join(errs...)
		}
		errs = append(errs, err)
	}
}
