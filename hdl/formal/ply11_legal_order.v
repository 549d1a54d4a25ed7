// SPDX-License-Identifier: Apache-2.0
// ply11_legal, for all time from a reset on, for any idle and back-pressure and whatever the board shows: every operation that
// is taken comes to the stage before the outputs, in its order, and from there gives one beat, or none if it is hushed; there is
// no beat without one. One operation, of the prover's choice, has the tag 1: its beat has that tag and its operation, and no
// other has them. While a beat waits nothing is taken; else s_ready is 0 for at most two clocks, which are castling's.
// Something comes within WAIT clocks in which no beat waits. A load is taken only when nothing is inside. ok is 0 where one of
// this fails.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_legal_order #(
  // Stages before the outputs, and castling's two clocks.
  parameter WAIT = 7
) (
  input  wire         clk,
  input  wire         reset,
  input  wire         choose,
  input  wire         s_valid,
  input  wire [1:0]   s_op,
  input  wire [2:0]   s_error,
  input  wire [5:0]   s_from,
  input  wire [5:0]   s_to,
  input  wire [3:0]   s_piece,
  input  wire         board_next,
  input  wire         board_load_ready,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   ep,
  input  wire         hush,
  input  wire         m_ready,
  output wire         ok
);

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started || reset;

  reg        f_chosen;   // one was followed since the reset
  reg        f_in;       // it has not come to the outputs
  reg  [1:0] f_op;
  reg  [2:0] f_ahead;    // operations inside ahead of it
  reg  [2:0] f_inside;   // operations taken that have not come to the outputs
  reg        f_beat;     // a beat is at the outputs
  reg        f_tagged;   // its
  reg  [3:0] f_wait;     // clocks without one, while there are some inside
  reg  [1:0] f_stall;
  wire       follow = s_valid && choose && !f_chosen;

  wire         s_ready, load_ready, next_valid, m_valid, m_user, m_side;
  wire [1:0]   next_op, m_op;
  wire [2:0]   m_error, m_promotion;
  wire [3:0]   m_reason, m_piece, m_captured, m_rights, m_ep;
  wire [5:0]   m_from, m_to;
  wire [255:0] m_board;
  wire [15:0]  m_ply;
  ply11_legal #(.USER_WIDTH(1)) u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_op(s_op), .s_user(follow), .s_error(s_error),
    .s_from(s_from), .s_to(s_to), .s_promotion(3'd0), .s_piece(s_piece), .s_captured(4'd0),
    .board_next(board_next), .board_load_ready(board_load_ready), .load_ready(load_ready),
    .board(board), .side(side), .rights(4'd0), .ep(ep), .ply(16'd0),
    .next_valid(next_valid), .next_op(next_op), .hush(hush),
    .m_valid(m_valid), .m_ready(m_ready), .m_op(m_op), .m_user(m_user), .m_error(m_error), .m_reason(m_reason),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured),
    .m_board(m_board), .m_side(m_side), .m_rights(m_rights), .m_ep(m_ep), .m_ply(m_ply)
  );

  wire en = !m_valid || m_ready;
  wire take = s_valid && s_ready;
  wire comes = next_valid && en;
  wire mine = f_in && f_ahead == 3'd0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_inside <= f_inside + {2'd0, take} - {2'd0, comes};
    if (comes && f_in) f_ahead <= f_ahead - 3'd1;
    if (comes && mine) f_in <= 1'b0;
    if (en) begin
      f_beat <= next_valid && !hush;
      f_tagged <= next_valid && !hush && mine;
      f_wait <= comes || f_inside == 3'd0 ? 4'd0 : f_wait + 4'd1;
      f_stall <= s_ready ? 2'd0 : f_stall + 2'd1;
    end
    if (take && follow) begin
      f_chosen <= 1'b1;
      f_in <= 1'b1;
      f_op <= s_op;
      f_ahead <= f_inside - {2'd0, comes};
    end
    if (rst) begin
      {f_chosen, f_in, f_beat, f_tagged} <= 4'd0;
      f_inside <= 3'd0;
      f_wait <= 4'd0;
      f_stall <= 2'd0;
    end
  end

  assign ok = rst
    || (m_valid == f_beat && (m_valid && m_user) == f_tagged && (!f_tagged || m_op == f_op)
        && (!next_valid || f_inside != 3'd0) && (!next_valid || !mine || next_op == f_op)
        && f_inside <= 3'd5 && f_wait < WAIT
        && (!s_ready || en) && f_stall <= 2'd2
        && (!load_ready || (f_inside == 3'd0 && !m_valid && !s_valid)));

endmodule

`resetall
