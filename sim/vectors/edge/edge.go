// SPDX-License-Identifier: Apache-2.0

// Package edge makes testdata/edge.pgn: games of random legal moves that are rich in what is rare.
package edge

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/position"
)

// A taste says which moves a game prefers.
type taste struct {
	event      string
	plies      int
	pawns      int // of ten choices, those that prefer a pawn's move
	promote    chess.Kind
	variations int // one in so many plies; 0 is none
	notes      int
	nulls      int
	start      string
}

var rng *rand.Rand

func choose(p *position.Position, t *taste) (chess.Move, bool) {
	var buf [256]chess.Move
	list := p.LegalMoves(buf[:0])
	if len(list) == 0 {
		return 0, false
	}
	best, score := list[rng.IntN(len(list))], -1
	for range 24 {
		m := list[rng.IntN(len(list))]
		s := 0
		kind := p.PieceAt(m.From()).Kind()
		wing := m.From().File() - m.To().File()
		switch {
		case m.Promotion() != 0 && (t.promote == 0 || m.Promotion() == t.promote):
			s = 9
		case kind == chess.King && wing*wing == 4:
			s = 8
		case kind == chess.Pawn && wing != 0 && p.PieceAt(m.To()) == 0:
			s = 7
		case kind == chess.Pawn && rng.IntN(10) < t.pawns:
			s = 5
		case p.PieceAt(m.To()) != 0 && p.PieceAt(m.To()).Kind() != chess.Pawn:
			s = 0
		default:
			s = rng.IntN(5)
		}
		if s > score {
			best, score = m, s
		}
	}
	return best, true
}

// line adds moves to the line that the builder is in.
func line(b *game.Builder, p position.Position, t *taste, plies, depth int) {
	for ply := range plies {
		m, ok := choose(&p, t)
		if !ok {
			return
		}
		before := p
		if t.nulls > 0 && !p.InCheck() && rng.IntN(t.nulls) == 0 {
			m = chess.NullMove
		}
		b.Move(m)
		p.Make(m)
		if t.notes > 0 && rng.IntN(t.notes) == 0 {
			b.NAG(uint8(1 + rng.IntN(40)))
		}
		if t.notes > 0 && rng.IntN(t.notes) == 0 {
			b.Comment(fmt.Sprintf("ply %d, depth %d: \u2654 1-0", ply+1, depth))
		}
		if t.variations > 0 && depth < 5 && rng.IntN(t.variations) == 0 {
			for range 1 + rng.IntN(2-min(depth, 1)) {
				if _, ok := choose(&before, t); !ok {
					continue
				}
				if err := b.StartVariation(); err != nil {
					panic(err)
				}
				line(b, before, t, 1+rng.IntN(6), depth+1)
				if err := b.EndVariation(); err != nil {
					panic(err)
				}
			}
		}
	}
}

// Files returns the file, by its name below the root of the project.
func Files() map[string][]byte {
	rng = rand.New(rand.NewPCG(2026, 11))
	var text bytes.Buffer
	w := pgn.NewWriter(&text)
	results := []game.Result{game.WhiteWins, game.BlackWins, game.Draw, game.Unknown}
	for i, t := range []taste{
		{event: "knights", plies: 160, pawns: 8, promote: chess.Knight},
		{event: "bishops", plies: 160, pawns: 8, promote: chess.Bishop},
		{event: "rooks", plies: 160, pawns: 8, promote: chess.Rook},
		{event: "queens", plies: 200, pawns: 8, promote: chess.Queen},
		{event: "no move"},
		{event: "all promotions", plies: 200, pawns: 9},
		{event: "long", plies: 320, pawns: 1},
		{event: "variations", plies: 60, pawns: 3, variations: 9},
		{event: "notes", plies: 40, pawns: 3, variations: 12, notes: 4},
		{event: "null moves", plies: 30, pawns: 3, variations: 12, nulls: 12},
		{event: "en passant at once", plies: 20, pawns: 3, start: "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"},
		{event: "castling at once", plies: 20, pawns: 3, variations: 9, start: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 0 1"},
		{event: "pawns near the end", plies: 60, pawns: 9, start: "8/PPPP2k1/8/8/8/8/pppp2K1/8 w - - 0 1"},
		{event: "men in no order", plies: 40, pawns: 3, variations: 12, notes: 9, start: "b2nk2r/5ppp/2q5/1N6/6n1/2B5/PPP4R/R2K1B1N b k - 7 40"},
		{event: "three queens", plies: 20, pawns: 3, start: "qqq1k3/8/8/8/8/8/4P3/QQQ1K3 w - - 0 1"},
		{event: "five knights", plies: 20, pawns: 3, start: "NNNNNk2/8/8/8/8/8/5p2/K7 b - - 0 1"},
	} {
		g := game.New()
		g.SetTag("Event", t.event)
		if t.start != "" {
			p, err := position.ParseFEN(t.start)
			if err != nil {
				panic(err)
			}
			g.SetStart(p)
		}
		g.Result = results[i%4]
		var b game.Builder
		b.Reset(g)
		if t.notes > 0 {
			b.Comment("x before the moves")
		}
		line(&b, g.Start, &t, t.plies, 0)
		if err := w.Write(g); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return map[string][]byte{"testdata/edge.pgn": text.Bytes()}
}
