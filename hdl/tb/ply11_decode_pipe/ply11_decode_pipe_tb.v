// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_decode_pipe, with back-pressure (u_dut) and without (u_free). All 2048 inputs go
// through at full speed; then every pair of periodic patterns, four clocks long, of idle and of
// back-pressure; then random ones; then a reset in mid-flow. Checked: order, values, nothing lost or
// made up, outputs that hold while stalled, the latency, and one a clock. +vcd writes
// ply11_decode_pipe_tb.vcd.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_decode_pipe_tb;

  `include "ply11_reference.vh"

  localparam LATENCY = 4;
  localparam INPUTS = 2048;

  reg         clk = 1'b0;
  reg         rst = 1'b1;
  reg         s_valid = 1'b0;
  reg         m_ready = 1'b0;
  wire        s_ready, m_valid, free_s_ready, free_m_valid;
  reg  [10:0] index = 11'd0;
  wire [ 5:0] from, to, free_from, free_to;
  wire [ 2:0] promotion, free_promotion;
  wire        is_move, free_is_move;
  wire [15:0] m_all = {is_move, promotion, to, from};
  wire [15:0] f_all = {free_is_move, free_promotion, free_to, free_from};

  // What is taken by u_dut is given to u_free in the same clock.
  wire        taken = s_valid && s_ready;

  ply11_decode_pipe u_dut (
    .clk        (clk),
    .rst        (rst),
    .s_valid    (s_valid),
    .s_ready    (s_ready),
    .s_index    (index),
    .m_valid    (m_valid),
    .m_ready    (m_ready),
    .m_from     (from),
    .m_to       (to),
    .m_promotion(promotion),
    .m_is_move  (is_move)
  );

  ply11_decode_pipe #(
    .HANDSHAKE(0)
  ) u_free (
    .clk        (clk),
    .rst        (rst),
    .s_valid    (taken),
    .s_ready    (free_s_ready),
    .s_index    (index),
    .m_valid    (free_m_valid),
    .m_ready    (1'b0),
    .m_from     (free_from),
    .m_to       (free_to),
    .m_promotion(free_promotion),
    .m_is_move  (free_is_move)
  );

  reg  [15:0] want[0:INPUTS-1];
  reg  [15:0] word;
  reg  [31:0] noise = 32'd1;
  reg  [ 3:0] valid_pattern = 4'd0;
  reg  [ 3:0] ready_pattern = 4'd0;
  reg         random = 1'b0;
  reg         full_speed = 1'b0;
  reg         stalled = 1'b0;
  reg  [15:0] held;
  // Input numbers run on for ever and are taken modulo INPUTS. line[k] is what was put in k + 1 clocks
  // ago, -1 for nothing.
  integer next, received, limit, errors, i, vp, rp;
  integer line[0:LATENCY-1];

  always @(posedge clk) begin
    noise         <= {noise[30:0], noise[31] ^ noise[21] ^ noise[1] ^ noise[0]};
    valid_pattern <= {valid_pattern[2:0], valid_pattern[3]};
    ready_pattern <= {ready_pattern[2:0], ready_pattern[3]};
    m_ready       <= random ? noise[7] : ready_pattern[0];
    if (rst) begin
      s_valid  <= 1'b0;
      stalled  <= 1'b0;
      received <= next;
      for (i = 0; i < LATENCY; i = i + 1) line[i] <= -1;
    end else begin
      // What is offered stays until it is taken.
      if (!s_valid || s_ready) begin
        s_valid <= next + (taken ? 1 : 0) < limit && (random ? noise[3] : valid_pattern[0]);
      end
      if (taken) next <= next + 1;
      if (m_valid && m_ready) begin
        received <= received + 1;
        if (received >= next) fail("an output that was never put in", received);
        else if (!same(m_all, want[received % INPUTS])) fail("wrong output", received);
      end
      stalled <= m_valid && !m_ready;
      held    <= m_all;
      if (stalled && (!m_valid || m_all !== held)) fail("changed while stalled", received);
      if (full_speed && (!s_ready || m_valid != free_m_valid)) fail("not one a clock", received);
      line[0] <= taken ? next : -1;
      for (i = 1; i < LATENCY; i = i + 1) line[i] <= line[i-1];
      if (!free_s_ready) fail("the form without back-pressure is not ready", next);
      if (free_m_valid != (line[LATENCY-1] >= 0)) fail("latency of the free form", next);
      else if (free_m_valid && !same(f_all, want[line[LATENCY-1] % INPUTS]))
        fail("wrong output of the free form", line[LATENCY-1]);
    end
  end

  always @* index = next[10:0];

  // is_move, the top bit, is always compared, the rest only of moves.
  function same(input [15:0] got, input [15:0] expected);
    same = got[15] === expected[15] && (!expected[15] || got === expected);
  endfunction

  task fail(input [8*48-1:0] what, input integer number);
    begin
      errors = errors + 1;
      if (errors <= 20) $display("transfer %0d: %0s", number, what);
    end
  endtask

  // Lets count inputs through and waits until they have come out.
  task run(input integer count);
    begin
      limit = next + count;
      while (received < limit) @(negedge clk);
    end
  endtask

  always #1 clk = ~clk;

  initial begin
    if ($test$plusargs("vcd")) begin
      $dumpfile("ply11_decode_pipe_tb.vcd");
      $dumpvars(0, ply11_decode_pipe_tb);
    end
    errors   = 0;
    next     = 0;
    received = 0;
    limit    = 0;
    for (vp = 0; vp < INPUTS; vp = vp + 1) begin
      word     = reference_word(vp);
      want[vp] = word;
    end

    repeat (4) @(negedge clk);
    rst = 1'b0;

    valid_pattern = 4'b1111;
    ready_pattern = 4'b1111;
    repeat (4) @(negedge clk);
    full_speed = 1'b1;
    run(INPUTS);
    full_speed = 1'b0;

    for (vp = 1; vp < 16; vp = vp + 1) begin
      for (rp = 1; rp < 16; rp = rp + 1) begin
        valid_pattern = vp[3:0];
        ready_pattern = rp[3:0];
        run(61);
      end
    end

    random = 1'b1;
    run(INPUTS);

    // A reset empties it; what comes next is the next input, not what was on its way.
    limit = next + 100;
    repeat (20) @(negedge clk);
    rst = 1'b1;
    @(negedge clk);
    limit = next;
    @(negedge clk);
    rst = 1'b0;
    if (m_valid || free_m_valid) fail("valid after a reset", next);
    repeat (20) @(negedge clk);
    run(100);

    if (errors != 0) begin
      $display("FAIL ply11_decode_pipe: %0d errors", errors);
      $fatal(1, "ply11_decode_pipe");
    end
    $display("PASS ply11_decode_pipe: %0d transfers, latency %0d", received, LATENCY);
    $finish;
  end

  initial begin
    #1000000;
    $display("FAIL ply11_decode_pipe: watchdog");
    $fatal(1, "watchdog");
  end

endmodule

`resetall
