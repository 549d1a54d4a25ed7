// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_skid: every pair of periodic patterns of idle and back-pressure of four clocks, then
// random ones: nothing is lost, doubled, reordered or changed while stalled; a word a clock.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_skid_tb;

  localparam WIDTH = 12;

  reg clk = 1'b0;
  always #5 clk = !clk;

  reg              rst = 1'b1, s_valid = 1'b0, m_ready = 1'b0;
  reg  [WIDTH-1:0] s_data = 0;
  wire             s_ready, m_valid;
  wire [WIDTH-1:0] m_data;
  ply11_skid #(.WIDTH(WIDTH)) u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
  );

  integer          pattern, n, errors, sent, got;
  reg              held, took, gave;
  reg  [WIDTH-1:0] held_data;
  reg  [31:0]      rnd;

  // The word of a number: every bit changes, each with others.
  function [WIDTH-1:0] word(input integer number);
    word = number * 2741 + 1443;
  endfunction

  initial begin
    if ($test$plusargs("vcd")) begin
      $dumpfile("ply11_skid_tb.vcd");
      $dumpvars(0, ply11_skid_tb);
    end
    errors = 0;
    for (pattern = 0; pattern < 260; pattern = pattern + 1) begin
      rst = 1'b1;
      s_valid = 1'b0;
      @(posedge clk);
      #1;
      if (s_ready || m_valid) errors = errors + 1;
      rst = 1'b0;
      sent = 0;
      got = 0;
      held = 1'b0;
      held_data = 0;
      for (n = 0; n < 100; n = n + 1) begin
        rnd = $random;
        // The data of what is not offered are others.
        if (!s_valid && (pattern < 256 ? pattern >> (n % 4) : rnd[0]) % 2 == 1) s_valid = 1'b1;
        s_data = s_valid ? word(sent) : ~word(sent);
        m_ready = (pattern < 256 ? pattern >> (4 + n % 4) : rnd[1]) % 2 == 1;
        #1;
        if (held && (!m_valid || m_data !== held_data)) errors = errors + 1;
        held = m_valid && !m_ready;
        held_data = m_data;
        took = s_valid && s_ready;
        gave = m_valid && m_ready;
        if (gave && m_data !== word(got)) begin
          errors = errors + 1;
          if (errors < 8) $display("ply11_skid_tb: pattern %0d word %0d: found %0d", pattern, got, m_data);
        end
        @(posedge clk);
        #1;
        if (took) begin
          sent = sent + 1;
          s_valid = 1'b0;
        end
        if (gave) got = got + 1;
        if (sent - got > 2 || got > sent) errors = errors + 1;
      end
      // All the way open: a word a clock.
      if (pattern == 255 && got < 97) errors = errors + 1;
      if (pattern % 16 != 0 && pattern > 15 && got < 20) errors = errors + 1;
      // Shut: it takes two words, and offers the first.
      if (pattern % 16 != 0 && pattern < 16 && (sent != 2 || !m_valid)) errors = errors + 1;
    end
    if (errors != 0) begin
      $display("FAIL ply11_skid_tb: %0d errors", errors);
      $fatal(1, "ply11_skid_tb failed");
    end
    $display("PASS ply11_skid_tb: 260 patterns");
    $finish;
  end

endmodule

`resetall
