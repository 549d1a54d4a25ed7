// SPDX-License-Identifier: Apache-2.0
// ply11_board with ply11_legal behind it, without the 256 pins of the position, which is kept all the same. What ply11_legal
// takes is the difference to ply11_board_syn.
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
  output wire [3:0]  m_man,
  output wire [3:0]  m_captured,
  output wire        side,
  output wire [3:0]  rights,
  output wire [3:0]  ep,
  output wire [15:0] ply
);

  (* keep *)
  wire [255:0] m_board;
  wire         b_valid, b_ready, b_next, b_load_ready, b_user, b_side;
  wire [1:0]   b_op;
  wire [2:0]   b_error, b_promotion;
  wire [5:0]   b_from, b_to;
  wire [3:0]   b_man, b_captured, b_rights, b_ep;
  wire [15:0]  b_ply;
  wire [255:0] b_board;

  ply11_board #(.USER_WIDTH(1), .STOP(1)) u_board (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_op(s_op), .s_index(s_index), .s_user(s_user),
    .load_valid(load_valid && load_ready), .load_ready(b_load_ready), .load_addr(load_addr), .load_data(load_data),
    .next_valid(b_next), .next_op(), .hush(1'b0),
    .m_valid(b_valid), .m_ready(b_ready), .m_op(b_op), .m_user(b_user), .m_error(b_error),
    .m_from(b_from), .m_to(b_to), .m_promotion(b_promotion), .m_man(b_man), .m_captured(b_captured),
    .board(b_board), .side(b_side), .rights(b_rights), .ep(b_ep), .ply(b_ply)
  );
  ply11_legal #(.USER_WIDTH(1)) u_legal (
    .clk(clk), .rst(rst),
    .s_valid(b_valid), .s_ready(b_ready), .s_op(b_op), .s_user(b_user), .s_error(b_error),
    .s_from(b_from), .s_to(b_to), .s_promotion(b_promotion), .s_man(b_man), .s_captured(b_captured),
    .board_next(b_next), .board_load_ready(b_load_ready), .load_ready(load_ready),
    .board(b_board), .side(b_side), .rights(b_rights), .ep(b_ep), .ply(b_ply),
    .next_valid(), .next_op(), .hush(1'b0),
    .m_valid(m_valid), .m_ready(m_ready), .m_op(m_op), .m_user(m_user), .m_error(m_error), .m_reason(m_reason),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_man(m_man), .m_captured(m_captured),
    .m_board(m_board), .m_side(side), .m_rights(rights), .m_ep(ep), .m_ply(ply)
  );

endmodule

`resetall
