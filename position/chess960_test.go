// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/internal/start960"
	"ply11/internal/testenv"
	"ply11/position"
)

// known960 is some of the published perft suite of Chess960 (https://www.chessprogramming.org/Chess960_Perft_Results),
// and the positions of tricky.perft that only Chess960 has. TestPerft960, in make long, reads the whole suite.
var known960 = []struct {
	fen    string
	counts []uint64 // by depth, from 1
}{
	{"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 0 1", []uint64{21, 528, 12189, 326672}},
	{"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 0 1", []uint64{21, 807, 18002, 667366}},
	{"qbn1brkr/ppp1p1p1/2n4p/3p1p2/P7/6PP/QPPPPP2/1BNNBRKR w HFhf - 0 1", []uint64{25, 635, 17054, 465806}},
	{"nbnrbk2/p1pppp1p/1p3qr1/6p1/1B1P4/1N6/PPP1PPPP/1BNR1RKQ w d - 0 1", []uint64{30, 796, 22780, 687302}},
	{"1brnbkqr/pppppp2/6p1/7p/1Pn5/P1NP4/2P1PPPP/NBR1BKQR w HChc - 0 1", []uint64{22, 627, 13760, 395829}},
	{"nbrkbqnr/p2pp1p1/5p2/1pp4p/7P/3P2P1/PPP1PP2/NBKRBQNR w hc - 0 1", []uint64{25, 679, 17223, 484921}},
	{"nb1qbkrn/pprp1pp1/7p/2p1pB2/Q1PP4/8/PP2PPPP/N1R1BKRN w GCg - 0 1", []uint64{47, 1128, 50723, 1306753}},
	{"rbqnb1kr/ppppp1pp/5p2/5N2/7P/1n3P2/PPPPP1P1/RBQNB1KR w HAha - 0 1", []uint64{32, 864, 27633, 766551}},
	{"qbrnbknr/pp1pp1pp/8/2p2p2/3Q4/PP6/2PPPPPP/1BRNBKNR w HChc - 0 1", []uint64{38, 1121, 39472, 1198438}},
	{"rbnkbnrq/pp2p1Np/2p2p2/8/3p4/8/PPPPPPPP/RBNKBR1Q w Aga - 0 1", []uint64{23, 670, 16435, 501883}},
	{"rbnkbrqn/p1pppp2/7p/1p4pP/3P1P2/8/PPP1P1P1/RBNKBRQN w FAfa - 0 1", []uint64{30, 564, 17143, 381364}},
	{"rbknb1nr/ppp1qp1p/6p1/3pp3/3P3P/2B1P3/PPP2PP1/RBKN1QNR w HAha - 0 1", []uint64{27, 857, 24688, 792538}},
	{"rbkqb1rn/1p1ppppp/4n3/p1p5/8/3PBP2/PPP1P1PP/RBKQ1NRN w GAga - 0 1", []uint64{26, 798, 21416, 667496}},
	{"rbqkb1nn/1ppppr1p/p5p1/5p2/1P6/2P4P/P1KPPPP1/RBQ1BRNN w a - 0 1", []uint64{22, 441, 10403, 231273}},
	{"r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1", []uint64{23, 522, 12333, 285754}},
	{"r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q w KQkq - 0 1", []uint64{28, 738, 20218, 541480}},
	{"8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1", []uint64{34, 318, 9002, 118388}},
	{"2r5/8/8/8/8/8/6PP/k2KR3 w K - 0 1", []uint64{17, 242, 3931, 57700}},
	{"4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ - 0 1", []uint64{19, 628, 12858, 405636}},
}

// TestKnownChess960 needs no data but its own table.
func TestKnownChess960(t *testing.T) {
	for _, c := range known960 {
		p := mustFEN(t, c.fen)
		if !p.IsChess960() {
			t.Errorf("%s: is standard chess", c.fen)
		}
		for i, want := range c.counts {
			if n := p.Perft(i + 1); n != want {
				t.Errorf("%s: perft %d = %d, want %d", c.fen, i+1, n, want)
			}
		}
	}
}

// TestChess960Starts asks that the 960 start positions are as many, are Chess960 but for those with kings and rooks as
// in standard chess, and have both castlings as moves of the king onto his rooks when all between is gone.
func TestChess960Starts(t *testing.T) {
	seen := make(map[position.Position]bool)
	for n := range start960.Positions {
		p := mustFEN(t, start960.FEN(n))
		seen[p] = true
		if p.IsChess960() == (p.PieceAt(chess.E1) == chess.WhiteKing && p.PieceAt(chess.A1) == chess.WhiteRook &&
			p.PieceAt(chess.H1) == chess.WhiteRook) {
			t.Errorf("%d, %s: Chess960 is %v", n, p.FEN(), p.IsChess960())
		}
		if n == 518 && p != position.Start() {
			t.Errorf("518 is %s", p.FEN())
		}
		p = p.ToChess960()
		if q := mustFEN(t, p.FEN()); q != p || !p.IsChess960() || p.Hash() != q.Hash() {
			t.Errorf("%d: %s is read back as %s", n, p.FEN(), q.FEN())
		}
		for _, turn := range []chess.Color{chess.White, chess.Black} {
			for i, text := range []string{"O-O", "O-O-O"} {
				right := position.CastlingRights(1) << (2*int(turn) + i)
				s := p.Setup() // the kings and that rook are left
				for at, piece := range s.Board {
					if piece.Kind() != chess.King && chess.Square(at) != p.CastlingRook(right) {
						s.Board[at] = chess.NoPiece
					}
				}
				s.Turn, s.Castling = turn, right
				q, err := s.Position()
				if errors.Is(err, position.ErrOppositeCheck) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				m := chess.NewMove(q.KingSquare(turn), q.CastlingRook(right))
				got, err := q.ParseSANLenient(text)
				if err != nil || got != m || strings.TrimRight(q.SAN(m), "+#") != text || !q.IsLegal(m) ||
					!q.IsCastling(m) {
					t.Fatalf("%s: %s is %v, %v, want %v", q.FEN(), text, got, err, m)
				}
				if u, err := q.ParseUCI(m.String()); err != nil || u != m {
					t.Fatalf("%s: %s: %v", q.FEN(), m, err)
				}
				if u, err := q.ParseSANLenient("K" + m.String()); err != nil || u != m {
					t.Fatalf("%s: K%s: %v", q.FEN(), m, err)
				}
				home := 56 * chess.Square(turn)
				r := q
				r.Make(m)
				if r.PieceAt(home+[]chess.Square{6, 2}[i]).Kind() != chess.King ||
					r.PieceAt(home+[]chess.Square{5, 3}[i]).Kind() != chess.Rook ||
					r.Occupied().Count() != q.Occupied().Count() || r.Castling() != q.Castling()&^(3<<(2*turn)) {
					t.Fatalf("%s: %s leads to %s", q.FEN(), text, r.FEN())
				}
			}
		}
	}
	if len(seen) != start960.Positions {
		t.Errorf("%d start positions", len(seen))
	}
}

// TestChess960Castling has what makes castling legal and not, and the reason that is given.
func TestChess960Castling(t *testing.T) {
	for _, c := range []struct{ fen, move, reason string }{
		{"4k3/8/8/8/8/8/8/5KRB w G - 0 1", "O-O", ""}, // they change places
		// and beside it there are pawns' moves only
		{"4k3/8/8/8/8/8/PPPPPPPP/5KRB w G - 0 1", "O-O", ""},
		{"4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "O-O-O", ""},                          // over three squares
		{"4k3/8/8/8/8/8/8/RK5R w HA - 0 1", "O-O-O", ""},                            // a step to the right
		{"4k3/8/8/8/8/8/8/RK5R w HA - 0 1", "O-O", ""},                              // over the whole board
		{"4k3/8/8/8/8/8/8/R1K4R w HA - 0 1", "O-O-O", ""},                           // the rook alone moves
		{"4k3/8/8/8/8/8/8/qRK5 w B - 0 1", "O-O-O", "the rook on b1 shields c1"},    // a pinned rook
		{"4k3/8/8/8/8/8/8/1rKR3R w H - 0 1", "O-O", "d1 is occupied"},               // a rook between
		{"3k4/8/8/8/8/8/8/2K1R2R w H - 0 1", "O-O", "e1 is occupied"},               // inner and outer rook
		{"3k4/8/8/8/8/8/8/2K1R2R w E - 0 1", "O-O", ""},                             // the inner one may
		{"4k3/8/8/8/4r3/8/8/1K5R w H - 0 1", "O-O", "e1 is attacked"},               // through check
		{"4k3/8/8/8/6r1/8/8/1K5R w H - 0 1", "O-O", "g1 is attacked"},               // into check
		{"4k3/8/8/8/1r6/8/8/1K5R w H - 0 1", "O-O", "the king is in check from b4"}, // out of check
		// the rook may be attacked
		{"4k3/8/8/8/7r/8/8/1K5R w H - 0 1", "O-O", ""},
		// and come over an attacked square
		{"4k3/8/8/8/1r6/8/8/R4K2 w A - 0 1", "O-O-O", ""},
		{"4k3/8/8/8/8/8/8/RN3K2 w A - 0 1", "O-O-O", "b1 is occupied"}, // but over no piece
		// what is beyond does not matter
		{"4k3/8/8/8/8/8/8/N1R2K2 w C - 0 1", "O-O-O", ""},
		// and a rook alone is no right
		{"4k3/8/8/8/8/8/8/RK5R w H - 0 1", "O-O-O", "white has no right to castle queenside"},
		{"1k5r/8/8/8/8/8/8/4K3 b h - 0 1", "O-O", ""}, // Black's
		// what is standard for one side is not for the other
		{"r3k2r/8/8/8/8/8/4P3/RK2R3 w EAkq - 0 1", "O-O", ""},
		// whose king takes his rook, too
		{"r3k2r/8/8/8/8/8/4P3/RK2R3 b EAkq - 0 1", "O-O", ""},
		// or is written as his step of two squares, as in standard chess his move onto the rook
		{"r3k2r/8/8/8/8/8/4P3/RK2R3 b EAkq - 0 1", "e8g8", ""},
		{"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "Ke1g1", ""},
		{"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "Ke1h1", ""},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Ke1h1", ""},
		{"4k3/8/8/8/8/8/8/R2NK3 w A - 0 1", "e1a1", "d1 is occupied"},
		{"4k3/8/8/8/8/8/8/4KR1R w H - 0 1", "e1f1", "f1 holds a rook of white"}, // the rook that has none
	} {
		p, err := position.ParseFENLenient(c.fen)
		if err != nil {
			t.Errorf("%s: %v", c.fen, err)
			continue
		}
		m, err := p.ParseSANLenient(c.move)
		if c.reason == "" {
			if err != nil || !p.IsCastling(m) || !slices.Contains(p.LegalMoves(nil), m) || !p.HasLegalMove() {
				t.Errorf("%s: %s is %v, %v", c.fen, c.move, m, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %s is %v, %v, want %q", c.fen, c.move, m, err, c.reason)
		}
	}
	// Castling is the only legal move: the king's step, the rook's and the pawns' are barred.
	p := mustFEN(t, "4r2k/8/8/8/8/6p1/r5P1/5KRB w G - 0 1")
	if n := p.CountLegal(); n != 1 || !p.HasLegalMove() {
		t.Errorf("%s: %d moves, HasLegalMove %v", p.FEN(), n, p.HasLegalMove())
	}
}

// TestFEN960 reads X-FEN and Shredder-FEN, and asks which is written.
func TestFEN960(t *testing.T) {
	for _, c := range []struct{ fen, written string }{
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "HAha"}, // else it would be read as standard chess
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQha - 0 1", "HAha"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w Q - 0 1", "Q"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w Ah - 0 1", "Ah"},
		{"r1k4r/8/8/8/8/8/8/R1K4R w HAha - 0 1", "KQkq"},
		{"r1k4r/8/8/8/8/8/8/R1K4R w KQkq - 0 1", "KQkq"},
		{"r3k2r/8/8/8/8/8/8/R1K4R w KQkq - 0 1", "KQkq"},
		{"r3k2r/8/8/8/8/8/8/1RK3RR w GBkq - 0 1", "GQkq"}, // an inner rook, and an outermost one
		{"r3k2r/8/8/8/8/8/8/RRK3RR w KQkq - 0 1", "KQkq"},
		{"r3k2r/8/8/8/8/8/8/RRK3RR w HBkq - 0 1", "KBkq"},
		{"4k3/8/8/8/8/8/8/R3KR1R w F - 0 1", "F"},
	} {
		p := mustFEN(t, c.fen)
		if rights := strings.Fields(p.FEN())[2]; rights != c.written {
			t.Errorf("%s: written with %s, want %s", c.fen, rights, c.written)
		}
		if q := mustFEN(t, p.FEN()); q != p {
			t.Errorf("%s: read back from %s", c.fen, p.FEN())
		}
		b, _ := p.AppendBinary(nil)
		var q position.Position
		if err := q.UnmarshalBinary(b); err != nil || q != p {
			t.Errorf("%s: as binary %v", c.fen, err)
		}
	}
	for fen, reason := range map[string]string{
		"4k3/8/8/8/8/8/8/R3K2R w G - 0 1":   "G without the white rook on g1",
		"4k3/8/8/8/8/8/4K3/R6R w H - 0 1":   "without the white king",
		"4k3/8/8/8/8/8/8/R3K2R w AH - 0 1":  "not in the order",
		"4k3/8/8/8/8/8/8/R2K3R w HK - 0 1":  "not in the order",
		"4k3/8/8/8/8/8/8/2K4R w KQ - 0 1":   "Q without a white rook on that side of the king",
		"4k3/8/8/8/8/8/8/2K4r w h - 0 1":    "h without the black rook on h8",
		"4k3/8/8/8/8/8/8/2K4R w I - 0 1":    `"I" stands for no right`,
		"2k1K2R/8/8/8/8/8/8/8 w K - 0 1":    "K without the white king on e1",
		"4k3/8/8/8/8/8/8/R3K2R w HAE - 0 1": "E without the white rook on e1",
	} {
		if _, err := position.ParseFEN(fen); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v, want %q", fen, err, reason)
		}
	}
	// Leniently, what no rook is there for is dropped.
	p, err := position.ParseFENLenient("4k3/8/8/8/8/8/8/2K4R w KQkq - 0 1")
	if want := mustFEN(t, "4k3/8/8/8/8/8/8/2K4R w K - 0 1"); err != nil || p != want || !p.IsChess960() {
		t.Errorf("read as %s, %v", p.FEN(), err)
	}
	for name, change := range map[string]func(*position.Setup){
		"file 8":       func(s *position.Setup) { s.Rooks[0] = 8 },
		"no rook":      func(s *position.Setup) { s.Rooks[0] = 5 },
		"wrong side":   func(s *position.Setup) { s.Rooks[0] = 0 },
		"king's file":  func(s *position.Setup) { s.Rooks[1] = 2 },
		"king is away": func(s *position.Setup) { s.Board[chess.C1], s.Board[chess.C2] = 0, chess.WhiteKing },
	} {
		p := mustFEN(t, "4k3/8/8/8/8/8/8/R1K4R w KQ - 0 1")
		s := p.Setup()
		change(&s)
		if _, err := s.Position(); !errors.Is(err, position.ErrCastlingRights) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestChess960Lost asks that a position whose rights are gone is the one of standard chess.
func TestChess960Lost(t *testing.T) {
	for _, c := range []struct{ fen, moves, want string }{
		{"1rk5/8/8/8/8/8/8/4K3 b q - 0 1", "b8a8", "r1k5/8/8/8/8/8/8/4K3 w - - 1 2"},
		{"1rk5/8/8/8/8/8/8/1R2K3 w q - 0 1", "b1b8", "1Rk5/8/8/8/8/8/8/4K3 b - - 0 1"},
		{"1rk4r/8/8/8/8/8/8/1R2K3 w kq - 0 1", "b1b8", "1Rk4r/8/8/8/8/8/8/4K3 b k - 0 1"},
		{"1rk5/8/8/8/8/8/8/4K3 b q - 0 1", "c8b8", "2kr4/8/8/8/8/8/8/4K3 w - - 1 2"},
		{"1rk5/8/8/8/8/8/4P3/4K3 w q - 5 1", "e2e4", "1rk5/8/8/8/4P3/8/8/4K3 b q e3 0 1"},
		{"1rk5/8/8/8/4Pp2/8/8/4K3 b q e3 0 1", "f4e3", "1rk5/8/8/8/8/4p3/8/4K3 w q - 0 2"},
		{"1rk5/8/8/8/8/8/4p3/K7 b q - 5 1", "e2e1n", "1rk5/8/8/8/8/8/8/K3n3 w q - 0 2"},
	} {
		p := mustFEN(t, c.fen)
		m, err := p.ParseUCI(c.moves)
		if err != nil {
			t.Fatal(err)
		}
		h := p.MakeHash(p.Hash(), m)
		if p != mustFEN(t, c.want) || h != p.Hash() {
			t.Errorf("%s, %s: %s, want %s", c.fen, c.moves, p.FEN(), c.want)
		}
	}
}

// games960SHA256 is the SHA-256 of what python-chess 1.11.2 says of the games of TestGames960.
const games960SHA256 = "1fc58e381dfecae1361efbf796d7c42d57968105eb6d545811ac203ceb47102e"

// games960Script reads games, and prints what python-chess says of them: see TestGames960.
const games960Script = `
import sys, chess
for line in sys.stdin:
    fen, *moves = line.split("|")[0].strip(), *line.split("|")[1].split()
    b = chess.Board(fen, chess960=True)
    for m in moves:
        m = chess.Move.from_uci(m)
        print(b.fen(shredder=True, en_passant="fen"), b.san(m), *sorted(x.uci() for x in b.legal_moves))
        b.push(m)
    print(b.fen(shredder=True, en_passant="fen"), *sorted(x.uci() for x in b.legal_moves))
`

// shredder returns the FEN with the files of all rooks that may castle.
func shredder(p *position.Position) string {
	fields := strings.Fields(p.FEN())
	if p.IsChess960() {
		rights := ""
		for i := range 4 {
			if s := p.CastlingRook(1 << i); s != chess.NoSquare {
				rights += string("Aa"[i>>1] + byte(s.File()))
			}
		}
		fields[2] = rights
	}
	return strings.Join(fields, " ")
}

// TestGames960 plays random games from a third of the start positions, and compares each position, its legal moves and
// its SAN with python-chess. Where python-chess is not installed, it compares with the hash of what that said.
func TestGames960(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 60))
	var games, said bytes.Buffer
	castlings := 0
	for n := 0; n < start960.Positions; n += 3 {
		p := mustFEN(t, start960.FEN(n))
		p = p.ToChess960()
		fmt.Fprintf(&games, "%s |", shredder(&p))
		for range 60 {
			moves := p.LegalMoves(nil)
			slices.Sort(moves)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			for try := 0; try < 3 && p.PieceAt(m.From()).Kind() != chess.Pawn; try++ {
				m = moves[rng.IntN(len(moves))]
			}
			for _, c := range moves {
				if p.IsCastling(c) {
					m = c
				}
			}
			if p.IsCastling(m) {
				castlings++
			}
			fmt.Fprintf(&said, "%s %s %s\n", shredder(&p), p.SAN(m), uciList(moves))
			fmt.Fprintf(&games, " %s", m)
			p.Make(m)
		}
		fmt.Fprintf(&said, "%s %s\n", shredder(&p), uciList(p.LegalMoves(nil)))
		games.WriteByte('\n')
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(said.Bytes())); sum != games960SHA256 {
		t.Errorf("the games have the hash %s, with %d castlings", sum, castlings)
	}
	python, err := testenv.Find("python3")
	if err != nil || exec.Command(python, "-c", "import chess.pgn").Run() != nil {
		t.Log("python-chess is not installed: compared with its hash alone")
		return
	}
	c := exec.Command(python, "-c", games960Script)
	c.Stdin = &games
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	got, want := bufio.NewScanner(&said), bufio.NewScanner(bytes.NewReader(out))
	for line := 1; want.Scan(); line++ {
		if !got.Scan() || strings.TrimSpace(got.Text()) != strings.TrimSpace(want.Text()) {
			t.Fatalf("line %d: %q, python-chess %q", line, got.Text(), want.Text())
		}
	}
	if got.Scan() {
		t.Errorf("python-chess says nothing of %q", got.Text())
	}
}

func uciList(moves []chess.Move) string {
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = m.String()
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}
