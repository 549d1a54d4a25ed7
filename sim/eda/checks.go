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
	Name string
	Kind string // one of kinds
	Verilog
	Args string // see hdl/checks.tsv
}

// Long reports whether the check is left to make long: its name begins with "long.".
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
	checks := make([]Check, len(rows))
	for i, r := range rows {
		checks[i] = Check{r["name"], r["kind"], verilogOf(r), r["args"]}
	}
	return checks, err
}

// Mutants returns the rows of hdl/mutants.tsv; with long, also those with "long:" before their check.
func Mutants(long bool) (mutants []Mutant, err error) {
	rows, err := hdl.Table("mutants.tsv")
	for _, r := range rows {
		check, later := strings.CutPrefix(r["check"], "long:")
		if long || !later {
			mutants = append(mutants, Mutant{check, r["file"], r["old"], r["new"]})
		}
	}
	return mutants, err
}

// An Outcome is what came of one check in one tool, or of one mutant.
type Outcome struct {
	Check      string
	Kind       string
	Tool       string // the program that decided
	Mutant     string // for a mutant, the file that was changed and what in it; else ""
	Unfinished bool   // the context ended before
	OK         bool   // the check passed; for a mutant, the check failed as it must
	Detail     string // one line that says what happened
	Output     string // the end of what the program printed, where it is not OK
	CPU        time.Duration
}

type verdict int

const (
	passed verdict = iota
	refuted
	broken // the check itself did not come to an end
)

type job struct {
	check  Check
	tool   string
	mutant *Mutant
	file   string // the mutant's changed file
	dir    string // for what the tools write
}

type kind struct {
	needs []string // programs
	tools []string // which of them decide, each alone; of simulators, see toolsOf
	run   func(*Work, context.Context, job) (verdict, Execution, error)
}

var (
	simulators = []string{"iverilog", "vvp", "verilator", "g++", "make"}
	byABC      = kind{[]string{"yosys"}, []string{"yosys-abc"}, (*Work).abc} // the package of yosys has yosys-abc

	kinds = map[string]kind{
		"lint":    {linters, linters, (*Work).lint},
		"bench":   {simulators, []string{Icarus, Verilator}, (*Work).bench},
		"netlist": {append([]string{"yosys"}, simulators...), []string{Icarus, Verilator}, (*Work).netlist},
		"sat":     {[]string{"yosys"}, []string{"yosys"}, (*Work).sat},
		"smt":     {[]string{"yosys", "yosys-smtbmc", "z3"}, []string{"yosys-smtbmc"}, (*Work).smt},
		"pdr":     byABC,
		"bmc":     byABC,
		"ind":     byABC,
	}
	linters = []string{"iverilog", "verilator", "yosys"}
)

// toolsOf returns the programs that decide a check. A bench may name the one that runs it if it is not long; a netlist
// names its own.
func toolsOf(c Check, long bool) ([]string, error) {
	k, ok := kinds[c.Kind]
	if !ok {
		return nil, fmt.Errorf("unknown kind %q", c.Kind)
	}
	tool, _, _ := strings.Cut(c.Args, " ")
	switch named := slices.Contains(k.tools, tool); {
	case c.Kind != "bench" && c.Kind != "netlist", c.Kind == "bench" && tool == "":
	case !named:
		return nil, fmt.Errorf("args name no simulator: %q", c.Args)
	case c.Kind == "netlist" || !long:
		return []string{tool}, nil
	}
	return k.tools, nil
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

// NeedFor returns a *MissingError if a program that the checks run is not installed.
func NeedFor(checks []Check) error {
	for _, c := range checks {
		if err := Need(kinds[c.Kind].needs...); err != nil {
			return err
		}
	}
	return nil
}

// Prove runs checks, benches in both simulators, and every mutant against its check. It returns all outcomes in the
// order of the plan, and an error where the plan could not be carried out or the context has ended: what was not
// finished by then is Unfinished.
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
		// One simulator is enough to see that the bench notices: Icarus, which builds in no time.
		jobs = append(jobs, job{check: c, tool: tools[0], mutant: &m})
	}
	outcomes := make([]Outcome, len(jobs))
	errs := make([]error, len(jobs))
	var report sync.Mutex
	var group errgroup.Group
	if group.SetLimit(p.Workers); p.Workers <= 0 {
		group.SetLimit(2)
	}
	for i, j := range jobs {
		group.Go(func() error {
			o := &outcomes[i]
			*o = Outcome{Check: j.check.Name, Kind: j.check.Kind, Tool: j.tool}
			if j.mutant != nil {
				o.Mutant = fmt.Sprintf("%s: %s -> %s", j.mutant.File, j.mutant.Old, j.mutant.New)
			}
			if ctx.Err() == nil {
				errs[i] = w.do(ctx, j, o)
			}
			if o.Unfinished = ctx.Err() != nil; o.Unfinished {
				return nil // it may have been killed, which says nothing of the hardware
			}
			if errs[i] == nil && p.Report != nil {
				report.Lock()
				p.Report(*o)
				report.Unlock()
			}
			return nil
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return outcomes, err
	}
	return outcomes, errors.Join(errs...)
}

// do runs one job. What the check finds is the outcome; an error is a program that is not installed or a folder that
// cannot be written.
func (w *Work) do(ctx context.Context, j job, o *Outcome) (err error) {
	limit := checkTimeout
	if j.check.Long() {
		limit = longTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if j.dir, err = w.Sub(j.check.Name); err != nil {
		return err
	}
	defer os.RemoveAll(j.dir)
	if j.mutant != nil {
		if j.file, err = w.mutate(j.dir, *j.mutant); err != nil {
			return err
		}
	}
	v, r, err := kinds[j.check.Kind].run(w, ctx, j)
	var missing *MissingError
	if errors.As(err, &missing) {
		return err
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
	return nil
}

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

func (j job) verilog() Verilog {
	v := j.check.Verilog
	v.Files = slices.Clone(v.Files)
	for i, f := range v.Files {
		if j.mutant != nil && f == j.mutant.File {
			v.Files[i] = j.file
		}
	}
	return v
}

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
	v := j.verilog()
	args := map[string][]string{
		"iverilog": append([]string{"-g2005", "-Wall", "-tnull", "-I" + w.Path(include), "-s", v.Top},
			prefixed("-P"+v.Top+".", v.Params)...),
		"verilator": append([]string{"--lint-only", "-Wall", "-I" + w.Path(include), "--top-module", v.Top},
			prefixed("-G", v.Params)...),
		"yosys": {"-q", "-p", w.Read(v) + "proc; check"},
	}[j.tool]
	if j.tool != "yosys" {
		args = append(args, w.Paths(v.Files)...)
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

func (w *Work) bench(ctx context.Context, j job) (verdict, Execution, error) {
	build := w.Icarus
	if j.tool == Verilator {
		build = w.Verilator
	}
	return simulate(ctx, build, j.verilog(), j.mutant != nil)
}

// simulate builds and runs a test bench. It passes with status 0 and one line that begins with PASS. With first, the
// run ends at the first error that the bench prints.
func simulate(ctx context.Context, build func(context.Context, Verilog) (*Simulation, error), b Verilog, first bool) (
	v verdict, r Execution, err error) {
	sim, err := build(ctx, b)
	if err != nil {
		return broken, Execution{}, err
	}
	defer sim.Close()
	if first {
		v, r, err = sim.firstError(ctx, b.Top)
	} else {
		r, err = sim.Run(ctx)
		v, err = judge(r, err)
		if v == passed && strings.Contains("\n"+r.Output, "\n"+b.Top+": ") {
			v, err = broken, errors.New("a line that begins with the bench's name, as of an error, in spite of PASS")
		}
	}
	r.CPU += sim.built
	return v, r, err
}

// firstError runs a bench to its end, or until it prints an error: a line that begins with FAIL or with the bench's
// name. A mutant's bench may never end.
func (s *Simulation) firstError(ctx context.Context, top string) (verdict, Execution, error) {
	if path, err := find("stdbuf"); err == nil {
		s.command = append([]string{path, "-oL"}, s.command...) // each line is written at once
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	p, err := s.Start(ctx)
	if err != nil {
		return broken, Execution{}, err
	}
	out := new(tail)
	found := false
	sc := bufio.NewScanner(p.Out)
	for !found && sc.Scan() {
		line := sc.Text()
		fmt.Fprintln(out, line)
		found = strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, top+": ")
	}
	if found {
		stop()
	}
	r, err := p.Wait()
	r.Output = string(out.buf) + r.Output
	if found {
		return refuted, r, nil
	}
	v, err := judge(r, errors.Join(err, sc.Err()))
	return v, r, err
}

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

func (w *Work) sat(ctx context.Context, j job) (verdict, Execution, error) {
	r, err := w.Run(ctx, w.Dir, "yosys", "-Q", "-T", "-p", fmt.Sprintf(
		"%sproc; flatten; memory; opt -full; sat -verify -prove ok 1 -show-inputs %s %s", w.Read(j.verilog()),
		j.check.Args, j.check.Top))
	switch {
	case err == nil && strings.Contains(r.Output, "SUCCESS!"):
		return passed, r, nil
	case strings.Contains(r.Output, "proof did fail"), strings.Contains(r.Output, "model found: FAIL!"):
		return refuted, r, err
	}
	return broken, r, err
}

// smt proves the assertions of a module by k-induction and reaches its covers.
func (w *Work) smt(ctx context.Context, j job) (verdict, Execution, error) {
	model := filepath.Join(j.dir, "model.smt2")
	script := fmt.Sprintf("%s; dffunmap; write_smt2 -wires %s", w.circuit(j), model)
	total, err := w.Run(ctx, j.dir, "yosys", "-q", "-p", script)
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
		r, err := w.Run(ctx, j.dir, "yosys-smtbmc", args...)
		total.CPU += r.CPU
		total.Output = r.Output
		status := strings.ToLower(r.Output)
		switch {
		case err == nil && strings.Contains(status, "status: passed"):
		case strings.Contains(status, "status: failed"):
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
func (w *Work) circuit(j job) string {
	c := j.check
	// What the modules assume of their inputs under FORMAL is theirs: it could make ok's proof void.
	define, add := "-D FORMAL ", ""
	if c.Kind != "ind" && strings.HasPrefix(c.Files[0], "formal/") {
		define, add = "", "cd "+c.Top+"; add -assert ok; cd ..; "
	}
	read := fmt.Sprintf("read_verilog -formal -I%s %s%s; %s", w.Path(include), define,
		strings.Join(w.Paths(j.verilog().Files), " "), c.Chparam())
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
// an initial value start with any, and what has no value may have any in each clock. opt -full would take a third of
// the time more, and find no more than ABC does.
func (w *Work) model(ctx context.Context, j job, file string) (Execution, error) {
	return w.Run(ctx, filepath.Dir(file), "yosys", "-q", "-p", fmt.Sprintf(
		"%s; miter -assert -flatten %s bad; hierarchy -top bad; opt_clean; techmap; opt_expr -full; setundef -anyseq; "+
			"dffunmap; aigmap; opt_clean; write_aiger -zinit %s", w.circuit(j), j.check.Top, file))
}

// abc proves by ABC, for all time (pdr), by induction over as many clocks as args say (ind), or for as
// many clocks (bmc).
func (w *Work) abc(ctx context.Context, j job) (verdict, Execution, error) {
	model := filepath.Join(j.dir, "model.aig")
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
	r, err := w.Run(ctx, j.dir, "yosys-abc", "-c", "read model.aig; "+commands)
	if err == nil && len(depths) == 2 && strings.Contains(r.Output, "UNDECIDED") {
		// The step failed from a state that may never be: only a run from the start refutes.
		first := r.CPU
		r, err = w.Run(ctx, j.dir, "yosys-abc", "-c", "read model.aig; bmc3 -F "+depths[1])
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
