// SPDX-License-Identifier: Apache-2.0
// From any state of ply11_perft in which a count is offered, whatever has been counted: where a position ends while the count waits, it
// grows by the position's number of moves, which is less than 512, in all of its 64 bits. In a walk none ends then; but it is the same
// adder and the same memory as before it, and here they can be seen. What stands in the place of ply11_moves ends a position in clock 2.
// ok is 0 where that fails. Five clocks are enough: the sum is read in the last.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_perft_sum (
  input  wire        clk,
  input  wire        s_valid,
  input  wire [3:0]  s_depth,
  input  wire        load_valid,
  input  wire [3:0]  load_addr,
  input  wire [31:0] load_data,
  output wire        ok
);

  wire        s_ready, load_ready, m_valid, m_last;
  wire [3:0]  m_depth;
  wire [63:0] m_count;
  ply11_perft #(.DEPTH(3)) u_dut (
    .clk(clk), .rst(1'b0),
    .s_valid(s_valid), .s_ready(s_ready), .s_depth(s_depth),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .m_valid(m_valid), .m_ready(1'b0), .m_depth(m_depth), .m_count(m_count), .m_last(m_last),
    .job_valid(), .job_ready(1'b1), .job_skip(1'b0)
  );

  reg  [2:0]  f_clock;
  initial f_clock = 3'd1;
  reg         f_not;        // no count was offered in a clock before
  initial f_not = 1'b0;
  reg  [63:0] f_before;     // the count as it was
  wire [63:0] growth = m_count - f_before;
  always @(posedge clk) begin
    f_clock <= f_clock + 3'd1;
    f_not <= f_not || !m_valid;
    if (f_clock == 3'd3) f_before <= m_count;
  end
  assign ok = f_not || f_clock != 3'd5 || (m_valid && growth < 64'd512);

endmodule

// ---- in the place of the modules in it ----

// The position is any; nothing else is asked.
module ply11_board #(parameter USER_WIDTH = 1, STOP = 0) (
  input  wire         clk, rst, s_valid,
  output wire         s_ready,
  input  wire [1:0]   s_op,
  input  wire [10:0]  s_index,
  input  wire         s_user, load_valid,
  output wire         load_ready,
  input  wire [3:0]   load_addr,
  input  wire [31:0]  load_data,
  output wire         next_valid,
  output wire [1:0]   next_op,
  input  wire         hush,
  output wire         m_valid,
  input  wire         m_ready,
  output wire [1:0]   m_op,
  output wire         m_user,
  output wire [2:0]   m_error,
  output wire [5:0]   m_from, m_to,
  output wire [2:0]   m_promotion,
  output wire [3:0]   m_piece, m_captured,
  output wire [255:0] board,
  output wire         side,
  output wire [3:0]   rights, ep,
  output wire [15:0]  ply
);
  assign board = {8{load_data}};
  assign {load_ready, m_valid, side, rights, ep} = 11'd0;
endmodule

module ply11_moves (
  input  wire         clk, rst, s_valid,
  output wire         s_ready,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights, ep,
  output wire         m_valid,
  input  wire         m_ready,
  output wire [10:0]  m_index,
  output wire         m_last,
  output wire [8:0]   m_count,
  output wire         m_check, m_mate, m_stalemate
);
  reg  [2:0]  f_clock;
  initial f_clock = 3'd1;
  always @(posedge clk) f_clock <= f_clock + 3'd1;
  assign s_ready = 1'b0;
  assign m_valid = f_clock == 3'd2;
  assign m_last = 1'b1;
  assign m_index = 11'd0;
  assign m_count = board[8:0];  // any
endmodule

`resetall
