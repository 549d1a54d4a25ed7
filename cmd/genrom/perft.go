// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ply11/position"
	"ply11/sim/cosim"
	"ply11/sim/eda"
)

func newPerft() *cobra.Command {
	var tool string
	var depth, cores int
	cmd := &cobra.Command{
		Use:   "perft [FEN…]",
		Short: "Count what legal moves reach, by the Verilog of ply11_perft, and compare",
		Long: fmt.Sprintf(
			`perft gives positions to ply11_perft and prints how many legal move sequences there are of each length up to a depth,
the clocks that it took, and how many nodes (sequences of the full depth) that is a clock. Without a FEN it takes the usual initial position. A FEN
is one argument, in quotes. With --cores 2 or more, ply11_perft_many counts, whose cores share the work.

Verilator or Icarus Verilog simulates the Verilog. The counts are compared with those of the rules of chess in software
(package position).

Verilator needs some seconds to build the simulation, once. Icarus needs none, but plays only a few thousand clocks a second: give it a small
depth. The depth is 0 to %d.

Exit code: 0 all agree; 3 a difference; 2 wrong usage, or a FEN is wrong; 7 a program is not installed.`,
			cosim.MaxPerft),
		Example: `  go run ./cmd/genrom perft
  go run ./cmd/genrom perft --tool icarus --depth 2
  go run ./cmd/genrom perft --cores 8 --depth 5
  go run ./cmd/genrom perft --depth 3 "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"`,
		RunE: func(cmd *cobra.Command, fens []string) error {
			if tool != cosim.ToolIcarus && tool != cosim.ToolVerilator {
				return usage(fmt.Errorf("unknown tool %q; there are %s and %s", tool, cosim.ToolVerilator,
					cosim.ToolIcarus))
			}
			if cores < 1 || cores > cosim.MaxPerftCores {
				return usage(fmt.Errorf("%d cores: 1 to %d are possible", cores, cosim.MaxPerftCores))
			}
			if depth < 0 || depth > cosim.MaxPerft {
				return usage(fmt.Errorf("a depth of %d: 0 to %d are possible", depth, cosim.MaxPerft))
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
			return runPerft(cmd, roots, tool, depth, cores)
		},
	}
	cmd.Flags().StringVar(&tool, "tool", cosim.ToolVerilator, cosim.ToolVerilator+" or "+cosim.ToolIcarus)
	cmd.Flags().IntVar(&cores, "cores", 1, "cores that count")
	cmd.Flags().IntVar(&depth, "depth", 4, "plies to count")
	return cmd
}

func runPerft(cmd *cobra.Command, roots []position.Position, tool string, depth, cores int) error {
	work, err := eda.NewWork()
	if err != nil {
		return err
	}
	defer work.Close()
	perft, err := cosim.NewPerft(cmd.Context(), work, tool, cores)
	if err != nil {
		return simError(err)
	}
	defer perft.Close()
	for i := range roots {
		got, err := perft.Count(cmd.Context(), &roots[i], depth)
		if err != nil {
			return simError(err)
		}
		w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n", &roots[i])
		fmt.Fprintln(w, "depth\tnodes\t")
		for k, n := range got.Counts {
			fmt.Fprintf(w, "%d\t%d\t\n", k, n)
		}
		if err := w.Flush(); err != nil {
			return err
		}
		nodes := got.Counts[depth]
		fmt.Fprintf(cmd.OutOrStdout(), "%d clocks, %.2f nodes a clock\n", got.Clocks,
			float64(nodes)/float64(got.Clocks))
	}
	return nil
}
