// SPDX-License-Identifier: Apache-2.0
// ply11_words (CODEC 0), ply11_brenner (1) and ply11_jose (2), for any input, idle, back-pressure, loads and
// variations, for all time from a reset on:
//   1. an operation that waits does so unchanged, and with Brenner and jose no byte is taken meanwhile;
//   2. of words, a row for the board waits unchanged until it is taken;
//   3. a bracket that is followed is asked for until done comes, one at a time, and no operation is
//      offered meanwhile;
//   4. a text's byte comes only in a clock in which a byte is taken.
// Without variations, a start position may come at any time. With them it comes while quiet is 1, as the header of ply11_jose says.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_codec_hold #(
  parameter CODEC = 0,
  parameter DEPTH = 0
) (
  input  wire        clk,
  input  wire        reset,
  input  wire        s_valid,
  input  wire [10:0] s_data,
  input  wire        m_ready,
  input  wire        load_ready,
  input  wire        done_now,
  input  wire        load_clear,
  input  wire        load_valid,
  input  wire [5:0]  load_square,
  input  wire [3:0]  load_piece,
  input  wire        load_state,
  input  wire        load_side,
  input  wire [3:0]  load_ep,
  input  wire        load_bad,
  output wire        ok
);

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started || reset;

  wire        quiet;
  wire        loads = DEPTH == 0 || quiet;
  wire        s_ready, m_valid, open, close, text_valid, row_valid;
  wire [1:0]  m_kind;
  wire [3:0]  m_code, row_addr;
  wire [10:0] m_index;
  wire [31:0] m_offset, row_data;
  // Nobody is done with what was not asked for.
  wire        done = done_now && (open || close);
  generate
    if (CODEC == 0) begin : g_words
      ply11_words #(.DEPTH(DEPTH)) u_dut (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
        .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_code(m_code), .m_index(m_index),
        .m_offset(m_offset), .open(open), .close(close), .done(done),
        .load_valid(row_valid), .load_ready(load_ready), .load_addr(row_addr), .load_data(row_data)
      );
      assign text_valid = 1'b0;
    end else if (CODEC == 1) begin : g_brenner
      ply11_brenner u_dut (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data[7:0]),
        .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_code(m_code), .m_index(m_index),
        .m_offset(m_offset), .text_valid(text_valid),
        .load_clear(load_clear), .load_valid(load_valid), .load_square(load_square), .load_piece(load_piece),
        .load_state(load_state), .load_side(load_side), .load_ep(load_ep), .load_bad(load_bad)
      );
      assign {open, close, row_valid} = 3'd0;
      assign {row_addr, row_data} = 36'd0;
    end else begin : g_jose
      ply11_jose #(.DEPTH(DEPTH)) u_dut (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data[7:0]),
        .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_code(m_code), .m_index(m_index),
        .m_offset(m_offset), .text_valid(text_valid), .open(open), .close(close), .done(done), .quiet(quiet),
        .load_clear(load_clear && loads), .load_valid(load_valid && loads), .load_square(load_square), .load_piece(load_piece),
        .load_state(load_state && loads), .load_side(load_side), .load_ep(load_ep), .load_bad(load_bad)
      );
      assign row_valid = 1'b0;
      assign {row_addr, row_data} = 36'd0;
    end
  endgenerate

  wire [48:0] beat = {m_kind, m_code, m_index, m_offset};
  wire [35:0] row = {row_addr, row_data};
  reg         f_wait, f_row_wait, f_open, f_close;
  reg  [48:0] f_beat;
  reg  [35:0] f_row;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_wait <= m_valid && !m_ready && !rst;
    f_beat <= beat;
    f_row_wait <= row_valid && !load_ready && !rst;
    f_row <= row;
    f_open <= open && !done && !rst;
    f_close <= close && !done && !rst;
  end

  assign ok = rst
    || ((!f_wait || (m_valid && beat == f_beat))
        && (CODEC == 0 || !m_valid || m_ready || !s_ready)
        && (!f_row_wait || (row_valid && row == f_row))
        && (!f_open || open) && (!f_close || close) && !(open && close)
        && (!m_valid || !(open || close))
        && (!text_valid || (s_valid && s_ready)));

endmodule

`resetall
