// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"ply11/hdl"
	"ply11/sim/eda"
	"ply11/sim/mutate"
)

// mutatePlan is how hdl/MUTANTS.md was made, and what the long test runs.
var mutatePlan = mutate.Plan{Count: 200, Seed: 1, Workers: 2, Seconds: 8}

// leastCaught is the part of the mutants, of those not proved equal, that the checks must catch.
const leastCaught = 0.95

// newMutate returns the command that counts what the benches and proofs notice.
func newMutate() *cobra.Command {
	var match, out string
	plan := mutatePlan
	cmd := &cobra.Command{
		Use:   "mutate",
		Short: "Count the errors that benches and proofs notice",
		Long: `mutate tells how many errors the benches and proofs would notice. In each module of hdl/mutate.tsv it makes errors, with the command
mutate of Yosys: each error (a mutant) changes one bit of one cell. It runs the module's benches in Verilator, and then
its proofs, until one of them notices the error. If none does, ABC compares the mutant with the module, because some errors change nothing.

It writes a table, and a list of the errors that nothing noticed, with the reasons from hdl/survivors.tsv. If the output file already has such a
table, the rows of targets that --run leaves out stay. The column "sources" tells whether a row was made from the present sources.

Exit code: 3 if less than 95 % of the mutants that are not proved equal are caught, 7 if a program is
not installed.`,
		Example: `  go run ./cmd/genrom mutate --run 'decode|uart'
  go run ./cmd/genrom mutate -o hdl/MUTANTS.md --run '^board$'`,
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
	cmd.Flags().IntVar(&plan.Seed, "seed", plan.Seed, "the seed by which mutants are chosen")
	cmd.Flags().IntVar(&plan.Workers, "workers", plan.Workers, "how many to run at a time")
	cmd.Flags().IntVar(&plan.Seconds, "seconds", plan.Seconds,
		"seconds that ABC may take to compare a mutant that nothing noticed; 0 is no comparison")
	cmd.Flags().StringVarP(&out, "output", "o", "-", "file to write to; - is standard output")
	return cmd
}

func runMutate(ctx context.Context, stdout, stderr io.Writer, match *regexp.Regexp, plan mutate.Plan,
	out string) error {
	targets, err := mutate.Targets()
	if err != nil {
		return err
	}
	reasons, err := survivors()
	if err != nil {
		return err
	}
	plan.Report = func(line string) { fmt.Fprintln(stderr, line) }
	work, err := eda.NewWork()
	if err != nil {
		return inout(err)
	}
	defer work.Close()
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.Name
	}
	old := make(map[string]tally)
	if out != "-" {
		text, err := os.ReadFile(out)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return inout(err)
		}
		tallies, err := readMutantTable(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", out, err)
		}
		for _, t := range tallies {
			old[t.Target] = t
		}
	}
	few, ran := "", false
	for _, t := range targets {
		if !match.MatchString(t.Name) {
			continue
		}
		ran = true
		start := time.Now()
		m, err := mutate.Try(ctx, work, t, plan)
		if err != nil {
			return err
		}
		tally := tallyOf(m)
		old[t.Name] = tally
		fmt.Fprintf(stderr, "%s: caught %.1f %%, %.0f s of processor time, %.0f s by the clock\n", t.Name,
			100*tally.Caught(), m.CPU.Seconds(),
			time.Since(start).Seconds())
		if tally.Caught() < leastCaught {
			few += " " + t.Name
		}
		// After each target: it takes long.
		if out != "-" {
			if err := writeFile(filepath.Clean(out), mutantsFile(plan, names, old, reasons)); err != nil {
				return err
			}
		}
	}
	if !ran {
		return usage(fmt.Errorf("no target has a name that %q matches", match))
	}
	if out == "-" {
		if _, err := stdout.Write(mutantsFile(plan, names, old, reasons)); err != nil {
			return inout(err)
		}
	}
	if few != "" {
		return differs(fmt.Errorf("less than %.0f %% of the mutants are caught of%s", 100*leastCaught, few))
	}
	return nil
}

// mutantsFile returns hdl/MUTANTS.md with the tallies of those names.
func mutantsFile(plan mutate.Plan, names []string, tallies map[string]tally, reasons map[string]string) []byte {
	var all []tally
	for _, n := range names {
		if t, ok := tallies[n]; ok {
			all = append(all, t)
		}
	}
	return fmt.Appendf(nil, mutantsHead+"%s", plan.Count, plan.Seed, mutantTable(all, reasons))
}

// survivors reads hdl/survivors.tsv: why no check notices a mutant, by survivor's Key.
func survivors() (map[string]string, error) {
	rows, err := hdl.Table("survivors.tsv")
	if err != nil {
		return nil, err
	}
	reasons := make(map[string]string, len(rows))
	for _, r := range rows {
		reasons[survivor{Src: r["place"], Bit: r["bit"], Mode: r["error"]}.Key(r["target"])] = r["reason"]
	}
	return reasons, nil
}

const mutantsHead = `<!-- SPDX-License-Identifier: Apache-2.0 -->
# What the benches and proofs notice

Made by ` + "`go run ./cmd/genrom mutate -o hdl/MUTANTS.md`" + `, target by target of mutate.tsv; sources is a hash of
all that a row depends on, and the test TestMutantsCurrent (make long) tells which rows are not of these
sources. %d mutants of each target, which Yosys chooses (seed %d) so that they spread over cells, wires and
source lines. A mutant changes one bit of one port of one cell of the netlist before it is mapped: it is
inverted (inv), stuck (const0, const1), or inverted when another bit of the port is 0 or 1 (cnot0,
cnot1). Errors in the clock of a register are left out: what they do depends on the order of a simulator's
events. Each mutant runs through the module's benches under Verilator, then through its proofs. One that
survives is compared with the module by ABC, from a reset after power-up with all registers at 0; "equal"
is proved, for all time; "differs" is a run of inputs that ABC found, from its reset to the clock given; and
"undecided" came to no end. Modules inside that are not mutated themselves may give anything in that
comparison, the same in both, and what goes into them counts like an output.

` + "`make long`" + ` runs all of it, and wants 95 %% and more caught of each.

`
