// SPDX-License-Identifier: Apache-2.0
// ply11_moves without the 265 pins of its position, so that it can be placed and routed by itself: the
// position is in registers of a shift register, which take no LUT.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_moves_syn (
  input  wire        clk,
  input  wire        rst,
  input  wire        shift,
  input  wire        s_valid,
  output wire        s_ready,
  output wire        m_valid,
  input  wire        m_ready,
  output wire [10:0] m_index,
  output wire        m_last,
  output wire [8:0]  m_count,
  output wire        m_check,
  output wire        m_mate,
  output wire        m_stalemate
);

  reg  [264:0] position;
  always @(posedge clk) position <= {position[263:0], shift};

  ply11_moves u_moves (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .board(position[255:0]), .side(position[256]),
    .rights(position[260:257]), .ep(position[264:261]),
    .m_valid(m_valid), .m_ready(m_ready), .m_index(m_index), .m_last(m_last), .m_count(m_count),
    .m_check(m_check), .m_mate(m_mate), .m_stalemate(m_stalemate)
  );

endmodule

`resetall
