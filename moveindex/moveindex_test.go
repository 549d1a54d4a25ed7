// SPDX-License-Identifier: Apache-2.0

package moveindex

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"ply11/chess"
	"testing"

	notnil "github.com/notnil/chess"
)

func TestTableIsTheFrozenOne(t *testing.T) {
	table := AppendTable(nil)
	sum := sha256.Sum256(table)
	if got := hex.EncodeToString(sum[:]); got != TableSHA256 {
		t.Errorf("sha-256 of the table is %s, frozen %s", got, TableSHA256)
	}
	if got := fmt.Sprintf("%08x", crc32.ChecksumIEEE(table)); got != TableCRC32 {
		t.Errorf("crc-32 of the table is %s, frozen %s", got, TableCRC32)
	}
}

// TestBijection takes all 2,048 words and all 2^16 moves through the tables and through the arithmetic
// that fills them.
func TestBijection(t *testing.T) {
	for i := range Index(NumWords) {
		m, ok := i.Move()
		if ok != (i < NumMoves) {
			t.Fatalf("%d: a move is %v", i, ok)
		}
		if a, aok := decode(i); a != m || aok != ok {
			t.Fatalf("%d: table says %v, arithmetic %v", i, m, a)
		}
		if !ok {
			if m != chess.NullMove || i.Word() != 0 {
				t.Fatalf("%d is no move, but decodes to %v, word %04x", i, m, i.Word())
			}
			continue
		}
		if got, ok := Of(m); got != i || !ok {
			t.Fatalf("%d is %v, which encodes to %d, %v", i, m, got, ok)
		}
		if i.Word() != uint16(m)|WordValid {
			t.Fatalf("%d: word %04x for %v", i, i.Word(), m)
		}
	}
	n := 0
	for v := range 1 << 16 {
		m := chess.Move(v)
		i, ok := Of(m)
		if ok {
			n++
			if back, _ := i.Move(); back != m {
				t.Fatalf("%#04x encodes to %d, which is %#04x", v, i, uint16(back))
			}
		} else if want := map[bool]Index{true: Null, false: Invalid}[m == chess.NullMove]; i != want {
			t.Fatalf("%#04x is no move, but encodes to %d", v, i)
		}
	}
	if n != NumMoves {
		t.Errorf("%d moves encode, want %d", n, NumMoves)
	}
	for _, i := range []Index{NumWords, 4000, Invalid} {
		if m, ok := i.Move(); ok {
			t.Errorf("%d decodes to %v", i, m)
		}
	}
}

func TestCounts(t *testing.T) {
	if len(halfmoveWords) != NumHalfmoves {
		t.Errorf("%d halfmoves, want %d", len(halfmoveWords), NumHalfmoves)
	}
	pieces := map[chess.Piece]int{}
	folded := map[Index]bool{}
	castlings := 0
	for h := range Halfmove(NumHalfmoves) {
		if h > 0 && halfmoveWords[h-1] == halfmoveWords[h] {
			t.Fatalf("%v stands twice", h)
		}
		if got, ok := NewHalfmove(h.Color(), h.Piece(), h.Index()); !ok || got != h {
			t.Fatalf("%d is %v, whose number is %d, %v", h, h, got, ok)
		}
		pieces[chess.NewPiece(h.Color(), h.Piece())]++
		folded[h.Index()] = true
		if h.IsCastling() {
			castlings++
		}
	}
	for _, c := range []chess.Color{chess.White, chess.Black} {
		for k, want := range map[chess.Kind]int{chess.King: 422, chess.Queen: 1456, chess.Rook: 896, chess.Bishop: 560,
			chess.Knight: 336, chess.Pawn: 206} {
			if got := pieces[chess.NewPiece(c, k)]; got != want {
				t.Errorf("%v %v: %d halfmoves, want %d", c, k, got, want)
			}
		}
	}
	if len(folded) != NumMoves || castlings != 4 {
		t.Errorf("folded onto %d moves with %d castlings, want %d and 4", len(folded), castlings, NumMoves)
	}
	classes := map[Class]int{}
	for i := range Index(NumWords + 10) {
		classes[i.Class()]++
	}
	for c, want := range map[Class]int{ClassRook: 896, ClassBishop: 560, ClassKnight: 336, ClassPromotion: 176,
		ClassControl: 43, ClassReserved: 37, ClassInvalid: 10} {
		if classes[c] != want {
			t.Errorf("%d codes of class %v, want %d", classes[c], c, want)
		}
	}
	if _, ok := NewHalfmove(chess.White, chess.King, ResultDraw); ok || Halfmove(NumHalfmoves).Word() != 0 ||
		Halfmove(NumHalfmoves).Index() != Invalid {
		t.Error("there is a halfmove beyond the last")
	}
}

func TestHalfmoveOrder(t *testing.T) {
	for h, want := range map[Halfmove]string{0: "Ka1b1", 3875: "Ph7h8q", 3876: "ka1b1", 7751: "ph2h1q", 7752: "-"} {
		if got := h.String(); got != want {
			t.Errorf("halfmove %d is %s, want %s", h, got, want)
		}
	}
}

func TestMirrors(t *testing.T) {
	for i := range Index(NumWords) {
		r, f := i.MirrorRanks(), i.MirrorFiles()
		if r.MirrorRanks() != i || f.MirrorFiles() != i {
			t.Fatalf("%d: a mirror is no involution", i)
		}
		if r.MirrorFiles() != f.MirrorRanks() {
			t.Fatalf("%d: the mirrors do not commute", i)
		}
		m, ok := i.Move()
		if !ok {
			if r != i || f != i {
				t.Fatalf("control code %d does not stay", i)
			}
			continue
		}
		// The mirrors of the index are those of the squares.
		ranks := chess.NewPromotion(m.From().MirrorRanks(), m.To().MirrorRanks(), m.Promotion())
		files := chess.NewPromotion(m.From().MirrorFiles(), m.To().MirrorFiles(), m.Promotion())
		if m.MirrorRanks() != ranks || m.MirrorFiles() != files {
			t.Fatalf("%v: mirrored %v and %v, want %v and %v", m, m.MirrorRanks(), m.MirrorFiles(), ranks, files)
		}
		if got, _ := r.Move(); got != ranks {
			t.Fatalf("%d (%v): ranks mirrored %v, want %v", i, m, got, ranks)
		}
		if got, _ := f.Move(); got != files {
			t.Fatalf("%d (%v): files mirrored %v, want %v", i, m, got, files)
		}
	}
	if chess.NullMove.MirrorRanks() != chess.NullMove || chess.NullMove.MirrorFiles() != chess.NullMove {
		t.Error("the null move does not stay")
	}
}

// TestBrennerFields forms the index of every line move from Brenner's direction ddd and distance nnn,
// as INDEX says: axis = ddd & 3, n = nnn for ddd < 4, else 8 - nnn.
func TestBrennerFields(t *testing.T) {
	directions := [8]leap{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}
	n := 0
	for from := chess.A1; from <= chess.H8; from++ {
		for ddd, d := range directions {
			for nnn := 1; nnn <= 7; nnn++ {
				file, rank := from.File()+nnn*d.file, from.Rank()+nnn*d.rank
				if file&^7 != 0 || rank&^7 != 0 {
					break
				}
				steps := nnn
				if ddd >= 4 {
					steps = 8 - nnn
				}
				want := Index(steps-1)<<8 | Index(ddd&3)<<6 | Index(from)
				if got, _ := Of(chess.NewMove(from, chess.NewSquare(file, rank))); got != want {
					t.Fatalf("%v, ddd %d, nnn %d: index %d, want %d", from, ddd, nnn, got, want)
				}
				n++
			}
		}
	}
	if n != 1456 {
		t.Errorf("%d line moves, want 1456", n)
	}
}

// TestLegalMovesAreOneToOne plays random games and asks, of each position's legal moves, that no two
// share an index, and that each is a halfmove of the piece that makes it.
func TestLegalMovesAreOneToOne(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 1968))
	kinds := map[notnil.PieceType]chess.Kind{notnil.King: chess.King, notnil.Queen: chess.Queen,
		notnil.Rook:   chess.Rook,
		notnil.Bishop: chess.Bishop, notnil.Knight: chess.Knight, notnil.Pawn: chess.Pawn}
	positions := 0
	for range 60 {
		pos := notnil.StartingPosition()
		for range 120 {
			moves := pos.ValidMoves()
			if len(moves) == 0 {
				break
			}
			positions++
			seen := map[Index]*notnil.Move{}
			for _, m := range moves {
				own, err := chess.ParseUCI(m.String())
				if err != nil {
					t.Fatal(err)
				}
				i, ok := Of(own)
				if other, twice := seen[i]; !ok || twice {
					t.Fatalf("%v: %v has index %d, %v; so has %v", pos, m, i, ok, other)
				}
				seen[i] = m
				piece := pos.Board().Piece(m.S1())
				c := chess.White
				if piece.Color() == notnil.Black {
					c = chess.Black
				}
				if _, ok := NewHalfmove(c, kinds[piece.Type()], i); !ok {
					t.Fatalf("%v: %v by a %v is no halfmove", pos, m, piece)
				}
			}
			pos = pos.Update(moves[random.IntN(len(moves))])
		}
	}
	if positions < 5000 {
		t.Errorf("only %d positions were seen", positions)
	}
}

func TestUCI(t *testing.T) {
	for i := range Index(NumMoves) {
		m, _ := i.Move()
		if got, err := chess.ParseUCI(m.String()); err != nil || got != m {
			t.Fatalf("%v reads as %v, %v", m, got, err)
		}
	}
}

// The table of control codes has each word above the moves once, under names of its own.
func TestControls(t *testing.T) {
	next, names := Index(NumMoves), map[string]bool{"": true}
	for _, c := range Controls() {
		if c.First != next || c.Last < c.First || (c.LastName == "") != (c.First == c.Last) || c.Meaning == "" ||
			names[c.Name] || c.LastName != "" && names[c.LastName] {
			t.Errorf("%+v behind %d", c, next-1)
		}
		names[c.Name], names[c.LastName] = true, true
		next = c.Last + 1
		for _, i := range []Index{c.First, c.Last} {
			if got, ok := i.Control(); !ok || got != c || i.Class() != ClassControl && i.Class() != ClassReserved {
				t.Errorf("%d is %+v, %v, of class %v", i, got, ok, i.Class())
			}
		}
	}
	if next != NumWords {
		t.Errorf("the table ends at %d", next-1)
	}
	for _, i := range []Index{0, NumMoves - 1, NumWords, Invalid} {
		if c, ok := i.Control(); ok {
			t.Errorf("%d is %+v", i, c)
		}
	}
}
