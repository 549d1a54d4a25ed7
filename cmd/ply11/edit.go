// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/query"
)

func editCommand() *cobra.Command {
	var e editing
	var quiet, asJSON, discard bool
	cmd := &cobra.Command{
		Use:   "edit [flags] games.p11",
		Short: "Take games out of an archive, or change their tags, where it is",
		Long: `Take games out of an archive, change their tags, or put other games in their places. Only the blocks of
these games are written again, at the archive's end. An interrupted command leaves the archive as it was. While
another command changes the archive, this one refuses.

--delete takes out the games of --games. Deleting a game renumbers all later games. --set and --unset change all tags
except FEN, SetUp and Variant, which belong to the moves. --replace puts the one game of a PGN file
in the place of one game.

--changes reads many changes from a file. A line has a game's number, a tag's name and its value, with tabs between
them. Without a value, the tag goes away. Without a name, the game is taken out. All numbers are those from before the
command.

The old blocks stay in the file, and can still be read, until you run ply11 compact. If they are more than a third of
the file, edit compacts it itself. Until then the archive cannot be read from a pipe. Make an index of positions
(.p11x) again after this.`,
		Example: `  ply11 edit --games 3,17,100-120 --delete games.p11
  ply11 edit --games 5 --set "White=Carlsen, Magnus" --unset Annotator games.p11
  ply11 edit --games 5 --replace better.pgn games.p11
  ply11 edit --changes changes.tsv games.p11`,
		Args: argCount(1, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := e.check(); err != nil {
			return err
		}
		path := args[0]
		old, r, _, err := openToChange(path, discard)
		if err != nil {
			return err
		}
		defer old.Close()
		changes, err := e.list(r.Len())
		if err != nil {
			return err
		}
		return editInPlace(cmd.Context(), old, r, path, changes, quiet, asJSON)
	}
	f := cmd.Flags()
	f.StringVar(&e.games, "games", "", "the numbers of the games, such as 3,17,100-200")
	f.BoolVar(&e.delete, "delete", false, "take the games out")
	f.StringArrayVar(&e.set, "set", nil, "give the games a tag, NAME=VALUE; can be given again")
	f.StringArrayVar(&e.unset, "unset", nil, "take the tag of a NAME away; can be given again")
	f.StringVar(&e.replace, "replace", "", "a PGN file with the game that takes the place of the one game")
	f.StringVar(&e.changes, "changes", "", "a file of changes: number, tag and value, with tabs between them")
	discardFlag(cmd, &discard)
	common(cmd, nil, &quiet, &asJSON)
	return cmd
}

type editing struct {
	games, replace, changes string
	delete                  bool
	set, unset              []string
}

func (e *editing) check() error {
	one := e.delete || e.replace != "" || len(e.set)+len(e.unset) > 0
	switch {
	case e.changes != "" && (one || e.games != ""):
		return usage("--changes has the numbers and the changes: leave out the other flags")
	case e.changes != "":
		return nil
	case e.games == "":
		return usage("--games says which games are changed, or --changes has them")
	case !one:
		return usage("say what becomes of the games: --delete, --set, --unset or --replace")
	case e.delete && (e.replace != "" || len(e.set)+len(e.unset) > 0):
		return usage("--delete takes the games out, so that nothing else can be changed of them")
	}
	return nil
}

// list makes the changes of an archive of so many games.
func (e *editing) list(games int) (list []archive.Change, err error) {
	if e.changes != "" {
		return readChanges(e.changes)
	}
	c := archive.Change{Delete: e.delete, Unset: e.unset}
	names := slices.Clone(e.unset)
	for _, s := range e.set {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, usage("--set %q: it is NAME=VALUE", s)
		}
		if slices.Contains(names, name) {
			return nil, usage("the tag %s is given twice: a game has one value of it", name)
		}
		names = append(names, name)
		c.Set = append(c.Set, game.Tag{Name: name, Value: value})
	}
	spans, err := query.ParseGames(e.games)
	if err != nil {
		return nil, usage("--games: %w; --changes reads any number of games from a file", err)
	}
	for _, span := range spans {
		if span[1] == math.MaxInt && span[0] <= games {
			span[1] = games
		}
		if span[1] > games {
			return nil, fmt.Errorf("--games: %w: %d of %d", archive.ErrNoGame, span[1], games)
		}
		for n := span[0]; n <= span[1]; n++ {
			if len(list) > 0 && n <= list[len(list)-1].Game {
				continue
			}
			c.Game = n
			list = append(list, c)
		}
	}
	if e.replace == "" {
		return list, nil
	}
	if len(list) != 1 {
		return nil, usage("--replace puts one game in the place of one, not of %d", len(list))
	}
	in, err := openSource(e.replace)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if list[0].Text, err = io.ReadAll(io.LimitReader(in, maxPacked+1)); err != nil {
		return nil, inFile(e.replace, err)
	}
	if len(list[0].Text) > maxPacked {
		return nil, fmt.Errorf("%s: it is too long for one game", e.replace)
	}
	return list, nil
}

func readChanges(path string) (list []archive.Change, err error) {
	in, err := openSource(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	type tag struct {
		game int
		name string
	}
	// of tags, and of games, and the games that are taken out
	lines, last, out := map[tag]int{}, map[int]int{}, map[int]bool{}
	s := bufio.NewScanner(in)
	for line := 1; s.Scan(); line++ {
		fail := func(format string, args ...any) error {
			return usage("%s: line %d: %w", path, line, fmt.Errorf(format, args...))
		}
		fields := strings.SplitN(s.Text(), "\t", 3)
		if fields[0] == "" && len(fields) == 1 {
			continue
		}
		n, bad := strconv.ParseUint(fields[0], 10, strconv.IntSize-1)
		if bad != nil || n == 0 {
			return nil, fail("%q is no game's number", fields[0])
		}
		c := archive.Change{Game: int(n), Delete: len(fields) == 1}
		if other := last[c.Game]; other > 0 && (c.Delete || out[c.Game]) {
			return nil, fail("game %d is in line %d, too, and one of them takes it out", n, other)
		}
		last[c.Game], out[c.Game] = line, c.Delete
		if !c.Delete {
			t := tag{c.Game, fields[1]}
			if other := lines[t]; other > 0 {
				return nil, fail("the tag %s of game %d is in line %d, too: a game has one value of it", t.name, n,
					other)
			}
			lines[t] = line
			if c.Unset = fields[1:]; len(fields) == 3 {
				c.Unset, c.Set = nil, []game.Tag{{Name: fields[1], Value: fields[2]}}
			}
		}
		list = append(list, c)
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return nil, usage("%s: a line is too long", path)
	}
	return list, inFile(path, s.Err())
}

// editInPlace changes a locked archive, and reports the result.
func editInPlace(ctx context.Context, old *os.File, r *archive.Reader, path string, changes []archive.Change, quiet,
	asJSON bool) error {
	size := r.Stats().Bytes
	bar := newProgress("changing", -1, quiet || asJSON)
	// it was asked for, or nothing is there
	stats, err := archive.Edit(ctx, old, size, changes, archive.WithProgress(bar.tell), archive.WithDiscard(true))
	bar.finish()
	if err != nil {
		return inFile(path, err)
	}
	// the games are changed all the same
	if small, err := compactDead(ctx, old, stats.Bytes, stats.Bytes/3, path, 0, quiet || asJSON); err != nil {
		say("%s: the games are changed; their old blocks are still there: %v", path, err)
	} else if small.Blocks > 0 {
		stats = small
	}
	gone := r.Len() - stats.Games
	games := map[int]bool{}
	for _, c := range changes {
		games[c.Game] = true
	}
	changed := len(games) - gone
	if asJSON {
		return writeJSON(struct {
			Path string `json:"path"`
			archive.Stats
			Changed int   `json:"changed"`
			Removed int   `json:"removed"`
			Added   int64 `json:"added_bytes"`
		}{path, stats, changed, gone, stats.Bytes - size})
	}
	if quiet {
		return nil
	}
	more := ", as before"
	switch n := stats.Bytes - size; {
	case n > 0:
		more = fmt.Sprintf(", %d more than before; ply11 compact makes it smaller", n)
	case n < 0:
		more = fmt.Sprintf(", %d fewer than before", -n)
	}
	say("%s: %d games changed and %d taken out; %d games in %d bytes%s", path, changed, gone, stats.Games, stats.Bytes,
		more)
	if _, err := os.Stat(indexOf(path)); err == nil && len(changes) > 0 {
		say("%s is of the old games: ply11 index --force %s makes it again", indexOf(path), path)
	}
	return nil
}
