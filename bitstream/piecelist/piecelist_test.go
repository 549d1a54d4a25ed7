// SPDX-License-Identifier: Apache-2.0

package piecelist

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/game/codec"
	"ply11/position"
)

// check compares the pieces with a position, square by square and piece by piece.
func check(t testing.TB, m *List, p *position.Position) {
	t.Helper()
	alive := 0
	for s := range chess.Square(64) {
		who, piece := m.At(s), p.PieceAt(s)
		if who == None {
			if piece != chess.NoPiece {
				t.Fatalf("%v: nobody, but %v in %s", s, piece, p.FEN())
			}
			continue
		}
		alive++
		if who.Color() != piece.Color() || m.Kind(who) != piece.Kind() {
			t.Fatalf("%v: %v, a %v, but %v in %s", s, who, m.Kind(who), piece, p.FEN())
		}
		if m.Square(who) != s || !m.Alive(who) {
			t.Fatalf("%v stands on %v and on %v", who, s, m.Square(who))
		}
		if m.Named(m.Name(who)) != who || m.Name(who).Kind() != piece.Kind() || m.Name(who).Color() != piece.Color() {
			t.Fatalf("%v has the name %v, which is that of %v", who, m.Name(who), m.Named(m.Name(who)))
		}
	}
	for c := range chess.Color(2) {
		for slot := range NumSlots {
			if m.Alive(NewPiece(c, slot)) {
				alive--
			}
		}
	}
	if alive != 0 {
		t.Fatalf("%d pieces more stand on squares than are alive", alive)
	}
}

// makeMove makes a legal move, with names for promoted pieces, or reports that there is none.
func makeMove(t testing.TB, m *List, p *position.Position, mv chess.Move) bool {
	t.Helper()
	castling := p.PieceAt(mv.From()).Kind() == chess.King && isCastling(mv)
	if err := m.Prepare(p.Turn(), mv, !castling); err != nil {
		t.Fatalf("%v in %s: %v", mv, p.FEN(), err)
	}
	if k := mv.Promotion(); k != chess.NoKind {
		name, ok := m.FreeName(p.Turn(), k)
		if ok {
			m.PromoteAs(m.At(mv.From()), mv.To(), name)
		}
		return ok
	}
	if !castling {
		m.Move(m.At(mv.From()), mv.To())
	}
	return true
}

// Lists of random games agree with position after every ply.
func TestRandomGames(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var buf []chess.Move
	promotions := 0
	for range 300 {
		p := position.Start()
		m := Start()
		for range 300 {
			buf = p.LegalMoves(buf[:0])
			if len(buf) == 0 {
				break
			}
			mv := buf[rng.IntN(len(buf))]
			for _, o := range buf {
				// Pawns forward, or there are few promotions.
				if o.Promotion() != chess.NoKind && rng.IntN(2) == 0 {
					mv = o
				}
			}
			if !makeMove(t, &m, &p, mv) {
				break
			}
			if mv.Promotion() != chess.NoKind {
				promotions++
			}
			p.Make(mv)
			check(t, &m, &p)
		}
	}
	if promotions < 100 {
		t.Errorf("only %d promotions", promotions)
	}
}

// "List are numbered in the order in which they are listed: a to h in the usual start position; in a set-up
// position, scanning from a8 to h8, then rank 7, down to h1." "List are numbered from the queen's-rook side in the
// initial position."
func TestNumbering(t *testing.T) {
	for _, c := range []struct {
		fen  string
		want string // squares of White's slots, then Black's, "-" for none
	}{
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
			"a2 b2 c2 d2 e2 f2 g2 h2 b1 g1 c1 f1 a1 h1 d1 e1 a7 b7 c7 d7 e7 f7 g7 h7 b8 g8 c8 f8 a8 h8 d8 e8"},
		{"4r1k1/2p2p2/5np1/Qp4q1/2p3P1/2B2P2/PP6/K6R w - - 0 1",
			"g4 f3 a2 b2 - - - - - - c3 - h1 - a5 a1 c7 f7 g6 b5 c4 - - - f6 - - - e8 - g5 g8"},
	} {
		p, err := position.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		var m List
		if err := m.Setup(&p); err != nil {
			t.Fatal(err)
		}
		var got []string
		for color := range chess.Color(2) {
			for slot := range Promoted {
				got = append(got, m.Square(NewPiece(color, slot)).String())
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.fen, strings.Join(got, " "), c.want)
		}
		check(t, &m, &p)
	}
}

// "A set-up with more pieces of a kind than there are codes cannot be encoded: a clear error", which names each kind.
func TestTooMany(t *testing.T) {
	p, err := position.ParseFEN("4k2q/3q4/8/8/8/N1N1N3/8/4K3 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	var m List
	err = m.Setup(&p)
	if !errors.Is(err, codec.ErrTooManyPieces) {
		t.Fatal(err)
	}
	for _, s := range []string{"3 knights of white, where 2 have a number",
		"2 queens of black, where 1 have a number"} {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%v does not say %q", err, s)
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[Name]bool{}
	for c := range chess.Color(2) {
		for k := chess.King; k <= chess.Pawn; k++ {
			numbers := 4
			switch k {
			case chess.King:
				numbers = 1
			case chess.Pawn:
				numbers = 8
			}
			for n := range numbers {
				name := NewName(c, k, n)
				if name.Color() != c || name.Kind() != k || name.Number() != n || seen[name] {
					t.Errorf("%v #%d of %v is %v", k, n, c, name)
				}
				seen[name] = true
			}
		}
	}
	if len(seen) != 2*NumNames {
		t.Errorf("%d names, want %d", len(seen), 2*NumNames)
	}
	for who, want := range map[Piece]string{None: "nobody", NewPiece(chess.Black, Knights+1): "black knight 1",
		NewPiece(chess.White, King): "white king", NewPiece(chess.White, Promoted+3): "white promoted pawn 3",
		NewPiece(chess.Black, 7): "black pawn 7"} {
		if who.String() != want {
			t.Errorf("%v, want %s", who, want)
		}
	}
	if s := NewName(chess.White, chess.Knight, 1).String(); s != "white knight #1" {
		t.Error(s)
	}
}

// Castling is refused, and changes nothing, where something is between king and rook, or no rook.
func TestCastle(t *testing.T) {
	m := Start()
	if m.Castle(chess.White, true) || m != start {
		t.Error("castling through a bishop and a knight")
	}
	m.Remove(chess.F1)
	m.Remove(chess.G1)
	for _, s := range []chess.Square{chess.A1, chess.B1, chess.C1, chess.D1} {
		m.Remove(s)
	}
	if m.Castle(chess.White, false) {
		t.Error("castling without a rook")
	}
	if !m.Castle(chess.White, true) || m.At(chess.F1) != NewPiece(chess.White, Rooks+1) {
		t.Error("the king's rook does not castle")
	}
}

// Four pieces of a kind have names.
func TestSetupNamed(t *testing.T) {
	for fen, want := range map[string]error{"qqqqkbbb/b6b/7p/8/8/8/PPPPPP2/NNNNK3 w - - 0 1": codec.ErrTooManyPieces,
		"qqqqk3/8/7p/8/8/8/PPPPPP2/NNNNK3 w - - 0 1": nil} {
		p, err := position.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		var m List
		if err := m.SetupNamed(&p); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", fen, err, want)
		} else if err == nil {
			check(t, &m, &p)
		}
	}
}

func ExampleList() {
	m := Start()
	// 1 e4 d5 2 exd5: Black's d-pawn, pawn 3, is taken by White's e-pawn, pawn 4.
	for _, uci := range []string{"e2e4", "d7d5", "e4d5"} {
		mv, _ := chess.ParseUCI(uci)
		m.Move(m.At(mv.From()), mv.To())
	}
	fmt.Println(m.At(chess.D5), "on d5;", NewPiece(chess.Black, 3), "alive:", m.Alive(NewPiece(chess.Black, 3)))
	// Output: white pawn 4 on d5; black pawn 3 alive: false
}
