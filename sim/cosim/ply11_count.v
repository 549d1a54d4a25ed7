// SPDX-License-Identifier: Apache-2.0
// Has ply11_perft, or ply11_perft_many with CORES 2 or more, count what legal moves reach from one position.
// +root=N: the nine words of the load port, the first in the low bits, in hexadecimal digits. +depth=N: the order.
// It writes a line for each beat: the depth, the count, whether it is the last, the clocks since the order.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_count #(parameter CORES = 1);

  reg          clk = 1'b0, rst = 1'b1;
  reg  [287:0] root;
  reg    [3:0] depth;
  reg    [3:0] word = 4'd0;
  reg          ordered = 1'b0;
  reg   [63:0] clocks = 64'd0;
  wire         s_ready, load_ready, m_valid, m_last;
  wire   [3:0] m_depth;
  wire  [63:0] m_count;
  integer      n;

  always #5 clk = !clk;

  generate
    if (CORES == 1) begin : g_one
      ply11_perft u_dut (
        .clk       (clk),
        .rst       (rst),
        .s_valid   (!ordered && word == 4'd9),
        .s_ready   (s_ready),
        .s_depth   (depth),
        .load_valid(word != 4'd9),
        .load_ready(load_ready),
        .load_addr (word),
        .load_data (root[31:0]),
        .m_valid   (m_valid),
        .m_ready   (1'b1),
        .m_depth   (m_depth),
        .m_count   (m_count),
        .m_last    (m_last),
        .job_valid (),
        .job_ready (1'b1),
        .job_skip  (1'b0)
      );
    end else begin : g_many
      ply11_perft_many #(.CORES(CORES)) u_dut (
        .clk       (clk),
        .rst       (rst),
        .s_valid   (!ordered && word == 4'd9),
        .s_ready   (s_ready),
        .s_depth   (depth),
        .load_valid(word != 4'd9),
        .load_ready(load_ready),
        .load_addr (word),
        .load_data (root[31:0]),
        .m_valid   (m_valid),
        .m_ready   (1'b1),
        .m_depth   (m_depth),
        .m_count   (m_count),
        .m_last    (m_last)
      );
    end
  endgenerate

  initial begin
    if (!$value$plusargs("root=%h", root)) $fatal(1, "+root=N is missing");
    if (!$value$plusargs("depth=%d", depth)) $fatal(1, "+depth=N is missing");
    for (n = 0; n < 4; n = n + 1) @(negedge clk);
    rst = 1'b0;
  end

  always @(posedge clk)
    if (!rst) begin
      if (word != 4'd9 && load_ready) begin
        word <= word + 4'd1;
        root <= root >> 32;
      end
      if (word == 4'd9 && s_ready) ordered <= 1'b1;
      if (ordered) clocks <= clocks + 64'd1;
      if (m_valid) begin
        $display("%0d %0d %0d %0d", m_depth, m_count, m_last, clocks + 64'd1);
        if (m_last) $finish(0);
      end
    end

endmodule

`resetall
