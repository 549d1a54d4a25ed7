// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_encode_pipe, with back-pressure (u_dut) and without (u_free): all 32,768 inputs, as
// tb/include/ply11_pipe_bench.vh says. +vcd writes ply11_encode_pipe_tb.vcd.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_encode_pipe_tb;

  localparam NAME = "ply11_encode_pipe_tb";
  localparam WATCHDOG = 500000;
  localparam LATENCY = 7, INPUTS = 32768, RESULT = 12, PERIODIC = 23, RANDOM = 4096;
  `include "ply11_bench.vh"
  `include "ply11_reference.vh"
  `include "ply11_pipe_bench.vh"

  // All 32,768 in an order that mixes moves with what is none; the multiplier is odd.
  wire [14:0] stimulus = next[14:0] * 15'd10923;

  ply11_encode_pipe u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready),
    .s_from(stimulus[5:0]), .s_to(stimulus[11:6]), .s_promotion(stimulus[14:12]),
    .m_valid(m_valid), .m_ready(m_ready), .m_index(m_all[10:0]), .m_is_move(m_all[11])
  );

  ply11_encode_pipe #(.HANDSHAKE(0)) u_free (
    .clk(clk), .rst(rst),
    .s_valid(taken), .s_ready(free_s_ready),
    .s_from(stimulus[5:0]), .s_to(stimulus[11:6]), .s_promotion(stimulus[14:12]),
    .m_valid(free_m_valid), .m_ready(1'b0), .m_index(f_all[10:0]), .m_is_move(f_all[11])
  );

  reg [15:0] word;
  task fill;
    begin
      for (vp = 0; vp < INPUTS; vp = vp + 1) want[vp] = 12'd0;
      for (vp = 0; vp < 2048; vp = vp + 1) begin
        word = reference_word(vp);
        // 3 * 10923 is 1 modulo 2^15: the place of a move in the order above.
        if (word[15]) want[(word[14:0]*3)%INPUTS] = {1'b1, vp[10:0]};
      end
    end
  endtask

endmodule

`resetall
