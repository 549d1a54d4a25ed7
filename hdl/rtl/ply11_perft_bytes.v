// SPDX-License-Identifier: Apache-2.0
// ply11_perft_bytes - ply11_perft for a line of bytes: it takes orders and gives counts.
// Files: those of ply11_perft_bytes.f.
// An order is a byte {root, 000, depth 4}. With root 1, the position to count from follows in 36 bytes: nine words as ply11_perft
// loads them, ranks 1 to 8 and then the state. The low byte of each word comes first. With root 0 the root before it stays; after rst
// it is the usual initial position. The position must be one that package position takes.
// An answer has nine bytes for each depth from 0 to that of the order: {last, 000, depth 4}, then the number of legal move sequences of
// that many plies, its low byte first. last is 1 with the deepest. A depth above DEPTH counts as DEPTH.
//
// Throughput: one byte a clock. Between an order and the last byte of its answer, no byte is taken.
// Handshake: m_data comes from registers. It does not change while m_valid is 1 and m_ready is 0. s_ready comes from registers and from
// load_ready of ply11_perft, which does not depend on any input here.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_perft_bytes #(
  // Plies that can be counted, 2..10, as in ply11_perft.
  parameter DEPTH = 10
) (
  input  wire       clk,      // the clock; all ports belong to its rising edge
  input  wire       rst,      // synchronous reset, active high

  input  wire       s_valid,  // 1: a byte is offered
  output wire       s_ready,  // 1: the byte is taken in this clock if s_valid is 1
  input  wire [7:0] s_data,   // a byte of an order

  output wire       m_valid,  // 1: a byte is offered; it stays, unchanged, until m_ready is 1
  input  wire       m_ready,  // 1: the byte is taken in this clock if m_valid is 1
  output wire [7:0] m_data    // a byte of an answer
);

  localparam [1:0] ORDER = 2'd0, ROOT = 2'd1, ASK = 2'd2, TELL = 2'd3;
  reg  [1:0]  state_q;
  reg  [3:0]  depth_q;
  reg  [5:0]  at_q;           // of the root: {word, byte}
  reg         word_q;         // a word of it is whole
  reg  [31:0] root_q;
  reg  [3:0]  left_q;         // bytes of an answer still to go
  reg         last_q;         // it is the last answer
  reg  [71:0] answer_q;

  wire        load_ready, asked, count_valid, count_last;
  wire [3:0]  count_depth;
  wire [63:0] count;
  assign s_ready = state_q == ORDER || (state_q == ROOT && !word_q);
  assign m_valid = left_q != 4'd0;
  assign m_data = answer_q[7:0];
  wire        take = s_valid && s_ready;
  wire        free = state_q == TELL && !m_valid && !last_q;

  ply11_perft #(.DEPTH(DEPTH)) u_perft (
    .clk(clk), .rst(rst),
    .s_valid(state_q == ASK), .s_ready(asked), .s_depth(depth_q),
    .load_valid(word_q), .load_ready(load_ready), .load_addr(at_q[5:2]), .load_data(root_q),
    .m_valid(count_valid), .m_ready(free), .m_depth(count_depth), .m_count(count), .m_last(count_last),
    /* verilator lint_off PINCONNECTEMPTY */
    .job_valid(), .job_ready(1'b1), .job_skip(1'b0)
    /* verilator lint_on PINCONNECTEMPTY */
  );

  always @(posedge clk) begin
    if (take) root_q <= {s_data, root_q[31:8]};
    case (state_q)
      ORDER: begin
        at_q <= 6'd0;
        last_q <= 1'b0;
        if (take) begin
          depth_q <= s_data[3:0];
          state_q <= s_data[7] ? ROOT : ASK;
        end
      end
      ROOT: begin
        if (take) begin
          if (at_q[1:0] == 2'd3) word_q <= 1'b1;
          else at_q <= at_q + 6'd1;
        end
        if (word_q && load_ready) begin
          word_q <= 1'b0;
          at_q <= at_q + 6'd1;
          if (at_q[5]) state_q <= ASK;
        end
      end
      ASK: if (asked) state_q <= TELL;
      default: if (last_q && !m_valid) state_q <= ORDER;
    endcase
    if (m_valid && m_ready) begin
      left_q <= left_q - 4'd1;
      answer_q <= {8'd0, answer_q[71:8]};
    end
    if (free && count_valid) begin
      left_q <= 4'd9;
      answer_q <= {count, count_last, 3'd0, count_depth};
      last_q <= count_last;
    end
    if (rst) begin
      state_q <= ORDER;
      word_q <= 1'b0;
      left_q <= 4'd0;
    end
  end

endmodule

`resetall
