// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_unpack: random and idle-rich streams under every combination of four idle
// and four back-pressure patterns, with and without skip_idle, against a queue of bits; the
// rate without stalls; then with skip_idle at random, and with resets at any moment.  In every clock of all that
// s_ready and m_valid are those of a count of bits and three registers.  Parameter WIDTH as in the module.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_unpack_tb;

  parameter WIDTH = 8;
  // Input words in each of the 48 runs.
  parameter COUNT = 500;

  localparam NAME = "ply11_unpack_tb";
  localparam WATCHDOG = 2000000;
  `include "ply11_bench.vh"

  reg              rst = 1'b1;
  reg              skip_idle = 1'b0;
  reg              s_valid = 1'b0;
  wire             s_ready;
  reg  [WIDTH-1:0] s_data = {WIDTH{1'b0}};
  wire             m_valid;
  reg              m_ready = 1'b0;
  wire [10:0]      m_data;

  ply11_unpack #(.WIDTH(WIDTH)) u_dut (
    .clk(clk), .rst(rst), .skip_idle(skip_idle),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
  );

  // All bits sent in a run, and how many of them have come back.
  reg  [64*COUNT-1:0] sent_bits;
  integer sent, sent_words, seen, clocks, first_out, words_out, tail;
  reg  [10:0] expected;
  reg         running;

  integer total = 0;
  always @(posedge clk) if (m_valid && m_ready && !rst) total = total + 1;

  function [WIDTH-1:0] next_data(input integer kind, input [63:0] rnd);
    // Every fourth run has long stretches of ones, for the idle words.
    next_data = (kind != 0 && rnd[63:62] != 2'd0) ? {WIDTH{1'b1}} : rnd[WIDTH-1:0];
  endfunction

  reg [63:0] rnd;
  reg [WIDTH-1:0] next;
  integer tick;

  // What is inside: bits that are not yet in a word, and the words' first bits in the registers.
  integer pending, cut, first_1, first_2, first_3;
  reg     valid_1, valid_2, valid_3, emit, en, out_en, fits;

  initial begin
    running = 1'b0;
    for (n = 0; n < 48; n = n + 1) begin
      rst = 1'b1;
      s_valid = 1'b0;
      m_ready = 1'b0;
      skip_idle = n[4];
      sent = 0;
      sent_words = 0;
      seen = 0;
      clocks = 0;
      words_out = 0;
      first_out = -1;
      sink_held = 1'b0;
      pending = 0;
      cut = 0;
      {valid_1, valid_2, valid_3} = 3'd0;
      @(posedge clk);
      @(posedge clk);
      #1 rst = 1'b0;
      tick = 0;
      tail = 0;
      while (tail < 64) begin
        rnd = {$random, $random};
        if (!s_valid && sent_words < COUNT && !pause(n & 3, tick, $random)) begin
          s_valid = 1'b1;
          next = next_data(n & 4, rnd);
        end
        s_data = s_valid ? next : $random;
        if (n >= 32) skip_idle = $random;
        // The first run loses nothing to a reset.
        rst = n >= 32 && n[0] && rnd[37:33] == 5'd0;
        m_ready = !pause((n >> 2) & 3, tick + 3, $random);
        #1;
        out_en = !valid_3 || m_ready;
        en = !valid_2 || out_en;
        fits = WIDTH == 8 || pending <= 11;
        if (s_ready !== (en && fits)) fail("s_ready");
        if (m_valid !== valid_3) fail("m_valid");
        if (valid_3 && m_data !== sent_bits[first_3 +: 11]) fail("not the word that is due");
        if (m_valid && first_out < 0) first_out = tick;
        sink(m_valid, m_ready, m_data);
        if (m_valid && m_ready && n < 32) begin
          expected = sent_bits[seen +: 11];
          while (skip_idle && seen + 11 <= sent && expected == 11'd2047) begin
            seen = seen + 11;
            expected = sent_bits[seen +: 11];
          end
          if (seen + 11 > sent) fail("a word too many");
          else if (m_data !== expected) fail("wrong word");
          seen = seen + 11;
          words_out = words_out + 1;
        end
        running = s_valid && s_ready;
        if (out_en) begin
          valid_3 = valid_2 && !(skip_idle && sent_bits[first_2 +: 11] == 11'd2047);
          first_3 = first_2;
        end
        if (en) begin
          valid_2 = valid_1;
          first_2 = first_1;
          // A word is cut where its bits are there, or come now.
          emit = (WIDTH == 8 || pending > 0) && pending + (running ? WIDTH : 0) >= 11;
          valid_1 = emit;
          first_1 = cut;
          if (emit) cut = cut + 11;
          pending = pending + (running ? WIDTH : 0) - (emit ? 11 : 0);
        end
        if (running) begin
          sent_bits[sent +: WIDTH] = s_data;
          sent = sent + WIDTH;
          sent_words = sent_words + 1;
        end
        if (sent_words >= COUNT) tail = tail + 1;
        if (sent_words < COUNT) clocks = clocks + 1;
        // Words that fill the module drain slowly under back-pressure.
        if (m_valid) tail = 0;
        @(posedge clk);
        #1;
        if (running) s_valid = 1'b0;
        tick = tick + 1;
        if (rst) begin
          // What was inside is gone.
          sent = 0;
          pending = 0;
          cut = 0;
          {valid_1, valid_2, valid_3} = 3'd0;
          sink_held = 1'b0;
        end
      end
      expected = sent_bits[seen +: 11];
      while (skip_idle && seen + 11 <= sent && expected == 11'd2047) begin
        seen = seen + 11;
        expected = sent_bits[seen +: 11];
      end
      if (n < 32 && seen + 11 <= sent) fail("words lost");
      // Run 0 and 16 have no stalls: a byte, or an output word, a clock.
      if ((n & 15) == 0 && WIDTH == 8 && clocks > COUNT) fail("slower than a byte a clock");
      if (n == 0 && WIDTH != 8 && clocks > sent / 11 + 8) fail("slower than a word a clock");
      if (n == 0 && first_out != (WIDTH == 8 ? 4 : 4)) fail("latency");
    end
    verdict;
    $display("PASS ply11_unpack_tb WIDTH=%0d: %0d words", WIDTH, total);
    $finish;
  end

endmodule

`resetall
