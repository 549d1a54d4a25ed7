// SPDX-License-Identifier: Apache-2.0
// ply11_player with words of 32 bits and ply11_match behind it, without the pins of the board and of the count.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_match_syn (
  input  wire        clk,
  input  wire        rst,
  input  wire        set_valid,
  input  wire [4:0]  set_addr,
  input  wire [31:0] set_data,
  input  wire        clear,
  input  wire        s_valid,
  output wire        s_ready,
  input  wire [31:0] s_data,
  output wire        m_valid,
  input  wire        m_ready,
  output wire [1:0]  m_kind,
  output wire        m_last,
  output wire [31:0] m_game,
  output wire [15:0] m_ply,
  output wire [71:0] m_user,
  output wire        hit
);

  wire         valid, ready, side;
  wire [1:0]   kind, result;
  wire [10:0]  index;
  wire [5:0]   from, to;
  wire [2:0]   promotion;
  wire [3:0]   piece, captured, error;
  wire [31:0]  offset;
  wire [15:0]  ply;
  wire [255:0] board;
  ply11_player #(.MODES(1), .WIDTH(32)) u_player (
    .clk(clk), .rst(rst), .mode(2'd0), .numbering(1'b0), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .load_valid(1'b0), .load_addr(4'd0), .load_data(32'd0),
    /* verilator lint_off PINCONNECTEMPTY */
    .load_ready(), .m_reason(), .m_depth(), .m_check(), .m_mate(), .m_stalemate(), .rights(), .ep(), .text_valid(), .text_data(),
    .text_last(), .text_kind(), .in_game(),
    /* verilator lint_on PINCONNECTEMPTY */
    .m_valid(valid), .m_ready(ready), .m_kind(kind), .m_index(index), .m_from(from), .m_to(to), .m_promotion(promotion),
    .m_piece(piece), .m_captured(captured), .m_result(result), .m_error(error), .m_offset(offset), .board(board), .side(side), .ply(ply)
  );

  /* verilator lint_off UNUSEDSIGNAL */
  (* keep *)
  wire [31:0] hits;
  /* verilator lint_on UNUSEDSIGNAL */
  ply11_match #(.USER_WIDTH(72)) u_match (
    .clk(clk), .rst(rst), .set_valid(set_valid), .set_addr(set_addr), .set_data(set_data), .clear(clear),
    .s_valid(valid), .s_ready(ready), .s_kind(kind), .s_last(kind == 2'd2), .s_main(1'b1), .board(board), .side(side), .ply(ply),
    .s_user({offset, index, from, to, promotion, piece, captured, result, error}),
    .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_last(m_last), .m_game(m_game), .m_ply(m_ply), .m_user(m_user),
    .hit(hit), .hits(hits)
  );

endmodule

`resetall
