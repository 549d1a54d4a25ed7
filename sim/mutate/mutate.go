// SPDX-License-Identifier: Apache-2.0

// Package mutate counts the errors that the benches and proofs of the hardware notice. Yosys makes errors in a module.
// Each one, a mutant, changes one bit of one cell; all are in one netlist. Try runs the module's checks on each mutant.
// If no check notices it, ABC compares it with the module, because some errors change nothing.
//
// Targets lists the modules and their checks. `genrom mutate` writes hdl/MUTANTS.md from the results.
//
//	targets, err := mutate.Targets()
//	result, err := mutate.Try(ctx, work, targets[0], mutate.Plan{Count: 200, Seed: 1})
package mutate

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"ply11/hdl"
	"ply11/sim/eda"
)

// A Target is a row of hdl/mutate.tsv: a module, and the checks that are to notice its errors.
type Target struct {
	Name   string
	Module string
	Files  []string // the module's own first, then those of modules in it that are mutated with it
	Params []string // NAME=value
	Checks []string // names in hdl/checks.tsv: benches, then proofs of kinds sat, pdr and bmc
}

// checks returns the rows of the checks.
func (t Target) checks() ([]eda.Check, error) {
	all, err := eda.Checks()
	if err != nil {
		return nil, err
	}
	var list []eda.Check
	for _, name := range t.Checks {
		i := slices.IndexFunc(all, func(c eda.Check) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("mutants of %s: there is no check %s", t.Name, name)
		}
		list = append(list, all[i])
	}
	return list, nil
}

// others returns the modules that the target has in it and that are not mutated, as the checks and the lint rows of the
// module name them: a bench with others in their place does not.
func (t Target) others() ([]string, error) {
	checks, err := t.checks()
	if err != nil {
		return nil, err
	}
	all, err := eda.Checks()
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		if c.Kind == "lint" && c.Top == t.Module {
			checks = append(checks, c)
		}
	}
	var files []string
	for _, c := range checks {
		for _, f := range c.Files {
			if strings.HasPrefix(f, "rtl/") && !slices.Contains(t.Files, f) && !slices.Contains(files, f) {
				files = append(files, f)
			}
		}
	}
	return files, nil
}

// Sources returns a hash of everything that the target's mutants and their fates depend on: its row, the rows of
// its checks, and the files that these read. Comments do not count, as long as no line moves. A table of
// mutants keeps the hash. If it is another one now, the table was made from other sources.
func (t Target) Sources() (string, error) {
	checks, err := t.checks()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	files := make(map[string]bool)
	add := func(names []string) {
		for _, n := range names {
			files[n] = true
		}
	}
	fmt.Fprintln(h, t.Module, t.Params)
	add(t.Files)
	for _, c := range checks {
		args := c.Args
		if c.Kind == "bench" {
			args = "" // in which simulator prove runs it
		}
		fmt.Fprintln(h, c.Kind, c.Top, c.Params, args)
		add(c.Files)
		if c.Kind != "bench" {
			continue
		}
		// A bench reads vectors beside it, and what it includes.
		dir := path.Dir(c.Files[0])
		entries, err := fs.ReadDir(hdl.FS, dir)
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			if !e.IsDir() {
				files[path.Join(dir, e.Name())] = true
			}
		}
		text, err := hdl.FS.ReadFile(c.Files[0])
		if err != nil {
			return "", err
		}
		for _, m := range included.FindAllStringSubmatch(string(text), -1) {
			files["tb/include/"+m[1]] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text, err := hdl.FS.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(h, name)
		for line := range strings.Lines(string(text)) {
			if code, _, found := strings.Cut(line, "//"); found {
				line = strings.TrimRight(code, " ") + "\n"
			}
			io.WriteString(h, line)
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:12], nil
}

// included finds what a bench includes.
var included = regexp.MustCompile("`include \"([^\"]+)\"")

// Targets returns the rows of hdl/mutate.tsv.
func Targets() ([]Target, error) {
	rows, err := hdl.Table("mutate.tsv")
	if err != nil {
		return nil, err
	}
	targets := make([]Target, len(rows))
	for i, r := range rows {
		targets[i] = Target{r["name"], r["module"], strings.Fields(r["files"]), strings.Fields(r["params"]),
			strings.Fields(r["checks"])}
	}
	return targets, nil
}

// A Fate is what becomes of a mutant.
type Fate int

const (
	Survived  Fate = iota
	ByBench        // a bench failed
	ByProof        // a proof failed
	Equal          // proved to do what the module does, from a reset after power-up with all registers 0
	Different      // no check notices it, and a run of inputs exists in which it differs
)

// A Mutation is one of Yosys' mutants of a target, and its fate.
type Mutation struct {
	ID   int
	Mode string // what is done: inv, const0, const1, cnot0, cnot1
	Bit  string // to which bit: cell.port[bit], and the name of the wire there, if it has one
	Src  string // the place in the source, file:line.column-line.column
	Fate Fate
	Last string // the check that decided, or how many clocks the difference takes
}

// A Result is what a target's mutants came to.
type Result struct {
	Target    Target
	Sources   string // Target.Sources
	Mutations []Mutation
	CPU       time.Duration // of the programs; what Verilator takes to build a bench is not in it
}

// Count returns how many have a fate.
func (m Result) Count(f Fate) int {
	n := 0
	for _, x := range m.Mutations {
		if x.Fate == f {
			n++
		}
	}
	return n
}

// A Plan tells how to mutate.
type Plan struct {
	Count   int // mutants of each target
	Seed    int // of Yosys' choice
	Workers int // how many programs at a time; 0 is 2
	Seconds int // that each try to tell a survivor from the module may take; 0 is no comparison
	// Report, if set, is told what is done, one line at a time.
	Report func(string)
}

// mutantSelect is the number of bits of the input that selects the mutant; 0 is none.
const mutantSelect = 12

// Try makes mutants of a target by Yosys, all in one netlist, and lets its checks find them.
func Try(ctx context.Context, w *eda.Work, t Target, p Plan) (Result, error) {
	result := Result{Target: t}
	if err := eda.Need("yosys", "verilator", "g++", "make"); err != nil {
		return result, err
	}
	if p.Count < 1 || p.Count >= 1<<mutantSelect {
		return result, fmt.Errorf("%d mutants: not 1 to %d", p.Count, 1<<mutantSelect-1)
	}
	checks, err := t.checks()
	if err != nil {
		return result, err
	}
	if result.Sources, err = t.Sources(); err != nil {
		return result, err
	}
	dir, err := w.Sub("mutate-" + t.Name)
	if err != nil {
		return result, err
	}
	defer os.RemoveAll(dir)
	u := &mutants{w: w, t: t, p: p, dir: dir, name: t.Module + "_mutants", result: &result}
	if u.p.Workers <= 0 {
		u.p.Workers = 2
	}
	if err := u.make(ctx); err != nil {
		return result, err
	}
	for _, c := range checks {
		if c.Kind == "bench" {
			err = u.bench(ctx, c)
		} else {
			err = u.proof(ctx, c)
		}
		if err != nil {
			return result, fmt.Errorf("mutants of %s: %w", t.Name, err)
		}
		u.report("%s: %d of %d noticed after %s, %.0f s", t.Name, result.Count(ByBench)+result.Count(ByProof),
			len(result.Mutations), c.Name,
			result.CPU.Seconds())
	}
	if err := u.compare(ctx); err != nil {
		return result, fmt.Errorf("mutants of %s: %w", t.Name, err)
	}
	return result, nil
}

// mutants is what Try works with.
type mutants struct {
	w      *eda.Work
	t      Target
	p      Plan
	dir    string
	name   string // of the netlist's module
	module eda.Module
	result *Result
	lock   sync.Mutex
}

func (u *mutants) report(format string, args ...any) {
	if u.p.Report != nil {
		u.lock.Lock()
		defer u.lock.Unlock()
		u.p.Report(fmt.Sprintf(format, args...))
	}
}

func (u *mutants) spent(r eda.Execution) {
	u.lock.Lock()
	u.result.CPU += r.CPU
	u.lock.Unlock()
}

var (
	mutateCell = regexp.MustCompile(` -cell (?:\$auto\$(\w+)\.cc|\$(\w+)|(\S+))`)
	mutateWire = regexp.MustCompile(` -wire (\S+) -wirebit (\d+)`)
	mutateSrc  = regexp.MustCompile(` -src \S*?([^/\s]+\.v:[\d.-]+)`)
	mutatePort = regexp.MustCompile(` -port (\S+) -portbit (\d+)`)
	mutateMode = regexp.MustCompile(` -mode (\S+)`)
)

// mutation reads a line of Yosys' list of mutations.
func mutation(line string) Mutation {
	var m Mutation
	if x := mutateMode.FindStringSubmatch(line); x != nil {
		m.Mode = x[1]
	}
	if x := mutateCell.FindStringSubmatch(line); x != nil {
		m.Bit = x[1] + x[2] + x[3]
	}
	if x := mutatePort.FindStringSubmatch(line); x != nil {
		m.Bit += "." + x[1] + "[" + x[2] + "]"
	}
	if x := mutateWire.FindStringSubmatch(line); x != nil {
		m.Bit += " " + x[1] + "[" + x[2] + "]"
	}
	// The last place is the innermost.
	if x := mutateSrc.FindAllStringSubmatch(line, -1); x != nil {
		m.Src = x[len(x)-1][1]
	}
	return m
}

// make writes the netlist with all mutants.
func (u *mutants) make(ctx context.Context) error {
	sound, list, script := filepath.Join(u.dir, "sound.il"), filepath.Join(u.dir, "list"),
		filepath.Join(u.dir, "script")
	others, err := u.t.others()
	if err != nil {
		return err
	}
	boxes := ""
	if len(others) > 0 {
		boxes = "read_verilog -lib " + strings.Join(u.w.Paths(others), " ") + "; "
	}
	// Some of the list are left out.
	r, err := u.w.Run(ctx, u.w.Dir, "yosys", "-q", "-p", fmt.Sprintf(
		"%sread_verilog %s; %shierarchy -check -top %s; proc; flatten; opt; memory -nomap; memory_map -rom-only; opt "+
			"-full; rename -top %s; "+
			"mutate -list %d -seed %d -o %s; write_rtlil %s",
		boxes, strings.Join(u.w.Paths(u.t.Files), " "), eda.Check{Top: u.t.Module, Params: u.t.Params}.Chparam(),
		u.t.Module, u.name,
		u.p.Count+u.p.Count/5+5, u.p.Seed, list, sound))
	u.spent(r)
	if err != nil {
		return err
	}
	lines, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	var apply strings.Builder
	for line := range strings.Lines(string(lines)) {
		// What an error in the clock of a register does, depends on the order of a simulator's events.
		if x := mutatePort.FindStringSubmatch(line); x != nil && strings.HasSuffix(strings.ToUpper(x[1]), "CLK") ||
			len(u.result.Mutations) == u.p.Count {
			continue
		}
		m := mutation(line)
		m.ID = len(u.result.Mutations) + 1
		u.result.Mutations = append(u.result.Mutations, m)
		fmt.Fprintf(&apply, "mutate -ctrl mutant %d %d%s", mutantSelect, m.ID, strings.TrimPrefix(line, "mutate"))
	}
	if err := os.WriteFile(script, []byte(apply.String()), 0o666); err != nil {
		return err
	}
	text, js := filepath.Join(u.dir, u.name+".v"), filepath.Join(u.dir, u.name+".json")
	r, err = u.w.Run(ctx, u.w.Dir, "yosys", "-q", "-p",
		fmt.Sprintf("read_rtlil %s; script %s; opt_clean; write_verilog -noattr %s; write_json %s", sound, script, text,
			js))
	u.spent(r)
	if err != nil {
		return err
	}
	u.module, err = eda.ReadModule(js, u.name)
	return err
}

// file writes Verilog with the netlist and a module around it that has the name, the ports and the
// parameters of the target's; sel says which mutant the netlist is, with the declarations that it needs.
// With other values of the parameters it is the module as it is.
func (u *mutants) file(name, sel, declarations string) (string, error) {
	netlist, err := os.ReadFile(filepath.Join(u.dir, u.name+".v"))
	if err != nil {
		return "", err
	}
	original, err := os.ReadFile(u.w.Path(u.t.Files[0]))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.Write(netlist)
	sound := u.t.Module + "_sound"
	b.WriteString(regexp.MustCompile(`(?m)^module `+u.t.Module+`\b`).ReplaceAllString(string(original),
		"module "+sound))
	fmt.Fprintf(&b, "`timescale 1ns / 1ps\nmodule %s", u.t.Module)
	condition := "1"
	var pass []string
	names, values := u.module.Values()
	for i, p := range names {
		value := values[p]
		fmt.Fprintf(&b, "%s\n  parameter %s = %s", []string{" #(", ","}[min(i, 1)], p, value)
		condition += fmt.Sprintf(" && %s == %s", p, value)
		pass = append(pass, fmt.Sprintf(".%s(%s)", p, p))
	}
	params := ""
	if len(pass) > 0 {
		b.WriteString("\n)")
		params = " #(" + strings.Join(pass, ", ") + ")"
	}
	ports := u.module
	ports.Ports = maps.Clone(ports.Ports)
	delete(ports.Ports, "mutant")
	fmt.Fprintf(&b, " (\n%s\n);\n%s  generate\n  if (%s) begin : g_mutant\n    %s u_dut (%s);\n  end else begin : "+
		"g_sound\n    %s%s u_dut (%s);\n"+
		"  end\n  endgenerate\nendmodule\n", ports.Declare(), declarations, condition, u.name,
		u.module.Connect(map[string]string{"mutant": sel}),
		sound, params, ports.Connect(nil))
	file := filepath.Join(u.dir, name)
	return file, os.WriteFile(file, []byte(b.String()), 0o666)
}

// each calls do for every mutant that survives so far, some at a time. What do returns is its fate.
func (u *mutants) each(ctx context.Context, do func(Mutation) (Fate, string, error)) error {
	var group errgroup.Group
	group.SetLimit(u.p.Workers)
	errs := make([]error, len(u.result.Mutations))
	for i := range u.result.Mutations {
		m := &u.result.Mutations[i]
		if m.Fate != Survived {
			continue
		}
		group.Go(func() error {
			if ctx.Err() == nil {
				m.Fate, m.Last, errs[i] = do(*m)
			}
			return nil
		})
	}
	group.Wait()
	return errors.Join(ctx.Err(), errors.Join(errs...))
}

// bench runs a bench on every mutant.
func (u *mutants) bench(ctx context.Context, c eda.Check) error {
	file, err := u.file("bench.v", "number", fmt.Sprintf(
		"  reg [%d:0] number;\n  initial if (!$value$plusargs(\"mutant=%%d\", number)) number = 0;\n", mutantSelect-1))
	if err != nil {
		return err
	}
	files := slices.Clone(c.Files)
	if i := slices.Index(files, u.t.Files[0]); i >= 0 {
		files[i] = file
	}
	sim, err := u.w.Verilator(ctx, eda.Bench{Top: c.Top, Files: files, Include: []string{"tb/include"},
		Params: c.Params})
	if err != nil {
		return err
	}
	defer sim.Close()
	r, err := sim.Run(ctx)
	u.spent(r)
	if err := r.Passed(err); err != nil {
		return fmt.Errorf("%s does not pass on the netlist without a mutant: %w", c.Name, err)
	}
	// A bench prints nothing before PASS but what is wrong, and then it fails: there is no need to wait for it.
	if strings.HasPrefix(r.Output, "PASS") {
		sim.Unbuffered()
	}
	limit := 30*time.Second + 10*r.Wall
	return u.each(ctx, func(m Mutation) (Fate, string, error) {
		one, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		p, err := sim.Start(one, fmt.Sprintf("+mutant=%d", m.ID))
		if err != nil {
			return Survived, "", err
		}
		out := bufio.NewReader(p.Out)
		line, _ := out.ReadString('\n')
		if !strings.HasPrefix(line, "PASS") {
			cancel()
		}
		rest, _ := io.ReadAll(io.LimitReader(out, eda.MaxOutput))
		r, err := p.Wait()
		u.spent(r)
		r.Output = line + string(rest)
		if r.Passed(err) == nil {
			return Survived, "", nil
		}
		return ByBench, c.Name, nil
	})
}

// proof tries a proof on every mutant. It has to hold of the netlist without a mutant: one whose names or parameters
// are not the netlist's would refute each, or none.
func (u *mutants) proof(ctx context.Context, c eda.Check) error {
	judge := func(id int) (holds, fails bool, err error) {
		file, err := u.file(fmt.Sprintf("proof-%d.v", id), fmt.Sprintf("%d'd%d", mutantSelect, id), "")
		if err != nil {
			return false, false, err
		}
		holds, fails, r, err := u.w.Judge(ctx, c, map[string]string{u.t.Files[0]: file})
		u.spent(r)
		return holds, fails, err
	}
	if holds, _, err := judge(0); err != nil || !holds {
		return cmp.Or(err, fmt.Errorf("%s does not hold of the netlist without a mutant", c.Name))
	}
	return u.each(ctx, func(m Mutation) (Fate, string, error) {
		_, fails, err := judge(m.ID)
		if err != nil || !fails {
			return Survived, "", err
		}
		return ByProof, c.Name, nil
	})
}

// model returns the netlist with all mutants as a graph. What goes into the modules in it that are not mutated
// is an output, and what they give is an input.
func (u *mutants) model(ctx context.Context) (*aig, error) {
	others, err := u.t.others()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(u.dir, "model.aag")
	boxes := ""
	if len(others) > 0 {
		boxes = "read_verilog -lib " + strings.Join(u.w.Paths(others), " ") + "; "
	}
	// opt_dff takes x for what a register would get where its enable is 0, so x is replaced again behind opt.
	r, err := u.w.Run(ctx, u.dir, "yosys", "-q", "-p", fmt.Sprintf(
		"%sread_verilog %s; hierarchy -check -top %s; proc; flatten; expose -evert t:*; memory -nordff; opt -full; "+
			"techmap; setundef -zero -init; "+
			"opt; setundef -zero; dffunmap; aigmap; opt_clean; write_aiger -ascii -symbols -zinit %s",
		boxes, filepath.Join(u.dir, u.name+".v"), u.name, file))
	u.spent(r)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAIG(f)
}

// base returns the name of a port of which a pin is a bit.
func (p aigPin) base() string {
	name, _, _ := strings.Cut(p.name, "[")
	return name
}

// miter compares a netlist with one of its mutants: its literal is 1 where they differ, from a reset in the
// first clock on. What a valid or an is_move of the same prefix says is free, is free. With own registers,
// both run from the reset. With shared ones the module runs, and in each clock the mutant is to give the
// same outputs and the same next values: that is more than is needed, and easier to prove.
func miter(g *aig, id int, shared bool) (*aig, uint32) {
	m := newAIG()
	started := m.latch("")
	m.latches[0].next = 1
	// Both have the same inputs, but for the number of the mutant.
	ins := [2][]uint32{make([]uint32, len(g.inputs)), make([]uint32, len(g.inputs))}
	bit := func(name string) int {
		n, _ := strconv.Atoi(strings.Trim(strings.TrimPrefix(name, "mutant"), "[]"))
		return n
	}
	for i, p := range g.inputs {
		var lit uint32
		switch p.base() {
		case "mutant":
			ins[0][i], ins[1][i] = 0, uint32(id>>bit(p.name))&1
			continue
		case "rst":
			lit = m.or(m.input(p.name), started^1)
		case "aresetn":
			lit = m.and(m.input(p.name), started)
		default:
			lit = m.input(p.name)
		}
		ins[0][i], ins[1][i] = lit, lit
	}
	var outs, nexts [2][]uint32
	var regs []uint32
	for side := range 2 {
		if side == 0 || !shared {
			regs = nil
			for _, p := range g.latches {
				regs = append(regs, m.latch(p.name))
			}
		}
		outs[side], nexts[side] = g.copyTo(m, ins[side], regs)
		if side == 0 || !shared {
			for i, n := range nexts[side] {
				m.latches[1+side*len(g.latches)+i].next = n
			}
		}
	}
	outputs := make(map[string]uint32)
	for i, p := range g.outputs {
		outputs[p.name] = outs[0][i]
	}
	bad := uint32(0)
	for i, p := range g.outputs {
		differs := m.xor(outs[0][i], outs[1][i])
		prefix, rest, found := strings.Cut(p.base(), "_")
		if !found || !slices.Contains([]string{"m", "text", "load"}, prefix) {
			prefix, rest = "", p.base()
		} else {
			prefix += "_"
		}
		for _, guard := range []string{"valid", "is_move"} {
			if lit, ok := outputs[prefix+guard]; ok && rest != "valid" && rest != guard {
				differs = m.and(differs, lit)
			}
		}
		bad = m.or(bad, differs)
	}
	// Outputs count from the first clock after the reset on, next values from the reset itself.
	if len(g.latches) > 0 {
		bad = m.and(bad, started)
	}
	if shared {
		for i := range nexts[0] {
			bad = m.or(bad, m.xor(nexts[0][i], nexts[1][i]))
		}
	}
	return m, bad
}

// miterClocks is how many clocks a difference between a survivor and the module may take to be found.
const miterClocks = 60

// oneClock looks for a state and inputs in which a miter of shared registers is 1: its first output without the
// registers, which comb makes outputs, too.
const oneClock = "comb; cone -O 0; sat -C 100000"

var assertedIn = regexp.MustCompile(`was asserted in frame (\d+)`)

// compare tells of each survivor whether it is equal to the module.
func (u *mutants) compare(ctx context.Context) error {
	if u.p.Seconds <= 0 || !slices.ContainsFunc(u.result.Mutations, func(m Mutation) bool {
		return m.Fate == Survived
	}) {
		return nil
	}
	g, err := u.model(ctx)
	if err != nil {
		return err
	}
	return u.each(ctx, func(m Mutation) (Fate, string, error) {
		dir, err := u.w.Sub("miter")
		if err != nil {
			return Survived, "", err
		}
		defer os.RemoveAll(dir)
		one, cancel := context.WithTimeout(ctx, time.Duration(10*u.p.Seconds)*time.Second)
		defer cancel()
		for _, try := range []struct {
			shared   bool
			commands string
		}{
			{true, oneClock},                // many that are equal, in any state of the registers
			{false, "bmc3 -F 8 -T SECONDS"}, // most that differ, at once
			{true, "scorr; dc2; pdr -T SECONDS"},
			{false, "scorr; dc2; bmc3 -F " + strconv.Itoa(miterClocks) + " -T SECONDS"},
			{false, "scorr; dc2; pdr -T SECONDS"},
		} {
			miter, bad := miter(g, m.ID, try.shared)
			if bad == 0 {
				return Equal, "", nil
			}
			if err := os.WriteFile(filepath.Join(dir, "miter.aig"), miter.write(bad), 0o666); err != nil {
				return Survived, "", err
			}
			r, err := u.w.Run(one, dir, "yosys-abc", "-c", "read miter.aig; "+strings.ReplaceAll(try.commands,
				"SECONDS", strconv.Itoa(u.p.Seconds)))
			u.spent(r)
			if x := assertedIn.FindStringSubmatch(r.Output); x != nil && !try.shared {
				return Different, "in clock " + x[1], nil
			}
			if err == nil && (strings.Contains(r.Output, "Property proved.") ||
				strings.Contains(r.Output, "UNSATISFIABLE")) {
				return Equal, "", nil
			}
		}
		return Survived, "", nil
	})
}
