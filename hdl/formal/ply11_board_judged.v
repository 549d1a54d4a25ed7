// SPDX-License-Identifier: Apache-2.0
// ply11_board does what ply11_judge says, of any position and any operations one after the other, with any
// idle and back-pressure: every beat has the judge's error, move, pieces and position, the position before
// it being that of the beat before; between beats, and while one waits, nothing changes. The first
// and the eighth rank and the state are loaded, so that what the pipeline keeps of them is in step; the
// other ranks are whatever the registers hold. With STOP 1, from the first NEW on, a move after a refused one
// has error 7 and changes nothing. ok is 0 where that fails, from the first beat on.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_board_judged #(
  parameter STOP = 0
) (
  input  wire        clk,
  input  wire        s_valid,
  input  wire [1:0]  s_op,
  input  wire [10:0] s_index,
  input  wire        m_ready,
  input  wire [31:0] state,      // to be loaded
  output wire        ok
);

  // 0..3: what was in the pipeline leaves, 4..6 loads, 7 on operations.
  reg  [3:0]   f_time;
  initial f_time = 4'd0;

  wire         s_ready, load_ready, m_valid, side;
  wire [10:0]  m_user;
  wire [1:0]   m_op;
  wire [2:0]   m_error, m_promotion;
  wire [5:0]   m_from, m_to;
  wire [3:0]   m_piece, m_captured, rights, ep;
  wire [255:0] board;
  wire [15:0]  ply;
  wire         loading = f_time >= 4'd4 && f_time <= 4'd6;
  wire         running = f_time >= 4'd7;

  ply11_board #(.USER_WIDTH(11), .STOP(STOP)) u_dut (
    .clk(clk), .rst(1'b0),
    .s_valid(s_valid && running), .s_ready(s_ready), .s_op(s_op), .s_index(s_index), .s_user(s_index),
    .load_valid(loading), .load_ready(load_ready),
    .load_addr(f_time == 4'd4 ? 4'd0 : f_time == 4'd5 ? 4'd7 : 4'd8),
    .load_data(f_time == 4'd4 ? board[31:0] : f_time == 4'd5 ? board[255:224] : state),
    .next_valid(), .next_op(), .hush(1'b0),
    .m_valid(m_valid), .m_ready(m_ready || !running), .m_op(m_op), .m_user(m_user), .m_error(m_error),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece),
    .m_captured(m_captured),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply)
  );

  reg  [280:0] f_position;
  reg          f_wait, f_clear, f_codes, f_new, f_stopped;
  wire [280:0] position = {board, ply, ep, rights, side};
  wire [25:0]  beat = {m_error, m_promotion, m_to, m_from, m_piece, m_captured};
  reg  [38:0]  f_beat;

  wire [2:0]   error;
  wire [14:0]  move;
  wire [3:0]   piece, captured, rights_after, ep_after;
  wire [255:0] after;
  wire         side_after;
  wire [15:0]  ply_after;
  ply11_judge u_judge (
    .op(m_op), .index(m_user), .board(f_position[280:25]), .ply(f_position[24:9]), .ep(f_position[8:5]),
    .rights(f_position[4:1]), .side(f_position[0]),
    .error(error), .move(move), .piece(piece), .captured(captured), .board_after(after),
    .side_after(side_after), .rights_after(rights_after), .ep_after(ep_after), .ply_after(ply_after)
  );

  integer s;
  reg codes;
  always @* begin
    codes = 1'b1;
    for (s = 0; s < 64; s = s + 1)
      if (board[4*s +: 3] == 3'd7 || board[4*s +: 4] == 4'd8) codes = 1'b0;
  end

  always @(posedge clk) begin
    if (f_time != 4'd15) f_time <= f_time + 4'd1;
    // Nothing is in the pipeline at first, so that no beat comes; what its registers hold all the same
    // has left at 4.
    if (f_time == 4'd0) f_clear <= load_ready && !m_valid;
    else if (f_time < 4'd10 && m_valid) f_clear <= 1'b0;
    if (f_time == 4'd12) f_codes <= codes;
    f_position <= position;
    f_wait <= m_valid && !m_ready;
    f_beat <= {m_op, m_user, beat};
  end

  wire fresh = m_valid && !f_wait;
  // Whether one was refused is known from a NEW on: what the registers held at first may say so, too.
  wire held = STOP != 0 && f_stopped && m_op == 2'd0;
  always @(posedge clk) begin
    if (f_time < 4'd7) {f_new, f_stopped} <= 2'd0;
    else if (fresh) begin
      if (m_op == 2'd0 && m_error != 3'd0) f_stopped <= 1'b1;
      if (m_op == 2'd1) {f_new, f_stopped} <= 2'b10;
    end
  end
  assign ok = f_time < 4'd13 || !f_clear || !f_codes || (STOP != 0 && !f_new && !(fresh && m_op == 2'd1))
    || (fresh ? (held ? beat == {3'd7, move, 8'd0} && position == f_position
                      : beat == {error, move, piece, captured}
                        && position == {after, ply_after, ep_after, rights_after, side_after})
              : position == f_position && (!f_wait || (m_valid && f_beat == {m_op, m_user, beat})));

endmodule

`resetall
