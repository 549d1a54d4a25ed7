// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ply11/internal/movesets"
	"ply11/position"
	"ply11/sim/oracle"
)

// newPerft returns a model.
func newPerft(t *testing.T, depth int) *Perft {
	t.Helper()
	p, err := NewPerft(depth)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// count gives the model an order, and returns the counts and the clocks from the order to the last of them. A
// position is loaded before it.
func (p *Perft) count(pos *position.Position, depth int) (counts []uint64, clocks int) {
	if pos != nil {
		s := oracle.NewState(pos)
		for a := 0; a < 9; {
			p.In = PerftIn{LoadValid: true, LoadAddr: uint8(a), LoadData: s.LoadData(a)}
			// The order comes with the last word.
			if p.In.SValid, p.In.SDepth = a == 8 && p.Out.LoadReady, uint8(depth); p.Out.LoadReady {
				a++
			}
			p.Step()
		}
	} else {
		p.In = PerftIn{SValid: true, SDepth: uint8(depth)}
		for !p.Out.SReady {
			p.Step()
		}
		p.Step()
	}
	p.In = PerftIn{MReady: true}
	for clocks = 1; ; clocks++ {
		o := p.Out
		p.Step()
		if o.MValid {
			if int(o.MDepth) != len(counts) {
				return nil, clocks
			}
			counts = append(counts, o.MCount)
			if o.MLast {
				return counts, clocks
			}
		}
	}
}

// The numbers that everybody gets (https://www.chessprogramming.org/Perft_Results).
var perftKnown = []struct {
	fen    string
	counts []uint64
}{
	{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", []uint64{1, 20, 400, 8902, 197281}},
	{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", []uint64{1, 48, 2039, 97862}},
	{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", []uint64{1, 14, 191, 2812, 43238}},
	{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", []uint64{1, 6, 264, 9467}},
	{"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", []uint64{1, 44, 1486, 62379}},
	{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", []uint64{1, 46, 2079, 89890}},
}

// The model gives the numbers that everybody gets; how many nodes a clock is logged.
func TestPerftModel(t *testing.T) {
	p := newPerft(t, MaxPerft)
	for _, k := range perftKnown {
		pos, err := position.ParseFEN(k.fen)
		if err != nil {
			t.Fatal(err)
		}
		depth := len(k.counts) - 1
		got, clocks := p.count(&pos, depth)
		if !slices.Equal(got, k.counts) {
			t.Errorf("%s: %d, want %d", k.fen, got, k.counts)
		}
		t.Logf("%s, depth %d: %d clocks, %.2f nodes a clock", k.fen, depth, clocks, float64(k.counts[depth])/float64(clocks))
	}
}

// Positions of every kind, of many moves, of one and of none, at each small depth, as package position counts them. The root
// stays for the next order. In every clock what is held is what the Verilog has room for.
func TestPerftPositions(t *testing.T) {
	p := newPerft(t, MaxPerft)
	r := rand.New(rand.NewPCG(16, 3))
	check := func(pos *position.Position, depths int) {
		t.Helper()
		want := []uint64{1}
		for d := 0; d <= depths; d++ {
			if d > 0 {
				want = append(want, pos.Perft(d))
			}
			root := pos
			if d > 0 {
				root = nil
			}
			if got, _ := p.count(root, d); !slices.Equal(got, want) {
				t.Fatalf("%s, depth %d: %d, want %d", pos, d, got, want)
			}
		}
	}
	for i := range 150 {
		pos := movesets.Position(r, i)
		check(&pos, 2)
	}
	for _, fen := range []string{
		"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", // 218 moves, the most there can be
		"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",                       // stalemate
		"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",                       // mate
		"7k/8/6K1/8/8/8/8/1Q6 w - - 0 1",
		"k7/8/8/6pP/6PK/6PP/8/8 w - g6 0 1",
	} {
		pos, err := position.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		check(&pos, 2)
		check(&pos, 3-int(pos.Perft(1)/100))
	}
}

// The deepest order of each model: a position whose tree is narrow. More than that counts as much.
func TestPerftDeepest(t *testing.T) {
	pos, err := position.ParseFEN("k7/p1p5/P1P5/8/8/5p1p/5P1P/7K w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	var want []uint64
	for d := range MaxPerft + 1 {
		want = append(want, pos.Perft(d))
	}
	for most := 2; most <= MaxPerft; most++ {
		p := newPerft(t, most)
		for _, depth := range []int{most, most + 1, 15} {
			if got, _ := p.count(&pos, depth); !slices.Equal(got, want[:most+1]) {
				t.Errorf("depth %d of at most %d: %d, want %d", depth, most, got, want)
			}
		}
	}
	for _, depth := range []int{-1, 0, 1, MaxPerft + 1} {
		if _, err := NewPerft(depth); err == nil {
			t.Errorf("a model of depth %d", depth)
		}
	}
}
