// SPDX-License-Identifier: Apache-2.0
// Third test bench of ply11_top: perft over the serial line. Three orders go out at once, two of them with a position, whose
// bytes wait; then a break in the midst of a walk, and games in words, and perft once more.
// roots.hex of ply11_perft's bench has the positions and counts.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_top_perft_tb;

  localparam NAME = "ply11_top_perft_tb";
  localparam WATCHDOG = 200000;
  localparam CLOCKS = 4;
  localparam HEEDS = 0;
  `include "ply11_bench.vh"

  reg        rx = 1'b1;
  wire       tx, cts_n;
  wire [7:0] led;
  ply11_top #(.MODES(1), .PERFT(1), .CLOCKS(CLOCKS), .LIMIT(60)) u_dut (.clk(clk), .rx(rx), .tx(tx), .cts_n(cts_n), .led(led));

  reg [7:0]   wanted [0:255];
  reg [7:0]   got [0:255];
  integer     wants = 0, gots = 0, i, j, k;

  `include "ply11_perft_roots.vh"
  `include "ply11_serial_bench.vh"

  task take(input [7:0] data);
    begin
      got[gots] = data;
      gots = gots + 1;
    end
  endtask

  // An order, and what must come of it.
  task order(input integer line, input [3:0] depth, input sends);
    begin
      take_root(line);
      root_depth = depth;
      send({sends, 3'd0, depth});
      if (sends) for (k = 0; k < 36; k = k + 1) send(root_byte(k));
      for (j = 0; j <= depth; j = j + 1)
        for (k = 0; k < 9; k = k + 1) begin
          wanted[wants] = count_byte(j, k);
          wants = wants + 1;
        end
    end
  endtask

  task compare;
    begin
      for (i = 0; i < 20000 && gots < wants; i = i + 1) clocks(1);
      clocks(200);
      expect_that(gots == wants, "bytes are missing, or too many");
      for (n = 0; n < wants; n = n + 1) expect_that(got[n] === wanted[n], "a wrong byte");
    end
  endtask

  initial begin
    $readmemh("tb/ply11_perft/roots.hex", roots);
    clocks(30);
    send("?");
    send("p");
    order(USUAL, 4'd2, 1'b0);
    order(1, 4'd1, 1'b1);
    order(USUAL, 4'd0, 1'b1);
    compare;
    expect_that(led[0], "the lamp of the mode");
    // A break in a walk.
    send(8'h03);
    clocks(100);
    send_break(12);
    clocks(100);
    expect_that(!led[0] && gots == wants, "a break ends the walk");
    // Words: a null game, a result. Brenner's mode is not there.
    send("b");
    expect_that(!led[0], "no mode that MODES leaves out");
    send("w");
    clocks(10);
    expect_that(led[0], "words");
    // 1968 (0-1), then idle.
    send(8'hb0);
    send(8'hff);
    send(8'hff);
    clocks(400);
    expect_that(gots == wants + 4 && got[wants] == 8'h80, "the end of a game");
    wants = 0;
    gots = 0;
    send_break(12);
    clocks(100);
    // The usual position again.
    send("p");
    order(USUAL, 4'd1, 1'b0);
    compare;
    verdict;
    $display("PASS %0s: %0d bytes", NAME, wants);
    $finish;
  end

endmodule

`resetall
