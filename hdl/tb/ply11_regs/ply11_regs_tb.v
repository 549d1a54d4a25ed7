// SPDX-License-Identifier: Apache-2.0
// Test bench of ply11_regs: all inputs at random in every clock, whatever a bus or a player would do. A scoreboard has what the header
// says of each register: a write that is taken changes it, a read that is taken must give what it has, and what goes to player, perft and
// search comes in the clock after the write. When a response comes is for pdr.regs_hold.
// Plusarg: vcd.
`resetall
`timescale 1ns / 1ps
`default_nettype none

/* verilator lint_off WIDTH */
module ply11_regs_tb;

  localparam CLOCKS = 16384, SETTLE = 4;

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

  // ---- the registers ----
  reg         held, restart, clear_due, set_due, stop, go, next, root, waits, counted, any, lines;
  reg         r_numbering, was_held, word, word_perft, s_any;
  reg  [1:0]  r_mode, with_;
  reg  [3:0]  events, enable, depth, first, last, word_addr, s_first, s_last;
  reg  [15:0] taken;
  reg  [31:0] games, plies, bad, first_at, last_at, word_data, s_games, s_plies, s_bad, s_first_at, s_last_at, s_state;
  reg  [36:0] pattern;
  reg  [255:0] s_board;

  task at_reset;
    begin
      {held, restart, clear_due, set_due, stop, go, next, root, waits, counted, any, lines, was_held, word, s_any} = 15'd0;
      {r_numbering, r_mode, with_, events, enable, depth} = 17'd0;
      {taken, games, plies, bad, s_games, s_plies, s_bad, s_first_at, s_last_at, s_state, s_first, s_last} = 280'd0;
      s_board = 256'd0;
    end
  endtask

  // What a read of a register gives: {OKAY, value}.
  wire told = count_valid && !next;
  function [32:0] register(input [5:0] number);
    case (number)
      6'd0: register = {1'b1, "PL11"};
      6'd1: register = {1'b1, 32'h0001_0004};
      6'd2: register = {1'b1, 21'd0, r_numbering, r_mode, 7'd0, held};
      6'd3: register = {1'b1, 3'd0, 5'd0, 1'b0, 7'd8, 1'b1, 1'b0, 2'd0, 4'd7, 4'd10, word, any, beat_tvalid, in_game};
      6'd4: register = {1'b1, 28'd0, events};
      6'd5: register = {1'b1, 28'd0, enable};
      6'd6: register = {1'b1, taken, 13'd0, with_, 1'b0};
      6'd8: register = {1'b1, s_games};
      6'd9: register = {1'b1, s_plies};
      6'd10: register = {1'b1, s_bad};
      6'd11: register = {1'b1, s_state};
      6'd12: register = {1'b1, s_any, 27'd0, s_any ? s_first : 4'd0};
      6'd13: register = {1'b1, s_any ? s_first_at : 32'd0};
      6'd14: register = {1'b1, s_any, 27'd0, s_any ? s_last : 4'd0};
      6'd15: register = {1'b1, s_any ? s_last_at : 32'd0};
      6'd32: register = {1'b1, 8'd0, told ? {count_depth, 1'b0, count_last, 1'b1} : 7'd0, !perft_ready || go, 7'd0, root, 4'd0, depth};
      6'd33: register = {1'b1, told ? count[31:0] : 32'd0};
      6'd34: register = {1'b1, told ? count[63:32] : 32'd0};
      6'd38: register = {1'b1, hits};
      default: register = number[5:3] == 3'd2 ? {1'b1, s_board[32*number[2:0] +: 32]} : 33'd0;
    endcase
  endfunction

  // What a clock does: a beat and other events, then what is written, if good.
  wire [5:0] at = awaddr[7:2];
  wire       wrote = awvalid && awready;
  wire       all = &wstrb;
  reg        good, good_start, good_order, is_end, is_bad, snap, clears;
  task advance;
    begin
      good_start = (at == 6'd7 || at[5:3] == 3'd3) && !word && !held && all && !(root && !perft_ready);
      good_order = at == 6'd32 && !(wstrb[0] && wdata[4] && (!perft_ready || (word && word_perft)));
      good = at == 6'd2 || at == 6'd4 || at == 6'd5 || at == 6'd6 || good_start || good_order
             || ((at[5:4] == 2'd3 || at == 6'd36 || at == 6'd37) && all);
      clears = wrote && at == 6'd2 && wstrb[0] && wdata[1];
      is_end = beat_tvalid && !waits && beat_tdata[1:0] == 2'd2;
      is_bad = beat_tvalid && !waits && beat_tdata[1:0] == 2'd3;
      snap = (wrote && at == 6'd6 && wstrb[0] && wdata[0]) || (with_[0] && is_end) || (with_[1] && is_bad);
      if (beat_tvalid && !waits && beat_tdata[1:0] == 2'd0) plies = plies + 1;
      if (is_end) games = games + 1;
      if (is_bad) begin
        bad = bad + 1;
        {last, last_at} = {beat_tdata[11:8], beat_tdata[95:64]};
        if (!any) {first, first_at} = {last, last_at};
        any = 1'b1;
      end
      waits = beat_tvalid && !beat_tready;
      lines = |(events & enable);
      if (wrote && at == 6'd4 && wstrb[0]) events = events & ~wdata[3:0];
      events = events | {hit && !clear_due, count_valid && !counted, is_bad, is_end};
      counted = count_valid;
      if (clears) {games, plies, bad, any, events} = 101'd0;
      if (snap) begin
        taken = taken + 16'd1;
        {s_games, s_plies, s_bad, s_any, s_first, s_first_at, s_last, s_last_at} = {games, plies, bad, any, first, first_at, last, last_at};
        s_state = {beat_tdata[116:112], 2'd0, beat_tdata[7], beat_tdata[123:120], beat_tdata[127:124], beat_tdata[111:96]};
        s_board = board;
      end
      if (word_perft ? perft_load_ready : load_ready) word = 1'b0;
      if (wrote && good_start)
        {word, word_perft, word_addr, word_data} = {1'b1, root, at == 6'd7 ? 4'd8 : {1'b0, at[2:0]}, wdata};
      if (held) word = 1'b0;
      was_held = held;
      clear_due = clears;
      restart = wrote && at == 6'd2 && wstrb[0] && wdata[2];
      {stop, next, go} = {3{wrote && good_order && wstrb[0]}} & {wdata[6], wdata[5] && count_valid, wdata[4]};
      set_due = wrote && good && at >= 6'd36;
      pattern = {at >= 6'd48 ? {1'b0, at[3:0]} : {4'd8, at[0]}, wdata};
      if (wrote && wstrb[0])
        case (at)
          6'd2: held = wdata[0];
          6'd5: enable = wdata[3:0];
          6'd6: with_ = wdata[2:1];
          6'd32: if (good_order) depth = wdata[3:0];
        endcase
      if (wrote && wstrb[1] && at == 6'd2) {r_numbering, r_mode} = wdata[10:8];
      if (wrote && wstrb[1] && good_order) root = wdata[8];
    end
  endtask

  reg         want_bresp, new_aw, new_w, took = 1'b0;
  reg  [32:0] want;
  integer     reads = 0, writes = 0, k;
  reg  [31:0] c, a;

  initial begin
    at_reset;
    for (n = 0; n < CLOCKS && errors == 0; n = n + 1) begin
      c = $random;
      a = $random;
      aresetn = n >= SETTLE && c[31:23] != 0;
      // What is offered stays until it is taken.
      new_aw = !awvalid || took;
      new_w = !wvalid || took;
      if (new_aw) awvalid = c[9:8] != 0;
      if (new_w) wvalid = c[11:10] != 0;
      bready = c[12];
      arvalid = c[13];
      rready = c[15:14] != 0;
      load_ready = c[17:16] == 0;
      {in_game, beat_tready, beat_tvalid} = c[20:18];
      if (new_w) wstrb = c[7:4] | {4{c[3]}};
      if (new_aw) awaddr = {1'b0, a[6:0]};
      araddr = {1'b0, a[13:7]};
      // INTERRUPT often: bits that are set and cleared in the same clock, and what is read of them after it. SNAPSHOT and the counters, too.
      if (new_aw && a[22:21] == 0) awaddr = c[22] ? 8'h10 : 8'h18;
      if (a[24:23] == 0) araddr = c[21] ? 8'h10 : {3'b001, a[11:7]};
      // PERFT and what follows it, of ply11_match, too.
      if (new_aw && a[27:25] == 0) awaddr = {1'b1, a[6:0] & {7{a[28]}}};
      if (a[31:29] == 0) araddr = {3'b100, a[12] & a[11], a[10:7]};
      if (new_w) wdata = $random;
      // CLEAR and RESET are seldom.
      if (new_w && c[2]) wdata[1:0] = wdata[1:0] & {a[16], a[20:19] == 0};
      beat_tdata = {$random, $random, $random, $random};
      board = {$random, board[255:32]};
      {perft_load_ready, perft_ready, count_depth, count_last, count_valid, hit} = $random;
      perft_ready = perft_ready || a[0];
      count = {$random, $random};
      hits = $random;
      #4;
      if (n >= SETTLE) begin
        expect_that({player_reset, player_restart, mode, numbering} === {was_held, restart, r_mode, r_numbering}, "what goes to the player");
        expect_that(irq === lines, "irq");
        expect_that({load_valid, perft_load_valid} === {word && !word_perft, word && word_perft}, "a word of START is offered");
        if (word) expect_that(load_addr === word_addr && load_data === (!word_addr[3] ? word_data
            : {7'd0, word_data[15:0], word_data[19:16], word_data[23:20], word_data[24]}), "a word of START");
        expect_that({perft_reset, perft_valid, count_ready, perft_depth} === {stop, go, next, depth}, "what goes to perft");
        expect_that({match_clear, set_valid} === {clear_due, set_due} && (!set_due || {set_addr, set_data} === pattern), "what goes to the search");
        expect_that(awready === wready && (awready === 1'b0 || (awvalid && wvalid)), "a write that was not offered");
        if (bvalid) expect_that(bresp === {want_bresp, 1'b0}, "the response of a write");
        if (rvalid) expect_that(rresp === {!want[32], 1'b0} && (!want[32] || rdata === want[31:0]), "the value of a register");
        if (bvalid && bready) writes = writes + 1;
        if (rvalid && rready) reads = reads + 1;
        if (arvalid && arready) want = register(araddr[7:2]);
        advance;
        if (wrote) want_bresp = !good;
      end
      if (!aresetn) at_reset;
      took = wrote;
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
