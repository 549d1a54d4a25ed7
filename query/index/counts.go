// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"slices"

	"ply11/chess"
	"ply11/game"
)

// Branch counts the games in which a move was played.
type Branch struct {
	Move  chess.Move // chess.NullMove for the null move
	Games int
	// White, Draws and Black are games with these results; others have none.
	White, Draws, Black int
	// WhiteRating and BlackRating are sums over games with the rating.
	WhiteRating, BlackRating Ratings
	// FirstYear and LastYear are those of the dates; 0 without one.
	FirstYear, LastYear int
	// Best are the games of the highest mean rating, at most MaxBest; those without both ratings come last, and of
	// equal games the first is first.
	Best []Best
}

// MaxBest is the most games that a Branch names.
const MaxBest = 8

// Ratings is a sum of ratings, which are numbers from 1 to 9,999.
type Ratings struct {
	Sum   int64
	Games int
}

// Mean returns the mean, or 0.
func (r Ratings) Mean() float64 {
	if r.Games == 0 {
		return 0
	}
	return float64(r.Sum) / float64(r.Games)
}

// Best is a game of high ratings.
type Best struct {
	Source int // archive, from 0
	Number int // from 1
	Sum    int // of both ratings; 0 without one
}

// Add counts a game.
func (b *Branch) Add(source, number int, f Facts) {
	b.Games++
	switch f.Result() {
	case game.WhiteWins:
		b.White++
	case game.Draw:
		b.Draws++
	case game.BlackWins:
		b.Black++
	}
	white, black := f.meanRating(chess.White), f.meanRating(chess.Black)
	b.WhiteRating.add(white)
	b.BlackRating.add(black)
	if year := f.year(); year > 0 {
		if b.FirstYear == 0 || year < b.FirstYear {
			b.FirstYear = year
		}
		b.LastYear = max(b.LastYear, year)
	}
	sum := 0
	if white > 0 && black > 0 {
		sum = white + black
	}
	b.best(Best{source, number, sum})
}

func (r *Ratings) add(rating int) {
	if rating > 0 {
		r.Sum += int64(rating)
		r.Games++
	}
}

func (b *Branch) best(g Best) {
	if n := len(b.Best); n == MaxBest {
		if compareBest(g, b.Best[n-1]) > 0 {
			return
		}
		b.Best = b.Best[:n-1]
	}
	i, _ := slices.BinarySearchFunc(b.Best, g, compareBest)
	b.Best = slices.Insert(b.Best, i, g)
}

func compareBest(a, b Best) int {
	if a.Sum != b.Sum { // as a rule
		return cmp.Compare(b.Sum, a.Sum)
	}
	return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Number, b.Number))
}

// Merge adds the counts of another branch, of games of a source (-1: of those that it names) after the first ones.
func (b *Branch) Merge(o *Branch, source, first int) {
	b.Games += o.Games
	b.White += o.White
	b.Draws += o.Draws
	b.Black += o.Black
	b.WhiteRating.Sum += o.WhiteRating.Sum
	b.WhiteRating.Games += o.WhiteRating.Games
	b.BlackRating.Sum += o.BlackRating.Sum
	b.BlackRating.Games += o.BlackRating.Games
	if o.FirstYear > 0 && (b.FirstYear == 0 || o.FirstYear < b.FirstYear) {
		b.FirstYear = o.FirstYear
	}
	b.LastYear = max(b.LastYear, o.LastYear)
	for _, g := range o.Best {
		if source >= 0 {
			g.Source = source
		}
		g.Number += first
		b.best(g)
	}
}
