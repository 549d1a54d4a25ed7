// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"ply11/hdl"
)

// A Target is a row of hdl/mutate.tsv: a module, and the checks that are to notice its errors.
type Target struct {
	Name   string
	Module string
	Files  []string // the module's own first, then those that it needs
	Params []string // NAME=value
	Checks []string // names in hdl/checks.tsv: benches, then proofs of kinds sat, pdr and bmc
}

// Targets returns the rows of hdl/mutate.tsv.
func Targets() ([]Target, error) {
	rows, err := hdl.Table("mutate.tsv")
	if err != nil {
		return nil, err
	}
	targets := make([]Target, len(rows))
	for i, r := range rows {
		targets[i] = Target{r["name"], r["module"], strings.Fields(r["files"]), strings.Fields(r["params"]), strings.Fields(r["checks"])}
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
	Wire string // to which bit, as name[bit], or, where that has no name, port[bit] of a cell
	Src  string // the place in the source, file:line
	Fate Fate
	Last string // the check that decided, or how many clocks the difference takes
}

// A Mutated is what a target's mutants came to.
type Mutated struct {
	Target    Target
	Mutations []Mutation
	CPU       time.Duration
}

// Count returns how many have a fate.
func (m Mutated) Count(f Fate) int {
	n := 0
	for _, x := range m.Mutations {
		if x.Fate == f {
			n++
		}
	}
	return n
}

// Caught returns the part of the mutants that checks notice, of all that are not proved equal to the
// module; 1 if there are none.
func (m Mutated) Caught() float64 {
	caught := m.Count(ByBench) + m.Count(ByProof)
	all := len(m.Mutations) - m.Count(Equal)
	if all == 0 {
		return 1
	}
	return float64(caught) / float64(all)
}

// A MutatePlan tells how to mutate.
type MutatePlan struct {
	Count   int // mutants of each target
	Seed    int // of Yosys' choice
	Workers int // how many programs at a time; 0 is 2
	// Report, if set, is told what is done, one line at a time.
	Report func(string)
}

// mutantSelect is the number of bits of the input that selects the mutant; 0 is none.
const mutantSelect = 12

// Mutate makes mutants of a target by Yosys, all in one netlist, and lets its checks find them.
func (w *Work) Mutate(ctx context.Context, t Target, p MutatePlan) (Mutated, error) {
	result := Mutated{Target: t}
	if err := Need("yosys", "verilator", "g++", "make"); err != nil {
		return result, err
	}
	if p.Count < 1 || p.Count >= 1<<mutantSelect {
		return result, fmt.Errorf("%d mutants: not 1 to %d", p.Count, 1<<mutantSelect-1)
	}
	all, err := Checks()
	if err != nil {
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
	for _, name := range t.Checks {
		i := slices.IndexFunc(all, func(c Check) bool { return c.Name == name })
		if i < 0 {
			return result, fmt.Errorf("mutants of %s: there is no check %s", t.Name, name)
		}
		if all[i].Kind == "bench" {
			err = u.bench(ctx, all[i])
		} else {
			err = u.proof(ctx, all[i])
		}
		if err != nil {
			return result, fmt.Errorf("mutants of %s: %w", t.Name, err)
		}
		u.report("%s: %d of %d noticed after %s", t.Name, result.Count(ByBench)+result.Count(ByProof), len(result.Mutations), name)
	}
	if err := u.compare(ctx); err != nil {
		return result, fmt.Errorf("mutants of %s: %w", t.Name, err)
	}
	return result, nil
}

// mutants is a run of Mutate.
type mutants struct {
	w      *Work
	t      Target
	p      MutatePlan
	dir    string
	name   string // of the netlist's module
	module module
	result *Mutated
	lock   sync.Mutex
}

func (u *mutants) report(format string, args ...any) {
	if u.p.Report != nil {
		u.lock.Lock()
		defer u.lock.Unlock()
		u.p.Report(fmt.Sprintf(format, args...))
	}
}

func (u *mutants) spent(r Run) {
	u.lock.Lock()
	u.result.CPU += r.CPU
	u.lock.Unlock()
}

var (
	mutateWire = regexp.MustCompile(` -wire (\S+) -wirebit (\d+)`)
	mutateSrc  = regexp.MustCompile(` -src \S*?([^/\s]+\.v:\d+)`)
	mutatePort = regexp.MustCompile(` -port (\S+) -portbit (\d+)`)
	mutateMode = regexp.MustCompile(` -mode (\S+)`)
)

// make writes the netlist with all mutants.
func (u *mutants) make(ctx context.Context) error {
	list, text, js := filepath.Join(u.dir, "list"), filepath.Join(u.dir, u.name+".v"), filepath.Join(u.dir, u.name+".json")
	r, err := u.w.Run(ctx, u.w.Dir, "yosys", "-q", "-p", fmt.Sprintf(
		"read_verilog %s; %shierarchy -check -top %s; proc; flatten; opt; memory; opt -full; rename -top %s; "+
			"mutate -list %d -seed %d -ctrl mutant %d 1 -o %s; script %s; opt_clean; write_verilog -noattr %s; write_json %s",
		strings.Join(u.w.paths(u.t.Files), " "), chparam(Check{Top: u.t.Module, Params: u.t.Params}), u.t.Module, u.name,
		u.p.Count, u.p.Seed, mutantSelect, list, list, text, js))
	u.spent(r)
	if err != nil {
		return err
	}
	if u.module, err = readModule(js, u.name); err != nil {
		return err
	}
	lines, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(lines)) {
		m := Mutation{ID: len(u.result.Mutations) + 1}
		if x := mutateMode.FindStringSubmatch(line); x != nil {
			m.Mode = x[1]
		}
		if x := mutateWire.FindStringSubmatch(line); x != nil {
			m.Wire = x[1] + "[" + x[2] + "]"
		}
		if x := mutatePort.FindStringSubmatch(line); x != nil && m.Wire == "" {
			m.Wire = "port " + x[1] + "[" + x[2] + "]"
		}
		// The last place is the innermost.
		if x := mutateSrc.FindAllStringSubmatch(line, -1); x != nil {
			m.Src = x[len(x)-1][1]
		}
		u.result.Mutations = append(u.result.Mutations, m)
	}
	return nil
}

// file writes Verilog with the netlist and a stand-in of the module whose mutant is what select says, with
// the declarations that it needs.
func (u *mutants) file(name, sel, declarations string) (string, error) {
	netlist, err := os.ReadFile(filepath.Join(u.dir, u.name+".v"))
	if err != nil {
		return "", err
	}
	text := string(netlist) + standIn(u.t.Module, []variant{{u.name, u.module}}, map[string]string{"mutant": sel}, declarations)
	file := filepath.Join(u.dir, name)
	return file, os.WriteFile(file, []byte(text), 0o666)
}

// each calls do for every mutant that survives so far, some at a time. What do returns is its fate.
func (u *mutants) each(ctx context.Context, do func(Mutation) (Fate, string, error)) error {
	var wg sync.WaitGroup
	slots := make(chan struct{}, u.p.Workers)
	errs := make([]error, len(u.result.Mutations))
	for i := range u.result.Mutations {
		m := &u.result.Mutations[i]
		if m.Fate != Survived {
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			m.Fate, m.Last, errs[i] = do(*m)
		})
	}
	wg.Wait()
	return errors.Join(ctx.Err(), errors.Join(errs...))
}

// bench runs a bench on every mutant.
func (u *mutants) bench(ctx context.Context, c Check) error {
	file, err := u.file("bench.v", "number", fmt.Sprintf(
		"  reg [%d:0] number;\n  initial if (!$value$plusargs(\"mutant=%%d\", number)) number = 0;\n", mutantSelect-1))
	if err != nil {
		return err
	}
	j := job{check: c, files: map[string]string{u.t.Files[0]: file}}
	sim, err := u.w.Verilator(ctx, Bench{Top: c.Top, Files: j.sources(), Include: []string{"tb/include"}, Params: c.Params}, true)
	if err != nil {
		return err
	}
	defer sim.Close()
	r, err := sim.Run(ctx)
	u.spent(r)
	if v, err := judge(r, err); v != passed {
		return fmt.Errorf("%s does not pass on the netlist without a mutant: %w: %s", c.Name, err, lastLine(r.Output))
	}
	limit := 30*time.Second + 10*r.Wall
	return u.each(ctx, func(m Mutation) (Fate, string, error) {
		one, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		r, err := sim.Run(one, fmt.Sprintf("+mutant=%d", m.ID))
		u.spent(r)
		if v, _ := judge(r, err); v == passed {
			return Survived, "", nil
		}
		return ByBench, c.Name, nil
	})
}

// proof tries a proof on every mutant.
func (u *mutants) proof(ctx context.Context, c Check) error {
	return u.each(ctx, func(m Mutation) (Fate, string, error) {
		file, err := u.file(fmt.Sprintf("proof-%d.v", m.ID), fmt.Sprintf("%d'd%d", mutantSelect, m.ID), "")
		if err != nil {
			return Survived, "", err
		}
		dir, err := u.w.Sub("proof")
		if err != nil {
			return Survived, "", err
		}
		defer os.RemoveAll(dir)
		one, cancel := context.WithTimeout(ctx, checkTimeout)
		defer cancel()
		j := job{check: c, files: map[string]string{u.t.Files[0]: file}}
		var v verdict
		var r Run
		switch c.Kind {
		case "sat":
			v, r, _ = u.w.sat(one, j)
		case "pdr", "bmc":
			v, r, _ = u.w.abc(one, j, dir)
		default:
			return Survived, "", fmt.Errorf("%s: a check of kind %s cannot be run on a netlist", c.Name, c.Kind)
		}
		u.spent(r)
		if v == refuted {
			return ByProof, c.Name, nil
		}
		return Survived, "", nil
	})
}

// miter returns Verilog that compares the module with a mutant of it: ok is 1 while both give the same,
// from a reset in the first clock on. What a valid or an is_move of the same prefix says is free, is free.
func (u *mutants) miter(id int) string {
	var b strings.Builder
	clocked := false
	var inputs, wires []string
	same := "1'b1"
	names := u.module.ports()
	for _, n := range names {
		port := u.module.Ports[n]
		switch {
		case n == "clk":
			clocked = true
		case n == "mutant":
		case port.Direction == "input":
			inputs = append(inputs, fmt.Sprintf("  input wire [%d:0] %s", len(port.Bits)-1, n))
		default:
			wires = append(wires, fmt.Sprintf("  wire [%d:0] a_%s, b_%s;\n", len(port.Bits)-1, n, n))
			same += " && (a_" + n + " == b_" + n
			prefix, rest, found := strings.Cut(n, "_")
			if !found || !slices.Contains([]string{"m", "text", "load"}, prefix) {
				prefix, rest = "", n
			} else {
				prefix += "_"
			}
			for _, guard := range []string{"valid", "is_move"} {
				if rest != "valid" && rest != guard && u.module.Ports[prefix+guard].Direction == "output" {
					same += " || !a_" + prefix + guard
				}
			}
			same += ")"
		}
	}
	fmt.Fprintf(&b, "`timescale 1ns / 1ps\nmodule ply11_miter (\n  input wire clk,\n%s,\n  output wire ok\n);\n%s", strings.Join(inputs, ",\n"),
		strings.Join(wires, ""))
	b.WriteString("  reg f_started;\n  initial f_started = 1'b0;\n  always @(posedge clk) f_started <= 1'b1;\n")
	for _, side := range []struct {
		name   string
		mutant int
	}{{"a", 0}, {"b", id}} {
		special := map[string]string{"mutant": fmt.Sprintf("%d'd%d", mutantSelect, side.mutant)}
		for _, n := range names {
			if u.module.Ports[n].Direction == "output" {
				special[n] = side.name + "_" + n
			}
		}
		if _, ok := u.module.Ports["rst"]; ok {
			special["rst"] = "rst || !f_started"
		}
		fmt.Fprintf(&b, "  %s u_%s (%s);\n", u.name, side.name, u.module.connect(special))
	}
	started := "!f_started || "
	if !clocked {
		started = ""
	}
	fmt.Fprintf(&b, "  assign ok = %s(%s);\nendmodule\n", started, same)
	return b.String()
}

// Clocks and seconds that the comparison of a survivor with the module may take.
const (
	miterClocks  = 60
	miterSeconds = 5
)

var assertedIn = regexp.MustCompile(`was asserted in frame (\d+)`)

// compare tells of each survivor whether it is equal to the module.
func (u *mutants) compare(ctx context.Context) error {
	return u.each(ctx, func(m Mutation) (Fate, string, error) {
		dir, err := u.w.Sub("miter")
		if err != nil {
			return Survived, "", err
		}
		defer os.RemoveAll(dir)
		text := filepath.Join(dir, "miter.v")
		if err := os.WriteFile(text, []byte(u.miter(m.ID)), 0o666); err != nil {
			return Survived, "", err
		}
		one, cancel := context.WithTimeout(ctx, 10*miterSeconds*time.Second)
		defer cancel()
		r, err := u.w.Run(one, dir, "yosys", "-q", "-p", fmt.Sprintf(
			"read_verilog %s %s; hierarchy -check -top ply11_miter; proc; flatten; memory -nordff; opt -full; cd ply11_miter; "+
				"add -assert ok; cd ..; miter -assert -flatten ply11_miter bad; hierarchy -top bad; opt -full; techmap; "+
				"setundef -zero -init; opt -full; dffunmap; aigmap; opt_clean; write_aiger miter.aig",
			filepath.Join(u.dir, u.name+".v"), text))
		u.spent(r)
		if err != nil {
			return Survived, "", err
		}
		r, err = u.w.Run(one, dir, "yosys-abc", "-c", fmt.Sprintf("read miter.aig; scorr; dc2; bmc3 -F %d -T %d; pdr -T %d", miterClocks,
			miterSeconds, miterSeconds))
		u.spent(r)
		if x := assertedIn.FindStringSubmatch(r.Output); x != nil {
			return Different, "in clock " + x[1], nil
		}
		if err == nil && strings.Contains(r.Output, "Property proved.") {
			return Equal, "", nil
		}
		return Survived, "", nil
	})
}

// MutantTable returns the tables of hdl/MUTANTS.md: what came of each target, and the survivors.
func MutantTable(all []Mutated, reasons map[string]string) string {
	var b strings.Builder
	b.WriteString("| target | mutants | by benches | by proofs | proved equal | left | caught of those not equal |\n" +
		"|---|---:|---:|---:|---:|---:|---:|\n")
	for _, m := range all {
		fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %d | %d | %.1f %% |\n", m.Target.Name, len(m.Mutations), m.Count(ByBench), m.Count(ByProof),
			m.Count(Equal), m.Count(Survived)+m.Count(Different), 100*m.Caught())
	}
	b.WriteString("\n| target | mutant | place | wire | what is known | why no check notices |\n|---|---:|---|---|---|---|\n")
	for _, m := range all {
		for _, x := range m.Mutations {
			known := ""
			switch x.Fate {
			case Survived:
				known = "undecided"
			case Different:
				known = "differs " + x.Last
			default:
				continue
			}
			fmt.Fprintf(&b, "| `%s` | %d | %s | `%s` %s | %s | %s |\n", m.Target.Name, x.ID, x.Src, x.Wire, x.Mode, known,
				reasons[x.Src+" "+x.Wire])
		}
	}
	return b.String()
}
