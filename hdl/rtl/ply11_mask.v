// SPDX-License-Identifier: Apache-2.0
// ply11_mask - a set of moves as a mask of 1,968 bits over the index, in 31 words of 64, from a stream of indices.
//
// Indices in: the stream of ply11_moves, or one like it: one beat for each move, below 1968, in any order, and
// after them one with s_last, whose index is not looked at. Its s_count, s_check, s_mate and s_stalemate come out
// with the mask.
// Words out: 31 beats for each stream. Bit b of word w, which m_word numbers, is index 64*w + b. So a word
// has one distance and one axis, {n - 1, axis}, by the square where a move begins (docs/INDEX.md). Bits 48..63
// of word 30 are 0. m_last comes with word 30; m_count, m_check, m_mate and m_stalemate with every word.
// Handshake: a beat waits unchanged while m_valid is 1 and m_ready is 0. s_ready does not depend on an input of
// the same clock.
//
// Throughput: an index a clock; a mask is written while the one before it comes out, in 32 clocks or more.
// Latency: word 0 is offered 3 clocks after s_last was accepted, word 30 after 33, if the mask before it is out
// by then. For the first 32 clocks after rst s_ready is 0: the memory is made empty.
//
// There are two memories of 32 words, of which single bits are set (four block RAMs each on an iCE40). One is
// written; the other is read, and a clock behind the reading its words become 0.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_mask (
  input  wire        clk,         // the clock; all ports belong to its rising edge
  input  wire        rst,         // synchronous reset, active high

  input  wire        s_valid,     // 1: a beat of ply11_moves is offered; it stays until s_ready is 1
  output wire        s_ready,     // 1: the beat is taken in this clock if s_valid is 1
  input  wire [10:0] s_index,     // the index of a move, 0..1967; without meaning with s_last
  input  wire        s_last,      // 1: the end of the stream
  input  wire [8:0]  s_count,     // with s_last: the number of moves, 0..218
  input  wire        s_check,     // with s_last: 1 if the side to move is in check
  input  wire        s_mate,      // with s_last: 1 if it is mate
  input  wire        s_stalemate, // with s_last: 1 if it is stalemate

  output reg         m_valid,     // 1: a word is offered; it stays, unchanged, until m_ready is 1
  input  wire        m_ready,     // 1: the word is taken in this clock if m_valid is 1
  output reg  [63:0] m_data,      // bit b: the stream had the index 64*m_word + b
  output reg  [4:0]  m_word,      // the number of the word, 0..30
  output reg         m_last,      // 1: the last word, number 30
  output reg  [8:0]  m_count,     // s_count of the stream
  output reg         m_check,     // s_check of the stream
  output reg         m_mate,      // s_mate of the stream
  output reg         m_stalemate  // s_stalemate of the stream
);

  integer j;

  reg         put_q, get_q;               // the memory that is written, that is read
  reg  [1:0]  full_q;                     // holds a mask that is not yet out
  reg         stale_q;                    // both hold what was in them before rst
  reg  [4:0]  at_q;                       // the word that is read
  reg         read_valid;                 // that of the clock before is on its way out
  reg  [4:0]  read_at;

  assign s_ready = !(put_q ? full_q[1] : full_q[0]);
  wire        en = !m_valid || m_ready;
  wire        takes = s_valid && s_ready;
  wire        reads = en && (get_q ? full_q[1] : full_q[0]);
  wire        over = at_q == 5'd31;       // all words are read

  always @(posedge clk) begin
    if (takes && s_last) begin
      full_q[put_q] <= 1'b1;
      put_q <= !put_q;
    end
    if (reads) begin
      at_q <= at_q + 5'd1;
      if (over) begin
        full_q[get_q] <= 1'b0;
        get_q <= !get_q;
        if (stale_q) begin
          full_q <= 2'b00;
          get_q <= 1'b0;
        end
        stale_q <= 1'b0;
      end
    end
    if (en) begin
      read_valid <= reads && !over;
      read_at <= at_q;
    end
    if (rst) begin
      put_q <= 1'b0;
      get_q <= 1'b0;
      full_q <= 2'b11;
      stale_q <= 1'b1;
      at_q <= 5'd0;
      read_valid <= 1'b0;
    end
  end

  // The memories. One that is full is emptied.
  wire        empties = read_valid && en;
  wire        sets = takes && !s_last;
  wire        write0 = full_q[0] ? empties && (!get_q || stale_q) : sets && !put_q;
  wire        write1 = full_q[1] ? empties && (get_q || stale_q) : sets && put_q;
  wire [4:0]  at0 = full_q[0] ? read_at : s_index[10:6];
  wire [4:0]  at1 = full_q[1] ? read_at : s_index[10:6];
  wire [63:0] bit_at = 64'd1 << s_index[5:0];
  wire [63:0] bits0 = bit_at | {64{full_q[0]}};
  wire [63:0] bits1 = bit_at | {64{full_q[1]}};
  // A word that is read and used is not written in the same clock.
  (* no_rw_check *)
  reg  [63:0] memory0 [0:31];
  (* no_rw_check *)
  reg  [63:0] memory1 [0:31];
  reg  [63:0] read_data0, read_data1;
  always @(posedge clk) begin
    for (j = 0; j < 64; j = j + 1) begin
      if (write0 && bits0[j]) memory0[at0][j] <= !full_q[0];
      if (write1 && bits1[j]) memory1[at1][j] <= !full_q[1];
    end
    if (en) begin
      read_data0 <= memory0[at_q];
      read_data1 <= memory1[at_q];
    end
  end

  // What the last beat of a stream told.
  reg  [11:0] told0_q, told1_q;
  always @(posedge clk) if (takes && s_last) begin
    if (put_q) told1_q <= {s_count, s_check, s_mate, s_stalemate};
    else     told0_q <= {s_count, s_check, s_mate, s_stalemate};
  end

  always @(posedge clk) begin
    if (en) begin
      m_valid <= read_valid && !stale_q;
      m_data <= get_q ? read_data1 : read_data0;
      m_word <= read_at;
      m_last <= read_at == 5'd30;
      {m_count, m_check, m_mate, m_stalemate} <= get_q ? told1_q : told0_q;
    end
    if (rst) m_valid <= 1'b0;
  end

endmodule

`resetall
