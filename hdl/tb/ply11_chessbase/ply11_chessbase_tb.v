// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_chessbase: numbers in positions, with pauses on both sides, and the moves that the software gives them
// (sim/vectors/chessbase), and the clocks that they take. The position changes as soon as the beat is offered.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_chessbase_tb;

  localparam NAME = "ply11_chessbase_tb";
  localparam WATCHDOG = 200000;
  localparam COUNT = 480;
  // Clocks in which all of them are counted, 98 each: a clock more in a square, a step or a list is seen.
  localparam COUNTED = 46970;
  `include "ply11_bench.vh"

  reg          rst = 1'b1;
  reg          s_valid = 1'b0, m_ready = 1'b0;
  wire         s_ready, m_valid, m_none;
  wire [10:0]  m_index;
  wire [3:0]   m_ep;
  reg  [295:0] vectors [0:COUNT-1];
  reg  [295:0] vector = 296'd0, want;
  reg  [31:0]  rnd;
  reg          offered, moved;
  integer      clocks, i, asked, counted;

  ply11_chessbase u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_number(vector[26:20]), .cbascii(vector[28]),
    .board(vector[295:40]), .ep(vector[39:36]), .side(vector[32]),
    .m_valid(m_valid), .m_ready(m_ready), .m_none(m_none), .m_index(m_index), .m_ep(m_ep)
  );

  initial begin
    $readmemh("tb/ply11_chessbase/numbers.hex", vectors);
    repeat (4) @(posedge clk);
    #1 rst = 1'b0;
    {clocks, asked, counted} = 0;
    for (n = 0; n < COUNT && errors < 10; n = n + 1) begin
      rnd = $random;
      want = vectors[n];
      if (rnd[3:0] == 4'd0) begin
        // A reset in the midst of another number: nothing of it comes.
        vector = vectors[rnd[11:4]];
        s_valid = 1'b1;
        for (i = 0; i < rnd[18:13]; i = i + 1) @(posedge clk);
        #1;
        rst = 1'b1;
        s_valid = 1'b0;
        @(posedge clk);
        #1 rst = 1'b0;
        sink_held = 1'b0;
      end
      if (rnd[12]) begin
        expect_that(s_ready && !m_valid, "not ready for a number");
        @(posedge clk);
        #1;
      end
      vector = want;
      s_valid = 1'b1;
      offered = 1'b0;
      moved = 1'b0;
      while (!moved && errors < 10) begin
        m_ready = rnd[0];
        rnd = $random;
        #1;
        sink(m_valid, m_ready, {112'd0, m_none, m_index, m_ep});
        expect_that(!(m_valid && s_valid), "a beat before the number was taken");
        if (m_valid && !offered) begin
          offered = 1'b1;
          counted = counted + clocks - asked;
          expect_that(m_none === want[16], "none, or a move, wrongly");
          expect_that(m_none || m_index === want[14:4], "another move");
          expect_that(m_none || m_ep === want[3:0], "another en passant file");
          // What was asked is read no longer.
          vector = {$random, $random, $random, $random, $random, $random, $random, $random, $random, $random};
        end
        moved = m_valid && m_ready;
        offered = offered && !moved;
        if (s_valid && s_ready) begin
          asked = clocks;
          @(posedge clk);
          #1 s_valid = 1'b0;
        end else begin
          @(posedge clk);
          #1;
        end
        clocks = clocks + 1;
      end
      m_ready = 1'b0;
    end
    expect_that(counted == COUNTED, "another number of clocks");
    verdict;
    $display("PASS ply11_chessbase_tb: %0d numbers, %0d clocks", COUNT, clocks);
    $finish;
  end

endmodule

`resetall
