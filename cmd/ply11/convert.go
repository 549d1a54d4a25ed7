// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/game/codec"
	"ply11/internal/formats"
	"ply11/internal/httprange"
	"ply11/query"
	"ply11/query/rewrite"
)

// formatOf finds a format by name, or by a file's name.
func formatOf(flag, name, path string) (*formats.Format, error) {
	if name != "" {
		f, err := formats.ByName(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; there are %s", flag, err, strings.Join(formats.Names(), ", "))
		}
		return f, nil
	}
	f, err := formats.ByPath(httprange.Name(path))
	if err != nil {
		return nil, fmt.Errorf("%w; use %s", err, flag)
	}
	return f, nil
}

func optionsHelp() string {
	var b strings.Builder
	for _, f := range formats.All {
		fmt.Fprintf(&b, "  %-12s %s (%s)\n", f.Name, f.Description, strings.Join(f.Extensions, " "))
		for _, o := range f.Options {
			values := strings.Join(o.Values, "|")
			if values == "" {
				values = "…"
			}
			fmt.Fprintf(&b, "  %-12s   %s=%s  %s\n", "", o.Name, values, o.Description)
		}
	}
	return b.String()
}

func parseOptions(list []string) (map[string]string, error) {
	m := map[string]string{}
	for _, s := range list {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, usage("an option is name=value, not %q", s)
		}
		m[name] = value
	}
	return m, nil
}

func convertCommand() *cobra.Command {
	var from, to, output, onError, split string
	var changes rewriteFlags
	var fromOptions, toOptions []string
	var lossy, dense, force, quiet bool
	var block int
	cmd := &cobra.Command{
		Use:   "convert [flags] --to format input",
		Short: "Convert games from one format to another",
		Long: `Convert games from one format to another. The names of the files say the formats, unless --from and
--to do. If the new format cannot hold a part of a game, the command names this part and stops. With --lossy, it
leaves the part out and reports it. The command refuses a text without a game.

Brenner's codes and jose's GameText have no place for a start position, without which no move of such a game can be
read: --lossy leaves out the start and the moves. A table of jose's (.tsv) has the start in a column.

From p11 to p11 nothing is lost, and the archive is the one that pack makes of the same text: with --dense the moves
become dense, without it they take eleven bits each, and filters that are missing are made.

Of PGN and archives, --sort changes the order of the games, in a temporary file if they are many, and --set, --unset,
--set-eco, --rename and --strip change what is in them. What they do not change keeps its text to the byte. --split-by
writes several files into the folder --output, each named after what its games have in common.

Formats and their options:
` + optionsHelp(),
		Example: `  ply11 convert --to uci --lossy games.pgn
  ply11 convert -o games.brn --lossy games.p11
  ply11 convert --dense -o cold.p11 games.p11
  ply11 convert -o games.p11 cold.p11
  ply11 convert --dense --block 100 -o cold.p11 games.p11
  ply11 convert --sort date,event,round --set-eco -o sorted.p11 games.pgn
  ply11 convert --strip comments,variations -o plain.pgn games.pgn
  ply11 convert --rename players.ssp -o named.p11 games.p11
  ply11 convert --split-by player --to pgn -o players games.p11`,
		Args: argCount(1, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !cmd.Flags().Changed("on-error") {
			onError = "skip"
		}
		policy, err := archive.ParsePolicy(onError)
		if err != nil {
			return usage("--on-error: %w", err)
		}
		if err := changes.load(); err != nil {
			return err
		}
		src, err := formatOf("--from", from, args[0])
		if err != nil {
			return err
		}
		if output == "" && to == "" {
			return usage("use --to or --output to say the target format")
		}
		var by func(*game.Game) []string
		if split != "" {
			if by, err = rewrite.ParseSplit(split); err != nil {
				return usage("--split-by: %w", err)
			}
			if output == "" || output == "-" {
				return usage("--split-by writes files into a folder; --output names it")
			}
		}
		if output == "" {
			output = "-"
		}
		if by != nil && to == "" {
			to = src.Name
		}
		dst, err := formatOf("--to", to, output)
		if err != nil {
			return err
		}
		if to == "" && dst.Name == "polyglot" && !quiet {
			say("%s becomes an opening book of Polyglot; --to makes it something else", output)
		}
		readValues, err := parseOptions(fromOptions)
		if err != nil {
			return err
		}
		writeValues, err := parseOptions(toOptions)
		if err != nil {
			return err
		}
		if dense {
			if dst.Name != "p11" {
				return usage("--dense: the output is %s, not p11", dst.Name)
			}
			writeValues["moves"] = "dense"
		}
		if cmd.Flags().Changed("block") {
			if dst.Name != "p11" {
				return usage("--block: the output is %s, not p11", dst.Name)
			}
			writeValues["block"] = strconv.Itoa(block)
		}
		ro := formats.Options{Values: readValues, Note: noteOf(args[0], quiet)}
		wo := formats.Options{Lossy: lossy, Values: writeValues, Note: noteOf(output, quiet)}
		if err := cmp.Or(src.Check(ro), dst.Check(wo)); err != nil {
			return err
		}
		c := conversion{src: src, dst: dst, ro: ro, wo: wo, input: args[0], output: output, policy: policy,
			force: force, quiet: quiet, changes: changes, by: by}
		if dst.Name == "p11" && (src.Name == "pgn" || src.Name == "p11") {
			if !cmd.Flags().Changed("on-error") {
				c.policy = archive.Keep // an archive keeps what other formats cannot
			}
		} else if policy == archive.Keep {
			return usage("--on-error keep: the format %s holds valid games only", dst.Name)
		}
		return c.run(cmd.Context())
	}
	f := cmd.Flags()
	f.StringVar(&from, "from", "", "the input's format")
	f.StringVar(&to, "to", "", "the output's format")
	f.StringVarP(&output, "output", "o", "", "the output; by default the standard output")
	f.StringArrayVar(&fromOptions, "from-option", nil, "an option of the input's format, name=value")
	f.StringArrayVar(&toOptions, "to-option", nil, "an option of the output's format, name=value")
	f.BoolVar(&lossy, "lossy", false, "drop what the target format cannot hold, and report it")
	f.BoolVar(&dense, "dense", false, "to p11: store moves in about three bits; short for --to-option moves=dense")
	blockFlag(f, &block, "to p11: games of a block, 1 to 4096; short for --to-option block=")
	changes.add(cmd)
	f.Var(namedValue{&split, "FIELD"}, "split-by", "a file for each eco, year, event, site, white, black, player or "+
		"result, in the folder --output")
	inGroup(cmd, groupChanges, "split-by")
	f.StringVar(&onError, "on-error", "", "what becomes of invalid games: keep (from pgn to p11 alone, and the "+
		"default there), skip (the default else), stop")
	common(cmd, &force, &quiet, nil)
	return cmd
}

// conversion is a file that is converted to another.
type conversion struct {
	src, dst      *formats.Format
	ro, wo        formats.Options // for reading and for writing
	input, output string
	policy        archive.Policy
	force, quiet  bool
	changes       rewriteFlags
	by            func(*game.Game) []string // of --split-by, or nil
}

func (c *conversion) run(ctx context.Context) error {
	if c.changes.any() || c.by != nil {
		return c.rewrite(ctx)
	}
	in, err := openInput(c.src, c.input)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := c.create(c.output)
	if err != nil {
		return err
	}
	defer out.abandon()
	if c.dst.Name == "p11" && (c.src.Name == "pgn" || c.src.Name == "p11") {
		return c.archive(ctx, in, out)
	}
	return c.games(in, out)
}

func (c *conversion) create(path string) (*target, error) {
	if c.dst.Name == "p11" {
		return createAnyArchive(path, c.force, c.input)
	}
	return createTarget(path, c.force, c.input)
}

// rewrite writes games that are changed or sorted on their way.
func (c *conversion) rewrite(ctx context.Context) error {
	games, done, err := c.archived(ctx)
	if err != nil {
		return err
	}
	defer done()
	copyGames := func(w *rewrite.Writer) error {
		return copyAll(games, "reading", c.quiet, w, everyGame)
	}
	if c.by == nil {
		return c.changes.rewrite(c.output, copyGames, func(in *source) error { return c.written(ctx, in, c.output) })
	}
	// groups of one file are one
	by := func(g *game.Game) []string {
		names := c.by(g)
		for i := range names {
			names[i] = fileName(names[i])
		}
		return slices.Compact(names)
	}
	taken := map[string]int{} // some systems have one file for names that differ in their case alone
	return c.changes.rewriteSplit(filepath.Join(c.output, "games"), by, copyGames,
		func(in *source, name string) error {
			folded := strings.ToLower(name)
			if taken[folded]++; taken[folded] > 1 {
				name = fmt.Sprintf("%s~%d", name, taken[folded])
			}
			return c.written(ctx, in, filepath.Join(c.output, name+c.dst.Extensions[0]))
		})
}

// archived gives the input as an archive.
func (c *conversion) archived(ctx context.Context) (s query.Source, done func(), err error) {
	s.Name = c.input
	switch c.src.Name {
	case "p11":
		f, err := openGames(c.input)
		if err != nil {
			return s, nil, err
		}
		s.Reader, s.Size = f, f.size
		return s, f.Close, nil
	case "pgn":
		in, err := openSource(c.input)
		if err != nil {
			return s, nil, err
		}
		defer in.Close()
		p := packing{OnError: c.policy, quiet: c.quiet}
		r, out, _, err := p.spool(ctx, in)
		if err != nil {
			return s, nil, err
		}
		s.Reader, s.Size = r, r.Size()
		return s, out.abandon, nil
	}
	return s, nil, usage("games of %s are not changed on the way; convert them to p11 first", c.src.Name)
}

// written writes an output of PGN that is read.
func (c *conversion) written(ctx context.Context, in *source, path string) error {
	out, err := c.create(path)
	if err != nil {
		return err
	}
	defer out.abandon()
	to := *c
	to.output = path
	to.src, _ = formats.ByName("pgn")
	switch {
	case c.dst.Name == "p11":
		return to.archive(ctx, in, out)
	case c.dst.Name == "pgn" && len(c.wo.Values) == 0:
		if _, err := io.Copy(out, in); err != nil {
			return inFile(path, err)
		}
		return out.end()
	}
	return to.games(in, out)
}

// archive makes an archive of PGN, or of another archive.
func (c *conversion) archive(ctx context.Context, in *source, out *target) error {
	o, err := formats.ArchiveOptions(c.wo)
	if err != nil {
		return err
	}
	p := packing{Archive: o, OnError: c.policy, quiet: c.quiet, known: c.changes.any() || c.by != nil}
	if c.src.Name == "pgn" {
		stats, _, err := p.into(ctx, in, out)
		if err == nil {
			p.tell(c.output, stats)
		}
		return err
	}
	if in.smallBlocks(&p) && p.BlockGames == 0 {
		p.BlockGames = 1024
	}
	var t teller
	bar := newProgress("converting", in.size, c.quiet)
	want, err := archive.Copy(ctx, out, []io.Reader{in}, archive.WithDense(o.Dense), archive.WithFilter(!o.NoFilter),
		archive.WithBlockGames(p.BlockGames), archive.WithPolicy(c.policy), archive.WithCanonical(p.Canonical),
		archive.WithMeta(p.Meta),
		archive.WithReport(func(e *codec.Error) { e.File = c.input; t.tell(e) }),
		archive.WithProgress(func(s archive.Stats) { bar.set(in.read.n, s) }))
	bar.finish()
	t.finish("invalid games")
	if err != nil {
		return stopped(c.input, err)
	}
	_, err = p.publish(ctx, out, want)
	return err
}

func (c *conversion) games(in *source, out *target) error {
	bar := newProgress("converting", in.size, c.quiet)
	defer bar.finish()
	var names []string // what is lost of a game
	c.wo.Report = func(l *codec.LossError) { names = l.Names }
	w, err := c.dst.Write(out.output(), c.wo)
	if err != nil {
		return inFile(c.output, err)
	}
	var stats archive.Stats
	var bad, beside, lost teller
	refused := 0
	losses := map[string]int{}
	number := 0
	for g, err := range gamesOf(c.src, in, c.ro) {
		number++
		if codec.IsBeside(err) {
			beside.tell(inFile(c.input, err))
			err = nil
		}
		if err != nil {
			if !isGameError(err) {
				return inFile(c.input, err)
			}
			if c.policy == archive.Stop {
				return &exitCode{err: inFile(c.input, err), code: exitInvalid}
			}
			bad.tell(inFile(c.input, err))
			continue
		}
		names = nil
		err = w.Write(g)
		if list := codec.LossesOf(err); list != nil {
			refused++
			lost.tell(fmt.Errorf("%s: game %d: %s cannot hold %s", c.input, number, c.dst.Name,
				strings.Join(list, ", ")))
			continue
		}
		if err != nil {
			if codeOf(err) == exitError {
				return fmt.Errorf("%s: game %d: %w", c.output, number, err)
			}
			refused++
			lost.tell(fmt.Errorf("%s: game %d: %w", c.input, number, err))
			continue
		}
		for _, kind := range lossKinds(names) {
			losses[kind]++
		}
		stats.Games++
		stats.Plies += int64(g.Len())
		if stats.Games%1024 == 0 {
			bar.set(in.read.n, stats)
		}
	}
	bar.finish()
	beside.finish("games with an error beside the main line")
	bad.finish("invalid games, which are left out")
	lost.finish("games with losses")
	if refused > 0 && !c.wo.Lossy {
		return fail(exitLoss, "%d of %d games hold what %s cannot; --lossy drops it", refused, number, c.dst.Name)
	}
	if err := w.Close(); err != nil {
		return inFile(c.output, err)
	}
	if err := out.end(); err != nil {
		return err
	}
	if !c.quiet {
		say("%d games written, %d invalid and left out, %d that %s cannot hold at all", stats.Games, bad.n, refused,
			c.dst.Name)
		for _, k := range slices.Sorted(maps.Keys(losses)) {
			say("lost: %s in %d games", k, losses[k])
		}
	}
	if refused > 0 {
		return failed(exitLoss)
	}
	return nil
}

// lossKind is a loss without its place and number.
func lossKind(s string) string {
	s, _, _ = strings.Cut(s, " at ply")
	return strings.TrimSpace(strings.TrimLeft(s, "0123456789"))
}

// lossKinds returns the kinds of a game's losses, each once.
func lossKinds(names []string) []string {
	kinds := make([]string, 0, len(names))
	for _, name := range names {
		kinds = append(kinds, lossKind(name))
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// smallBlocks reports whether an archive has more blocks than pack makes of its games, and sets what p keeps of it.
func (s *source) smallBlocks(p *packing) bool {
	if s.file == nil || !s.plain {
		return false
	}
	r, err := archive.NewReader(s.file, s.size)
	if err != nil {
		return false // what is wrong is told where it is read
	}
	p.Meta = r.Meta()
	const games, text = 1024, 1 << 20 // of a block that pack makes
	n := r.Stats()
	small := n.Blocks > 1 && n.Games < n.Blocks*games/2 && n.Text < int64(n.Blocks)*text/2
	p.Canonical = small && r.Canonical()
	return small
}
