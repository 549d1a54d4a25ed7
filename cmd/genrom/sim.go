// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/famous"
	"ply11/moveindex"
	"ply11/sim/drive"
)

// isMissing reports whether the error is that of a program that is not installed.
func isMissing(err error) bool {
	var missing *drive.MissingError
	return errors.As(err, &missing)
}

// newSim returns the command that passes games through the hardware.
func newSim() *cobra.Command {
	var tool, games string
	var limit int
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "Pass games through the emitted Verilog in a simulator, and compare",
		Long: `sim takes the moves of the main line of every game as indices through the emitted ply11_decode, and
what it decodes through ply11_encode, in a simulator, and compares what comes back with what went in.
Plies a second are those of processor time, without building the simulation. Without --games it takes
the famous games that genrom has with it. A file may be compressed by zstd; "-" is standard input.
Exit status: 1 if a move comes back as another, 3 if a game could not be read, 4 if a program is not
installed.`,
		Example: `  go run ./cmd/genrom sim --tool icarus
  go run ./cmd/genrom sim --tool all --games master.pgn.zst --limit 1000`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			tools := []string{tool}
			if tool == "all" {
				tools = drive.Tools
			} else if !slices.Contains(drive.Tools, tool) {
				return usage(fmt.Errorf("unknown tool %q; there are go, icarus, verilator and all", tool))
			}
			return runSim(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), tools, games, limit)
		},
	}
	cmd.Flags().StringVar(&tool, "tool", "go", "go, icarus, verilator or all")
	cmd.Flags().StringVar(&games, "games", "", `PGN file, also .zst; "-" for standard input`)
	cmd.Flags().IntVar(&limit, "limit", 0, "how many games to take; 0 for all")
	return cmd
}

// What was read of a file of games.
type gameCount struct {
	games, broken, nulls int
}

// maxReports is how many broken games are reported one by one.
const maxReports = 10

func runSim(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, tools []string, name string, limit int) error {
	work, err := drive.NewWork()
	if err != nil {
		return inout(err)
	}
	defer work.Close()
	moves, err := work.NewMoves()
	if err != nil {
		return inout(err)
	}
	defer moves.Close()
	count, err := readGames(ctx, moves, stdin, stderr, name, limit)
	if err != nil {
		return inout(err)
	}

	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "tool\tgames\tplies\tmismatches\tplies/s\t")
	var mismatch error
	for _, tool := range tools {
		d, err := moves.Decode(ctx, tool)
		if err != nil {
			var failed *drive.RunError
			if errors.As(err, &failed) {
				return differs(fmt.Errorf("%s: %w", tool, err))
			}
			return err
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.0f\t\n", tool, count.games, d.Plies, d.Mismatches, d.PliesPerSecond())
		if d.Mismatches > 0 && mismatch == nil {
			mismatch = fmt.Errorf("%s: %s", tool, d.First)
		}
	}
	if err := w.Flush(); err != nil {
		return inout(err)
	}
	if count.nulls > 0 {
		fmt.Fprintf(stderr, "genrom: %d null moves, which are no moves of the table, were left out\n", count.nulls)
	}
	switch {
	case mismatch != nil:
		return differs(mismatch)
	case count.broken > 0:
		return inout(fmt.Errorf("%d of %d games could be read only in part", count.broken, count.games))
	}
	return nil
}

// readGames adds the moves of every main line. Of a game that is broken it takes what is valid.
func readGames(ctx context.Context, moves *drive.Moves, stdin io.Reader, stderr io.Writer, name string, limit int) (gameCount, error) {
	var src io.Reader = strings.NewReader(famous.PGN)
	switch name {
	case "":
	case "-":
		src = stdin
	default:
		f, err := os.Open(name)
		if err != nil {
			return gameCount{}, err
		}
		defer f.Close()
		src = f
	}
	src, err := decompress(src)
	if err != nil {
		return gameCount{}, err
	}
	r := pgn.NewReader(src, pgn.Options{Name: name, Select: func(*game.Game) pgn.Parts { return pgn.Moves }})
	g := game.New()
	var c gameCount
	for limit <= 0 || c.games < limit {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		err := r.Read(g)
		if err == io.EOF {
			break
		}
		var bad *pgn.GameError
		if err != nil && !errors.As(err, &bad) {
			return c, err
		}
		c.games++
		if bad != nil {
			if c.broken++; c.broken <= maxReports {
				fmt.Fprintf(stderr, "genrom: %v\n", bad)
			}
		}
		for _, m := range g.MainLine() {
			if m == moveindex.NullMove {
				c.nulls++
				continue
			}
			if err := moves.Add(m); err != nil {
				return c, err
			}
		}
	}
	if c.games == 0 {
		return c, fmt.Errorf("%s: there is no game in it", name)
	}
	return c, nil
}

// decompress reads through zstd what begins with its magic number.
func decompress(src io.Reader) (io.Reader, error) {
	r := bufio.NewReaderSize(src, 64<<10)
	head, err := r.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if !bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
		return r, nil
	}
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}
