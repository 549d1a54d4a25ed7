// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_skid: every pair of periodic patterns of idle and back-pressure of four clocks, then
// random ones: nothing is lost, doubled, reordered or changed while stalled; a word a clock, one clock after it was taken.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_skid_tb;

  localparam WIDTH = 12;

  localparam NAME = "ply11_skid_tb";
  localparam WATCHDOG = 100000;
  `include "ply11_bench.vh"

  reg              rst = 1'b1, s_valid = 1'b0, m_ready = 1'b0;
  reg  [WIDTH-1:0] s_data = 0;
  wire             s_ready, m_valid;
  wire [WIDTH-1:0] m_data;
  ply11_skid #(.WIDTH(WIDTH)) u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
  );

  integer          pattern, sent, got;
  reg              took, gave;
  reg  [31:0]      rnd;

  // The word of a number: every bit changes, each with others.
  function [WIDTH-1:0] word(input integer number);
    word = number * 2741 + 1443;
  endfunction

  initial begin
    for (pattern = 0; pattern < 260; pattern = pattern + 1) begin
      rst = 1'b1;
      s_valid = 1'b0;
      @(posedge clk);
      #1;
      expect_that(!s_ready && !m_valid, "s_ready or m_valid after a reset");
      rst = 1'b0;
      sent = 0;
      got = 0;
      sink_held = 1'b0;
      for (n = 0; n < 100; n = n + 1) begin
        rnd = $random;
        // The data of what is not offered are others.
        if (!s_valid && (pattern < 256 ? pattern >> (n % 4) : rnd[0]) % 2 == 1) s_valid = 1'b1;
        s_data = s_valid ? word(sent) : ~word(sent);
        m_ready = (pattern < 256 ? pattern >> (4 + n % 4) : rnd[1]) % 2 == 1;
        #1;
        sink(m_valid, m_ready, m_data);
        // A latency of one clock, and room for two words.
        if (n > 0) expect_that(m_valid === (sent != got) && s_ready === (sent - got < 2), "the clock of a word");
        took = s_valid && s_ready;
        gave = m_valid && m_ready;
        if (gave) expect_that(m_data === word(got), "wrong word");
        @(posedge clk);
        #1;
        if (took) begin
          sent = sent + 1;
          s_valid = 1'b0;
        end
        if (gave) got = got + 1;
        expect_that(sent - got <= 2 && got <= sent, "more than two words inside, or fewer than none");
      end
      // All the way open: a word a clock.
      if (pattern == 255 && got < 97) fail("less than a word a clock");
      if (pattern % 16 != 0 && pattern > 15 && got < 20) fail("too few words");
      // Shut: it takes two words, and offers the first.
      if (pattern % 16 != 0 && pattern < 16 && (sent != 2 || m_valid !== 1'b1)) fail("shut, and not two words inside");
    end
    verdict;
    $display("PASS ply11_skid_tb: 260 patterns");
    $finish;
  end

endmodule

`resetall
