// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ply11/chess"
	"ply11/moveindex"
	"ply11/position"
)

// TestAssembly compares, for all assembly that the processor can run, the choices of the positions of random games, mates
// and stalemates among them, with those that are set in Go. Where there is no assembly, they are the same function.
func TestAssembly(t *testing.T) {
	eachAssembly(func(name string) { t.Run(name, testAssembly) })
}

func testAssembly(t *testing.T) {
	var f frame
	var c, want choice
	w := &shared().weights
	check := func(p *position.Position, h *history) {
		f.set(p, h)
		want.setGo(&f, w)
		for j := range c.freq { // what is left of other positions
			c.freq[j], c.moves[j] = ^uint32(0), ^chess.Move(0)
		}
		c.set(&f, w)
		if c.n != want.n || c.total != want.total {
			t.Fatalf("%s: %d choices of %d, want %d of %d", p.FEN(), c.n, c.total, want.n, want.total)
		}
		if !slices.Equal(c.moves[:c.n], want.moves[:want.n]) {
			t.Fatal(p.FEN(), cmp.Diff(want.moves[:want.n], c.moves[:c.n]))
		}
		if !slices.Equal(c.freq[:c.n], want.freq[:want.n]) {
			t.Fatal(p.FEN(), cmp.Diff(want.freq[:want.n], c.freq[:c.n]))
		}
	}
	games := randomGames(400)
	for _, g := range games {
		var h history
		p := g.Start
		for _, i := range g.Moves {
			check(&p, &h)
			move, _ := i.Move()
			h.add(&p, move)
			p.Make(move)
		}
		check(&p, &h)
	}
	for _, fen := range []string{
		"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",                       // stalemate
		"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",                    // mate
		"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",                 // castling
		"8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",                    // en passant
		"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", // 218 moves
		"8/P1P1P1P1/1k6/8/8/8/8/K7 w - - 0 1",                  // promotions
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	} {
		p, err := position.ParseFENLenient(fen)
		if err != nil {
			t.Fatal(err)
		}
		var h history
		check(&p, &h)
	}

	// Weights that no model has: the extremes of the scores.
	random := rand.New(rand.NewPCG(3, 3))
	w = new([numWeights]int8)
	for i := range w {
		w[i] = int8(random.IntN(3)-1) * 127
		if random.IntN(9) == 0 {
			w[i] = -128
		}
	}
	for _, g := range games[:50] {
		h := history{last: [2]half{{chess.Queen, 0, 63}, {chess.King, 9, 8}}, capture: true}
		p := g.Start
		for _, i := range g.Moves {
			check(&p, &h)
			move, _ := i.Move()
			p.Make(move)
			h.plies++
		}
	}
}

// TestNothingIsAllocated codes and decodes games with coders that have done so before.
func TestNothingIsAllocated(t *testing.T) {
	games := randomGames(20)
	var e Encoder
	var d Decoder
	dst := encode(t, &e, games)
	var moves []moveindex.Index
	decode(t, &d, dst, games)
	allocations := testing.AllocsPerRun(5, func() {
		e.Reset(dst[:0])
		for g := range games {
			if err := e.Game(&games[g].Start, games[g].Moves); err != nil {
				t.Fatal(err)
			}
		}
		dst = e.Finish()
		d.Reset(dst)
		for g := range games {
			var err error
			if moves, err = d.Game(moves[:0], &games[g].Start, len(games[g].Moves)); err != nil {
				t.Fatal(err)
			}
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}
