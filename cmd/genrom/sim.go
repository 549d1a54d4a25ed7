// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"ply11/game/codec"
	"ply11/game/pgn"
	"ply11/sim/cosim"
	"ply11/sim/eda"
	"ply11/testdata"
)

func newSim() *cobra.Command {
	s := simulation{}
	var tool, mode, match string
	var legal bool
	var own netlistRun
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "Play games on the hardware, and compare it with the rules",
		Long: `Play games, in each codec that the hardware knows, on a netlist of ply11_player that Yosys made, and beside it on the
Verilog in Icarus and Verilator. Every beat and text must be what the codec says, every position what the rules of
chess say, and in every clock all outputs of the simulators must be those of the netlist. For a difference, sim prints
the clock, the signal, and both values and positions, and writes the clocks before it as VCD. Of the first 200 games,
every second one has idle clocks and back-pressure. What a codec cannot hold is counted below the table.

With --legal the players check moves by all the rules (LEGAL=1); Yosys makes their netlists, but for words, in a minute.

With --match, ply11_match searches behind the players for pieces on single squares, as ply11 find takes them as
--pattern, and for the terms stm, after-ply and before-ply behind ';'. It must find what package query finds, but in
variations and before a game's first ply.

With --netlist, sim runs a design of your own instead: an AIGER file, which Yosys makes of any Verilog with one clock
(see examples/netlist). It prints the outputs, or --signals, of every clock in hexadecimal. --stimulus is a table of
inputs: a line of names, then a line for each clock. Without it, the inputs are random.

Without --games, sim plays famous games. Plies a second are of processor time, without the building. Icarus plays some
thousand clocks a second: use --limit.

Exit code: 0 all agree; 3 a difference; 2 wrong usage; 1 a game could not be read, or only in part (the
others are compared); 7 a program is not installed.`,
		Example: `  go run ./cmd/genrom sim --tool icarus --mode words
  go run ./cmd/genrom sim --tool all --games master.pgn.zst --limit 1000
  go run ./cmd/genrom sim --tool verilator --mode brenner --games master.pgn.zst
  go run ./cmd/genrom sim --legal --mode words-32 --games master.pgn.zst
  go run ./cmd/genrom sim --mode words-32 --match 'Nf5 kg8 [QR]d1; stm=white' --games master.pgn.zst
  go run ./cmd/genrom sim --netlist fifo.aig --reset rst --clocks 500 --vcd fifo.vcd`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := simFlags(cmd); err != nil {
				return usage(err)
			}
			if own.file != "" {
				own.vcd, own.stdin, own.stdout = s.vcd, cmd.InOrStdin(), cmd.OutOrStdout()
				if !cmd.Flags().Changed("vcd") {
					own.vcd = ""
				}
				if own.stimulus == "" && own.clocks == 0 {
					own.clocks = 100
				}
				return own.run(cmd.Context())
			}
			s.tools = []string{tool}
			if tool == "all" {
				s.tools = cosim.Tools
			} else if !slices.Contains(cosim.Tools, tool) {
				return usage(fmt.Errorf("unknown tool %q; there are go, icarus, verilator and all", tool))
			}
			if s.codecs = cosim.FindCodecs(mode); s.codecs == nil {
				return usage(fmt.Errorf("unknown mode %q; there are %s", mode, strings.Join(modes(), ", ")))
			}
			if legal {
				s.codecs = cosim.Refereed(s.codecs)
			}
			if match != "" {
				if mode != "words" && mode != "words-32" || tool != "go" {
					return usage(errors.New("--match needs --mode words or words-32, and --tool go"))
				}
				var err error
				if s.match, err = newMatching(match); err != nil {
					return usage(fmt.Errorf("--match: %w", err))
				}
			}
			s.stdin, s.stdout, s.stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			return s.run(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&tool, "tool", "go", "go, icarus, verilator or all")
	cmd.Flags().StringVar(&mode, "mode", "all", strings.Join(modes(), ", "))
	cmd.Flags().StringVar(&s.name, "games", "", `PGN file, also compressed; "-" for standard input`)
	cmd.Flags().IntVar(&s.limit, "limit", 0, "how many games to take; 0 for all")
	cmd.Flags().BoolVar(&legal, "legal", false, "judge moves by all the rules")
	cmd.Flags().StringVar(&match, "match", "", "a pattern to search for by ply11_match")
	cmd.Flags().StringVar(&s.vcd, "vcd", ".", "folder for the VCD of a difference; with --netlist the file to write")
	cmd.Flags().StringVar(&own.file, "netlist", "",
		`AIGER file of a design to run instead, also compressed; "-" for standard input`)
	cmd.Flags().StringVar(&own.stimulus, "stimulus", "",
		`table of inputs; "-" for standard input; without it they are random`)
	cmd.Flags().StringSliceVar(&own.show, "signals", nil, "signals to print, by name; without it all outputs")
	cmd.Flags().StringVar(&own.reset, "reset", "", "input that is 1 in the first clocks, of random inputs")
	cmd.Flags().IntVar(&own.clocks, "clocks", 0, "how many clocks; 0 for all of --stimulus, or 100")
	cmd.Flags().Uint64Var(&own.seed, "seed", 1, "of random inputs")
	return cmd
}

func simFlags(cmd *cobra.Command) error {
	without := []string{"stimulus", "signals", "reset", "clocks", "seed"}
	flags := cmd.Flags()
	what := "needs --netlist"
	if flags.Changed("netlist") {
		without, what = []string{"tool", "mode", "games", "limit", "legal", "match"}, "is for games, not for --netlist"
		if flags.Changed("stimulus") {
			without, what = append(without, "reset", "seed"), "does not go with --netlist and --stimulus"
		}
	}
	for _, name := range without {
		if flags.Changed(name) {
			return fmt.Errorf("--%s %s", name, what)
		}
	}
	if flags.Lookup("netlist").Value.String() == "-" && flags.Lookup("stimulus").Value.String() == "-" {
		return errors.New("standard input is --netlist or --stimulus, not both")
	}
	if n, _ := flags.GetInt("clocks"); n < 0 {
		return fmt.Errorf("--clocks %d is less than 0", n)
	}
	return nil
}

func modes() []string {
	list := []string{"all"}
	for _, c := range cosim.Codecs() {
		if family, _, ok := strings.Cut(c.Name, "-"); ok && !slices.Contains(list, family) {
			list = append(list, family)
		}
		list = append(list, c.Name)
	}
	return list
}

type simulation struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	tools          []string
	codecs         []cosim.Codec
	name           string
	limit          int
	vcd            string
	match          *matching

	games, broken int
}

const maxReports = 10

// progressEvery is how often progress is printed, on a terminal alone. A test sets it to 0.
var progressEvery = 5 * time.Second

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (s *simulation) run(ctx context.Context) error {
	work, err := eda.NewWork()
	if err != nil {
		return err
	}
	defer work.Close()
	src, err := s.open()
	if err != nil {
		return err
	}
	defer src.Close()
	harnesses, err := cosim.NewHarnesses(ctx, work, s.codecs, s.tools)
	if err != nil {
		return simError(err)
	}
	plan := cosim.CrossPlan{Codecs: s.codecs, Tools: s.tools}
	if s.match != nil {
		plan.Match = &s.match.pattern
	}
	cross, err := cosim.NewCross(ctx, harnesses, plan)
	if err != nil {
		return simError(err)
	}
	readErr := s.read(ctx, src, cross)
	results, err := cross.Close()
	if readErr != nil {
		return readErr
	}
	if err != nil {
		return simError(err)
	}

	w := tabwriter.NewWriter(s.stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "mode\ttool\tgames\tplies\tclocks\tdifferences\tplies/s\t")
	var first error
	for i := range results {
		r := &results[i]
		differences := 0
		if d := r.Difference; d != nil {
			differences = 1
			if err := s.writeVCD(r); err != nil {
				return err
			}
			if err := fmt.Errorf("%s: %w", r.Codec, d); first == nil {
				first = err
			} else {
				fmt.Fprintf(s.stderr, "genrom: %v\n", err)
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%.0f\t\n", r.Codec, r.Tool, r.Games, r.Plies, r.Clocks, differences,
			r.PliesPerSecond())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if s.match != nil && first == nil {
		if first, err = s.match.compare(ctx, s.stdout, &results[0]); err != nil {
			return err
		}
	}
	if err := s.printLosses(results); err != nil {
		return err
	}
	switch {
	case first != nil:
		return differs(first)
	case s.broken > 0:
		return fmt.Errorf("%d of %d games could be read only in part", s.broken, s.games)
	}
	return nil
}

// simError makes an error of a simulation a difference if a program finds something wrong, or fails.
func simError(err error) error {
	var failed *eda.RunError
	if errors.As(err, &failed) || errors.Is(err, cosim.ErrCodec) || errors.Is(err, cosim.ErrPerft) {
		return differs(err)
	}
	return err
}

func (s *simulation) writeVCD(r *cosim.CrossResult) error {
	var b bytes.Buffer
	if err := r.Difference.WriteVCD(&b); err != nil {
		return err
	}
	path := filepath.Join(s.vcd, fmt.Sprintf("ply11_%s_%s.vcd", r.Codec, r.Tool))
	if err := writeFile(path, b.Bytes()); err != nil {
		return err
	}
	r.Difference.VCD = path
	return nil
}

// printLosses prints what the codecs cannot hold. Codecs that lose the same are named together.
func (s *simulation) printLosses(results []cosim.CrossResult) error {
	var b strings.Builder
	var lines []string
	names := make(map[string][]string)
	tell := func(codec, line string) {
		if names[line] == nil {
			lines = append(lines, line)
		}
		names[line] = append(names[line], codec)
	}
	for i, r := range results {
		if i > 0 && results[i-1].Codec == r.Codec {
			continue
		}
		for _, why := range slices.Sorted(maps.Keys(r.Refused)) {
			tell(r.Codec, fmt.Sprintf("%d games not held: %s", r.Refused[why], why))
		}
		for _, what := range slices.Sorted(maps.Keys(r.Lost)) {
			tell(r.Codec, fmt.Sprintf("not held of %d games: %s", r.Lost[what], what))
		}
	}
	for _, line := range lines {
		fmt.Fprintf(&b, "%s: %s\n", strings.Join(names[line], ", "), line)
	}
	_, err := io.WriteString(s.stdout, b.String())
	return err
}

func (s *simulation) open() (io.ReadCloser, error) {
	if s.name == "" {
		return io.NopCloser(strings.NewReader(testdata.Famous)), nil
	}
	f, err := openFile(s.name, s.stdin)
	if err != nil {
		return nil, err
	}
	return unpack(s.name, f)
}

// read passes the games on. Of a game that is broken it takes what is valid.
func (s *simulation) read(ctx context.Context, src io.Reader, cross *cosim.Cross) error {
	start := time.Now()
	told, watched := start, isTerminal(s.stderr)
	for g, err := range pgn.NewReader(src, pgn.WithName(s.name)).All() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var bad *codec.Error
		if err != nil && !errors.As(err, &bad) {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		s.games++
		if bad != nil {
			if s.broken++; s.broken <= maxReports {
				fmt.Fprintf(s.stderr, "genrom: %v\n", bad)
			}
		}
		if s.match != nil {
			if err := s.match.add(g); err != nil {
				return err
			}
		}
		cross.Add(g)
		if now := time.Now(); watched && now.Sub(told) >= progressEvery {
			told = now
			fmt.Fprintf(s.stderr, "genrom: %d games, %.0f s\n", s.games, now.Sub(start).Seconds())
		}
		if s.games == s.limit {
			break
		}
	}
	if s.games == 0 {
		return fmt.Errorf("%s: there is no game in it", s.name)
	}
	return nil
}
