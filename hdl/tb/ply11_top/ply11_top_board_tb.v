// SPDX-License-Identifier: Apache-2.0
// Fourth test bench of ply11_top: a board's top at its pins and at its clock. The computer at the serial line knows no clock: its
// bits take 1 / 115,200 s. It sends the first bytes of ply11_player's words, then a break.
// The packets of the beats must come back, and the LEDs show the state, in the polarity of the board.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_top_board_tb;

  parameter KHZ = 12000;      // the board's clock
  parameter MODES = 7;
  parameter LEDS = 8;
  parameter LOW = 0;

  localparam SENT = 22;       // bytes of games: sixteen words
  localparam BEAT = 4*4 + 8 + 8 + 12 + 4*2 + 32 + 16 + 4*3 + 256;
  localparam real BIT = 1.0e9 / 115200;
  localparam real HALF = 0.5e6 / KHZ;

  localparam NAME = "ply11_top_board_tb";
  localparam WATCHDOG = 2000000;
  `include "ply11_bench.vh"

  // The board's own clock. That of ply11_bench.vh only counts for the watchdog.
  reg        quartz = 1'b0;
  always #HALF quartz = !quartz;
  reg        rx = 1'b1;
  wire       tx, cts_n;
  wire [LEDS-1:0] led;
  ply11_top #(.MODES(MODES), .CLOCKS((KHZ * 1000 + 57600) / 115200), .LEDS(LEDS), .LOW(LOW)) u_dut (
    .clk(quartz), .rx(rx), .tx(tx), .cts_n(cts_n), .led(led)
  );

  reg [7:0]      bytes [0:8191];
  reg [BEAT-1:0] beats [0:2047];
  reg [BEAT-1:0] beat;
  reg [7:0]      value = 8'd0;
  reg [31:0]     packet = 32'd0;
  reg [31:0]     wanted;
  integer        got = 0, part = 0, expected = 0, at, k, j, others = 0;

  task send(input [7:0] data);
    begin
      rx = 1'b0;
      #BIT;
      for (j = 0; j < 8; j = j + 1) begin
        rx = data[j];
        #BIT;
      end
      rx = 1'b1;
      #BIT;
    end
  endtask

  task expect_leds(input [7:0] on, input [8*48-1:0] what);
    expect_that(led === (LOW ? ~on[LEDS-1:0] : on[LEDS-1:0]), what);
  endtask

  // A byte that comes: each bit is taken in its middle.
  always @(negedge tx) begin
    #(BIT / 2);
    for (k = 0; k < 8; k = k + 1) begin
      #BIT;
      value[k] = tx;
    end
    #BIT;
    expect_that(tx === 1'b1, "a stop bit");
    packet = {value, packet[31:8]};
    part = part + 1;
    if (part == 4) begin
      part = 0;
      n = got;
      if (got < expected) begin
        beat = beats[got];
        wanted = {beat[16+12+256 +: 8], beat[32+16+12+256+4 +: 4], 1'b0, beat[32+16+12+256+8+4+16 +: 11],
                  beat[BEAT-3 -: 2], 2'd0,
                  beat[BEAT-3 -: 2] == 2'd0 ? beat[32+16+12+256 +: 4]
                  : beat[BEAT-3 -: 2] == 2'd2 ? beat[BEAT-9 -: 4] : beat[BEAT-5 -: 4]};
        if (packet !== wanted) begin
          fail("a wrong packet");
          $display("  found %h, expected %h", packet, wanted);
        end
        if (beat[BEAT-3 -: 2] != 2'd0) others = others + 1;
      end
      got = got + 1;
    end
  end

  initial begin
    $readmemh("tb/ply11_player/words.bytes.hex", bytes);
    $readmemh("tb/ply11_player/words.beats.hex", beats);
    // The beats of these bytes; an idle word makes none.
    beat = beats[0];
    while (beat[16+12+256 +: 32] < SENT) begin
      expected = expected + 1;
      beat = beats[expected];
    end
    #(4 * BIT);
    expect_leds(8'd0, "led before the games");
    send("?");                // no mode
    send("w");
    expect_leds(8'b1, "led of a mode without games");
    for (at = 0; at < SENT; at = at + 1) send(bytes[at]);
    #(BIT * 10 * (4 * expected + 1));
    n = got;
    expect_that(got == expected && got > 2 && part == 0, "packets are missing, or too many");
    expect_that(cts_n === 1'b0, "cts_n");
    expect_that(others == 0, "the vectors begin with plies of one game");
    expect_leds({expected[3:0], 4'b0011}, "led in the game");
    rx = 1'b0;
    #(20 * BIT);
    rx = 1'b1;
    #(20 * BIT);
    expect_leds(8'd0, "led after the break");
    verdict;
    $display("PASS ply11_top_board_tb: %0d packets at %0d kHz", got, KHZ);
    $finish;
  end

endmodule

`resetall
