// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_regs: all inputs at random in every clock, whatever a bus or a player would do, against
// what the netlist of the module gave in each of them when the vectors were made.  All outputs count in every clock, as far as they have a
// meaning.  They are compared as sums, every 64 clocks, made by sim/vectors/regs: which sum is wrong and when
// is told; genrom sim shows signals.  ply11_peripheral_tb goes through the registers one by one.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_regs_tb;

  localparam CLOCKS = 16384, SETTLE = 4, BLOCK = 64;

  localparam NAME = "ply11_regs_tb";
  localparam WATCHDOG = 2 * CLOCKS;
  `include "ply11_bench.vh"

  reg         aresetn = 0;
  reg  [7:0]  awaddr = 0, araddr = 0;
  reg         awvalid = 0, wvalid = 0, bready = 0, arvalid = 0, rready = 0;
  reg  [31:0] wdata = 0;
  reg  [3:0]  wstrb = 0;
  wire        awready, wready, bvalid, arready, rvalid, irq, player_reset, player_restart, numbering, load_valid;
  wire [1:0]  bresp, rresp, mode;
  wire [31:0] rdata, load_data;
  wire [3:0]  load_addr;
  reg         load_ready = 0, beat_tvalid = 0, beat_tready = 0, in_game = 0;
  reg  [127:0] beat_tdata = 0;
  reg  [255:0] board = 0;
  wire        perft_reset, perft_valid, perft_load_valid, count_ready;
  wire [3:0]  perft_depth;
  reg         perft_ready = 0, perft_load_ready = 0, count_valid = 0, count_last = 0;
  reg  [3:0]  count_depth = 0;
  reg  [63:0] count = 0;
  wire        set_valid, match_clear;
  wire [4:0]  set_addr;
  wire [31:0] set_data;
  reg         hit = 0;
  reg  [31:0] hits = 0;

  ply11_regs #(.MODES(7), .PERFT(10), .MATCH(1)) u_dut (
    .aclk(clk), .aresetn(aresetn),
    .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
    .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
    .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
    .s_axil_araddr(araddr), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
    .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
    .irq(irq), .player_reset(player_reset), .player_restart(player_restart), .mode(mode), .numbering(numbering),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .beat_tvalid(beat_tvalid), .beat_tready(beat_tready), .beat_tdata(beat_tdata), .board(board),
    .in_game(in_game),
    .perft_reset(perft_reset), .perft_valid(perft_valid), .perft_depth(perft_depth), .perft_load_valid(perft_load_valid),
    .count_ready(count_ready), .perft_ready(perft_ready), .perft_load_ready(perft_load_ready),
    .count_valid(count_valid), .count_depth(count_depth), .count(count), .count_last(count_last),
    .set_valid(set_valid), .set_addr(set_addr), .set_data(set_data), .match_clear(match_clear), .hit(hit), .hits(hits)
  );

  reg [47:0] sums [0:CLOCKS/BLOCK-1];
  reg [31:0] state = 11, c, a;
  reg [31:0] bus = 0, responses = 0, player = 0;
  integer    reads = 0, writes = 0, k;

  // The generator's next word.
  task draw;
    begin
      state = state ^ (state << 13);
      state = state ^ (state >> 17);
      state = state ^ (state << 5);
    end
  endtask

  function [31:0] mix(input [31:0] sum, input [31:0] data);
    mix = ({sum[26:0], sum[31:27]} ^ data) * 32'h9e3779b1;
  endfunction

  initial begin
    $readmemh("tb/ply11_regs/sums.hex", sums);
    for (n = 0; n < CLOCKS && errors == 0; n = n + 1) begin
      draw;
      c = state;
      draw;
      a = state;
      aresetn = n >= SETTLE && c[31:23] != 0;
      awvalid = c[9:8] != 0;
      wvalid = c[11:10] != 0;
      bready = c[12];
      arvalid = c[13];
      rready = c[15:14] != 0;
      load_ready = c[17:16] == 0;
      beat_tvalid = c[18];
      beat_tready = c[19];
      in_game = c[20];
      wstrb = c[7:4];
      awaddr = {1'b0, a[6:0]};
      araddr = {1'b0, a[13:7]};
      // INTERRUPT often: bits that are set and cleared in the same clock, and what is read of them after it. SNAPSHOT and the counters, too.
      if (a[22:21] == 0) awaddr = c[22] ? 8'h10 : 8'h18;
      if (a[24:23] == 0) araddr = c[21] ? 8'h10 : {3'b001, a[11:7]};
      // PERFT and what follows it, of ply11_match, too.
      if (a[27:25] == 0) awaddr = {1'b1, a[6:0] & {7{a[28]}}};
      if (a[31:29] == 0) araddr = {3'b100, a[12] & a[11], a[10:7]};
      draw;
      wdata = state;
      // CLEAR and RESET are seldom.
      if (awaddr[7:2] == 6'd2) wdata[1:0] = wdata[1:0] & {a[16], a[20:19] == 0};
      for (k = 0; k < 4; k = k + 1) begin
        draw;
        beat_tdata = {state, beat_tdata[127:32]};
      end
      for (k = 0; k < 8; k = k + 1) begin
        draw;
        board = {state, board[255:32]};
      end
      draw;
      perft_ready = state[1:0] != 0;
      perft_load_ready = state[3:2] == 0;
      count_valid = state[4];
      count_last = state[5];
      count_depth = state[9:6];
      hit = state[11:10] == 0;
      for (k = 0; k < 2; k = k + 1) begin
        draw;
        count = {state, count[63:32]};
      end
      draw;
      hits = state;
      #4;
      if (n >= SETTLE) begin
        bus = mix(bus, {numbering, player_restart, load_valid, mode, player_reset, irq, rvalid, arready, bvalid, wready, awready});
        responses = mix(responses, rdata & {32{rvalid}});
        responses = mix(responses, {rresp & {2{rvalid}}, bresp & {2{bvalid}}});
        player = mix(player, load_data & {32{load_valid || perft_load_valid}});
        player = mix(player, load_addr & {4{load_valid || perft_load_valid}});
        player = mix(player, {perft_reset, perft_valid, perft_load_valid, count_ready, perft_depth & {4{perft_valid}}});
        player = mix(player, set_data & {32{set_valid}});
        player = mix(player, {match_clear, set_valid, set_addr & {5{set_valid}}});
        if (bvalid && bready) writes = writes + 1;
        if (rvalid && rready) reads = reads + 1;
      end
      // A bit that is neither 0 nor 1 is an error, too.
      if (n % BLOCK == BLOCK - 1 && {bus[31:16], responses[31:16], player[31:16]} !== sums[n/BLOCK]) begin
        fail("not what the model gives in the last 64 clocks");
        $display(" %0s%0s%0s", bus[31:16] !== sums[n/BLOCK][47:32] ? " bus" : "",
                 responses[31:16] !== sums[n/BLOCK][31:16] ? " responses" : "",
                 player[31:16] !== sums[n/BLOCK][15:0] ? " player" : "");
      end
      @(posedge clk);
      #1;
    end
    if (errors == 0) expect_that(reads >= 1000 && writes >= 1000, "few reads or writes");
    verdict;
    $display("PASS ply11_regs_tb: %0d clocks, %0d reads, %0d writes", CLOCKS, reads, writes);
    $finish;
  end

endmodule

`resetall
