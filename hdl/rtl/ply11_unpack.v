// SPDX-License-Identifier: Apache-2.0
// ply11_unpack - unpacks bytes into eleven-bit words, low bits first (docs/WORDS.md, words in bytes).
// Files: those of ply11_unpack.f.
// WIDTH 8 takes one byte a clock: 8 words in 11 clocks. WIDTH 32 and 64 give one word a clock. Byte 0 of a wider
// input is in its low eight bits.
// Latency: with WIDTH 8, a word is offered three clocks after the byte that completes it was accepted. With
// WIDTH 32 and 64, the first word of the stream is offered four clocks after its input was accepted.
// Handshake: outputs are registers and do not change while m_ready is 0. s_ready is combinational from m_ready.
//
// skip_idle drops the idle word 2047. The module looks at skip_idle in the clock in which a word would enter the
// output register. If it is 1 and the word is 2047, nothing comes out in that clock.
// Fewer than eleven bits at the end of a stream are padding (ones, if the stream is sound). They stay inside until
// rst drops them.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_unpack #(
  // Bits of an input word: 8, 32 or 64.
  parameter WIDTH = 8
) (
  input  wire             clk,        // the clock; all ports belong to its rising edge
  input  wire             rst,        // synchronous reset, active high

  input  wire             skip_idle,  // 1: words 2047 are left out

  input  wire             s_valid,    // 1: an input is offered
  output wire             s_ready,    // 1: the input is taken in this clock if s_valid is 1 [from m_ready]
  input  wire [WIDTH-1:0] s_data,     // bytes of the packed words; the first is in the low bits

  output wire             m_valid,    // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire             m_ready,    // 1: the beat is taken in this clock if m_valid is 1
  output wire [10:0]      m_data      // a word of eleven bits
);

  generate
    if (WIDTH != 8 && WIDTH != 32 && WIDTH != 64) begin : g_check_width
      ply11_unpack_width_is_8_32_or_64 u_check ();
    end
  endgenerate

  wire        g_valid;
  wire        g_ready;
  wire [10:0] g_data;
  /* verilator lint_off UNUSEDSIGNAL */
  wire        g_last;
  /* verilator lint_on UNUSEDSIGNAL */

  ply11_gearbox #(.IN(WIDTH), .OUT(11)) u_gearbox (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .s_last(1'b0),
    .m_valid(g_valid), .m_ready(g_ready), .m_data(g_data), .m_last(g_last)
  );

  reg        valid_q;
  reg [10:0] data_q;

  assign m_valid = valid_q;
  assign m_data  = data_q;
  assign g_ready = !valid_q || m_ready;

  always @(posedge clk) begin
    if (g_ready) begin
      valid_q <= g_valid && !(skip_idle && (&g_data));
      data_q  <= g_data;
    end
    if (rst) valid_q <= 1'b0;
  end

endmodule

`resetall
