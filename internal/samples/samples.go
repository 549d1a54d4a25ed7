// SPDX-License-Identifier: Apache-2.0

// Package samples gives the project's own games, which are in testdata/samples, so that a clone tests every feature without the folder of
// real data. They are random legal games with the shapes that real files have: plain main lines, clocks and
// evaluations, variations with comments and NAGs, set-up positions, promotions.
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
	"ply11/testdata/samples"
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

// File returns the bytes of one of the Names, or nil for any other.
func File(name string) []byte {
	data, err := samples.Files.ReadFile(name)
	if err != nil {
		return nil
	}
	return data
}

// Many returns a text of n games, the same each time, of which the first are those of Plain: where a test needs more of them.
func Many(n int) []byte {
	m := maker{rand.New(rand.NewPCG(1968, 0))}
	var b bytes.Buffer
	// As many collections have it: "1.e4 e5" in lines of 79 characters.
	style := pgn.Export()
	style.NumberSpace, style.SplitNumber, style.Roster = false, false, false
	w := pgn.NewWriter(&b, style)
	for i := range n {
		w.Write(m.plain(i)) // a bytes.Buffer takes all
	}
	w.Close()
	return b.Bytes()
}

// maker makes games by its own random numbers.
type maker struct{ *rand.Rand }

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
	for range n {
		move, ok := m.choose(&p)
		if !ok {
			break
		}
		p.Make(move)
		b.Move(move)
	}
	if i == 7 && g.Len() < 256 {
		return m.plain(i)
	}
	return m.finish(g, &p)
}
