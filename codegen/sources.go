// SPDX-License-Identifier: Apache-2.0

package codegen

import (
	"bytes"
	"encoding/json"
	"strings"

	"ply11/moveindex"
)

// A code is a constant of the sources: a control code, or the last of several that mean the same.
type code struct {
	name  string
	code  moveindex.Index
	about string
}

var codes = func() (all []code) {
	for _, c := range moveindex.Controls() {
		all = append(all, code{c.Name, c.First, c.Meaning})
		if c.LastName != "" {
			all = append(all, code{c.LastName, c.Last, ""})
		}
	}
	return all
}()

var sizes = []struct {
	name  string
	value int
	about string
}{
	{"index_bits", moveindex.Bits, "width of a word of the stream"},
	{"num_words", moveindex.NumWords, "words"},
	{"num_moves", moveindex.NumMoves, "words that are moves"},
	{"first_promotion", moveindex.FirstPromotion, "first of the promotions"},
}

// writeVerilog writes the ROM as a case. hdl/rtl/ply11_rom_case.v is this file.
func writeVerilog(p *printer, f *Format) {
	p.banner("//", f)
	p.f(`// ply11_rom_case: the table of all 2,048 codes as a case, word = {is_move, promotion, to, from}.
// Control codes hold 0.
// Latency: combinational. Throughput: one a clock behind a register.

`)
	p.f("`resetall\n`timescale 1ns / 1ps\n`default_nettype none\n\n")
	p.f(`module ply11_rom_case (
  input  wire [10:0] index,
  output reg  [15:0] word
);

  always @* begin
    case (index)
`)
	p.cases("word")
	p.f(`    endcase
  end

endmodule

`)
	p.f("`resetall\n")
}

// writeSystemVerilog writes the package: constants, the type of a word, and the decoder as a function.
func writeSystemVerilog(p *printer, f *Format) {
	p.banner("//", f)
	p.f(`// ply11_pkg: the 11-bit move index: constants, the fields of a decoded word, and the decoder.

`)
	p.f("`ifndef PLY11_PKG_SV\n`define PLY11_PKG_SV\n\npackage ply11_pkg;\n\n")
	for _, s := range sizes {
		p.f("  localparam int %s = %d;  // %s\n", strings.ToUpper(s.name), s.value, s.about)
	}
	p.f("\n")
	for _, c := range codes {
		p.f("  localparam logic [10:0] %s = 11'd%d;%s\n", strings.ToUpper(c.name), c.code, aside("  // ", c.about))
	}
	p.f(`
  // A square is 8*rank + file: a1 = 0, b1 = 1 .. h8 = 63. promotion is 0 none, 4 knight, 5 bishop,
  // 6 rook, 7 queen. Control codes are all zeros.
  typedef struct packed {
    logic       is_move;
    logic [2:0] promotion;
    logic [5:0] to;
    logic [5:0] from;
  } move_t;

  function automatic move_t decode(input logic [10:0] index);
    case (index)
`)
	p.cases("decode")
	p.f(`    endcase
  endfunction

endpackage

`)
	p.f("`endif\n")
}

// cases writes the arms of a Verilog case over the index that give the name its word.
func (p *printer) cases(name string) {
	for i := range moveindex.Index(moveindex.NumMoves) {
		p.f("      11'd%d: %s = 16'h%04x;\n", i, name, i.Word())
	}
	p.f("      default: %s = 16'h0000;\n", name)
}

// aside returns a comment with its sign before it, or nothing.
func aside(sign, about string) string {
	if about == "" {
		return ""
	}
	return sign + about
}

// writeVHDL writes the package: constants, the ROM, and the decoder as a function.
func writeVHDL(p *printer, f *Format) {
	p.banner("--", f)
	p.f(`-- ply11_pkg: the 11-bit move index: constants, the ROM and the decoder.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package ply11_pkg is

`)
	for _, s := range sizes {
		p.f("  constant %s : natural := %d;  -- %s\n", strings.ToUpper(s.name), s.value, s.about)
	}
	p.f("\n")
	for _, c := range codes {
		p.f("  constant CODE_%s : natural := %d;%s\n", strings.ToUpper(c.name), c.code, aside("  -- ", c.about))
	}
	p.f(`
  -- A square is 8*rank + file: a1 = 0, b1 = 1 .. h8 = 63. promotion is 0 none, 4 knight, 5 bishop,
  -- 6 rook, 7 queen. Control codes are all zeros.
  type move_t is record
    from_square : unsigned(5 downto 0);
    to_square   : unsigned(5 downto 0);
    promotion   : unsigned(2 downto 0);
    is_move     : std_logic;
  end record;

  function decode(index : unsigned(10 downto 0)) return move_t;

  -- The words of the ROM: [5:0] from, [11:6] to, [14:12] promotion, [15] is a move.
  type rom_t is array (0 to 2047) of std_logic_vector(15 downto 0);

  constant ROM : rom_t := (
`)
	p.words(ROM, func(a int) (before, after string) {
		before, after = `x"`, `"`+eights(a, ", ")
		if a%8 == 0 {
			before = `    x"`
		}
		if a%8 == 7 && a < ROM.Depth-1 {
			after = "\",\n"
		}
		return before, after
	})
	p.f(`  );

end package ply11_pkg;

package body ply11_pkg is

  function decode(index : unsigned(10 downto 0)) return move_t is
    variable word : std_logic_vector(15 downto 0);
    variable move : move_t;
  begin
    word := ROM(to_integer(index));
    move.from_square := unsigned(word(5 downto 0));
    move.to_square   := unsigned(word(11 downto 6));
    move.promotion   := unsigned(word(14 downto 12));
    move.is_move     := word(15);
    return move;
  end function decode;

end package body ply11_pkg;
`)
}

func writeC(p *printer, f *Format) {
	p.banner("//", f)
	p.f(`// The 11-bit move index: tables and the functions that use them. C99 and C++.
//
// A square is 8*rank + file: a1 = 0, b1 = 1 .. h8 = 63. A word is [5:0] from, [11:6] to, [14:12]
// promotion (0 none, 4 knight, 5 bishop, 6 rook, 7 queen), [15] is a move.

#ifndef PLY11_H
#define PLY11_H

#include <stdint.h>

`)
	p.f("#define PLY11_TABLE_SHA256 %q\n#define PLY11_TABLE_CRC32 0x%sUL\n\nenum {\n", moveindex.TableSHA256,
		moveindex.TableCRC32)
	for _, s := range sizes {
		p.f("  PLY11_%s = %d, // %s\n", strings.ToUpper(s.name), s.value, s.about)
	}
	for _, c := range codes {
		p.f("  PLY11_%s = %d,%s\n", strings.ToUpper(c.name), c.code, aside(" // ", c.about))
	}
	p.f("  PLY11_INVALID = 0xffff // no word: what ply11_encode returns for what is no move\n};\n\n")
	table := func(name, about string, m *Image) {
		p.f("// %s\nstatic const uint16_t %s[%d] = {\n", about, name, m.Depth)
		p.words(m, func(a int) (before, after string) {
			if a%8 == 0 {
				return "  0x", ","
			}
			return " 0x", "," + eights(a, "")
		})
		p.f("};\n\n")
	}
	table("ply11_rom", "The word of each index; control codes hold 0.", ROM)
	table("ply11_inverse", "By to << 6 | from: [10:0] index, [15] valid. Without promotions.", Inverse)
	p.f(`// The fields of a word.
static inline unsigned ply11_from(uint16_t word) { return word & 63u; }
static inline unsigned ply11_to(uint16_t word) { return word >> 6 & 63u; }
static inline unsigned ply11_promotion(uint16_t word) { return word >> 12 & 7u; }
static inline int ply11_is_move(uint16_t word) { return word >> 15; }

// The word of an index; 0 for a control code, and for what is above 2047.
static inline uint16_t ply11_decode(unsigned index) {
  return index < PLY11_NUM_WORDS ? ply11_rom[index] : (uint16_t)0;
}

// The index of a move, or PLY11_INVALID.
static inline unsigned ply11_encode(unsigned from, unsigned to, unsigned promotion) {
  unsigned black, j, from_file, to_file;
  if (from > 63u || to > 63u || promotion > 7u) return PLY11_INVALID;
  if (promotion == 0u) {
    const uint16_t entry = ply11_inverse[to << 6 | from];
    return entry >> 15 ? entry & 2047u : (unsigned)PLY11_INVALID;
  }
  if (promotion < 4u) return PLY11_INVALID;
  if (from >> 3 == 6u && to >> 3 == 7u) black = 0u;
  else if (from >> 3 == 1u && to >> 3 == 0u) black = 8u;
  else return PLY11_INVALID;
  from_file = from & 7u;
  to_file = to & 7u;
  if (to_file + 1u < from_file || from_file + 1u < to_file) return PLY11_INVALID;
  j = 2u * from_file + to_file;
  return PLY11_FIRST_PROMOTION + (j >> 1) * 16u + black + (promotion & 3u) * 2u + (j & 1u);
}

#endif
`)
}

// writeJSON writes the moves, a line for each, and the control codes. JSON has no comments: the banner is in its
// fields.
func writeJSON(p *printer, f *Format) {
	p.f("{\n  \"license\": \"Apache-2.0\",\n")
	p.f("  \"generated\": \"by genrom; do not edit\",\n  \"regenerate\": %q,\n", bannerCommand+f.Name)
	p.f("  \"sha256\": %q,\n  \"crc32\": %q,\n", moveindex.TableSHA256, moveindex.TableCRC32)
	for _, s := range sizes {
		p.f("  %q: %d,\n", s.name, s.value)
	}
	p.f("  \"control\": [\n")
	for i, c := range codes {
		about := new(bytes.Buffer)
		enc := json.NewEncoder(about)
		enc.SetEscapeHTML(false)
		enc.Encode(c.about)
		p.f("    {\"index\": %d, \"name\": %q, \"meaning\": %s}%s\n", c.code, c.name,
			bytes.TrimSpace(about.Bytes()), comma(i, len(codes)))
	}
	p.f("  ],\n  \"moves\": [\n")
	for i := range moveindex.Index(moveindex.NumMoves) {
		m, _ := i.Move()
		p.f("    {\"index\": %d, \"uci\": %q, \"class\": %q, \"from\": %d, \"to\": %d, \"promotion\": %d}%s\n",
			i, m, i.Class(), m.From(), m.To(), uint16(m)>>12, comma(int(i), moveindex.NumMoves))
	}
	p.f("  ]\n}\n")
}

func comma(i, n int) string {
	if i == n-1 {
		return ""
	}
	return ","
}
