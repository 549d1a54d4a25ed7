// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ply11/game"
	"ply11/query"
)

// score is what came of games, as one side sees them.
type score struct {
	Games       int     `json:"games"`
	Wins        int     `json:"wins"`
	Draws       int     `json:"draws"`
	Losses      int     `json:"losses"`
	Points      float64 `json:"points"`
	Rated       int     `json:"rated"`                   // games against an opponent who has a rating
	Opponents   int     `json:"mean_opponent,omitempty"` // the mean of these ratings
	Performance int     `json:"performance,omitempty"`   // against those, as FIDE computes it

	sum int     // of ratings of opponents
	won float64 // points against these
}

// add adds a game with so many points of its 1, against an opponent of this rating, 0 if it is not known.
func (s *score) add(points float64, opponent int) {
	s.Games++
	s.Points += points
	switch points {
	case 1:
		s.Wins++
	case 0:
		s.Losses++
	default:
		s.Draws++
	}
	if opponent > 0 {
		s.Rated++
		s.sum += opponent
		s.won += points
	}
}

// lessExpected is by how much a rating is below another's, for scores of 50, 51 … 100 % (FIDE Handbook B.02, 8.1.1).
var lessExpected = [51]int{0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
	166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444,
	470, 501, 538, 589, 677, 800}

// end computes the performance: the mean rating of the opponents, and what the score in per cent is worth.
func (s *score) end() {
	if s.Rated == 0 {
		return
	}
	mean := float64(s.sum) / float64(s.Rated)
	percent := int(math.Round(100 * s.won / float64(s.Rated)))
	s.Opponents = int(math.Round(mean))
	if percent >= 50 {
		s.Performance = s.Opponents + lessExpected[percent-50]
	} else {
		s.Performance = s.Opponents - lessExpected[50-percent]
	}
}

// against returns the mean opponent and the performance as they are printed.
func (s *score) against() (mean, performance string) {
	if s.Rated == 0 {
		return "-", "-"
	}
	return strconv.Itoa(s.Opponents), strconv.Itoa(s.Performance)
}

// row prints the score behind a name.
func (s *score) row(width int, name string) {
	mean, performance := s.against()
	fmt.Fprintf(&stdout, "%-*s %6d %6d %6d %6d %8s %6.1f%% %6d %9s %11s\n", width, printable(name), s.Games,
		s.Wins, s.Draws, s.Losses, points(s.Points), 100*s.Points/float64(max(s.Games, 1)), s.Rated, mean, performance)
}

func scoreHead(width int, name string) {
	fmt.Fprintf(&stdout, "%-*s %6s %6s %6s %6s %8s %7s %6s %9s %11s\n", width, name, "games", "wins", "draws", "losses",
		"points", "score", "rated", "opponents", "performance")
}

func points(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// played is a game as its score needs it.
type played struct {
	white, black             string
	whiteRating, blackRating int
	result                   game.Result
}

func playedOf(m *query.Match) (p played, err error) {
	g, err := m.Tags()
	if err != nil {
		return p, err
	}
	rating := func(name string) int {
		n, ok := game.RatingOf(g.Tag(name))
		if !ok || n < 0 || n >= 1<<14 {
			return 0
		}
		return n
	}
	return played{strings.Clone(g.Tag("White")), strings.Clone(g.Tag("Black")), rating("WhiteElo"), rating("BlackElo"),
		g.Result}, nil
}

// whitePoints returns White's points; ok is false if the game has no result.
func (p *played) whitePoints() (x float64, ok bool) {
	switch p.result {
	case game.WhiteWins:
		return 1, true
	case game.Draw:
		return 0.5, true
	}
	return 0, p.result == game.BlackWins
}

// eachPlayed calls do with the games that meet a condition, and those of a filter, and have a result.
func eachPlayed(ctx context.Context, sources []query.Source, filter *termFlags, name, value string,
	do func(p *played, white float64)) error {
	q, err := filter.query()
	only := query.New() // also of what meets an "or"
	err = cmp.Or(err, addTerms(only, name, []string{value}))
	if err == nil && len(filter.or) == 0 {
		err = addTerms(q, name, []string{value})
	}
	if err != nil {
		return err
	}
	of := func(m *query.Match) (p played, err error) {
		if ok, err := only.Holds(m); !ok {
			return p, err
		}
		return playedOf(m)
	}
	for p, err := range query.Games(ctx, sources, q, query.Options{Workers: filter.workers}, of) {
		if err != nil {
			return err
		}
		if x, ok := p.whitePoints(); ok {
			do(&p, x)
		}
	}
	return nil
}

// playerScore is what a player, of all names that match, has scored.
type playerScore struct {
	Player    string       `json:"player"`
	All       score        `json:"all"`
	White     score        `json:"white"`
	Black     score        `json:"black"`
	Opponents []namedScore `json:"opponents"` // the most frequent, with his score against them
}

type namedScore struct {
	Name string `json:"name"`
	score
}

func scoreOfPlayer(ctx context.Context, sources []query.Source, filter *termFlags, name string, top int) (
	*playerScore, error) {
	p := &playerScore{Player: name}
	against := map[string]*score{}
	add := func(side *score, opponent string, rating int, x float64) {
		if against[opponent] == nil {
			against[opponent] = new(score)
		}
		for _, s := range []*score{side, &p.All, against[opponent]} {
			s.add(x, rating)
		}
	}
	if err := cmp.Or(eachPlayed(ctx, sources, filter, "white", name, func(g *played, x float64) {
		add(&p.White, g.black, g.blackRating, x)
	}), eachPlayed(ctx, sources, filter, "black", name, func(g *played, x float64) {
		add(&p.Black, g.white, g.whiteRating, 1-x)
	})); err != nil {
		return nil, err
	}
	for _, s := range []*score{&p.All, &p.White, &p.Black} {
		s.end()
	}
	p.Opponents = named(against, func(a, b *namedScore) int { return cmp.Compare(b.Games, a.Games) })
	p.Opponents = p.Opponents[:min(top, len(p.Opponents))]
	return p, nil
}

// named returns scores in an order, and by name where that is equal.
func named(of map[string]*score, order func(a, b *namedScore) int) []namedScore {
	list := []namedScore{}
	for name, s := range of {
		s.end()
		list = append(list, namedScore{name, *s})
	}
	slices.SortFunc(list, func(a, b namedScore) int { return cmp.Or(order(&a, &b), cmp.Compare(a.Name, b.Name)) })
	return list
}

func (p *playerScore) print() {
	width := len("opponents")
	for _, o := range p.Opponents {
		width = max(width, len([]rune(o.Name)))
	}
	scoreHead(width, "")
	p.All.row(width, "all")
	p.White.row(width, "as White")
	p.Black.row(width, "as Black")
	fmt.Fprintln(&stdout)
	for _, o := range p.Opponents {
		o.row(width, o.Name)
	}
}

// eventScore is the table of an event, the best player first.
type eventScore struct {
	Event   string       `json:"event"`
	Games   int          `json:"games"`
	Players []namedScore `json:"players"`
	// Cross has, for each player, his points against each, a number a game: null if they did not play.
	Cross [][][]float64 `json:"cross,omitempty"`
}

// maxCross is how many players a crosstable has at most.
const maxCross = 64

func scoreOfEvent(ctx context.Context, sources []query.Source, filter *termFlags, name string) (*eventScore, error) {
	e := &eventScore{Event: name}
	of := map[string]*score{}
	type pair struct{ a, b string }
	cross := map[pair][]float64{}
	add := func(name, opponent string, rating int, x float64) {
		if of[name] == nil {
			of[name] = new(score)
		}
		of[name].add(x, rating)
		cross[pair{name, opponent}] = append(cross[pair{name, opponent}], x)
	}
	if err := eachPlayed(ctx, sources, filter, "tag", "Event="+name, func(g *played, x float64) {
		e.Games++
		add(g.white, g.black, g.blackRating, x)
		add(g.black, g.white, g.whiteRating, 1-x)
	}); err != nil {
		return nil, err
	}
	e.Players = named(of, func(a, b *namedScore) int { return cmp.Compare(b.Points, a.Points) })
	if len(e.Players) <= maxCross {
		for _, a := range e.Players {
			row := make([][]float64, len(e.Players))
			for i, b := range e.Players {
				row[i] = cross[pair{a.Name, b.Name}]
			}
			e.Cross = append(e.Cross, row)
		}
	}
	return e, nil
}

func (e *eventScore) print() {
	fmt.Fprintf(&stdout, "%d games with a result, %d players\n", e.Games, len(e.Players))
	width, cell := 1, 1
	for i, p := range e.Players {
		width = max(width, len([]rune(p.Name)))
		for k := range e.Cross {
			cell = max(cell, len(e.Cross[i][k]), len(strconv.Itoa(k+1)))
		}
	}
	fmt.Fprintf(&stdout, "%3s  %-*s", "", width, "")
	for i := range e.Cross {
		fmt.Fprintf(&stdout, " %-*d", cell, i+1)
	}
	fmt.Fprintf(&stdout, " %8s %6s %6s %9s %11s\n", "points", "games", "rated", "opponents", "performance")
	for i, p := range e.Players {
		fmt.Fprintf(&stdout, "%3d  %-*s", i+1, width, printable(p.Name))
		if e.Cross != nil {
			for k, games := range e.Cross[i] {
				text := ""
				for _, x := range games {
					text += map[float64]string{0: "0", 0.5: "½", 1: "1"}[x]
				}
				if text == "" && i == k {
					text = "*"
				}
				fmt.Fprintf(&stdout, " %-*s", cell, text)
			}
		}
		mean, performance := p.against()
		fmt.Fprintf(&stdout, " %8s %6d %6d %9s %11s\n", points(p.Points), p.Games, p.Rated, mean, performance)
	}
}

// tellScore prints the score of a player or the table of an event.
func tellScore(ctx context.Context, path string, filter *termFlags, player, event string, top int,
	asJSON bool) error {
	sources, done, err := openSources([]string{path})
	if err != nil {
		return err
	}
	defer done()
	var t interface{ print() }
	games := 0
	if player != "" {
		p, err := scoreOfPlayer(ctx, sources, filter, player, top)
		if err != nil {
			return err
		}
		t, games = p, p.All.Games
	} else {
		e, err := scoreOfEvent(ctx, sources, filter, event)
		if err != nil {
			return err
		}
		t, games = e, e.Games
	}
	if games == 0 {
		return &exitCode{err: errors.New("no game found"), code: exitMissing}
	}
	if asJSON {
		return writeJSON(t)
	}
	t.print()
	return nil
}
