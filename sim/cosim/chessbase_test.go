// SPDX-License-Identifier: Apache-2.0

package cosim_test

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

func askNumber(r *rig, stream int, g *chessbase.Generator, n chessbase.Numbering, number int) {
	st := oracle.NewState(g.Position())
	st.EP = uint8(g.EnPassantFile())
	r.setPosition(stream, &st)
	r.setBit(stream, "cbascii", n == chessbase.NumberingCBASCII)
	r.set(stream, "s_number", uint64(number))
}

// A numberStream asks ply11_chessbase for numbers, and compares the answers with the codec's generator.
type numberStream struct {
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
func (s *numberStream) another() {
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

// rare returns a number whose move is rare, where the position has one.
func (s *numberStream) rare(count int) int {
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

// kind says what is rare in the move of a number.
func (s *numberStream) kind(number int, m chess.Move, ok bool) string {
	p := s.g.Position()
	d := int(m.To()) - int(m.From())
	switch piece := p.PieceAt(m.From()).Kind(); {
	case !ok && number > 0 && number <= s.g.Count():
		return "phantom"
	case !ok:
		return "none"
	case m.Promotion() != chess.NoKind:
		return "promotion"
	case piece == chess.Pawn && d%8 != 0 && p.PieceAt(m.To()) == chess.NoPiece && p.EnPassantFile() == 0:
		return "en passant after castling"
	case piece == chess.Pawn && d%8 != 0 && p.PieceAt(m.To()) == chess.NoPiece:
		return "en passant"
	case piece == chess.King && (d == 2 || d == -2):
		return "castling"
	}
	return ""
}

func (s *numberStream) drive(r *rig, stream int) bool {
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
		askNumber(r, stream, &s.g, s.numbering, s.number)
		s.asked, s.sent = true, false
	}
	r.setBit(stream, "s_valid", s.asked && !s.sent)
	r.setBit(stream, "m_ready", s.r.IntN(3) == 0)
	return s.done < s.count
}

func (s *numberStream) sample(r *rig, stream int) error {
	if s.asked && !s.sent && r.get(stream, "s_ready") == 1 {
		s.sent = true
	}
	if r.get(stream, "m_valid") == 0 {
		return nil
	}
	m, ok := s.g.Generated(s.number)
	want, _ := moveindex.Of(m)
	if none, index := r.get(stream, "m_none") == 1, r.get(stream, "m_index"); ok == none || ok &&
		index != uint64(want) {
		return fmt.Errorf("%s, en passant file %d, %v, number %d: index %d, none %v; want %v, %v", s.g.Position().FEN(),
			s.g.EnPassantFile(),
			s.numbering, s.number, index, none, m, ok)
	}
	if ok && s.g.Position().IsLegal(m) {
		after := s.g
		if after.Make(m); r.get(stream, "m_ep") != uint64(after.EnPassantFile()) {
			return fmt.Errorf("%s: en passant file %d after %v, want %d", s.g.Position().FEN(), r.get(stream, "m_ep"),
				m, after.EnPassantFile())
		}
	}
	if r.get(stream, "m_ready") == 1 {
		s.asked = false
		s.done++
		s.seen[s.kind(s.number, m, ok)]++
	}
	return nil
}

// ply11_chessbase gives the moves of the codec's generator.
func TestChessBase(t *testing.T) {
	seen := map[string]int{}
	var streams []rigStream
	for k := range sim.Narrow {
		streams = append(streams, &numberStream{r: rand.New(rand.NewPCG(16, uint64(4+k))), count: 320, seen: seen})
	}
	r := newRig(t, "ply11_chessbase")
	t.Logf("%d clocks; %v", r.run(t, 1<<20, streams...), seen)
	for _, want := range []string{"none", "promotion", "castling", "en passant", "en passant after castling",
		"phantom"} {
		if seen[want] == 0 {
			t.Errorf("no %s among the moves", want)
		}
	}
}
