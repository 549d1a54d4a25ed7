// SPDX-License-Identifier: Apache-2.0
// Made from hdl/rtl/ply11_player.v by: go run ./cmd/genrom vectors
// u_dut, a ply11_player of 8 bits of input with all of its outputs. A bench includes it behind DUT_MODES, DUT_DIALECT and DUT_DEPTH,
// and behind what it drives: the inputs of ply11_player by their names.

wire         s_ready;
wire         load_ready;
wire         m_valid;
wire [1:0]   m_kind;
wire [10:0]  m_index;
wire [5:0]   m_from;
wire [5:0]   m_to;
wire [2:0]   m_promotion;
wire [3:0]   m_piece;
wire [3:0]   m_captured;
wire [1:0]   m_result;
wire [3:0]   m_error;
wire [3:0]   m_reason;
wire [31:0]  m_offset;
wire [4:0]   m_depth;
wire         m_check;
wire         m_mate;
wire         m_stalemate;
wire [255:0] board;
wire         side;
wire [3:0]   rights;
wire [3:0]   ep;
wire [15:0]  ply;
wire         text_valid;
wire [7:0]   text_data;
wire         text_last;
wire [2:0]   text_kind;
wire         in_game;

ply11_player #(.MODES(DUT_MODES), .DIALECT(DUT_DIALECT), .DEPTH(DUT_DEPTH)) u_dut (
  .clk(clk),
  .rst(rst),
  .mode(mode),
  .numbering(numbering),
  .s_valid(s_valid),
  .s_ready(s_ready),
  .s_data(s_data),
  .load_valid(load_valid),
  .load_ready(load_ready),
  .load_addr(load_addr),
  .load_data(load_data),
  .m_valid(m_valid),
  .m_ready(m_ready),
  .m_kind(m_kind),
  .m_index(m_index),
  .m_from(m_from),
  .m_to(m_to),
  .m_promotion(m_promotion),
  .m_piece(m_piece),
  .m_captured(m_captured),
  .m_result(m_result),
  .m_error(m_error),
  .m_reason(m_reason),
  .m_offset(m_offset),
  .m_depth(m_depth),
  .m_check(m_check),
  .m_mate(m_mate),
  .m_stalemate(m_stalemate),
  .board(board),
  .side(side),
  .rights(rights),
  .ep(ep),
  .ply(ply),
  .text_valid(text_valid),
  .text_data(text_data),
  .text_last(text_last),
  .text_kind(text_kind),
  .in_game(in_game)
);
