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

// eachWay calls do once for each way to the frequencies that the processor has, and goes that way meanwhile.
func eachWay(do func(name string)) {
	has := hasVectors
	defer func() { hasVectors = has }()
	if has {
		do("assembly")
	}
	hasVectors = false
	do("Go")
}

// TestAssembly compares, for all assembly that the processor can run, the choices of the positions of random games,
// mates and stalemates among them, with those that are set in Go. Where there is no assembly, they are the same
// function.
func TestAssembly(t *testing.T) {
	eachWay(func(name string) { t.Run(name, testAssembly) })
}

func testAssembly(t *testing.T) {
	var f frame
	var c, want choice
	m := shared()
	check := func(p *position.Position, h *history) {
		f.set(p, h)
		setGo(&want, &f, m)
		for j := range c.freq { // what is left of other positions
			c.freq[j], c.moves[j] = ^uint32(0), ^chess.Move(0)
		}
		c.set(&f, m)
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
	m = new(model)
	extreme := func() int8 {
		if random.IntN(9) == 0 {
			return -128
		}
		return int8(random.IntN(3)-1) * 127
	}
	for i := range m.tables {
		m.tables[i] = extreme()
	}
	for _, rows := range [][][neurons / 8]uint64{m.net.input[:], m.net.output[:]} {
		for i := range rows {
			for j := range neurons {
				rows[i][j/8] |= uint64(uint8(extreme())) << (j % 8 * 8)
			}
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

// setGo is choice.set without assembly.
func setGo(c *choice, f *frame, m *model) {
	n := c.list(f, &m.tables)
	c.moves[n], c.freq[n] = chess.NullMove, 1
	c.n, c.total = n+1, 1
	if n > 0 {
		c.senseGo(f, &m.net)
		c.weighGo(f, &m.net, n)
		c.total += c.frequenciesGo(n)
	}
}

// TestScores compares the scores with their definition, and the moves with the legal ones.
func TestScores(t *testing.T) {
	var f frame
	var c choice
	m := shared()
	for _, g := range randomGames(200) {
		var h history
		p := g.Start
		for _, i := range g.Moves {
			f.set(&p, &h)
			c.set(&f, m)
			listed := c.moves[:c.n-1]
			legal := p.LegalMoves(nil)
			got := slices.Clone(listed)
			slices.Sort(legal)
			slices.Sort(got)
			if !slices.Equal(got, legal) {
				t.Fatalf("%s: %v, want %v", p.FEN(), got, legal)
			}
			scores := make([]int, len(listed))
			for j, move := range listed {
				scores[j] = scoreByDefinition(&f, m, move)
			}
			best := slices.Max(scores)
			for j, move := range listed {
				if got, want := c.freq[j], exp2[min(best-scores[j], 255)]; got != want {
					t.Fatalf("%s, %v: frequency %d, want %d", p.FEN(), move, got, want)
				}
			}
			move, _ := i.Move()
			h.add(&p, move)
			p.Make(move)
		}
	}
}

// scoreByDefinition is the score of a move but for what all moves share.
func scoreByDefinition(f *frame, m *model, move chess.Move) (score int) {
	places := f.features(move)
	for _, w := range places {
		score += int(m.tables[w])
	}
	product := 0
	for j := range neurons {
		sum := 0
		for _, i := range f.inputs[:f.numInputs] {
			sum += weight(&m.net.input[i], j)
		}
		for _, row := range f.outputs(move, places[1]-tacticAt) {
			product += min(max(sum, 0), 127) * weight(&m.net.output[row], j)
		}
	}
	return score + product>>netShift
}

// TestNothingIsAllocated codes and decodes games with coders that have done so before.
func TestNothingIsAllocated(t *testing.T) {
	games := randomGames(20)
	var e Encoder
	var d Decoder
	dst := encode(t, &e, games)
	moves := make([]moveindex.Index, 200)
	allocations := testing.AllocsPerRun(5, func() {
		dst = encodeTo(t, &e, dst, games)
		decodeTo(t, &d, moves, dst, games)
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}
