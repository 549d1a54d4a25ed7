// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream"
	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/query"
)

type count struct {
	Name  string `json:"name"`
	Games int    `json:"games"`
}

// maxNames bounds the memory of a tally.
const maxNames = 1 << 16

// maxTop is the most names that stats lists of each kind.
const maxTop = 10_000

// tally counts names in bounded memory (Misra and Gries, Finding repeated elements, 1982). Where there are more than
// maxNames, it takes the middle count off all, and drops those that have nothing left. Each count is too low by at most
// slack.
type tally struct {
	counts map[string]int
	slack  int
}

func (t *tally) add(name string) {
	if name == "" || name == "?" {
		return
	}
	if n, ok := t.counts[name]; ok {
		t.counts[name] = n + 1
		return
	}
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	if len(t.counts) >= maxNames {
		t.drop()
	}
	t.counts[strings.Clone(name)] = 1
}

func (t *tally) drop() {
	list := make([]int, 0, len(t.counts))
	for _, n := range t.counts {
		list = append(list, n)
	}
	slices.Sort(list)
	least := list[len(list)/2]
	t.slack += least
	for name, n := range t.counts {
		if n <= least {
			delete(t.counts, name)
		} else {
			t.counts[name] = n - least
		}
	}
}

func (t *tally) top(n int) []count {
	list := make([]count, 0, len(t.counts))
	for k, v := range t.counts {
		list = append(list, count{k, v})
	}
	slices.SortFunc(list, func(a, b count) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), n)]
}

// again returns a tally of the names that may be among the n most frequent, to be counted once more; nil if the tally
// is exact. Its slack is how often a name may have been met that is missing among the n.
func (t *tally) again(n int) *tally {
	if t.slack == 0 || n == 0 {
		return nil
	}
	least := 0
	if top := t.top(n); len(top) == n {
		least = top[n-1].Games
	}
	r := &tally{counts: map[string]int{}}
	if t.slack >= least {
		r.slack = t.slack
	}
	for name, have := range t.counts {
		if have+t.slack >= least {
			r.counts[name] = 0
		}
	}
	return r
}

// addKnown counts a name, if the tally has it.
func (t *tally) addKnown(name string) {
	if t == nil {
		return
	}
	if n, ok := t.counts[name]; ok {
		t.counts[name] = n + 1
	}
}

type statistics struct {
	Games      int            `json:"games"`
	Invalid    int            `json:"invalid"` // of them, those that are not valid
	Plies      int64          `json:"plies"`
	Longest    int            `json:"longest"`
	LongestAt  int            `json:"longest_game"`
	Results    map[string]int `json:"results"`
	Years      map[string]int `json:"decades"`
	Rated      int            `json:"rated_players"`
	MeanRating float64        `json:"mean_rating"`
	Players    []count        `json:"players"`
	Events     []count        `json:"events"`
	Openings   []count        `json:"eco"`
	FirstMoves []count        `json:"first_moves"`
	// TooLow is how often a missing name may have been met.
	TooLow int `json:"counts_too_low_by"`
}

type names struct{ players, events, openings, first tally }

func statsCommand() *cobra.Command {
	var asJSON bool
	var top int
	var player, event string
	var filter termFlags
	cmd := &cobra.Command{
		Use:   "stats archive.p11",
		Short: "Count results, lengths, players, events and openings",
		Long: `Count results, lengths, players, events and openings. The command reads the archive once. If there are more than 65,536
names of players or of events, it keeps the frequent ones, and reads the archive a second time to count these exactly.

` + pgnHelp + `

Games that are not valid count with their tags and their valid moves; --invalid skip leaves them out.

--player prints the score of a player, of all names that find finds by --player, and his performance: the mean rating of
the opponents who have one, and what the score against them is worth in FIDE's table. --event prints the table of an
event, the best player first. Both leave out games without a result.`,
		Example: `  ply11 stats games.p11
  ply11 stats --player carlsen games.p11
  ply11 stats --event "=FIDE Candidates" --date 2013 games.p11
  ply11 stats --top 50 --invalid skip games.p11`,
		Args: argCount(1, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if player != "" || event != "" {
			return tellScore(cmd.Context(), args[0], &filter, player, event, top, asJSON)
		}
		if filter.given() {
			return usage("conditions are for --player and --event; find -o writes an archive of games that meet them")
		}
		t, err := statisticsOf(args[0], filter.invalid, top)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(t)
		}
		t.print()
		return nil
	}
	number(cmd.Flags(), &top, "top", "", 10, 0, maxTop, "how many of each to list, at most 10000")
	filter.add(cmd, func(t query.Term) bool { return !t.Position && t.Name != "player" && t.Name != "games" })
	cmd.Flags().Var(namedValue{&player, "NAME"}, "player", "the score of this player, and against whom")
	cmd.Flags().Var(namedValue{&event, "NAME"}, "event", "the table of this event")
	exclude(cmd, "player", "event")
	common(cmd, nil, nil, &asJSON)
	return cmd
}

func statisticsOf(path string, invalid invalidFlag, top int) (*statistics, error) {
	sources, done, err := openSources([]string{path})
	if err != nil {
		return nil, err
	}
	defer done()
	t := &statistics{Results: map[string]int{}, Years: map[string]int{}}
	var n names
	err = eachOfSources(sources, "reading", false, invalid, func(number int, b *archive.Block, i int, g *game.Game,
		x archive.Exception) error {
		return t.add(&n, number, b, i, g, x.Invalid)
	})
	if err != nil {
		return nil, err
	}
	if t.Rated > 0 {
		t.MeanRating /= float64(t.Rated)
	}
	players, events, openings := n.players.again(top), n.events.again(top), n.openings.again(top)
	if players != nil || events != nil || openings != nil {
		err = eachOfSources(sources, "reading", false, invalid, func(_ int, _ *archive.Block, _ int, g *game.Game,
			_ archive.Exception) error {
			players.addKnown(g.Tag("White"))
			players.addKnown(g.Tag("Black"))
			events.addKnown(g.Tag("Event"))
			openings.addKnown(g.Tag("ECO"))
			return nil
		})
	}
	for _, l := range []struct {
		from, exact *tally
		to          *[]count
	}{{&n.players, players, &t.Players}, {&n.events, events, &t.Events}, {&n.openings, openings, &t.Openings},
		{&n.first, nil, &t.FirstMoves}} {
		if l.exact != nil {
			l.from = l.exact
		}
		*l.to = l.from.top(top)
		if l.exact != nil {
			t.TooLow = max(t.TooLow, l.exact.slack)
		}
	}
	return t, err
}

func (t *statistics) add(n *names, number int, b *archive.Block, i int, g *game.Game, bad bool) error {
	bit, plies, err := b.Address(i)
	if err != nil {
		return err
	}
	t.Games++
	if bad {
		t.Invalid++
	}
	t.Plies += int64(plies)
	if plies > t.Longest {
		t.Longest, t.LongestAt = plies, number
	}
	t.Results[g.Result.String()]++
	if d := strings.TrimSpace(g.Date()); len(d) >= 4 && strings.Trim(d[:3], "0123456789") == "" {
		t.Years[d[:3]+"0s"]++
	}
	for _, name := range []string{"WhiteElo", "BlackElo"} {
		if n, err := strconv.Atoi(g.Tag(name)); err == nil && n > 0 {
			t.MeanRating += float64(n)
			t.Rated++
		}
	}
	n.players.add(g.Tag("White"))
	n.players.add(g.Tag("Black"))
	n.events.add(g.Tag("Event"))
	n.openings.add(g.Tag("ECO"))
	moves, err := b.MoveColumn()
	if err != nil || plies == 0 {
		return err
	}
	w, _ := bitstream.At(moves, bit)
	if m, ok := w.Move(); ok {
		start, err := b.Start(i)
		if err != nil {
			return err
		}
		if start.IsLegal(m) {
			n.first.add(start.SAN(m))
		}
	}
	return nil
}

func (t *statistics) print() {
	games := max(t.Games, 1)
	fmt.Fprintf(&stdout, "%d games, %d plies, %.1f a game", t.Games, t.Plies, float64(t.Plies)/float64(games))
	if t.Longest > 0 {
		fmt.Fprintf(&stdout, "; the longest is game %d with %d", t.LongestAt, t.Longest)
	}
	fmt.Fprintln(&stdout)
	if t.Invalid > 0 {
		fmt.Fprintf(&stdout, "%d games are not valid: they count by their tags, and with as many moves as are valid\n",
			t.Invalid)
	}
	for _, r := range []string{"1-0", "1/2-1/2", "0-1", "*"} {
		fmt.Fprintf(&stdout, "  %-8s %8d  %5.1f %%\n", r, t.Results[r], 100*float64(t.Results[r])/float64(games))
	}
	if t.Rated > 0 {
		fmt.Fprintf(&stdout, "mean rating %.0f, of %d\n", t.MeanRating, t.Rated)
	}
	decades := make([]string, 0, len(t.Years))
	for d := range t.Years {
		decades = append(decades, d)
	}
	slices.Sort(decades)
	for _, d := range decades {
		fmt.Fprintf(&stdout, "  %-8s %8d\n", d, t.Years[d])
	}
	if t.TooLow > 0 {
		fmt.Fprintf(&stdout, "there are very many names: one that was met up to %d times may be missing below\n",
			t.TooLow)
	}
	for _, l := range []struct {
		name string
		list []count
	}{{"players", t.Players}, {"events", t.Events}, {"openings", t.Openings}, {"first moves", t.FirstMoves}} {
		fmt.Fprintf(&stdout, "%s:\n", l.name)
		for _, c := range l.list {
			fmt.Fprintf(&stdout, "  %8d  %s\n", c.Games, printable(c.Name))
		}
	}
}
