// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ply11/position"
	"ply11/sim"
	"ply11/sim/cosim"
	"ply11/sim/eda"
)

// newPerft returns the command that counts positions in the hardware.
func newPerft() *cobra.Command {
	var tool string
	var depth int
	cmd := &cobra.Command{
		Use:   "perft [FEN…]",
		Short: "Count what legal moves reach, by the Verilog and the Go model of ply11_perft, and compare",
		Long: fmt.Sprintf(`perft gives positions to ply11_perft and prints how many legal move sequences there are of each length up to a depth,
the clocks that it took, and how many nodes (sequences of the full depth) that is a clock. Without a FEN it takes the usual initial position. A FEN
is one argument, in quotes.

The tool go plays the Go model of the hardware. The tools icarus and verilator play the Verilog beside it, and all outputs
are compared in every clock. The counts are compared with those of the rules of chess in software (package position).

The model plays about two million clocks a second, Icarus a few thousand: give it a small depth. The depth is 0 to %d.

Exit code: 0 all agree; 3 a difference; 2 wrong usage, or a FEN is wrong; 7 a program is not installed.`, sim.MaxPerft),
		Example: `  go run ./cmd/genrom perft
  go run ./cmd/genrom perft --tool verilator --depth 5
  go run ./cmd/genrom perft --depth 3 "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"`,
		RunE: func(cmd *cobra.Command, fens []string) error {
			if !slices.Contains(cosim.Tools, tool) {
				return usage(fmt.Errorf("unknown tool %q; there are %s", tool, strings.Join(cosim.Tools, ", ")))
			}
			if depth < 0 || depth > sim.MaxPerft {
				return usage(fmt.Errorf("a depth of %d: 0 to %d are possible", depth, sim.MaxPerft))
			}
			var roots []position.Position
			for _, fen := range fens {
				p, err := position.ParseFEN(fen)
				if err != nil {
					return usage(err)
				}
				roots = append(roots, p)
			}
			if roots == nil {
				roots = []position.Position{position.Start()}
			}
			return runPerft(cmd, roots, tool, depth)
		},
	}
	cmd.Flags().StringVar(&tool, "tool", cosim.ToolGo, strings.Join(cosim.Tools, ", "))
	cmd.Flags().IntVar(&depth, "depth", 4, "plies to count")
	return cmd
}

// runPerft counts the positions one after the other.
func runPerft(cmd *cobra.Command, roots []position.Position, tool string, depth int) error {
	var harness *cosim.Harness
	if tool != cosim.ToolGo {
		work, err := eda.NewWork()
		if err != nil {
			return inout(err)
		}
		defer work.Close()
		if harness, err = cosim.NewPerftHarness(cmd.Context(), work, tool); err != nil {
			return simError(err)
		}
		defer harness.Close()
	}
	for i := range roots {
		got, err := cosim.Perft(cmd.Context(), harness, &roots[i], depth)
		var d *cosim.Difference
		switch {
		case errors.Is(err, cosim.ErrPerft), errors.As(err, &d):
			return differs(err)
		case err != nil:
			return simError(err)
		}
		w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n", &roots[i])
		fmt.Fprintln(w, "depth\tnodes\t")
		for k, n := range got.Counts {
			fmt.Fprintf(w, "%d\t%d\t\n", k, n)
		}
		if err := w.Flush(); err != nil {
			return inout(err)
		}
		nodes := got.Counts[depth]
		fmt.Fprintf(cmd.OutOrStdout(), "%d clocks, %.2f nodes a clock\n", got.Clocks, float64(nodes)/float64(got.Clocks))
	}
	return nil
}
