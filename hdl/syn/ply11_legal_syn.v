// SPDX-License-Identifier: Apache-2.0
// ply11_referee without the 256 pins of the position, which is kept all the same. What ply11_legal takes is the difference
// to ply11_board_syn.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_legal_syn (
  input  wire        clk,
  input  wire        rst,
  input  wire        s_valid,
  output wire        s_ready,
  input  wire [1:0]  s_op,
  input  wire [10:0] s_index,
  input  wire        s_user,
  input  wire        load_valid,
  output wire        load_ready,
  input  wire [3:0]  load_addr,
  input  wire [31:0] load_data,
  output wire        m_valid,
  input  wire        m_ready,
  output wire [1:0]  m_op,
  output wire        m_user,
  output wire [2:0]  m_error,
  output wire [3:0]  m_reason,
  output wire [5:0]  m_from,
  output wire [5:0]  m_to,
  output wire [2:0]  m_promotion,
  output wire [3:0]  m_piece,
  output wire [3:0]  m_captured,
  output wire        side,
  output wire [3:0]  rights,
  output wire [3:0]  ep,
  output wire [15:0] ply
);

  (* keep *)
  wire [255:0] board;
  ply11_referee #(.USER_WIDTH(1)) u_referee (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_op(s_op), .s_index(s_index), .s_user(s_user),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data), .settled(),
    .next_valid(), .next_op(), .hush(1'b0),
    .m_valid(m_valid), .m_ready(m_ready), .m_op(m_op), .m_user(m_user), .m_error(m_error), .m_reason(m_reason),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply)
  );

endmodule

`resetall
