// SPDX-License-Identifier: Apache-2.0
// ply11_skid - cuts all paths of a stream: no path leads from its inputs to its outputs, forward or backward.
//
// Throughput: one word a clock. Latency: one clock. It holds up to two words.
// Handshake: m_valid and m_data are registers. They do not change while m_valid is 1 and m_ready is 0. s_ready is a
// register. It is 0 in a clock after one in which rst was 1.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_skid #(
  // Bits of a word.
  parameter WIDTH = 8
) (
  input  wire             clk,      // the clock; all ports belong to its rising edge
  input  wire             rst,      // synchronous reset, active high

  input  wire             s_valid,  // 1: a word is offered
  output wire             s_ready,  // 1: the word is taken in this clock if s_valid is 1
  input  wire [WIDTH-1:0] s_data,   // the word

  output wire             m_valid,  // 1: a beat is offered; it stays, unchanged, until m_ready is 1
  input  wire             m_ready,  // 1: the beat is taken in this clock if m_valid is 1
  output wire [WIDTH-1:0] m_data    // the word
);

  generate
    if (WIDTH < 1) begin : g_check_width
      ply11_skid_width_is_1_or_more u_check ();
    end
  endgenerate

  reg             ready_q, full_q, valid_q;
  reg [WIDTH-1:0] data_q, spare_q;

  assign s_ready = ready_q;
  assign m_valid = valid_q;
  assign m_data  = data_q;

  wire go   = m_ready || !valid_q;
  wire take = s_valid && ready_q;
  // The spare register is full after this clock.
  wire full = !go && (full_q || take);

  always @(posedge clk) begin
    if (ready_q) spare_q <= s_data;
    if (go) data_q <= full_q ? spare_q : s_data;
    if (go) valid_q <= full_q || take;
    full_q <= full;
    ready_q <= !full;
    if (rst) begin
      valid_q <= 1'b0;
      full_q <= 1'b0;
      ready_q <= 1'b0;
    end
  end

`ifdef FORMAL
  // 1. What is offered stays until it is taken.
  // 2. The spare is full only behind a full register, and then nothing is taken.
  // 3. A word followed through: it comes out once, and in its place.
  reg             f_started, f_stall;
  reg [WIDTH-1:0] f_data;
  // Words inside, and the place of the followed one among them: 0 none.
  wire [1:0]      f_inside = {1'b0, valid_q} + {1'b0, full_q};
  reg  [1:0]      f_place;
  reg [WIDTH-1:0] f_word;
  (* anyseq *) reg f_pick;
  initial f_started = 1'b0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    f_stall <= f_started && m_valid && !m_ready && !rst;
    f_data <= m_data;
    if (f_place != 2'd0 && m_valid && m_ready) f_place <= f_place - 2'd1;
    if (f_place == 2'd0 && f_pick && take) begin
      f_place <= f_inside - {1'b0, m_valid && m_ready} + 2'd1;
      f_word <= s_data;
    end
    if (rst) f_place <= 2'd0;
    if (f_started) begin
      if (f_stall) a_1: assert (m_valid && m_data == f_data);
      a_2: assert (!full_q || (valid_q && !ready_q));
      a_3_inside: assert (f_place <= f_inside);
      if (f_place == 2'd1) a_3_first: assert (m_data == f_word);
      if (f_place == 2'd2) a_3_second: assert (spare_q == f_word);
      c_full: cover (full_q && m_ready && f_place == 2'd2);
    end
  end
`endif

endmodule

`resetall
