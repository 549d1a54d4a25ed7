// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query"
)

// positionSamples makes, for each term about positions, a value that a position meets, and what it means. The test is nil if the term
// says nothing of this position.
var positionSamples = map[string]func(rng *rand.Rand, p *plainPos) (value string, test plain){
	"fen": randomFEN, "pattern": randomPattern, "material": randomMaterial, "imbalance": randomImbalance,
	"stm": func(rng *rand.Rand, p *plainPos) (string, plain) {
		turn := p.Turn
		return []string{"white", "black"}[turn], func(p *plainPos) bool { return p.Turn == turn }
	},
	"after-ply": func(rng *rand.Rand, p *plainPos) (string, plain) {
		n := max(0, p.ply-rng.IntN(5))
		return strconv.Itoa(n), func(p *plainPos) bool { return p.ply >= n }
	},
	"before-ply": func(rng *rand.Rand, p *plainPos) (string, plain) {
		n := p.ply + rng.IntN(5)
		return strconv.Itoa(n), func(p *plainPos) bool { return p.ply <= n }
	},
	"white-move": func(rng *rand.Rand, p *plainPos) (string, plain) { return randomMoveTest(p, moveindex.White) },
	"black-move": func(rng *rand.Rand, p *plainPos) (string, plain) { return randomMoveTest(p, moveindex.Black) },
	"moved": func(rng *rand.Rand, p *plainPos) (string, plain) {
		if !p.by.made {
			return "", nil
		}
		kind := p.by.man.Kind()
		return string(kind.Letter()) + "K", func(p *plainPos) bool {
			return p.by.made && (p.by.man.Kind() == kind || p.by.man.Kind() == moveindex.King)
		}
	},
	"captured": func(rng *rand.Rand, p *plainPos) (string, plain) {
		if !p.by.made {
			return "", nil
		}
		kind, text := p.by.captured, ""
		if kind != 0 {
			text = string(kind.Letter())
		}
		return text, func(p *plainPos) bool { return p.by.made && p.by.captured == kind }
	},
	"mover": func(rng *rand.Rand, p *plainPos) (string, plain) {
		if !p.by.made {
			return "", nil
		}
		color := p.by.man.Color()
		return []string{"white", "black"}[color], func(p *plainPos) bool { return p.by.made && p.by.man.Color() == color }
	},
	"ending": func(rng *rand.Rand, p *plainPos) (string, plain) {
		switch {
		case p.last && p.at.IsCheckmate():
			return "mate", func(p *plainPos) bool { return p.last && p.at.IsCheckmate() }
		case p.last && p.at.IsStalemate():
			return "stalemate", func(p *plainPos) bool { return p.last && p.at.IsStalemate() }
		}
		return "", nil
	},
}

// randomMoveTest is the move that led to a position as a term; nil if it is not of the colour.
func randomMoveTest(p *plainPos, color moveindex.Color) (string, plain) {
	m := p.by
	if !m.made || m.man.Color() != color {
		return "", nil
	}
	promotion := m.move.Promotion()
	// Without check, the same SAN in another position may be another move's full text; the origin counts if it is there.
	san := strings.TrimRight(m.san, "+#")
	return san, func(p *plainPos) bool {
		if !p.by.made || p.by.man != m.man || p.by.move.To() != m.move.To() || p.by.castling != m.castling ||
			promotion != 0 && p.by.move.Promotion() != promotion {
			return false
		}
		if m.castling {
			return true
		}
		// What stands between the letter and the square: an origin, in part, and x.
		body := strings.TrimSuffix(strings.TrimLeft(san, "KQRBN"), "="+string(promotion.Letter()))
		body = strings.TrimSuffix(body, m.move.To().String())
		if strings.HasSuffix(body, "x") && p.by.captured == 0 || body == "" && m.man.Kind() == moveindex.Pawn && p.by.captured != 0 {
			return false
		}
		name := p.by.move.From().String()
		for _, c := range strings.TrimSuffix(body, "x") {
			if !strings.ContainsRune(name, c) {
				return false
			}
		}
		return true
	}
}

// gameSamplesOf makes, for each term about whole games, a value that a game meets, and what it means. The test is nil if the term says
// nothing of this game.
var gameSamplesOf = map[string]func(rng *rand.Rand, g *plainGame) (value string, test func(g *plainGame) bool){
	"player": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		part := partOf(rng, g.tag([]string{"White", "Black"}[rng.IntN(2)]))
		return part, unlessEmpty(part, func(g *plainGame) bool { return holds(g.tag("White"), part) || holds(g.tag("Black"), part) })
	},
	"white": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		part := partOf(rng, g.tag("White"))
		return part, unlessEmpty(part, func(g *plainGame) bool { return holds(g.tag("White"), part) })
	},
	"black": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		name := g.tag("Black")
		return "=" + name, unlessEmpty(name, func(g *plainGame) bool { return g.tag("Black") == name })
	},
	"tag": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		name := []string{"Event", "Site", "Round"}[rng.IntN(3)]
		part := partOf(rng, g.tag(name))
		return name + "=" + part, unlessEmpty(part, func(g *plainGame) bool { return holds(g.tag(name), part) })
	},
	"result": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		result := g.result
		return result.String(), func(g *plainGame) bool { return g.result == result }
	},
	"eco": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		code := g.tag("ECO")
		if len(code) != 3 {
			return "", nil
		}
		return code[:1] + "00-" + code, func(g *plainGame) bool {
			return len(g.tag("ECO")) >= 3 && g.tag("ECO")[:1] == code[:1] && g.tag("ECO")[:3] <= code
		}
	},
	"date": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		year := func(g *plainGame) int { n, _ := strconv.Atoi(strings.SplitN(g.tag("Date")+".", ".", 2)[0]); return n }
		from := year(g)
		if from == 0 {
			return "", nil
		}
		return fmt.Sprintf("%04d-", from), func(g *plainGame) bool { return year(g) >= from }
	},
	"rating": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		return ratingRange(rng, g, func(w, b bool) bool { return w && b })
	},
	"any-rating": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		return ratingRange(rng, g, func(w, b bool) bool { return w || b })
	},
	"white-rating": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		return ratingRange(rng, g, func(w, b bool) bool { return w })
	},
	"black-rating": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		return ratingRange(rng, g, func(w, b bool) bool { return b })
	},
	"plies": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		n := len(g.moves)
		return fmt.Sprintf("%d-%d", n/2, n), func(g *plainGame) bool { return len(g.moves) >= n/2 && len(g.moves) <= n }
	},
	"moves": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		if g.lost || len(g.moves) == 0 || g.main[0].at != ownStart {
			return "", nil
		}
		moves := g.moves[:1+rng.IntN(min(3, len(g.moves)))]
		var text []string
		for i := range moves {
			text = append(text, g.main[i+1].by.san)
		}
		return strings.Join(text, " "), func(g *plainGame) bool {
			return !g.lost && g.main[0].at == ownStart && len(g.moves) >= len(moves) && slices.Equal(g.moves[:len(moves)], moves)
		}
	},
	"text": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		if len(g.text) == 0 {
			return "", nil
		}
		part := partOf(rng, g.text[rng.IntN(len(g.text))])
		return part, unlessEmpty(part, func(g *plainGame) bool {
			return slices.ContainsFunc(g.text, func(s string) bool { return holds(s, part) })
		})
	},
}

// partOf is a part of a text that may be the value of a term.
func partOf(rng *rand.Rand, s string) string {
	runes := []rune(s)
	if len(runes) == 0 {
		return ""
	}
	i := rng.IntN(len(runes))
	part := strings.TrimSpace(string(runes[i:min(len(runes), i+1+rng.IntN(4))]))
	return strings.TrimLeft(part, "=~")
}

func holds(s, part string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(part)) }

func unlessEmpty(part string, test func(g *plainGame) bool) func(g *plainGame) bool {
	if part == "" {
		return nil
	}
	return test
}

// ratingRange is a range of ratings that a game meets: both says how White's and Black's count.
func ratingRange(rng *rand.Rand, g *plainGame, both func(white, black bool) bool) (string, func(g *plainGame) bool) {
	rating := func(g *plainGame, name string) int { n, _ := strconv.Atoi(g.tag(name)); return n }
	w, b := rating(g, "WhiteElo"), rating(g, "BlackElo")
	least, most := min(w, b), max(w, b)
	if least == 0 {
		return "", nil
	}
	least -= rng.IntN(50)
	return fmt.Sprintf("%d-%d", least, most), func(g *plainGame) bool {
		w, b := rating(g, "WhiteElo"), rating(g, "BlackElo")
		return both(w >= least && w <= most, b >= least && b <= most)
	}
}

// branchingGames makes games whose variations stand at any move and within each other. Captures and promotions are frequent there, so that two
// lines often have as many men, and not the same.
func branchingGames(rng *rand.Rand, n int) string {
	starts := []string{"", "", "4k3/PPPP2p1/8/8/8/8/pppp2P1/4K3 w - - 0 1", "r3k2r/pbpqnpbp/npppp1p1/8/8/NPPPP1P1/PBPQNPBP/R3K2R w KQkq - 0 1",
		"2b1k3/8/8/3p4/3Pp3/2N2n2/5P2/3QK3 b - - 0 1"}
	var b strings.Builder
	for i := range n {
		at := position.Start()
		fmt.Fprintf(&b, "[Event \"Game %d\"]\n[White \"%c\"]\n[Black \"%c\"]\n[Result \"*\"]\n", i, 'a'+rng.IntN(26), 'a'+rng.IntN(8))
		fmt.Fprintf(&b, "[WhiteElo \"%d\"]\n[BlackElo \"%d\"]\n", 1500+rng.IntN(1000), 1500+rng.IntN(1000))
		if fen := starts[rng.IntN(len(starts))]; fen != "" {
			at, _ = position.ParseFEN(fen)
			fmt.Fprintf(&b, "[SetUp \"1\"]\n[FEN \"%s\"]\n", fen)
		}
		b.WriteByte('\n')
		branchingLine(rng, &b, at, 2+rng.IntN(24), 3)
		b.WriteString("*\n\n")
	}
	return b.String()
}

func branchingLine(rng *rand.Rand, b *strings.Builder, at position.Position, plies, depth int) {
	for range plies {
		moves := at.LegalMoves(nil)
		if len(moves) == 0 {
			return
		}
		m := moves[rng.IntN(len(moves))]
		for range 4 {
			if at.PieceAt(m.To()) == moveindex.NoPiece && m.Promotion() == moveindex.NoKind {
				m = moves[rng.IntN(len(moves))]
			}
		}
		before := at
		b.WriteString(at.SAN(m) + " ")
		if rng.IntN(100) == 0 {
			fmt.Fprintf(b, "{note %d} ", rng.IntN(100))
		}
		at.Make(m)
		for depth > 0 && rng.IntN(4) == 0 {
			b.WriteString("(")
			branchingLine(rng, b, before, 1+rng.IntN(5), depth-1)
			b.WriteString(") ")
		}
	}
}

// plainHits are all places of a game that meet a condition, in the order of its movetext.
func plainHits(g *plainGame, test plain, variations bool) (hits []query.Hit) {
	list := g.main
	if variations {
		list = g.all
	}
	for i := range list {
		if !g.lost && test(&list[i]) {
			hits = append(hits, query.Hit{Plies: []int{list[i].ply}, Variation: !list[i].main})
		}
	}
	return hits
}

// TestEveryTerm compares each term with an evaluation of its own of each position of each line of games with many variations, and of each game:
// every place is found, and no other.
func TestEveryTerm(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 1))
	text := []byte(ownGames + branchingGames(rng, 60))
	games, _ := plainGames(t, text, 1<<30)
	data := pack(t, text, archive.WithBlockGames(16))
	for _, term := range query.Terms {
		ofPosition, ofGame := positionSamples[term.Name], gameSamplesOf[term.Name]
		if term.Position != (ofPosition != nil) || term.Position == (ofGame != nil) {
			t.Errorf("%s: there is no sample of it in the tables of this test", term.Name)
			continue
		}
		found, missed := 0, 0
		for try := 0; try < 60; try++ {
			g := &games[rng.IntN(len(games))]
			var s sample
			var test plain
			var value string
			if term.Position {
				if g.lost {
					continue
				}
				p := &g.all[rng.IntN(len(g.all))]
				if term.Name == "ending" {
					p = &g.main[len(g.main)-1]
				}
				if value, test = ofPosition(rng, p); test == nil {
					continue
				}
			} else if value, s.game = ofGame(rng, g); s.game == nil {
				continue
			}
			s.terms = [][2]string{{term.Name, value}}
			s.variations = try%3 > 0
			var want []answer
			for i := range games {
				a := answer{game: games[i].number}
				if s.game != nil && !s.game(&games[i]) {
					continue
				}
				if test != nil {
					if a.hits = plainHits(&games[i], test, s.variations); len(a.hits) == 0 {
						continue
					}
				}
				want = append(want, a)
			}
			got := scan(t, s.query(t), data, query.Options{All: true})
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%s %q, variations %v:\n got %v\nwant %v", term.Name, value, s.variations, got, want)
			}
			found, missed = found+len(got), missed+len(games)-len(got)
		}
		if found == 0 || missed == 0 {
			t.Errorf("%s: %d games are found, and %d are not: it tests too little", term.Name, found, missed)
		}
	}
	for name := range positionSamples {
		if !slices.ContainsFunc(query.Terms, func(t query.Term) bool { return t.Name == name }) {
			t.Errorf("%s is no term", name)
		}
	}
}

// TestBranches compares sequences, and conditions of several terms, in games with many variations. Each place that is found must be a way to meet
// the sequence in one line from the start.
func TestBranches(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 2))
	text := []byte(branchingGames(rng, 50))
	games, _ := plainGames(t, text, 1<<30)
	data := pack(t, text, archive.WithBlockGames(16))
	found := 0
	for range 600 {
		s := randomSample(rng, games)
		s.variations = true
		if s.compare(t, "branching", games, data); t.Failed() {
			t.FailNow()
		}
		for _, a := range scan(t, s.query(t), data, query.Options{All: true}) {
			for _, h := range a.hits {
				if found++; !isPath(games[a.game-1].all, s.steps, h) {
					t.Fatalf("%q: game %d: there is no such place: %v", s.terms, a.game, h)
				}
			}
		}
	}
	if found < 1000 {
		t.Errorf("%d places", found)
	}
}

// isPath reports whether a line of a game, from its start, meets the steps after these plies.
func isPath(list []plainPos, steps []plainStep, h query.Hit) bool {
end:
	for i := range list {
		n := len(h.Plies) - 1
		if list[i].ply != h.Plies[n] || list[i].main == h.Variation {
			continue
		}
		for k := i; k >= 0 && n >= 0; k = list[k].parent {
			if list[k].ply != h.Plies[n] {
				continue
			}
			if !steps[n].test(&list[k]) || n > 0 && steps[n].within > 0 && h.Plies[n]-h.Plies[n-1] > steps[n].within {
				continue end
			}
			n--
		}
		if n < 0 {
			return true
		}
	}
	return false
}
