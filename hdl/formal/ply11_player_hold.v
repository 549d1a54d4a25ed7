// SPDX-License-Identifier: Apache-2.0
// ply11_player, for any bytes, mode, loads, idle and back-pressure, by induction and so for all time: a beat
// that is not taken waits unchanged, with everything that goes with it but m_depth, and the whole position.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_player_hold #(
  parameter MODES = 1,
  parameter WIDTH = 8,
  parameter DIALECT = 0,
  parameter DEPTH = 0
) (
  input  wire             clk,
  input  wire             rst,
  input  wire [1:0]       mode,
  input  wire             numbering,
  input  wire             s_valid,
  input  wire [WIDTH-1:0] s_data,
  input  wire             load_valid,
  input  wire [3:0]       load_addr,
  input  wire [31:0]      load_data,
  input  wire             m_ready
);

  reg f_started;
  reg [1:0] f_mode;
  initial f_started = 1'b0;

  wire         s_ready, load_ready, m_valid, side, text_valid, text_last, in_game;
  wire [1:0]   m_kind, m_result;
  wire [2:0]   m_promotion, text_kind;
  wire [3:0]   m_piece, m_captured, m_error, rights, ep;
  wire [4:0]   m_depth;
  wire [5:0]   m_from, m_to;
  wire [7:0]   text_data;
  wire [10:0]  m_index;
  wire [15:0]  ply;
  wire [31:0]  m_offset;
  wire [255:0] board;
  ply11_player #(.MODES(MODES), .WIDTH(WIDTH), .DIALECT(DIALECT), .DEPTH(DEPTH)) u_dut (
    .clk(clk), .rst(rst), .mode(f_mode), .numbering(numbering),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_index(m_index), .m_from(m_from),
    .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured),
    .m_result(m_result), .m_error(m_error), .m_offset(m_offset), .m_depth(m_depth),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply),
    .text_valid(text_valid), .text_data(text_data), .text_last(text_last), .text_kind(text_kind),
    .in_game(in_game)
  );

  wire [354:0] beat = {m_kind, m_index, m_from, m_to, m_promotion, m_piece, m_captured, m_result, m_error,
                       m_offset, board, side, rights, ep, ply};
  reg          f_wait;
  reg  [354:0] f_beat;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    // The mode may change only while rst is 1.
    if (rst) f_mode <= mode;
    f_wait <= f_started && m_valid && !m_ready && !rst;
    f_beat <= beat;
    if (f_started && f_wait) a_hold: assert (m_valid && beat == f_beat);
  end

endmodule

`resetall
