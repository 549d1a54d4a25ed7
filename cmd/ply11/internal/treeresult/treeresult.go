// SPDX-License-Identifier: Apache-2.0

// Package treeresult is what the commands tell of an opening tree, as JSON.
package treeresult

import (
	"math"

	"ply11/chess"
	"ply11/position"
	"ply11/position/openings"
	"ply11/query"
	"ply11/query/index"
)

// Result is what was played in a position.
type Result struct {
	FEN     string            `json:"fen"`
	Opening *openings.Opening `json:"opening,omitempty"` // of the position, if it has one
	Counts
	Moves []Move `json:"moves"`
	// MinGames and MaxPly are what a pruned index has; 0 without one.
	MinGames int `json:"min_games,omitempty"`
	MaxPly   int `json:"max_ply,omitempty"`
}

// Move is a move of the position.
type Move struct {
	SAN     string            `json:"san"`
	UCI     string            `json:"uci"`
	Opening *openings.Opening `json:"opening,omitempty"`
	Counts
	Best []Best `json:"best"`
}

type Counts struct {
	Games       int     `json:"games"`
	White       int     `json:"white"`
	Draws       int     `json:"draws"`
	Black       int     `json:"black"`
	WhiteRating float64 `json:"white_rating,omitempty"` // the mean
	BlackRating float64 `json:"black_rating,omitempty"`
	FirstYear   int     `json:"first_year,omitempty"`
	LastYear    int     `json:"last_year,omitempty"`
}

// Best is a game of high ratings.
type Best struct {
	File   string  `json:"file"`
	Game   int     `json:"game"`
	Rating float64 `json:"rating,omitempty"` // the mean of both
}

func newCounts(b *index.Branch) Counts {
	tenth := func(r index.Ratings) float64 { return math.Round(10*r.Mean()) / 10 }
	return Counts{b.Games, b.White, b.Draws, b.Black, tenth(b.WhiteRating), tenth(b.BlackRating), b.FirstYear,
		b.LastYear}
}

// New makes the result; of each move it names so many best games. name gives the name of an archive by its number.
func New(t *query.Tree, at *position.Position, name func(source int) string, best int) *Result {
	r := &Result{FEN: at.FEN(), Opening: opening(at), Counts: newCounts(&t.All),
		Moves: make([]Move, 0, len(t.Branches))}
	for i := range t.Branches {
		b := &t.Branches[i]
		n := min(best, len(b.Best))
		m := Move{SAN: at.SAN(b.Move), UCI: b.Move.String(), Counts: newCounts(b), Best: make([]Best, 0, n)}
		if b.Move == chess.NullMove {
			m.UCI = "0000"
		} else {
			after := *at
			after.Make(b.Move)
			m.Opening = opening(&after)
		}
		for _, g := range b.Best[:n] {
			m.Best = append(m.Best, Best{name(g.Source), g.Number, float64(g.Sum) / 2})
		}
		r.Moves = append(r.Moves, m)
	}
	return r
}

func opening(p *position.Position) *openings.Opening {
	if o, ok := openings.Of(p); ok {
		return &o
	}
	return nil
}
