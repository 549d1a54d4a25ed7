// SPDX-License-Identifier: Apache-2.0
// ply11_board, for all time from a reset on, for any idle and back-pressure: every operation that is
// accepted gives one beat, or none if it is hushed, in its order, and there is no beat without one; nothing
// is accepted while a beat waits, and a load only with no operation in the first six stages. One
// operation, of the prover's choice, has the tag 1: it comes out after eight more clocks with s_ready,
// with its tag and its operation, and no other has them. ok is 0 where one of this fails.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_board_order #(
  // Register stages.
  parameter LATENCY = 9
) (
  input  wire        clk,
  input  wire        reset,
  input  wire        choose,
  input  wire        s_valid,
  input  wire [1:0]  s_op,
  input  wire [10:0] s_index,
  input  wire        load_valid,
  input  wire [3:0]  load_addr,
  input  wire [31:0] load_data,
  input  wire        hush,
  input  wire        m_ready,
  output wire        ok
);

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started || reset;

  reg        f_chosen;   // one was followed since the reset
  reg  [1:0] f_op;
  reg  [3:0] f_stage;    // where it is, 0 before and after
  reg  [3:0] f_inside;   // operations accepted and not given out
  reg  [3:0] f_since;    // clocks with s_ready since an operation was accepted
  wire       follow = s_valid && choose && !f_chosen;

  wire        s_ready, load_ready, next_valid, m_valid, m_user, side;
  wire [1:0]  next_op, m_op;
  wire [2:0]  m_error, m_promotion;
  wire [5:0]  m_from, m_to;
  wire [3:0]  m_piece, m_captured, rights, ep;
  wire [255:0] board;
  wire [15:0] ply;
  ply11_board #(.USER_WIDTH(1)) u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_op(s_op), .s_index(s_index), .s_user(follow),
    .next_valid(next_valid), .next_op(next_op), .hush(hush),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_op(m_op), .m_user(m_user), .m_error(m_error),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply)
  );

  wire take = s_valid && s_ready;
  wire give = m_valid && m_ready;
  // An operation that leaves without a beat.
  wire drop = next_valid && hush && s_ready;
  reg  f_hushed;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_inside <= f_inside + {3'd0, take} - {3'd0, give} - {3'd0, drop};
    if (s_ready) f_hushed <= hush;
    if (s_ready && f_stage != 4'd0) f_stage <= f_stage == LATENCY ? 4'd0 : f_stage + 4'd1;
    if (s_ready) f_since <= s_valid ? 4'd0 : f_since == 4'd15 ? 4'd15 : f_since + 4'd1;
    if (take && follow) begin
      f_chosen <= 1'b1;
      f_op <= s_op;
      f_stage <= 4'd1;
    end
    if (rst) begin
      f_chosen <= 1'b0;
      f_stage <= 4'd0;
      f_inside <= 4'd0;
      f_since <= 4'd15;
    end
  end

  assign ok = rst
    || ((m_valid && m_user) == (f_stage == LATENCY && !f_hushed)
        && (f_stage != LATENCY || f_hushed || m_op == f_op)
        && (f_stage != LATENCY - 1 || (next_valid && next_op == f_op))
        && f_inside <= LATENCY && (!m_valid || f_inside != 4'd0)
        && (f_since < LATENCY || f_inside == 4'd0)
        && s_ready == (!m_valid || m_ready)
        && (!load_ready || (s_ready && f_since >= 4'd6)));

endmodule

`resetall
