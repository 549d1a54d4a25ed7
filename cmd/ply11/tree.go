// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ply11/chess"
	"ply11/position"
	"ply11/position/openings"
	"ply11/query"
	"ply11/query/index"
)

// treeResult is what was played in a position.
type treeResult struct {
	FEN     string            `json:"fen"`
	Opening *openings.Opening `json:"opening,omitempty"` // of the position, if it has one
	treeCounts
	Moves []treeMove `json:"moves"`
	// MinGames, MaxPly and Missing are what tree files have, as index.TreeStats; 0 without one.
	MinGames int    `json:"min_games,omitempty"`
	MaxPly   int    `json:"max_ply,omitempty"`
	Missing  uint64 `json:"missing,omitempty"`
}

// treeMove is a move of the position.
type treeMove struct {
	SAN     string            `json:"san"`
	UCI     string            `json:"uci"`
	Opening *openings.Opening `json:"opening,omitempty"`
	treeCounts
	Best []treeBest  `json:"best"`
	Next *treeResult `json:"next,omitempty"` // the position after it, with --depth

	move chess.Move
}

type treeCounts struct {
	Games       int     `json:"games"`
	White       int     `json:"white"`
	Draws       int     `json:"draws"`
	Black       int     `json:"black"`
	WhiteRating float64 `json:"white_rating,omitempty"` // the mean
	BlackRating float64 `json:"black_rating,omitempty"`
	FirstYear   int     `json:"first_year,omitempty"`
	LastYear    int     `json:"last_year,omitempty"`
}

// treeBest is a game of high ratings.
type treeBest struct {
	File   string  `json:"file"`
	Game   int     `json:"game"`
	Rating float64 `json:"rating,omitempty"` // the mean of both
}

func newTreeCounts(b *index.Branch) treeCounts {
	tenth := func(r index.Ratings) float64 { return math.Round(10*r.Mean()) / 10 }
	return treeCounts{b.Games, b.White, b.Draws, b.Black, tenth(b.WhiteRating), tenth(b.BlackRating), b.FirstYear,
		b.LastYear}
}

// newTreeResult makes the result; of each move it names so many best games. name gives the name of an archive by its
// number.
func newTreeResult(t *query.Tree, at *position.Position, name func(source int) string, best int) *treeResult {
	r := &treeResult{FEN: at.FEN(), Opening: openingOf(at), treeCounts: newTreeCounts(&t.All),
		Moves: make([]treeMove, 0, len(t.Branches))}
	for i := range t.Branches {
		b := &t.Branches[i]
		n := min(best, len(b.Best))
		m := treeMove{move: b.Move, SAN: at.SAN(b.Move), UCI: b.Move.String(), treeCounts: newTreeCounts(b),
			Best: make([]treeBest, 0, n)}
		if b.Move == chess.NullMove {
			m.UCI = "0000"
		} else {
			after := *at
			after.Make(b.Move)
			m.Opening = openingOf(&after)
		}
		for _, g := range b.Best[:n] {
			m.Best = append(m.Best, treeBest{name(g.Source), g.Number, float64(g.Sum) / 2})
		}
		r.Moves = append(r.Moves, m)
	}
	return r
}

// deepen adds to each move that least games played what was played after it, so many plies deep. A position that was
// there before is left out.
func (r *treeResult) deepen(at *position.Position, depth, least int, seen map[uint64]bool,
	of func(at *position.Position) (*treeResult, error)) error {
	if seen[at.Hash()] = true; depth < 1 {
		return nil
	}
	for i := range r.Moves {
		m := &r.Moves[i]
		if m.Games < least {
			continue
		}
		after := *at
		if after.Make(m.move); seen[after.Hash()] {
			continue
		}
		var err error
		if m.Next, err = of(&after); err != nil {
			return err
		}
		if err = m.Next.deepen(&after, depth-1, least, seen, of); err != nil {
			return err
		}
	}
	return nil
}

// report is the result as an indented list of what least games played.
func (r *treeResult) report(at *position.Position, least int) string {
	var rows [][]string
	var add func(r *treeResult, at position.Position, indent string)
	add = func(r *treeResult, at position.Position, indent string) {
		for i := range r.Moves {
			m := &r.Moves[i]
			if m.Games < least {
				continue
			}
			name := ""
			if m.Opening != nil {
				name = m.Opening.String()
			}
			rows = append(rows, treeRow(&m.treeCounts, indent+at.MoveNumber()+m.SAN, r.Games, name))
			if m.Next != nil {
				after := at
				after.Make(m.move)
				add(m.Next, after, indent+"  ")
			}
		}
	}
	add(r, *at, "")
	return treeTable(append([][]string{{"move", "games", "share", "White", "drawn", "Black", "rating W", "rating B",
		"years", "opening"}}, rows...))
}

func openingOf(p *position.Position) *openings.Opening {
	if o, ok := openings.Of(p); ok {
		return &o
	}
	return nil
}

func percent(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + "%"
}

func treeRow(c *treeCounts, move string, of int, best string) []string {
	known := c.White + c.Draws + c.Black
	rating := func(r float64) string {
		if r == 0 {
			return "-"
		}
		return strconv.FormatFloat(r, 'f', 0, 64)
	}
	years := "-"
	if c.FirstYear > 0 {
		years = strconv.Itoa(c.FirstYear)
	}
	if c.LastYear > c.FirstYear {
		years += "-" + strconv.Itoa(c.LastYear)
	}
	return []string{move, strconv.Itoa(c.Games), percent(c.Games, of), percent(c.White, known), percent(c.Draws, known),
		percent(c.Black, known), rating(c.WhiteRating), rating(c.BlackRating), years, best}
}

// text is the result as a table.
func (r *treeResult) text(several bool) string {
	rows := [][]string{{"move", "games", "share", "White", "drawn", "Black", "rating W", "rating B", "years",
		"best games"}}
	for i := range r.Moves {
		m := &r.Moves[i]
		var best []string
		for _, g := range m.Best {
			name := strconv.Itoa(g.Game)
			if several {
				name = printable(g.File) + ":" + name
			}
			best = append(best, name)
		}
		rows = append(rows, treeRow(&m.treeCounts, m.SAN, r.Games, strings.Join(best, " ")))
	}
	rows = append(rows, treeRow(&r.treeCounts, "all", r.Games, ""))
	head := r.FEN + "\n"
	if r.Opening != nil {
		head += r.Opening.String() + "\n"
	}
	return head + treeTable(rows)
}

func treeTable(rows [][]string) string {
	var width [10]int
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], len(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, "%-*s", width[0], row[0])
		for i, cell := range row[1:9] {
			fmt.Fprintf(&b, "%*s", 2+width[i+1], cell)
		}
		if row[9] != "" {
			b.WriteString("  " + row[9])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// csv is the result as CSV: a row for each move, and one for all games.
func (r *treeResult) csv() (string, error) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	row := func(san, uci string, c *treeCounts, best string) {
		rating := func(f float64) string {
			if f == 0 {
				return ""
			}
			return strconv.FormatFloat(f, 'f', 1, 64)
		}
		year := func(n int) string {
			if n == 0 {
				return ""
			}
			return strconv.Itoa(n)
		}
		w.Write([]string{san, uci, strconv.Itoa(c.Games), strconv.Itoa(c.White), strconv.Itoa(c.Draws),
			strconv.Itoa(c.Black), rating(c.WhiteRating),
			rating(c.BlackRating), year(c.FirstYear), year(c.LastYear), best})
	}
	w.Write([]string{"san", "uci", "games", "white", "draws", "black", "white_rating", "black_rating", "first_year",
		"last_year", "best"})
	for i := range r.Moves {
		m := &r.Moves[i]
		var best []string
		for _, g := range m.Best {
			best = append(best, fmt.Sprintf("%s:%d", g.File, g.Game))
		}
		row(m.SAN, m.UCI, &m.treeCounts, strings.Join(best, " "))
	}
	row("", "", &r.treeCounts, "")
	w.Flush()
	return b.String(), w.Error()
}

func treeCommand() *cobra.Command {
	var terms termFlags
	var fen, moves, positions string
	var best, depth, least int
	var named string
	var asJSON, asCSV, noIndex, quiet, variations bool
	cmd := &cobra.Command{
		Use:   "tree [flags] archive.p11 ...",
		Short: "Count what was played in a position, and with what results",
		Long: `Print what was played in a position: for each move the number of games, White's wins, draws and Black's
wins, the mean ratings of White and Black, the first and the last year, and the games of the highest mean rating by
their numbers. If the position has the name of an opening, it stands above them; the JSON also has the names of the
positions after each move.

You give the position as a start (--fen, or the usual one) and moves from there (--moves). Move counters do not
matter, and neither does the order of the moves that led to the position. Main lines count; with --variations also
variations.

A game counts once for each move that it played in the position, and once in the line "all", even if it comes back to
the position. Shares are shares of all games; White, drawn and Black are shares of the games with a known result. The
mean ratings are of the games whose tags have a rating from 1 to 9999.

--depth N prints a report of an opening: the moves after the position, those after these, and so on, N plies deep,
that at least --min-games games played. A position that stands there already is not gone into again.

The other flags choose games, like those of find: a game must meet all of them.

With an index beside the archive (ply11 index), the command looks up the answer there, and says so on the standard
error. Conditions on ratings, dates and results then cost little more. For other conditions it reads the tags of each
game that reaches the position.

A tree file (ply11 index --min-games N) has counts alone. It answers without conditions, and without the archive.
Counts of several are summed, such as the months of a year: ply11 tree 2024-*.p11t. Each file omits positions that fewer
than N of its games reach within --max-ply plies, so a count summed over A files can be up to A x (N - 1) too low.
More popular positions are never missing.

--positions reads a file with a FEN in each line, or startpos, and answers in the same order: by a line of JSON with
--json, or else by a table and an empty line. It needs an index for each archive. Many positions together cost much
less than one after the other.

` + pgnHelp + `

The exit code is 6 if no game reaches the position.`,
		Example: `  ply11 tree games.p11
  ply11 tree --moves "1.e4 c5 2.Nf3 d6" games.p11
  ply11 tree --fen "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq -" --date 2010- --rating 2500- *.p11
  ply11 tree --moves "1.d4" --player carlsen --json games.p11
  ply11 tree --moves "1.e4 c5" --depth 8 --min-games 50 games.p11
  ply11 tree --positions openings.fen --json games.p11`,
		Args: argCount(1, -1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if named != "" && len(args) > 1 {
			return usage("--index is for one archive, and there are %d", len(args))
		}
		if positions != "" && (fen != "" || moves != "" || asCSV || noIndex || depth > 1) {
			return usage("--positions goes without --fen, --moves, --csv, --depth and --no-index")
		}
		for name, value := range map[string]string{"fen": fen, "moves": moves, "positions": positions} {
			if cmd.Flags().Changed(name) && strings.TrimSpace(value) == "" {
				return usage("--%s is empty", name)
			}
		}
		at, err := query.ParsePosition(fen, "")
		if err != nil {
			return usage("--fen: %v", err)
		}
		if moves != "" {
			if at, err = query.ParsePosition(fen, moves); err != nil {
				return usage("--moves: %v", err)
			}
		}
		q, err := terms.query()
		if err != nil {
			return err
		}
		q.Variations(variations)
		if err := q.Check(); err != nil {
			return usage("%v", err)
		}
		trees, args, done, err := openTrees(args)
		if err != nil {
			return err
		}
		defer done()
		var sources []query.Source
		if len(args) > 0 {
			var done func()
			if sources, done, err = openSources(args); err != nil {
				return err
			}
			defer done()
		}
		var indexes []string
		if !noIndex {
			var done func()
			if indexes, done, err = addIndexes(sources, named, q.ServedBy); err != nil {
				return err
			}
			defer done()
		}
		for _, s := range trees {
			sources, indexes = append(sources, s), append(indexes, s.Name)
		}
		read := slices.DeleteFunc(slices.Clone(sources), func(s query.Source) bool {
			return s.Index != nil || s.Counts != nil
		})
		if depth > 1 && len(read) > 0 {
			return usage("--depth needs an index that has what is asked for; ply11 index makes it")
		}
		counts := countsOf(sources)
		result := func(t *query.Tree, at *position.Position) *treeResult {
			r := newTreeResult(t, at, func(i int) string { return sources[i].Name }, best)
			r.MinGames, r.MaxPly, r.Missing = counts.MinGames, counts.MaxPly, counts.Missing
			return r
		}
		if positions != "" {
			if len(read) > 0 {
				return usage("%s: --positions needs an index that has what is asked for; ply11 index makes it",
					read[0].Name)
			}
			return treePositions(cmd.Context(), positions, sources, q, terms.workers,
				func(t *query.Tree, at *position.Position) ([]byte, error) {
					if r := result(t, at); asJSON {
						return jsonLine(r)
					} else {
						return []byte(r.text(len(sources) > 1) + "\n"), nil
					}
				})
		}
		bar := newProgress("searching", sizeOf(read), quiet || len(read) == 0)
		t, err := q.Tree(cmd.Context(), sources, at, query.TreeOptions{Workers: terms.workers, Progress: bar.advance})
		bar.finish()
		if err != nil {
			return err
		}
		if counts.MinGames > 0 && !quiet {
			say("by %s: the positions that %d games or more reach within %d plies; no years, no best games; a count "+
				"may lack %d games", strings.Join(indexes, ", "), counts.MinGames, counts.MaxPly, counts.Missing)
		} else if len(indexes) > 0 && !quiet {
			say("by the index %s: %d games looked at one by one, %d of them in the "+
				"archive", strings.Join(indexes, ", "), t.Cost.Games, t.Cost.Read)
		}
		r := result(t, &at)
		if depth > 1 {
			next := func(at *position.Position) (*treeResult, error) {
				t, err := q.Tree(cmd.Context(), sources, *at, query.TreeOptions{Workers: terms.workers})
				if err != nil {
					return nil, err
				}
				return result(t, at), nil
			}
			if err := r.deepen(&at, depth-1, least, map[uint64]bool{}, next); err != nil {
				return err
			}
		}
		switch {
		case asJSON:
			err = writeJSON(r)
		case asCSV:
			var text string
			if text, err = r.csv(); err == nil {
				_, err = stdout.Write([]byte(text))
			}
		case t.All.Games > 0 && depth > 1:
			_, err = stdout.Write([]byte(r.report(&at, least)))
		case t.All.Games > 0:
			_, err = stdout.Write([]byte(r.text(len(sources) > 1)))
		}
		if err == nil && t.All.Games == 0 {
			none := errors.New("no game reaches the position")
			if counts.MinGames > 0 {
				none = fmt.Errorf("the position is not there: at most %d games reach it within %d plies",
					counts.Missing, counts.MaxPly)
			}
			return &exitCode{err: none, code: exitMissing, told: asJSON || asCSV}
		}
		return err
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(namedValue{&fen, "FEN"}, "fen", "the position; without it or with startpos, the usual start")
	f.Var(namedValue{&moves, "1.e4 c5"}, "moves", "the moves that lead on from there, in SAN or UCI")
	terms.add(cmd, func(t query.Term) bool { return !t.Position && t.Name != "moves" })
	f.BoolVar(&variations, "variations", false, "count what is played in variations, too")
	f.Var(namedValue{&positions, "FILE"}, "positions", "answer for each line of a file, a FEN; - is the standard input")
	inGroup(cmd, groupPosition, "fen", "moves", "positions", "variations")
	exclude(cmd, "json", "csv")
	exclude(cmd, "depth", "csv")
	exclude(cmd, "index", "no-index")
	number(f, &best, "best", "", 3, 0, index.MaxBest,
		fmt.Sprintf("the number of best games to name for a move, at most %d", index.MaxBest))
	number(f, &depth, "depth", "", 1, 1, 40, "how many plies deep the report goes")
	number(f, &least, "min-games", "", 10, 1, math.MaxInt, "of --depth: the games that played a move, at least")
	f.StringVar(&named, "index", "", "the index; by default the file beside the archive that has its name and an x")
	f.BoolVar(&noIndex, "no-index", false, "read the archive, though there is an index")
	f.BoolVar(&asCSV, "csv", false, "write a table of comma-separated values")
	common(cmd, nil, &quiet, &asJSON)
	return cmd
}
