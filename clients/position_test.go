// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/datadir"
	"ply11/internal/samples"
	"ply11/internal/start960"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
)

const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// A played is a start and the moves from there.
type played struct {
	start position.Position
	moves []chess.Move
}

func (g *played) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v\t", &g.start)
	for i, m := range g.moves {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(m.String())
	}
	return b.String() + "\n"
}

// edges are positions in which a generator of moves may go wrong.
var edges = []string{
	startFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
	"3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1",
	"8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
	"8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",
	"8/5P1k/8/2pP4/2K5/8/p7/8 w - c6 0 1",
	"4k3/8/8/8/3pP3/8/8/4K2B b - e3 0 7",
	"1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
	"4kr2/8/8/8/8/8/8/R3K2R w KQ - 99 65535",
	"6k1/8/8/8/8/5n2/8/R3K2R w KQ - 0 1",
	"k7/8/1K6/8/8/8/8/7R w - - 0 1",
	"R6k/6pp/8/8/8/8/8/K7 b - - 0 1",
	"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
	"4k3/8/5N2/8/8/8/4R3/4K3 b - - 5 9",
	"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
	"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
	"1k6/8/8/8/8/8/8/K6N w - - 65535 65535",
}

// playedGames are random games from the usual start and from the edges, and the main lines of the samples.
func playedGames(t *testing.T, random int) []*played {
	t.Helper()
	var list []*played
	rng := rand.New(rand.NewPCG(32, 11))
	for i := range random {
		p, err := position.ParseFEN(edges[i%len(edges)])
		if i%4 == 3 {
			p, err = position.ParseFEN(start960.FEN(rng.IntN(960)))
			p = p.ToChess960()
		}
		if err != nil {
			t.Fatal(err)
		}
		g := &played{start: p}
		for range 20 + rng.IntN(100) {
			moves := p.LegalMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			if rng.IntN(30) == 0 && !p.InCheck() {
				m = chess.NullMove
			}
			g.moves = append(g.moves, m)
			p.Make(m)
		}
		list = append(list, g)
	}
	for _, name := range samples.Names {
		r := pgn.NewReader(bytes.NewReader(samples.File(name)))
		for k := 0; k < testenv.Pick(8, 1); k++ {
			var g game.Game
			if r.Read(&g) != nil {
				break
			}
			list = append(list, &played{g.Start, g.AppendMainLine(nil)})
		}
	}
	return list
}

func fnv64(b []byte) string {
	h := fnv.New64a()
	h.Write(b)
	return fmt.Sprintf("%016x", h.Sum64())
}

func maskBytes(p *position.Position) []byte {
	var mask [31]uint64
	p.LegalMask(&mask)
	b := make([]byte, 248)
	for i, w := range mask {
		for k := range 8 {
			b[8*i+k] = byte(w >> (8 * k))
		}
	}
	return b[:246]
}

func tell(b *strings.Builder, p *position.Position) {
	outcome := 0
	switch {
	case p.IsCheckmate():
		outcome = 3
	case p.IsStalemate():
		outcome = 2
	case p.InCheck():
		outcome = 1
	}
	mask := maskBytes(p)
	fmt.Fprintf(b, "%v; %d; %d; %s;", p, outcome, p.CountLegal(), fnv64(mask))
	for i := range moveindex.Index(moveindex.NumMoves) {
		if mask[i/8]>>(i%8)&1 != 0 {
			m, _ := i.Move()
			fmt.Fprintf(b, " %s", p.SAN(m))
		}
	}
	b.WriteByte('\n')
}

// TestPlay compares each position of random games and of samples with package position: FEN, check and mate, the legal
// moves and their SAN. The driver compares its list, its mask, is_legal, SAN and UCI.
func TestPlay(t *testing.T) {
	eachBuild(t, func(t *testing.T, b *build) {
		random := 400
		if b.slow {
			random = 60
		}
		var in, want strings.Builder
		for _, g := range playedGames(t, random) {
			in.WriteString(g.line())
			p := g.start
			tell(&want, &p)
			for _, m := range g.moves {
				p.Make(m)
				tell(&want, &p)
			}
		}
		sameLines(t, b.driver(t, in.String(), "play"), want.String())
	})
}

// TestMake compares what becomes of each move that the side's pieces may have, legal or not, by make and by replay,
// with package position, with all kinds of castling rights.
func TestMake(t *testing.T) {
	fens := append([]string{
		"r3k2r/8/8/8/8/8/4P3/R3K2R w - - 3 7", "r3k2r/8/8/8/8/8/8/R3K2R b - - 3 7", "4k3/8/8/8/3K4/8/8/8 w - - 3 7",
		"r3k2r/8/8/8/8/8/8/R3K2R w KQ - 3 7", "r3k2r/8/8/8/8/8/8/R3K2R w kq - 3 7",
		"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 3 7", "r3k2r/8/8/8/8/8/4P3/R3K2R w ha - 3 7",
		"r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 7", "r3k2r/8/8/8/3pP3/8/8/R3K2R b - e3 0 7",
		"1n2k3/P7/8/8/8/8/8/4K3 w - - 3 7", "r3k3/1P6/8/8/8/8/8/4K3 w q - 3 7", "1r2k3/8/8/3pP3/8/8/8/4K3 w b d6 0 7",
	}, edges...)
	var in, want strings.Builder
	for _, fen := range fens {
		start, err := position.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		in.WriteString(fen + "\t")
		for i := range moveindex.Null + 1 {
			m, ok := i.Move()
			piece := start.PieceAt(m.From())
			_, can := moveindex.NewHalfmove(start.Turn(), piece.Kind(), i)
			taken := start.PieceAt(m.To())
			own := taken != chess.NoPiece && (taken.Color() == start.Turn() || taken.Kind() == chess.King)
			castles := piece.Kind() == chess.King && m.From()/8 == m.To()/8
			if i != moveindex.Null && (!ok || piece.Color() != start.Turn() || (!can || own) && !castles ||
				piece.Kind() == chess.Pawn && !start.IsLegal(m)) {
				continue // what becomes of such a code is not said
			}
			p := start
			p.MakeIndex(i)
			fmt.Fprintf(&in, "%v ", m)
			fmt.Fprintf(&want, "%v: make %v; replay %[2]v; in a line %[2]v\n", m, &p)
		}
		in.WriteByte('\n')
	}
	eachBuild(t, func(t *testing.T, b *build) { sameLines(t, b.driver(t, in.String(), "make"), want.String()) })
}

var fenErrors = []struct {
	err  error
	text string
}{
	{position.ErrBoard, "impossible board"},
	{position.ErrCastlingRights, "impossible castling rights"},
	{position.ErrEnPassant, "impossible en passant square"},
	{position.ErrOppositeCheck, "side not to move is in check"},
	{position.ErrCounters, "bad counters"},
	{position.ErrSyntax, "syntax error"},
}

// TestFEN gives FENs to both readers, right ones and such with changed bytes: they take the same, and see the same
// error.
func TestFEN(t *testing.T) {
	list := append([]string{
		"", " ", startFEN + " ", " " + startFEN, startFEN[:len(startFEN)-4], "4k3/8/8/8/8/8/8/4K2 w - - 0 1",
		"4k3/8/8/8/8/8/4K3 w - - 0 1",
		"4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3/ w - - 0 1", "4k3/8/8/8/9/8/8/4K3 w - - 0 1",
		"4k3/8/8/8/8p/8/8/4K3 w - - 0 1",
		"4k3/8/8/8/44/8/8/4K3 w - - 0 1", "4k3/8/8/8/7./8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
		"4k3/8/8/8/8/8/8/8 w - - 0 1",
		"4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "4k2p/8/8/8/8/8/8/4K3 w - - 0 1",
		"4k3/8/8/8/8/7P/PPPPPPPP/4K3 w - - 0 1",
		"4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1", "nn2kbbb/8/8/8/8/8/pppp4/4K3 w - - 0 1",
		"qqqqqk2/8/8/8/8/8/ppppp3/4K3 w - - 0 1",
		"4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "4k3/8/8/8/8/8/4K3/7R w K - 0 1",
		startFEN[:46] + "QKkq - 0 1",
		startFEN[:46] + "KK - 0 1", startFEN[:46] + "KQkq- - 0 1", startFEN[:46] + " - 0 1", startFEN[:51] + "e9 0 1",
		startFEN[:51] + "E3 0 1",
		startFEN[:51] + "e3 0 1", startFEN[:51] + "e6 0 1", "4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1",
		"4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1",
		"4k3/8/8/4p3/8/8/8/4K3 w - e6 1 1", "4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
		"4k3/8/8/8/8/8/8/4K3 w - - 01 1",
		"4k3/8/8/8/8/8/8/4K3 w - - 65536 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
		"4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999",
		"4k3/8/8/8/8/8/8/4K2r b - - 0 1", "8/8/8/8/8/8/3k4/4K3 w - - 0 1", strings.Repeat("8", 200),
		"nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1",
		"nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w GDgd - 0 1", startFEN[:46] + "HAha - 0 1",
		startFEN[:46] + "AHha - 0 1", startFEN[:46] + "Kha - 0 1", "1r2k1r1/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1",
		"1r2k1r1/8/8/8/8/8/8/RR2K1RR w GQgb - 0 1", "1r2k1r1/8/8/8/8/8/8/RR2K1RR w GH - 0 1",
		"1r2k1r1/8/8/8/8/8/8/RR2K1RR w F - 0 1", "1r2k1r1/8/8/8/8/8/8/RR2K1RR w gB - 0 1",
		"4k3/8/8/8/8/8/8/2R1K3 w K - 0 1",
	}, edges...)
	byHand := len(list)
	rng := rand.New(rand.NewPCG(1, 2))
	const letters = "KQRBNPkqrbnp12345678/ -wbe36ah09"
	for range testenv.Pick(20_000, 500) {
		s := []byte(edges[rng.IntN(len(edges))])
		for range 1 + rng.IntN(2) {
			at := rng.IntN(len(s))
			switch rng.IntN(3) {
			case 0:
				s[at] = letters[rng.IntN(len(letters))]
			case 1:
				s = append(s[:at], s[at+1:]...)
			default:
				s = append(s[:at], append([]byte{letters[rng.IntN(len(letters))]}, s[at:]...)...)
			}
		}
		list = append(list, string(s))
	}
	var in strings.Builder
	var want []string
	taken := 0
	for _, s := range list {
		p, err := position.ParseFEN(s)
		in.WriteString(s + "\n")
		// The core takes every possible position; so does Setup.
		if err != nil && (strings.Contains(err.Error(), " promoted pieces ") ||
			strings.Contains(err.Error(), " pawns") ||
			strings.Contains(err.Error(), "after the double push")) {
			p, err = position.ParseFENLenient(s)
		}
		if err == nil {
			taken++
			want = append(want, p.FEN())
			continue
		}
		for _, e := range fenErrors {
			if errors.Is(err, e.err) {
				want = append(want, e.text)
				break
			}
		}
	}
	if taken < testenv.Pick(400, 10) {
		t.Errorf("only %d FENs are right", taken)
	}
	eachBuild(t, func(t *testing.T, b *build) {
		got := strings.Split(strings.TrimSuffix(b.driver(t, in.String(), "fen"), "\n"), "\n")
		if len(got) != len(want) {
			t.Fatalf("%d lines, want %d", len(got), len(want))
		}
		lines := strings.Split(in.String(), "\n")
		for i := range got {
			text, at, failed := strings.Cut(got[i], " at ")
			if n, err := strconv.Atoi(at); failed && (err != nil || n > len(lines[i])) {
				t.Errorf("%q: %s", lines[i], got[i])
			}
			// Of a FEN with two faults, either may be named.
			if text != want[i] && (i < byHand || !failed || strings.Contains(want[i], "/")) {
				t.Errorf("%q: %s, want %s", lines[i], got[i], want[i])
			}
		}
	})
}

// TestMoves gives texts, right ones and others, as SAN and as UCI to both readers.
func TestMoves(t *testing.T) {
	fens := append([]string{
		"r3k2r/8/4p3/8/2B5/8/1P6/R3K2R w KQkq - 0 1", "3rk1n1/4P2P/8/8/8/8/8/4K3 w - - 0 1",
		"4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "4r2k/8/8/8/8/2N5/4N3/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/r3K3 w - - 0 1",
		"r1k4r/8/8/8/8/8/8/R1K4R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
		"4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", "4k3/8/8/8/8/8/8/1R1K4 w B - 0 1", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
		"4k3/8/8/8/8/8/8/5KRr w G - 0 1",
	}, edges...)
	texts := map[string]string{
		"san": "e4 Nf3 Ng1f3 Ngf3+ N1f3# Nxf3 e5 exd3 Nd2 + Ne9 Nzf3 Ng1g1f3 hello -- O-O O-O-O e4=Q O- " +
			"0-0 0-0-0+ Kg1 Kb1 Kc2 Bxe6 b3 bxc3 e8=Q exd8=Q+ exd8N hxg8=R h8=B h8 Nbd2 Nd4 Nd5 Ncd1",
		"uci": "e2e4 e2e5 e2e4q 0000 e2 e2e9 e2e4x a1a1 e1h1 e1g1 e1a1 e1c1 h7h8 h7h8n h7h8k c1h1 c1a1 c1b1 d1b1 f1g1",
	}
	const refused = "refused"
	for what, list := range texts {
		words := strings.Fields(list)
		var in, want strings.Builder
		for _, fen := range fens {
			p, err := position.ParseFEN(fen)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&in, "%s\t%s\n", fen, strings.Join(words, "\t"))
			for _, text := range words {
				read := p.ParseUCI
				if what == "san" {
					read = p.ParseSANLenient
				}
				m, err := read(text)
				line := m.String()
				if err != nil {
					line = refused
				}
				if errors.Is(err, position.ErrAmbiguous) {
					line = "ambiguous move"
				}
				fmt.Fprintf(&want, "%s %s: %s\n", fen, text, line)
			}
		}
		eachBuild(t, func(t *testing.T, b *build) {
			var got strings.Builder
			for i, line := range strings.Split(strings.TrimSpace(b.driver(t, in.String(), what)), "\n") {
				if line == "illegal move" || line == "syntax error" {
					line = refused // which of them is not said of all
				}
				fmt.Fprintf(&got, "%s %s: %s\n", fens[i/len(words)], words[i%len(words)], line)
			}
			sameLines(t, got.String(), want.String())
		})
	}
}

type count struct {
	fen   string
	depth int
	nodes uint64
}

func perftFile(t *testing.T, name string, limit uint64, every int) []count {
	f, err := os.Open(datadir.Path(t, "perft", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []count
	fen, entries := "", 0
	for s := bufio.NewScanner(f); s.Scan(); {
		key, rest, _ := strings.Cut(strings.TrimSpace(s.Text()), " ")
		if key == "epd" {
			fen = strings.TrimSpace(rest) + " 0 1"
			entries++
		}
		var c count
		if n, _ := fmt.Sscan(rest, &c.depth, &c.nodes); key == "perft" && n == 2 && c.nodes <= limit &&
			entries%every == 0 {
			c.fen = fen
			list = append(list, c)
		}
	}
	return list
}

func (b *build) perft(t *testing.T, list []count) {
	var in, want strings.Builder
	for _, c := range list {
		fmt.Fprintf(&in, "%s\t%d\n", c.fen, c.depth)
		fmt.Fprintf(&want, "%d\n", c.nodes)
	}
	got := b.driver(t, in.String(), "perft")
	if got != want.String() {
		g, w := strings.Fields(got), strings.Fields(want.String())
		for i := range g {
			if g[i] != w[i] {
				t.Errorf("%s: perft %d is %s, want %s", list[i].fen, list[i].depth, g[i], w[i])
			}
		}
	}
}

// TestPerftOfOthers counts from 6,800 positions of others, some of them of Chess960.
func TestPerftOfOthers(t *testing.T) {
	limit := uint64(1_000_000)
	if testenv.Long {
		limit = 20_000_000
	}
	builds[0].perft(t, perftFile(t, "tricky.perft", limit, 1))
	builds[0].perft(t, perftFile(t, "random.perft", limit, testenv.Pick(60, 1000)))
}
