// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"ply11/sim/eda"
)

func newProve() *cobra.Command {
	var match string
	var workers int
	var noMutants, long bool
	cmd := &cobra.Command{
		Use:   "prove",
		Short: "Lint, simulate and prove the Verilog, and see that checks notice errors",
		Long: `prove checks that the Verilog is right. It runs what hdl/checks.tsv lists:

  lint      three tools, without a warning
  bench     every test bench, in Icarus and in Verilator (what takes long and a second
            set of parameters in one of them; with --long all in both)
  netlist   benches on what synth_ice40 makes of a module
  proofs    by Yosys, by yosys-smtbmc with z3, and by ABC

Then it puts each error of hdl/mutants.tsv into the Verilog, one at a time. The check of this error must fail.

Exit code: 3 if a check does not pass or does not notice its error, 7 if a program is not installed.`,
		Example: `  go run ./cmd/genrom prove
  go run ./cmd/genrom prove --run 'roundtrip|encode_pipe'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			re, err := regexp.Compile(match)
			if err != nil {
				return usage(err)
			}
			return runProve(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), re, workers, !noMutants, long)
		},
	}
	cmd.Flags().StringVar(&match, "run", "", "only the checks whose names this regular expression matches")
	cmd.Flags().IntVar(&workers, "workers", 2, "how many to run at a time")
	cmd.Flags().BoolVar(&noMutants, "no-mutants", false, "leave out the mutants")
	cmd.Flags().BoolVar(&long, "long", false,
		"also the checks that take minutes, whose names begin with long., and the errors that are left to them")
	return cmd
}

func runProve(ctx context.Context, stdout, stderr io.Writer, match *regexp.Regexp, workers int, mutants,
	long bool) error {
	plan := eda.Plan{Workers: workers, Long: long}
	checks, err := eda.Checks()
	if err != nil {
		return err
	}
	names := make(map[string]bool)
	for _, c := range checks {
		if match.MatchString(c.Name) && (long || !c.Long()) {
			plan.Checks = append(plan.Checks, c)
			names[c.Name] = true
		}
	}
	if len(plan.Checks) == 0 {
		return usage(fmt.Errorf("no check has a name that %q matches", match))
	}
	if err := eda.NeedFor(plan.Checks); err != nil {
		return err
	}
	if mutants {
		all, err := eda.Mutants(long)
		if err != nil {
			return err
		}
		for _, m := range all {
			if names[m.Check] {
				plan.Mutants = append(plan.Mutants, m)
			}
		}
	}
	work, err := eda.NewWork()
	if err != nil {
		return err
	}
	defer work.Close()
	done := 0
	plan.Report = func(o eda.Outcome) {
		done++
		state := "ok"
		if !o.OK {
			state = "WRONG"
		}
		fmt.Fprintf(stderr, "%3d %-5s %s %s, %.1f s %s\n", done, state, o.Check, o.Tool, o.CPU.Seconds(), o.Mutant)
	}
	outcomes, err := work.Prove(ctx, plan)
	for _, o := range outcomes {
		if o.Unfinished {
			fmt.Fprintf(stderr, "not finished: %s %s %s\n", o.Check, o.Tool, o.Mutant)
		}
	}
	if err != nil {
		return err
	}

	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "check\ttool\tresult\tCPU s\tdetail")
	wrong := 0
	var total time.Duration
	for _, o := range outcomes {
		total += o.CPU
		result := "proved"
		switch {
		case o.Mutant != "" && o.OK:
			result = "mutant noticed"
		case o.Mutant != "":
			result = "MUTANT NOT NOTICED"
		case !o.OK:
			result = "WRONG"
		case o.Kind == "lint":
			result = "clean"
		case o.Kind == "bench", o.Kind == "netlist":
			result = "passed"
		}
		detail := o.Detail
		if o.Mutant != "" {
			detail = o.Mutant
		}
		if !o.OK {
			wrong++
			if o.Mutant != "" {
				detail += " | " + o.Detail
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%.1f\t%s\n", o.Check, o.Tool, result, o.CPU.Seconds(), oneLine(detail, 100))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, o := range outcomes {
		if !o.OK && o.Output != "" {
			fmt.Fprintf(stderr, "\n--- %s, %s %s\n%s\n", o.Check, o.Tool, o.Mutant, lastLines(o.Output, 15))
		}
	}
	slices.SortStableFunc(outcomes, func(a, b eda.Outcome) int { return cmp.Compare(b.CPU, a.CPU) })
	var list []string
	for _, o := range outcomes[:min(len(outcomes), 8)] {
		name := o.Check + " " + o.Tool
		if o.Mutant != "" {
			name += " (mutant)"
		}
		list = append(list, fmt.Sprintf("%s %.0f", name, o.CPU.Seconds()))
	}
	fmt.Fprintf(stdout, "\nprocessor time %.0f s, the most of it: %s\n", total.Seconds(), strings.Join(list, ", "))
	fmt.Fprintf(stdout, "%d of %d passed\n", len(outcomes)-wrong, len(outcomes))
	if wrong > 0 {
		return differs(fmt.Errorf("%d of %d checks failed", wrong, len(outcomes)))
	}
	return nil
}

func oneLine(s string, n int) string {
	s, _, _ = strings.Cut(s, "\n")
	if len(s) > n {
		s = s[:n] + "…"
	}
	return s
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
