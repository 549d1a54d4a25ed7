// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game/pgn"
	"ply11/internal/httprange"
	"ply11/position"
	"ply11/query"
	"ply11/query/index"
	"ply11/query/rewrite"
)

// foundGame is a game as find --json writes it.
type foundGame struct {
	File    string     `json:"file"`
	Game    int        `json:"game"`
	White   string     `json:"white"`
	Black   string     `json:"black"`
	Result  string     `json:"result"`
	Date    string     `json:"date"`
	ECO     string     `json:"eco"`
	Event   string     `json:"event"`
	Plies   int        `json:"plies"`
	Ply     int        `json:"ply"`            // of the first place
	Move    string     `json:"move,omitempty"` // by which the game leaves a book
	Hits    []foundHit `json:"hits,omitempty"`
	Invalid bool       `json:"invalid,omitempty"`
}

type foundHit struct {
	Plies     []int `json:"plies"` // one for each condition of a sequence
	Variation bool  `json:"variation,omitempty"`
}

func (f *foundGame) set(m *query.Match, file string, leaving bool) error {
	g, err := m.Tags()
	if err != nil {
		return err
	}
	*f = foundGame{File: file, Game: m.Number, White: g.Tag("White"), Black: g.Tag("Black"), Result: g.Result.String(),
		Date: g.Date(),
		ECO:  g.Tag("ECO"), Event: g.Tag("Event")}
	for _, h := range m.Hits {
		f.Hits = append(f.Hits, foundHit{h.Plies, h.Variation})
	}
	if len(m.Hits) > 0 {
		f.Ply = m.Hits[0].Plies[0]
	}
	if leaving {
		p, words, err := m.MainLine()
		if err != nil {
			return err
		}
		last := m.Hits[len(m.Hits)-1].Plies[0] - 1
		for _, w := range words[:last] {
			p.MakeIndex(w)
		}
		move, _ := words[last].Move()
		f.Move = p.MoveNumber() + p.SAN(move)
	}
	if f.Plies, err = m.Plies(); err != nil {
		return err
	}
	f.Invalid, err = m.Invalid()
	return err
}

// places prints where the hits are: "12", "7 15 17", "3; 9 in a variation".
func places(hits []query.Hit) string {
	var b strings.Builder
	for i, h := range hits {
		if i > 0 {
			b.WriteString("; ")
		}
		for k, ply := range h.Plies {
			if k > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.Itoa(ply))
		}
		if h.Variation {
			b.WriteString(" in a variation")
		}
	}
	return b.String()
}

// The ways to write what is found.
const (
	findList  = ""
	findPGN   = "pgn"
	findJSON  = "json"
	findUCI   = "uci"
	findCSV   = "csv"
	findFENs  = "fens"
	findCount = "count"
)

var oneWay = usage("give only one of --pgn, --json, --uci, --csv, --fens, --count and --output")

// columns are what --csv writes of a game that is no tag.
var columns = map[string]func(f *foundGame, m *query.Match) (string, error){
	"file":   func(f *foundGame, _ *query.Match) (string, error) { return f.File, nil },
	"game":   func(f *foundGame, _ *query.Match) (string, error) { return strconv.Itoa(f.Game), nil },
	"result": func(f *foundGame, _ *query.Match) (string, error) { return f.Result, nil },
	"date":   func(f *foundGame, _ *query.Match) (string, error) { return f.Date, nil },
	"plies":  func(f *foundGame, _ *query.Match) (string, error) { return strconv.Itoa(f.Plies), nil },
	"ply":    func(_ *foundGame, m *query.Match) (string, error) { return places(m.Hits), nil },
	"move":   func(f *foundGame, _ *query.Match) (string, error) { return f.Move, nil },
	"invalid": func(f *foundGame, _ *query.Match) (string, error) {
		if f.Invalid {
			return "invalid", nil
		}
		return "", nil
	},
	"moves": func(_ *foundGame, m *query.Match) (string, error) {
		p, words, err := m.MainLine()
		if err != nil {
			return "", err
		}
		var b []byte
		for i, w := range words {
			if i > 0 {
				b = append(b, ' ')
			}
			move, _ := w.Move() // the null move, where it is none of the index's
			b = p.AppendSANMake(b, move)
		}
		return string(b), nil
	},
}

const csvColumns = "file,game,white,black,result,date,eco,event,plies,ply,invalid"

// table is the columns of --csv, and which of them are tags that a game had.
type table struct {
	names []string
	had   []atomic.Bool
}

// missing tells of tags that no game had, whose names may be wrong.
func (t *table) missing() {
	for i, name := range t.names {
		if columns[name] == nil && !t.had[i].Load() {
			say("column %s: no game that was found has such a tag", name)
		}
	}
}

// row returns the values of columns: those of the table, and tags, whose names are written in any case.
func (t *table) row(m *query.Match, f *foundGame) ([]string, error) {
	g, err := m.Tags()
	if err != nil {
		return nil, err
	}
	tags := map[string]string{}
	for _, t := range slices.Backward(g.Tags) {
		tags[strings.ToLower(t.Name)] = t.Value
	}
	row := make([]string, len(t.names))
	for i, name := range t.names {
		of, ok := columns[name]
		if ok {
			if row[i], err = of(f, m); err != nil {
				return nil, err
			}
		} else {
			if row[i], ok = tags[name]; ok {
				t.had[i].Store(true)
			}
		}
	}
	return row, nil
}

// fensOf returns a line for each position that was found, or for the last one of the main line.
func fensOf(m *query.Match) (text []byte, err error) {
	p, words, err := m.MainLine()
	if err != nil {
		return nil, err
	}
	plies := []int{len(words)}
	if len(m.Hits) > 0 {
		plies = plies[:0]
		for _, h := range m.Hits {
			if !h.Variation {
				plies = append(plies, h.Plies...)
			}
		}
		slices.Sort(plies)
	}
	for ply := 0; len(plies) > 0; ply++ {
		for ; len(plies) > 0 && plies[0] == ply; plies = plies[1:] {
			text = append(append(text, p.FEN()...), '\n')
		}
		if ply == len(words) {
			break
		}
		p.MakeIndex(words[ply])
	}
	return text, nil
}

// window is which of the found games are wanted: of those that are left, each of every; of these, random ones.
type window struct {
	skip, limit, every, random int
	seed                       uint64
}

// found searches, gives what of makes of each wanted game, and returns how many these are.
func found[T any](ctx context.Context, q *query.Query, sources []query.Source, o query.Options, w window,
	of func(*query.Match) (T, error), give func(T) error) (n int, err error) {
	if w.random > 0 {
		return drawn(ctx, q, sources, o, w, of, give)
	}
	place := 0
	for t, err := range query.Games(ctx, sources, q, o, of) {
		if err != nil {
			return n, err
		}
		if w.skip--; w.skip >= 0 {
			continue
		}
		if place++; w.every > 1 && (place-1)%w.every != 0 {
			continue
		}
		if err := give(t); err != nil {
			return n, err
		}
		if n++; n == w.limit {
			break
		}
	}
	return n, nil
}

// drawn is found for random games: each of them is as likely as any other, by one pass (Vitter, Random sampling with a
// reservoir, 1985). They come in their order.
func drawn[T any](ctx context.Context, q *query.Query, sources []query.Source, o query.Options, w window,
	of func(*query.Match) (T, error), give func(T) error) (int, error) {
	type one struct {
		place int
		t     T
	}
	var list []one
	random, most, place := rand.New(rand.NewPCG(w.seed, 0)), w.random, 0
	w.random = 0
	if _, err := found(ctx, q, sources, o, w, of, func(t T) error {
		if place++; len(list) < most {
			list = append(list, one{place, t})
		} else if i := random.IntN(place); i < most {
			list[i] = one{place, t}
		}
		return nil
	}); err != nil {
		return 0, err
	}
	slices.SortFunc(list, func(a, b one) int { return cmp.Compare(a.place, b.place) })
	for i, e := range list {
		if err := give(e.t); err != nil {
			return i, err
		}
	}
	return len(list), nil
}

func sizeOf(sources []query.Source) (size int64) {
	for _, s := range sources {
		size += s.Size
	}
	return size
}

// textOfFound returns a game as it is written; nothing if only the number of games is wanted.
func textOfFound(m *query.Match, as string, t *table, sources []query.Source, leaving bool) (text []byte, err error) {
	switch as {
	case findCount:
		return nil, nil
	case findPGN:
		return m.AppendText(nil)
	case findFENs:
		return fensOf(m)
	case findUCI:
		start, words, err := m.MainLine()
		if err != nil {
			return nil, err
		}
		if start != position.Start() {
			text = fmt.Appendf(text, "position fen %s moves ", start.FEN())
		}
		for i, w := range words {
			if i > 0 {
				text = append(text, ' ')
			}
			move, _ := w.Move()
			text = move.AppendUCI(text)
		}
		return append(text, '\n'), nil
	}
	var f foundGame
	if err := f.set(m, sources[m.Source].Name, leaving); err != nil {
		return nil, err
	}
	switch as {
	case findJSON:
		return jsonLine(f)
	case findCSV:
		row, err := t.row(m, &f)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Write(row)
		w.Flush()
		return b.Bytes(), w.Error()
	}
	if len(sources) > 1 {
		text = fmt.Appendf(text, "%s: ", printable(f.File))
	}
	text = fmt.Appendf(text, "%d  %s - %s  %s  %s  %s", f.Game, printable(f.White), printable(f.Black), f.Result,
		printable(f.Date), printable(f.ECO))
	if len(m.Hits) > 0 {
		text = fmt.Appendf(text, "  ply %s", places(m.Hits))
	}
	if leaving {
		text = fmt.Appendf(text, "  %s", f.Move)
	}
	if f.Invalid {
		text = append(text, "  invalid"...)
	}
	return append(text, '\n'), nil
}

// expand returns the files of patterns, where the shell has not done it.
func expand(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		if _, err := os.Lstat(arg); err == nil || arg == "-" || httprange.IsURL(arg) ||
			!strings.ContainsAny(arg, "*?[") {
			files = append(files, arg)
			continue
		}
		list, err := filepath.Glob(arg)
		if err != nil {
			return nil, usage("%q is no pattern of names: %v", arg, err)
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("no file has a name like %s", arg)
		}
		files = append(files, list...)
	}
	return files, nil
}

// openSources opens archives, and PGN files as archives, by names and patterns. Pipes and compressed files are kept in
// temporary files.
func openSources(args []string) (list []query.Source, done func(), err error) {
	return sourcesBy(openGames, args)
}

func sourcesBy(by func(path string) (*anywhere, error), args []string) (list []query.Source, done func(), err error) {
	files, err := expand(args)
	if err != nil {
		return nil, nil, err
	}
	var open closers
	done = func() { open.close() }
	for _, path := range files {
		f, err := by(path)
		if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(path, "./"+string(filepath.Separator)) {
			err = fmt.Errorf("%w; a name is looked for by --player %s", err, path)
		}
		if err != nil {
			done()
			return nil, nil, err
		}
		open = append(open, f.Close)
		near := !httprange.IsURL(path)
		if near {
			// The archive as it is now: games may be added while it is read.
			if r, err := archive.NewReader(f, f.size); err == nil {
				f.size = r.Stats().Bytes
				tellUnfinished(path, r)
			}
		}
		list = append(list, query.Source{Name: path, Reader: f, Size: f.size, Sparse: near})
	}
	return list, done, nil
}

const patternHelp = `A pattern is a list of pieces and squares, "Ke1 pe5 .d4 [RQ]a1": letters as in FEN, small for Black; . an
empty square, ! a piece, A a white one, a a black one, ? anything; [RQ] any of these, [^Pp] none of these; e? is any square
of the e-file, ?7 any of the seventh rank. Or it is a board as in FEN, in which digits stand for any squares.`

func findCommand() *cobra.Command {
	var filter filterFlags
	var output, repertoire, novelty string
	var all, dense, force, noIndex bool
	var changes rewriteFlags
	as := findList
	var limit, skip, every, random int
	var seed uint64
	names := csvColumns
	cmd := &cobra.Command{
		Use:   "find [flags] archive.p11 ...",
		Short: "Find games by tags, result, moves, positions, patterns and material",
		Long: `Find games, and list their numbers. --pgn writes the games, and -o writes an archive of them, or PGN if
its name ends in .pgn, also compressed. FIND.md explains conditions.

A game must meet every condition that you give: --player carlsen --player anand finds the games between these two. A
game that meets all of --or need not meet the others, but for --not.

A name or text may be a part of the tag, in upper or lower case. "=text" is the whole tag, and "~expression" is a
regular expression. A range is 7, 7-9, 7-, -9, ">7" or "<9".

All conditions on positions must be true in one and the same position of the game. If they must be true one after the
other, give --sequence, with ; between conditions on one position, and -> before the next one. within is the largest
number of plies since the position before:

  --sequence "pattern=Bb5 -> pattern=Ba4; within=10 -> white-move=O-O"

Plies count from 1; 0 is the start. --not takes conditions with ; between them, too.

` + patternHelp + `

Material is the pieces of both sides, White's first: KRPKR. Or it is ranges, as in "R1 P0-2 q0"; other pieces are then
free.

With an index beside the archive (ply11 index), a search for a whole position (--fen), alone or in a --sequence, or
for first moves (--moves), reads only the blocks that have such games.

` + pgnHelp + `

If a game is not valid, its valid beginning is searched. A game whose start is not known has no positions. The exit
code is 6 if no game is found.`,
		Example: `  ply11 find --player morphy games.p11
  ply11 find --eco C50-C59 --rating 2600- --pgn games.p11
  ply11 find --fen "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w" --count games.p11
  ply11 find --material KRPKR --pattern "K?6 r?7" --swap-colors -o endings.p11 *.p11
  ply11 find --player fischer --sort date --set-eco --strip comments -o fischer.pgn games.p11
  ply11 find --rating 2700- --csv --columns date,white,whiteelo,black,blackelo,moves games.p11
  ply11 find --white carlsen --result 1-0 --or "black=carlsen; result=0-1" games.p11
  ply11 find --player carlsen --novelty masters.p11 games.p11
  ply11 find --speed blitz --repetition 3 --or quiet-moves=50 games.p11
  ply11 find --white me --repertoire white.pgn games.p11
  ply11 find --random 1000 --seed 7 --after-ply 20 --before-ply 20 --fens games.p11
  ply11 find --white carlsen --limit 10 https://example.org/games.p11`,
		Args: argCount(1, -1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if as != findList && output != "" {
			return oneWay
		}
		switch {
		case dense && (output == "" || isPGNName(output)):
			return usage("--dense is for an archive, --output")
		case output == "" && as != findPGN && changes.any():
			return usage("--sort and changes on the way are for --output and --pgn")
		}
		if cmd.Flags().Changed("columns") && as != findCSV {
			return usage("--columns is for --csv")
		}
		if err := changes.load(); err != nil {
			return err
		}
		q, err := filter.query(cmd)
		if err != nil {
			return err
		}
		sources, done, err := openSources(args)
		if err != nil {
			return err
		}
		defer done()
		leaving := novelty != "" || repertoire != ""
		if repertoire != "" {
			book, err := readRepertoire(repertoire)
			if err != nil {
				return err
			}
			q.Leave(book)
		}
		if novelty != "" {
			book, done, err := openNovelty(cmd.Context(), novelty, args)
			if err != nil {
				return err
			}
			defer done()
			q.Leave(book)
		}
		if !noIndex {
			done, err := narrow(cmd.Context(), sources, q)
			if err != nil {
				return err
			}
			defer done()
		}
		o := query.Options{Workers: filter.workers, All: all}
		// Found games are written when their block is done, so that a bar on the same terminal would only disturb.
		bar := newProgress("searching", sizeOf(sources), output == "" && as != findCount && stdout.terminal)
		out := bufio.NewWriterSize(&stdout, 64<<10)
		o.Progress = func(bytes int64) {
			bar.advance(bytes)
			out.Flush()
		}
		window := window{skip, limit, every, random, seed}
		n := 0
		if output == "" && changes.any() {
			output = "-"
		}
		if output != "" {
			to := foundGames{output: output, pgn: as == findPGN || isPGNName(output), dense: dense, force: force,
				changes: changes}
			n, err = to.write(cmd.Context(), q, sources, o, window)
		} else {
			if as == findCSV {
				fmt.Fprintln(out, strings.ToLower(names))
			}
			t := table{names: strings.Split(strings.ToLower(names), ",")}
			t.had = make([]atomic.Bool, len(t.names))
			text := func(m *query.Match) ([]byte, error) { return textOfFound(m, as, &t, sources, leaving) }
			var list rewrite.Texts
			n, err = found(cmd.Context(), q, sources, o, window, text, func(text []byte) error {
				return list.Write(out, text)
			})
			if err == nil && as == findCSV && n > 0 && cmd.Flags().Changed("columns") {
				t.missing()
			}
		}
		bar.finish()
		if bad := out.Flush(); err == nil {
			err = bad
		}
		if err != nil {
			return err
		}
		if as == findCount {
			fmt.Fprintln(&stdout, n)
		}
		if n == 0 {
			return &exitCode{err: errors.New("no game found"), code: exitMissing, told: as == findCount ||
				as == findJSON || as == findCSV}
		}
		return nil
	}
	f := cmd.Flags()
	filter.add(cmd)
	f.Var(namedValue{&repertoire, "file"}, "repertoire",
		"the first move that is not in a file of games, where that has one")
	f.Var(namedValue{&novelty, "ARCHIVE"}, "novelty",
		"the first move that no other game of an archive with an index has")
	inGroup(cmd, groupPositions, "repertoire", "novelty")
	exclude(cmd, "repertoire", "novelty")
	f.BoolVar(&all, "all", false, "print every place in a game, not only the first")
	way := func(name, usage string) {
		f.BoolFunc(name, usage, func(string) error {
			if as != findList && as != name {
				return oneWay
			}
			as = name
			return nil
		})
	}
	way(findPGN, "write the games' text")
	way(findUCI, "write the main lines in UCI, a line a game; \"position fen … moves\" comes "+
		"first where they do not begin as usual")
	way(findCSV, "write a table")
	way(findFENs, "write the positions that are found, or else the last ones of the games")
	f.Var(namedValue{&names, "NAME,NAME"}, "columns",
		"of --csv: names of tags, file, game, plies, ply, move, moves, invalid")
	way(findCount, "write the number of games only")
	f.StringVarP(&output, "output", "o", "", "write an archive of the games, or PGN (.pgn), with their text as it is")
	changes.add(cmd)
	f.BoolVar(&dense, "dense", false, "with --output: store moves in about three bits")
	f.BoolVar(&noIndex, "no-index", false, "read the archive, though there is an index")
	number(f, &limit, "limit", "", 0, 0, math.MaxInt, "stop after this many games, of --sort after the sorting")
	number(f, &skip, "skip", "", 0, 0, math.MaxInt,
		"leave out the first games that are found, of --sort after the sorting")
	number(f, &every, "every", "", 1, 1, math.MaxInt, "take every Nth game that is found")
	number(f, &random, "random", "", 0, 0, math.MaxInt, "take this many of the games, at random, in their order")
	exclude(cmd, "random", "limit")
	f.Uint64Var(&seed, "seed", 1, "of --random: another number takes other games")
	way(findJSON, "write the result as JSON")
	common(cmd, &force, nil, nil)
	return cmd
}

// readRepertoire reads the games of PGN or of an archive as what is to be played.
func readRepertoire(path string) (query.Book, error) {
	in, err := openSource(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	games := pgn.NewReader(in).All()
	if !in.isPGN() {
		games = archive.NewScanner(in).All()
	}
	book := query.Repertoire{}
	for g, err := range games {
		if err != nil {
			return nil, inFile(path, err)
		}
		book.Add(g)
	}
	return book, nil
}

// openNovelty opens an archive and its index as what was played, in other games if it is one that is searched.
func openNovelty(ctx context.Context, path string, searched []string) (query.Book, func(), error) {
	sources, done, err := openSources([]string{path})
	if err != nil {
		return nil, nil, err
	}
	names, drop, err := addIndexes(sources, "", func(*index.Index) bool { return true })
	if err != nil {
		done()
		return nil, nil, err
	}
	close := func() { drop(); done() }
	if len(names) == 0 {
		err = usage("%s: --novelty needs an index of what the archive is now; ply11 index --force makes it", path)
	} else {
		sources[0].Archive, err = sources[0].Index.Archive(sources[0].File())
	}
	if err != nil {
		close()
		return nil, nil, err
	}
	most := 0
	for _, name := range searched {
		if same, _ := sameFile(name, path); same {
			most = 1
		}
	}
	return query.NewNovelty(ctx, sources, most), close, nil
}

// narrow leaves to a search for a whole position the games that may have it, by the indexes beside the archives.
func narrow(ctx context.Context, sources []query.Source, q *query.Query) (done func(), err error) {
	if !q.Exact() {
		return func() {}, nil
	}
	_, done, err = addIndexes(sources, "", func(x *index.Index) bool { return q.NarrowedBy(x) })
	if err != nil {
		return nil, err
	}
	for i := range sources {
		s := &sources[i]
		if s.Index == nil {
			continue
		}
		if err = s.Narrow(ctx, q); err != nil {
			done()
			return nil, fmt.Errorf("%s: %w; --no-index does without it", s.Index.Name, err)
		}
	}
	return done, nil
}

func isPGNName(path string) bool { return strings.EqualFold(filepath.Ext(bareName(path)), ".pgn") }

// foundGames is where found games are written, with their text as it is but for what is changed.
type foundGames struct {
	output            string
	pgn, dense, force bool
	changes           rewriteFlags
}

// write writes the games. Where none is found, it makes no file.
func (f *foundGames) write(ctx context.Context, q *query.Query, sources []query.Source, o query.Options,
	w window) (n int, err error) {
	names := make([]string, len(sources))
	for i := range sources {
		names[i] = sources[i].Name
	}
	create := createArchive
	if f.pgn {
		create = createTarget
	}
	out, err := create(f.output, f.force, names...)
	if err != nil {
		return 0, err
	}
	defer out.abandon()
	if !f.pgn && !f.changes.any() {
		selection := archive.NewSelection(out, archive.WithDense(f.dense))
		if n, err = copyFound(ctx, q, sources, o, w, selection.Copy); err != nil || n == 0 {
			return n, err
		}
		return n, out.endSelection(ctx, selection)
	}
	made := &f.changes.made
	if len(made.Order) > 0 && w.random == 0 {
		made.Skip, made.Limit, w.skip, w.limit = w.skip, w.limit, 0, 0
	}
	err = f.changes.rewrite(f.output, func(to *rewrite.Writer) error {
		n, err = copyFound(ctx, q, sources, o, w, to.Copy)
		if n = max(0, n-made.Skip); err == nil && n == 0 {
			err = errNoGame
		}
		return err
	}, func(in *source) error {
		if f.pgn {
			if _, err := io.Copy(out, in); err != nil {
				return inFile(f.output, err)
			}
			return out.end()
		}
		p := packing{quiet: true, known: true}
		p.Dense = f.dense
		_, _, err := p.into(ctx, in, out)
		return err
	})
	if n == 0 && errors.Is(err, errNoGame) {
		return 0, nil
	}
	return n, err
}

// copyFound gives copies of the found games to do.
func copyFound(ctx context.Context, q *query.Query, sources []query.Source, o query.Options, w window,
	do func(b *archive.Block, i int) error) (int, error) {
	type place struct{ source, number int }
	of := func(m *query.Match) (place, error) { return place{m.Source, m.Number}, nil }
	open := -1
	var r *archive.Reader
	return found(ctx, q, sources, o, w, of, func(p place) (err error) {
		s := sources[p.source]
		if open != p.source {
			if r, err = archive.NewReader(s.Reader, s.Size); err != nil {
				return inFile(s.Name, err)
			}
			open = p.source
		}
		b, i, err := r.Find(p.number)
		if err == nil {
			err = do(b, i)
		}
		return inFile(s.Name, err)
	})
}

// endSelection ends an archive of selected games, and gives it its name.
func (t *target) endSelection(ctx context.Context, selection *archive.Writer) error {
	if err := selection.Close(); err != nil {
		return inFile(t.path, err)
	}
	proof := packing{quiet: true}
	_, err := proof.publish(ctx, t, selection.Stats())
	return err
}
