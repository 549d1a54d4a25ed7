// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"ply11/chess"
	"ply11/game/codec"
	"ply11/internal/bounded"
	"ply11/moveindex"
	"ply11/position"
)

// randomGames plays games of random legal moves, some of them from other starts and with null moves.
func randomGames(n int) []FitGame {
	random := rand.New(rand.NewPCG(7, 11))
	starts := []string{
		"8/1P4k1/8/3pP3/8/8/1p4K1/8 w - d6 0 1",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"4k3/8/8/8/8/8/QQQQQQQQ/QQQQK1QQ b - - 0 1",
	}
	games := make([]FitGame, n)
	for g := range games {
		p := position.Start()
		if g%5 == 4 {
			var err error
			if p, err = position.ParseFENLenient(starts[g/5%len(starts)]); err != nil {
				panic(err)
			}
		}
		games[g].Start = p
		for range random.IntN(120) {
			moves := p.LegalMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[random.IntN(len(moves))]
			i, _ := moveindex.Of(m)
			if random.IntN(20) == 0 && !p.InCheck() {
				m, i = chess.NullMove, moveindex.Null
			}
			p.Make(m)
			games[g].Moves = append(games[g].Moves, i)
		}
	}
	return games
}

func encode(tb testing.TB, e *Encoder, games []FitGame) []byte { return encodeTo(tb, e, nil, games) }

func encodeTo(tb testing.TB, e *Encoder, dst []byte, games []FitGame) []byte {
	e.Reset(dst[:0])
	for g := range games {
		if err := e.Game(&games[g].Start, games[g].Moves); err != nil {
			tb.Fatalf("game %d: %v", g+1, err)
		}
	}
	return e.Finish()
}

func decode(tb testing.TB, d *Decoder, coded []byte, games []FitGame) {
	var moves [2000]moveindex.Index
	decodeTo(tb, d, moves[:], coded, games)
}

// decodeTo decodes games into moves, each over the one before.
func decodeTo(tb testing.TB, d *Decoder, moves []moveindex.Index, coded []byte, games []FitGame) {
	d.Reset(coded)
	for g := range games {
		var err error
		if moves, err = d.Game(moves[:0], &games[g].Start, len(games[g].Moves)); err != nil {
			tb.Fatalf("game %d: %v", g+1, err)
		}
		if !slices.Equal(moves, games[g].Moves) {
			tb.Fatalf("game %d: %v, want %v", g+1, moves, games[g].Moves)
		}
	}
}

// TestThereAndBack codes random games, more than once with the same coder, in blocks of all sizes.
func TestThereAndBack(t *testing.T) {
	games := randomGames(300)
	var e Encoder
	var d Decoder
	for _, n := range []int{0, 1, 2, 7, 300, 1} {
		coded := encode(t, &e, games[:n])
		if again := encode(t, &e, games[:n]); !bytes.Equal(again, coded) {
			t.Fatalf("%d games: coded again, they are other bytes", n)
		}
		decode(t, &d, coded, games[:n])
		decode(t, new(Decoder), coded, games[:n])
	}
}

// TestMirrored asks that the model sees Black's moves as White's in the mirrored position.
func TestMirrored(t *testing.T) {
	const white, black = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1"
	var seen [2]map[chess.Move][numFeatures]int
	for n, fen := range []string{white, black} {
		p, err := position.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		var f frame
		var h history
		f.set(&p, &h)
		seen[n] = map[chess.Move][numFeatures]int{}
		for _, m := range p.LegalMoves(nil) {
			w := f.features(m)
			if n == 1 {
				m = m.MirrorRanks()
			}
			seen[n][m] = w
		}
	}
	if len(seen[0]) != 48 || len(seen[1]) != 48 {
		t.Fatalf("%d and %d moves, want 48", len(seen[0]), len(seen[1]))
	}
	for m, w := range seen[0] {
		if seen[1][m] != w {
			t.Errorf("%v: %v, mirrored %v", m, w, seen[1][m])
		}
	}
}

func TestIllegalMoves(t *testing.T) {
	start := position.Start()
	e4, _ := moveindex.Of(chess.NewMove(chess.E2, chess.E4))
	e5, _ := moveindex.Of(chess.NewMove(chess.E4, chess.E5))
	for _, bad := range []moveindex.Index{e5, e4, moveindex.ResultDraw, moveindex.Idle, moveindex.Invalid} {
		var e Encoder
		e.Reset(nil)
		err := e.Game(&start, []moveindex.Index{e4, bad})
		var me *codec.Error
		if !errors.Is(err, position.ErrIllegal) || !errors.As(err, &me) || me.Ply != 2 || bad < moveindex.NumMoves &&
			me.Text == "" {
			t.Errorf("1. e4 and word %d: %v", bad, err)
		}
	}
}

// TestBookIsBounded fills a block with more positions than it may keep.
func TestBookIsBounded(t *testing.T) {
	var c predictor
	c.reset()
	for h := range uint64(3 * maxLocal) {
		c.hash = h * 0x9e3779b97f4a7c15
		if d := c.visit(); (d == nil) != (h >= maxLocal) {
			t.Fatalf("node %d: %v", h, d)
		}
	}
	d := c.local.insert(0)
	for range 5000 {
		c.local.add(d, chess.NewMove(chess.E2, chess.E4), 1)
		c.local.add(d, chess.NewMove(chess.D2, chess.D4), 1)
		if d.total > maxCount {
			t.Fatalf("a node counts %d games", d.total)
		}
	}
	if d.moves != 2 {
		t.Errorf("%d moves, want 2", d.moves)
	}
}

// allLegal verifies the moves of a game from the usual start.
func allLegal(t *testing.T, moves []moveindex.Index) {
	t.Helper()
	p := position.Start()
	for _, i := range moves {
		m, _ := i.Move()
		if i != moveindex.Null && !p.IsLegal(m) || i == moveindex.Null && p.InCheck() {
			t.Fatalf("%s: %v is not legal", p.FEN(), m)
		}
		p.Make(m)
	}
}

// TestEnd reads blocks that are cut off, and beyond the end of a whole one: what is read is legal.
func TestEnd(t *testing.T) {
	games := randomGames(20)
	start := position.Start()
	var e Encoder
	var d Decoder
	coded := encode(t, &e, games)
	for cut := 0; cut <= len(coded); cut += max(1, min(29, len(coded)-cut)) {
		d.Reset(coded[:cut])
		for range len(games) + 2 {
			moves, err := d.Game(nil, &start, 50)
			if err != nil && !errors.Is(err, codec.ErrCorrupt) {
				t.Fatal(err)
			}
			allLegal(t, moves)
		}
	}

	// The first choice of all positions is coded as zeros, all of which are dropped that may be.
	d.Reset(make([]byte, 100))
	first, err := d.Game(nil, &start, 40)
	if err != nil {
		t.Fatal(err)
	}
	game := []FitGame{{start, first}}
	decode(t, &d, encode(t, &e, game), game)
}

// TestParallel codes and decodes in several goroutines, for the race detector: coders share the model, and do
// not change it.
func TestParallel(t *testing.T) {
	games := randomGames(10)
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			decode(t, new(Decoder), encode(t, new(Encoder), games), games)
		})
	}
}

func FuzzDecode(f *testing.F) {
	var e Encoder
	f.Add(encode(f, &e, randomGames(3)), 40)
	f.Add([]byte{}, 300)
	f.Add(bytes.Repeat([]byte{0xff}, 50), 100)
	bounded.Fuzz(f, func(t *testing.T, coded []byte, plies int) {
		start := position.Start()
		var d Decoder
		d.Reset(coded)
		for range 3 {
			moves, err := d.Game(nil, &start, max(plies, 0)%1000)
			if err != nil && !errors.Is(err, codec.ErrCorrupt) {
				t.Fatal(err)
			}
			allLegal(t, moves)
			// What was decoded is coded and decoded to the same.
			game := []FitGame{{start, moves}}
			again := encode(t, new(Encoder), game)
			decode(t, new(Decoder), again, game)
			eachWay(func(way string) {
				if !bytes.Equal(encode(t, new(Encoder), game), again) {
					t.Fatalf("%s codes to other bytes", way)
				}
			})
		}
	})
}
