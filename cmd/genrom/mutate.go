// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"ply11/hdl"
	"ply11/sim/drive"
)

// mutatePlan is how hdl/MUTANTS.md was made, and what the long test runs.
var mutatePlan = drive.MutatePlan{Count: 200, Seed: 1, Workers: 2}

// leastCaught is the part of the mutants, of those not proved equal, that the checks must catch.
const leastCaught = 0.95

// newMutate returns the command that counts what the benches and proofs notice.
func newMutate() *cobra.Command {
	var match, out string
	plan := mutatePlan
	cmd := &cobra.Command{
		Use:   "mutate",
		Short: "Count the errors that benches and proofs notice",
		Long: `mutate makes errors in each module of hdl/mutate.tsv by Yosys' mutate, one bit of one cell at a time,
all in one netlist, and runs the module's benches under Verilator and then its proofs until one
notices. What none notices is compared with the module by ABC: some errors change nothing. It writes a
table, and the survivors with the reasons of hdl/survivors.tsv. Exit status: 1 if less than 95 % of
the mutants that are not proved equal are caught, 4 if a program is not installed.`,
		Example: `  go run ./cmd/genrom mutate --run 'decode|uart'
  go run ./cmd/genrom mutate -o hdl/MUTANTS.md`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			re, err := regexp.Compile(match)
			if err != nil {
				return usage(err)
			}
			if plan.Count < 1 || plan.Count > 4095 {
				return usage(fmt.Errorf("--count %d: not 1 to 4095", plan.Count))
			}
			return runMutate(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), re, plan, out)
		},
	}
	cmd.Flags().StringVar(&match, "run", "", "only the targets whose names this regular expression matches")
	cmd.Flags().IntVar(&plan.Count, "count", plan.Count, "mutants of each target")
	cmd.Flags().IntVar(&plan.Seed, "seed", plan.Seed, "of the choice of mutants")
	cmd.Flags().IntVar(&plan.Workers, "workers", plan.Workers, "how many to run at a time")
	cmd.Flags().StringVarP(&out, "output", "o", "-", "file to write to; - is standard output")
	return cmd
}

func runMutate(ctx context.Context, stdout, stderr io.Writer, match *regexp.Regexp, plan drive.MutatePlan, out string) error {
	targets, err := drive.Targets()
	if err != nil {
		return err
	}
	reasons, err := survivors()
	if err != nil {
		return err
	}
	plan.Report = func(line string) { fmt.Fprintln(stderr, line) }
	work, err := drive.NewWork()
	if err != nil {
		return inout(err)
	}
	defer work.Close()
	var all []drive.Mutated
	few := ""
	for _, t := range targets {
		if !match.MatchString(t.Name) {
			continue
		}
		m, err := work.Mutate(ctx, t, plan)
		if err != nil {
			return err
		}
		fmt.Fprintf(stderr, "%s: caught %.1f %%, %.0f s of processor time\n", t.Name, 100*m.Caught(), m.CPU.Seconds())
		if m.Caught() < leastCaught {
			few += " " + t.Name
		}
		all = append(all, m)
	}
	if len(all) == 0 {
		return usage(fmt.Errorf("no target has a name that %q matches", match))
	}
	run := ""
	if match.String() != "" {
		run = fmt.Sprintf(" --run '%s'", match)
	}
	text := fmt.Sprintf(mutantsHead, run, plan.Count, plan.Seed) + drive.MutantTable(all, reasons)
	if out == "-" {
		if _, err := io.WriteString(stdout, text); err != nil {
			return inout(err)
		}
	} else if err := writeFile(filepath.Clean(out), []byte(text)); err != nil {
		return err
	}
	if few != "" {
		return differs(fmt.Errorf("less than %.0f %% of the mutants are caught of%s", 100*leastCaught, few))
	}
	return nil
}

// survivors reads hdl/survivors.tsv: why no check notices a mutant, by its place and wire.
func survivors() (map[string]string, error) {
	rows, err := hdl.Table("survivors.tsv")
	if err != nil {
		return nil, err
	}
	reasons := make(map[string]string, len(rows))
	for _, r := range rows {
		reasons[r["place"]+" "+r["wire"]] = r["reason"]
	}
	return reasons, nil
}

const mutantsHead = `<!-- SPDX-License-Identifier: Apache-2.0 -->
# What the benches and proofs notice

Made by ` + "`go run ./cmd/genrom mutate -o hdl/MUTANTS.md%s`" + `:
%d mutants of each of these targets of mutate.tsv, which Yosys chooses (seed %d) so that they spread over cells, wires and source lines. A mutant changes one bit of one
port of one cell: it is inverted (inv), stuck (const0, const1), or inverted when another bit of the port
is 0 or 1 (cnot0, cnot1). Each runs through the module's benches under Verilator, then through its
proofs. One that survives is compared with the module by ABC, from a reset after power-up with all
registers at 0; "equal" is proved, "differs" is a run of inputs that ABC found, from its reset to the
clock given, and "undecided" came to no end.

`
