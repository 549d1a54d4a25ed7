// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/internal/samegame"
	"ply11/query"
)

func dedupeCommand() *cobra.Command {
	var output string
	var inPlace, report, asJSON, players, moves, contained, dense, force, quiet bool
	var invalid invalidFlag
	cmd := &cobra.Command{
		Use:   "dedupe [flags] -o new.p11 archive.p11 ...",
		Short: "Write an archive without repeated games, or report them",
		Long: `Find games that have the same start, the same main line, and players whose names are alike: one
surname and one initial, as in "Réti, Richard", "RETI, R." and "Richard Reti". With --players the names must be the
same, with --moves they are not compared. Games that are not valid are equal if their whole text is equal. Games
without moves are not compared, but counted.

With --contained, a game is also one too many if its main line is the beginning of another's, with the same start and
players and dates that do not contradict. The longest of these games stays.

--output writes an archive with the first of the games that are equal, and all others, in their order, with their
texts. --in-place takes the games out of the one archive itself, as ply11 edit does. --report lists the groups of
equal games, a group a line, and marks those that are not valid. Games of several archives are counted through all of
them.

` + pgnHelp + `

The command takes about 30 bytes of memory for each game, with --contained 150. It compares games by 128 bits of SHA-256.`,
		Example: `  ply11 dedupe -o once.p11 games.p11 more.p11
  ply11 dedupe --in-place games.p11
  ply11 dedupe --contained -o once.p11 games.p11
  ply11 dedupe --report --players games.p11`,
		Args: argCount(1, -1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case !report && output == "" && !inPlace:
			return usage(
				"dedupe writes an archive, --output, changes the archive, --in-place, or lists the games, --report")
		case inPlace && (output != "" || asJSON):
			return usage("--in-place changes the archive: leave out --output and --json")
		case inPlace && len(args) != 1:
			return usage("--in-place changes one archive, not %d", len(args))
		case dense && output == "":
			return usage("--dense is for --output")
		case output == "-" && (report || asJSON):
			return usage("--output - and the report are both written to the standard output")
		}
		var sources []query.Source
		var old *os.File
		var r *archive.Reader
		if inPlace {
			var size int64
			var err error
			if old, r, size, err = openToChange(args[0], false); err != nil {
				return err
			}
			defer old.Close()
			sources = []query.Source{{Name: args[0], Reader: old, Size: size}}
		} else {
			var done func()
			var err error
			if sources, done, err = openSources(args); err != nil {
				return err
			}
			defer done()
		}
		var out *target
		if output != "" {
			var err error
			if out, err = createArchive(output, force, args...); err != nil {
				return err
			}
			defer out.abandon()
		}
		d := deduper{key: samegame.Key{Players: players, Names: !players && !moves}}
		c := container{key: d.key, seed: maphash.MakeSeed()}
		add := d.add
		if contained {
			add = func(number int, b *archive.Block, i int, g *game.Game, x archive.Exception) error {
				return cmp.Or(d.add(number, b, i, g, x), c.add(number, b, i, g, x))
			}
		}
		if err := eachOfSources(sources, "comparing", quiet, invalid, add); err != nil {
			return err
		}
		groups, extra := d.groups()
		if contained {
			c.sort()
			if err := eachOfSources(sources, "comparing", quiet, invalid, c.find); err != nil {
				return err
			}
			groups, extra = c.groups(groups)
		}
		if out != nil {
			if err := d.write(cmd.Context(), out, sources, groups, dense, quiet, invalid); err != nil {
				return err
			}
		}
		if inPlace {
			if err := editInPlace(cmd.Context(), old, r, args[0], extraOf(groups), quiet, false); err != nil {
				return err
			}
		}
		if asJSON {
			return writeJSON(struct {
				Games        int     `json:"games"`
				Extra        int     `json:"extra"`
				Groups       [][]int `json:"groups"`
				Invalid      []int   `json:"invalid"` // the games of groups that are not valid
				WithoutMoves int     `json:"without_moves"`
			}{d.games, extra, groups, append([]int{}, d.invalid...), d.empty})
		}
		if report {
			for _, same := range groups {
				mark := ""
				if _, bad := slices.BinarySearch(d.invalid, same[0]); bad {
					mark = "  not valid"
				}
				fmt.Fprintf(&stdout, "%s%s\n", strings.Trim(fmt.Sprint(same), "[]"), mark)
			}
		}
		if quiet {
			return nil
		}
		say("%d of %d games are there already, in %d groups", extra, d.games, len(groups))
		if d.empty > 0 {
			say("%d games without moves were not compared", d.empty)
		}
		return nil
	}
	f := cmd.Flags()
	f.StringVarP(&output, "output", "o", "", "write an archive without the repeated games")
	f.BoolVar(&inPlace, "in-place", false, "delete the repeated games in the archive itself")
	f.BoolVar(&report, "report", false, "list equal games by number, a group a line")
	f.BoolVar(&players, "players", false, "compare the whole names of the players")
	f.BoolVar(&moves, "moves", false, "do not compare the players")
	f.BoolVar(&contained, "contained", false, "take a game out, too, that is the beginning of another")
	f.BoolVar(&dense, "dense", false, "with --output: store moves in about three bits")
	exclude(cmd, "players", "moves")
	invalid.add(cmd)
	common(cmd, &force, &quiet, &asJSON)
	return cmd
}

// gameFunc gets a game: its number through all archives, its block and number there, its tags and result, and how it
// departs from the columns.
type gameFunc func(number int, b *archive.Block, i int, g *game.Game, x archive.Exception) error

// eachOfSources calls do with each wanted game of archives.
func eachOfSources(sources []query.Source, what string, quiet bool, invalid invalidFlag, do gameFunc) error {
	bar := newProgress(what, sizeOf(sources), quiet)
	defer bar.finish()
	var g game.Game
	done, stats := int64(0), archive.Stats{}
	for _, s := range sources {
		r, err := archive.NewReader(s.Reader, s.Size)
		if err != nil {
			return inFile(s.Name, err)
		}
		for n := 1; n <= r.Blocks(); n++ {
			place, err := r.Place(n)
			if err == nil {
				err = eachOfBlock(r, n, stats.Games, &g, invalid, do)
			}
			if err != nil {
				return inFile(s.Name, err)
			}
			stats.Games += place.Games
			bar.set(done+place.Offset+place.Size, stats)
		}
		done += s.Size
	}
	return nil
}

func eachOfBlock(r *archive.Reader, n int, before int, g *game.Game, invalid invalidFlag, do gameFunc) error {
	b, err := r.Block(n)
	if err != nil {
		return err
	}
	return eachWanted(b, g, invalid, func(i int, x archive.Exception) error { return do(before+i, b, i, g, x) })
}

// extraOf returns the changes that take out all games of each group but the first.
func extraOf(groups [][]int) (list []archive.Change) {
	for _, same := range groups {
		for _, n := range same[1:] {
			list = append(list, archive.Change{Game: n, Delete: true})
		}
	}
	return list
}

// write writes an archive of the games without those that are there already.
func (d *deduper) write(ctx context.Context, out *target, sources []query.Source, groups [][]int, dense, quiet bool,
	invalid invalidFlag) error {
	var extra []int
	for _, same := range groups {
		extra = append(extra, same[1:]...)
	}
	slices.Sort(extra)
	selection := archive.NewSelection(out, archive.WithDense(dense))
	if err := eachOfSources(sources, "writing", quiet, invalid, func(number int, b *archive.Block, i int, _ *game.Game,
		_ archive.Exception) error {
		if len(extra) > 0 && extra[0] == number {
			extra = extra[1:]
			return nil
		}
		return selection.Copy(b, i)
	}); err != nil {
		return err
	}
	return out.endSelection(ctx, selection)
}

// deduper remembers games by a hash of what is compared.
type deduper struct {
	games   int                 // all that were seen
	empty   int                 // without moves
	buckets [256][]archivedGame // by the first byte of the hash
	invalid []int               // those of groups that are not valid, in order
	bad     map[int]struct{}    // all that are not valid
	key     samegame.Key
}

type archivedGame struct {
	hash [16]byte
	game int
}

func (d *deduper) add(number int, b *archive.Block, i int, g *game.Game, x archive.Exception) error {
	d.games++
	if x.Invalid {
		if d.bad == nil {
			d.bad = map[int]struct{}{}
		}
		d.bad[number] = struct{}{}
	}
	sum, ok, err := d.key.Of(b, i, g, x)
	if err != nil {
		return err
	}
	if !ok {
		d.empty++
		return nil
	}
	list := &d.buckets[sum[0]]
	*list = append(*list, archivedGame{sum, number})
	if d.games == 1<<18 {
		// The list is memory in use: under a lower limit the collector would run all the time.
		debug.SetMemoryLimit(math.MaxInt64)
	}
	return nil
}

// groups returns the numbers of equal games, group by group, and how many are too many.
func (d *deduper) groups() (groups [][]int, extra int) {
	groups = [][]int{}
	for _, list := range d.buckets {
		slices.SortFunc(list, func(a, b archivedGame) int {
			return cmp.Or(bytes.Compare(a.hash[:], b.hash[:]), cmp.Compare(a.game, b.game))
		})
		for len(list) > 0 {
			n := 1
			for n < len(list) && list[n].hash == list[0].hash {
				n++
			}
			if n > 1 {
				same := make([]int, n)
				for i, e := range list[:n] {
					same[i] = e.game
					if _, bad := d.bad[e.game]; bad {
						d.invalid = append(d.invalid, e.game)
					}
				}
				groups = append(groups, same)
				extra += n - 1
			}
			list = list[n:]
		}
	}
	slices.SortFunc(groups, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	slices.Sort(d.invalid)
	return groups, extra
}
