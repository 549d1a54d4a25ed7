// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_top: a computer on its serial line that sends the vectors of ply11_player's
// bench while cts_n allows it, first words, then, after a break, Brenner's bytes, then jose's, and compares
// the four bytes of every beat.  The line is fast (CLOCKS clocks a bit).
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_top_tb;

  parameter CLOCKS = 4;

  localparam MOST_BYTES = 8192;
  localparam MOST_BEATS = 2048;
  localparam BEAT = 4*4 + 8 + 8 + 12 + 4*2 + 32 + 16 + 4*3 + 256;

  localparam NAME = "ply11_top_tb";
  localparam WATCHDOG = 4000000;
  localparam HEEDS = 1;
  `include "ply11_bench.vh"

  reg        rx = 1'b1;
  wire       tx, cts_n;
  wire [7:0] led;

  ply11_top #(.CLOCKS(CLOCKS), .LIMIT(60)) u_dut (.clk(clk), .rx(rx), .tx(tx), .cts_n(cts_n), .led(led));

  reg [7:0]      bytes [0:MOST_BYTES-1];
  reg [BEAT-1:0] beats [0:MOST_BEATS-1];
  reg [BEAT-1:0] beat;
  integer count, expected, run, at, k;
  // Of what comes back: the bytes of a packet, packets, errors among them.
  integer    part = 0, got = 0, faults = 0;
  reg [31:0] packet = 32'd0;
  reg [31:0] wanted;

  `include "ply11_serial_bench.vh"

  // A byte that came. Four make the packet of a beat.
  task take(input [7:0] data);
    begin
      packet = {data, packet[31:8]};
      part = part + 1;
      if (part == 4) begin
        part = 0;
        n = got;
        beat = beats[got];
        // The fields of the beat, from the top: kind, error, result, index, from, to, promotion, piece,
        // captured, offset.
        wanted = {beat[16+12+256 +: 8], beat[32+16+12+256+4 +: 4], 1'b0, beat[32+16+12+256+8+4+16 +: 11],
                  beat[BEAT-3 -: 2], 2'd0,
                  beat[BEAT-3 -: 2] == 2'd0 ? beat[32+16+12+256 +: 4]
                  : beat[BEAT-3 -: 2] == 2'd2 ? beat[BEAT-9 -: 4] : beat[BEAT-5 -: 4]};
        if (packet !== wanted) begin
          fail("a wrong packet");
          if (errors <= 10) $display("  run %0d: found %h, expected %h", run, packet, wanted);
        end
        if (beat[BEAT-3 -: 2] == 2'd3) faults = faults + 1;
        got = got + 1;
      end
    end
  endtask

  initial begin
    clocks(30);
    for (run = 0; run < 3; run = run + 1) begin
      for (k = 0; k < MOST_BYTES; k = k + 1) bytes[k] = 8'hff;
      for (k = 0; k < MOST_BEATS; k = k + 1) beats[k] = {BEAT{1'b1}};
      if (run == 0) begin
        $readmemh("tb/ply11_player/words.bytes.hex", bytes);
        $readmemh("tb/ply11_player/words.beats.hex", beats);
      end else if (run == 1) begin
        $readmemh("tb/ply11_player/main.bytes.hex", bytes);
        $readmemh("tb/ply11_player/main.beats.hex", beats);
      end else begin
        $readmemh("tb/ply11_top/jose.bytes.hex", bytes);
        $readmemh("tb/ply11_top/jose.beats.hex", beats);
      end
      count = 0;
      for (k = 0; k < MOST_BYTES; k = k + 1) if (bytes[k] != 8'hff) count = k + 1;
      expected = 0;
      while (beats[expected] != {BEAT{1'b1}}) expected = expected + 1;
      part = 0;
      got = 0;
      faults = 0;
      clocks(2);
      send("?");              // no mode
      send(run == 0 ? "w" : run == 1 ? "b" : "j");
      // jose's last byte, the end code, is of ones.
      for (at = 0; at < count + (run == 0 ? 2 : run == 1 ? 0 : 1); at = at + 1) send(bytes[at]);
      clocks(1000 * CLOCKS);
      while (idle < 100 * CLOCKS) clocks(1);
      n = run;
      expect_that(got == expected && expected != 0, "packets are missing, or too many");
      expect_that(led[3:0] === {1'b0, faults != 0, 2'b01}, "led after the games");
      send_break(20);
      clocks(20 * CLOCKS);
      expect_that(led === 8'd0, "led after the break");
    end
    expect_that(stops != 0, "cts_n never rose");
    verdict;
    $display("PASS ply11_top_tb: words, Brenner's and jose's bytes over the line");
    $finish;
  end

endmodule

`resetall
