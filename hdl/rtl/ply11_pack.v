// SPDX-License-Identifier: Apache-2.0
// ply11_pack - packs eleven-bit words into bytes, low bits first (docs/WORDS.md, words in bytes).
// Files: those of ply11_pack.f.
// WIDTH 8 gives one byte a clock: 8 words in 11 clocks. WIDTH 32 and 64 take one word a clock. Byte 0 of a wider
// output is in its low eight bits.
// Latency: with WIDTH 32 and 64, an output is offered two clocks after the word that fills it was accepted. With
// WIDTH 8, the first byte is offered three clocks after the first word.
// s_last with a word asks for a flush. The bits of the output that are still free after this word become ones, and
// m_last is 1 with that output. The next accepted word begins a new output. With WIDTH 32 and 64, a flush takes
// one clock for each word of ones that is missing. s_ready is 0 in these clocks.
// Handshake: outputs are registers and do not change while m_ready is 0. s_ready is combinational from m_ready.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_pack #(
  // Bits of an output word: 8, 32 or 64.
  parameter WIDTH = 8
) (
  input  wire             clk,      // the clock; all ports belong to its rising edge
  input  wire             rst,      // synchronous reset, active high

  input  wire             s_valid,  // 1: a word is offered
  output wire             s_ready,  // 1: the word is taken in this clock if s_valid is 1 [from m_ready]
  input  wire [10:0]      s_data,   // a word of eleven bits
  input  wire             s_last,   // 1: pad with ones to a whole output after this word

  output wire             m_valid,  // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire             m_ready,  // 1: the beat is taken in this clock if m_valid is 1
  output wire [WIDTH-1:0] m_data,   // bytes of the packed words; the first is in the low bits
  output wire             m_last    // 1: the padding, if any, is in this one
);

  generate
    if (WIDTH != 8 && WIDTH != 32 && WIDTH != 64) begin : g_check_width
      ply11_pack_width_is_8_32_or_64 u_check ();
    end
  endgenerate

  ply11_gearbox #(.IN(11), .OUT(WIDTH)) u_gearbox (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .s_last(s_last),
    .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .m_last(m_last)
  );

endmodule

`resetall
