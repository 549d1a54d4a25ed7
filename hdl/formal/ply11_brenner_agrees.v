// SPDX-License-Identifier: Apache-2.0
// The pieces's list of ply11_brenner and the board agree, for any bytes, from a reset on: of the plies that
// ply11_brenner gives, while the board has refused none, the board finds a piece of the side to move where the
// list has him that the byte names, and he is of the kind that the byte names. ok is 0 where that fails.
// 83 clocks are the 64 of clearing and what comes of the first five bytes after them.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_brenner_agrees (
  input  wire       clk,
  input  wire       s_valid,
  input  wire [7:0] s_data,
  output wire       ok
);

  localparam [1:0] PLY = 2'd0, NEW = 2'd1;
  localparam [2:0] ERR_EMPTY = 3'd1, ERR_OPPONENT = 3'd2;

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started;

  wire        s_ready, b_valid, b_ready, m_valid, load_ready, side;
  wire [1:0]  b_kind, m_op;
  wire [3:0]  b_code, m_piece, m_captured, rights, ep;
  wire [10:0] b_index;
  wire [31:0] b_offset;
  wire [2:0]  m_error, m_promotion;
  wire [5:0]  m_from, m_to;
  wire [4:0]  m_user;
  wire [255:0] board;
  wire [15:0] ply;
  ply11_brenner u_brenner (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .m_valid(b_valid), .m_ready(b_ready), .m_kind(b_kind), .m_code(b_code), .m_index(b_index),
    .m_offset(b_offset),
    .load_clear(1'b0), .load_valid(1'b0), .load_square(6'd0), .load_piece(4'd0), .load_state(1'b0),
    .load_side(1'b0), .load_ep(4'd0), .load_bad(1'b0)
  );
  ply11_board #(.USER_WIDTH(5)) u_board (
    .clk(clk), .rst(rst),
    .s_valid(b_valid), .s_ready(b_ready), .s_op(b_kind == PLY ? 2'd0 : b_kind == NEW ? 2'd1 : 2'd2),
    .s_index(b_index), .s_user(b_offset[4:0]),
    .load_valid(1'b0), .load_ready(load_ready), .load_addr(4'd0), .load_data(32'd0),
    .next_valid(), .next_op(), .hush(1'b0),
    .m_valid(m_valid), .m_ready(1'b1), .m_op(m_op), .m_user(m_user), .m_error(m_error),
    .m_from(m_from), .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece),
    .m_captured(m_captured),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply)
  );

  // The kinds that the last 32 bytes name.
  reg  [2:0] f_kinds [0:31];
  reg  [4:0] f_count;
  reg  [2:0] kind;
  always @* begin
    if (s_data[7]) kind = s_data[0] ? 3'd4 : 3'd5;
    else if (s_data[6]) kind = 3'd2;
    else if (s_data[5]) kind = 3'd6;
    else if (s_data[4]) kind = 3'd3;
    else kind = 3'd1;
  end

  reg f_refused;
  always @(posedge clk) begin
    if (s_valid && s_ready) begin
      f_kinds[f_count] <= kind;
      f_count <= f_count + 5'd1;
    end
    if (rst) f_count <= 5'd0;
    f_started <= 1'b1;
    if (m_valid && m_op == 2'd0 && m_error != 3'd0) f_refused <= 1'b1;
    if (rst || (m_valid && m_op == 2'd1)) f_refused <= 1'b0;
  end

  assign ok = rst || !m_valid || m_op != 2'd0 || f_refused
              || (m_error != ERR_EMPTY && m_error != ERR_OPPONENT && (m_error != 3'd0 || m_piece[2:0] == f_kinds[m_user]));

endmodule

`resetall
