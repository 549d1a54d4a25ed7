// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/bitstream/archive"
	"ply11/chess"
	"ply11/internal/querytest"
	"ply11/position"
	"ply11/query"
)

// positionSamples makes, for each term about positions, a value that a position meets, and its meaning; nil if there is
// none.
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
	"white-move": func(rng *rand.Rand, p *plainPos) (string, plain) { return randomMoveTest(p, chess.White) },
	"black-move": func(rng *rand.Rand, p *plainPos) (string, plain) { return randomMoveTest(p, chess.Black) },
	"moved": func(rng *rand.Rand, p *plainPos) (string, plain) {
		if !p.by.made {
			return "", nil
		}
		kind := p.by.piece.Kind()
		return string(kind.Letter()) + "K", func(p *plainPos) bool {
			return p.by.made && (p.by.piece.Kind() == kind || p.by.piece.Kind() == chess.King)
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
		color := p.by.piece.Color()
		return []string{"white", "black"}[color], func(p *plainPos) bool {
			return p.by.made && p.by.piece.Color() == color
		}
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

// randomMoveTest is the move that led to a position as a term, or nil.
func randomMoveTest(p *plainPos, color chess.Color) (string, plain) {
	m := p.by
	if !m.made || m.piece.Color() != color {
		return "", nil
	}
	promotion := m.move.Promotion()
	// Without check, the same SAN in another position may be another move's full text; the origin counts if it is
	// there.
	san := strings.TrimRight(m.san, "+#")
	return san, func(p *plainPos) bool {
		if m.castling && p.by.castling { // in Chess960 their squares differ
			return p.by.piece == m.piece && strings.TrimRight(p.by.san, "+#") == san
		}
		if !p.by.made || p.by.piece != m.piece || p.by.move.To() != m.move.To() || p.by.castling != m.castling ||
			promotion != 0 && p.by.move.Promotion() != promotion {
			return false
		}
		// What stands between the letter and the square: an origin, in part, and x.
		body := strings.TrimSuffix(strings.TrimLeft(san, "KQRBN"), "="+string(promotion.Letter()))
		body = strings.TrimSuffix(body, m.move.To().String())
		if strings.HasSuffix(body, "x") && p.by.captured == 0 || body == "" && m.piece.Kind() == chess.Pawn &&
			p.by.captured != 0 {
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

// gameSamplesOf does so for terms about whole games.
var gameSamplesOf = map[string]func(rng *rand.Rand, g *plainGame) (value string, test func(g *plainGame) bool){
	"player": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		part := partOf(rng, g.tag([]string{"White", "Black"}[rng.IntN(2)]))
		return part, unlessEmpty(part, func(g *plainGame) bool {
			return holds(g.tag("White"), part) ||
				holds(g.tag("Black"), part)
		})
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
	"speed": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		// The tag is "base+increment", or "-".
		speed := func(g *plainGame) string {
			var base, more int
			if g.tag("TimeControl") == "-" {
				return "correspondence"
			}
			if n, _ := fmt.Sscanf(g.tag("TimeControl"), "%d+%d", &base, &more); n < 2 {
				return ""
			}
			for i, most := range []int{30, 180, 480, 1500, 21600} {
				if base+40*more < most {
					return []string{"ultraBullet", "bullet", "blitz", "rapid", "classical"}[i]
				}
			}
			return "correspondence"
		}
		own := speed(g)
		if own == "" {
			return "", nil
		}
		return own, func(g *plainGame) bool { return speed(g) == own }
	},
	"repetition": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		return repetition(2 + rng.IntN(2))
	},
	"quiet-moves": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		return quietMoves(3 + rng.IntN(12))
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
			return !g.lost && g.main[0].at == ownStart && len(g.moves) >= len(moves) &&
				slices.Equal(g.moves[:len(moves)], moves)
		}
	},
	"games": func(rng *rand.Rand, g *plainGame) (string, func(g *plainGame) bool) {
		n, to := g.number, g.number+rng.IntN(5)
		return fmt.Sprintf("%d-%d, 1", n, to), func(g *plainGame) bool {
			return g.number >= n && g.number <= to ||
				g.number == 1
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

// ratingRange is a range of ratings that a game meets.
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

// branchingGames makes games with variations at any move and within each other, with many captures and promotions.
func branchingGames(rng *rand.Rand, n int) string {
	starts := []string{"", "", "4k3/PPPP2p1/8/8/8/8/pppp2P1/4K3 w - - 0 1",
		"r3k2r/pbpqnpbp/npppp1p1/8/8/NPPPP1P1/PBPQNPBP/R3K2R w KQkq - 0 1",
		"2b1k3/8/8/3p4/3Pp3/2N2n2/5P2/3QK3 b - - 0 1"}
	var b strings.Builder
	for i := range n {
		at := position.Start()
		fmt.Fprintf(&b, "[Event \"Game %d\"]\n[White \"%c\"]\n[Black \"%c\"]\n[Result \"*\"]\n", i, 'a'+rng.IntN(26),
			'a'+rng.IntN(8))
		fmt.Fprintf(&b, "[WhiteElo \"%d\"]\n[BlackElo \"%d\"]\n", 1500+rng.IntN(1000), 1500+rng.IntN(1000))
		if i%7 != 0 {
			control := []string{"-", "15+0", "120+1", "300+3", "600+0", "1800+20", "?"}[i%7]
			fmt.Fprintf(&b, "[TimeControl %q]\n", control)
		}
		fen := starts[rng.IntN(len(starts))]
		if fen != "" {
			at, _ = position.ParseFEN(fen)
			fmt.Fprintf(&b, "[SetUp \"1\"]\n[FEN \"%s\"]\n", fen)
		}
		b.WriteByte('\n')
		if fen == "" && i%2 == 0 {
			b.WriteString(strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 1+i%4)) // the start again
		}
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
			if at.PieceAt(m.To()) == chess.NoPiece && m.Promotion() == chess.NoKind {
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

// plainHits are all places of a game that meet a condition.
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

// termCase is a term with a value that a position or a game meets.
type termCase struct {
	value string
	test  plain                   // nil for a term of games
	game  func(g *plainGame) bool // nil for a term of positions
}

// randomCase makes a case of a term from a game, if it can.
func randomCase(rng *rand.Rand, term query.Term, g *plainGame) (c termCase, ok bool) {
	if !term.Position {
		c.value, c.game = gameSamplesOf[term.Name](rng, g)
		return c, c.game != nil
	}
	if g.lost {
		return c, false
	}
	p := &g.all[rng.IntN(len(g.all))]
	if term.Name == "ending" {
		p = &g.main[len(g.main)-1]
	}
	return p.termCase(rng, term)
}

func (p *plainPos) termCase(rng *rand.Rand, term query.Term) (c termCase, ok bool) {
	c.value, c.test = positionSamples[term.Name](rng, p)
	return c, c.test != nil
}

// answers are those of a term that means this, in all games.
func (c *termCase) answers(games []plainGame, variations bool) (list []answer) {
	for i := range games {
		a := answer{game: games[i].number}
		if c.game != nil && !c.game(&games[i]) {
			continue
		}
		if c.test != nil {
			if a.hits = plainHits(&games[i], c.test, variations); len(a.hits) == 0 {
				continue
			}
		}
		list = append(list, a)
	}
	return list
}

// TestEveryTerm compares each term, once, twice and as a list in JSON, with an evaluation of each position of each line
// of games with many variations.
func TestEveryTerm(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 1))
	text := []byte(ownGames + branchingGames(rng, 60))
	games, _ := plainGames(t, text, 1<<30)
	data := querytest.Pack(t, text, archive.WithBlockGames(16))
	for _, term := range query.Terms {
		if ofPosition := positionSamples[term.Name] != nil; term.Position != ofPosition ||
			ofPosition == (gameSamplesOf[term.Name] != nil) {
			t.Errorf("%s: there is no sample of it in the tables of this test", term.Name)
			continue
		}
		found, missed := 0, 0
		check := func(q *query.Query, terms any, want termCase, variations bool) int {
			t.Helper()
			q.Variations(variations)
			got, should := scan(t, q, data, query.Options{All: true}), want.answers(games, variations)
			if fmt.Sprint(got) != fmt.Sprint(should) {
				t.Fatalf("%s %q, variations %v:\n got %v\nwant %v", term.Name, terms, variations, got, should)
			}
			return len(got)
		}
		for try := range 60 {
			g := &games[rng.IntN(len(games))]
			one, ok := randomCase(rng, term, g)
			if !ok {
				continue
			}
			q := query.New()
			if err := q.Add(term.Name, one.value); err != nil {
				t.Fatalf("%s %q: %v", term.Name, one.value, err)
			}
			n := check(q, one.value, one, try%3 > 0)
			found, missed = found+n, missed+len(games)-n

			// A second one, that the same game or the same position meets if it can.
			two, ok := randomCase(rng, term, g)
			if !ok {
				continue
			}
			both := termCase{value: two.value}
			switch err := q.Add(term.Name, two.value); {
			case term.Once != "":
				var bad *query.Error
				if !errors.As(err, &bad) || err.Error() != term.Name+": it is given twice: "+term.Once {
					t.Errorf("%s: twice: %v", term.Name, err)
				}
			case err != nil:
				if !strings.HasPrefix(err.Error(), term.Name+": it cannot be met with what is given already: ") {
					t.Errorf("%s: twice: %v", term.Name, err)
				}
				both.test = func(*plainPos) bool { return false }
				if len(both.answers(games, true)) != 0 {
					t.Errorf("%s: %q and %q are refused", term.Name, one.value, two.value)
				}
			case term.Position:
				both.test = func(p *plainPos) bool { return one.test(p) && two.test(p) }
				check(q, []string{one.value, two.value}, both, try%3 > 0)
			default:
				both.game = func(g *plainGame) bool { return one.game(g) && two.game(g) }
				check(q, []string{one.value, two.value}, both, try%3 > 0)
			}
		}
		if found == 0 || missed == 0 {
			t.Errorf("%s: %d games are found, and %d are not: it tests too little", term.Name, found, missed)
		}
	}
	for _, table := range [][]string{slices.Collect(maps.Keys(positionSamples)),
		slices.Collect(maps.Keys(gameSamplesOf))} {
		for _, name := range table {
			if !slices.ContainsFunc(query.Terms, func(t query.Term) bool { return t.Name == name }) {
				t.Errorf("%s is no term", name)
			}
		}
	}
}

// TestAllMustBeMet: a game must meet position terms and each of several sequences, and each hit is right.
func TestAllMustBeMet(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 4))
	text := []byte(ownGames + branchingGames(rng, 50))
	games, _ := plainGames(t, text, 1<<30)
	data := querytest.Pack(t, text, archive.WithBlockGames(16))
	found, cut := 0, 0
	for range 400 {
		g := rng.IntN(len(games))
		var parts []sample
		terms := 0
		for len(parts) < 2+rng.IntN(2) {
			if rng.IntN(2) == 0 {
				g = rng.IntN(len(games)) // which may leave no game
			}
			s := randomSample(rng, games[g:g+1])
			if s.mirror, s.swap = false, false; s.terms[0][0] != "sequence" {
				if terms++; terms > 1 {
					continue
				}
				// As it is, and not turned.
				p := fromGames(rng, games[g:g+1])
				terms, test := randomCondition(rng, p, false)
				s = sample{name: "terms", terms: terms, steps: steps(test)}
			}
			parts = append(parts, s)
		}
		all := sample{name: "all", variations: rng.IntN(2) == 0}
		want := map[int]int{}
		least := len(games)
		for i := range parts {
			parts[i].variations = all.variations
			all.terms = append(all.terms, parts[i].terms...)
			list, _ := parts[i].brute(games)
			for _, n := range list {
				want[n]++
			}
			least = min(least, len(list))
		}
		got := scan(t, all.query(t), data, query.Options{})
		slices.SortStableFunc(parts, func(a, b sample) int { // the terms tell first
			sequence := func(s sample) int { return strings.Count(s.terms[0][0], "sequence") }
			return sequence(a) - sequence(b)
		})
		n := 0
		for _, count := range want {
			if count == len(parts) {
				n++
			}
		}
		if n != len(got) {
			t.Fatalf("%q, variations %v: %d games are found, not %d", all.terms, all.variations, len(got), n)
		}
		for _, a := range got {
			if want[a.game] != len(parts) || len(a.hits) != len(parts) {
				t.Fatalf("%q, variations %v: game %d with %v", all.terms, all.variations, a.game, a.hits)
			}
			for i, h := range a.hits {
				if !isPath(games[a.game-1].all, parts[i].steps, h) {
					t.Fatalf("%q: game %d: %v is no place of %q", all.terms, a.game, h, parts[i].terms)
				}
			}
		}
		found += len(got)
		if len(got) < least {
			cut++
		}
	}
	if found < 400 || cut < 40 {
		t.Errorf("%d games are found, and %d queries find fewer than their parts: it tests too little", found, cut)
	}
}

// TestRefusedTogether: what cannot be met, or is mistyped, is refused by a message.
func TestRefusedTogether(t *testing.T) {
	for _, test := range []struct{ first, second, want string }{
		{"white-move=e4", "black-move=e5", "black-move: it is given beside white-move: one move leads to a position"},
		{"pattern=Pe4", "pattern=pe4",
			"pattern: it cannot be met with what is given already: e4 cannot hold both P and p"},
		{"material=R1", "material=R2",
			"material: it cannot be met with what is given already: no number of R is in both ranges"},
		{"sequence=stm=white; stm=black", "", "sequence: stm: it is given twice: one side is to move"},
		{"sequence=moved=N; within=3; within=4", "", "sequence: within: it is given twice: one number can say it"},
		{"not=result=*; result=1-0", "", "not: result: it is given twice: a game has one result"},
		{
			"result=drwa", "",
			`result: "drwa" is no result: 1-0, 0-1, 1/2-1/2 or *; or white, black or draw; did you mean draw?`},
		{"stm=wihte", "", `stm: "wihte" is neither white nor black; did you mean white?`},
		{"ending=stalmate", "", `ending: "stalmate" is neither mate nor stalemate; did you mean stalemate?`},
		{"not=plaier=x", "", `not: plaier: there is no term "plaier"; did you mean player?`},
		{"sequence=patern=x", "", "sequence: patern: no such term about positions; did you mean pattern?"},
		{"games=0", "", `games: "0" is no game's number, and no range of numbers such as 3-5 or 3-`},
		{"games=1,,2", "", `games: "" is no game's number, and no range of numbers such as 3-5 or 3-`},
		{"games=7-3", "", `games: "7-3": the range ends before it begins`},
		{"rating=>x", "", `rating: "x" is no number from 0 to 1048576`},
		{"rating=<0", "", `rating: "<0": no number is less than 0`},
	} {
		q := query.New()
		var err error
		for _, text := range []string{test.first, test.second} {
			if name, value, ok := strings.Cut(text, "="); ok && err == nil {
				err = q.Add(name, value)
			}
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%s and %s: %v", test.first, test.second, err)
		}
	}
}

// TestWaysToSay: values have several forms.
func TestWaysToSay(t *testing.T) {
	data := querytest.Pack(t, []byte(ownGames), archive.WithBlockGames(2))
	for _, same := range [][]string{
		{"any-rating=2661-", "any-rating=>2660", "any-rating=>=2661", "any-rating=2661+"},
		{"any-rating=-1500", "any-rating=<1501", "any-rating=<=1500"},
		{"result=1/2-1/2", "result=draw", "result=Draw"}, {"result=1-0", "result=white"},
		{"result=0-1", "result=black"},
		{"fen=startpos", "fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"},
		{"games=2,3,5-7,10-", "games=10-, 5-6 ,2-3,7,3", "games=2-3,5-7,10-99999999999999999999"},
	} {
		want := ""
		for i, text := range same {
			name, value, _ := strings.Cut(text, "=")
			q := query.New()
			if err := q.Add(name, value); err != nil {
				t.Fatal(text, err)
			}
			got := fmt.Sprint(scan(t, q, data, query.Options{}))
			if i == 0 {
				want = got
			}
			if got != want || got == "[]" {
				t.Errorf("%s: %s, and %s: %s", text, got, same[0], want)
			}
		}
	}
}

// TestNumbersReadFewBlocks: numbers of games read their blocks alone.
func TestNumbersReadFewBlocks(t *testing.T) {
	data := querytest.Pack(t, bytes.Repeat([]byte(ownGames), 40), archive.WithBlockGames(10))
	for _, test := range []struct {
		games  string
		blocks int
	}{{"1-", 40}, {"3,17,100-120", 5}, {"401-", 0}, {"395", 1}} {
		q := query.New()
		if err := q.Add("games", test.games); err != nil {
			t.Fatal(err)
		}
		blocks := 0
		if _, err := query.Count(context.Background(), querytest.Sources(data), q,
			query.Options{Progress: func(int64) { blocks++ }}); err != nil || blocks != test.blocks {
			t.Errorf("%s: %d blocks are read, not %d: %v", test.games, blocks, test.blocks, err)
		}
	}
}

// TestBranches compares sequences and conditions in games with many variations. Each hit must be in one line from the
// start.
func TestBranches(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 2))
	text := []byte(branchingGames(rng, 50))
	games, _ := plainGames(t, text, 1<<30)
	data := querytest.Pack(t, text, archive.WithBlockGames(16))
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

// isPath reports whether a line of a game meets the steps after these plies.
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

// repetition is the term of a position that comes n times, by its FEN. The square of a pawn that may be taken en
// passant counts if a pawn takes it.
func repetition(n int) (string, func(g *plainGame) bool) {
	return fmt.Sprint(n), func(g *plainGame) bool {
		seen := map[string]int{}
		for i := range g.main {
			p := &g.main[i].at
			fields := strings.Fields(p.FEN())[:4]
			takes := slices.ContainsFunc(p.LegalMoves(nil), func(m chess.Move) bool {
				return p.PieceAt(m.From()).Kind() == chess.Pawn && m.To().String() == fields[3]
			})
			if !takes {
				fields[3] = "-"
			}
			key := strings.Join(fields, " ")
			if seen[key]++; seen[key] >= n {
				return true
			}
		}
		return false
	}
}

// quietMoves is the term of n moves of both sides without a capture or a pawn's move.
func quietMoves(n int) (string, func(g *plainGame) bool) {
	return fmt.Sprint(n), func(g *plainGame) bool {
		for i := range g.main {
			var clock int
			fmt.Sscan(strings.Fields(g.main[i].at.FEN())[4], &clock)
			if clock >= 2*n && len(g.moves) >= 2*n {
				return true
			}
		}
		return false
	}
}
