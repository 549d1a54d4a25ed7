// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/game"
	"ply11/query"
)

// A query in JSON for each rule and form of scoutfish's README, and its meaning.

func pieceOn(square string, piece string) plain {
	s, _ := chess.ParseSquare(square)
	return func(p *plainPos) bool { return plainMatch(piece[0], p.Board[s]) }
}

func all(tests ...plain) plain {
	return func(p *plainPos) bool {
		return !slices.ContainsFunc(tests, func(t plain) bool { return !t(p) })
	}
}

func either(tests ...plain) plain {
	return func(p *plainPos) bool { return slices.ContainsFunc(tests, func(t plain) bool { return t(p) }) }
}

// pieces is the exact material: White's then Black's.
func pieces(text string) plain {
	var want [16]int
	color := -8
	for _, c := range text {
		if c == 'K' {
			color += 8
		}
		kind := chess.KindOf(byte(c))
		want[int(kind)+color]++
	}
	return func(p *plainPos) bool {
		n := plainCounts(&p.Board)
		n[0] = 0
		return n == want
	}
}

func took(kinds string) plain {
	return func(p *plainPos) bool {
		if !p.by.made {
			return false
		}
		if kinds == "" {
			return p.by.captured == 0
		}
		return p.by.captured != 0 && strings.ContainsRune(kinds, rune(p.by.captured.Letter()))
	}
}

func san(color int, texts ...string) plain {
	return func(p *plainPos) bool {
		return p.by.made && int(p.by.piece.Color()) == color &&
			slices.Contains(texts, strings.TrimRight(p.by.san, "+#"))
	}
}

func by(color int) plain {
	return func(p *plainPos) bool { return p.by.made && int(p.by.piece.Color()) == color }
}

func imbalanced(d map[string]int) plain {
	return func(p *plainPos) bool {
		have := difference(&p.Board)
		for k := chess.Queen; k <= chess.Pawn; k++ {
			if have[k] != d[string(k.Letter())] {
				return false
			}
		}
		return true
	}
}

func jsonSamples() []struct {
	text string
	sample
} {
	results := func(list ...game.Result) func(g *plainGame) bool {
		return func(g *plainGame) bool { return slices.Contains(list, g.result) }
	}
	anything := func(*plainPos) bool { return true }
	return []struct {
		text string
		sample
	}{
		{`{"sub-fen": "8/8/2n5/4p3/8/5N2/8/8"}`, sample{
			steps: steps(all(pieceOn("c6", "n"), pieceOn("e5", "p"), pieceOn("f3", "N")))}},
		{`{"sub-fen": "8/8/8/8/3k4/8/8/8", "material": "KPK"}`,
			sample{steps: steps(all(pieceOn("d4", "k"), pieces("KPK")))}},
		{`{"white-move": "O-O-O"}`, sample{steps: steps(san(0, "O-O-O"))}},
		{`{"sub-fen": ["8/8/8/8/q7/8/8/8", "8/8/8/8/r7/8/8/8"]}`,
			sample{steps: steps(either(pieceOn("a4", "q"), pieceOn("a4", "r")))}},
		{`{"sub-fen": "8/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/8", "result": "1-0"}`,
			sample{game: results(game.WhiteWins), steps: steps(func(p *plainPos) bool {
				for f := range 8 {
					white, black := 8+f, 48+f
					if f == 4 {
						white, black = 28, 36
					}
					if p.Board[white] != chess.WhitePawn || p.Board[black] != chess.BlackPawn {
						return false
					}
				}
				return true
			})}},
		{`{"result": ["1-0", "0-1"]}`, sample{game: results(game.WhiteWins, game.BlackWins)}},
		{`{"result": "1-0", "result-type": "mate"}`,
			sample{game: results(game.WhiteWins), steps: steps(func(p *plainPos) bool {
				return p.last && p.at.IsCheckmate()
			})}},
		{`{"result-type": "stalemate"}`,
			sample{steps: steps(func(p *plainPos) bool { return p.last && p.at.IsStalemate() })}},
		{`{"material": ["KRPKR", "KRPPKR", "KPKP"]}`,
			sample{steps: steps(either(pieces("KRPKR"), pieces("KRPPKR"), pieces("KPKP")))}},
		{`{"imbalance": ["PPv", "Pv"]}`,
			sample{steps: steps(either(imbalanced(map[string]int{"P": 2}), imbalanced(map[string]int{"P": 1})))}},
		{`{"imbalance": "PvN"}`, sample{steps: steps(imbalanced(map[string]int{"P": 1, "N": -1}))}},
		{`{"white-move": "e8=Q"}`, sample{steps: steps(san(0, "e8=Q"))}},
		{`{"black-move": ["O-O-O", "O-O"]}`, sample{steps: steps(san(1, "O-O", "O-O-O"))}},
		{`{"white-move": "Rad1"}`, sample{steps: steps(func(p *plainPos) bool {
			return p.by.made && p.by.piece == chess.WhiteRook && p.by.move.To() == chess.D1 &&
				p.by.move.From().File() == 0
		})}},
		{`{"moved": "KP", "captured": "Q"}`, sample{steps: steps(all(took("Q"), func(p *plainPos) bool {
			return p.by.piece.Kind() == chess.King || p.by.piece.Kind() == chess.Pawn
		}))}},
		{`{"captured": ""}`, sample{steps: steps(took(""))}},
		{`{"stm": "black", "captured": "QR"}`, sample{steps: steps(all(took("QR"), by(1)))}},
		{`{"stm": "White", "sub-fen": "8/8/8/8/4P3/8/8/8"}`,
			sample{steps: steps(all(pieceOn("e4", "P"), func(p *plainPos) bool { return p.Turn == chess.White }))}},
		{`{"pass": ""}`, sample{steps: steps(anything)}},
		{
			`{"sequence": [{"sub-fen": "8/8/2n5/1B2p3/4P3/5N2/8/8", "result": "1-0"}, {"sub-fen": "8/8/8/8/B7/8/8/8"}, {"sub-fen": "8/8/8/8/8/8/2B5/8"}]}`,
			sample{game: results(game.WhiteWins), steps: []plainStep{
				{test: all(pieceOn("c6", "n"), pieceOn("b5", "B"), pieceOn("e5", "p"), pieceOn("e4", "P"),
					pieceOn("f3", "N"))},
				{test: pieceOn("a4", "B")}, {test: pieceOn("c2", "B")}}}},
		{`{"streak": [{"imbalance": "vP"}, {"imbalance": "vP"}, {"imbalance": "vP"}]}`, sample{steps: []plainStep{
			{test: imbalanced(map[string]int{"P": -1})}, {imbalanced(map[string]int{"P": -1}), 1},
			{imbalanced(map[string]int{"P": -1}), 1}}}},
		{
			`{"sequence": [{"sub-fen": "8/8/8/8/3P4/8/8/8"}, {"streak": [{"white-move": "e4"}, {"black-move": "dxe4"}, {"white-move": "Nxe4"}]}, {"white-move": "O-O"}]}`,
			sample{steps: []plainStep{{test: pieceOn("d4", "P")}, {test: san(0, "e4")}, {san(1, "dxe4"), 1},
				{san(0, "Nxe4"), 1}, {test: san(0, "O-O")}}}},
		{`{"streak": [{"captured": ""}, {"stm": "white", "captured": "Q"}, {"captured": ""}]}`,
			sample{steps: []plainStep{
				{test: took("")}, {all(took("Q"), by(0)), 1}, {took(""), 1}}}},
		{`{"streak": [{"white-move": "e5"}, {"pass": ""}, {"white-move": "e6"}]}`, sample{steps: []plainStep{
			{test: san(0, "e5")}, {anything, 1}, {san(0, "e6"), 1}}}},
		{`{"streak": [{"white-move": "d4"}, {"result": "0-1"}]}`,
			sample{game: results(game.BlackWins), steps: []plainStep{
				{test: san(0, "d4")}, {anything, 1}}}},
		// What is our own.
		{
			`{"sequence": [{"white-move": "d4"}, {"black-move": "c5", "within": 5}], "eco": "B20-E99", "not": {"result": "1/2-1/2"}}`, sample{
				game: func(g *plainGame) bool {
					eco := g.tag("ECO")
					return len(eco) >= 3 && eco[:3] >= "B20" && eco[:3] <= "E99" && g.result != game.Draw
				},
				steps: []plainStep{{test: san(0, "d4")}, {san(1, "c5"), 5}}}},
	}
}

// TestJSONAgainstReplay compares queries in JSON with a replay, on all files.
func TestJSONAgainstReplay(t *testing.T) {
	met := map[string]int{}
	eachFile(t, func(f dataFile, games []plainGame, archives []form) {
		for k, s := range jsonSamples() {
			q := query.New()
			if _, _, err := q.AddJSON([]byte(s.text)); err != nil {
				t.Fatalf("%s: %v", s.text, err)
			}
			a := archives[k%len(archives)]
			want, ends := s.brute(games)
			got := scan(t, q, a.data, query.Options{})
			var numbers, plies []int
			for _, x := range got {
				numbers = append(numbers, x.game)
				n := 0
				if len(x.hits) > 0 {
					n = x.hits[0].Plies[len(x.hits[0].Plies)-1]
				}
				plies = append(plies, n)
			}
			met[s.text] += len(got)
			if !slices.Equal(numbers, want) || !slices.Equal(plies, ends) {
				t.Errorf("%s, %s: %s: games %v at plies %v, want %v at %v", f.name, a.name, s.text, short(numbers),
					short(plies), short(want), short(ends))
			}
		}
	})
	if len(dataFiles(t)) > 1 {
		for text, n := range met {
			if n == 0 {
				t.Logf("no game has %s", text)
			}
		}
	}
}

func TestJSONSkipAndLimit(t *testing.T) {
	q := query.New()
	skip, limit, err := q.AddJSON([]byte(`{"skip": 2, "limit": 3, "pass": ""}`))
	if skip != 2 || limit != 3 || err != nil {
		t.Fatal(skip, limit, err)
	}
}

func TestBadJSON(t *testing.T) {
	for _, text := range []string{
		``, `[]`, `{`, `{} {}`, `null x`, `{"skip": "x"}`, `{"skip": -1}`, `{"limit": 1.5}`, `{"none": "x"}`,
		`{"stm": "red"}`, `{"stm": ["white", "black"]}`,
		`{"sub-fen": "9/8"}`, `{"sub-fen": []}`, `{"sub-fen": [1]}`, `{"sub-fen": {}}`, `{"material": "KRP"}`,
		`{"sequence": {}}`, `{"sequence": []}`,
		`{"sequence": ["x"]}`, `{"sequence": [{"sequence": []}]}`, `{"sequence": [{"streak": [], "stm": "white"}]}`,
		`{"streak": [{"streak": [{}]}]}`,
		`{"streak": [{"within": 3}]}`, `{"result": "2-0"}`, `{"result-type": "draw"}`, `{"white-move": "Zz9"}`,
		`{"not": "x"}`, `{"not": {"not": {}}}`,
		`{"captured": "X"}`, `{"within": "x"}`, `{"sequence": [` + strings.Repeat(`{"pass": ""},`, 200) +
			`{"pass": ""}]}`, `{"sequence": [{"skip": 1}]}`,
		strings.Repeat(" ", 2<<20), strings.Repeat(`{"not":`, 20000),
	} {
		_, _, err := query.New().AddJSON([]byte(text))
		var e *query.Error
		if err == nil || !errors.As(err, &e) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 300 {
			t.Errorf("%.80s: %v", text, err)
		}
	}
}
