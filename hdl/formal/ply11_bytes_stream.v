// SPDX-License-Identifier: Apache-2.0
// The handshake of ply11_brenner (CODEC 0) and ply11_jose (CODEC 1), for any bytes, idle and back-pressure,
// from a reset on:
//   1. an operation that waits does so unchanged, and no byte is taken meanwhile;
//   2. none is doubled, made up or out of order: a ply has the number of a byte that was taken, and that
//      is greater than the one of the ply before; no ply comes after an error before the game's end;
//   3. NEW comes after END, at once, and nowhere else.
// ok is 0 where one fails.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_bytes_stream #(
  parameter CODEC = 0
) (
  input  wire       clk,
  input  wire       s_valid,
  input  wire [7:0] s_data,
  input  wire       m_ready,
  output wire       ok
);

  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2, ERROR = 2'd3;

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started;

  wire        s_ready, m_valid;
  wire [1:0]  m_kind;
  wire [3:0]  m_code;
  wire [10:0] m_index;
  wire [31:0] m_offset;
  generate
    if (CODEC == 0) begin : g_brenner
      ply11_brenner u_dut (
        .clk(clk), .rst(rst),
        .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
        .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_code(m_code), .m_index(m_index),
        .m_offset(m_offset),
        .load_clear(1'b0), .load_valid(1'b0), .load_square(6'd0), .load_piece(4'd0), .load_state(1'b0),
        .load_side(1'b0), .load_ep(4'd0), .load_bad(1'b0)
      );
    end else begin : g_jose
      ply11_jose u_dut (
        .clk(clk), .rst(rst),
        .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
        .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_code(m_code), .m_index(m_index),
        .m_offset(m_offset), .done(1'b0),
        .load_clear(1'b0), .load_valid(1'b0), .load_square(6'd0), .load_piece(4'd0), .load_state(1'b0),
        .load_side(1'b0), .load_ep(4'd0), .load_bad(1'b0)
      );
    end
  endgenerate

  reg         f_wait, f_bad, f_ended, f_ply;
  reg  [48:0] f_beat;
  reg  [31:0] f_bytes, f_last;
  wire [48:0] beat = {m_kind, m_code, m_index, m_offset};
  wire        give = m_valid && m_ready;

  always @(posedge clk) begin
    f_started <= 1'b1;
    f_wait <= m_valid && !m_ready;
    f_beat <= beat;
    if (s_valid && s_ready) f_bytes <= f_bytes + 32'd1;
    if (give) begin
      f_ended <= m_kind == END;
      if (m_kind == PLY) f_ply <= 1'b1;
      if (m_kind == PLY) f_last <= m_offset;
      if (m_kind == ERROR) f_bad <= 1'b1;
      if (m_kind == END) f_bad <= 1'b0;
    end
    if (rst) begin
      f_wait <= 1'b0;
      f_bad <= 1'b0;
      f_ended <= 1'b0;
      f_ply <= 1'b0;
      f_bytes <= 32'd0;
    end
  end

  assign ok = rst
    || ((!f_wait || (m_valid && beat == f_beat))
        && (!m_valid || m_ready || !s_ready)
        && (!m_valid || ((m_kind == NEW) == f_ended
                         && (m_kind == NEW || m_offset < f_bytes)
                         && (m_kind != PLY || !f_ply || m_offset > f_last)
                         && (!f_bad || m_kind == END))));

endmodule

`resetall
