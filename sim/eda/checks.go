// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"ply11/hdl"
)

// A Check is a row of hdl/checks.tsv.
type Check struct {
	Name   string
	Kind   string // lint, bench, netlist, sat, smt, pdr, bmc or ind
	Top    string // the top module
	Files  []string
	Params []string // NAME=value, of the top module
	Args   string   // see hdl/checks.tsv
}

// Long tells whether the check is left to those who have hours: its name begins with "long.".
func (c Check) Long() bool { return strings.HasPrefix(c.Name, "long.") }

// A Mutant is a row of hdl/mutants.tsv: an error that a check must notice.
type Mutant struct {
	Check string
	File  string
	Old   string // stands in the file once
	New   string
}

// Checks returns the rows of hdl/checks.tsv.
func Checks() ([]Check, error) {
	rows, err := hdl.Table("checks.tsv")
	if err != nil {
		return nil, err
	}
	checks := make([]Check, len(rows))
	for i, r := range rows {
		checks[i] = Check{r["name"], r["kind"], r["top"], strings.Fields(r["files"]), strings.Fields(r["params"]),
			r["args"]}
	}
	return checks, nil
}

// Mutants returns the rows of hdl/mutants.tsv; with long, also those with "long:" before their check.
func Mutants(long bool) ([]Mutant, error) {
	rows, err := hdl.Table("mutants.tsv")
	if err != nil {
		return nil, err
	}
	var mutants []Mutant
	for _, r := range rows {
		check, later := strings.CutPrefix(r["check"], "long:")
		if long || !later {
			mutants = append(mutants, Mutant{check, r["file"], r["old"], r["new"]})
		}
	}
	return mutants, nil
}

// An Outcome is what came of one check in one tool, or of one mutant.
type Outcome struct {
	Check  string
	Kind   string
	Tool   string // the program that decided
	Mutant string // for a mutant, the file that was changed and what in it; else ""
	OK     bool   // the check passed; for a mutant, the check failed as it must
	Detail string // one line that says what happened
	Output string // the end of what the program printed, where it is not OK
	CPU    time.Duration
}

// A verdict is what a check says of the hardware.
type verdict int

const (
	passed verdict = iota
	refuted
	broken // the check itself did not come to an end
)

// A job is a check in one tool, with or without a mutation.
type job struct {
	check  Check
	tool   string
	mutant *Mutant
	files  map[string]string // mutated files by the name of the original
}

// A Plan is what Prove runs.
type Plan struct {
	Checks  []Check
	Mutants []Mutant
	Workers int  // how many at a time; 0 is 2
	Long    bool // benches run in both simulators, also those whose row names one
	// Report, if set, is called with each outcome, one at a time.
	Report func(Outcome)
}

// checkTimeout bounds a single check, which takes a minute at most on a quiet machine, longTimeout one that is long.
const (
	checkTimeout = 15 * time.Minute
	longTimeout  = 2 * time.Hour
)

// An UnfinishedError says what Prove had not finished when its context ended, which it wraps.
type UnfinishedError struct {
	Names []string // check, tool and, for a mutant, the word mutant; in the order of the plan
	Err   error
}

// Error gives the number.
func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("%v: %d checks were not finished", e.Err, len(e.Names))
}

// Unwrap returns the error of the context.
func (e *UnfinishedError) Unwrap() error { return e.Err }

// NeedFor returns a *MissingError if a program that the checks run is not installed.
func NeedFor(checks []Check) error {
	for _, c := range checks {
		var err error
		switch c.Kind {
		case "lint":
			err = Need("iverilog", "verilator", "yosys")
		case "bench":
			err = Need("iverilog", "vvp", "verilator", "g++", "make")
		case "sat":
			err = Need("yosys")
		case "smt":
			err = Need("yosys", "yosys-smtbmc", "z3")
		case "pdr", "bmc", "ind":
			err = Need("yosys") // whose package has yosys-abc
		case "netlist":
			err = Need("yosys", "iverilog", "vvp", "verilator", "g++", "make")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Prove runs checks, benches in both simulators, and every mutant against its check. It returns all
// outcomes in the order of the plan; an error only where the plan could not be carried out. When the context
// ends, the outcomes are those that were finished, and the error is an *UnfinishedError.
func (w *Work) Prove(ctx context.Context, p Plan) ([]Outcome, error) {
	var jobs []job
	byName := make(map[string]Check)
	for _, c := range p.Checks {
		byName[c.Name] = c
		tools, err := toolsOf(c, p.Long)
		if err != nil {
			return nil, fmt.Errorf("check %s: %w", c.Name, err)
		}
		for _, tool := range tools {
			jobs = append(jobs, job{check: c, tool: tool})
		}
	}
	for _, m := range p.Mutants {
		c, ok := byName[m.Check]
		if !ok {
			return nil, fmt.Errorf("mutant of %s: there is no such check", m.Check)
		}
		tools, err := toolsOf(c, true)
		if err != nil {
			return nil, err
		}
		// One simulator is enough to see that the bench notices: Icarus, which builds in no time and ends at the first
		// error.
		jobs = append(jobs, job{check: c, tool: tools[0], mutant: &m})
	}

	outcomes := make([]Outcome, len(jobs))
	errs := make([]error, len(jobs))
	finished := make([]bool, len(jobs))
	var report sync.Mutex
	workers := p.Workers
	if workers <= 0 {
		workers = 2
	}
	var group errgroup.Group
	group.SetLimit(workers)
	for i, j := range jobs {
		group.Go(func() error {
			if ctx.Err() != nil {
				return nil
			}
			outcomes[i], errs[i] = w.do(ctx, j)
			if ctx.Err() != nil {
				return nil // it may have been killed, which says nothing of the hardware
			}
			finished[i] = true
			if errs[i] == nil && p.Report != nil {
				report.Lock()
				p.Report(outcomes[i])
				report.Unlock()
			}
			return nil
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		unfinished := &UnfinishedError{Err: err}
		var done []Outcome
		for i, j := range jobs {
			if finished[i] {
				done = append(done, outcomes[i])
				continue
			}
			name := j.check.Name + " " + j.tool
			if j.mutant != nil {
				name += " mutant"
			}
			unfinished.Names = append(unfinished.Names, name)
		}
		return done, unfinished
	}
	return outcomes, errors.Join(errs...)
}

// toolsOf returns the programs that decide a check; long, as of a Plan.
func toolsOf(c Check, long bool) ([]string, error) {
	switch c.Kind {
	case "lint":
		return []string{"iverilog", "verilator", "yosys"}, nil
	case "bench":
		switch {
		case c.Args != "" && c.Args != Icarus && c.Args != Verilator:
			return nil, fmt.Errorf("args %q are no simulator", c.Args)
		case c.Args != "" && !long:
			return []string{c.Args}, nil
		}
		return []string{Icarus, Verilator}, nil
	case "sat":
		return []string{"yosys"}, nil
	case "smt":
		return []string{"yosys-smtbmc"}, nil
	case "pdr", "bmc", "ind":
		return []string{"yosys-abc"}, nil
	case "netlist":
		tool, _, _ := strings.Cut(c.Args, " ")
		if tool != Icarus && tool != Verilator {
			return nil, fmt.Errorf("args name no simulator: %q", c.Args)
		}
		return []string{tool}, nil
	}
	return nil, fmt.Errorf("unknown kind %q", c.Kind)
}

// do runs one job. What the check finds is the outcome; an error is a program that is not installed or
// a folder that cannot be written.
func (w *Work) do(ctx context.Context, j job) (Outcome, error) {
	o := Outcome{Check: j.check.Name, Kind: j.check.Kind, Tool: j.tool}
	limit := checkTimeout
	if j.check.Long() {
		limit = longTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	dir, err := w.Sub(j.check.Name)
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(dir)
	if j.mutant != nil {
		o.Mutant = fmt.Sprintf("%s: %s -> %s", j.mutant.File, j.mutant.Old, j.mutant.New)
		file, err := w.mutate(dir, *j.mutant)
		if err != nil {
			return o, err
		}
		j.files = map[string]string{j.mutant.File: file}
	}

	var v verdict
	var r Execution
	switch j.check.Kind {
	case "lint":
		v, r, err = w.lint(ctx, j)
	case "bench":
		v, r, err = w.bench(ctx, j)
	case "sat":
		v, r, err = w.sat(ctx, j)
	case "smt":
		v, r, err = w.smt(ctx, j, dir)
	case "pdr", "bmc", "ind":
		v, r, err = w.abc(ctx, j, dir)
	case "netlist":
		v, r, err = w.netlist(ctx, j, dir)
	}
	var missing *MissingError
	if errors.As(err, &missing) {
		return o, err
	}
	o.CPU = r.CPU
	o.Detail = detailOf(r.Output)
	if err != nil && v == broken {
		o.Detail = err.Error()
	}
	o.OK = v == passed
	if j.mutant != nil {
		o.OK = v == refuted
		if v == passed {
			o.Detail = "the check passes in spite of the error"
		}
	}
	if !o.OK {
		o.Output = r.Output
		var failed *RunError
		if o.Output == "" && errors.As(err, &failed) {
			o.Output = failed.Output
		}
	}
	return o, nil
}

// mutate writes the changed file.
func (w *Work) mutate(dir string, m Mutant) (string, error) {
	text, err := os.ReadFile(w.Path(m.File))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.Old); n != 1 {
		return "", fmt.Errorf("mutant of %s: %q stands %d times in %s", m.Check, m.Old, n, m.File)
	}
	file := filepath.Join(dir, filepath.Base(m.File))
	return file, os.WriteFile(file, []byte(strings.Replace(string(text), m.Old, m.New, 1)), 0o666)
}

// sources returns the paths of the check's files, mutated where they are.
func (j job) sources() []string {
	files := slices.Clone(j.check.Files)
	for i, f := range files {
		if m, ok := j.files[f]; ok {
			files[i] = m
		}
	}
	return files
}

// detailOf returns the line of a program's output that says what came of it.
func detailOf(output string) string {
	detail := ""
	for line := range strings.SplitSeq(output, "\n") {
		line = strings.TrimSpace(line)
		for _, mark := range []string{"PASS", "FAIL", "SAT proof finished", "Property proved", "No output asserted",
			"Networks are", "ERROR", "%Error", "%Warning"} {
			if strings.HasPrefix(line, mark) {
				detail = line
				break
			}
		}
	}
	return detail
}

// lint reads the files with one of the tools. Any output is a warning, and refutes.
func (w *Work) lint(ctx context.Context, j job) (verdict, Execution, error) {
	files := w.Paths(j.sources())
	var args []string
	switch j.tool {
	case "iverilog":
		args = append(args, "-g2005", "-Wall", "-tnull", "-I"+w.Path("tb/include"), "-s", j.check.Top)
		for _, p := range j.check.Params {
			args = append(args, "-P"+j.check.Top+"."+p)
		}
		args = append(args, files...)
	case "verilator":
		args = append(args, "--lint-only", "-Wall", "-I"+w.Path("tb/include"), "--top-module", j.check.Top)
		args = append(append(args, prefixed("-G", j.check.Params)...), files...)
	case "yosys":
		args = append(args, "-q", "-p", "read_verilog "+strings.Join(files, " ")+"; "+j.check.Chparam()+
			"hierarchy -check -top "+j.check.Top+"; proc; check")
	}
	r, err := w.Run(ctx, w.Dir, j.tool, args...)
	r.Output = strings.TrimSpace(strings.TrimPrefix(r.Output, w.Dir+"/"))
	switch {
	case err != nil && ctx.Err() != nil:
		return broken, r, err
	case err != nil:
		return refuted, r, err
	case r.Output != "":
		return refuted, r, &RunError{Program: j.tool, Err: errWarnings, Output: r.Output}
	}
	return passed, r, nil
}

// Chparam returns the Yosys command that sets the parameters of the top module, with a semicolon after it.
func (c Check) Chparam() string {
	var b strings.Builder
	for _, p := range c.Params {
		name, value, _ := strings.Cut(p, "=")
		fmt.Fprintf(&b, "chparam -set %s %s %s; ", name, value, c.Top)
	}
	return b.String()
}

// bench builds and runs a test bench. It passes with status 0 and one line that begins with PASS.
func (w *Work) bench(ctx context.Context, j job) (verdict, Execution, error) {
	b := Bench{Top: j.check.Top, Files: j.sources(), Include: []string{"tb/include"}, Params: j.check.Params}
	build := w.Icarus
	if j.tool == "verilator" {
		build = w.Verilator
	}
	return simulate(ctx, build, b, j.mutant != nil)
}

// simulate builds and runs a test bench. It passes with status 0 and one line that begins with PASS. With first, the
// run ends at the first error that the bench tells.
func simulate(ctx context.Context, build func(context.Context, Bench) (*Simulation, error), b Bench, first bool) (
	verdict, Execution, error) {
	sim, err := build(ctx, b)
	if err != nil {
		return broken, Execution{}, err
	}
	defer sim.Close()
	if first {
		v, r, err := sim.firstError(ctx, b.Top)
		r.CPU += sim.built
		return v, r, err
	}
	r, err := sim.Run(ctx)
	r.CPU += sim.built
	v, err := judge(r, err)
	if v == passed && strings.Contains("\n"+r.Output, "\n"+b.Top+": ") {
		v, err = broken, errors.New("a line that begins with the bench's name, as of an error, in spite of PASS")
	}
	return v, r, err
}

// firstError runs a bench to its end, or until it tells an error: a line that begins with FAIL or with the bench's
// name. Few of the benches' minutes remain of a mutant so.
func (s *Simulation) firstError(ctx context.Context, top string) (verdict, Execution, error) {
	s.unbuffered()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	p, err := s.Start(ctx)
	if err != nil {
		return broken, Execution{}, err
	}
	out := new(tail)
	found := false
	sc := bufio.NewScanner(p.Out)
	for sc.Scan() {
		line := sc.Text()
		fmt.Fprintln(out, line)
		if strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, top+": ") {
			found = true
			stop()
			break
		}
	}
	r, err := p.Wait()
	r.Output = string(out.buf) + r.Output
	if found {
		return refuted, r, nil
	}
	v, err := judge(r, errors.Join(err, sc.Err()))
	return v, r, err
}

// Passed returns nil if the run of a bench, which ended with err, came to its end and found nothing wrong: one
// line that begins with PASS, and none with FAIL.
func (r Execution) Passed(err error) error {
	v, err := judge(r, err)
	switch {
	case v == passed:
		return nil
	case err == nil:
		err = ErrFailed
	}
	return fmt.Errorf("%w: %s", err, lastLine(r.Output))
}

// judge tells what came of the run of a bench.
func judge(r Execution, err error) (verdict, error) {
	pass, fail := 0, 0
	for line := range strings.SplitSeq(r.Output, "\n") {
		switch {
		case strings.HasPrefix(line, "PASS"):
			pass++
		case strings.HasPrefix(line, "FAIL"):
			fail++
		}
	}
	switch {
	case err == nil && pass == 1 && fail == 0:
		return passed, nil
	case fail > 0:
		return refuted, err
	}
	return broken, errors.Join(err, fmt.Errorf("%d lines PASS and no line FAIL", pass))
}

// sat proves that the output ok of a circuit is always 1.
func (w *Work) sat(ctx context.Context, j job) (verdict, Execution, error) {
	script := fmt.Sprintf("read_verilog %s; %shierarchy -check -top %s; proc; flatten; memory; opt -full; "+
		"sat -verify -prove ok 1 -show-inputs %s %s",
		strings.Join(w.Paths(j.sources()), " "), j.check.Chparam(), j.check.Top, j.check.Args, j.check.Top)
	r, err := w.Run(ctx, w.Dir, "yosys", "-Q", "-T", "-p", script)
	switch {
	case err == nil && strings.Contains(r.Output, "SUCCESS!"):
		return passed, r, nil
	case strings.Contains(r.Output, "proof did fail"), strings.Contains(r.Output, "model found: FAIL!"):
		return refuted, r, err
	}
	return broken, r, err
}

// smt proves the assertions of a module by k-induction and reaches its covers.
func (w *Work) smt(ctx context.Context, j job, dir string) (verdict, Execution, error) {
	model := filepath.Join(dir, "model.smt2")
	script := fmt.Sprintf("%s; dffunmap; write_smt2 -wires %s", j.check.circuit(w.Paths(j.sources())), model)
	total, err := w.Run(ctx, dir, "yosys", "-q", "-p", script)
	if err != nil {
		return broken, total, err
	}
	depth := j.check.Args
	if depth == "" {
		depth = "12"
	}
	if err := Need("z3"); err != nil {
		return broken, total, err
	}
	for _, mode := range []struct {
		name string
		args []string
	}{
		{"base case", nil},
		{"induction", []string{"-i"}},
		{"cover", []string{"-c"}},
	} {
		args := append(append([]string{"-s", "z3", "--noprogress", "-t", depth}, mode.args...), model)
		r, err := w.Run(ctx, dir, "yosys-smtbmc", args...)
		total.CPU += r.CPU
		total.Wall += r.Wall
		total.Output = r.Output
		passedMode := strings.Contains(r.Output, "Status: passed") || strings.Contains(r.Output, "Status: PASSED")
		switch {
		case err == nil && passedMode:
		case strings.Contains(r.Output, "Status: failed"), strings.Contains(r.Output, "Status: FAILED"):
			total.Output += "\nFAIL " + mode.name
			return refuted, total, err
		default:
			return broken, total, errors.Join(err, errors.New(mode.name+" came to no end"))
		}
	}
	total.Output += "\nPASS base case, induction and covers, depth " + depth
	return passed, total, nil
}

// circuit returns the Yosys commands that read what a proof is about, and make its assertions: those that stand in the
// sources under FORMAL, or, if the top is one of the folder formal, that its output ok is 1; of kind ind, both. If the
// args end with cut, what is read of a memory that is written to is free.
func (c Check) circuit(files []string) string {
	// What the modules assume of their inputs under FORMAL is theirs: it could make ok's proof void.
	define, add := "-D FORMAL ", ""
	if c.Kind != "ind" && strings.HasPrefix(c.Files[0], "formal/") {
		define, add = "", "cd "+c.Top+"; add -assert ok; cd ..; "
	}
	read := fmt.Sprintf("read_verilog -formal %s%s; %s", define, strings.Join(files, " "), c.Chparam())
	if c.Kind == "smt" {
		return read + "prep -flatten -nordff -top " + c.Top + "; memory_map; opt -full"
	}
	memory := "memory -nordff; "
	if _, cut := c.depths(); cut {
		memory = "memory -nordff -nomap; cutpoint t:$mem_v2 r:WR_PORTS>0 %i; memory_map; "
	}
	return read + "hierarchy -check -top " + c.Top + "; proc; flatten; check -assert; " + memory + "opt -full; " +
		add + "chformal -cover -remove"
}

// depths returns the numbers of clocks that args of a bmc or an ind name, and whether memories are cut.
func (c Check) depths() (depths []string, cut bool) {
	depths = strings.Fields(c.Args)
	if n := len(depths); n > 0 && depths[n-1] == "cut" && (c.Kind == "bmc" || c.Kind == "ind") {
		return depths[:n-1], true
	}
	return depths, false
}

// model writes the AIGER model of a check, whose one output is 1 when an assertion of circuit fails. Registers without
// an initial value start with any, and what has no value may have any in each clock. opt -full would find no more than
// ABC does, and adds a third or more to the time (pdr.legal_stopped: 8.6 s of processor time in place of 5.1).
func (w *Work) model(ctx context.Context, j job, file string) (Execution, error) {
	return w.Run(ctx, filepath.Dir(file), "yosys", "-q", "-p", fmt.Sprintf(
		"%s; miter -assert -flatten %s bad; hierarchy -top bad; opt_clean; techmap; opt_expr -full; setundef -anyseq; "+
			"dffunmap; aigmap; opt_clean; write_aiger -zinit %s",
		j.check.circuit(w.Paths(j.sources())), j.check.Top, file))
}

// abc proves by ABC, for all time (pdr), by induction over as many clocks as args say (ind), or for as
// many clocks (bmc).
func (w *Work) abc(ctx context.Context, j job, dir string) (verdict, Execution, error) {
	model := filepath.Join(dir, "model.aig")
	total, err := w.model(ctx, j, model)
	if err != nil {
		return broken, total, err
	}
	depths, _ := j.check.depths()
	if j.check.Kind != "pdr" {
		if len(depths) == 0 || len(depths) > 2 || len(depths) == 2 && j.check.Kind != "ind" {
			return broken, total, fmt.Errorf("check %s: args %q are no depth", j.check.Name, j.check.Args)
		}
		for _, d := range depths {
			if _, err := strconv.Atoi(d); err != nil {
				return broken, total, fmt.Errorf("check %s: the depth: %w", j.check.Name, err)
			}
		}
	}
	var commands string
	var want []string // what the output says of a proof
	switch j.check.Kind {
	case "pdr":
		commands, want = "scorr; dc2; pdr", []string{"Property proved."}
	case "bmc":
		commands, want = "scorr; dc2; bmc3 -F "+depths[0], []string{"No output asserted in " + depths[0] + " frames"}
	case "ind":
		// The base case, and the step.
		commands = "bmc3 -F " + depths[0] + "; ind -F " + depths[0]
		want = []string{"No output asserted in " + depths[0] + " frames", "Networks are equivalent."}
	}
	r, err := w.Run(ctx, dir, "yosys-abc", "-c", "read model.aig; "+commands)
	if err == nil && len(depths) == 2 && strings.Contains(r.Output, "UNDECIDED") {
		// The step failed from a state that may never be: only a run from the start refutes.
		first := r.CPU
		r, err = w.Run(ctx, dir, "yosys-abc", "-c", "read model.aig; bmc3 -F "+depths[1])
		r.CPU += first
	}
	r.CPU += total.CPU
	if strings.Contains(r.Output, "was asserted in frame") {
		return refuted, r, err
	}
	for _, s := range want {
		if err == nil && !strings.Contains(r.Output, s) {
			err = errors.New("yosys-abc came to no end")
		}
	}
	if err != nil {
		return broken, r, err
	}
	return passed, r, nil
}
