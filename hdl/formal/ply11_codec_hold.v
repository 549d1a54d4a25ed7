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
  input  wire        row_ready,
  input  wire        done_now,
  input  wire        clear_now,
  input  wire        square_now,
  input  wire [5:0]  load_square,
  input  wire [3:0]  load_piece,
  input  wire        state_now,
  input  wire        load_side,
  input  wire [3:0]  load_ep,
  input  wire        load_bad,
  output wire        ok
);

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started || reset;

  localparam LAYOUT = 0, GAMES = 9, DIALECT = 0;
  // Nobody is done with what was not asked for.
  wire        done, load_clear, load_valid, load_state;
  `include "ply11_codec_dut.vh"
  wire        loads = DEPTH == 0 || calm;
  assign done = done_now && (open || close);
  assign {load_clear, load_valid, load_state} = {clear_now, square_now, state_now} & {3{loads}};

  wire [48:0] beat = {m_kind, m_code, m_index, m_offset};
  wire [35:0] row = {row_addr, row_data};
  reg         f_wait, f_row_wait, f_open, f_close;
  reg  [48:0] f_beat;
  reg  [35:0] f_row;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_wait <= m_valid && !m_ready && !rst;
    f_beat <= beat;
    f_row_wait <= row_valid && !row_ready && !rst;
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
