// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_player: streams of games with set-up positions, texts, NAGs, variations, null moves and
// faults, made by vectors.go from package position, against every beat that must come, with the whole
// position.  Each stream is played four times: at full speed, with idle clocks, with back-pressure, with
// both.  MODE 0 words (WIDTH 8, 32, 64), 1 Brenner with LAYOUT.
// Plusargs: vcd; bytes=FILE and beats=FILE instead of the vectors in this folder.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_player_tb;

  parameter MODE = 0;
  parameter WIDTH = 8;
  parameter LAYOUT = 0;

  localparam MOST_BYTES = 131072;
  localparam MOST_BEATS = 32768;
  localparam BEAT = 4*4 + 8 + 8 + 12 + 4*2 + 32 + 16 + 4*3 + 256;

  reg clk = 1'b0;
  always #5 clk = !clk;

  reg              rst = 1'b1;
  reg              s_valid = 1'b0;
  wire             s_ready;
  reg  [WIDTH-1:0] s_data = {WIDTH{1'b0}};
  wire             m_valid;
  reg              m_ready = 1'b0;
  wire [1:0]       m_kind, m_result;
  wire [10:0]      m_index;
  wire [5:0]       m_from, m_to;
  wire [2:0]       m_promotion;
  wire [3:0]       m_man, m_captured, m_error, rights, ep;
  wire [31:0]      m_offset;
  wire [255:0]     board;
  wire             side, text_valid, text_last, in_game;
  wire [7:0]       text_data;
  wire [15:0]      ply;
  wire [1:0]       mode = MODE;
  wire             load_ready;
  wire [4:0]       m_depth;
  wire [2:0]       text_kind;

  ply11_player #(.MODES(1 << MODE), .WIDTH(WIDTH), .LAYOUT(LAYOUT)) u_dut (
    .clk(clk), .rst(rst), .mode(mode),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .load_valid(1'b0), .load_ready(load_ready), .load_addr(4'd0), .load_data(32'd0),
    .m_valid(m_valid), .m_ready(m_ready), .m_kind(m_kind), .m_index(m_index), .m_from(m_from),
    .m_to(m_to), .m_promotion(m_promotion), .m_man(m_man), .m_captured(m_captured),
    .m_result(m_result), .m_error(m_error), .m_offset(m_offset), .m_depth(m_depth),
    .board(board), .side(side), .rights(rights), .ep(ep), .ply(ply),
    .text_valid(text_valid), .text_data(text_data), .text_last(text_last), .text_kind(text_kind), .in_game(in_game)
  );

  reg [7:0]      bytes [0:MOST_BYTES-1];
  reg [BEAT-1:0] beats [0:MOST_BEATS-1];
  reg [8*200-1:0] bytes_file, beats_file;
  integer count, expected, at, got, run, errors, k, quiet, texts, clocks;
  reg        took;
  reg [31:0] rnd;
  wire [BEAT-1:0] beat = {2'd0, m_kind, m_error, 2'd0, m_result, 1'b0, m_index, 2'd0, m_from, 2'd0, m_to,
                          1'b0, m_promotion, m_man, m_captured, m_offset, ply, ep, rights, 3'd0, side, board};
  reg             held;
  reg [BEAT-1:0]  held_beat;

  initial begin
    if ($test$plusargs("vcd")) begin
      $dumpfile("ply11_player_tb.vcd");
      $dumpvars(0, ply11_player_tb);
    end
    case (MODE == 0 ? 4 : LAYOUT)
      0: begin
        bytes_file = "tb/ply11_player/main.bytes.hex";
        beats_file = "tb/ply11_player/main.beats.hex";
      end
      1: begin
        bytes_file = "tb/ply11_player/alt.bytes.hex";
        beats_file = "tb/ply11_player/alt.beats.hex";
      end
      2: begin
        bytes_file = "tb/ply11_player/alt-swapped.bytes.hex";
        beats_file = "tb/ply11_player/alt-swapped.beats.hex";
      end
      3: begin
        bytes_file = "tb/ply11_player/alt-fixed.bytes.hex";
        beats_file = "tb/ply11_player/alt-fixed.beats.hex";
      end
      default: begin
        bytes_file = "tb/ply11_player/words.bytes.hex";
        beats_file = "tb/ply11_player/words.beats.hex";
      end
    endcase
    if ($value$plusargs("bytes=%s", bytes_file)) ;
    if ($value$plusargs("beats=%s", beats_file)) ;
    for (k = 0; k < MOST_BYTES; k = k + 1) bytes[k] = 8'hff;
    for (k = 0; k < MOST_BEATS; k = k + 1) beats[k] = {BEAT{1'b1}};
    $readmemh(bytes_file, bytes);
    $readmemh(beats_file, beats);
    count = 0;
    // The last byte that is not ones, then whole inputs.
    for (k = 0; k < MOST_BYTES; k = k + 1) if (bytes[k] != 8'hff) count = k + 1;
    count = (count + 11 + WIDTH / 8 - 1) / (WIDTH / 8) * (WIDTH / 8);
    if (MODE != 0) for (k = 0; k < MOST_BYTES; k = k + 1) if (bytes[k] != 8'hff) count = k + 1;
    expected = 0;
    while (beats[expected] != {BEAT{1'b1}}) expected = expected + 1;
    errors = 0;
    if (expected == 0) begin
      $display("ply11_player_tb: no vectors");
      errors = 1;
    end
    for (run = 0; run < 4; run = run + 1) begin
      rst = 1'b1;
      s_valid = 1'b0;
      m_ready = 1'b0;
      at = 0;
      got = 0;
      quiet = 0;
      clocks = 0;
      texts = 0;
      held = 1'b0;
      held_beat = {BEAT{1'b0}};
      @(posedge clk);
      @(posedge clk);
      #1 rst = 1'b0;
      while (quiet < 100) begin
        rnd = $random;
        if (!s_valid && at < count && !(run[0] && rnd[1:0] != 2'd0)) begin
          s_valid = 1'b1;
          for (k = 0; k < WIDTH / 8; k = k + 1) s_data[8*k +: 8] = bytes[at+k];
        end
        m_ready = !(run[1] && rnd[3:2] != 2'd0);
        #1;
        if (held && (!m_valid || beat !== held_beat)) begin
          errors = errors + 1;
          if (errors < 6) $display("ply11_player_tb: run %0d beat %0d changed while stalled", run, got);
        end
        held = m_valid && !m_ready;
        held_beat = beat;
        if (text_valid) texts = texts + 1;
        quiet = (m_valid || at < count) ? 0 : quiet + 1;
        if (m_valid && m_ready) begin
          if (beat !== beats[got]) begin
            errors = errors + 1;
            if (errors < 6) begin
              $display("ply11_player_tb: run %0d beat %0d", run, got);
              $display("  found    %h", beat);
              $display("  expected %h", beats[got]);
            end
          end
          got = got + 1;
        end
        took = s_valid && s_ready;
        if (at < count) clocks = clocks + 1;
        @(posedge clk);
        #1;
        if (took) begin
          s_valid = 1'b0;
          at = at + WIDTH / 8;
        end
      end
      if (got != expected) begin
        errors = errors + 1;
        $display("ply11_player_tb: run %0d: %0d beats, expected %0d", run, got, expected);
      end
      if (run == 0 && MODE != 0 && (texts == 0 || clocks > count + count / 20)) begin
        errors = errors + 1;
        $display("ply11_player_tb: %0d bytes of text, %0d clocks for %0d bytes", texts, clocks, count);
      end
    end
    if (errors != 0) begin
      $display("FAIL ply11_player_tb MODE=%0d WIDTH=%0d LAYOUT=%0d: %0d errors", MODE, WIDTH, LAYOUT, errors);
      $fatal(1, "ply11_player_tb failed");
    end
    $display("PASS ply11_player_tb MODE=%0d WIDTH=%0d LAYOUT=%0d: %0d beats of %0d bytes", MODE, WIDTH, LAYOUT,
             expected, count);
    $finish;
  end

  // Watchdog, in clocks.
  integer watch = 0;
  always @(posedge clk) begin
    watch = watch + 1;
    if (watch > 4000000) begin
      $display("FAIL ply11_player_tb: watchdog");
      $fatal(1, "watchdog");
    end
  end

endmodule

`resetall
