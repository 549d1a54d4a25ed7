// SPDX-License-Identifier: Apache-2.0

package codegen_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ply11/chess"
	"ply11/codegen"
	"ply11/internal/testenv"
	"ply11/moveindex"
)

// These tests read what we write with programs that we did not write. `make test` installs them; where
// one is absent the test fails and names the package, since a skipped oracle is none.

// run runs a program in dir and returns what it printed.
func run(t *testing.T, dir, pkg, program string, args ...string) string {
	t.Helper()
	out, err := command(dir, testenv.Tools(t, program)[0], args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return out
}

// command runs a program in dir and returns what it printed, and whether it failed.
func command(dir, program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// put writes formats to a folder and returns the names of the files.
func put(t *testing.T, dir string, names ...string) []string {
	t.Helper()
	var files []string
	for _, name := range names {
		f, err := codegen.Lookup(name)
		testenv.Must(t, err)
		file := filepath.Base(f.Path)
		testenv.Must(t, os.WriteFile(filepath.Join(dir, file), generate(t, name), 0o666))
		files = append(files, file)
	}
	return files
}

// SRecord makes the raw binary from each format that it knows how to read.
func TestSrecCatReads(t *testing.T) {
	dir := t.TempDir()
	for _, image := range codegen.Images {
		name := func(encoding string) string {
			if image == codegen.ROM {
				return encoding
			}
			return image.Name + "-" + encoding
		}
		for _, c := range []struct{ encoding, option, want string }{
			{"ihex", "-Intel", "bin-le"},
			{"memh", "-VMem", "bin-be"},
			{"hex", "-VMem", "bin-be"},
			// SRecord writes the high byte of a MIF word from the lower address, and reads it to the higher.
			{"mif", "-Memory_Initialization_File", "bin-le"},
			{"bin-le", "-Binary", "bin-le"},
		} {
			file := put(t, dir, name(c.encoding))[0]
			run(t, dir, "srecord", "srec_cat", file, c.option, "-Output", "out", "-Binary")
			got, err := os.ReadFile(filepath.Join(dir, "out"))
			testenv.Must(t, err)
			if !bytes.Equal(got, generate(t, name(c.want))) {
				t.Errorf("srec_cat reads another %s image from %s", image.Name, file)
			}
		}
	}
}

// TestIcarusReads: $readmemh fills memories from the formats that are for it, and the case module and
// the SystemVerilog package agree with them at every address.
func TestIcarusReads(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "memh", "mem", "hex", "inverse-memh", "halfmoves-memh", "verilog", "systemverilog")
	bench := `
module bench;
  reg [15:0] a[0:2047], b[0:2047], c[0:2047], inverse[0:4095], halfmoves[0:8191];
  reg [10:0] index;
  wire [15:0] word;
  integer i, fd;
  ply11_rom_case u_case (.index(index), .word(word));
  initial begin
    $readmemh("ply11_rom.memh", a);
    $readmemh("ply11_rom.mem", b);
    $readmemh("ply11_rom.hex", c);
    $readmemh("ply11_inverse.memh", inverse);
    $readmemh("ply11_halfmoves.memh", halfmoves);
    fd = $fopen("out");
    for (i = 0; i < 2048; i = i + 1) begin
      index = i[10:0];
      #1;
      $fdisplay(fd, "%h %h %h %h %h", a[i], b[i], c[i], word, ply11_pkg::decode(index));
    end
    for (i = 0; i < 4096; i = i + 1) $fdisplay(fd, "%h", inverse[i]);
    for (i = 0; i < 8192; i = i + 1) $fdisplay(fd, "%h", halfmoves[i]);
    $fclose(fd);
  end
endmodule
`
	testenv.Must(t, os.WriteFile(filepath.Join(dir, "bench.sv"), []byte(bench), 0o666))
	run(t, dir, "iverilog", "iverilog", "-g2012", "-Wall", "-Wno-timescale", "-o", "bench", "ply11_rom_case.v",
		"ply11_pkg.sv", "bench.sv")
	if out := run(t, dir, "iverilog", "vvp", "-N", "bench"); out != "" {
		t.Errorf("vvp says: %s", out)
	}
	var want strings.Builder
	for _, w := range codegen.ROM.Words() {
		fmt.Fprintf(&want, "%04x %04x %04x %04x %04x\n", w, w, w, w, w)
	}
	for _, image := range []*codegen.Image{codegen.Inverse, codegen.HalfmoveROM} {
		for _, w := range image.Words() {
			fmt.Fprintf(&want, "%04x\n", w)
		}
	}
	got, err := os.ReadFile(filepath.Join(dir, "out"))
	testenv.Must(t, err)
	if string(got) != want.String() {
		t.Error("Icarus reads other words")
	}
}

// The generated Verilog and SystemVerilog are free of warnings.
func TestVerilatorLints(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "verilog", "systemverilog")
	run(t, dir, "verilator", "verilator", "--lint-only", "-Wall", "ply11_rom_case.v")
	wrap := `
module wrap (
  input  logic [10:0] index,
  output ply11_pkg::move_t move
);
  assign move = ply11_pkg::decode(index);
endmodule
`
	testenv.Must(t, os.WriteFile(filepath.Join(dir, "wrap.sv"), []byte(wrap), 0o666))
	run(t, dir, "verilator", "verilator", "--lint-only", "-Wall", "--top-module", "wrap", "-Wno-DECLFILENAME",
		"-Wno-UNUSEDPARAM",
		"ply11_pkg.sv", "wrap.sv")
}

// A memory filled by $readmemh, the case module and the package hold the same at
// every address, by SAT; and the proof fails on an image in which one bit is flipped.
func TestYosysProves(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "memh", "verilog", "systemverilog")
	top := `
module top (input [10:0] index, output same);
  reg [15:0] mem[0:2047];
  initial $readmemh("image.memh", mem);
  wire [15:0] word;
  ply11_rom_case u_case (.index(index), .word(word));
  wire [15:0] from_package = ply11_pkg::decode(index);
  assign same = word == mem[index] && word == from_package;
endmodule
`
	testenv.Must(t, os.WriteFile(filepath.Join(dir, "top.sv"), []byte(top), 0o666))
	good := generate(t, "memh")
	bad := bytes.Replace(good, []byte("c18f"), []byte("c19f"), 1)
	if bytes.Equal(good, bad) {
		t.Fatal("the word to spoil is not there")
	}
	for _, c := range []struct {
		image []byte
		want  string
	}{
		{good, "SAT proof finished - no model found: SUCCESS!"},
		{bad, "SAT proof finished - model found: FAIL!"},
	} {
		testenv.Must(t, os.WriteFile(filepath.Join(dir, "image.memh"), c.image, 0o666))
		out := run(t, dir, "yosys", "yosys", "-p",
			"read_verilog ply11_rom_case.v; read_verilog -sv ply11_pkg.sv top.sv; prep -top top -flatten; memory "+
				"-nomap; memory_map; opt -full; sat -prove same 1")
		if !strings.Contains(out, c.want) {
			t.Errorf("want %q in:\n%s", c.want, out[max(0, len(out)-2000):])
		}
	}
}

// The VHDL package holds the table, and its decoder gives its fields.
func TestGHDL(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "vhdl")
	bench := `
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use std.textio.all;
use work.ply11_pkg.all;

entity bench is
end entity bench;

architecture test of bench is
begin
  process
    file f : text open write_mode is "out";
    variable l : line;
    variable m : move_t;
  begin
    for i in 0 to NUM_WORDS - 1 loop
      m := decode(to_unsigned(i, 11));
      if m.is_move = '1' then
        write(l, 32768 + to_integer(m.promotion) * 4096 + to_integer(m.to_square) * 64 + to_integer(m.from_square));
      else
        write(l, to_integer(unsigned(ROM(i))));
      end if;
      writeline(f, l);
    end loop;
    wait;
  end process;
end architecture test;
`
	testenv.Must(t, os.WriteFile(filepath.Join(dir, "bench.vhd"), []byte(bench), 0o666))
	run(t, dir, "ghdl", "ghdl", "-a", "--std=93c", "ply11_pkg.vhd", "bench.vhd")
	run(t, dir, "ghdl", "ghdl", "-e", "--std=93c", "bench")
	run(t, dir, "ghdl", "ghdl", "-r", "--std=93c", "bench")
	var want strings.Builder
	for _, w := range codegen.ROM.Words() {
		fmt.Fprintf(&want, "%d\n", w)
	}
	got, err := os.ReadFile(filepath.Join(dir, "out"))
	testenv.Must(t, err)
	if string(got) != want.String() {
		t.Error("the VHDL package holds other words")
	}
}

// TestC compiles the header as C99 and as C++, without a warning, and asks it for every word and for
// the index of all 4,096 × 8 from, to and promotion.
func TestC(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "c")
	main := `
#include <stdio.h>
#include "ply11.h"
int main(void) {
  unsigned i;
  for (i = 0; i < 4096; i++) printf("%u\n", (unsigned)ply11_decode(i));
  for (i = 0; i < 32768; i++) printf("%u\n", ply11_encode(i & 63, i >> 6 & 63, i >> 12));
  for (i = 0; i < 2048; i++) {
    const uint16_t w = ply11_decode(i);
    if (ply11_is_move(w) && ply11_encode(ply11_from(w), ply11_to(w), ply11_promotion(w)) != i) return 1;
  }
  return ply11_encode(64, 0, 0) != PLY11_INVALID || ply11_encode(0, 0, 8) != PLY11_INVALID;
}
`
	testenv.Must(t, os.WriteFile(filepath.Join(dir, "main.c"), []byte(main), 0o666))
	var want strings.Builder
	for i := range 4096 {
		if i < 2048 {
			fmt.Fprintln(&want, codegen.ROM.Word(i))
		} else {
			fmt.Fprintln(&want, 0)
		}
	}
	for i := range 32768 {
		index, ok := moveindex.Of(chess.Move(i))
		if !ok {
			index = moveindex.Invalid
		}
		fmt.Fprintln(&want, uint16(index))
	}
	for _, compiler := range [][]string{
		{"gcc", "gcc", "-std=c99"},
		{"gcc", "gcc", "-std=c17"},
		{"g++", "g++", "-std=c++11", "-x", "c++"},
	} {
		args := append(compiler[2:len(compiler):len(compiler)], "-Wall", "-Wextra", "-Wpedantic", "-Wconversion",
			"-Werror", "-O1", "-o", "main", "main.c")
		run(t, dir, compiler[0], compiler[1], args...)
		if got := run(t, dir, "gcc", filepath.Join(dir, "main")); got != want.String() {
			t.Errorf("%v: the header gives other values", compiler[1:])
		}
	}
}
