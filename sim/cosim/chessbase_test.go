// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ply11/bitstream/chessbase"
	"ply11/chess"
	"ply11/internal/movesets"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/oracle"
	vectors "ply11/sim/vectors/chessbase"
)

// chessbaseIn puts a position on the inputs of ply11_chessbase.
func chessbaseIn(in *sim.ChessBaseIn, g *chessbase.Generator, n chessbase.Numbering) {
	st := oracle.NewState(g.Position())
	in.Board, in.Side, in.EP, in.CBASCII = st.Men, st.Side, uint8(g.EnPassantFile()), n == chessbase.NumberingCBASCII
}

// A chessbaseStimulus asks for numbers in positions of every kind, and compares the answers with the codec's generator.
type chessbaseStimulus struct {
	c     *sim.ChessBase
	r     *rand.Rand
	count int

	g         chessbase.Generator
	numbering chessbase.Numbering
	plies     int // to play from this position
	positions int
	asked     bool // a number is offered or counted
	sent      bool
	number    int
	done      int
	seen      map[string]int
}

// another goes on to the next position: a move further, by castling where that is legal, or another altogether.
func (s *chessbaseStimulus) another() {
	moves := s.g.Position().LegalMoves(nil)
	if s.plies == 0 || len(moves) == 0 {
		p := movesets.Position(s.r, s.positions)
		if s.positions%2 == 0 {
			var err error
			if p, err = position.ParseFEN(vectors.Rare[s.positions/2%len(vectors.Rare)]); err != nil {
				panic(err) // the list is a constant
			}
		}
		s.positions++
		s.numbering = []chessbase.Numbering{chessbase.NumberingDocument, chessbase.NumberingCBASCII}[s.r.IntN(2)]
		s.g = chessbase.NewGenerator(p, s.numbering)
		s.plies = 3
		return
	}
	s.plies--
	m := moves[s.r.IntN(len(moves))]
	king := s.g.Position().KingSquare(s.g.Position().Turn())
	for _, one := range moves {
		if d := int(one.To()) - int(one.From()); one.From() == king && (d == 2 || d == -2) {
			m = one
		}
	}
	s.g.Make(m)
}

// rare returns a number that stands for what is rare, where the position has one.
func (s *chessbaseStimulus) rare(count int) int {
	var all []int
	for n := 1; n <= count; n++ {
		if m, ok := s.g.Generated(n); s.kind(n, m, ok) != "" {
			all = append(all, n)
		}
	}
	if all == nil {
		return count
	}
	return all[s.r.IntN(len(all))]
}

// kind says what is rare in the move of a number, or nothing.
func (s *chessbaseStimulus) kind(number int, m chess.Move, ok bool) string {
	p := s.g.Position()
	d := int(m.To()) - int(m.From())
	switch man := p.PieceAt(m.From()).Kind(); {
	case !ok && number > 0 && number <= s.g.Count():
		return "phantom"
	case !ok:
		return "none"
	case m.Promotion() != chess.NoKind:
		return "promotion"
	case man == chess.Pawn && d%8 != 0 && p.PieceAt(m.To()) == chess.NoPiece && p.EnPassantFile() == 0:
		return "en passant after castling"
	case man == chess.Pawn && d%8 != 0 && p.PieceAt(m.To()) == chess.NoPiece:
		return "en passant"
	case man == chess.King && (d == 2 || d == -2):
		return "castling"
	}
	return ""
}

func (s *chessbaseStimulus) Drive() bool {
	in := &s.c.In
	in.Rst = false
	if !s.asked && s.r.IntN(4) != 0 {
		if s.done%4 == 0 {
			s.another()
		}
		count := s.g.Count()
		switch s.r.IntN(8) {
		case 2, 3, 4:
			s.number = s.rare(count)
		case 0:
			s.number = s.r.IntN(128)
		case 1:
			s.number = count + s.r.IntN(2)
		default:
			s.number = 1 + s.r.IntN(max(count, 1))
		}
		s.number = min(s.number, 127)
		chessbaseIn(in, &s.g, s.numbering)
		in.SNumber = uint8(s.number)
		s.asked, s.sent = true, false
	}
	in.SValid = s.asked && !s.sent
	in.MReady = s.r.IntN(3) == 0
	return s.done < s.count
}

func (s *chessbaseStimulus) Sample() error {
	in, o := &s.c.In, &s.c.Out
	if in.SValid && o.SReady {
		s.sent = true
	}
	if !o.MValid {
		return nil
	}
	m, ok := s.g.Generated(s.number)
	index, _ := moveindex.Of(m)
	if ok == o.MNone || ok && uint16(index) != o.MIndex {
		return fmt.Errorf("%s, en passant file %d, %v, number %d: index %d, none %v; want %v, %v", s.g.Position().FEN(), s.g.EnPassantFile(),
			s.numbering, s.number, o.MIndex, o.MNone, m, ok)
	}
	if in.MReady {
		s.asked = false
		s.done++
		s.seen[s.kind(s.number, m, ok)]++
	}
	return nil
}

// testChessBase asks for numbers: the model gives the moves of the codec's generator, and the Verilog does in each clock what the model
// does.
func testChessBase(t *testing.T, tool string, count int) {
	t.Helper()
	c := &sim.ChessBase{}
	s := &chessbaseStimulus{c: c, r: rand.New(rand.NewPCG(16, 4)), count: count, seen: map[string]int{}}
	end := newBench(t).play(t, tool, trial{c, s})
	if end.Difference != nil {
		t.Error(end.Difference)
	}
	t.Logf("%d clocks; %v", end.Clocks, s.seen)
	for _, want := range []string{"none", "promotion", "castling", "en passant", "en passant after castling", "phantom"} {
		if s.seen[want] == 0 {
			t.Errorf("no %s among the moves", want)
		}
	}
}

// chessbaseIndex asks the model for a number, and returns the clocks that it takes.
func chessbaseIndex(c *sim.ChessBase, number int) (index uint16, ok bool, clocks int) {
	c.In.SValid, c.In.SNumber, c.In.MReady = true, uint8(number), true
	for c.Step(); !c.Out.MValid; c.Step() {
		c.In.SValid = false
		clocks++
	}
	c.In.SValid = false
	index, ok = c.Out.MIndex, !c.Out.MNone
	c.Step()
	return index, ok, clocks + 2
}

// chessbaseGame plays a line of moves by their numbers, and adds to the plies and clocks.
func chessbaseGame(t *testing.T, start position.Position, n chessbase.Numbering, moves []chess.Move, plies, clocks *int) {
	t.Helper()
	c := &sim.ChessBase{}
	c.Reset()
	g := chessbase.NewGenerator(start, n)
	for ply, m := range moves {
		number, err := g.Number(m)
		if err != nil || number > chessbase.MaxNumber {
			return // a null move, or one without a byte
		}
		chessbaseIn(&c.In, &g, n)
		got, ok, used := chessbaseIndex(c, number)
		if want, _ := moveindex.Of(m); !ok || got != uint16(want) {
			t.Fatalf("ply %d: number %d of %s is index %d, %v; want %v", ply+1, number, g.Position().FEN(), got, ok, m)
		}
		*plies++
		*clocks += used
		if g.Make(m); int(c.Out.MEP) != g.EnPassantFile() {
			t.Fatalf("ply %d: en passant file %d after %v, want %d", ply+1, c.Out.MEP, m, g.EnPassantFile())
		}
	}
}

// The famous games, by their numbers.
func TestChessBaseGames(t *testing.T) {
	plies, clocks := 0, 0
	for _, l := range famousLines(t) {
		for _, n := range []chessbase.Numbering{chessbase.NumberingDocument, chessbase.NumberingCBASCII} {
			chessbaseGame(t, l.start, n, l.moves, &plies, &clocks)
		}
	}
	if plies == 0 {
		t.Fatal("no moves")
	}
	t.Logf("%d plies, %.1f clocks each", plies, float64(clocks)/float64(plies))
}

// Icarus, for some numbers of each kind.
func TestChessBase(t *testing.T) { testChessBase(t, ToolIcarus, 500) }
