// SPDX-License-Identifier: Apache-2.0

package position_test

import (
	"cmp"
	"errors"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/position"
)

// Positions that the tables below share.
const (
	// White knights on b1 and f3 and a pinned one on e2; Bishop, pawns about to capture.
	castleFEN  = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8"
	promoteFEN = "3r2n1/4P2P/8/8/8/k7/8/4K3 w - - 0 1"
	epFEN      = "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1"
	twinFEN    = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
	pinFEN     = "4r2k/8/8/8/8/2N5/4N3/4K3 w - - 0 1"
	checkFEN   = "4k3/8/8/8/8/4r3/8/3QK2R w K - 0 1"
	bishopFEN  = "4k3/8/8/8/8/2p5/1P2B3/4K3 w - - 0 1"
)

func TestSANRead(t *testing.T) {
	for _, c := range []struct{ fen, text, want string }{
		{startFEN, "e4", "e2e4"}, {startFEN, "e2e4", "e2e4"}, {startFEN, "e2-e4", "e2e4"},
		{startFEN, "Pe4", "e2e4"}, {startFEN, "pe4", "e2e4"}, {startFEN, "Pe2e4", "e2e4"}, {startFEN, "Pe2-e4", "e2e4"},
		{startFEN, "♙e4", "e2e4"}, {startFEN, "e4!?", "e2e4"}, {startFEN, " e4 ", "e2e4"}, {startFEN, "e4+", "e2e4"},
		{startFEN, "Nf3", "g1f3"}, {startFEN, "nf3", "g1f3"}, {startFEN, "Ng1f3", "g1f3"}, {startFEN, "Ng1-f3", "g1f3"},
		{startFEN, "g1f3", "g1f3"}, {startFEN, "g1-f3", "g1f3"}, {startFEN, "Ngf3", "g1f3"}, {startFEN, "N1f3", "g1f3"},
		{startFEN, "♘f3", "g1f3"}, {startFEN, "♞f3", "g1f3"}, {startFEN, "♘\uFE0Ef3", "g1f3"},
		{startFEN, "Nf3#", "g1f3"},
		{startFEN, "Nf3++", "g1f3"}, {startFEN, "Nf3!!", "g1f3"}, {startFEN, "Nf3+!?", "g1f3"},
		{startFEN, "Nxf3", "g1f3"},
		{startFEN, "--", "0000"}, {startFEN, "Z0", "0000"}, {startFEN, "<>", "0000"}, {startFEN, "0000", "0000"},
		{startFEN, "@@@@", "0000"}, {startFEN, "null", "0000"},
		{castleFEN, "O-O", "e1g1"}, {castleFEN, "0-0", "e1g1"}, {castleFEN, "o-o", "e1g1"}, {castleFEN, "OO", "e1g1"},
		{castleFEN, "O-O-O", "e1c1"}, {castleFEN, "0-0-0", "e1c1"}, {castleFEN, "o-o-o", "e1c1"},
		{castleFEN, "000", "e1c1"},
		{castleFEN, "O-O+", "e1g1"}, {castleFEN, "0-0-0#", "e1c1"}, {castleFEN, "0-0!", "e1g1"},
		{castleFEN, "e1g1", "e1g1"}, {castleFEN, "Ke1-c1", "e1c1"}, {castleFEN, "Ke1g1", "e1g1"},
		{castleFEN, "O–O", "e1g1"},
		{castleFEN, "Bxe6", "c4e6"}, {castleFEN, "B:e6", "c4e6"}, {castleFEN, "Be6:", "c4e6"},
		{castleFEN, "Be6", "c4e6"},
		{castleFEN, "Bc4xe6", "c4e6"}, {castleFEN, "♗×e6", "c4e6"}, {castleFEN, "bxe6", "c4e6"},
		{castleFEN, "be6", "c4e6"},
		{castleFEN, "bc4xe6", "c4e6"}, {castleFEN, "Bce6", "c4e6"}, {castleFEN, "c4xe6", "c4e6"},
		{castleFEN, "b3", "b2b3"},
		{promoteFEN, "e8=Q", "e7e8q"}, {promoteFEN, "e8Q", "e7e8q"}, {promoteFEN, "e8(Q)", "e7e8q"},
		{promoteFEN, "e8=q", "e7e8q"},
		{promoteFEN, "e8/N", "e7e8n"}, {promoteFEN, "e8=(R)", ""}, {promoteFEN, "e8b", "e7e8b"},
		{promoteFEN, "e7e8q", "e7e8q"},
		{promoteFEN, "e7-e8=B", "e7e8b"}, {promoteFEN, "exd8=Q", "e7d8q"}, {promoteFEN, "ed8Q+", "e7d8q"},
		{promoteFEN, "exd8N", "e7d8n"},
		{promoteFEN, "hxg8=R", "h7g8r"}, {promoteFEN, "e7xd8=♕", "e7d8q"}, {promoteFEN, "h8=Q++", "h7h8q"},
		{epFEN, "exd6", "e5d6"}, {epFEN, "cxd6 e.p.", "c5d6"}, {epFEN, "exd6ep", "e5d6"}, {epFEN, "ed6", "e5d6"},
		{epFEN, "e:d6", "e5d6"}, {epFEN, "ed6:", "e5d6"}, {epFEN, "e5d6", "e5d6"}, {epFEN, "exd6e.p.+", "e5d6"},
		{epFEN, "c6", "c5c6"},
		{twinFEN, "Nbd2", "b1d2"}, {twinFEN, "Nfd2", "f3d2"}, {twinFEN, "N1d2", "b1d2"}, {twinFEN, "Nb1d2", "b1d2"},
		{twinFEN, "Nd4", "f3d4"},
		{pinFEN, "Nd5", "c3d5"}, {pinFEN, "Nb5", "c3b5"}, {pinFEN, "Nd1", "c3d1"}, {pinFEN, "Ncd1", "c3d1"},
		{checkFEN, "Qe2", "d1e2"}, {checkFEN, "Kf2", "e1f2"},
		{bishopFEN, "bxc3", "b2c3"}, {bishopFEN, "bc3", "b2c3"}, {bishopFEN, "bf3", "e2f3"}, {bishopFEN, "b4", "b2b4"},
		{bishopFEN, "bb5", "e2b5"}, {bishopFEN, "be2b5", "e2b5"}, {bishopFEN, "b2b4", "b2b4"},
		{bishopFEN, "b2-c3", "b2c3"},
	} {
		p := mustFEN(t, c.fen)
		m, err := p.ParseSANLenient(c.text)
		if c.want == "" {
			if err == nil {
				t.Errorf("%s: %q is read as %s", c.fen, c.text, m)
			}
			continue
		}
		if err != nil || m.String() != c.want {
			t.Errorf("%s: %q is read as %s, %v, want %s", c.fen, c.text, m, err, c.want)
			continue
		}
		n, err := p.ParseSAN(c.text)
		if isExport := m != 0 && p.SAN(m) == c.text; isExport != (err == nil) || isExport && n != m {
			t.Errorf("%s: strictly, %q is read as %s, %v", c.fen, c.text, n, err)
		} else if !isExport && !errors.Is(err, position.ErrNotExportForm) {
			t.Errorf("%s: strictly, %q is %v", c.fen, c.text, err)
		}
	}
}

func TestSANRefused(t *testing.T) {
	for _, c := range []struct {
		fen, text string
		err       error
		reason    string
	}{
		{startFEN, "", position.ErrSyntax, "no move"},
		{startFEN, "+", position.ErrSyntax, "no move"},
		{startFEN, "e", position.ErrSyntax, "no target square"},
		{startFEN, "hello", position.ErrSyntax, "no target square"},
		{startFEN, "Ne9", position.ErrSyntax, "no target square"},
		{startFEN, "xe4", position.ErrSyntax, "without its file"},
		{startFEN, "Nzf3", position.ErrSyntax, `"z" is not understood`},
		{startFEN, "Ng1g1f3", position.ErrSyntax, `"g1" is not understood`},
		{startFEN, "e4e.p.Z", position.ErrSyntax, "no target square"},
		{startFEN, "♘", position.ErrSyntax, "no target square"},
		{startFEN, "\xff\xfe", position.ErrSyntax, "no target square"},
		{startFEN, strings.Repeat("N", 50), position.ErrSyntax, "50 bytes are too many"},
		{startFEN, "e5", position.ErrIllegal, "no pawn reaches e5"},
		{startFEN, "exd3", position.ErrIllegal, "no pawn reaches d3"},
		{startFEN, "Ne5", position.ErrIllegal, "no knight reaches e5"},
		{startFEN, "Nb1e5", position.ErrIllegal, "the knight on b1 does not reach e5"},
		{startFEN, "Nee5", position.ErrIllegal, "white has no knight there"},
		{startFEN, "Nd2", position.ErrIllegal, "d2 holds a pawn of white"},
		{startFEN, "e4=Q", position.ErrIllegal, "no promotion on e4"},
		{startFEN, "Nf3=Q", position.ErrIllegal, "only a pawn promotes"},
		{startFEN, "e4=P", position.ErrSyntax, "a pawn is no promotion"},
		{startFEN, "O-O", position.ErrIllegal, "f1 is occupied"},
		{startFEN, "O-O-O", position.ErrIllegal, "b1 is occupied"},
		{startFEN, "e7e5", position.ErrIllegal, "white has no pawn there"},
		{startFEN, "Rh3", position.ErrIllegal, "no rook reaches h3"},
		{promoteFEN, "e8", position.ErrIllegal, "the promotion is missing"},
		{promoteFEN, "e8=K", position.ErrIllegal, "no pawn becomes a king"},
		{promoteFEN, "Qd1", position.ErrIllegal, "white has no queen"},
		{promoteFEN, "O-O", position.ErrIllegal, "no right to castle kingside"},
		{twinFEN, "Nd2", position.ErrAmbiguous, "Nbd2 or Nfd2"},
		{pinFEN, "Nd4", position.ErrIllegal, "the knight is pinned: Nd4 exposes the king"},
		{pinFEN, "Ned4", position.ErrIllegal, "pinned"},
		{checkFEN, "Qd8", position.ErrIllegal, "Qd8 leaves the king in check from e3"},
		{checkFEN, "O-O", position.ErrIllegal, "the king is in check from e3"},
		{checkFEN, "Ke2", position.ErrIllegal, "e2 is attacked"},
		{checkFEN, "--", position.ErrIllegal, "a null move in check"},
		{checkFEN, "Ke1g1", position.ErrIllegal, "in check"},
		{"4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", position.ErrIllegal, "f1 is attacked"},
		{"1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Ra2a3", position.ErrIllegal, "white has no rook there"},
		{bishopFEN, "bxa3", position.ErrIllegal, "no pawn reaches a3"},
		{epFEN, "exf6", position.ErrIllegal, "no pawn reaches f6"},
	} {
		p := mustFEN(t, c.fen)
		for _, parse := range []func(string) (chess.Move, error){p.ParseSAN, p.ParseSANLenient} {
			m, err := parse(c.text)
			var moveError *position.MoveError
			if m != 0 || !errors.Is(err, c.err) || !errors.As(err, &moveError) ||
				!strings.Contains(err.Error(), c.reason) {
				t.Errorf("%s: %q: %s, error %v, want %v with %q", c.fen, c.text, m, err, c.err, c.reason)
			}
		}
		if m, n := scanSAN(t, p, []byte(c.text+" e4")); n > 0 && c.text != "" && n >= len(c.text) {
			t.Errorf("%s: ScanSAN takes %q as %s", c.fen, c.text, m)
		}
	}
	// Castling through an attacked b1 is legal: only the king's path counts.
	p := mustFEN(t, "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
	if m, err := p.ParseSAN("O-O-O"); err != nil {
		t.Errorf("O-O-O past an attacked b1: %s, %v", m, err)
	}
}

func TestSANWritten(t *testing.T) {
	for _, c := range []struct{ fen, move, want string }{
		// Disambiguation by file, by rank, by both; a pinned rival does not count.
		{"4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"},
		{"7k/8/8/8/8/1N6/8/1N2K3 w - - 0 1", "b1d2", "N1d2"},
		{"7k/8/8/8/1N3N2/8/1N6/4K3 w - - 0 1", "b4d3", "Nb4d3"},
		{"7k/8/8/8/1N3N2/8/1N6/4K3 w - - 0 1", "f4d3", "Nfd3"},
		{"7k/8/8/8/1N3N2/8/1N6/4K3 w - - 0 1", "b2d3", "N2d3"},
		{"4r2k/8/8/8/8/2N5/4N3/4K3 w - - 0 1", "c3d5", "Nd5"},
		{"4r2k/8/8/8/8/2N5/4N3/4K3 w - - 0 1", "c3b1", "Nb1"},
		{"4r2k/8/8/8/8/6N1/4N3/4K3 w - - 0 1", "g3f5", "Nf5"},
		{"1k6/8/8/Q6Q/8/8/8/Q3K3 w - - 0 1", "a5e5", "Qa5e5+"},
		{"1k6/8/8/Q6Q/8/8/8/Q3K3 w - - 0 1", "h5e5", "Qhe5+"},
		{"1k6/8/8/Q6Q/8/8/8/Q3K3 w - - 0 1", "a1e5", "Q1e5+"},
		{"7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "Qg7#"},
		{"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O"},
		{"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"},
		{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
		{"8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"},
		{"1r5k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"},
		{"4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
		{startFEN, "0000", "--"},
	} {
		p := mustFEN(t, c.fen)
		m, err := p.ParseUCI(c.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.SAN(m); got != c.want {
			t.Errorf("%s: %s is written %s, want %s", c.fen, m, got, c.want)
		}
		if c.move == "0000" {
			continue
		}
		if n, err := p.ParseSAN(c.want); n != m || err != nil {
			t.Errorf("%s: ParseSAN(%s) = %s, %v", c.fen, c.want, n, err)
		}
		if n, size := scanSAN(t, p, []byte(c.want)); n != m || size != len(c.want) {
			t.Errorf("%s: ScanSAN(%s) = %s, %d", c.fen, c.want, n, size)
		}
	}
}

// scanSAN is ScanSAN from a position, and verifies that it makes the move that it returns, as Make does, or none.
func scanSAN(t *testing.T, p position.Position, text []byte) (chess.Move, int) {
	t.Helper()
	l, want := position.NewLine(p), position.NewLine(p)
	var b [16]byte
	copy(b[:], text)
	m, n := l.ScanSAN(&b)
	if n > 0 {
		want.Make(m)
	}
	at, before := l.At, *l
	before.Open() // goes back to the position before the last move
	want.Open()
	if before.At != want.At {
		t.Fatalf("%s: ScanSAN(%.20q) goes from %v, want %v", p.FEN(), text, before.At, want.At)
	}
	if want.Close(); at != want.At {
		t.Fatalf("%s: ScanSAN(%.20q) = %s, %d goes to %v, want %v", p.FEN(), text, m, n, at, want.At)
	}
	return m, n
}

// TestScanSANForms reads the SAN of legal moves by ScanSAN, before everything that may follow and at the end, and
// writes it while the move is made.
func TestScanSANForms(t *testing.T) {
	for i, p := range samplePositions(t) {
		if i%11 != 0 {
			continue
		}
		for _, m := range p.LegalMoves(nil) {
			san := p.SAN(m)
			want, made := p, p
			want.Make(m)
			if again := string(made.AppendSANMake(nil, m)); again != san || made != want {
				t.Fatalf("%s: %v is written %s and %s, and leads to %v", p.FEN(), m, san, again, made)
			}
			for _, after := range []string{"", " ", "\n", "!", "??", ")", " {", "{", "$1", ";", " e4 e5 Nf3",
				"\r\n1-0"} {
				if got, n := scanSAN(t, p, []byte(san+after)); got != m || n != len(san) {
					t.Fatalf("%s: ScanSAN(%q) = %s, %d, want %s", p.FEN(), san+after, got, n, m)
				}
			}
			for _, after := range []string{"=", "x", "1", "e4", "++", ":", "-O", "_", "é", "e.p."} {
				if got, n := scanSAN(t, p, []byte(san+after)); n != 0 && san+after != "O-O-O" {
					t.Fatalf("%s: ScanSAN(%q) = %s, %d", p.FEN(), san+after, got, n)
				}
			}
		}
	}
}

func TestUCI(t *testing.T) {
	for _, c := range []struct {
		fen, text string
		err       error
		reason    string // of a move that is legal, how it is written, if it is otherwise
	}{
		{castleFEN, "e1h1", nil, "e1g1"}, {castleFEN, "e1a1", nil, "e1c1"}, {castleFEN, "e1b1", position.ErrIllegal,
			""},
		{"r1k4r/8/8/8/8/8/8/R1K4R w KQkq - 0 1", "c1h1", nil, ""},
		{"r1k4r/8/8/8/8/8/8/R1K4R w KQkq - 0 1", "c1e1", nil, "c1h1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1g1", nil, "e1h1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1c1", nil, "e1a1"},
		{startFEN, "e2e4", nil, ""},
		{startFEN, "0000", nil, ""},
		{castleFEN, "e1c1", nil, ""},
		{promoteFEN, "e7d8n", nil, ""},
		{epFEN, "c5d6", nil, ""},
		{startFEN, "", position.ErrSyntax, "not a move"},
		{startFEN, "e2e4x", position.ErrSyntax, "not a move"},
		{startFEN, "E2E4", position.ErrSyntax, "not a move"},
		{startFEN, "e2e5", position.ErrIllegal, "the pawn on e2 does not reach e5"},
		{startFEN, "e4e5", position.ErrIllegal, "e4 is empty"},
		{startFEN, "e7e5", position.ErrIllegal, "the pawn on e7 is black's"},
		{startFEN, "e2e4q", position.ErrIllegal, "no promotion on e4"},
		{startFEN, "a1a2", position.ErrIllegal, "a2 holds a pawn of white"},
		{startFEN, "e1g1", position.ErrIllegal, "f1 is occupied"},
		{startFEN, "e1h1", position.ErrIllegal, "f1 is occupied"},
		{promoteFEN, "e7e8", position.ErrIllegal, "the promotion is missing"},
		{checkFEN, "0000", position.ErrIllegal, "a null move in check"},
	} {
		p := mustFEN(t, c.fen)
		m, err := p.ParseUCI(c.text)
		if c.err == nil {
			if err != nil || m.String() != cmp.Or(c.reason, c.text) {
				t.Errorf("%s: %q is read as %s, %v", c.fen, c.text, m, err)
			}
			continue
		}
		if m != 0 || !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %q: error %v, want %v with %q", c.fen, c.text, err, c.err, c.reason)
		}
	}
}
