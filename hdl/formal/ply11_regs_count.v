// SPDX-License-Identifier: Apache-2.0
// From any state of ply11_regs, whatever it has counted: between two snapshots that are read, GAMES, PLIES and
// ERRORS grow by the beats of their kind that were first offered, modulo 2**32, and the number in
// SNAPSHOT by the snapshots that were taken, modulo 2**16. ok is 0 where that fails. Five clocks are
// enough for a snapshot, a read, another snapshot, a read and its response.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_regs_count (
  input  wire         clk,
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
  output wire         ok
);

  wire        awready, wready, bvalid, arready, rvalid, irq, player_reset, player_restart, load_valid;
  wire [1:0]  bresp, rresp, mode;
  wire [31:0] rdata, load_data;
  wire [3:0]  load_addr, perft_depth;
  wire        perft_reset, perft_valid, perft_load_valid, count_ready;
  ply11_regs #(.MODES(7), .PERFT(10)) u_dut (
    .aclk(clk), .aresetn(1'b1),
    .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
    .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
    .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
    .s_axil_araddr(araddr), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
    .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
    .irq(irq), .player_reset(player_reset), .player_restart(player_restart), .mode(mode),
    .load_valid(load_valid), .load_ready(load_ready), .load_addr(load_addr), .load_data(load_data),
    .beat_tvalid(beat_tvalid), .beat_tready(beat_tready), .beat_tdata(beat_tdata), .board(board),
    .in_game(in_game),
    .perft_reset(perft_reset), .perft_valid(perft_valid), .perft_depth(perft_depth), .perft_load_valid(perft_load_valid),
    .count_ready(count_ready), .perft_ready(perft_ready), .perft_load_ready(perft_load_ready),
    .count_valid(count_valid), .count_depth(count_depth), .count(count), .count_last(count_last),
    .set_valid(), .set_addr(), .set_data(), .match_clear(), .hit(1'b0), .hits(32'd0)
  );

  // ---- what is known of its registers ----
  reg        f_second;      // whether the last clock's beat was taken
  reg        f_waits;
  reg        f_set;         // when snapshots are taken
  reg  [1:0] f_with;
  initial {f_second, f_set} = 2'd0;
  wire       low = awready && wstrb[0];
  wire       asked = low && awaddr[7:2] == 6'd6;
  wire       now = asked && wdata[0];
  wire       clear = low && awaddr[7:2] == 6'd2 && wdata[1];
  wire       fresh = beat_tvalid && !f_waits;
  // END, PLY, ERROR.
  wire [2:0] kind = {beat_tdata[1:0] == 2'd3, beat_tdata[1:0] == 2'd0, beat_tdata[1:0] == 2'd2} & {3{fresh}};
  wire       snap = now || (f_with[0] && kind[0]) || (f_with[1] && kind[2]);
  wire       unsure = !now && !(f_set && f_second) && beat_tvalid;
  always @(posedge clk) begin
    f_second <= 1'b1;
    f_waits <= beat_tvalid && !beat_tready;
    if (asked) f_with <= wdata[2:1];
    if (asked) f_set <= 1'b1;
  end

  // ---- the counters ----
  wire       read = arvalid && arready;
  wire [3:0] right;
  genvar     k;
  generate
    for (k = 0; k < 3; k = k + 1) begin : g_counter
      reg        f_marked;  // since a snapshot nothing was missed
      reg        f_have;    // f_base is what the last snapshot took
      reg        f_read;    // it was asked for in the clock before
      reg [31:0] f_base;
      reg [2:0]  f_since;   // beats after it
      initial {f_marked, f_have, f_read} = 3'd0;
      wire [31:0] base = f_have ? f_base : rdata;
      wire        have = f_have || f_read;
      wire [2:0]  since = f_since + {2'd0, kind[k] && f_second};
      assign right[k] = !f_read || !f_have || rdata == f_base;
      always @(posedge clk) begin
        f_base <= base;
        f_have <= have && f_marked;
        f_since <= since;
        f_read <= read && araddr[7:2] == 6'd8 + k && f_marked && !snap && !unsure && !clear;
        if (snap) begin
          f_marked <= 1'b1;
          f_base <= base + {29'd0, since};
          f_since <= 3'd0;
        end
        if (unsure || clear) begin
          f_marked <= 1'b0;
          f_have <= 1'b0;
        end
      end
    end
  endgenerate

  // ---- the snapshots ----
  reg         f_known, f_asked, f_more;
  reg  [15:0] f_taken;
  initial {f_known, f_asked} = 2'd0;
  wire [15:0] taken = f_known ? f_taken : rdata[31:16] + {15'd0, f_more};
  // What was read, as it was in the clock before.
  assign right[3] = !f_asked || !f_known || rdata[31:16] + {15'd0, f_more} == f_taken;
  always @(posedge clk) begin
    f_asked <= read && araddr[7:2] == 6'd6 && !unsure;
    f_more <= snap;
    f_known <= (f_known || f_asked) && !unsure;
    f_taken <= taken + {15'd0, snap};
  end

  assign ok = &right;

endmodule

`resetall
