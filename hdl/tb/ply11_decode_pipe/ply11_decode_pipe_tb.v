// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_decode_pipe, with back-pressure (u_dut) and without (u_free): all 2,048 inputs, as
// tb/include/ply11_pipe_bench.vh says. +vcd writes ply11_decode_pipe_tb.vcd.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_decode_pipe_tb;

  localparam NAME = "ply11_decode_pipe_tb";
  localparam WATCHDOG = 500000;
  localparam LATENCY = 4, INPUTS = 2048, RESULT = 16, PERIODIC = 61, RANDOM = INPUTS;
  `include "ply11_bench.vh"
  `include "ply11_reference.vh"
  `include "ply11_pipe_bench.vh"

  ply11_decode_pipe u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .s_index(next[10:0]),
    .m_valid(m_valid), .m_ready(m_ready),
    .m_from(m_all[5:0]), .m_to(m_all[11:6]), .m_promotion(m_all[14:12]), .m_is_move(m_all[15])
  );

  ply11_decode_pipe #(.HANDSHAKE(0)) u_free (
    .clk(clk), .rst(rst),
    .s_valid(taken), .s_ready(free_s_ready), .s_index(next[10:0]),
    .m_valid(free_m_valid), .m_ready(1'b0),
    .m_from(f_all[5:0]), .m_to(f_all[11:6]), .m_promotion(f_all[14:12]), .m_is_move(f_all[15])
  );

  task fill;
    for (vp = 0; vp < INPUTS; vp = vp + 1) want[vp] = reference_word(vp);
  endtask

endmodule

`resetall
