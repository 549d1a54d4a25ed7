// SPDX-License-Identifier: Apache-2.0
// Second test bench of ply11_top: the module alone.  In the place of the line and of the player in it
// stand others of the same ports, which give anything: so bytes and beats come in all ways, and the buffer
// is full and empty by turns.  What goes into them and what comes out is compared, in every clock from power-up on,
// with a second description, below.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
/* verilator lint_off DECLFILENAME */
/* verilator lint_off MULTITOP */
module ply11_top_alone_tb;

  parameter CLOCKS = 80000;
  parameter LIMIT = 60;
  localparam [1:0] PLY = 2'd0, END = 2'd2, ERROR = 2'd3;

  localparam NAME = "ply11_top_alone_tb";
  localparam WATCHDOG = CLOCKS + 100;
  `include "ply11_bench.vh"

  reg        rx = 1'b1;
  wire       tx, cts_n;
  wire [7:0] led;
  ply11_top #(.CLOCKS(4), .LIMIT(LIMIT)) u_dut (.clk(clk), .rx(rx), .tx(tx), .cts_n(cts_n), .led(led));

  // ---- what the line and the player give ----
  reg         l_tx = 0, l_valid = 0, l_broken = 0, l_ready = 0;
  reg  [7:0]  l_data = 0;
  reg         p_ready = 0, p_valid = 0, p_in_game = 0;
  reg  [1:0]  p_kind = 0, p_result = 0;
  reg  [10:0] p_index = 0;
  reg  [3:0]  p_piece = 0, p_captured = 0, p_error = 0;
  reg  [4:0]  p_depth = 0;
  reg  [31:0] p_offset = 0;

  // ---- what they are given, set by them ----
  reg         il_rst, il_rx, il_valid;
  reg  [7:0]  il_data;
  reg         ip_rst, ip_valid, ip_load, ip_ready;
  reg  [1:0]  ip_mode;
  reg  [7:0]  ip_data;

  // ---- the second description ----
  // As it is after the first edge of the clock.
  integer     up = 1;               // clocks since power-up, to 15
  reg         rst = 1, hold = 0, chosen = 0, lost = 0, fault = 0, stop = 0, head_valid = 0;
  reg  [1:0]  mode = 0;
  reg  [3:0]  plies = 0;
  reg  [7:0]  fifo [0:511];
  integer     first = 0, size = 0;  // of what waits
  reg  [7:0]  head = 0;
  integer     left = 0;             // bytes of a beat that are still to go
  reg  [31:0] beat = 0;
  reg         put, get, restart;
  integer     beats = 0, losses = 0, stops = 0, full = 0;
  reg  [31:0] a, b;
  reg  [1:0]  speed = 0;            // of the player: 0 stands still

  task draw;
    begin
      a = $random;
      b = $random;
      if (a[9:0] == 10'd0) speed = a[11:10];
      rx = a[12];
      l_tx = a[13];
      l_valid = a[14] && (speed[0] || a[15]);
      l_broken = a[31:20] == 12'd0;
      l_ready = a[16];
      l_data = b[7:0];
      // Some bytes are those of the modes, and some that come with a break are 0.
      if (b[10:8] == 3'd0) l_data = b[12:11] == 2'd0 ? "w" : b[12:11] == 2'd1 ? "b" : b[12:11] == 2'd2 ? "j" : 8'd0;
      // A break has a byte 0; other malformed bytes are broken, too.
      if (l_broken && b[13:11] != 3'd0) l_data = 8'd0;
      // One bit is enough for another byte.
      if (l_broken ? b[30:28] == 3'd1 : b[10:8] == 3'd0 && b[30:28] != 3'd0) l_data = l_data ^ (8'd1 << {b[31], b[15:14]});
      p_ready = speed != 2'd0 && (speed == 2'd1 || b[14] || b[15]);
      p_valid = b[17:16] == 2'd0;
      if (b[20:18] == 3'd0) p_in_game = b[21];
      p_kind = b[23:22];
      p_result = b[25:24];
      p_error = b[29:26];
      a = $random;
      p_index = a[10:0];
      p_piece = a[14:11];
      p_captured = a[18:15];
      p_depth = a[23:19] & {5{a[24]}};
      p_offset = $random;
    end
  endtask

  task compare;
    begin
      expect_that(tx === l_tx, "tx");
      expect_that(cts_n === stop, "cts_n");
      expect_that(led === {plies, lost, fault, p_in_game, chosen}, "led");
      expect_that({il_rst, il_rx, il_valid} === {up < 15, rx, left != 0}, "the line");
      if (il_valid) expect_that(il_data === beat[7:0], "a byte of a beat");
      expect_that({ip_rst, ip_valid, ip_load, ip_ready} === {hold, head_valid && !hold, 1'b0, left == 0}, "the player");
      if (!hold) expect_that(ip_mode === mode, "mode");
      if (ip_valid) expect_that(ip_data === head, "a byte of games");
    end
  endtask

  task advance;
    begin
      restart = up < 15 || (l_broken && l_data == 8'd0);
      put = l_valid && chosen && size < 512;
      get = size > 0 && (!head_valid || p_ready);
      if (size == 512) full = full + 1;
      if (l_valid && chosen && size == 512) losses = losses + 1;
      if ((l_valid && chosen && size == 512) || l_broken) lost = 1'b1;
      stop = size > LIMIT;
      if (stop) stops = stops + 1;
      hold = rst || !chosen;
      if (l_valid && !chosen) begin
        chosen = l_data == "w" || l_data == "b" || l_data == "j";
        if (chosen) mode = l_data == "w" ? 2'd0 : l_data == "b" ? 2'd1 : 2'd2;
      end
      // The player takes what is at the head.
      if (p_ready) head_valid = 1'b0;
      if (put) fifo[(first + size) % 512] = l_data;
      if (get) begin
        head = fifo[first];
        head_valid = 1'b1;
        first = (first + 1) % 512;
      end
      size = size + put - get;
      // A beat goes byte by byte.
      if (left == 0) begin
        if (p_valid) begin
          left = 4;
          beat = {p_offset[7:0], p_piece, 1'b0, p_index, p_kind, 1'b0, p_depth != 0,
                  p_kind == PLY ? p_captured : p_kind == END ? {2'd0, p_result} : p_error};
          if (p_kind == ERROR) fault = 1'b1;
          if (p_kind == PLY) plies = plies + 4'd1;
          beats = beats + 1;
        end
      end else if (l_ready) begin
        left = left - 1;
        beat = {8'd0, beat[31:8]};
      end
      if (rst) begin
        size = 0;
        left = 0;
        {head_valid, chosen, lost, fault, stop} = 5'd0;
        mode = 2'd0;
        plies = 4'd0;
      end
      rst = restart;
      if (up < 15) up = up + 1;
    end
  endtask

  initial begin
    #6;
    for (n = 0; n < CLOCKS; n = n + 1) begin
      draw;
      #5;
      // After a clock of reset all that has a meaning is known.
      if (n > 1) compare;
      @(posedge clk);
      #1 advance;
    end
    if (beats < CLOCKS / 80 || (LIMIT != 0 && losses < CLOCKS / 800) || stops < (LIMIT == 511 ? 100 : CLOCKS / 80) || stops > CLOCKS - CLOCKS / 80) begin
      errors = errors + 1;
      $display("ply11_top_alone_tb: %0d beats, %0d bytes lost, %0d clocks with cts_n are not as they should be", beats, losses,
               stops);
    end
    verdict;
    $display("PASS ply11_top_alone_tb: %0d clocks, %0d beats, %0d bytes lost, %0d clocks with cts_n", CLOCKS, beats, losses, stops);
    $finish;
  end

endmodule

// ---- in the place of the modules ----

module ply11_uart #(parameter CLOCKS = 104) (
  input  wire       clk, rst, rx,
  output wire       tx, m_valid,
  output wire [7:0] m_data,
  output wire       broken,
  input  wire       s_valid,
  output wire       s_ready,
  input  wire [7:0] s_data
);
  assign tx = ply11_top_alone_tb.l_tx;
  assign m_valid = ply11_top_alone_tb.l_valid;
  assign m_data = ply11_top_alone_tb.l_data;
  assign broken = ply11_top_alone_tb.l_broken;
  assign s_ready = ply11_top_alone_tb.l_ready;
  always @(negedge clk) begin
    ply11_top_alone_tb.il_rst = rst;
    ply11_top_alone_tb.il_rx = rx;
    ply11_top_alone_tb.il_valid = s_valid;
    ply11_top_alone_tb.il_data = s_data;
  end
endmodule

module ply11_player #(parameter MODES = 3, WIDTH = 8, LAYOUT = 0, DIALECT = 0, DEPTH = 0) (
  `include "ply11_player_ports.vh"
);
  assign s_ready = ply11_top_alone_tb.p_ready;
  assign load_ready = 1'b1;
  assign m_valid = ply11_top_alone_tb.p_valid;
  assign m_kind = ply11_top_alone_tb.p_kind;
  assign m_result = ply11_top_alone_tb.p_result;
  assign m_index = ply11_top_alone_tb.p_index;
  assign m_error = ply11_top_alone_tb.p_error;
  assign m_piece = ply11_top_alone_tb.p_piece;
  assign m_captured = ply11_top_alone_tb.p_captured;
  assign m_offset = ply11_top_alone_tb.p_offset;
  assign m_depth = ply11_top_alone_tb.p_depth;
  assign {m_from, m_to, m_promotion, board, side, rights, ep, ply} = 296'd0;
  assign {text_valid, text_data, text_last, text_kind} = 13'd0;
  assign in_game = ply11_top_alone_tb.p_in_game;
  always @(negedge clk) begin
    ply11_top_alone_tb.ip_rst = rst;
    ply11_top_alone_tb.ip_mode = mode;
    ply11_top_alone_tb.ip_valid = s_valid;
    ply11_top_alone_tb.ip_data = s_data;
    ply11_top_alone_tb.ip_load = load_valid;
    ply11_top_alone_tb.ip_ready = m_ready;
  end
endmodule

`resetall
