// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ply11/sim/eda"
)

// settle is the number of clocks at the start of every run in which rst is 1, if there is one, and the
// outputs are not compared: until then registers are unknown.
const settle = 4

// A Rig compares models with the Verilog. Its bench has an instance of each module, which reads the inputs
// of each clock from a file and writes all ports of each clock to another; so the hardware gets what the
// model got, and any difference in any output is seen in the clock in which it arises.
type Rig struct {
	work    *eda.Work
	modules []Verilog
	ports   [][]Port
	bench   string // its path
}

// NewRig makes the bench for modules like these. Each may be run by itself, any number of times.
func NewRig(w *eda.Work, modules ...Module) (*Rig, error) {
	r := &Rig{work: w}
	for _, m := range modules {
		r.modules = append(r.modules, m.Verilog())
		r.ports = append(r.ports, m.Ports())
	}
	dir, err := w.Sub("rig")
	if err != nil {
		return nil, err
	}
	r.bench = filepath.Join(dir, "ply11_rig.v")
	return r, os.WriteFile(r.bench, r.emit(), 0o666)
}

// Build builds the bench with eda.ToolIcarus or eda.ToolVerilator. What comes back serves all runs.
func (r *Rig) Build(ctx context.Context, tool string) (*eda.Simulation, error) {
	b := eda.Bench{Top: "ply11_rig"}
	for _, v := range r.modules {
		for _, f := range v.Files {
			if !slices.Contains(b.Files, f) {
				b.Files = append(b.Files, f)
			}
		}
	}
	b.Files = append(b.Files, r.bench)
	switch tool {
	case eda.ToolIcarus:
		return r.work.Icarus(ctx, b)
	case eda.ToolVerilator:
		return r.work.Verilator(ctx, b, false)
	}
	return nil, fmt.Errorf("sim: no simulator %q", tool)
}

// inputBytes is the size of one clock's inputs in the file.
func inputBytes(ports []Port) int {
	bits := 0
	for _, p := range ports {
		if !p.Output {
			bits += p.Width
		}
	}
	return (bits + 7) / 8
}

// emit writes the bench.
func (r *Rig) emit() []byte {
	var b strings.Builder
	b.WriteString(`// SPDX-License-Identifier: Apache-2.0
// Feeds modules from files and traces all their ports. +in0=FILE +out0=FILE for the first, and so on; an
// instance without files is not traced.
` + "`resetall\n`timescale 1ns / 1ps\n`default_nettype none\n" + `
module ply11_rig;

  /* verilator lint_off UNUSEDSIGNAL */
  /* verilator lint_off BLKSEQ */
  reg clk = 1'b0;
  always #5 clk = !clk;
`)
	var live []string
	for i, v := range r.modules {
		n := inputBytes(r.ports[i])
		live = append(live, fmt.Sprintf("live%d", i))
		fmt.Fprintf(&b, "\n  reg [%d:0] in%d;\n", 8*n-1, i)
		fmt.Fprintf(&b, "  reg live%d;\n  reg [8*1024-1:0] name%d;\n  integer from%d, to%d, got%d;\n", i, i, i, i, i)
		bit := 0
		var formats, args, pins []string
		if !v.Combinational {
			pins = append(pins, "."+cmp.Or(v.Clock, "clk")+"(clk)")
		}
		for _, p := range r.ports[i] {
			wire := fmt.Sprintf("u%d_%s", i, p.Name)
			rng := ""
			if p.Width > 1 {
				rng = fmt.Sprintf("[%d:0] ", p.Width-1)
			}
			if p.Output {
				fmt.Fprintf(&b, "  wire %s%s;\n", rng, wire)
			} else {
				fmt.Fprintf(&b, "  wire %s%s = in%d[%d +: %d];\n", rng, wire, i, bit, p.Width)
				bit += p.Width
			}
			formats = append(formats, "%h")
			args = append(args, wire)
			pins = append(pins, fmt.Sprintf(".%s(%s)", p.Name, wire))
		}
		var params []string
		for _, p := range v.Params {
			name, value, _ := strings.Cut(p, "=")
			params = append(params, fmt.Sprintf(".%s(%s)", name, value))
		}
		if params != nil {
			fmt.Fprintf(&b, "  %s #(%s) u_%d (\n", v.Module, strings.Join(params, ", "), i)
		} else {
			fmt.Fprintf(&b, "  %s u_%d (\n", v.Module, i)
		}
		fmt.Fprintf(&b, "    %s\n  );\n", strings.Join(pins, ",\n    "))
		fmt.Fprintf(&b, `  initial begin
    in%[1]d = 0;
    live%[1]d = 1'b0;
    if ($value$plusargs("in%[1]d=%%s", name%[1]d)) begin
      from%[1]d = $fopen(name%[1]d, "rb");
      if (!$value$plusargs("out%[1]d=%%s", name%[1]d)) $fatal(1, "+out%[1]d=FILE is missing");
      to%[1]d = $fopen(name%[1]d, "wb");
      if (from%[1]d == 0 || to%[1]d == 0) $fatal(1, "cannot open a file");
      got%[1]d = $fread(in%[1]d, from%[1]d);
      live%[1]d = got%[1]d == %[2]d;
    end
  end
  always @(posedge clk)
    if (live%[1]d) $fwrite(to%[1]d, "%[3]s\n", %[4]s);
  always @(negedge clk)
    if (live%[1]d) begin
      got%[1]d = $fread(in%[1]d, from%[1]d);
      if (got%[1]d != %[2]d) begin
        live%[1]d = 1'b0;
        $fclose(to%[1]d);
      end
    end
`, i, n, strings.Join(formats, " "), strings.Join(args, ", "))
	}
	fmt.Fprintf(&b, "\n  always @(posedge clk)\n    if (!(%s)) $finish;\n\nendmodule\n\n`resetall\n", strings.Join(live, " || "))
	return []byte(b.String())
}

// A Trial is what one instance of a Rig is fed with.
type Trial struct {
	Instance int    // by the order of NewRig
	Module   Module // a fresh model of that instance
	Stimulus Stimulus
}

// A Run is one recorded run: the models have been run and what they did is on disk.
type Run struct {
	rig    *Rig
	dir    string
	trials []int
	Clocks []int // of each trial
}

// Record runs the models of trials, at most one for each instance, with their stimuli, and keeps the inputs
// and what is expected of all outputs in files. Memory does not grow with the number of clocks. An error of a
// Stimulus is returned as it is.
func (r *Rig) Record(trials ...Trial) (*Run, error) {
	dir, err := r.work.Sub("trial")
	if err != nil {
		return nil, err
	}
	run := &Run{rig: r, dir: dir}
	for _, t := range trials {
		if t.Instance < 0 || t.Instance >= len(r.modules) || slices.Contains(run.trials, t.Instance) {
			return nil, errors.Join(fmt.Errorf("sim: a trial of instance %d", t.Instance), run.Close())
		}
		n, err := run.record(t)
		if err != nil {
			return nil, errors.Join(err, run.Close())
		}
		run.trials = append(run.trials, t.Instance)
		run.Clocks = append(run.Clocks, n)
	}
	return run, nil
}

// Close removes the files.
func (run *Run) Close() error { return os.RemoveAll(run.dir) }

func (run *Run) path(i int, ending string) string {
	return filepath.Join(run.dir, fmt.Sprintf("u%d.%s", i, ending))
}

// record runs one model.
func (run *Run) record(t Trial) (clocks int, err error) {
	inFile, err := os.Create(run.path(t.Instance, "in"))
	if err != nil {
		return 0, err
	}
	wantFile, err := os.Create(run.path(t.Instance, "want"))
	if err != nil {
		return 0, errors.Join(err, inFile.Close())
	}
	in, want := bufio.NewWriter(inFile), bufio.NewWriter(wantFile)
	defer func() {
		err = errors.Join(err, in.Flush(), want.Flush(), inFile.Close(), wantFile.Close())
	}()
	ports := t.Module.Ports()
	size := inputBytes(ports)
	var line, packed []byte
	clock := func(compare bool) {
		packed = packInputs(packed[:0], ports, size)
		in.Write(packed)
		line = line[:0]
		for i := range ports {
			if i > 0 {
				line = append(line, ' ')
			}
			if p := &ports[i]; !p.Output || compare && p.Defined() {
				line = p.AppendHex(line)
			} else {
				line = append(line, '-')
			}
		}
		want.Write(append(line, '\n'))
		t.Module.Step()
		clocks++
	}
	for i := range ports {
		if p := &ports[i]; p.Name == "rst" {
			*p.value.(*bool) = true
		}
	}
	for range settle {
		t.Module.Eval()
		clock(false)
	}
	for i := range ports {
		if p := &ports[i]; p.Name == "rst" {
			*p.value.(*bool) = false
		}
	}
	for t.Stimulus.Drive() {
		t.Module.Eval()
		if err := t.Stimulus.Sample(); err != nil {
			return clocks, err
		}
		clock(true)
	}
	return clocks, nil
}

// packInputs appends the inputs of a clock: the first port in the lowest bits, the highest byte first.
func packInputs(dst []byte, ports []Port, size int) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, size)...)
	at := 0
	for i := range ports {
		p := &ports[i]
		if p.Output {
			continue
		}
		for b := range p.Width {
			if p.word(b/64)>>(b%64)&1 != 0 {
				dst[start+size-1-at/8] |= 1 << (at % 8)
			}
			at++
		}
	}
	return dst
}

// Compare runs the bench on the inputs of the run and compares its trace with what is expected. It returns
// the first difference of each trial; an error is a simulation that did not come to its end.
func (run *Run) Compare(ctx context.Context, tool string, sim *eda.Simulation) ([]*Difference, error) {
	var args []string
	for _, i := range run.trials {
		args = append(args, fmt.Sprintf("+in%d=%s", i, run.path(i, "in")), fmt.Sprintf("+out%d=%s", i, run.path(i, tool)))
	}
	if _, err := sim.Run(ctx, args...); err != nil {
		return nil, err
	}
	var all []*Difference
	for k, i := range run.trials {
		d, err := run.compare(i, tool, run.Clocks[k])
		if err != nil {
			return nil, err
		}
		if d != nil {
			all = append(all, d)
		}
		if err := os.Remove(run.path(i, tool)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Clocks shown before and after a difference.
const (
	clocksBefore = 24
	clocksAfter  = 8
)

// compare reads the two traces of an instance in step.
func (run *Run) compare(i int, tool string, clocks int) (*Difference, error) {
	wantFile, err := os.Open(run.path(i, "want"))
	if err != nil {
		return nil, err
	}
	defer wantFile.Close()
	gotFile, err := os.Open(run.path(i, tool))
	if err != nil {
		return nil, err
	}
	defer gotFile.Close()
	want, got := bufio.NewScanner(wantFile), bufio.NewScanner(gotFile)
	ports := run.rig.ports[i]
	var d *Difference
	var window [][2][]string
	for n := 0; ; n++ {
		more := want.Scan()
		if more && !got.Scan() {
			return nil, errors.Join(fmt.Errorf("sim: %s: the trace of %s in %s ends after %d of %d clocks",
				filepath.Base(gotFile.Name()), run.rig.modules[i].Module, tool, n, clocks), want.Err(), got.Err())
		}
		if !more {
			break
		}
		w, g := want.Text(), got.Text()
		if len(window) > clocksBefore && d == nil {
			window = window[:copy(window, window[1:])]
		}
		window = append(window, [2][]string{strings.Fields(w), strings.Fields(g)})
		if d == nil && w != g {
			if p := firstDifference(w, g); p >= 0 {
				d = &Difference{Tool: tool, Verilog: run.rig.modules[i], Clock: n, ports: ports}
				ws, gs := strings.Fields(w), strings.Fields(g)
				d.Signal, d.Expected = ports[p].Name, ws[p]
				if p < len(gs) {
					d.Found = gs[p]
				}
			}
		}
		if d != nil {
			if d.first = n - len(window) + 1; n >= d.Clock+clocksAfter {
				break
			}
		}
	}
	if d != nil {
		d.window = window
	}
	return d, errors.Join(want.Err(), got.Err())
}

// firstDifference returns the first field that differs, or -1.
func firstDifference(want, got string) int {
	ws, gs := strings.Fields(want), strings.Fields(got)
	for i, w := range ws {
		if w != "-" && (i >= len(gs) || w != strings.ToLower(gs[i])) {
			return i
		}
	}
	return -1
}

// A Difference is an error. It tells the first clock in which the Verilog and the model do different things, or in which
// the model and package position do.
type Difference struct {
	Tool     string // the simulator; eda.ToolGo for the model
	Verilog  Verilog
	Clock    int // from 0, which is the first clock with rst
	Signal   string
	Expected string // hexadecimal
	Found    string // hexadecimal, x is an unknown digit
	Game     int    // whose beats the outputs showed, from 1; 0 where it is not known
	Ply      int    // the plies of it that had been shown
	VCD      string // the file with the clocks around it, if one was written

	ports  []Port
	window [][2][]string // ports around the clock, what is expected first
	first  int           // the clock of window[0]
}

// Error tells clock, signal, expected and found, and draws both positions where the module has a board.
func (d *Difference) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s: clock %d", strings.Join(append([]string{d.Verilog.Module}, d.Verilog.Params...), " "), d.Tool, d.Clock)
	if d.Game > 0 {
		fmt.Fprintf(&b, ", game %d after ply %d", d.Game, d.Ply)
	}
	fmt.Fprintf(&b, ", signal %s: expected %s, found %s", d.Signal, d.Expected, d.Found)
	at := d.Clock - d.first
	if at < 0 || at >= len(d.window) {
		return b.String()
	}
	for side, name := range [2]string{"expected", "found"} {
		if s, ok := d.state(d.window[at][side]); ok {
			fmt.Fprintf(&b, "\n%s:\n%s", name, s)
		}
	}
	if d.VCD != "" {
		fmt.Fprintf(&b, "\nclocks %d to %d are in %s", d.first, d.first+len(d.window)-1, d.VCD)
	}
	return b.String()
}

// state reads the position of a line of the trace.
func (d *Difference) state(fields []string) (s State, ok bool) {
	for i, p := range d.ports {
		if i >= len(fields) {
			break
		}
		v, valid := new(big.Int).SetString(fields[i], 16)
		if !valid {
			v = new(big.Int) // unknown digits: an empty board is drawn
		}
		switch p.Name {
		case "board":
			ok = fields[i] != "-"
			for k := range s.Men {
				s.Men[k] = new(big.Int).Rsh(v, uint(64*k)).Uint64()
			}
		case "side":
			s.Side = uint8(v.Uint64())
		case "rights":
			s.Rights = uint8(v.Uint64())
		case "ep":
			s.EP = uint8(v.Uint64())
		case "ply":
			s.Ply = uint16(v.Uint64())
		}
	}
	return s, ok
}

// WriteVCD writes the clocks around the difference as VCD, what is expected beside what was found.
func (d *Difference) WriteVCD(w io.Writer) error {
	v := NewVCD(w, d.first, Scope{"expected", d.ports}, Scope{"found", d.ports})
	for _, lines := range d.window {
		values := make([]string, 2*len(d.ports))
		for side, line := range lines {
			copy(values[side*len(d.ports):(side+1)*len(d.ports)], line)
		}
		v.Cycle(values)
	}
	return v.Close()
}
