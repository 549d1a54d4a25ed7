// SPDX-License-Identifier: Apache-2.0

// Package samples makes the project's own games, so that a clone tests every feature without the folder of
// real data. They are random legal games with the shapes that real files have: plain main lines, clocks and
// evaluations, variations with comments and NAGs, set-up positions, promotions. The same program makes the same bytes.
//
// The files are in testdata/samples. After a change: go test ./internal/samples -update
package samples

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/position"
)

// The names of the files.
const (
	Plain      = "plain.pgn"      // 120 main lines without annotations, lines of at most 79 characters
	Clocks     = "clocks.pgn"     // 24 games on one line each, with %clk and %eval, and some variations
	Annotated  = "annotated.pgn"  // 24 games with nested variations, comments, NAGs, null moves
	Setup      = "set-up.pgn"     // 60 games from positions of all kinds, with Black to move in half
	Promotions = "promotions.pgn" // 40 games with many promotions, to each kind of man
)

// Names lists the files.
var Names = []string{Plain, Clocks, Annotated, Setup, Promotions}

// Like returns the name of the file with games like those of a file of real data: it goes by the file's name.
func Like(name string) string {
	for _, c := range []struct{ part, sample string }{
		{"promotion", Promotions}, {"studies", Setup}, {"mate_in", Setup}, {"lichess", Clocks}, {"master", Plain}, {"over250", Plain},
	} {
		if strings.Contains(name, c.part) {
			return c.sample
		}
	}
	return Annotated
}

// maker makes games by its own random numbers.
type maker struct{ *rand.Rand }

// File returns the bytes of one of the Names, or nil for any other.
func File(name string) []byte {
	for k, c := range []struct {
		name  string
		games int
		style pgn.Style
		make  func(m maker, i int) *game.Game
	}{
		{Plain, 120, plainStyle(), maker.plain},
		{Clocks, 24, pgn.Line(), maker.clocks},
		{Annotated, 24, pgn.Export(), maker.annotated},
		{Setup, 60, pgn.Export(), maker.setup},
		{Promotions, 40, plainStyle(), maker.promotions},
	} {
		if c.name != name {
			continue
		}
		return text(uint64(k), c.games, c.style, c.make)
	}
	return nil
}

// Many returns a text of n games, of which the first are those of Plain: where a test needs more of them.
func Many(n int) []byte { return text(0, n, plainStyle(), maker.plain) }

// text is n games in a style, by the random numbers of a seed.
func text(seed uint64, n int, style pgn.Style, one func(m maker, i int) *game.Game) []byte {
	m := maker{rand.New(rand.NewPCG(1968, seed))}
	var b bytes.Buffer
	w := pgn.NewWriter(&b, style)
	for i := range n {
		w.Write(one(m, i)) // a bytes.Buffer takes all
	}
	w.Close()
	return b.Bytes()
}

// plainStyle is that of many collections: "1.e4 e5" in lines of 79 characters.
func plainStyle() pgn.Style {
	s := pgn.Export()
	s.NumberSpace, s.SplitNumber, s.Roster = false, false, false
	return s
}

var (
	names  = []string{"Ashdown", "Bellamy", "Castellan", "Dúvida", "Ebersol", "Fianchetti", "Grünfeldt", "Hartmoor"}
	events = []string{"Spring Cup", "Harbour Open", "?", "Club Match"}
)

// tags begins a game with the seven tags of the roster.
func (m maker) tags(i int) *game.Game {
	g := game.New()
	white := m.IntN(len(names))
	black := (white + 1 + m.IntN(len(names)-1)) % len(names)
	g.SetTag("Event", events[m.IntN(len(events))])
	g.SetTag("Site", "Sampleton")
	g.SetTag("Date", fmt.Sprintf("%d.%02d.??", 1950+m.IntN(70), 1+m.IntN(12)))
	g.SetTag("Round", fmt.Sprint(1+i%9))
	g.SetTag("White", names[white])
	g.SetTag("Black", names[black])
	g.SetTag("Result", "*")
	return g
}

// choose picks a legal move. It likes captures, checks, castlings, pawns and en passant, so that games have some of each.
func (m maker) choose(p *position.Position) (chess.Move, bool) {
	moves := p.LegalMoves(nil)
	if len(moves) == 0 {
		return 0, false
	}
	best, most := moves[0], -1
	for range 4 {
		move := moves[m.IntN(len(moves))]
		weight := m.IntN(4)
		if p.PieceAt(move.To()) != 0 {
			weight += 4
		}
		files := int(move.To().File()) - int(move.From().File())
		switch p.PieceAt(move.From()).Kind() {
		case chess.Pawn:
			weight += 2
			if files != 0 && p.PieceAt(move.To()) == 0 { // en passant
				weight += 8
			}
		case chess.King:
			if files*files == 4 { // castling
				weight += 8
			}
		}
		after := *p
		if after.Make(move); after.InCheck() {
			weight += 3
		}
		if weight > most {
			best, most = move, weight
		}
	}
	return best, true
}

// play adds up to n plies to a game, and each before what annotate adds to it.
func (m maker) play(g *game.Game, b *game.Builder, p *position.Position, n int, annotate func(before *position.Position, ply int)) {
	for ply := range n {
		move, ok := m.choose(p)
		if !ok {
			return
		}
		before := *p
		p.Make(move)
		b.Move(move)
		if annotate != nil {
			annotate(&before, ply)
		}
	}
}

// finish gives a game its result: that of the board, or else a random one.
func (m maker) finish(g *game.Game, p *position.Position) *game.Game {
	results := []game.Result{game.WhiteWins, game.BlackWins, game.Draw, game.Unknown}
	g.Result = results[m.IntN(len(results))]
	switch {
	case p.IsCheckmate() && p.Turn() == chess.White:
		g.Result = game.BlackWins
	case p.IsCheckmate():
		g.Result = game.WhiteWins
	case p.IsStalemate() || p.IsInsufficientMaterial():
		g.Result = game.Draw
	}
	g.SetTag("Result", g.Result.String())
	return g
}

func (m maker) plain(i int) *game.Game {
	g := m.tags(i)
	g.AddTag("ECO", fmt.Sprintf("%c%02d", 'A'+m.IntN(5), m.IntN(100)))
	var b game.Builder
	b.Reset(g)
	p := g.Start
	n := 20 + m.IntN(100)
	if i == 7 {
		n = 600 // one game is longer than any byte counts
	}
	m.play(g, &b, &p, n, nil)
	if i == 7 && g.Len() < 256 {
		return m.plain(i)
	}
	return m.finish(g, &p)
}

func (m maker) clocks(i int) *game.Game {
	g := m.tags(i)
	g.AddTag("WhiteElo", fmt.Sprint(1400+m.IntN(1400)))
	g.AddTag("BlackElo", fmt.Sprint(1400+m.IntN(1400)))
	g.AddTag("TimeControl", "180+2")
	var b game.Builder
	b.Reset(g)
	p := g.Start
	left := [2]int{180, 180}
	eval := 20
	m.play(g, &b, &p, 30+m.IntN(60), func(before *position.Position, ply int) {
		side := before.Turn()
		left[side] = max(left[side]+2-m.IntN(9), 0)
		clock := fmt.Sprintf("[%%clk 0:%02d:%02d]", left[side]/60, left[side]%60)
		if i%3 == 0 {
			b.Comment(clock)
			return
		}
		eval += m.IntN(81) - 40
		text := fmt.Sprintf("[%%eval %d.%02d] %s", eval/100, max(eval, -eval)%100, clock)
		if eval < 0 && eval > -100 {
			text = fmt.Sprintf("[%%eval -0.%02d] %s", -eval, clock)
		}
		if m.IntN(30) == 0 {
			text = fmt.Sprintf("[%%eval #%d] %s", m.IntN(9)-4, clock)
		}
		b.Comment(text)
		if m.IntN(12) == 0 {
			b.NAG(uint8(1 + m.IntN(6)))
			m.variation(g, &b, *before, 2)
		}
	})
	return m.finish(g, &p)
}

// variation adds a variation that begins in a position, with others in it.
func (m maker) variation(g *game.Game, b *game.Builder, p position.Position, depth int) {
	if b.StartVariation() != nil {
		return
	}
	if m.IntN(4) == 0 {
		b.Comment("instead")
	}
	m.play(g, b, &p, 1+m.IntN(5), func(before *position.Position, ply int) {
		if m.IntN(3) == 0 {
			b.NAG(uint8(m.IntN(140)))
		}
		if depth > 0 && m.IntN(4) == 0 {
			m.variation(g, b, *before, depth-1)
		}
	})
	b.EndVariation()
}

func (m maker) annotated(i int) *game.Game {
	g := m.tags(i)
	g.AddTag("Annotator", "nobody; a \"program\" \\ made it")
	var b game.Builder
	b.Reset(g)
	p := g.Start
	if i%2 == 0 {
		b.Comment("This game was made at random, and so was what is said of it.")
	}
	m.play(g, &b, &p, 30+m.IntN(40), func(before *position.Position, ply int) {
		switch m.IntN(6) {
		case 0:
			b.NAG(uint8(1 + m.IntN(20)))
		case 1:
			b.Comment("♔ goes on: “naïve”, says somebody; " + names[m.IntN(len(names))] + " would not.")
		case 2:
			m.variation(g, &b, *before, 3)
			if m.IntN(3) == 0 {
				m.variation(g, &b, *before, 0)
			}
		case 3:
			if m.IntN(3) == 0 {
				b.NAG(uint8(m.IntN(256)))
				b.NAG(uint8(m.IntN(256)))
				b.Comment("[%csl Ge4,Rd5][%cal Ge2e4] two squares and an arrow")
			}
		}
		if i%4 == 3 && ply == 20 && !p.InCheck() {
			b.Move(chess.NullMove)
			p.MakeNull()
		}
	})
	return m.finish(g, &p)
}

func (m maker) setup(i int) *game.Game {
	// A position of a random game, after an even or an odd number of plies.
	p := position.Start()
	for range 10 + i*2 + m.IntN(2) {
		move, ok := m.choose(&p)
		if !ok {
			break
		}
		p.Make(move)
	}
	if !p.HasLegalMove() {
		return m.setup(i)
	}
	g := m.tags(i)
	g.SetStart(p)
	var b game.Builder
	b.Reset(g)
	if i%4 == 0 {
		b.Comment("from a diagram")
	}
	m.play(g, &b, &p, 1+m.IntN(30), func(before *position.Position, ply int) {
		if m.IntN(10) == 0 {
			m.variation(g, &b, *before, 0)
		}
	})
	return m.finish(g, &p)
}

// promotions plays games in which pawns go on to their last rank, and become each kind of man.
func (m maker) promotions(i int) *game.Game {
	for {
		g := m.tags(i)
		var b game.Builder
		b.Reset(g)
		p := g.Start
		count := 0
		for range 240 {
			moves := p.LegalMoves(nil)
			if len(moves) == 0 {
				break
			}
			best, most := moves[0], -1
			for _, move := range moves {
				weight := m.IntN(6)
				if p.PieceAt(move.From()).Kind() == chess.Pawn {
					weight += 4
				}
				if move.Promotion() != chess.NoKind {
					weight = 20 + m.IntN(4)
				}
				if weight > most {
					best, most = move, weight
				}
			}
			if best.Promotion() != chess.NoKind {
				count++
			}
			p.Make(best)
			b.Move(best)
			if count == 1+i%4 && m.IntN(8) == 0 {
				break
			}
		}
		// More than four men of a kind cannot be numbered, nor written in every byte code.
		if count >= 1+i%4 && men(&p) {
			return m.finish(g, &p)
		}
	}
}

// men reports whether no side has more than four queens, rooks, bishops or knights.
func men(p *position.Position) bool {
	for _, c := range []chess.Color{chess.White, chess.Black} {
		for _, k := range chess.PromotionKinds {
			if p.Pieces(c, k).Count() > 4 {
				return false
			}
		}
	}
	return true
}
