// SPDX-License-Identifier: Apache-2.0

// Package gamegen makes games to measure with, where there are not enough real ones. Their moves are drawn from the
// model of package dense: its decoder gives likely moves of random bytes, and openings that repeat. Players, dates and
// ratings are made up.
//
//	gen := gamegen.New(1)
//	gen.Next(g)
//
// The same seed gives the same games. No measurement should call them real.
package gamegen

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ply11/bitstream/dense"
	"ply11/chess"
	"ply11/game"
	"ply11/game/pgn"
	"ply11/moveindex"
	"ply11/position"
)

// Sizes of what is made.
const (
	blockGames = 1000      // the most games that share what the model learns
	blockBytes = 128 << 10 // random bytes for them: four times as many as they take
	leastPlies = 8
	mostPlies  = 400
	firstYear  = 1970
	lastYear   = 2024
	players    = 20000
)

// Generator makes games.
type Generator struct {
	// Clocks gives each move the time that its player has left, as servers write it, and each game the tag TimeControl.
	// The games are the same with it.
	Clocks bool

	seed    uint64
	games   uint64 // so far
	block   uint64 // blocks so far
	left    int    // games until the next
	rng     *rand.Rand
	decoder dense.Decoder
	bytes   []byte
	words   []moveindex.Index
	build   game.Builder
}

// New returns a Generator, of about 3 MiB.
func New(seed uint64) *Generator {
	return &Generator{seed: seed, bytes: make([]byte, blockBytes)}
}

// begin begins a block of games, which depend on the seed and the block's number.
func (t *Generator) begin() {
	t.rng = rand.New(rand.NewPCG(t.seed, t.block))
	t.block, t.left = t.block+1, blockGames
	for i := range t.bytes {
		t.bytes[i] = byte(t.rng.Uint32())
	}
	t.decoder.Reset(t.bytes)
}

// Next makes the next game, in about 20 µs.
func (t *Generator) Next(g *game.Game) {
	if t.left == 0 {
		t.begin()
	}
	t.left--
	t.games++
	g.Reset()
	// Like master games: about 70 plies in the mean.
	want := int(math.Exp(4.22 + 0.5*t.rng.NormFloat64()))
	want = min(max(want, leastPlies), mostPlies)
	at := position.Start()
	var err error
	t.words, err = t.decoder.Game(t.words[:0], &at, want)
	t.build.Reset(g)
	var c *clocks
	if t.Clocks {
		c = newClocks(t.seed, t.games)
	}
	for _, w := range t.words {
		m, ok := w.Move()
		if !ok || !at.HasLegalMove() {
			break // the null move, which the model has, is no move of these games
		}
		at.Make(m)
		t.build.Move(m)
		if c != nil {
			t.build.Comment(c.next())
		}
	}
	if err != nil && at.HasLegalMove() {
		// Random bytes may fall into a gap that no encoder uses: the decoder gives no more.
		t.left = 0
	}
	t.tags(g, &at)
	if c != nil {
		g.AddTag("TimeControl", c.control())
	}
}

// Text returns a text of n games, those of one seed.
func Text(n int) (text []byte) {
	style := pgn.Export()
	t := New(1968)
	var g game.Game
	for range n {
		t.Next(&g)
		text = pgn.AppendGame(text, &g, &style)
	}
	return text
}

func (t *Generator) tags(g *game.Game, last *position.Position) {
	white, black := t.player(), t.player()
	for black == white {
		black = t.player()
	}
	g.Result = t.result(last, rating(white)-rating(black))
	year := lastYear - int(float64(lastYear-firstYear+1)*math.Pow(t.rng.Float64(), 2))
	city := t.rng.IntN(len(cities))
	g.AddTag("Event", fmt.Sprintf("%s %s", cities[city], events[t.rng.IntN(len(events))]))
	g.AddTag("Site", cities[city])
	g.AddTag("Date", fmt.Sprintf("%d.%02d.%02d", year, 1+t.rng.IntN(12), 1+t.rng.IntN(28)))
	g.AddTag("Round", fmt.Sprint(1+t.rng.IntN(11)))
	g.AddTag("White", name(white))
	g.AddTag("Black", name(black))
	g.AddTag("Result", g.Result.String())
	g.AddTag("BlackElo", fmt.Sprint(rating(black)+t.rng.IntN(61)-30))
	g.AddTag("WhiteElo", fmt.Sprint(rating(white)+t.rng.IntN(61)-30))
}

// player picks a player: a few play often.
func (t *Generator) player() int {
	return int(float64(players) * math.Pow(t.rng.Float64(), 3))
}

// result makes the result of a game: that of the board, if it is over, or one that pieces and ratings make likely.
func (t *Generator) result(p *position.Position, difference int) game.Result {
	switch {
	case p.IsCheckmate() && p.Turn() == chess.Black:
		return game.WhiteWins
	case p.IsCheckmate():
		return game.BlackWins
	case p.IsStalemate(), p.IsInsufficientMaterial():
		return game.Draw
	}
	worth := [8]int{chess.Queen: 9, chess.Rook: 5, chess.Bishop: 3, chess.Knight: 3, chess.Pawn: 1}
	score := float64(difference)/300 + 0.15
	for kind := chess.Queen; kind <= chess.Pawn; kind++ {
		score += float64(worth[kind] * (p.Pieces(chess.White, kind).Count() - p.Pieces(chess.Black, kind).Count()))
	}
	switch score += 1.2 * t.rng.NormFloat64(); {
	case score > 1.6:
		return game.WhiteWins
	case score < -1.6:
		return game.BlackWins
	}
	return game.Draw
}

// mix makes a number that looks random of a player and a use. A player is the same in all games.
func mix(player, use int) uint64 {
	x := uint64(player)*0x9e3779b97f4a7c15 + uint64(use)*0xbf58476d1ce4e5b9
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// rating returns a player's rating: 2300 in the mean, most within 300 of it.
func rating(player int) int {
	sum := 0
	for use := range 4 {
		sum += int(mix(player, 10+use) % 300)
	}
	return 1700 + sum
}

func name(player int) string {
	part := func(list []string, use int) string { return list[mix(player, use)%uint64(len(list))] }
	return part(starts, 1) + part(middles, 2) + part(ends, 3) + ", " + part(given, 4)
}

var (
	starts = []string{"Ar", "Bel", "Cor", "Dal", "Er", "Fen", "Gar", "Hol", "Is", "Jan", "Kar", "Lor", "Mar", "Nor",
		"Ol", "Per", "Rad", "Sol", "Tor", "Ul", "Var", "Wen", "Yar", "Zel"}
	middles = []string{"a", "ba", "de", "e", "ga", "i", "ka", "le", "mi", "no", "o", "ra", "se", "ti", "u", "vi"}
	ends    = []string{"berg", "chev", "dal", "ez", "fsen", "gren", "hart", "ic", "kov", "lund", "man", "nov", "ra",
		"ski", "son", "tti", "vić", "wicz"}
	given = []string{"Ada", "Bruno", "Clara", "Dario", "Elena", "Felix", "Greta", "Hugo", "Irina", "Jonas", "Klara",
		"Luis", "Marta", "Nils", "Olga", "Pavel", "Rosa", "Sven", "Tamar", "Viktor"}
	cities = []string{"Amsterdam", "Baku", "Bled", "Budapest", "Buenos Aires", "Cairo", "Chennai", "Dortmund",
		"Hastings", "Havana", "Linares", "London", "Madrid", "Moscow", "New York", "Oslo", "Paris", "Prague",
		"Reykjavik", "Riga", "St. Louis", "Tbilisi", "Vienna", "Zurich"}
	events = []string{"Open", "Masters", "Team", "Championship", "Rapid", "Memorial", "League", "Cup"}
)
