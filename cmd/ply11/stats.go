// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game"
)

// count is a name and how often it was met.
type count struct {
	Name  string `json:"name"`
	Games int    `json:"games"`
}

// maxNames bounds the memory of stats: when so many names are known, those that were met once are dropped.
const maxNames = 1 << 17

type tally map[string]int

func (t tally) add(name string) {
	if name == "" || name == "?" {
		return
	}
	if _, ok := t[name]; !ok && len(t) >= maxNames {
		for k, n := range t {
			if n == 1 {
				delete(t, k)
			}
		}
		if len(t) >= maxNames {
			return
		}
	}
	t[strings.Clone(name)]++
}

func (t tally) top(n int) []count {
	list := make([]count, 0, len(t))
	for k, v := range t {
		list = append(list, count{k, v})
	}
	slices.SortFunc(list, func(a, b count) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), n)]
}

func statsCommand() *cobra.Command {
	var asJSON bool
	var top int
	cmd := &cobra.Command{
		Use:     "stats archive.p11",
		Short:   "Count results, lengths, players, events and openings",
		Example: `  ply11 stats games.p11`,
		Args:    argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := openSource(args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			var t struct {
				Games      int            `json:"games"`
				Plies      int            `json:"plies"`
				Longest    int            `json:"longest"`
				LongestAt  uint64         `json:"longest_game"`
				Results    map[string]int `json:"results"`
				Years      map[string]int `json:"decades"`
				Rated      int            `json:"rated_players"`
				MeanRating float64        `json:"mean_rating"`
				Players    []count        `json:"players"`
				Events     []count        `json:"events"`
				Openings   []count        `json:"eco"`
				FirstMoves []count        `json:"first_moves"`
			}
			t.Results, t.Years = map[string]int{}, map[string]int{}
			players, events, openings, first := tally{}, tally{}, tally{}, tally{}
			err = eachBlock(in, args[0], func(b *archive.Block) error {
				var g game.Game
				for i := 1; i <= b.Games(); i++ {
					if err := b.Tags(i, &g); err != nil {
						return err
					}
					bit, plies, err := b.Address(i)
					if err != nil {
						return err
					}
					t.Games++
					t.Plies += plies
					if plies > t.Longest {
						t.Longest, t.LongestAt = plies, b.First()+uint64(i-1)
					}
					t.Results[g.Result.String()]++
					if d := g.Tag("Date"); len(d) >= 4 && d[0] != '?' && d[2] != '?' {
						t.Years[d[:3]+"0s"]++
					}
					for _, name := range []string{"WhiteElo", "BlackElo"} {
						if n, err := strconv.Atoi(g.Tag(name)); err == nil && n > 0 {
							t.MeanRating += float64(n)
							t.Rated++
						}
					}
					players.add(g.Tag("White"))
					players.add(g.Tag("Black"))
					events.add(g.Tag("Event"))
					openings.add(g.Tag("ECO"))
					if moves, err := b.MoveColumn(); err == nil && plies > 0 {
						if m, ok := wordAt(moves, bit); ok {
							if start, err := b.Start(i); err == nil && start.IsLegal(m) {
								first.add(start.SAN(m))
							}
						}
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
			if t.Rated > 0 {
				t.MeanRating /= float64(t.Rated)
			}
			t.Players, t.Events, t.Openings, t.FirstMoves = players.top(top), events.top(top), openings.top(top), first.top(top)
			if asJSON {
				return writeJSON(t)
			}
			games := max(t.Games, 1)
			fmt.Fprintf(&stdout, "%d games, %d plies, %.1f a game", t.Games, t.Plies, float64(t.Plies)/float64(games))
			if t.Longest > 0 {
				fmt.Fprintf(&stdout, "; the longest is game %d with %d", t.LongestAt, t.Longest)
			}
			fmt.Fprintln(&stdout)
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
				fmt.Fprintf(&stdout, "  %-8s %8d\n", printable(d), t.Years[d])
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
			return nil
		},
	}
	cmd.Flags().IntVar(&top, "top", 10, "how many of each to list")
	common(cmd, nil, nil, &asJSON)
	return cmd
}
