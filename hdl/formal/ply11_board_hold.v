// SPDX-License-Identifier: Apache-2.0
// From any state of ply11_board, once it moved: a beat that is not taken waits unchanged, with the whole position, and
// nothing is accepted meanwhile. ok is 0 where that fails, from the second clock on.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_board_hold (
  input  wire        clk,
  input  wire        s_valid,
  input  wire [1:0]  s_op,
  input  wire [10:0] s_index,
  input  wire        s_user,
  input  wire        load_valid,
  input  wire [3:0]  load_addr,
  input  wire [31:0] load_data,
  input  wire        m_ready,
  output wire        ok
);

  wire         s_ready, load_ready, m_valid, m_user, side;
  wire [1:0]   m_op;
  wire [2:0]   m_error, m_promotion;
  wire [5:0]   m_from, m_to;
  wire [3:0]   m_piece, m_captured, rights, ep;
  wire [255:0] board;
  wire [15:0]  ply;

  ply11_board #(.USER_WIDTH(1)) u_dut (
    .clk(clk), .rst(1'b0),
    .s_valid(s_valid), .s_ready(s_ready), .s_op(s_op), .s_index(s_index), .s_user(s_user),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .next_valid(), .next_op(), .hush(1'b0),
    .m_valid(m_valid), .m_ready(m_ready), .m_op(m_op), .m_user(m_user), .m_error(m_error),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece),
    .m_captured(m_captured),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply)
  );

  wire [307:0] beat = {m_op, m_user, m_error, m_from, m_to, m_promotion, m_piece, m_captured, side,
                       rights, ep, ply[13:0], board};
  // From the first clock on in which the pipeline moved: its copies of m_valid agree since.
  reg          f_moved;
  reg          f_stall;
  reg  [307:0] f_beat;
  initial f_moved = 1'b0;
  initial f_stall = 1'b0;
  always @(posedge clk) begin
    f_moved <= f_moved || m_ready;
    f_stall <= m_valid && !m_ready && f_moved;
    f_beat <= beat;
  end
  assign ok = (!f_stall || (m_valid && beat == f_beat))
              && (!m_valid || m_ready || (!s_ready && !load_ready));

endmodule

`resetall
