// SPDX-License-Identifier: Apache-2.0
// From any state of ply11_moves: a beat that is not taken waits unchanged. ok is 0 where that fails, from the second clock on.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_hold (
  input  wire         clk,
  input  wire         s_valid,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights,
  input  wire [3:0]   ep,
  input  wire         m_ready,
  output wire         ok
);

  wire         s_ready, m_valid, m_last, m_check, m_mate, m_stalemate;
  wire [10:0]  m_index;
  wire [8:0]   m_count;
  ply11_moves u_dut (
    .clk(clk), .rst(1'b0), .s_valid(s_valid), .s_ready(s_ready), .board(board), .side(side), .rights(rights), .ep(ep),
    .m_valid(m_valid), .m_ready(m_ready), .m_index(m_index), .m_last(m_last), .m_count(m_count), .m_check(m_check),
    .m_mate(m_mate), .m_stalemate(m_stalemate)
  );

  wire [23:0]  beat = {m_index, m_last, m_count, m_check, m_mate, m_stalemate};
  reg          f_stall;
  reg  [23:0]  f_beat;
  initial f_stall = 1'b0;
  always @(posedge clk) begin
    f_stall <= m_valid && !m_ready;
    f_beat <= beat;
  end
  assign ok = !f_stall || (m_valid && beat == f_beat);

endmodule

`resetall
