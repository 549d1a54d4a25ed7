// SPDX-License-Identifier: Apache-2.0
// ply11_chessbase without the 269 pins of its position, so that it can be placed and routed by itself: the
// position is in registers of a shift register, which take no LUT.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_chessbase_syn (
  input  wire        clk,
  input  wire        rst,
  input  wire        shift,
  input  wire        s_valid,
  output wire        s_ready,
  input  wire [6:0]  s_number,
  output wire        m_valid,
  input  wire        m_ready,
  output wire        m_none,
  output wire [10:0] m_index,
  output wire [3:0]  m_ep
);

  reg  [261:0] position;
  always @(posedge clk) position <= {position[260:0], shift};

  ply11_chessbase u_chessbase (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_number(s_number), .cbascii(position[261]), .board(position[255:0]),
    .side(position[256]), .ep(position[260:257]),
    .m_valid(m_valid), .m_ready(m_ready), .m_none(m_none), .m_index(m_index), .m_ep(m_ep)
  );

endmodule

`resetall
