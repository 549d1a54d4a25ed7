// SPDX-License-Identifier: Apache-2.0
// ply11_mask, for all time from a reset on, for any streams of indices below 1968 and any back-pressure, of one index (INDEX):
//   1. each stream that ends gives the words 0 to 30, in this order, m_last with word 30; no other word comes, and the masks
//      come in the order of their streams;
//   2. the bit of INDEX is 1 in its word if the stream had the index, at any time and however often, and else 0; what a stream
//      or a reset before it has left in the memory does not show;
//   3. count, check, mate and stalemate of the stream come with each word.
// ok is 0 where one fails. Other resets may follow the first.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_mask_order #(
  parameter INDEX = 0
) (
  input  wire        clk,
  input  wire        reset,
  input  wire        s_valid,
  input  wire [10:0] s_index,
  input  wire        s_last,
  input  wire [8:0]  s_count,
  input  wire        s_check,
  input  wire        s_mate,
  input  wire        s_stalemate,
  input  wire        m_ready,
  output wire        ok
);

  localparam [10:0] AT = INDEX;

  reg         f_started;
  initial f_started = 1'b0;
  wire        rst = !f_started || reset;
  wire        s_ready, m_valid, m_last, m_check, m_mate, m_stalemate;
  wire [63:0] m_data;
  wire [4:0]  m_word;
  wire [8:0]  m_count;
  ply11_mask u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_index(s_index), .s_last(s_last), .s_count(s_count),
    .s_check(s_check), .s_mate(s_mate), .s_stalemate(s_stalemate), .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data),
    .m_word(m_word), .m_last(m_last), .m_count(m_count), .m_check(m_check), .m_mate(m_mate), .m_stalemate(m_stalemate)
  );

  wire [11:0] told = {s_count, s_check, s_mate, s_stalemate};
  wire        takes = s_valid && s_ready;
  wire        gives = m_valid && m_ready;
  reg         f_fair;     // all indices were below 1968
  reg         f_has;      // the stream that comes in had the index
  reg  [1:0]  f_masks;    // masks that are due
  reg  [12:0] f_0, f_1, f_2; // what was told of them and the index's bit, the oldest first
  reg  [4:0]  f_word;     // the word that is due
  wire        ends = takes && s_last;
  wire        over = gives && f_word == 5'd30;
  wire [1:0]  left = f_masks - {1'b0, over};
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (takes && !s_last && s_index >= 11'd1968) f_fair <= 1'b0;
    if (takes) f_has <= !s_last && (f_has || s_index == AT);
    if (gives) f_word <= over ? 5'd0 : f_word + 5'd1;
    if (over) {f_0, f_1} <= {f_1, f_2};
    if (ends) case (left)
      2'd0:    f_0 <= {told, f_has};
      2'd1:    f_1 <= {told, f_has};
      default: f_2 <= {told, f_has};
    endcase
    f_masks <= left + {1'b0, ends};
    if (rst) begin
      f_fair <= 1'b1;
      f_has <= 1'b0;
      f_masks <= 2'd0;
      f_word <= 5'd0;
    end
  end

  assign ok = rst || !f_fair || !m_valid
      || (f_masks != 2'd0 && m_word == f_word && m_last == (f_word == 5'd30)
          && (f_word != AT[10:6] || m_data[AT[5:0]] == f_0[0])
          && {m_count, m_check, m_mate, m_stalemate} == f_0[12:1]);

endmodule

`resetall
