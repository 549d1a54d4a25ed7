// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/query"
	"ply11/query/rewrite"
)

func editCommand() *cobra.Command {
	var e editing
	var quiet, asJSON, discard bool
	cmd := &cobra.Command{
		Use:   "edit [flags] games.p11",
		Short: "Take games out of an archive, or change them, where it is",
		Long: `Take games out of an archive, change them, or put other games in their places. Only the blocks of
these games are written again, at the archive's end; of many games, the whole archive. An interrupted command leaves
the archive as it was. While another command changes the archive, this one refuses.

The games are those that find finds by the same conditions; --games names them by number. --delete takes them out.
Deleting a game renumbers all later games. --set and --unset change all tags except FEN, SetUp and Variant, which belong
to the moves. --replace puts the one game of a PGN file in the place of one game. --set-eco, --rename and --strip
change all games if there is no condition.

--changes reads many changes from a file. A line has a game's number, a tag's name and its value, with tabs between
them. Without a value, the tag goes away. Without a name, the game is taken out. Or it is what find --json prints: then
White, Black, Result, Date, ECO and Event become what the line has, or, with --delete, --set or --unset, the lines say
only which games are changed. All numbers are those from before the command.

--undo makes the archive what it was before the last edit or append, as long as that is in the file: not after compact,
or an edit of many games, which says so.

The old blocks stay in the file, and can still be read, until you run ply11 compact. If they are more than a third of
the file, edit compacts it itself. Until then the archive cannot be read from a pipe. Make an index of positions
(.p11x) again after this.`,
		Example: `  ply11 edit --games 3,17,100-120 --delete games.p11
  ply11 edit --white "=Carlsen, M" --set "White=Carlsen, Magnus" games.p11
  ply11 edit --games 5 --replace better.pgn games.p11
  ply11 edit --rename names.tsv --set-eco games.p11
  ply11 edit --changes changes.tsv games.p11
  ply11 edit --undo games.p11
  ply11 find --tag Event=blitz --json games.p11 | ply11 edit --changes - --delete games.p11`,
		Args: argCount(1, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		q, err := e.filter.query(cmd)
		if err != nil {
			return err
		}
		cmd.Flags().Visit(func(f *pflag.Flag) {
			e.chosen = e.chosen || slices.Contains(f.Annotations["group"], groupGames) ||
				slices.Contains(f.Annotations["group"], groupPositions)
		})
		if err := e.check(); err != nil {
			return err
		}
		path := args[0]
		old, r, size, err := openToChange(path, discard)
		if err != nil {
			return err
		}
		defer old.Close()
		if e.undo {
			return undo(old, size, path, quiet, asJSON)
		}
		src := query.Source{Name: path, Reader: old, Size: size}
		numbers, list, err := e.list(cmd.Context(), q, src, r)
		if err != nil {
			return err
		}
		if list == nil && len(numbers) > 0 {
			if e.whole(len(numbers), r) {
				return e.rewriteInPlace(cmd.Context(), src, r, numbers, quiet, asJSON)
			}
			if list, err = e.changesOf(r, numbers); err != nil {
				return inFile(path, err)
			}
		}
		return editInPlace(cmd.Context(), old, r, path, list, quiet, asJSON)
	}
	f := cmd.Flags()
	e.filter.add(cmd)
	f.BoolVar(&e.delete, "delete", false, "take the games out")
	e.changes.addChanges(cmd)
	f.StringVar(&e.replace, "replace", "", "a PGN file with the game that takes the place of the one game")
	f.StringVar(&e.file, "changes", "", "a file of changes, or of games as find --json prints them")
	f.BoolVar(&e.undo, "undo", false, "take the last edit or append back")
	inGroup(cmd, groupChanges, "delete", "replace", "changes", "undo")
	discardFlag(cmd, &discard)
	common(cmd, nil, &quiet, &asJSON)
	return cmd
}

type editing struct {
	filter        filterFlags
	chosen        bool // by conditions
	changes       rewriteFlags
	replace, file string
	delete, undo  bool
}

func (e *editing) check() error {
	all := e.changes.eco || e.changes.strip != "" || e.changes.names != ""
	one := e.delete || e.replace != "" || e.changes.changes()
	switch {
	case e.undo && (one || e.chosen || e.file != ""):
		return usage("--undo goes alone")
	case e.undo:
		return nil
	case e.file != "" && (e.replace != "" || e.chosen):
		return usage("--changes has the numbers and the changes: leave out the other flags")
	case e.file != "":
	case !e.chosen && !all:
		return usage("--games or another condition says which games are changed, or --changes has them")
	case !one:
		return usage("say what becomes of the games: --delete, --set, --unset, --set-eco, --rename, --strip or " +
			"--replace")
	}
	if e.delete && (e.replace != "" || e.changes.changes()) {
		return usage("--delete takes the games out, so that nothing else can be changed of them")
	}
	if len(*e.filter.values["player"]) > 0 {
		for _, s := range e.changes.set {
			if strings.HasPrefix(s, "White=") || strings.HasPrefix(s, "Black=") {
				return usage("--player finds a name of either side, and --set %q would overwrite the other's in some "+
					"games: give --white or --black, or --rename for both", s)
			}
		}
	}
	if e.replace != "" && e.changes.changes() {
		return usage("--replace gives the game: change it in its file")
	}
	return e.changes.load()
}

// list gives the numbers of the games that are changed, or the changes themselves.
func (e *editing) list(ctx context.Context, q *query.Query, s query.Source, r *archive.Reader) (numbers []int,
	list []archive.Change, err error) {
	if e.file != "" {
		list, isJSON, err := readChanges(e.file, s.Name)
		if err == nil && isJSON && (e.delete || e.changes.changes()) {
			for _, c := range list {
				if err := checkGame(c.Game, r.Len()); err != nil {
					return nil, nil, inFile(e.file, err)
				}
				numbers = append(numbers, c.Game)
			}
			slices.Sort(numbers)
			return slices.Compact(numbers), nil, nil
		}
		if err == nil && !isJSON && (e.delete || e.changes.changes()) {
			err = usage("--changes has the changes: leave out the other flags")
		}
		if err == nil && isJSON {
			list, err = unlike(r, list)
		}
		return nil, list, err
	}
	for _, text := range *e.filter.values["games"] {
		spans, err := query.ParseGames(text)
		if err != nil {
			return nil, nil, usage("--games: %w", err)
		}
		for _, span := range spans {
			if err := checkGame(span[0], r.Len()); err != nil {
				return nil, nil, fmt.Errorf("--games: %w", err)
			}
			if span[1] < math.MaxInt {
				if err := checkGame(span[1], r.Len()); err != nil {
					return nil, nil, fmt.Errorf("--games: %w", err)
				}
			}
		}
	}
	number := func(m *query.Match) (int, error) { return m.Number, nil }
	if _, err = found(ctx, q, []query.Source{s}, query.Options{Workers: e.filter.workers}, window{}, number,
		func(n int) error {
			numbers = append(numbers, n)
			return nil
		}); err != nil {
		return nil, nil, err
	}
	slices.Sort(numbers)
	if len(numbers) == 0 {
		return nil, nil, &exitCode{err: errors.New("no game found"), code: exitMissing}
	}
	if e.replace == "" {
		return numbers, nil, nil
	}
	if len(numbers) != 1 {
		return nil, nil, usage("--replace puts one game in the place of one, not of %d", len(numbers))
	}
	in, err := openSource(e.replace)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxPacked+1))
	if err != nil {
		return nil, nil, inFile(e.replace, err)
	}
	if len(text) > maxPacked {
		return nil, nil, fmt.Errorf("%s: it is too long for one game", e.replace)
	}
	return numbers, []archive.Change{{Game: numbers[0], Text: text}}, nil
}

// unlike leaves what games do not have yet of changes that were read as JSON, as find writes that.
func unlike(r *archive.Reader, list []archive.Change) (left []archive.Change, err error) {
	slices.SortStableFunc(list, func(a, b archive.Change) int { return a.Game - b.Game })
	var g game.Game
	for k, c := range list {
		if err := checkGame(c.Game, r.Len()); err != nil {
			return nil, err
		}
		if k > 0 && list[k-1].Game == c.Game {
			return nil, usage("--changes has game %d twice", c.Game)
		}
		b, i, err := r.Find(c.Game)
		if err == nil {
			err = b.Tags(i, &g)
		}
		if err != nil {
			return nil, err
		}
		was := map[string]string{"Result": g.Result.String(), "Date": g.Date()}
		has := func(name, value string) bool {
			text, ok := g.LookupTag(name)
			if !ok {
				text = was[name]
			}
			return text == value
		}
		c.Set = slices.DeleteFunc(c.Set, func(t game.Tag) bool { return has(t.Name, t.Value) })
		c.Unset = slices.DeleteFunc(c.Unset, func(name string) bool { return has(name, "") })
		if len(c.Set)+len(c.Unset) > 0 {
			left = append(left, c)
		}
	}
	return left, nil
}

func checkGame(n, games int) error {
	if n > games {
		return fmt.Errorf("%w: %d of %d", archive.ErrNoGame, n, games)
	}
	return nil
}

// whole reports whether so many games are changed that the archive is written again, as a whole.
func (e *editing) whole(n int, r *archive.Reader) bool { return !e.delete && n > 1024 && n > r.Len()/3 }

// changesOf makes the changes of games.
func (e *editing) changesOf(r *archive.Reader, numbers []int) (list []archive.Change, err error) {
	if e.delete {
		for _, n := range numbers {
			list = append(list, archive.Change{Game: n, Delete: true})
		}
		return list, nil
	}
	var g game.Game
	for _, n := range numbers {
		b, i, err := r.Find(n)
		if err != nil {
			return nil, err
		}
		var c archive.Change
		var touched archive.Touched
		text, err := b.AppendChanged(nil, i, &g, func(g *game.Game) archive.Touched {
			was := slices.Clone(g.Tags)
			touched = e.changes.made.Apply(g)
			c = archive.ChangeOfTags(was, g.Tags)
			return touched
		})
		if err != nil {
			return nil, err
		}
		if touched&archive.TouchedMoves != 0 {
			c = archive.Change{Text: text}
		}
		if c.Game = n; touched != 0 {
			list = append(list, c)
		}
	}
	return list, nil
}

// rewriteInPlace writes the archive again, with games changed, and puts it in its place.
func (e *editing) rewriteInPlace(ctx context.Context, s query.Source, r *archive.Reader, numbers []int, quiet,
	asJSON bool) error {
	out, err := createTarget(s.Name, true)
	if err != nil {
		return err
	}
	defer out.abandon()
	changed := 0
	p := packing{Canonical: r.Canonical(), Meta: r.Meta(), quiet: true, known: true}
	p.Dense = r.HasDense()
	var stats archive.Stats
	if err := e.changes.rewrite(s.Name, func(w *rewrite.Writer) error {
		err := copyAll(s, "changing", quiet || asJSON, w, func(n int) bool {
			if len(numbers) > 0 && numbers[0] == n {
				numbers = numbers[1:]
				return false
			}
			return true
		})
		changed = w.Changed()
		return err
	}, func(in *source) (err error) {
		stats, _, err = p.into(ctx, in, out)
		return err
	}); err != nil {
		return err
	}
	defer noUndo(s.Name, quiet)
	return tellEdit(s.Name, stats, changed, 0, stats.Bytes-s.Size, false, changed > 0, quiet, asJSON)
}

// noUndo tells that an edit has left no old games.
func noUndo(path string, quiet bool) {
	if !quiet {
		say("%s: the games of before are no longer in the file: --undo cannot take this back", path)
	}
}

// readChanges reads a file of changes, or of games in JSON.
func readChanges(path, name string) (list []archive.Change, isJSON bool, err error) {
	in, err := openSource(path)
	if err != nil {
		return nil, false, err
	}
	defer in.Close()
	if head, _ := in.Peek(1); len(head) > 0 && head[0] == '{' {
		list, err = readFound(path, name, in)
		return list, true, err
	}
	list, err = readLines(path, in)
	return list, false, err
}

// readFound reads games of a file as find --json prints them: a game is to have these tags.
func readFound(path, name string, in io.Reader) (list []archive.Change, err error) {
	d := json.NewDecoder(in)
	for n := 1; ; n++ {
		var g struct {
			File                                   string
			Game                                   int
			White, Black, Result, Date, ECO, Event *string
		}
		if err := d.Decode(&g); err == io.EOF {
			return list, nil
		} else if err != nil {
			return nil, usage("%s: object %d: %w", path, n, err)
		}
		if g.Game < 1 {
			return nil, usage("%s: object %d: it has no number of a game", path, n)
		}
		if g.File != "" && filepath.Base(g.File) != filepath.Base(name) {
			return nil, usage("%s: object %d: the game is of %s, not of %s; without \"file\" it would be taken",
				path, n, g.File, name)
		}
		c := archive.Change{Game: g.Game}
		for _, t := range []struct {
			name  string
			value *string
		}{{"White", g.White}, {"Black", g.Black}, {"Result", g.Result}, {"Date", g.Date}, {"ECO", g.ECO},
			{"Event", g.Event}} {
			switch {
			case t.value == nil:
			case *t.value == "":
				c.Unset = append(c.Unset, t.name)
			default:
				c.Set = append(c.Set, game.Tag{Name: t.name, Value: *t.value})
			}
		}
		list = append(list, c)
	}
}

func readLines(path string, in io.Reader) (list []archive.Change, err error) {
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
	small, err := compactDead(ctx, old, stats.Bytes, stats.Bytes/3, path, 0, quiet || asJSON)
	if err != nil {
		say("%s: the games are changed; their old blocks are still there: %v", path, err)
	} else if small.Blocks > 0 {
		stats = small
		defer noUndo(path, quiet)
	}
	gone := r.Len() - stats.Games
	games := map[int]bool{}
	for _, c := range changes {
		games[c.Game] = true
	}
	return tellEdit(path, stats, len(games)-gone, gone, stats.Bytes-size, small.Blocks == 0, len(changes) > 0, quiet,
		asJSON)
}

// undo cuts a locked archive where it ended before it was changed last.
func undo(f *os.File, size int64, path string, quiet, asJSON bool) error {
	r, err := archive.Before(f, size)
	switch {
	case err != nil:
		return inFile(path, err)
	case r == nil:
		return inFile(path, errors.New("nothing is there to take back: it is new, or was written again by compact, "+
			"or to save room by append or edit"))
	}
	before := r.Stats()
	if err := f.Truncate(before.Bytes); err != nil {
		return inFile(path, err)
	}
	return tellEdit(path, before, 0, 0, before.Bytes-size, false, true, quiet, asJSON)
}

// tellEdit reports what became of an archive, which has so many bytes more than before. dead: old blocks are in it.
func tellEdit(path string, stats archive.Stats, changed, gone int, added int64, dead, stale, quiet,
	asJSON bool) error {
	if asJSON {
		return writeJSON(struct {
			Path string `json:"path"`
			archive.Stats
			Changed int   `json:"changed"`
			Removed int   `json:"removed"`
			Added   int64 `json:"added_bytes"`
		}{path, stats, changed, gone, added})
	}
	if quiet {
		return nil
	}
	more := ", as before"
	switch {
	case added > 0 && dead:
		more = fmt.Sprintf(", %d more than before; ply11 compact makes it smaller", added)
	case added > 0:
		more = fmt.Sprintf(", %d more than before", added)
	case added < 0:
		more = fmt.Sprintf(", %d fewer than before", -added)
	}
	say("%s: %d games changed and %d taken out; %d games in %d bytes%s", path, changed, gone, stats.Games, stats.Bytes,
		more)
	if _, err := os.Stat(indexOf(path)); err == nil && stale {
		say("%s is of the old games: ply11 index --force %s makes it again", indexOf(path), path)
	}
	return nil
}
