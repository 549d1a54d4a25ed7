// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_top_hx8k: a computer on its serial line that sends the vectors of ply11_player's
// bench while cts_n allows it, first words, then, after a break, Brenner's bytes, then jose's, and compares
// the four bytes of every beat.  The line is fast (CLOCKS clocks a bit).
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_top_hx8k_tb;

  parameter CLOCKS = 4;

  localparam MOST_BYTES = 8192;
  localparam MOST_BEATS = 2048;
  localparam BEAT = 4*4 + 8 + 8 + 12 + 4*2 + 32 + 16 + 4*3 + 256;

  reg clk = 1'b0;
  always #5 clk = !clk;

  reg        rx = 1'b1;
  wire       tx, cts_n;
  wire [7:0] led;

  ply11_top_hx8k #(.CLOCKS(CLOCKS), .LIMIT(60)) u_dut (.clk(clk), .rx(rx), .tx(tx), .cts_n(cts_n), .led(led));

  reg [7:0]      bytes [0:MOST_BYTES-1];
  reg [BEAT-1:0] beats [0:MOST_BEATS-1];
  reg [BEAT-1:0] beat;
  integer count, expected, got, errors, run, at, k, j, stops, faults, idle;
  reg [31:0] packet = 32'd0;
  reg [31:0] wanted;
  reg [7:0]  in_byte = 8'd0;
  integer    wrong = 0;

  task automatic clocks(input integer n);
    integer c;
    begin
      for (c = 0; c < n; c = c + 1) @(posedge clk);
      #1;
    end
  endtask

  task send(input [7:0] data);
    integer b;
    begin
      while (cts_n) begin
        stops = stops + 1;
        clocks(1);
      end
      rx = 1'b0;
      clocks(CLOCKS);
      for (b = 0; b < 8; b = b + 1) begin
        rx = data[b];
        clocks(CLOCKS);
      end
      rx = 1'b1;
      clocks(CLOCKS);
    end
  endtask

  // The receiving side: bytes to packets.  phase counts clocks within a byte.
  integer phase, part;
  reg     clear = 1'b1;
  always @(posedge clk) begin
    if (clear) begin
      part = 0;
      got = 0;
      faults = 0;
      idle = 0;
      phase = 0;
    end else if (phase == 0) begin
      idle = idle + 1;
      if (!tx) begin
        phase = 1;
        idle = 0;
      end
    end else begin
      phase = phase + 1;
      for (j = 0; j < 8; j = j + 1)
        if (phase == CLOCKS / 2 + CLOCKS * (j + 1)) in_byte[j] = tx;
      if (phase == CLOCKS / 2 + CLOCKS * 9) begin
        phase = 0;
        if (!tx) wrong = wrong + 1;
        packet = {in_byte, packet[31:8]};
        part = part + 1;
        if (part == 4) begin
          part = 0;
          beat = beats[got];
          // The fields of the beat, from the top: kind, error, result, index, from, to, promotion, man,
          // captured, offset.
          wanted = {beat[16+12+256 +: 8], beat[32+16+12+256+4 +: 4], 1'b0, beat[32+16+12+256+8+4+16 +: 11],
                    beat[BEAT-3 -: 2], 2'd0,
                    beat[BEAT-3 -: 2] == 2'd0 ? beat[32+16+12+256 +: 4]
                    : beat[BEAT-3 -: 2] == 2'd2 ? beat[BEAT-9 -: 4] : beat[BEAT-5 -: 4]};
          if (packet !== wanted) begin
            wrong = wrong + 1;
            if (wrong < 6)
              $display("ply11_top_hx8k_tb: run %0d beat %0d: found %h, expected %h", run, got, packet, wanted);
          end
          if (beat[BEAT-3 -: 2] == 2'd3) faults = faults + 1;
          got = got + 1;
        end
      end
    end
  end

  initial begin
    if ($test$plusargs("vcd")) begin
      $dumpfile("ply11_top_hx8k_tb.vcd");
      $dumpvars(0, ply11_top_hx8k_tb);
    end
    stops = 0;
    errors = 0;
    run = 0;
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
        $readmemh("tb/ply11_top_hx8k/jose.bytes.hex", bytes);
        $readmemh("tb/ply11_top_hx8k/jose.beats.hex", beats);
      end
      count = 0;
      for (k = 0; k < MOST_BYTES; k = k + 1) if (bytes[k] != 8'hff) count = k + 1;
      expected = 0;
      while (beats[expected] != {BEAT{1'b1}}) expected = expected + 1;
      clear = 1'b1;
      clocks(2);
      clear = 1'b0;
      send("?");              // no mode
      send(run == 0 ? "w" : run == 1 ? "b" : "j");
      // jose's last byte, the end code, is of ones.
      for (at = 0; at < count + (run == 0 ? 2 : run == 1 ? 0 : 1); at = at + 1) send(bytes[at]);
      clocks(1000 * CLOCKS);
      while (idle < 100 * CLOCKS) clocks(1);
      if (got != expected || expected == 0) begin
        errors = errors + 1;
        $display("ply11_top_hx8k_tb: run %0d: %0d beats, expected %0d", run, got, expected);
      end
      if (led[0] !== 1'b1 || led[1] !== 1'b0 || led[2] !== (faults != 0) || led[3] !== 1'b0) begin
        errors = errors + 1;
        $display("ply11_top_hx8k_tb: run %0d: led %b", run, led);
      end
      // A break.
      rx = 1'b0;
      clocks(20 * CLOCKS);
      rx = 1'b1;
      clocks(20 * CLOCKS);
      if (led !== 8'd0) begin
        errors = errors + 1;
        $display("ply11_top_hx8k_tb: after the break: led %b", led);
      end
    end
    errors = errors + wrong;
    if (stops == 0) begin
      errors = errors + 1;
      $display("ply11_top_hx8k_tb: cts_n never rose");
    end
    if (errors != 0) begin
      $display("FAIL ply11_top_hx8k_tb: %0d errors", errors);
      $fatal(1, "ply11_top_hx8k_tb failed");
    end
    $display("PASS ply11_top_hx8k_tb: words, Brenner's and jose's bytes over the line");
    $finish;
  end

  // Watchdog, in clocks.
  integer watch = 0;
  always @(posedge clk) begin
    watch = watch + 1;
    if (watch > 4000000) begin
      $display("FAIL ply11_top_hx8k_tb: watchdog");
      $fatal(1, "watchdog");
    end
  end

endmodule

`resetall
