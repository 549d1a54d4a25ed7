// SPDX-License-Identifier: Apache-2.0
// ply11_regs, for all time from a reset on, for any use of its ports:
//   1. a response that is not taken waits unchanged;
//   2. each write and each read that is taken has one response, the clock after, and there is no other;
//   3. a write is taken, address and data together, only where both are offered and no response waits, a
//      read where none waits; and no later than three clocks after that;
//   4. a word of START waits unchanged until the player, or perft, takes it or the player is reset;
//   5. irq tells of each END, each ERROR, each count of perft, when first offered, and each hit but those in the clock of match_clear,
//      that is enabled and has not been cleared since: one that comes in the clock in which its bit is cleared is not lost;
//   6. an order for perft is offered in the clock after a write of GO that was accepted, and only then;
//   7. ply11_match gets a word of the pattern in the clock after a write of it with all strobes, and only then; other writes of it have SLVERR.
// ok is 0 where one fails.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_regs_hold (
  input  wire         clk,
  input  wire         reset,
  input  wire [7:0]   awaddr,
  input  wire         awvalid,
  input  wire [31:0]  wdata,
  input  wire [3:0]   wstrb,
  input  wire         wvalid,
  input  wire         bready,
  input  wire [7:0]   araddr,
  input  wire         arvalid,
  input  wire         rready,
  input  wire         load_ready,
  input  wire         beat_tvalid,
  input  wire         beat_tready,
  input  wire [127:0] beat_tdata,
  input  wire [255:0] board,
  input  wire         in_game,
  input  wire         perft_ready,
  input  wire         perft_load_ready,
  input  wire         count_valid,
  input  wire [3:0]   count_depth,
  input  wire [63:0]  count,
  input  wire         count_last,
  input  wire         hit,
  input  wire [31:0]  hits,
  output wire         ok
);

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started || reset;

  wire        awready, wready, bvalid, arready, rvalid, irq, player_reset, player_restart, load_valid;
  wire [1:0]  bresp, rresp, mode;
  wire [3:0]  load_addr, perft_depth;
  wire        perft_reset, perft_valid, perft_load_valid, count_ready;
  wire [31:0] rdata, load_data;

  // An address and data that are offered stay, whatever comes.
  reg         f_aw, f_w, f_ar;
  wire        offered_aw = awvalid || f_aw, offered_w = wvalid || f_w, offered_ar = arvalid || f_ar;

  wire        set_valid, match_clear;
  wire [4:0]  set_addr;
  wire [31:0] set_data;
  ply11_regs #(.PERFT(10), .MATCH(1)) u_dut (
    .aclk(clk), .aresetn(!rst),
    .s_axil_awaddr(awaddr), .s_axil_awvalid(offered_aw), .s_axil_awready(awready),
    .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(offered_w), .s_axil_wready(wready),
    .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
    .s_axil_araddr(araddr), .s_axil_arvalid(offered_ar), .s_axil_arready(arready),
    .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
    .irq(irq), .player_reset(player_reset), .player_restart(player_restart), .mode(mode),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .beat_tvalid(beat_tvalid), .beat_tready(beat_tready), .beat_tdata(beat_tdata), .board(board),
    .in_game(in_game),
    .perft_reset(perft_reset), .perft_valid(perft_valid), .perft_depth(perft_depth), .perft_load_valid(perft_load_valid),
    .count_ready(count_ready), .perft_ready(perft_ready), .perft_load_ready(perft_load_ready),
    .count_valid(count_valid), .count_depth(count_depth), .count(count), .count_last(count_last),
    .set_valid(set_valid), .set_addr(set_addr), .set_data(set_data), .match_clear(match_clear), .hit(hit), .hits(hits)
  );

  wire        wrote = offered_aw && awready && offered_w && wready;
  wire        read = offered_ar && arready;
  reg         f_wrote, f_read;            // a response is due or waits
  reg         f_b, f_r, f_load;           // one waits
  reg  [33:0] f_rbeat;
  reg  [1:0]  f_bresp, f_wslow, f_rslow;
  reg  [36:0] f_word;

  reg         f_waits, f_counted, f_irq, f_go;
  reg  [3:0]  f_event, f_enable;
  reg         f_clear, f_set, f_lost;
  reg  [36:0] f_pattern;
  wire        low = wrote && wstrb[0];
  // A write of a word of the pattern, and its number.
  wire        at_pattern = wrote && (awaddr >= 8'hc0 || awaddr[7:2] == 6'd36 || awaddr[7:2] == 6'd37);
  wire [4:0]  word = awaddr >= 8'hc0 ? {1'b0, awaddr[5:2]} : awaddr[7:2] == 6'd36 ? 5'd16 : 5'd17;
  wire [3:0]  event_ = {hit && !f_clear, count_valid && !f_counted, {beat_tdata[1:0] == 2'd3, beat_tdata[1:0] == 2'd2} & {2{beat_tvalid && !f_waits}}};
  always @(posedge clk) begin
    f_waits <= beat_tvalid && !beat_tready;
    f_counted <= count_valid;
    f_irq <= (f_event[0] && f_enable[0]) || (f_event[1] && f_enable[1]) || (f_event[2] && f_enable[2])
             || (f_event[3] && f_enable[3]);
    f_go <= low && awaddr[7:2] == 6'd32 && wdata[4] && perft_ready && !perft_load_valid;
    if (low && awaddr[7:2] == 6'd5) f_enable <= wdata[3:0];
    if (low && awaddr[7:2] == 6'd4) f_event <= f_event & ~wdata[3:0];
    if (event_[0]) f_event[0] <= 1'b1;
    if (event_[1]) f_event[1] <= 1'b1;
    if (event_[2]) f_event[2] <= 1'b1;
    if (event_[3]) f_event[3] <= 1'b1;
    if (low && awaddr[7:2] == 6'd2 && wdata[1]) f_event <= 4'd0;
    f_clear <= low && awaddr[7:2] == 6'd2 && wdata[1];
    f_set <= at_pattern && (&wstrb);
    f_lost <= at_pattern && !(&wstrb);
    f_pattern <= {word, wdata};
    if (rst) {f_waits, f_counted, f_irq, f_go, f_event, f_enable, f_clear, f_set, f_lost} <= 15'd0;
  end

  always @(posedge clk) begin
    f_started <= 1'b1;
    {f_aw, f_w, f_ar} <= {offered_aw && !awready, offered_w && !wready, offered_ar && !arready} & {3{!rst}};
    f_wrote <= wrote || (f_wrote && !bready);
    f_read <= read || (f_read && !rready);
    {f_b, f_r} <= {bvalid && !bready, rvalid && !rready};
    {f_bresp, f_rbeat} <= {bresp, rresp, rdata};
    f_wslow <= offered_aw && offered_w && !wrote && !bvalid ? f_wslow + 2'd1 : 2'd0;
    f_rslow <= offered_ar && !read && !rvalid ? f_rslow + 2'd1 : 2'd0;
    f_load <= (load_valid && !load_ready) || (perft_load_valid && !perft_load_ready);
    f_word <= {perft_load_valid, load_addr, load_data};
    if (rst) {f_wrote, f_read, f_b, f_r, f_wslow, f_rslow, f_load} <= 9'd0;
  end

  assign ok = rst
    || ((!f_b || bresp == f_bresp) && (!f_r || {rresp, rdata} == f_rbeat)
        && bvalid == f_wrote && rvalid == f_read
        && awready == wready && (!awready || (offered_aw && offered_w && !bvalid)) && !(arready && rvalid)
        && set_valid == f_set && (!f_set || {set_addr, set_data, bresp} == {f_pattern, 2'd0}) && (!f_lost || bresp == 2'd2)
        && match_clear == f_clear
        && irq == f_irq && perft_valid == f_go && !(load_valid && perft_load_valid)
        && f_wslow != 2'd3 && f_rslow != 2'd3
        && (!f_load || player_reset || ((load_valid || perft_load_valid) && {perft_load_valid, load_addr, load_data} == f_word)));

endmodule

`resetall
