// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/moveindex"
	"ply11/position"
	"ply11/sim/oracle"
	"ply11/testdata"
)

// A line is a game as the hardware plays it.
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

// judge says with which code a word is refused in a position, from the text of ply11_board's header and
// with nothing of State.
func judge(p *position.Position, i moveindex.Index) oracle.Fault {
	if i >= moveindex.NumMoves {
		if i == moveindex.Null {
			return oracle.NoFault
		}
		return oracle.FaultCode
	}
	m, _ := i.Move()
	from, to := m.From(), m.To()
	man, target := p.PieceAt(from), p.PieceAt(to)
	if man == chess.NoPiece {
		return oracle.FaultEmpty
	}
	if man.Color() != p.Turn() {
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
	switch man.Kind() {
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
	if m.Promotion() != chess.NoKind && man.Kind() != chess.Pawn || !ok {
		return oracle.FaultGeometry
	}
	return oracle.NoFault
}

// Every word is examined in every position of games: Check by an independent reading of the rules, and all
// legal moves pass and lead to where position does.
func TestCheck(t *testing.T) {
	games := famousLines(t)
	games = append(games, fileLines(t, 20, "pgn", "master", "master-50k.pgn.zst")...)
	games = append(games, fileLines(t, 10, "pgn", "edge", "openrating_underpromotions.pgn")...)
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
