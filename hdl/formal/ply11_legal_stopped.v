// SPDX-License-Identifier: Apache-2.0
// ply11_legal, for all time from a reset on, for any idle, back-pressure and hushing, any resets and whatever the board shows: a beat
// with a reason has error 7 and no pieces, and leaves the position as it was. Up to the next NEW no beat after it has a reason, moves
// have error 7 and no pieces, and the position stays, with or without beats. Any other beat has the error that the board gave it, which
// is its tag here. ok is 0 where one of this fails.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_legal_stopped (
  input  wire         clk,
  input  wire         reset,
  input  wire         s_valid,
  input  wire [1:0]   s_op,
  input  wire [2:0]   s_error,
  input  wire [5:0]   s_from,
  input  wire [5:0]   s_to,
  input  wire [2:0]   s_promotion,
  input  wire [3:0]   s_piece,
  input  wire [3:0]   s_captured,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights,
  input  wire [3:0]   ep,
  input  wire [15:0]  ply,
  input  wire         hush,
  input  wire         m_ready,
  output wire         ok
);

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started || reset;

  wire         next_valid, m_valid, m_side;
  wire [1:0]   m_op;
  wire [2:0]   m_user, m_error, m_promotion;
  wire [3:0]   m_reason, m_piece, m_captured, m_rights, m_ep;
  wire [5:0]   m_from, m_to;
  wire [255:0] m_board;
  wire [15:0]  m_ply;
  ply11_legal #(.USER_WIDTH(3)) u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(), .s_op(s_op), .s_user(s_error), .s_error(s_error), .s_from(s_from), .s_to(s_to),
    .s_promotion(s_promotion), .s_piece(s_piece), .s_captured(s_captured),
    .board_next(1'b0), .board_load_ready(1'b0), .load_ready(),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply),
    .next_valid(next_valid), .next_op(), .hush(hush),
    .m_valid(m_valid), .m_ready(m_ready), .m_op(m_op), .m_user(m_user), .m_error(m_error), .m_reason(m_reason),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured),
    .m_board(m_board), .m_side(m_side), .m_rights(m_rights), .m_ep(m_ep), .m_ply(m_ply)
  );

  wire [280:0] position = {m_board, m_ply, m_ep, m_rights, m_side};
  wire         en = !m_valid || m_ready;
  reg  [280:0] f_position;       // a clock before
  reg          f_came;           // a beat is new at the outputs, if only to be hushed
  reg          f_stopped;        // one before it was refused
  wire         refused = f_came && m_reason != 4'd0;
  wire         fresh = f_came && m_op == 2'd1;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_position <= position;
    f_came <= !rst && next_valid && en;
    f_stopped <= !rst && !fresh && (f_stopped || refused);
  end

  localparam [2:0] ERR_STOPPED = 3'd7;

  // The tag is the board's error.
  assign ok = rst
    || ((!refused || (!f_stopped && m_op == 2'd0 && m_error == ERR_STOPPED && {m_piece, m_captured} == 8'd0 && position == f_position))
        && (!f_stopped || fresh || position == f_position)
        && (!f_came || refused || m_error == (f_stopped && m_op == 2'd0 ? ERR_STOPPED : m_user))
        && (!f_came || !f_stopped || m_op != 2'd0 || {m_piece, m_captured} == 8'd0));

endmodule

`resetall
