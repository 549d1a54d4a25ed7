// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ply11/chess"
	"ply11/internal/datadir"
	"ply11/internal/start960"
	"ply11/moveindex"
	"ply11/position"
)

// samplePositions returns positions of all sorts: those of knownPerft, of some games, of random ones, where
// promotions, en passant and castling are frequent, and, where the folder of real data is present, the perft
// files'. Under -short there are fewer.
func samplePositions(tb testing.TB) []position.Position {
	tb.Helper()
	var list []position.Position
	for _, c := range knownPerft {
		list = append(list, mustFEN(tb, c.fen))
	}
	if _, ok := datadir.Dir(); ok && !testing.Short() {
		for _, name := range []string{"tricky.perft", "random.perft"} {
			for i, c := range readPerft(tb, name) {
				if p, err := position.ParseFEN(c.epd + " 0 1"); err == nil && (i < 500 || i%20 == 0) {
					list = append(list, p)
				}
			}
		}
	}
	games, random := 50, 60
	if testing.Short() {
		games, random = 10, 8
	}
	for _, l := range masterLines(tb)[:games] {
		p := position.Start()
		for _, i := range l.indices {
			list = append(list, p)
			p.MakeIndex(i)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 2 * random {
		p := position.Start()
		if n >= random { // of Chess960, in which the pieces leave soon
			p = mustFEN(tb, start960.FEN(17*n))
			p = p.ToChess960()
		}
		for range 250 {
			moves := p.LegalMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			for try := 0; try < 3 && p.PieceAt(m.From()).Kind() != chess.Pawn; try++ {
				m = moves[rng.IntN(len(moves))]
			}
			p.Make(m)
			list = append(list, p)
		}
	}
	return list
}

// slowAttackers walks the board square by square, in ignorance of everything in bitboard.go.
func slowAttackers(p *position.Position, target chess.Square, by chess.Color) (b position.Bitboard) {
	at := func(file, rank int) chess.Piece {
		if file < 0 || file > 7 || rank < 0 || rank > 7 {
			return 15
		}
		return p.PieceAt(chess.NewSquare(file, rank))
	}
	f, r := target.File(), target.Rank()
	hit := func(file, rank int) { b |= position.SquareSet(chess.NewSquare(file, rank)) }
	for _, d := range [8][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}} {
		if at(f+d[0], r+d[1]) == chess.NewPiece(by, chess.Knight) {
			hit(f+d[0], r+d[1])
		}
	}
	for df := -1; df <= 1; df++ {
		for dr := -1; dr <= 1; dr++ {
			if df == 0 && dr == 0 {
				continue
			}
			slider := chess.Bishop
			if df == 0 || dr == 0 {
				slider = chess.Rook
			}
			for n := 1; n < 8; n++ {
				piece := at(f+n*df, r+n*dr)
				if piece == chess.NoPiece {
					continue
				}
				k := piece.Kind()
				if piece != 15 && piece.Color() == by &&
					(k == slider || k == chess.Queen || k == chess.King && n == 1) {
					hit(f+n*df, r+n*dr)
				}
				break
			}
		}
	}
	back := -1
	if by == chess.Black {
		back = 1
	}
	for _, df := range [2]int{-1, 1} {
		if at(f+df, r+back) == chess.NewPiece(by, chess.Pawn) {
			hit(f+df, r+back)
		}
	}
	return b
}

func TestAttackers(t *testing.T) {
	for i, p := range samplePositions(t) {
		if i%7 != 0 {
			continue
		}
		for s := chess.A1; s <= chess.H8; s++ {
			for _, c := range [2]chess.Color{chess.White, chess.Black} {
				if got, want := p.Attackers(s, c), slowAttackers(&p, s, c); got != want {
					t.Fatalf("%s: %s attacks %s from %s, want %s", p.FEN(), c, s, position.SquareList(got),
						position.SquareList(want))
				}
				var got position.Bitboard
				for b := p.ByColor(c); b != 0; b &= b - 1 {
					if from := b.First(); position.Attacks(p.PieceAt(from), from, p.Occupied()).Has(s) {
						got |= position.SquareSet(from)
					}
				}
				if want := p.Attackers(s, c); got != want {
					t.Fatalf("%s: Attacks and Attackers of %s on %s differ: %s, %s",
						p.FEN(), c, s, position.SquareList(got), position.SquareList(want))
				}
			}
		}
	}
}

// TestLegalityAgrees holds everything that knows what is legal against each other: the list, the
// count, the test of one halfmove, the mask over the indices, and pseudo-legality with the king's
// safety found by making the halfmove.
func TestLegalityAgrees(t *testing.T) {
	for _, p := range samplePositions(t) {
		legal := p.LegalMoves(nil)
		if n := p.CountLegal(); n != len(legal) {
			t.Fatalf("%s: CountLegal %d, the list has %d", p.FEN(), n, len(legal))
		}
		if p.HasLegalMove() != (len(legal) > 0) {
			t.Fatalf("%s: HasLegalMove %v, the list has %d", p.FEN(), p.HasLegalMove(), len(legal))
		}
		inCheck := slowAttackers(&p, p.KingSquare(p.Turn()), p.Turn().Other()) != 0
		if p.InCheck() != inCheck || p.IsCheckmate() != (inCheck && len(legal) == 0) ||
			p.IsStalemate() != (!inCheck && len(legal) == 0) {
			t.Fatalf("%s: check, mate or stalemate is wrong", p.FEN())
		}
		var want, got [31]uint64
		seen := make(map[moveindex.Index]chess.Move, len(legal))
		for _, m := range legal {
			i, ok := moveindex.Of(m)
			if !ok {
				t.Fatalf("%s: %s has no index", p.FEN(), m)
			}
			if other, twice := seen[i]; twice {
				t.Fatalf("%s: %s and %s have the index %d", p.FEN(), m, other, i)
			}
			seen[i] = m
			want[i/64] |= 1 << (i % 64)
		}
		got[30] = ^uint64(0)
		p.LegalMask(&got)
		if got != want {
			t.Fatalf("%s: LegalMask is not the list's", p.FEN())
		}
		for i := moveindex.Index(0); i < moveindex.NumMoves; i++ {
			m, _ := i.Move()
			_, isLegal := seen[i]
			if p.IsLegal(m) != isLegal {
				t.Fatalf("%s: IsLegal(%s) = %v", p.FEN(), m, !isLegal)
			}
			if (p.Why(m) == "") != isLegal {
				t.Fatalf("%s: Why(%s) = %q", p.FEN(), m, p.Why(m))
			}
			if !p.IsPseudoLegal(m) {
				if isLegal {
					t.Fatalf("%s: %s is legal and not pseudo-legal", p.FEN(), m)
				}
				continue
			}
			q := p
			q.Make(m)
			if safe := slowAttackers(&q, q.KingSquare(p.Turn()), q.Turn()) == 0; safe != isLegal {
				t.Fatalf("%s: %s is pseudo-legal; king safe %v, legal %v", p.FEN(), m, safe, isLegal)
			}
		}
		if p.IsLegal(chess.NullMove) || p.IsPseudoLegal(chess.NullMove) {
			t.Fatalf("%s: the null move is legal", p.FEN())
		}
	}
}

// slowMake makes a halfmove on a Setup, in ignorance of make.go.
func slowMake(s position.Setup, m chess.Move) position.Setup {
	from, to := m.From(), m.To()
	piece, victim := s.Board[from], s.Board[to]
	s.Board[from] = chess.NoPiece
	s.Board[to] = piece
	s.HalfmoveClock++
	ep := s.EnPassantFile
	s.EnPassantFile = 0
	switch piece.Kind() {
	case chess.Pawn:
		s.HalfmoveClock = 0
		if from.File() != to.File() && victim == chess.NoPiece {
			if to.File()+1 != ep {
				panic("en passant on another file")
			}
			s.Board[chess.NewSquare(to.File(), from.Rank())] = chess.NoPiece
		}
		if d := from.Rank() - to.Rank(); d == 2 || d == -2 {
			s.EnPassantFile = to.File() + 1
		}
		if m.Promotion() != chess.NoKind {
			s.Board[to] = chess.NewPiece(piece.Color(), m.Promotion())
		}
	case chess.King:
		switch {
		case s.Chess960 && victim == chess.NewPiece(s.Turn, chess.Rook):
			s.Board[to], victim = chess.NoPiece, chess.NoPiece
			if home := from.Rank() * 8; to > from {
				s.Board[home+6], s.Board[home+5] = piece, chess.NewPiece(s.Turn, chess.Rook)
			} else {
				s.Board[home+2], s.Board[home+3] = piece, chess.NewPiece(s.Turn, chess.Rook)
			}
		case to == from+2:
			s.Board[from+1], s.Board[from+3] = s.Board[from+3], chess.NoPiece
		case from == to+2:
			s.Board[from-1], s.Board[from-4] = s.Board[from-4], chess.NoPiece
		}
	}
	if victim != chess.NoPiece {
		s.HalfmoveClock = 0
	}
	if s.Chess960 {
		for right := range s.Rooks {
			home := chess.NewSquare(int(s.Rooks[right]), 7*(right>>1))
			if home == from || home == to || piece == chess.NewPiece(chess.Color(right>>1), chess.King) {
				s.Castling &^= 1 << right
				s.Rooks[right] = 0
			}
		}
		s.Chess960 = s.Castling != 0
	}
	for _, q := range [2]chess.Square{from, to} {
		if s.Chess960 {
			break
		}
		switch q {
		case chess.A1:
			s.Castling &^= position.WhiteQueenside
		case chess.H1:
			s.Castling &^= position.WhiteKingside
		case chess.E1:
			s.Castling &^= position.WhiteKingside | position.WhiteQueenside
		case chess.A8:
			s.Castling &^= position.BlackQueenside
		case chess.H8:
			s.Castling &^= position.BlackKingside
		case chess.E8:
			s.Castling &^= position.BlackKingside | position.BlackQueenside
		}
	}
	if s.Turn == chess.Black {
		s.FullmoveNumber++
	}
	s.Turn = s.Turn.Other()
	return s
}

func TestMake(t *testing.T) {
	for _, p := range samplePositions(t) {
		h := p.Hash()
		before := p
		for _, m := range p.LegalMoves(nil) {
			q := p
			q.Make(m)
			if got, want := q.Setup(), slowMake(p.Setup(), m); got != want {
				t.Fatalf("%s: after %s: %+v, want %+v", p.FEN(), m, got, want)
			}
			r := p
			if got := r.MakeHash(h, m); got != q.Hash() || r != q {
				t.Fatalf("%s: MakeHash %s is %016x, want %016x", p.FEN(), m, got, q.Hash())
			}
			i, _ := moveindex.Of(m)
			r = p
			if r.MakeIndex(i); r != q {
				t.Fatalf("%s: MakeIndex %d is not Make %s", p.FEN(), i, m)
			}
		}
		q := p
		q.Make(chess.NullMove)
		want := p.Setup()
		want.Turn, want.EnPassantFile = want.Turn.Other(), 0
		want.HalfmoveClock++
		if p.Turn() == chess.Black {
			want.FullmoveNumber++
		}
		r := p
		if q.Setup() != want || r.MakeHash(h, chess.NullMove) != q.Hash() {
			t.Fatalf("%s: after the null move: %s", p.FEN(), q.FEN())
		}
		r = p
		if r.MakeIndex(moveindex.Null); r != q || p != before {
			t.Fatalf("%s: MakeIndex(Null) is not the null move", p.FEN())
		}
	}
}

// TestResolve holds resolve against the list of legal halfmoves, for every kind, target and hint.
func TestResolve(t *testing.T) {
	hints := []position.Bitboard{position.AllSquares, 0}
	for i := range 8 {
		hints = append(hints, position.FileOf(i), position.RankOf(i))
	}
	for n, p := range samplePositions(t) {
		if n%5 != 0 {
			continue
		}
		legal := p.LegalMoves(nil)
		for kind := chess.King; kind <= chess.Pawn; kind++ {
			for to := chess.A1; to <= chess.H8; to++ {
				for h := 0; h < len(hints)+1; h++ {
					hint := position.SquareSet(chess.Square(n+int(to)) & 63)
					if h < len(hints) {
						hint = hints[h]
					}
					promotion := chess.NoKind
					if kind == chess.Pawn && position.SquareSet(to)&(position.Rank1|position.Rank8) != 0 {
						promotion = chess.PromotionKinds[h%4]
					}
					var fits []chess.Move
					for _, m := range legal {
						castling := kind == chess.King && (m.To() == m.From()+2 || m.From() == m.To()+2 ||
							p.ByColor(p.Turn()).Has(to))
						if p.PieceAt(m.From()).Kind() == kind && m.To() == to && hint.Has(m.From()) &&
							m.Promotion() == promotion && !castling {
							fits = append(fits, m)
						}
					}
					m, status := p.Resolve(kind, to, hint, promotion)
					switch {
					case len(fits) == 1 && (status != position.Unique || m != fits[0]),
						len(fits) > 1 && status != position.Ambiguous,
						len(fits) == 0 && status != position.NoneFits && status != position.Exposed:
						t.Fatalf("%s: resolve(%s, %s, %x, %s) = %s, %d; %v fit",
							p.FEN(), kind, to, uint64(hint), promotion, m, status, fits)
					}
				}
			}
		}
		for _, queenside := range [2]bool{false, true} {
			if m, ok := p.Castle(queenside); ok != slices.Contains(legal, m) &&
				p.PieceAt(m.From()).Kind() == chess.King {
				t.Fatalf("%s: Castle(%v) = %s, %v", p.FEN(), queenside, m, ok)
			}
		}
	}
}

// TestNothingPanics throws every 16-bit halfmove at every method that takes one.
func TestNothingPanics(t *testing.T) {
	list := samplePositions(t)
	list = append(list[:20:20], position.Impossible()...)
	for _, p := range list {
		for m := range 1 << 16 {
			m := chess.Move(m)
			if p.IsLegal(m) {
				p.IsPseudoLegal(m)
			}
			q := p
			q.Make(m)
			if m%17 == 0 {
				p.AppendSAN(nil, m)
				r := p
				r.MakeHash(0, m)
				p.Why(m)
				q.CountLegal()
				q.LegalMoves(nil)
				_ = q.FEN()
				q.Hash()
				q.LegalMask(new([31]uint64))
				q.Resolve(chess.Kind(m), chess.Square(m>>8), position.AllSquares, chess.Kind(m>>4))
			}
		}
	}
}

func TestHistory(t *testing.T) {
	var h position.History
	p := position.Start()
	want := []int{1, 1, 1, 1, 2, 2, 2, 2, 3, 1, 1}
	for i, uci := range []string{"", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5"} {
		if uci != "" {
			m, err := p.ParseUCI(uci)
			if err != nil {
				t.Fatal(err)
			}
			p.Make(m)
		}
		if n := h.Push(&p); n != want[i] {
			t.Errorf("after %q (%d) the position has occurred %d times, want %d", uci, i, n, want[i])
		}
	}
	// A lost castling right makes another position; so does an en passant capture, if it is legal.
	for _, c := range []struct {
		fen   string
		moves string
		want  int
	}{
		{"r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "h1h2 a8a7 h2h1 a7a8", 1},
		{"r3k3/8/8/8/8/8/8/4K2R w - - 0 1", "h1h2 a8a7 h2h1 a7a8", 2},
		{"4k3/8/8/8/4p3/8/3P4/R3K3 w - - 0 1", "d2d4 e8e7 a1a2 e7e8 a2a1", 1},
		{"4k3/8/8/8/2p1p3/8/7P/R3K3 w - - 0 1", "h2h4 e8e7 a1a2 e7e8 a2a1", 2},
		{"8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1", "a4a3 h4h5 a3a4 h5h4", 2},
		{"8/8/8/8/k2Pp3/8/8/4K2R b - d3 0 1", "a4a3 h1h2 a3a4 h2h1", 1},
	} {
		p := mustFEN(t, c.fen)
		h.Reset()
		n := h.Push(&p)
		for rest := c.moves; rest != ""; rest = rest[min(len(rest), 5):] {
			m, err := p.ParseUCI(rest[:4])
			if err != nil {
				t.Fatal(err)
			}
			p.Make(m)
			n = h.Push(&p)
		}
		if n != c.want {
			t.Errorf("%s, %s: %d times, want %d", c.fen, c.moves, n, c.want)
		}
	}
}

func TestDraws(t *testing.T) {
	for _, c := range []struct {
		fen  string
		dead bool
	}{
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", true},
		{"4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true},
		{"4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true},
		{"4k1n1/8/8/8/8/8/8/4KN2 w - - 0 1", false},
		{"4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", false},
		{"4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false},
		{"2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true},
		{"4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", false},
		{"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false},
		{"4k3/8/8/8/8/8/8/4KR2 w - - 0 1", false},
		{"4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", false},
		{"4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1", false},
	} {
		p := mustFEN(t, c.fen)
		if p.IsInsufficientMaterial() != c.dead {
			t.Errorf("%s: insufficient material %v", c.fen, !c.dead)
		}
	}
	for clock, want := range map[string][2]bool{"99": {}, "100": {true}, "149": {true}, "150": {true, true}} {
		p := mustFEN(t, "4k3/8/8/8/8/8/8/4KR2 w - - "+clock+" 90")
		if p.IsFiftyMoves() != want[0] || p.IsSeventyFiveMoves() != want[1] {
			t.Errorf("clock %s: fifty %v, seventy-five %v", clock, p.IsFiftyMoves(), p.IsSeventyFiveMoves())
		}
	}
	p := mustFEN(t, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 150 90")
	if p.IsSeventyFiveMoves() {
		t.Error("mate is a draw by the seventy-five-move rule")
	}
}
