// SPDX-License-Identifier: Apache-2.0
// ply11_player without the 256 pins of its board, so that it can be placed and routed by itself: the
// squares are still read by the board's own checks, and with LEGAL 1 kept.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_player_syn #(
  parameter MODES = 1,
  parameter WIDTH = 32,
  parameter LAYOUT = 0,
  parameter DIALECT = 0,
  parameter DEPTH = 0,
  parameter LEGAL = 0,
  parameter MATE = 0
) (
  input  wire             clk,
  input  wire             rst,
  input  wire [1:0]       mode,
  input  wire             numbering,
  input  wire             s_valid,
  output wire             s_ready,
  input  wire [WIDTH-1:0] s_data,
  input  wire             load_valid,
  output wire             load_ready,
  input  wire [3:0]       load_addr,
  input  wire [31:0]      load_data,
  output wire             m_valid,
  input  wire             m_ready,
  output wire [1:0]       m_kind,
  output wire [10:0]      m_index,
  output wire [5:0]       m_from,
  output wire [5:0]       m_to,
  output wire [2:0]       m_promotion,
  output wire [3:0]       m_piece,
  output wire [3:0]       m_captured,
  output wire [1:0]       m_result,
  output wire [3:0]       m_error,
  output wire [3:0]       m_reason,
  output wire [31:0]      m_offset,
  output wire [4:0]       m_depth,
  output wire             m_check,
  output wire             m_mate,
  output wire             m_stalemate,
  output wire             side,
  output wire [3:0]       rights,
  output wire [3:0]       ep,
  output wire [15:0]      ply,
  output wire             text_valid,
  output wire [7:0]       text_data,
  output wire             text_last,
  output wire [2:0]       text_kind,
  output wire             in_game
);

  /* verilator lint_off UNUSEDSIGNAL */
  wire [255:0] board;
  /* verilator lint_on UNUSEDSIGNAL */
  generate
    if (LEGAL != 0) begin : g_kept
      // The position is of registers of its own.
      (* keep *)
      wire [255:0] kept = board;
    end
  endgenerate
  // One codec leaves no choice of a mode.
  wire [1:0] chosen = MODES == 1 ? 2'd0 : MODES == 2 ? 2'd1 : MODES == 4 ? 2'd2 : MODES == 8 ? 2'd3 : mode;

  ply11_player #(.MODES(MODES), .WIDTH(WIDTH), .LAYOUT(LAYOUT), .DIALECT(DIALECT), .DEPTH(DEPTH),
    .LEGAL(LEGAL), .MATE(MATE)) u_player (
    .clk(clk), .rst(rst), .mode(chosen), .numbering(numbering),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_index(m_index), .m_from(m_from),
    .m_to(m_to), .m_promotion(m_promotion), .m_piece(m_piece), .m_captured(m_captured),
    .m_result(m_result), .m_error(m_error), .m_reason(m_reason), .m_offset(m_offset), .m_depth(m_depth),
    .m_check(m_check), .m_mate(m_mate), .m_stalemate(m_stalemate),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply),
    .text_valid(text_valid), .text_data(text_data), .text_last(text_last), .text_kind(text_kind), .in_game(in_game)
  );

endmodule

`resetall
