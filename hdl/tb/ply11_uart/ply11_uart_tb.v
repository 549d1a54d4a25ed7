// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_uart: the transmitter against a line sampled here, the receiver fed at the
// nominal rate and three per cent off it either way, with a glitch, a framing error and a break; then the
// two in a loop with all 256 bytes.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_uart_tb;

  parameter CLOCKS = 33;

  reg clk = 1'b0;
  always #5 clk = !clk;

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

  integer errors, received, breaks, n, k, pace;
  reg [7:0] last = 8'd0;
  always @(posedge clk) if (!rst) begin
    if (m_valid) begin
      received = received + 1;
      last = m_data;
    end
    if (broken) breaks = breaks + 1;
  end

  task clocks(input integer count);
    integer c;
    begin
      for (c = 0; c < count; c = c + 1) @(posedge clk);
      #1;
    end
  endtask

  task expect_that(input ok, input [8*32-1:0] what);
    if (!ok) begin
      errors = errors + 1;
      if (errors < 10) $display("ply11_uart_tb: %0s: byte %0d, received %0d, last %h", what, n, received, last);
    end
  endtask

  // Sends a byte at a bit of width clocks, with the given stop bit.
  task send(input [7:0] data, input integer width, input stop);
    integer b;
    begin
      line = 1'b0;
      clocks(width);
      for (b = 0; b < 8; b = b + 1) begin
        line = data[b];
        clocks(width);
      end
      line = stop;
      clocks(width);
      line = 1'b1;
    end
  endtask

  initial begin
    if ($test$plusargs("vcd")) begin
      $dumpfile("ply11_uart_tb.vcd");
      $dumpvars(0, ply11_uart_tb);
    end
    errors = 0;
    received = 0;
    breaks = 0;
    n = 0;
    clocks(4);
    #1 rst = 1'b0;
    clocks(4);
    for (pace = CLOCKS - 1; pace <= CLOCKS + 1; pace = pace + 1)
      for (n = 0; n < 256; n = n + 1) begin
        k = received;
        send(n[7:0], pace, 1'b1);
        clocks(2);
        expect_that(received == k + 1 && last == n[7:0], "receiver");
      end
    // A glitch of a quarter of a bit is no byte.
    k = received;
    line = 1'b0;
    clocks(CLOCKS / 4);
    line = 1'b1;
    clocks(12 * CLOCKS);
    expect_that(received == k && breaks == 0, "glitch");
    send(8'h55, CLOCKS, 1'b0);
    clocks(2 * CLOCKS);
    expect_that(received == k && breaks == 1, "framing error");
    line = 1'b0;
    clocks(40 * CLOCKS);
    line = 1'b1;
    clocks(2 * CLOCKS);
    expect_that(received == k && breaks == 2, "break");
    send(8'ha7, CLOCKS, 1'b1);
    clocks(4);
    expect_that(received == k + 1 && last == 8'ha7, "after the break");
    // The transmitter's line, sampled in the middle of its bits.
    for (n = 0; n < 256; n = n + 1) begin
      s_data = n[7:0];
      s_valid = 1'b1;
      @(posedge clk);
      #1 s_valid = 1'b0;
      clocks(CLOCKS / 2);
      expect_that(tx == 1'b0 && !s_ready, "start bit");
      for (k = 0; k < 8; k = k + 1) begin
        clocks(CLOCKS);
        expect_that(tx == n[k], "data bit");
      end
      clocks(CLOCKS);
      expect_that(tx == 1'b1, "stop bit");
      while (!s_ready) @(posedge clk);
      #1;
    end
    // The loop.
    loop = 1'b1;
    clocks(4);
    for (n = 0; n < 256; n = n + 1) begin
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
    if (errors != 0) begin
      $display("FAIL ply11_uart_tb: %0d errors", errors);
      $fatal(1, "ply11_uart_tb failed");
    end
    $display("PASS ply11_uart_tb CLOCKS=%0d: %0d bytes received", CLOCKS, received);
    $finish;
  end

  // Watchdog, in clocks.
  integer watch = 0;
  always @(posedge clk) begin
    watch = watch + 1;
    if (watch > 4000000) begin
      $display("FAIL ply11_uart_tb: watchdog");
      $fatal(1, "watchdog");
    end
  end

endmodule

`resetall
