// SPDX-License-Identifier: Apache-2.0

package cosim_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/movesets"
	"ply11/internal/samples"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim"
	"ply11/sim/eda/edatest"
	"ply11/sim/oracle"
	"ply11/testdata"
)

type line struct {
	name  string
	start position.Position
	moves []chess.Move
}

// lines reads the main lines of at most limit games that are valid.
func lines(tb testing.TB, name string, r io.Reader, limit int) []line {
	tb.Helper()
	var all []line
	for g, err := range pgn.NewReader(r, pgn.WithName(name)).All() {
		if err != nil || g == nil {
			continue
		}
		all = append(all, line{fmt.Sprintf("%s game %d", name, len(all)+1), g.Start, g.AppendMainLine(nil)})
		if len(all) == limit {
			break
		}
	}
	if len(all) == 0 {
		tb.Fatalf("%s: no games", name)
	}
	return all
}

func famousLines(tb testing.TB) []line {
	return lines(tb, "famous.pgn", strings.NewReader(testdata.Famous), 1000)
}

// fileLines reads games of the folder of real data, or of the samples.
func fileLines(tb testing.TB, limit int, parts ...string) []line {
	tb.Helper()
	name := parts[len(parts)-1]
	r, _ := datadir.Open(tb, samples.Like(name), parts...)
	return lines(tb, name, r, limit)
}

// judge returns the code with which a word is refused in a position, from the text of ply11_board's header alone.
func judge(p *position.Position, i moveindex.Index) oracle.Fault {
	if i >= moveindex.NumMoves {
		if i == moveindex.Null {
			return oracle.NoFault
		}
		return oracle.FaultCode
	}
	m, _ := i.Move()
	from, to := m.From(), m.To()
	piece, target := p.PieceAt(from), p.PieceAt(to)
	if piece == chess.NoPiece {
		return oracle.FaultEmpty
	}
	if piece.Color() != p.Turn() {
		return oracle.FaultOpponent
	}
	if target != chess.NoPiece && target.Color() == p.Turn() {
		return oracle.FaultOwn
	}
	if target.Kind() == chess.King {
		return oracle.FaultGeometry
	}
	df, dr := to.File()-from.File(), to.Rank()-from.Rank()
	forward, fifth, second, home, last := dr, 4, 1, chess.E1, 7
	wings := [2]position.CastlingRights{position.WhiteKingside, position.WhiteQueenside}
	if p.Turn() == chess.Black {
		forward, fifth, second, home, last = -dr, 3, 6, chess.E8, 0
		wings = [2]position.CastlingRights{position.BlackKingside, position.BlackQueenside}
	}
	d2 := df*df + dr*dr
	ok := false
	switch piece.Kind() {
	case chess.King:
		if from == home && dr == 0 && df*df == 4 {
			wing, squares := wings[0], []chess.Square{home + 1, home + 2}
			if df < 0 {
				wing, squares = wings[1], []chess.Square{home - 1, home - 2, home - 3}
			}
			free := p.Castling()&wing != 0
			for _, s := range squares {
				free = free && p.PieceAt(s) == chess.NoPiece
			}
			if !free {
				return oracle.FaultCastling
			}
			return oracle.NoFault
		}
		ok = d2 <= 2
	case chess.Queen:
		ok = df == 0 || dr == 0 || df*df == dr*dr
	case chess.Rook:
		ok = df == 0 || dr == 0
	case chess.Bishop:
		ok = df*df == dr*dr
	case chess.Knight:
		ok = d2 == 5
	case chess.Pawn:
		passant := p.EnPassantFile() == to.File()+1 && from.Rank() == fifth
		switch {
		case df == 0 && forward == 1:
			ok = target == chess.NoPiece
		case df == 0 && forward == 2:
			ok = target == chess.NoPiece && from.Rank() == second
		case df*df == 1 && forward == 1:
			ok = target != chess.NoPiece || passant
		}
		ok = ok && (to.Rank() == last) == (m.Promotion() != chess.NoKind)
	}
	if m.Promotion() != chess.NoKind && piece.Kind() != chess.Pawn || !ok {
		return oracle.FaultGeometry
	}
	return oracle.NoFault
}

func boardPositions(tb testing.TB) (all []position.Position) {
	tb.Helper()
	for n := range 16 {
		rights := "-"
		for i, c := range "KQkq" {
			if n>>i&1 != 0 {
				rights += string(c)
			}
		}
		if n != 0 {
			rights = rights[1:]
		}
		for _, pieces := range []string{
			// Castling, rooks that take rooks, pawns and knights that take them, and pieces between.
			"r3k2r/8/8/8/8/8/8/R3K2R", "r3k2r/1P4P1/1N4N1/8/8/1n4n1/1p4p1/R3K2R", "r1b1k1nr/8/8/8/8/8/8/RN2KB1R",
		} {
			for _, side := range "wb" {
				p, err := position.ParseFEN(fmt.Sprintf("%s %c %s - 3 40", pieces, side, rights))
				edatest.Must(tb, err)
				all = append(all, p)
			}
		}
	}
	for _, pieces := range []string{"8", "nnnnnnnn", "bbbbbbbb", "rrrrrrrr", "qqqqqqqq"} { // all promotions
		for _, fen := range []string{pieces + "/PPPPPPPP/8/8/k6K/8/8/8 w - - 0 1",
			"8/8/8/8/k6K/8/pppppppp/" + strings.ToUpper(pieces) + " b - - 0 1"} {
			p, err := position.ParseFEN(fen)
			edatest.Must(tb, err)
			all = append(all, p)
		}
	}
	r := rand.New(rand.NewPCG(11, 1968))
	for len(all) < 4*sim.Narrow-24 {
		all = append(all, movesets.Position(r, len(all)))
	}
	return all
}

// Every word is examined in every position of games and of boardPositions: Check by an independent reading of the
// rules, and all legal moves pass and lead to where position does.
func TestCheck(t *testing.T) {
	games := famousLines(t)
	games = append(games, fileLines(t, 20, "pgn", "master", "master-50k.pgn.zst")...)
	games = append(games, fileLines(t, 10, "pgn", "edge", "openrating_underpromotions.pgn")...)
	for i, p := range boardPositions(t) {
		games = append(games, line{fmt.Sprint("position ", i), p, p.LegalMoves(nil)[:min(1, p.CountLegal())]})
	}
	var count [7]int
	var buf []chess.Move
	for _, g := range games {
		pos := g.start
		for ply, m := range g.moves {
			s := oracle.NewState(&pos)
			for i := range moveindex.Index(2048) {
				got, want := s.Check(i), judge(&pos, i)
				count[want]++
				if got != want {
					t.Fatalf("%s ply %d, index %d: %v, want %v\n%v", g.name, ply+1, i, got, want, s)
				}
			}
			buf = pos.LegalMoves(buf[:0])
			for _, l := range buf {
				i, _ := moveindex.Of(l)
				after, next := s, pos
				next.Make(l)
				if _, _, fault := after.Play(i); fault != oracle.NoFault || after != oracle.NewState(&next) {
					t.Fatalf("%s ply %d, %v: %v\n%vwant\n%v", g.name, ply+1, l, fault, after, oracle.NewState(&next))
				}
			}
			pos.Make(m)
		}
	}
	for f, n := range count {
		if n == 0 {
			t.Errorf("no word was refused for %v", oracle.Fault(f))
		}
	}
}

// A boardStream gives ply11_board every word in every position, which it loads again after a move that is applied.
type boardStream struct {
	states  *[]oracle.State
	applied *[moveindex.NumMoves]bool

	state oracle.State
	word  moveindex.Index
	row   int  // the next that is loaded
	sent  bool // the word
	begun bool
}

func (s *boardStream) drive(r *rig, stream int) bool {
	if !s.begun {
		if len(*s.states) == 0 {
			return false
		}
		s.state, *s.states = (*s.states)[0], (*s.states)[1:]
		s.begun, s.word, s.row = true, 0, 0
	}
	r.setBit(stream, "load_valid", s.row <= 8)
	if s.row <= 8 {
		r.set(stream, "load_addr", uint64(s.row))
		r.set(stream, "load_data", uint64(s.state.LoadData(s.row)))
	}
	r.setBit(stream, "s_valid", s.row > 8 && !s.sent)
	r.set(stream, "s_index", uint64(s.word))
	r.set(stream, "m_ready", 1)
	return true
}

func (s *boardStream) sample(r *rig, stream int) error {
	switch {
	case s.row <= 8:
		s.row += int(r.get(stream, "load_ready"))
	case !s.sent:
		s.sent = r.get(stream, "s_ready") == 1
	}
	if r.get(stream, "m_valid") == 0 {
		return nil
	}
	after := s.state
	piece, captured, fault := after.Play(s.word)
	m, isMove := s.word.Move()
	got := oracle.State{Side: uint8(r.get(stream, "side")), Rights: uint8(r.get(stream, "rights")),
		EP: uint8(r.get(stream, "ep")), Ply: uint16(r.get(stream, "ply"))}
	for k := range got.Pieces {
		got.Pieces[k] = r.Get(r.port("board").Slice(64*k, 64*k+64), stream)
	}
	for name, want := range map[string]uint64{"m_error": uint64(fault), "m_from": uint64(m.From()),
		"m_to": uint64(m.To()), "m_promotion": uint64(m >> 12), "m_piece": uint64(piece),
		"m_captured": uint64(captured)} {
		if x := r.get(stream, name); x != want {
			return fmt.Errorf("%s of word %d is %d, want %d, in\n%v", name, s.word, x, want, s.state)
		}
	}
	if got != after {
		return fmt.Errorf("word %d: after\n%v\nthere is\n%vand must be\n%v", s.word, s.state, got, after)
	}
	if fault == oracle.NoFault {
		s.row = 0
		if isMove {
			s.applied[s.word] = true
		}
	}
	s.sent = false
	s.word++
	s.begun = s.word < moveindex.NumWords
	return nil
}

// ply11_board does what the oracle says, which TestCheck compares with the rules: every word in positions of every
// kind.
func TestBoard(t *testing.T) {
	t.Parallel()
	testenv.Slow(t)
	var states []oracle.State
	for _, p := range boardPositions(t) {
		states = append(states, oracle.NewState(&p))
	}
	// Queens on each rank and each file, and knights on each rank: all moves but promotions.
	for n := range 8 {
		var ranks, files, knights oracle.State
		for k := range 8 {
			ranks.Put(chess.Square(8*n+k), chess.WhiteQueen)
			files.Put(chess.Square(8*k+n), chess.WhiteQueen)
			knights.Put(chess.Square(8*n+k), chess.WhiteKnight)
		}
		states = append(states, ranks, files, knights)
	}
	var applied [moveindex.NumMoves]bool
	var streams []rigStream
	for range sim.Narrow {
		streams = append(streams, &boardStream{states: &states, applied: &applied})
	}
	newRig(t, "ply11_board").run(t, 1<<20, streams...)
	for i, ok := range applied {
		if !ok {
			t.Errorf("index %d is never applied", i)
		}
	}
}
