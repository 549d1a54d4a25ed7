// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game/pgn"
	"ply11/internal/formats"
)

// writeJSON writes a value as JSON to the standard output.
func writeJSON(v any) error {
	e := json.NewEncoder(&stdout)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// maxTold is how many errors of games are told one by one.
const maxTold = 100

// teller tells errors of games to the standard error, and counts those beyond maxTold.
type teller struct{ n int }

func (t *teller) tell(err error) {
	if t.n++; t.n <= maxTold {
		fmt.Fprintln(os.Stderr, "ply11:", err)
	}
}

func (t *teller) finish(what string) {
	if t.n > maxTold {
		fmt.Fprintf(os.Stderr, "ply11: and %d more %s\n", t.n-maxTold, what)
	}
}

// packedName is the archive's name if none is given: that of the input, with .p11.
func packedName(path string) string {
	if path == "-" {
		return "-"
	}
	for _, ends := range [][]string{{".zst", ".gz", ".bz2"}, {".pgn"}} {
		if ext := filepath.Ext(path); slices.Contains(ends, strings.ToLower(ext)) {
			path = strings.TrimSuffix(path, ext)
		}
	}
	return path + ".p11"
}

func packCommand() *cobra.Command {
	var output, onError string
	var o archive.Options
	var force, noVerify, quiet, asJSON bool
	cmd := &cobra.Command{
		Use:   "pack [flags] games.pgn",
		Short: "Pack PGN into an archive that unpacks to its very bytes",
		Long: `Pack a PGN file into an archive that unpacks to its very bytes: layout, invalid games, text between
games and all. The result is read back and compared before it gets its name (not on a pipe).

Moves take eleven bits, each at a computed address. With --dense they take some three bits, and to read a game is to
decode the moves of its block: larger blocks are smaller in sum, and take longer to reach a game in.`,
		Example: `  ply11 pack games.pgn
  ply11 pack --dense games.pgn.zst
  ply11 pack --dense --block 100 -o cold.p11 games.pgn
  curl -s https://example.org/games.pgn | ply11 pack -o games.p11 -`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			policy, ok := archive.ParsePolicy(onError)
			if !ok {
				return usage("--on-error is keep, skip or stop, not %q", onError)
			}
			o.OnError = policy
			if o.BlockGames < 1 || o.BlockGames > 4096 {
				return usage("--block is 1 to 4096, not %d", o.BlockGames)
			}
			if o.Workers < 0 {
				return usage("--workers is 0 or more, not %d", o.Workers)
			}
			if output == "" {
				output = packedName(args[0])
			}
			if asJSON && output == "-" {
				return usage("--json and --output - are both written to the standard output")
			}
			in, err := openSource(args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			out, err := createTarget(output, force)
			if err != nil {
				return err
			}
			defer out.abandon()
			bar := newProgress("packing", in.size, quiet)
			var told teller
			o.Report = func(e *pgn.GameError) {
				e.File = args[0]
				told.tell(e)
			}
			o.Progress = func(s archive.Stats) { bar.set(in.read.n, s) }
			stats, err := archive.Pack(out, in, o)
			bar.finish()
			told.finish("invalid games")
			if err != nil {
				return stopped(args[0], err)
			}
			if err := out.finish(); err != nil {
				return err
			}
			verified := false
			if !noVerify && len(out.files) == 1 {
				if err := prove(out.files[0].f.Name(), output, stats, o.Workers, quiet); err != nil {
					return fmt.Errorf("%s: the archive does not prove right and is not kept: %w", output, err)
				}
				verified = true
			}
			if err := out.commit(); err != nil {
				return err
			}
			if asJSON {
				return writeJSON(struct {
					archive.Stats
					Verified bool `json:"verified"`
				}{stats, verified})
			}
			if !quiet {
				fmt.Fprintf(os.Stderr, "ply11: %s: %d games, %d plies, %d bytes of text in %d bytes (%.2f a game)\n", output,
					stats.Games, stats.Plies, stats.Text, stats.Bytes, float64(stats.Bytes)/float64(max(stats.Games, 1)))
				if o.Dense && stats.Fixed > 0 {
					fmt.Fprintf(os.Stderr, "ply11: the moves of %d blocks cannot be coded densely, and take eleven bits\n", stats.Fixed)
				}
				if stats.Invalid > 0 {
					kept := "kept as their exact text"
					if policy == archive.Skip {
						kept = "left out"
					}
					fmt.Fprintf(os.Stderr, "ply11: %d games are not valid and were %s\n", stats.Invalid, kept)
				}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&output, "output", "o", "", "the archive; by default the input's name with .p11")
	f.BoolVar(&o.Canonical, "canonical", false, "drop the layout of the text, keep all content")
	f.BoolVar(&o.Dense, "dense", false, "store moves in some three bits, for the smallest file")
	f.StringVar(&onError, "on-error", "keep", "what becomes of invalid games: keep (as exact text), skip, stop")
	f.BoolVar(&noVerify, "no-verify", false, "do not read the archive back")
	f.IntVar(&o.BlockGames, "block", 1024, "games of a block, 1 to 4096")
	f.IntVarP(&o.Workers, "workers", "j", 0, "processors to use, 0 for all, at most 4")
	common(cmd, &force, &quiet, &asJSON)
	return cmd
}

// stopped is the error that ended the packing of a file. That of a game was told when it was met.
func stopped(path string, err error) error {
	var bad *pgn.GameError
	if errors.As(err, &bad) {
		return &exitCode{err: err, code: exitInvalid, told: true}
	}
	return inFile(path, err)
}

// inFile gives an error the name of its file, if it does not tell it itself.
func inFile(path string, err error) error {
	var bad *pgn.GameError
	if errors.As(err, &bad) && bad.File != "" {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// common adds the flags that many commands have.
func common(cmd *cobra.Command, force, quiet, asJSON *bool) {
	f := cmd.Flags()
	if force != nil {
		f.BoolVarP(force, "force", "f", false, "replace an existing file")
	}
	if quiet != nil {
		f.BoolVarP(quiet, "quiet", "q", false, "tell nothing but errors")
	}
	if asJSON != nil {
		f.BoolVar(asJSON, "json", false, "write the result as JSON")
	}
}

// prove unpacks a new archive, that will have the name given, and compares the hash.
func prove(path, name string, want archive.Stats, workers int, quiet bool) error {
	f, err := openNamed(path, name)
	if err != nil {
		return err
	}
	defer f.Close()
	bar := newProgress("verifying", want.Bytes, quiet)
	defer bar.finish()
	got, err := archive.Unpack(io.Discard, f, workers, func(s archive.Stats) { bar.set(s.Bytes, s) })
	if err != nil {
		return err
	}
	if got.Games != want.Games || got.Text != want.Text && want.Hashed || want.Hashed && got.SHA256 != want.SHA256 {
		return fmt.Errorf("%w: it unpacks to other bytes", archive.ErrCorrupt)
	}
	return nil
}

func unpackCommand() *cobra.Command {
	var output string
	var force, quiet bool
	var workers int
	cmd := &cobra.Command{
		Use:   "unpack [flags] games.p11",
		Short: "Unpack an archive to the PGN that was packed",
		Long: `Unpack an archive to the PGN that was packed, byte for byte (unless it is canonical). Everything is
verified on the way; on an error, no file is left.`,
		Example: `  ply11 unpack games.p11
  ply11 unpack -o games.pgn.zst games.p11
  ply11 unpack -o - games.p11 | grep -c 1-0`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if workers < 0 {
				return usage("--workers is 0 or more, not %d", workers)
			}
			if output == "" {
				output = "-"
				if args[0] != "-" {
					output = strings.TrimSuffix(args[0], ".p11") + ".pgn"
				}
			}
			in, err := openSource(args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			out, err := createTarget(output, force)
			if err != nil {
				return err
			}
			defer out.abandon()
			bar := newProgress("unpacking", in.size, quiet)
			_, err = archive.Unpack(out, in, workers, func(s archive.Stats) { bar.set(s.Bytes, s) })
			bar.finish()
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if err := out.finish(); err != nil {
				return err
			}
			return out.commit()
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "the PGN file; by default the input's name with .pgn")
	cmd.Flags().IntVarP(&workers, "workers", "j", 0, "processors to use, 0 for all, at most 4")
	common(cmd, &force, &quiet, nil)
	return cmd
}

// formatOf finds a format by name, or by a file's name.
func formatOf(flag, name, path string) (*formats.Format, error) {
	if name != "" {
		f, err := formats.ByName(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; there are %s", flag, err, strings.Join(formatNames(), ", "))
		}
		return f, nil
	}
	f, err := formats.ByPath(path)
	if err != nil {
		return nil, fmt.Errorf("%w; %s tells it", err, flag)
	}
	return f, nil
}

func formatNames() []string {
	var names []string
	for _, f := range formats.All() {
		names = append(names, f.Name)
	}
	return names
}

// optionsHelp lists the formats and their options.
func optionsHelp() string {
	var b strings.Builder
	for _, f := range formats.All() {
		way := "read and written"
		if f.Read == nil {
			way = "written only"
		} else if f.Write == nil {
			way = "read only"
		}
		fmt.Fprintf(&b, "  %-12s %s (%s; %s)\n", f.Name, f.Description, strings.Join(f.Extensions, " "), way)
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

// parseOptions reads name=value.
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
	var from, to, output, onError string
	var fromOptions, toOptions []string
	var lossy, dense, force, quiet bool
	var block int
	cmd := &cobra.Command{
		Use:   "convert [flags] --to format input",
		Short: "Convert games from one format to another",
		Long: `Convert games between formats. Formats are found by the files' names where --from and --to do not tell.
What the target format cannot hold is refused, with each loss named; --lossy drops it and reports it.

From p11 to p11 nothing is lost, neither layout nor invalid games: the moves become dense with --dense, and eleven bits
each without, and the archive is the one that pack makes of the same text.

Formats and their options:
` + optionsHelp(),
		Example: `  ply11 convert --to uci --lossy games.pgn
  ply11 convert -o games.brn --lossy games.p11
  ply11 convert --dense -o cold.p11 games.p11
  ply11 convert -o games.p11 cold.p11
  ply11 convert --dense --block 100 -o cold.p11 games.p11`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("on-error") {
				onError = "skip"
			}
			policy, ok := archive.ParsePolicy(onError)
			if !ok {
				return usage("--on-error is keep, skip or stop, not %q", onError)
			}
			src, err := formatOf("--from", from, args[0])
			if err != nil {
				return err
			}
			if output == "" && to == "" {
				return usage("--to or --output must tell the target format")
			}
			if output == "" {
				output = "-"
			}
			dst, err := formatOf("--to", to, output)
			if err != nil {
				return err
			}
			if src.Read == nil {
				return fmt.Errorf("%w: %s cannot be read", formats.ErrDirection, src.Name)
			}
			if dst.Write == nil {
				return fmt.Errorf("%w: %s cannot be written", formats.ErrDirection, dst.Name)
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
			if err := errors.Join(src.Check(ro), dst.Check(wo)); err != nil {
				return err
			}
			return convert(src, dst, ro, wo, args[0], output, policy, cmd.Flags().Changed("on-error"), force, quiet)
		},
	}
	f := cmd.Flags()
	f.StringVar(&from, "from", "", "the input's format")
	f.StringVar(&to, "to", "", "the output's format")
	f.StringVarP(&output, "output", "o", "", "the output; by default the standard output")
	f.StringArrayVar(&fromOptions, "from-option", nil, "an option of the input's format, name=value")
	f.StringArrayVar(&toOptions, "to-option", nil, "an option of the output's format, name=value")
	f.BoolVar(&lossy, "lossy", false, "drop what the target format cannot hold, and report it")
	f.BoolVar(&dense, "dense", false, "to p11: store moves in some three bits; short for --to-option moves=dense")
	f.IntVar(&block, "block", 1024, "to p11: games of a block, 1 to 4096; short for --to-option block=")
	f.StringVar(&onError, "on-error", "", "what becomes of invalid games: keep (from pgn to p11 alone, and the default there), skip (the default else), stop")
	common(cmd, &force, &quiet, nil)
	complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return formatNames(), cobra.ShellCompDirectiveNoFileComp
	}
	cmd.RegisterFlagCompletionFunc("from", complete)
	cmd.RegisterFlagCompletionFunc("to", complete)
	return cmd
}

// convert copies the games.
func convert(src, dst *formats.Format, ro, wo formats.Options, input, output string, policy archive.Policy, told, force, quiet bool) error {
	in, err := openSource(input)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := createTarget(output, force)
	if err != nil {
		return err
	}
	defer out.abandon()
	bar := newProgress("converting", in.size, quiet)
	var stats archive.Stats
	if dst.Name == "p11" && (src.Name == "pgn" || src.Name == "p11") {
		// An archive keeps what other formats cannot.
		if !told {
			policy = archive.Keep
		}
		var t teller
		o, err := formats.ArchiveOptions(wo)
		if err != nil {
			return err
		}
		o.OnError = policy
		o.Report = func(e *pgn.GameError) { e.File = input; t.tell(e) }
		o.Progress = func(s archive.Stats) { bar.set(in.read.n, s) }
		switch form := (archive.RecodeOptions{Form: archive.Fixed, Progress: o.Progress}); {
		case src.Name == "pgn":
			o.Canonical = true
			_, err = archive.Pack(out, in, o)
		case o.BlockGames > 0 || policy != archive.Keep:
			_, err = archive.Repack(out, in, o)
		default:
			if o.Dense {
				form.Form = archive.Dense
			}
			_, err = archive.Recode(out, form, in)
		}
		bar.finish()
		t.finish("invalid games")
		if err != nil {
			return stopped(input, err)
		}
		if err := out.finish(); err != nil {
			return err
		}
		return out.commit()
	}
	if policy == archive.Keep {
		return usage("--on-error keep: the format %s holds valid games only", dst.Name)
	}
	w, err := dst.Write(out.output(force), wo)
	if err != nil {
		return fmt.Errorf("%s: %w", output, err)
	}
	var bad, lost teller
	refused := 0
	losses := map[string]int{}
	number := 0
	for g, err := range src.Read(in.input(), ro) {
		number++
		if err != nil {
			if !isGameError(err) {
				bar.finish()
				return fmt.Errorf("%s: %w", input, err)
			}
			if policy == archive.Stop {
				bar.finish()
				return &exitCode{err: inFile(input, err), code: exitInvalid}
			}
			bad.tell(inFile(input, err))
			continue
		}
		names, err := w.Write(g)
		if list, ok := formats.Losses(err); ok {
			refused++
			lost.tell(fmt.Errorf("%s: game %d: %s cannot hold %s", input, number, dst.Name, strings.Join(list, ", ")))
			continue
		}
		if err != nil {
			if codeOf(err) == exitError {
				bar.finish()
				return fmt.Errorf("%s: game %d: %w", output, number, err)
			}
			refused++
			lost.tell(fmt.Errorf("%s: game %d: %w", input, number, err))
			continue
		}
		for _, kind := range lossKinds(names) {
			losses[kind]++
		}
		stats.Games++
		stats.Plies += uint64(g.Len())
		if stats.Games%1024 == 0 {
			bar.set(in.read.n, stats)
		}
	}
	bar.finish()
	bad.finish("invalid games, which are left out")
	lost.finish("games with losses")
	if refused > 0 && !wo.Lossy {
		return &exitCode{code: exitLoss, err: fmt.Errorf("%d of %d games hold what %s cannot; --lossy drops it", refused, number, dst.Name)}
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("%s: %w", output, err)
	}
	if err := out.finish(); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	if !quiet {
		fmt.Fprintf(os.Stderr, "ply11: %d games written, %d invalid and left out, %d that %s cannot hold at all\n", stats.Games, bad.n, refused, dst.Name)
		kinds := make([]string, 0, len(losses))
		for k := range losses {
			kinds = append(kinds, k)
		}
		slices.Sort(kinds)
		for _, k := range kinds {
			fmt.Fprintf(os.Stderr, "ply11: lost: %s in %d games\n", k, losses[k])
		}
	}
	if refused > 0 {
		return &exitCode{code: exitLoss, told: true, err: errors.New("games refused")}
	}
	return nil
}

// lossKind is a loss without its place and number, for counting.
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

// isGameError reports whether an error concerns one game only.
func isGameError(err error) bool {
	if errors.Is(err, archive.ErrCorrupt) {
		return false
	}
	var a *pgn.GameError
	var b *formats.GameError
	var c interface{ OfGame() bool }
	return errors.As(err, &a) || errors.As(err, &b) || errors.As(err, &c) || isWordError(err)
}

func catCommand() *cobra.Command {
	var output string
	var dense, fixed, force, quiet bool
	o := archive.RecodeOptions{}
	cmd := &cobra.Command{
		Use:     "cat [flags] a.p11 b.p11 ...",
		Aliases: []string{"merge"},
		Short:   "Put archives one after the other",
		Long: `Put archives one after the other. Their blocks are verified and copied as they are; with --dense or --fixed, the moves are
stored anew. The new archive unpacks to the texts of the old ones, one after the other.`,
		Example: `  ply11 cat -o all.p11 a.p11 b.p11
  ply11 cat --dense -o cold.p11 2023.p11 2024.p11`,
		Args: argCount(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if output == "" {
				output = "-"
			}
			switch {
			case dense && fixed:
				return usage("--dense and --fixed are two forms of moves: ask for one")
			case dense:
				o.Form = archive.Dense
			case fixed:
				o.Form = archive.Fixed
			}
			if o.Workers < 0 {
				return usage("--workers is 0 or more, not %d", o.Workers)
			}
			var srcs []io.Reader
			for _, path := range args {
				in, err := openSource(path)
				if err != nil {
					return err
				}
				defer in.Close()
				srcs = append(srcs, in)
			}
			out, err := createTarget(output, force)
			if err != nil {
				return err
			}
			defer out.abandon()
			stats, err := archive.Recode(out, o, srcs...)
			var of *archive.SourceError
			if errors.As(err, &of) {
				return fmt.Errorf("%s: %w", args[of.Source], err)
			}
			if err != nil {
				return err
			}
			if err := out.finish(); err != nil {
				return err
			}
			if err := out.commit(); err != nil {
				return err
			}
			if !quiet {
				fmt.Fprintf(os.Stderr, "ply11: %d games in %d bytes\n", stats.Games, stats.Bytes)
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "the new archive; by default the standard output")
	cmd.Flags().BoolVar(&dense, "dense", false, "store all moves in some three bits")
	cmd.Flags().BoolVar(&fixed, "fixed", false, "store all moves in eleven bits, at computed addresses")
	cmd.Flags().IntVarP(&o.Workers, "workers", "j", 0, "processors to use, 0 for all, at most 4")
	common(cmd, &force, &quiet, nil)
	return cmd
}
