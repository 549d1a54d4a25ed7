// SPDX-License-Identifier: Apache-2.0
// u_dut, a ply11_player of 8 bits of input with all of its outputs. A bench includes it behind DUT_MODES, DUT_DIALECT and DUT_DEPTH,
// and behind what it drives: rst, mode, s_valid, s_data, load_valid, load_addr, load_data and m_ready.

wire         s_ready, load_ready, m_valid, side, text_valid, text_last, in_game;
wire [1:0]   m_kind, m_result;
wire [10:0]  m_index;
wire [5:0]   m_from, m_to;
wire [2:0]   m_promotion, text_kind;
wire [3:0]   m_man, m_captured, m_error, rights, ep;
wire [31:0]  m_offset;
wire [4:0]   m_depth;
wire [255:0] board;
wire [15:0]  ply;
wire [7:0]   text_data;

ply11_player #(.MODES(DUT_MODES), .DIALECT(DUT_DIALECT), .DEPTH(DUT_DEPTH)) u_dut (
  .clk(clk), .rst(rst), .mode(mode), .numbering(1'b0),
  .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
  .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
  .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_index(m_index), .m_from(m_from),
  .m_to(m_to), .m_promotion(m_promotion), .m_man(m_man), .m_captured(m_captured),
  .m_result(m_result), .m_error(m_error), .m_offset(m_offset), .m_depth(m_depth),
  .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply),
  .text_valid(text_valid), .text_data(text_data), .text_last(text_last), .text_kind(text_kind),
  .in_game(in_game)
);
