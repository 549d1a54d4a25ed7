// SPDX-License-Identifier: Apache-2.0
// Positions are loaded and counted, with and without pauses on either side: every count against the vectors. Before every
// fifth position the one before is counted once more without a load, for the root stays; of ply11_perft_many to depth 3 at most, for time. While a walk goes on, orders and loads
// are offered, which must not be taken. In the midst of three walks comes a reset, and the usual initial position is
// counted. roots.hex has a position a line, as sim/vectors/perft says. ROOTS is how many of them are counted. With CORES 2 or more it is the
// bench of ply11_perft_many.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_perft_tb #(
  parameter ROOTS = 17,
  parameter CORES = 1
);

  localparam NAME = "ply11_perft_tb";
  localparam WATCHDOG = 200000;
  // Clocks of the walks without pauses, of 17 roots or more and one core: a clock more for a position is seen.
  localparam WALKED = 3816;
  `include "ply11_bench.vh"

  `include "ply11_perft_roots.vh"

  reg         rst = 1'b1;
  reg         s_valid = 1'b0, load_valid = 1'b0, m_ready = 1'b0;
  reg  [3:0]  s_depth, load_addr;
  reg  [31:0] load_data;
  wire        s_ready, load_ready, m_valid, m_last;
  wire [3:0]  m_depth;
  wire [63:0] m_count;

  generate
    if (CORES == 1) begin : g_one
      ply11_perft u_dut (
        .clk(clk), .rst(rst),
        .s_valid(s_valid), .s_ready(s_ready), .s_depth(s_depth),
        .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
        .m_valid(m_valid), .m_ready(m_ready), .m_depth(m_depth), .m_count(m_count), .m_last(m_last),
        .job_valid(), .job_ready(1'b1), .job_skip(1'b0)
      );
    end else begin : g_many
      ply11_perft_many #(.CORES(CORES)) u_dut (
        .clk(clk), .rst(rst),
        .s_valid(s_valid), .s_ready(s_ready), .s_depth(s_depth),
        .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
        .m_valid(m_valid), .m_ready(m_ready), .m_depth(m_depth), .m_count(m_count), .m_last(m_last)
      );
    end
  endgenerate

  integer walks, beats, resets, clocks, walked, want, word, patience;
  reg [31:0] rnd;
  reg        idle, over;
  reg [1:0]  pattern;

  // A clock; the outputs are looked at before its end.
  task tick;
    begin
      @(negedge clk);
      rnd = $random;
      clocks = clocks + 1;
    end
  endtask

  // The words of the root, in an order that differs.
  task load(input integer turn);
    begin
      word = 0;
      while (word < 9) begin
        load_valid = rnd[3:0] != 4'd0;
        load_addr = (word + turn) % 9;
        load_data = root_word(load_addr);
        // The order comes with the last word.
        s_valid = load_valid && load_ready && word == 8 && turn % 2 == 0;
        s_depth = root_depth;
        #1;
        if (load_valid && load_ready) word = word + 1;
        tick;
      end
      load_valid = 1'b0;
      idle = !s_valid;
      s_valid = 1'b0;
    end
  endtask

  // An order, if it was not given, and its counts.
  task count;
    begin
      while (idle) begin
        s_valid = rnd[1:0] == 2'd0;
        s_depth = root_depth;
        #1;
        if (s_valid) idle = !s_ready;
        tick;
      end
      want = 0;
      over = 1'b0;
      patience = 0;
      sink_held = 1'b0;
      while (!over && patience < 25000 && errors < 5) begin
        // Nothing of this is taken.
        s_valid = rnd[0];
        s_depth = rnd[7:4];
        load_valid = rnd[1];
        load_addr = rnd[11:8];
        load_data = $random;
        m_ready = !pause(pattern, clocks, rnd);
        #1;
        expect_that(!s_ready && !load_ready, "ready in a walk");
        if (pattern == 2'd0) walked = walked + 1;
        if (m_valid && m_ready) begin
          n = walks;
          expect_that(m_depth == want, "wrong depth");
          expect_that(m_count == {32'd0, root_count(want)}, "wrong count");
          expect_that(m_last == (want == root_depth), "wrong last");
          if (m_last) begin
            over = 1'b1;
            s_valid = 1'b0;
            load_valid = 1'b0;
          end
          want = want + 1;
          beats = beats + 1;
        end
        sink(m_valid, m_ready, {59'd0, m_depth, m_count, m_last});
        patience = patience + 1;
        tick;
      end
      if (!over) fail("no end");
      m_ready = 1'b0;
      s_valid = 1'b0;
      load_valid = 1'b0;
      idle = 1'b1;
      walks = walks + 1;
    end
  endtask

  integer i;
  initial begin
    $readmemh("tb/ply11_perft/roots.hex", roots);
    walks = 0;
    beats = 0;
    resets = 0;
    clocks = 0;
    walked = 0;
    idle = 1'b1;
    rnd = 32'd0;
    repeat (4) tick;
    rst = 1'b0;
    for (i = 0; i < ROOTS && errors < 5; i = i + 1) begin
      pattern = i[1:0];
      if (i % 5 == 2) begin
        if (CORES > 1 && root_depth > 4'd3) root_depth = 4'd3;
        count;
      end
      take_root(i);
      load(i);
      if (i == 4 || i == 8 || i == 11) begin
        // A reset in a walk, of root 11 when jobs are done, and with a load after it.
        s_valid = idle;
        s_depth = 4'd4;
        tick;
        s_valid = 1'b0;
        repeat (i == 4 ? 300 : 877) tick;
        rst = 1'b1;
        tick;
        rst = 1'b0;
        patience = 0;
        #1;
        while (CORES > 1 && !s_ready && patience < CORES + 3) begin
          patience = patience + 1;
          tick;
          #1;
        end
        expect_that(s_ready && !m_valid, "not reset");
        resets = resets + 1;
        idle = 1'b1;
        take_root(USUAL);
        root_depth = 4'd2;
        count;
        take_root(i);
        load(i);
      end
      count;
    end
    if (ROOTS >= 17 && CORES == 1) expect_that(walked == WALKED, "another number of clocks without pauses");
    verdict;
    $display("PASS %0s CORES=%0d: %0d walks, %0d counts, %0d resets, %0d clocks", NAME, CORES, walks, beats, resets, clocks);
    $finish;
  end

endmodule

`resetall
