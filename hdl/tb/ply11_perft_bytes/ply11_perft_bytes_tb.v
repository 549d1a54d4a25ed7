// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_perft_bytes: the positions of ply11_perft's bench as bytes, with pauses on both sides, and every byte of the answers.
// The usual initial position is counted first, and once more after a reset in the midst of an answer. Every third position is
// counted again without being sent. While an answer comes, bytes are offered, which must not be taken.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_perft_bytes_tb;

  localparam NAME = "ply11_perft_bytes_tb";
  localparam WATCHDOG = 200000;
  `include "ply11_bench.vh"

  localparam ROOTS = 10;
  `include "ply11_perft_roots.vh"

  reg         rst = 1'b1;
  reg         s_valid = 1'b0, m_ready = 1'b0;
  reg  [7:0]  s_data = 8'd0;
  wire        s_ready, m_valid;
  wire [7:0]  m_data;

  ply11_perft_bytes u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
  );

  integer bytes, clocks, patience, i, k, d;
  reg [31:0] rnd;
  reg [1:0]  pattern;
  reg        went;

  // A clock; the outputs are looked at before its end.
  task tick;
    begin
      @(negedge clk);
      rnd = $random;
      clocks = clocks + 1;
    end
  endtask

  // A byte; only an order and the first one of a word may wait, for the answer or the word before it.
  task send(input [7:0] value, input waits);
    begin
      went = 1'b0;
      patience = 0;
      while (!went && patience < 100) begin
        s_valid = !pause(pattern, clocks, rnd);
        s_data = s_valid ? value : rnd[15:8];
        m_ready = rnd[1];
        #1;
        went = s_valid && s_ready;
        expect_that(!m_valid, "an answer before the order is whole");
        expect_that(s_ready || waits, "not a byte a clock");
        patience = patience + 1;
        tick;
      end
      if (!went) fail("a byte is not taken");
      s_valid = 1'b0;
    end
  endtask

  // An order for root; with sends its position.
  task order(input sends);
    begin
      send({sends, 3'd0, root_depth}, 1'b1);
      if (sends) for (k = 0; k < 36; k = k + 1) send(root_byte(k), k != 0 && k % 4 == 0);
    end
  endtask

  // Its answers, up to so many bytes.
  task answers(input integer most);
    begin
      sink_held = 1'b0;
      patience = 0;
      k = 0;
      d = 0;
      while (k < most && d <= root_depth && patience < 25000 && errors < 5) begin
        s_valid = rnd[0];
        s_data = rnd[15:8];
        m_ready = !pause(pattern, clocks, {rnd[15:0], rnd[31:16]});
        #1;
        expect_that(!s_ready, "ready while an answer comes");
        sink(m_valid, m_ready, {120'd0, m_data});
        if (m_valid && m_ready) begin
          n = i;
          expect_that(m_data == count_byte(d, k % 9), k % 9 == 0 ? "wrong head" : k % 9 < 5 ? "wrong count" : "wrong high count");
          k = k + 1;
          bytes = bytes + 1;
          if (k % 9 == 0) d = d + 1;
        end
        patience = patience + 1;
        tick;
      end
      if (k < most && d <= root_depth) fail("no end");
      s_valid = 1'b0;
      m_ready = 1'b0;
    end
  endtask

  initial begin
    $readmemh("tb/ply11_perft/roots.hex", roots);
    bytes = 0;
    clocks = 0;
    i = 0;
    rnd = 32'd0;
    pattern = 2'd0;
    repeat (4) tick;
    rst = 1'b0;
    // The usual position, of which the vectors have the counts to depth 3.
    take_root(USUAL);
    root_depth = 4'd2;
    order(1'b0);
    answers(1000);
    for (i = 0; i < ROOTS && errors < 5; i = i + 1) begin
      pattern = i[1:0];
      take_root(i);
      if (root_depth > 4'd2) root_depth = 4'd2;
      order(1'b1);
      answers(1000);
      if (i % 3 == 1) begin
        root_depth = 4'd1;
        order(1'b0);
        answers(1000);
      end
      if (i == 4 || i == 7) begin
        // A reset in an answer, or in a position.
        order(1'b0);
        answers(i == 4 ? 12 : 0);
        if (i == 7) begin
          repeat (100) tick;
          answers(1000);
          send(8'h81, 1'b1);
          for (k = 0; k < 7; k = k + 1) send(8'h66, k == 4);
        end
        rst = 1'b1;
        tick;
        rst = 1'b0;
        #1 expect_that(s_ready && !m_valid, "not reset");
        tick;
        take_root(USUAL);
        root_depth = 4'd1;
        order(1'b0);
        answers(1000);
      end
    end
    verdict;
    $display("PASS %0s: %0d bytes of answers, %0d clocks", NAME, bytes, clocks);
    $finish;
  end

endmodule

`resetall
