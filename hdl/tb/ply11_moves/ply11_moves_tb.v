// SPDX-License-Identifier: Apache-2.0
// Positions, one after the other, with and without pauses on either side; of each the number of legal
// moves, a sum over their indices that does not depend on their order, and check, mate and stalemate.
// +vectors=FILE has a position a line, in hexadecimal digits for $readmemh: board 64, en passant file,
// rights, side; twice the number of moves, and 1 in check, 3; the sum 16. +count=N of them.
// +pauses=0 has none, and prints the clocks a position takes.
// Then the first 656 positions without pauses, which have to take the clocks that they take; and some of them while
// no beat is taken: as many have to be read as the FIFO has room for.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_moves_tb;

  localparam NAME = "ply11_moves_tb";
  localparam WATCHDOG = 100000000;
  `include "ply11_bench.vh"

  // Icarus would take more than a minute for all positions, so it takes the first of them.
`ifdef VERILATOR
  localparam POSITIONS = 6656;
`else
  localparam POSITIONS = 656;
`endif

  reg         rst = 1'b1;
  reg         s_valid = 1'b0;
  reg         m_ready = 1'b0;
  wire        s_ready, m_valid, m_last, m_check, m_mate, m_stalemate;
  wire [10:0] m_index;
  wire [8:0]  m_count;

  localparam MOST = 131072;
  reg  [343:0] vectors [0:MOST-1];
  reg  [343:0] vector, want;

  ply11_moves u_dut (
    .clk(clk), .rst(rst),
    .s_valid(s_valid), .s_ready(s_ready), .board(vector[343:88]), .ep(vector[87:84]),
    .rights(vector[83:80]), .side(vector[76]),
    .m_valid(m_valid), .m_ready(m_ready), .m_index(m_index), .m_last(m_last), .m_count(m_count),
    .m_check(m_check), .m_mate(m_mate), .m_stalemate(m_stalemate)
  );

  function [63:0] mix(input [10:0] index);
    reg [63:0] x;
    begin
      x = ({53'd0, index} + 64'd1) * 64'h9e3779b97f4a7c15;
      x = x ^ (x >> 32);
      x = x * 64'hd6e8feb86659fd93;
      mix = x ^ (x >> 32);
    end
  endfunction

  reg [8*256-1:0] name;
  integer count, pauses, put_at, get_at, moves, checks, tick, quiet, begun, all_moves, over, over_check;
  integer most, used, last_tick, resets;
  integer timed, lasts, beats, trial, reads;
  reg [63:0] sum;
  reg [31:0] rnd;
  reg        took;

  // What the first positions take, one after the other without a pause, from the first clock to the last beat; and how
  // many are read in trials, of which each begins 20 positions later, in which no beat is taken until nothing is read
  // for 100 clocks.
  localparam TIMED = 656, TIMED_MOVES = 13097, TIMED_CLOCKS = 19342, TRIALS = 25, READS = 335;

  task start;
    begin
      rst = 1'b1;
      s_valid = 1'b0;
      m_ready = 1'b0;
      @(posedge clk);
      @(posedge clk);
      #1 rst = 1'b0;
    end
  endtask

  // A clock; the next of the positions is offered until there are as many.
  task clock(input integer positions);
    begin
      if (!s_valid && put_at < positions) begin
        vector = vectors[put_at];
        s_valid = 1'b1;
      end
      #1;
      took = s_valid && s_ready;
      if (m_valid && m_ready) begin
        beats = beats + 1;
        if (m_last) lasts = lasts + 1;
      end
      @(posedge clk);
      #1;
      timed = timed + 1;
      quiet = quiet + 1;
      if (took) begin
        s_valid = 1'b0;
        put_at = put_at + 1;
        quiet = 0;
      end
    end
  endtask

  task throughput;
    begin
      start;
      {put_at, lasts, beats, timed, quiet} = 160'd0;
      m_ready = 1'b1;
      while (lasts < TIMED && timed < 40 * TIMED) clock(TIMED);
      if (beats - lasts != TIMED_MOVES || timed != TIMED_CLOCKS) begin
        fail("without pauses another number of moves or clocks");
        $display("  %0d moves, %0d clocks", beats - lasts, timed);
      end
    end
  endtask

  task room;
    begin
      reads = 0;
      for (trial = 0; trial < TRIALS; trial = trial + 1) begin
        start;
        put_at = 20 * trial;
        quiet = 0;
        while (quiet < 100) clock(TIMED);
        reads = reads + put_at - 20 * trial;
      end
      if (reads != READS) begin
        fail("another number of positions read");
        $display("  %0d positions, of which no beat was taken", reads);
      end
    end
  endtask

  // An error, and the position with it.
  task wrong(input [8*48-1:0] what);
    begin
      fail(what);
      if (errors <= 10) $display("  clock %0d, %h: %0d moves, sum %h, check %b", tick, want, moves, sum, m_check);
    end
  endtask

  initial begin
    if (!$value$plusargs("vectors=%s", name)) name = "tb/ply11_moves/positions.hex";
    if (!$value$plusargs("count=%d", count)) count = POSITIONS;
    if (!$value$plusargs("pauses=%d", pauses)) pauses = 1;
    $readmemh(name, vectors, 0, count - 1);
    put_at = 0;
    get_at = 0;
    moves = 0;
    checks = 0;
    all_moves = 0;
    tick = 0;
    quiet = 0;
    sum = 64'd0;
    last_tick = 0;
    resets = 0;
    most = 0;
    over = 0;
    over_check = 0;
    vector = vectors[0];
    repeat (4) @(posedge clk);
    #1 rst = 1'b0;
    while (quiet < 400 && errors < 40) begin
      n = get_at;
      rnd = $random;
      if (!s_valid && put_at < count && (pauses == 0 || put_at % 64 < 32 || rnd[3:0] == 4'd0)) begin
        vector = vectors[put_at];
        s_valid = 1'b1;
      end
      m_ready = pauses == 0 || get_at % 16 < 6 || (get_at % 16 < 11 ? rnd[4] : rnd[7:5] == 3'd0);
      #1;
      want = vectors[get_at];
      if ((m_valid ^ m_valid) !== 1'b0) wrong("m_valid is x");
      sink(m_valid, m_ready, {m_index, m_last, m_count, m_check, m_mate, m_stalemate});
      if (m_valid && m_ready) begin
        quiet = 0;
        if (get_at >= count) wrong("a beat too many");
        else if (m_count !== moves) wrong("wrong count");
        else if (m_check !== want[64]) wrong("wrong check");
        else if (m_last) begin
          if (moves !== want[75:65] || sum !== want[63:0]) wrong("wrong moves");
          if (m_index !== 11'd2047) wrong("the last beat has an index");
          if (m_mate !== (want[64] && moves == 0) || m_stalemate !== (!want[64] && moves == 0)) wrong("wrong mate or stalemate");
          used = tick - last_tick;
          last_tick = tick;
          if (used - moves > most && get_at != 0) most = used - moves;
          if (want[64]) begin
            checks = checks + 1;
            over_check = over_check + used - moves;
          end else over = over + used - moves;
          all_moves = all_moves + moves;
          get_at = get_at + 1;
          moves = 0;
          sum = 64'd0;
        end else begin
          if (m_mate !== 1'b0 || m_stalemate !== 1'b0) wrong("mate or stalemate with a move");
          if ($test$plusargs("print")) $display("%0d: %0d", get_at, m_index);
          sum = sum + mix(m_index);
          moves = moves + 1;
        end
      end
      // Now and then a reset of one clock; what was not yet out is lost.
      rnd = $random;
      rst = pauses != 0 && rnd[9:0] == 10'd0;
      took = s_valid && s_ready;
      @(posedge clk);
      #1;
      tick = tick + 1;
      if (took) begin
        s_valid = 1'b0;
        // What is offered is read no longer.
        vector = {$random, $random, $random, $random, $random, $random, $random, $random, $random, $random, $random};
        put_at = put_at + 1;
      end
      if (rst) begin
        resets = resets + 1;
        get_at = put_at;
        moves = 0;
        sum = 64'd0;
        sink_held = 2'd0;
        rst = 1'b0;
      end
      quiet = quiet + 1;
    end
    if (get_at != count || put_at != count) wrong("positions lost");
    if (pauses != 0 && count == POSITIONS && resets < 10) wrong("few resets");
    if (count == POSITIONS) begin
      throughput;
      room;
    end
    verdict;
    if (pauses == 0)
      $display("clocks over the number of moves: %0d of %0d positions, %0d in check, of %0d; at most %0d",
               over, count - checks, over_check, checks, most);
    $display("PASS %0s: %0d positions, %0d in check, %0d moves, %0d resets, %0d clocks", NAME, count, checks, all_moves, resets, tick);
    $finish;
  end

endmodule

`resetall
