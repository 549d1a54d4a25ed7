// SPDX-License-Identifier: Apache-2.0
// ply11_pack - eleven-bit words to bytes, low bits first (docs/WORDS.md, words in bytes).
//
// WIDTH 8 gives a byte a clock (8 words in 11 clocks); WIDTH 32 and 64 take a word a clock.
// Byte 0 of a wider output is in its low eight bits.
// Latency: WIDTH 32 and 64: an output word is offered two clocks after the word that fills it was
// accepted.  WIDTH 8: the first byte three clocks after the first word.
// s_last with a word asks for a flush: the unused bits of the output word after it are ones, that
// output word carries m_last, and the next accepted word starts a new output word.  With WIDTH 32
// and 64 a flush takes as many clocks as words of ones are missing, in which s_ready is 0.
// Handshake: outputs are registers and stay while m_ready is 0; s_ready is combinational from m_ready.
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

  ply11_gearbox #(.IN(11), .OUT(WIDTH)) u_gearbox (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .s_last(s_last),
    .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .m_last(m_last)
  );

endmodule

`resetall
