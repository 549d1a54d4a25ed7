// SPDX-License-Identifier: Apache-2.0
// From any state of ply11_legal, once it moved: a beat that is not taken waits unchanged, with the whole position, and nothing
// is taken meanwhile. ok is 0 where that fails, from the second clock on.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_legal_hold (
  input  wire         clk,
  input  wire         s_valid,
  input  wire [1:0]   s_op,
  input  wire         s_user,
  input  wire [2:0]   s_error,
  input  wire [5:0]   s_from,
  input  wire [5:0]   s_to,
  input  wire [2:0]   s_promotion,
  input  wire [3:0]   s_piece,
  input  wire [3:0]   s_captured,
  input  wire         board_next,
  input  wire         board_load_ready,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights,
  input  wire [3:0]   ep,
  input  wire [15:0]  ply,
  input  wire         hush,
  input  wire         m_ready,
  output wire         ok
);

  wire         s_ready, load_ready, next_valid, m_valid, m_user, m_side;
  wire [1:0]   next_op, m_op;
  wire [2:0]   m_error, m_promotion;
  wire [3:0]   m_reason, m_piece, m_captured, m_rights, m_ep;
  wire [5:0]   m_from, m_to;
  wire [255:0] m_board;
  wire [15:0]  m_ply;
  ply11_legal #(.USER_WIDTH(1)) u_dut (
    .clk(clk), .rst(1'b0),
    .s_valid(s_valid), .s_ready(s_ready), .s_op(s_op), .s_user(s_user), .s_error(s_error),
    .s_from(s_from), .s_to(s_to), .s_promotion(s_promotion), .s_piece(s_piece), .s_captured(s_captured),
    .board_next(board_next), .board_load_ready(board_load_ready), .load_ready(load_ready),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply),
    .next_valid(next_valid), .next_op(next_op), .hush(hush),
    .m_valid(m_valid), .m_ready(m_ready), .m_op(m_op), .m_user(m_user), .m_error(m_error), .m_reason(m_reason),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured),
    .m_board(m_board), .m_side(m_side), .m_rights(m_rights), .m_ep(m_ep), .m_ply(m_ply)
  );

  wire [313:0] beat = {m_op, m_user, m_error, m_reason, m_from, m_to, m_promotion, m_piece, m_captured, m_side, m_rights, m_ep,
                       m_ply, m_board};
  // From the first clock on in which the pipeline moved: its copies of m_valid agree since.
  reg          f_moved;
  reg          f_stall;
  reg  [313:0] f_beat;
  initial f_moved = 1'b0;
  initial f_stall = 1'b0;
  always @(posedge clk) begin
    f_moved <= f_moved || m_ready;
    f_stall <= m_valid && !m_ready && f_moved;
    f_beat <= beat;
  end
  assign ok = (!f_stall || (m_valid && beat == f_beat)) && (!f_moved || !m_valid || m_ready || (!s_ready && !load_ready));

endmodule

`resetall
