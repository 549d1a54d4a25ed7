// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ply11/sim"
	"ply11/sim/eda"
)

// A record is how the ports of a module lie in the bytes of a clock: inputs in one record, outputs in
// another, each port in 1, 2, 4 or a multiple of 4 bytes, low byte first; records are multiples of 8 bytes.
type record struct {
	ports  []sim.Port
	at     []int // where a port begins in its record
	size   [2]int
	whens  []*bool  // what outputs depend on to have a meaning
	when   []int    // of a port: 1 + its place in whens, or 0
	masks  [][]byte // of the outputs' record, by the bits of whens
	inputs []int
	output []int
}

const (
	inputSide = iota
	outputSide
)

func newRecord(ports []sim.Port) *record {
	r := &record{ports: ports, at: make([]int, len(ports)), when: make([]int, len(ports))}
	for i := range ports {
		p, side := &ports[i], inputSide
		if p.Output {
			side = outputSide
			r.output = append(r.output, i)
		} else {
			r.inputs = append(r.inputs, i)
		}
		r.at[i] = r.size[side]
		r.size[side] += p.Bytes()
		if valid := p.Valid(); valid != nil {
			k := slices.Index(r.whens, valid)
			if k < 0 {
				k = len(r.whens)
				r.whens = append(r.whens, valid)
			}
			r.when[i] = k + 1
		}
	}
	for side := range r.size {
		r.size[side] = max(8, (r.size[side]+7)&^7)
	}
	for key := range 1 << len(r.whens) {
		mask := make([]byte, r.size[outputSide])
		for _, i := range r.output {
			if k := r.when[i]; k == 0 || key>>(k-1)&1 != 0 {
				for b := range ports[i].Width {
					mask[r.at[i]+b/8] |= 1 << (b % 8)
				}
			}
		}
		r.masks = append(r.masks, mask)
	}
	return r
}

// put writes the values of ports to their record.
func (r *record) put(dst []byte, which []int) {
	for _, i := range which {
		r.ports[i].Put(dst[r.at[i]:])
	}
}

// key tells which outputs have a meaning in this clock: it is the number of their mask.
func (r *record) key() (k uint8) {
	for i, w := range r.whens {
		if *w {
			k |= 1 << i
		}
	}
	return k
}

// hex returns a port's value in a record as Verilog's %h writes it; unknown, if not nil, has ones where a bit
// is neither 0 nor 1.
func (r *record) hex(i int, values, unknown []byte) string {
	var b strings.Builder
	for d := (r.ports[i].Width + 3) / 4; d > 0; d-- {
		bit := 4 * (d - 1)
		at, shift := r.at[i]+bit/8, bit%8
		if unknown != nil && unknown[at]>>shift&15 != 0 {
			b.WriteByte('x')
			continue
		}
		nibble := values[at] >> shift & 15
		if rest := r.ports[i].Width - bit; rest < 4 {
			nibble &= 1<<rest - 1
		}
		b.WriteByte("0123456789abcdef"[nibble])
	}
	return b.String()
}

// A Harness is a built simulation of a module that reads the inputs of each clock from its standard input
// and writes all outputs of that clock to its standard output. Any number of a Link's may run at once.
type Harness struct {
	Tool    string // ToolIcarus or ToolVerilator
	Verilog sim.Verilog

	sim *eda.Simulation
}

// NewHarness builds the harness of a module with a simulator.
func NewHarness(ctx context.Context, w *eda.Work, m sim.Module, tool string) (*Harness, error) {
	h := &Harness{Tool: tool, Verilog: m.Verilog()}
	r := newRecord(m.Ports())
	dir, err := w.Sub("harness")
	if err != nil {
		return nil, err
	}
	switch tool {
	case ToolIcarus:
		bench := filepath.Join(dir, "ply11_harness.v")
		if err := os.WriteFile(bench, r.bench(h.Verilog), 0o666); err != nil {
			return nil, err
		}
		files := append(slices.Clone(h.Verilog.Files), bench)
		h.sim, err = w.Icarus(ctx, eda.Bench{Top: "ply11_harness", Files: files})
	case ToolVerilator:
		main := filepath.Join(dir, "main.cpp")
		if err := os.WriteFile(main, r.program(h.Verilog), 0o666); err != nil {
			return nil, err
		}
		b := eda.Bench{Top: h.Verilog.Module, Files: h.Verilog.Files, Params: h.Verilog.Params}
		h.sim, err = w.VerilatorMain(ctx, b, "Vply11_dut", main)
	default:
		return nil, fmt.Errorf("sim: no simulator %q", tool)
	}
	if err != nil {
		return nil, err
	}
	return h, nil
}

// Close removes what was built.
func (h *Harness) Close() error { return h.sim.Close() }

// start starts a simulation of several instances, for Icarus of one.
func (h *Harness) start(ctx context.Context, streams int) (*eda.Process, error) {
	if streams == 1 {
		return h.sim.Start(ctx)
	}
	if h.Tool != ToolVerilator {
		return nil, fmt.Errorf("sim: %s runs one instance, not %d", h.Tool, streams)
	}
	return h.sim.Start(ctx, fmt.Sprint(streams))
}

// unknowns reports whether the simulator tells of bits that are neither 0 nor 1: it then writes 32 bits of
// values and 32 bits of ones for what is unknown, by turns.
func (h *Harness) unknowns() bool { return h.Tool == ToolIcarus }

// instance writes an instance with named ports, of parameters in the order of v.
func instance(v sim.Verilog, pins []string) string {
	var params []string
	for _, p := range v.Params {
		name, value, _ := strings.Cut(p, "=")
		params = append(params, fmt.Sprintf(".%s(%s)", name, value))
	}
	list := ""
	if params != nil {
		list = fmt.Sprintf("#(%s) ", strings.Join(params, ", "))
	}
	return fmt.Sprintf("  %s %su_dut (\n    %s\n  );\n", v.Module, list, strings.Join(pins, ",\n    "))
}

// bench writes the harness in Verilog.
func (r *record) bench(v sim.Verilog) []byte {
	var b strings.Builder
	bits := 8 * r.size[inputSide]
	fmt.Fprintf(&b, `// SPDX-License-Identifier: Apache-2.0
// Reads the inputs of each clock from standard input and writes the outputs, with 0, 1, x and z, to
// standard output.
`+"`resetall\n`timescale 1ns / 1ps\n`default_nettype none\n"+`
module ply11_harness;

  localparam STDIN = 32'h8000_0000, STDOUT = 32'h8000_0001;
  reg clk = 1'b0;
  always #5 clk = !clk;
  reg [%d:0] in;
  reg live;
  integer got;

`, bits-1)
	var pins, out []string
	if !v.Combinational {
		pins = append(pins, "."+cmp.Or(v.Clock, "clk")+"(clk)")
	}
	filled := 0
	for i := range r.ports {
		p := &r.ports[i]
		rng := ""
		if p.Width > 1 {
			rng = fmt.Sprintf("[%d:0] ", p.Width-1)
		}
		fmt.Fprintf(&b, "  wire %sp_%s", rng, p.Name)
		if p.Output {
			b.WriteString(";\n")
			if pad := 8*r.at[i] - filled; pad > 0 {
				out = append(out, fmt.Sprintf("%d'd0", pad))
			}
			out = append(out, "p_"+p.Name)
			filled = 8*r.at[i] + p.Width
		} else {
			// The first byte that is read is the highest of the register.
			var parts []string
			for k := (p.Width - 1) / 8; k >= 0; k-- {
				parts = append(parts, fmt.Sprintf("in[%d +: %d]", bits-8*(r.at[i]+k+1), min(8, p.Width-8*k)))
			}
			fmt.Fprintf(&b, " = {%s};\n", strings.Join(parts, ", "))
		}
		pins = append(pins, fmt.Sprintf(".%s(p_%s)", p.Name, p.Name))
	}
	if pad := 8*r.size[outputSide] - filled; pad > 0 {
		out = append(out, fmt.Sprintf("%d'd0", pad))
	}
	slices.Reverse(out)
	b.WriteString(instance(v, pins))
	fmt.Fprintf(&b, `
  initial begin
    in = 0;
    got = $fread(in, STDIN);
    live = got == %[1]d;
  end
  always @(posedge clk)
    if (live) $fwrite(STDOUT, "%%z", {%[2]s});
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

// program writes the harness in C++. Verilator keeps a port of up to 8, 16, 32 and 64 bits in an integer of
// as many, a wider one in words of 32.
func (r *record) program(v sim.Verilog) []byte {
	var in, out strings.Builder
	for i := range r.ports {
		p := &r.ports[i]
		if p.Output {
			fmt.Fprintf(&out, "    memcpy(out + %d, &dut->%s, %d);\n", r.at[i], p.Name, p.Bytes())
		} else {
			fmt.Fprintf(&in, "    memcpy(&dut->%s, in + %d, %d);\n", p.Name, r.at[i], p.Bytes())
		}
	}
	clk := "    dut->" + cmp.Or(v.Clock, "clk")
	low, high := clk+" = 0;\n", clk+" = 1;\n    dut->eval();\n"
	if v.Combinational {
		low, high = "", ""
	}
	return fmt.Appendf(nil, `// SPDX-License-Identifier: Apache-2.0
// Reads the inputs of each clock from standard input and writes the outputs to standard output. With a number as its argument it
// has as many instances, of which each gets its inputs in turn.
#include "Vply11_dut.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

int main(int argc, char** argv) {
  VerilatedContext context;
  // What no reset reaches begins with random values.
  context.randReset(2);
  context.randSeed(11);
  std::vector<Vply11_dut*> duts;
  for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--) duts.push_back(new Vply11_dut(&context));
  size_t turn = 0;
  static unsigned char in[%[1]d], out[%[2]d];
  static char from[1 << 16], to[%[7]d * sizeof out];
  setvbuf(stdin, from, _IOFBF, sizeof from);
  // Whoever reads waits for a whole batch, and writes one more meanwhile.
  setvbuf(stdout, to, _IOFBF, sizeof to);
  while (fread(in, sizeof in, 1, stdin) == 1) {
    Vply11_dut* dut = duts[turn];
    turn = turn + 1 == duts.size() ? 0 : turn + 1;
%[3]s%[4]s    dut->eval();
%[5]s    if (fwrite(out, sizeof out, 1, stdout) != 1) return 1;
%[6]s  }
  return fflush(stdout) == 0 ? 0 : 1;
}
`, r.size[inputSide], r.size[outputSide], low, in.String(), out.String(), high, batchClocks)
}
