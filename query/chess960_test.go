// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/gamegen"
	"ply11/internal/querytest"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
)

// TestChess960 compares searches of games of Chess960 with a plain reading.
func TestChess960(t *testing.T) {
	var text []byte
	var games []*game.Game
	for n := 0; n < 960; n += 11 {
		g := gamegen.Chess960(n)
		if n%44 == 0 {
			// the position tells it
			g.Tags = slices.DeleteFunc(g.Tags, func(tag game.Tag) bool { return tag.Name == "Variant" })
			if fen, ok := g.LookupTag("FEN"); ok {
				if p, err := position.ParseFEN(fen); err == nil && !p.IsChess960() {
					continue
				}
			}
		}
		games = append(games, g)
	}
	standard := game.New()
	if err := pgn.NewReader(strings.NewReader("1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O O-O *")).Read(standard); err !=
		nil {
		t.Fatal(err)
	}
	games = append(games, standard)
	for _, g := range games {
		text = append(pgn.AppendGame(text, g, &pgn.Style{}), '\n')
	}
	data := querytest.Pack(t, text)
	source := []query.Source{{Name: "a", Reader: bytes.NewReader(data), Size: int64(len(data))}}
	late := func(g *game.Game) (p position.Position) { // a position in the middle of the game
		p = g.Start
		for _, m := range g.AppendMainLine(nil)[:8] {
			p.Make(m)
		}
		return p
	}
	middle := late(games[40])
	type ply struct {
		at, after position.Position
		m         chess.Move
	}
	castles := func(color chess.Color, long bool) func(p *ply) bool {
		return func(p *ply) bool {
			return p.at.Turn() == color && p.at.IsCastling(p.m) && (p.m.To() < p.m.From()) == long
		}
	}
	tests := []struct {
		name, value string
		want        func(p *ply) bool
	}{
		{"white-move", "O-O", castles(chess.White, false)},
		{"white-move", "O-O-O", castles(chess.White, true)},
		{"black-move", "O-O", castles(chess.Black, false)},
		{"captured", "R", func(p *ply) bool {
			return p.at.PieceAt(p.m.To()).Kind() == chess.Rook && !p.at.IsCastling(p.m)
		}},
		{"moved", "K", func(p *ply) bool { return p.at.PieceAt(p.m.From()).Kind() == chess.King }},
		{"pattern", "Kg1 Rf1", func(p *ply) bool {
			return p.after.PieceAt(chess.G1) == chess.WhiteKing && p.after.PieceAt(chess.F1) == chess.WhiteRook
		}},
		{"pattern", "kc8 rd8", func(p *ply) bool {
			return p.after.PieceAt(chess.C8) == chess.BlackKing && p.after.PieceAt(chess.D8) == chess.BlackRook
		}},
		{"fen", middle.FEN(), func(p *ply) bool { return p.after.Hash() == middle.Hash() }},
	}
	for _, c := range tests {
		q := query.New()
		if err := q.Add(c.name, c.value); err != nil {
			t.Fatalf("%s %s: %v", c.name, c.value, err)
		}
		var want []int
		for n, g := range games {
			p := ply{after: g.Start}
			found := false
			for _, m := range g.AppendMainLine(nil) {
				p.at, p.m = p.after, m
				p.after.Make(m)
				found = found || c.want(&p)
			}
			if found {
				want = append(want, n+1)
			}
		}
		var got []int
		for n, err := range query.Games(context.Background(), source, q, query.Options{},
			func(m *query.Match) (int, error) { return int(m.Number), nil }) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, n)
		}
		if !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%s %s: games %v, want %v", c.name, c.value, got, want)
		}
	}
	// The tree, by a scan and by an index, of a position before a castling.
	for _, g := range games {
		at := g.Start
		for _, m := range g.AppendMainLine(nil) {
			if !at.IsChess960() || !at.IsCastling(m) {
				at.Make(m)
				continue
			}
			made := querytest.OpenIndex(t, querytest.BuildIndex(t, data, index.Options{}))
			for _, x := range []*index.Index{nil, made} {
				source[0].Index = x
				tree, err := query.New().Tree(context.Background(), source, at, query.TreeOptions{})
				if err != nil || tree.All.Games == 0 || !slices.ContainsFunc(tree.Branches, func(b index.Branch) bool {
					return b.Move == m
				}) {
					t.Fatalf("%s: %+v, %v, want %v", at.FEN(), tree, err, m)
				}
			}
			return
		}
	}
	t.Error("nobody castles")
}
