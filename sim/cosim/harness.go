// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ply11/sim/eda"
)

// A record is how the ports of a module lie in the bytes of a clock, inputs and outputs in one record each. A port has
// 1, 2, 4 or a multiple of 4 bytes, low byte first. Records are multiples of 8 bytes.
type record struct {
	ports []port
	at    []int // where a port begins in its record
	size  [2]int
	whens []string // outputs on which others depend to have a meaning
	when  []int    // of a port: 1 + its place in whens, or 0
	masks [][]byte // of the outputs' record, by the bits of whens
}

const (
	inputSide = iota
	outputSide
)

func newRecord(ports []port) *record {
	r := &record{ports: ports, at: make([]int, len(ports)), when: make([]int, len(ports))}
	for i := range ports {
		p, side := &ports[i], inputSide
		if p.output {
			side = outputSide
		}
		r.at[i] = r.size[side]
		r.size[side] += p.bytes()
		if p.valid != "" {
			k := slices.Index(r.whens, p.valid)
			if k < 0 {
				k = len(r.whens)
				r.whens = append(r.whens, p.valid)
			}
			r.when[i] = k + 1
		}
	}
	for side := range r.size {
		r.size[side] = max(8, (r.size[side]+7)&^7)
	}
	for key := range 1 << len(r.whens) {
		mask := make([]byte, r.size[outputSide])
		for i := range ports {
			if k := r.when[i]; ports[i].output && (k == 0 || key>>(k-1)&1 != 0) {
				for b := range ports[i].width {
					mask[r.at[i]+b/8] |= 1 << (b % 8)
				}
			}
		}
		r.masks = append(r.masks, mask)
	}
	return r
}

// hex returns a port's value as Verilog's %h writes it. unknown, if not nil, has ones where a bit is neither 0 nor 1.
func (r *record) hex(i int, values, unknown []byte) string {
	var b strings.Builder
	for d := (r.ports[i].width + 3) / 4; d > 0; d-- {
		bit := 4 * (d - 1)
		at, shift := r.at[i]+bit/8, bit%8
		if unknown != nil && unknown[at]>>shift&15 != 0 {
			b.WriteByte('x')
			continue
		}
		nibble := values[at] >> shift & 15
		if rest := r.ports[i].width - bit; rest < 4 {
			nibble &= 1<<rest - 1
		}
		b.WriteByte("0123456789abcdef"[nibble])
	}
	return b.String()
}

// A Harness is a built simulation of a module that reads the inputs of each clock from its standard input and writes
// the outputs to its standard output. Any number may run at once.
type Harness struct {
	Tool    string // ToolIcarus or ToolVerilator
	Verilog eda.Verilog

	sim *eda.Simulation
}

func newHarness(ctx context.Context, w *eda.Work, d *design, tool string) (*Harness, error) {
	h := &Harness{Tool: tool, Verilog: d.Verilog}
	r := newRecord(d.ports)
	dir, err := w.Sub("harness")
	if err != nil {
		return nil, err
	}
	switch tool {
	case ToolIcarus:
		bench := filepath.Join(dir, "ply11_harness.v")
		if err := os.WriteFile(bench, r.bench(d), 0o666); err != nil {
			return nil, err
		}
		h.sim, err = w.Icarus(ctx, eda.Verilog{Top: "ply11_harness", Files: append(slices.Clone(d.Files), bench)})
	case ToolVerilator:
		main := filepath.Join(dir, "main.cpp")
		if err := errors.Join(os.WriteFile(main, harness, 0o666),
			os.WriteFile(filepath.Join(dir, "ports.h"), r.macros(d.clock), 0o666)); err != nil {
			return nil, err
		}
		h.sim, err = w.VerilatorMain(ctx, d.Verilog, "Vply11_dut", main)
	default:
		return nil, fmt.Errorf("cosim: no simulator %q", tool)
	}
	if err != nil {
		return nil, err
	}
	return h, nil
}

func (h *Harness) Close() error { return h.sim.Close() }

// start starts a simulation of several instances; Icarus has one. With zero, what no reset reaches begins as 0, as in a
// netlist; otherwise Verilator gives it random values.
func (h *Harness) start(ctx context.Context, streams int, zero bool) (*eda.Process, error) {
	if h.Tool != ToolVerilator {
		if streams != 1 {
			return nil, fmt.Errorf("cosim: %s runs one instance, not %d", h.Tool, streams)
		}
		return h.sim.Start(ctx)
	}
	args := []string{fmt.Sprint(streams)}
	if zero {
		args = append(args, "zero")
	}
	return h.sim.Start(ctx, args...)
}

// unknowns reports whether the simulator knows bits that are neither 0 nor 1: it writes 32 bits of values and 32 bits
// of ones for what is unknown, by turns.
func (h *Harness) unknowns() bool { return h.Tool == ToolIcarus }

func instance(v eda.Verilog, pins []string) string {
	var params []string
	for _, p := range v.Params {
		name, value, _ := strings.Cut(p, "=")
		params = append(params, fmt.Sprintf(".%s(%s)", name, value))
	}
	list := ""
	if params != nil {
		list = fmt.Sprintf("#(%s) ", strings.Join(params, ", "))
	}
	return fmt.Sprintf("  %s %su_dut (\n    %s\n  );\n", v.Top, list, strings.Join(pins, ",\n    "))
}

func (r *record) bench(d *design) []byte {
	var b strings.Builder
	bits := 8 * r.size[inputSide]
	fmt.Fprintf(&b, `// SPDX-License-Identifier: Apache-2.0
// Reads the inputs of each clock from standard input and writes the outputs, with 0, 1, x and z, to
// standard output; with +step at once.
`+"`resetall\n`timescale 1ns / 1ps\n`default_nettype none\n"+`
module ply11_harness;

  localparam STDIN = 32'h8000_0000, STDOUT = 32'h8000_0001;
  reg clk = 1'b0;
  always #5 clk = !clk;
  reg [%d:0] in;
  reg live, step;
  integer got;

`, bits-1)
	var pins, out []string
	if d.clock != "" {
		pins = append(pins, "."+d.clock+"(clk)")
	}
	filled := 0
	for i := range r.ports {
		p := &r.ports[i]
		rng := ""
		if p.width > 1 {
			rng = fmt.Sprintf("[%d:0] ", p.width-1)
		}
		fmt.Fprintf(&b, "  wire %sp_%s", rng, p.name)
		if p.output {
			b.WriteString(";\n")
			if pad := 8*r.at[i] - filled; pad > 0 {
				out = append(out, fmt.Sprintf("%d'd0", pad))
			}
			out = append(out, "p_"+p.name)
			filled = 8*r.at[i] + p.width
		} else {
			// The first byte that is read is the highest of the register.
			var parts []string
			for k := (p.width - 1) / 8; k >= 0; k-- {
				parts = append(parts, fmt.Sprintf("in[%d +: %d]", bits-8*(r.at[i]+k+1), min(8, p.width-8*k)))
			}
			fmt.Fprintf(&b, " = {%s};\n", strings.Join(parts, ", "))
		}
		pins = append(pins, fmt.Sprintf(".%s(p_%s)", p.name, p.name))
	}
	if pad := 8*r.size[outputSide] - filled; pad > 0 {
		out = append(out, fmt.Sprintf("%d'd0", pad))
	}
	slices.Reverse(out)
	b.WriteString(instance(d.Verilog, pins))
	fmt.Fprintf(&b, `
  initial begin
    in = 0;
    step = $test$plusargs("step");
    got = $fread(in, STDIN);
    live = got == %[1]d;
  end
  always @(posedge clk)
    if (live) begin
      $fwrite(STDOUT, "%%z", {%[2]s});
      if (step) $fflush(STDOUT);
    end
  always @(negedge clk)
    if (live) begin
      got = $fread(in, STDIN);
      live = got == %[1]d;
    end
  always @(posedge clk)
    if (!live) $finish(0);

endmodule

`+"`resetall\n", r.size[inputSide], strings.Join(out, ", "))
	return []byte(b.String())
}

// harness is the main program of Verilator's simulations, which includes what macros returns.
//
//go:embed harness/main.cpp
var harness []byte

// macros returns the record for the harness, as macros of C++. Verilator keeps a port of up to 8, 16, 32 and 64 bits in
// an integer, a wider one in words of 32 bits.
func (r *record) macros(clock string) []byte {
	var in, out strings.Builder
	for i := range r.ports {
		p := &r.ports[i]
		if p.output {
			fmt.Fprintf(&out, " memcpy(out + %d, &dut->%s, %d);", r.at[i], p.name, p.bytes())
		} else {
			fmt.Fprintf(&in, " memcpy(&dut->%s, in + %d, %d);", p.name, r.at[i], p.bytes())
		}
	}
	var low, high string
	if clock != "" {
		low, high = " dut->"+clock+" = 0;", " dut->"+clock+" = 1; dut->eval();"
	}
	return fmt.Appendf(nil, "#define IN_SIZE %d\n#define OUT_SIZE %d\n#define BATCH %d\n"+
		"#define INPUTS(dut)%s%s\n#define OUTPUTS(dut)%s\n#define RISE(dut)%s\n", r.size[inputSide], r.size[outputSide],
		batchClocks, low, &in, &out, high)
}
