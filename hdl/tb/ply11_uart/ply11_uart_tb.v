// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_uart: the transmitter's line and s_ready in every clock; the receiver fed at the
// nominal rate and three per cent off it either way, with bits that hold in their middle alone, with low pulses
// of every length, framing errors and breaks, the clock in which a byte comes counted; the two in a loop with all 256
// bytes; resets at every moment of a byte. With long bits only a byte each way, a framing error, a break and the loop.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_uart_tb;

  parameter CLOCKS = 33;

  localparam NAME = "ply11_uart_tb";
  localparam SLOW = CLOCKS > 1000;
  localparam WATCHDOG = SLOW ? 200 * CLOCKS : 4000000;
  `include "ply11_bench.vh"

  reg        rst = 1'b1;
  reg        line = 1'b1;
  reg        loop = 1'b0;
  wire       tx, m_valid, broken, s_ready;
  wire [7:0] m_data;
  reg        s_valid = 1'b0;
  reg  [7:0] s_data = 8'd0;

  ply11_uart #(.CLOCKS(CLOCKS)) u_dut (
    .clk(clk), .rst(rst), .rx(loop ? tx : line), .tx(tx),
    .m_valid(m_valid), .m_data(m_data), .broken(broken),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data)
  );

  // From the clock in which the line falls to that with m_valid: the middle of the stop bit, two registers,
  // the clock that sees the line fall, and the register of m_valid.
  localparam ARRIVES = 9 * CLOCKS + CLOCKS / 2 + 4;

  integer received, breaks, k, pace, now, fell_at, came_at;
  reg [7:0] last = 8'd0;
  always @(posedge clk) begin
    now = now + 1;
    if (!rst) begin
      if (m_valid) begin
        received = received + 1;
        last = m_data;
      end
      if (broken) breaks = breaks + 1;
      if (m_valid || broken) came_at = now;
    end
  end

  // The transmitter: ten bits of CLOCKS clocks each, in which s_ready is 0.
  integer   left = 0;
  reg       seen = 1'b0;
  reg [9:0] bits = 10'h3ff;
  always @(posedge clk) begin
    if (seen && (tx !== (left == 0 || bits[(10 * CLOCKS - left) / CLOCKS]) || s_ready !== (left == 0))) begin
      errors = errors + 1;
      if (errors < 10) $display("ply11_uart_tb: tx %b, s_ready %b, %0d clocks of %h left", tx, s_ready, left, bits);
    end
    if (left != 0) left = left - 1;
    else if (s_valid) begin
      left = 10 * CLOCKS;
      bits = {1'b1, s_data, 1'b0};
    end
    if (rst) begin
      left = 0;
      seen = 1'b1;
    end
  end

  task clocks(input integer count);
    integer c;
    begin
      for (c = 0; c < count; c = c + 1) @(posedge clk);
      #1;
    end
  endtask

  // Sends a byte at a bit of width clocks, with the given stop bit.  With noise a bit holds for three clocks in its
  // middle, and the start bit for its first clock, too.
  task send(input [7:0] data, input integer width, input stop, input noise);
    integer   b, c;
    reg [9:0] frame;
    begin
      frame = {stop, data, 1'b0};
      fell_at = now;
      for (b = 0; b < 10; b = b + 1)
        for (c = 0; c < width; c = c + 1) begin
          line = frame[b] ^ (noise && (c < width / 2 - 1 || c > width / 2 + 1) && (b != 0 || c > 1));
          clocks(1);
        end
      line = 1'b1;
    end
  endtask

  initial begin
    received = 0;
    breaks = 0;
    n = 0;
    now = 0;
    clocks(4);
    #1 rst = 1'b0;
    clocks(4);
    for (pace = CLOCKS - (CLOCKS > 31 && !SLOW); pace <= CLOCKS + (CLOCKS > 31 && !SLOW); pace = pace + 1)
      for (n = SLOW ? 8'h9c : 0; n < (SLOW ? 8'h9d : 256); n = n + 1) begin
        k = received;
        send(n[7:0], pace, 1'b1, 1'b0);
        clocks(2);
        expect_that(received == k + 1 && last == n[7:0], "receiver");
        if (pace == CLOCKS) expect_that(came_at - fell_at == ARRIVES, "the clock of a byte");
      end
    // Bits that hold in their middle alone.
    if (CLOCKS > 7 && !SLOW)
      for (n = 0; n < 256; n = n + 1) begin
        k = received;
        send(n[7:0] ^ 8'h5a, CLOCKS, n % 8 != 3, 1'b1);
        clocks(CLOCKS);
        expect_that(received == k + (n % 8 != 3) && (n % 8 == 3 || last == (n[7:0] ^ 8'h5a)), "receiver with noise");
        if (n % 8 != 3) expect_that(came_at - fell_at == ARRIVES, "the clock of a byte with noise");
        // After a framing error the line is waited for.
        else clocks(12 * CLOCKS);
      end
    breaks = 0;
    // A low pulse that is over before its middle is none; a longer one is a start bit, and then ones.
    for (n = SLOW ? CLOCKS / 2 : 1; n < (SLOW ? CLOCKS / 2 + 2 : CLOCKS); n = n + 1) begin
      k = received;
      fell_at = now;
      line = 1'b0;
      clocks(n);
      line = 1'b1;
      clocks(11 * CLOCKS);
      expect_that(received == k + (n > CLOCKS / 2) && breaks == 0 && (n <= CLOCKS / 2 || last == 8'hff), "pulse");
      if (n > CLOCKS / 2) expect_that(came_at - fell_at == ARRIVES, "the clock of a pulse's byte");
    end
    // A glitch of a quarter of a bit is no byte.
    k = received;
    line = 1'b0;
    clocks(CLOCKS / 4);
    line = 1'b1;
    clocks(12 * CLOCKS);
    expect_that(received == k && breaks == 0, "glitch");
    send(8'h55, CLOCKS, 1'b0, 1'b0);
    clocks(2 * CLOCKS);
    expect_that(received == k && breaks == 1, "framing error");
    line = 1'b0;
    clocks((SLOW ? 12 : 40) * CLOCKS);
    line = 1'b1;
    clocks(2 * CLOCKS);
    expect_that(received == k && breaks == 2, "break");
    send(8'ha7, CLOCKS, 1'b1, 1'b0);
    clocks(4);
    expect_that(received == k + 1 && last == 8'ha7, "after the break");
    // A break, and a break's end, of any length.
    for (n = SLOW ? 10 : 8; n < (SLOW ? 11 : 12); n = n + 1) begin
      k = breaks;
      line = 1'b0;
      clocks(n * CLOCKS + 1);
      line = 1'b1;
      clocks(2 * CLOCKS);
      expect_that(breaks == k + (n > 9), "a short break");
      clocks(12 * CLOCKS);
    end
    // Resets, at every moment of a byte that goes and one that comes, and of a break; the line is high soon after.
    for (n = 0; n < (SLOW ? 0 : 11 * CLOCKS); n = n + 1) begin
      k = received;
      s_valid = 1'b1;
      s_data = n[7:0];
      line = 1'b0;
      clocks(1);
      s_valid = 1'b0;
      for (pace = 1; pace < n; pace = pace + 1) begin
        // 0xaa, or a break.
        line = n % 3 != 0 && (pace / CLOCKS) % 2 == 1;
        clocks(1);
      end
      rst = 1'b1;
      clocks(1);
      rst = 1'b0;
      line = 1'b1;
      expect_that(tx == 1'b1 && s_ready && !m_valid && !broken, "reset");
      // As if nothing had been: of another byte all comes.
      if (n % 8 == 0) begin
        clocks(3);
        k = received;
        breaks = 0;
        send(n[10:3], CLOCKS, 1'b1, 1'b0);
        clocks(4);
        expect_that(received == k + 1 && breaks == 0 && last == n[10:3] && came_at - fell_at == ARRIVES, "after a reset");
      end
      clocks(3);
    end
    clocks(12 * CLOCKS);
    // The transmitter without a pause: what is offered while it sends waits.
    for (n = 0; n < (SLOW ? 2 : 64); n = n + 1) begin
      s_data = n * 37;
      s_valid = 1'b1;
      while (!s_ready) clocks(1);
      clocks(1);
    end
    s_valid = 1'b0;
    while (!s_ready) clocks(1);
    clocks(2 * CLOCKS);
    // The loop.
    loop = 1'b1;
    clocks(4);
    for (n = SLOW ? 8'h9c : 0; n < (SLOW ? 8'h9d : 256); n = n + 1) begin
      k = received;
      s_data = ~n[7:0];
      s_valid = 1'b1;
      @(posedge clk);
      #1 s_valid = 1'b0;
      while (!s_ready) @(posedge clk);
      #1;
      clocks(4);
      expect_that(received == k + 1 && last == ~n[7:0], "loop");
    end
    verdict;
    $display("PASS ply11_uart_tb CLOCKS=%0d: %0d bytes received", CLOCKS, received);
    $finish;
  end

endmodule

`resetall
