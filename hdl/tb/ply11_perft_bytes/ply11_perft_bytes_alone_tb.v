// SPDX-License-Identifier: Apache-2.0
// Second test bench of ply11_perft_bytes: in the place of ply11_perft stands another one of the same ports. It takes words and orders after
// any time, and gives counts of which every bit differs, each after any time. Orders have all depths from 0 to 15; more than half have a
// root of any bytes, and every word of it must arrive. Every byte of the answers is compared, and the nine of one come one a
// clock. While an answer comes, bytes are offered, which must not be taken. Resets come in roots and in answers.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
/* verilator lint_off DECLFILENAME */
/* verilator lint_off MULTITOP */
module ply11_perft_bytes_alone_tb;

  localparam ORDERS = 300, DEPTH = 10;

  localparam NAME = "ply11_perft_bytes_alone_tb";
  localparam WATCHDOG = 300000;
  `include "ply11_bench.vh"

  reg         rst = 1'b1;
  reg         s_valid = 1'b0, m_ready = 1'b0;
  reg  [7:0]  s_data = 8'd0;
  wire        s_ready, m_valid;
  wire [7:0]  m_data;

  ply11_perft_bytes u_dut (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
  );

  // Set by what stands in the place of the module: the words that it took since the last order, the order, what it gave for
  // it, and whether its rst or its DEPTH is not the right one.
  reg [31:0] words [0:15];
  reg [3:0]  asked = 4'd0;
  reg [71:0] given [0:15];
  integer    loads = 0, orders = 0, gave = 0, wrong = 0;

  integer    bytes = 0, resets = 0, clocks = 0, patience, k, most;
  reg [31:0] rnd;
  reg [1:0]  pattern;
  reg [3:0]  depth;
  reg        sends, went, more;
  reg [7:0]  root [0:35];
  reg [71:0] answer;

  // A clock; the outputs are looked at before its end.
  task tick;
    begin
      @(negedge clk);
      rnd = $random;
      clocks = clocks + 1;
    end
  endtask

  task send(input [7:0] value);
    begin
      went = 1'b0;
      patience = 0;
      while (!went && patience < 200) begin
        s_valid = !pause(pattern, clocks, rnd);
        s_data = s_valid ? value : rnd[15:8];
        m_ready = rnd[1];
        #1;
        went = s_valid && s_ready;
        expect_that(!m_valid, "an answer before the order is whole");
        patience = patience + 1;
        tick;
      end
      if (!went) fail("a byte is not taken");
      s_valid = 1'b0;
    end
  endtask

  // The answers, up to so many bytes.
  task answers;
    begin
      sink_held = 1'b0;
      patience = 0;
      k = 0;
      more = 1'b0;
      while (k < most && patience < 10000 && errors < 5) begin
        s_valid = rnd[0];
        s_data = rnd[15:8];
        m_ready = !pause(pattern, clocks, {rnd[15:0], rnd[31:16]});
        #1;
        expect_that(!s_ready, "ready while an answer comes");
        expect_that(m_valid || !more, "a gap in an answer");
        sink(m_valid, m_ready, {504'd0, m_data});
        more = 1'b0;
        if (m_valid && m_ready) begin
          answer = given[k / 9];
          expect_that(k / 9 < gave, "an answer that was not given");
          expect_that(m_data === answer[8*(k % 9) +: 8], k % 9 == 0 ? "wrong head" : "wrong count");
          k = k + 1;
          bytes = bytes + 1;
          more = k % 9 != 0;
        end
        patience = patience + 1;
        tick;
      end
      if (k < most) fail("no end");
      s_valid = 1'b0;
    end
  endtask

  task reset;
    begin
      rst = 1'b1;
      tick;
      rst = 1'b0;
      #1 expect_that(s_ready && !m_valid, "not reset");
      resets = resets + 1;
    end
  endtask

  initial begin
    rnd = 32'd0;
    pattern = 2'd0;
    repeat (4) tick;
    rst = 1'b0;
    for (n = 0; n < ORDERS && errors < 5; n = n + 1) begin
      pattern = rnd[1:0];
      depth = n < 16 ? n : rnd[5:2];
      sends = rnd[7:6] != 2'd0;
      loads = 0;
      orders = 0;
      gave = 0;
      for (k = 0; k < 36; k = k + 1) root[k] = $random;
      send({sends, 3'd0, depth});
      if (sends && n % 9 == 4) begin
        // A reset in the root.
        most = rnd[20:16];
        for (k = 0; k < most; k = k + 1) send(root[k]);
        reset;
      end else begin
        if (sends) for (k = 0; k < 36; k = k + 1) send(root[k]);
        most = 9 * ((depth > DEPTH ? DEPTH : depth) + 1);
        // A reset in an answer, at any byte of it, or before.
        if (n % 9 == 7) most = rnd[23:8] % most;
        answers;
        if (n % 9 == 7) begin
          repeat (rnd[2:0]) tick;
          reset;
        end else begin
          repeat (2) tick;
          #1 expect_that(s_ready && !m_valid, "no end of the answer");
          expect_that(gave * 9 == most && given[gave-1][7], "other answers than those asked for");
          expect_that(orders == 1 && asked == depth, "another order");
          expect_that(loads == (sends ? 9 : 0), "wrong words");
          if (sends) for (k = 0; k < 9; k = k + 1)
            expect_that(words[k] === {root[4*k+3], root[4*k+2], root[4*k+1], root[4*k]}, "a wrong word");
        end
      end
    end
    expect_that(wrong == 0, "rst or DEPTH of perft");
    expect_that(resets >= 50, "few resets");
    verdict;
    $display("PASS %0s: %0d orders, %0d bytes of answers, %0d resets", NAME, ORDERS, bytes, resets);
    $finish;
  end

endmodule

// ---- in the place of the module ----

module ply11_perft #(parameter DEPTH = 2) (
  input  wire        clk, rst, s_valid,
  output wire        s_ready,
  input  wire [3:0]  s_depth,
  input  wire        load_valid,
  output wire        load_ready,
  input  wire [3:0]  load_addr,
  input  wire [31:0] load_data,
  output wire        m_valid,
  input  wire        m_ready,
  output wire [3:0]  m_depth,
  output wire [63:0] m_count,
  output wire        m_last, job_valid,
  input  wire        job_ready, job_skip
);
  assign job_valid = 1'b0;
  reg         tells = 0, free = 0, asks = 0, shows = 0;
  reg  [3:0]  depth, at, wait_for;
  reg  [31:0] rnd, low, high;
  assign s_ready = !tells && asks;
  assign load_ready = !tells && free;
  assign m_valid = shows;
  // What is not offered has no meaning.
  assign m_depth = shows ? at : rnd[3:0];
  assign m_last = shows ? at == depth : rnd[4];
  assign m_count = shows ? {high, low} : {rnd, ~rnd};
  always @(posedge clk) begin
    rnd <= $random;
    free <= rnd[9:8] != 2'd0;
    asks <= rnd[11:10] == 2'd0;
    if (DEPTH != 10 || {job_ready, job_skip} !== 2'b10 || rst !== ply11_perft_bytes_alone_tb.rst)
      ply11_perft_bytes_alone_tb.wrong = ply11_perft_bytes_alone_tb.wrong + 1;
    if (load_valid && load_ready) begin
      if (load_addr !== ply11_perft_bytes_alone_tb.loads) ply11_perft_bytes_alone_tb.wrong = ply11_perft_bytes_alone_tb.wrong + 1;
      ply11_perft_bytes_alone_tb.words[load_addr] = load_data;
      ply11_perft_bytes_alone_tb.loads = ply11_perft_bytes_alone_tb.loads + 1;
    end
    if (s_valid && s_ready) begin
      ply11_perft_bytes_alone_tb.asked = s_depth;
      ply11_perft_bytes_alone_tb.orders = ply11_perft_bytes_alone_tb.orders + 1;
      tells <= 1'b1;
      depth <= s_depth > DEPTH ? DEPTH : s_depth;
      at <= 4'd0;
      wait_for <= rnd[3:0];
    end
    // A count after any time; the next may be there at once.
    if (tells && !shows) begin
      wait_for <= wait_for - 4'd1;
      if (wait_for == 4'd0) begin
        shows <= 1'b1;
        high <= $random;
        low <= $random;
      end
    end
    if (m_valid && m_ready) begin
      ply11_perft_bytes_alone_tb.given[at] = {m_count, m_last, 3'd0, m_depth};
      ply11_perft_bytes_alone_tb.gave = ply11_perft_bytes_alone_tb.gave + 1;
      at <= at + 4'd1;
      shows <= rnd[5] && !m_last;
      high <= $random;
      low <= $random;
      wait_for <= rnd[3:0];
      if (m_last) tells <= 1'b0;
    end
    if (rst) {tells, shows} <= 2'd0;
  end
endmodule

`resetall
