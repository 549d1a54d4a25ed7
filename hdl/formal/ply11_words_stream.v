// SPDX-License-Identifier: Apache-2.0
// The handshake of ply11_words, for all time from a reset on, for any words, idle and back-pressure:
//   1. an operation that waits does so unchanged;
//   2. while all words so far are moves, idle words, or results, nothing is lost, doubled or reordered: as
//      many operations come out as are due, a word followed comes in its place, a move with its index, a
//      result as END and then NEW; and none is due for more than two clocks in which nothing is offered;
//   3. a row for the board waits unchanged until it is taken, and rows come in the order 0 to 8.
// ok is 0 where one fails.  pick chooses the word to follow.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_words_stream (
  input  wire        clk,
  input  wire        s_valid,
  input  wire [10:0] s_data,
  input  wire        m_ready,
  input  wire        load_ready,
  input  wire        pick,
  output wire        ok
);

  localparam [1:0] PLY = 2'd0, NEW = 2'd1, END = 2'd2;

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started;

  wire        s_ready, m_valid, in_game, load_valid, open, close;
  wire [1:0]  m_kind;
  wire [3:0]  m_code, load_addr;
  wire [10:0] m_index;
  wire [31:0] m_offset, load_data;
  ply11_words u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .open(open), .close(close), .done(1'b0),
    .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_code(m_code), .m_index(m_index),
    .m_offset(m_offset), .in_game(in_game),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data)
  );

  wire take = s_valid && s_ready;
  wire give = m_valid && m_ready;
  wire idle = s_data == 11'd2047;
  wire move = s_data < 11'd1968 || s_data == 11'd1972;
  wire over = s_data >= 11'd1968 && s_data < 11'd1972;

  reg        f_wait, f_row, f_plain, f_over, f_new;
  reg [48:0] f_beat;
  reg [35:0] f_load;
  reg [3:0]  f_next;
  reg [2:0]  f_due, f_place;      // operations to come, and up to that of the word followed
  reg [1:0]  f_slow;
  reg [10:0] f_index;
  wire [48:0] beat = {m_kind, m_code, m_index, m_offset};

  always @(posedge clk) begin
    f_started <= 1'b1;
    f_wait <= m_valid && !m_ready && !rst;
    f_beat <= beat;
    f_row <= load_valid && !load_ready && !rst;
    f_load <= {load_addr, load_data};
    if (load_valid && load_ready) f_next <= load_addr == 4'd8 ? 4'd0 : load_addr + 4'd1;
    f_due <= f_due - {2'd0, give} + (!take || idle ? 3'd0 : over ? 3'd2 : 3'd1);
    f_slow <= m_valid || f_due == 3'd0 ? 2'd0 : f_slow + 2'd1;
    f_new <= give ? f_place == 3'd1 && f_over : f_new;
    if (give && f_place != 3'd0) f_place <= f_place - 3'd1;
    if (take && !idle) begin
      if (pick && f_place == 3'd0) begin
        f_place <= f_due - {2'd0, give} + 3'd1;
        f_index <= s_data;
        f_over <= over;
      end
      if (!move && !over) f_plain <= 1'b0;
    end
    if (rst) begin
      f_due <= 3'd0;
      f_place <= 3'd0;
      f_slow <= 2'd0;
      f_new <= 1'b0;
      f_plain <= 1'b1;
      f_next <= 4'd0;
    end
  end

  assign ok = rst
    || ((!f_wait || (m_valid && beat == f_beat))
        && (!f_row || (load_valid && {load_addr, load_data} == f_load))
        && (!load_valid || load_addr == f_next)
        && (!f_plain
            || ((!m_valid || f_due != 3'd0) && f_slow != 2'd3 && !load_valid
                && (!m_valid || f_place != 3'd1
                    || (f_over ? m_kind == END && m_code == {2'd0, f_index[1:0]}
                               : m_kind == PLY && m_index == f_index))
                && (!m_valid || !f_new || m_kind == NEW))));

endmodule

`resetall
