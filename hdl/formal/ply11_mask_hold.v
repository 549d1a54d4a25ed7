// SPDX-License-Identifier: Apache-2.0
// From any state of ply11_mask: a word that is not taken waits unchanged. ok is 0 where that fails, from the second clock on.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_mask_hold (
  input  wire        clk,
  input  wire        s_valid,
  input  wire [10:0] s_index,
  input  wire        s_last,
  input  wire [8:0]  s_count,
  input  wire        s_check,
  input  wire        s_mate,
  input  wire        s_stalemate,
  input  wire        m_ready,
  output wire        ok
);

  wire        s_ready, m_valid, m_last, m_check, m_mate, m_stalemate;
  wire [63:0] m_data;
  wire [4:0]  m_word;
  wire [8:0]  m_count;
  ply11_mask u_dut (
    .clk(clk), .rst(1'b0), .s_valid(s_valid), .s_ready(s_ready), .s_index(s_index), .s_last(s_last), .s_count(s_count),
    .s_check(s_check), .s_mate(s_mate), .s_stalemate(s_stalemate), .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data),
    .m_word(m_word), .m_last(m_last), .m_count(m_count), .m_check(m_check), .m_mate(m_mate), .m_stalemate(m_stalemate)
  );

  wire [81:0] beat = {m_data, m_word, m_last, m_count, m_check, m_mate, m_stalemate};
  reg         f_stall;
  reg  [81:0] f_beat;
  initial f_stall = 1'b0;
  always @(posedge clk) begin
    f_stall <= m_valid && !m_ready;
    f_beat <= beat;
  end
  assign ok = !f_stall || (m_valid && beat == f_beat);

endmodule

`resetall
