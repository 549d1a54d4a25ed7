// SPDX-License-Identifier: Apache-2.0
// The handshake of ply11_words, for any words, idle and back-pressure, from a reset on:
//   1. an operation that waits does so unchanged, and no word is taken meanwhile;
//   2. while all words so far are moves, idle words, or (once) a result, nothing is lost, doubled or
//      reordered: each move comes out with its index, the result as END and then NEW, and no operation that did not come;
//   3. a row for the board waits unchanged until it is taken, and rows come in the order 0 to 8.
// ok is 0 where one fails. The words that are inside are followed by their number: at most one is.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_words_stream (
  input  wire        clk,
  input  wire        s_valid,
  input  wire [10:0] s_data,
  input  wire        m_ready,
  input  wire        load_ready,
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

  reg        f_wait, f_row, f_plain, f_due;
  reg [48:0] f_beat;
  reg [35:0] f_load;
  reg [3:0]  f_next;
  reg [1:0]  f_kind, f_result;
  reg [10:0] f_index;
  wire [48:0] beat = {m_kind, m_code, m_index, m_offset};

  always @(posedge clk) begin
    f_started <= 1'b1;
    f_wait <= m_valid && !m_ready && !rst;
    f_beat <= beat;
    f_row <= load_valid && !load_ready && !rst;
    f_load <= {load_addr, load_data};
    if (load_valid && load_ready) f_next <= load_addr == 4'd8 ? 4'd0 : load_addr + 4'd1;
    if (give) f_due <= 1'b0;
    if (give && f_kind == END) begin
      f_due <= 1'b1;
      f_kind <= NEW;
    end
    if (take) begin
      if (!idle) begin
        f_due <= 1'b1;
        f_kind <= move ? PLY : END;
        f_index <= s_data;
        f_result <= s_data[1:0];
        if (!move && !over) f_plain <= 1'b0;
      end
    end
    if (rst) begin
      f_due <= 1'b0;
      f_plain <= 1'b1;
      f_next <= 4'd0;
      f_kind <= PLY;
    end
  end

  assign ok = rst
    || ((!f_wait || (m_valid && beat == f_beat))
        && (!m_valid || m_ready || !s_ready)
        && (!f_row || (load_valid && {load_addr, load_data} == f_load))
        && (!load_valid || load_addr == f_next)
        && (!f_plain || (m_valid == f_due
            && (!m_valid || (m_kind == f_kind
                && (m_kind != PLY || (m_index == f_index))
                && (m_kind != END || m_code == {2'd0, f_result})))
            && !load_valid)));

endmodule

`resetall
