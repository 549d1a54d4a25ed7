// SPDX-License-Identifier: Apache-2.0
// From any state of ply11_regs: a response that is not taken waits unchanged; a write is taken, address and
// data together, only where both are offered and no response would be overwritten; a read likewise; and
// each gives a response. ok is 0 where that fails, from the third clock on.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_regs_hold (
  input  wire         clk,
  input  wire [6:0]   awaddr,
  input  wire         awvalid,
  input  wire [31:0]  wdata,
  input  wire [3:0]   wstrb,
  input  wire         wvalid,
  input  wire         bready,
  input  wire [6:0]   araddr,
  input  wire         arvalid,
  input  wire         rready,
  input  wire         beat_tvalid,
  input  wire         beat_tready,
  input  wire [127:0] beat_tdata,
  input  wire [255:0] board,
  input  wire         in_game,
  output wire         ok
);

  wire        awready, wready, bvalid, arready, rvalid, irq, player_aresetn;
  wire [1:0]  bresp, rresp, mode;
  wire [31:0] rdata;

  // An address and data that are offered stay, whatever comes.
  reg         f_aw, f_w;
  wire        offered_aw = awvalid || f_aw, offered_w = wvalid || f_w;

  ply11_regs u_dut (
    .aclk(clk), .aresetn(1'b1),
    .s_axil_awaddr(awaddr), .s_axil_awvalid(offered_aw), .s_axil_awready(awready),
    .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(offered_w), .s_axil_wready(wready),
    .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
    .s_axil_araddr(araddr), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
    .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
    .irq(irq), .player_aresetn(player_aresetn), .mode(mode),
    .beat_tvalid(beat_tvalid), .beat_tready(beat_tready), .beat_tdata(beat_tdata), .board(board),
    .in_game(in_game)
  );

  reg         f_second, f_third, f_b, f_r, f_wrote, f_read;
  reg  [1:0]  f_bresp, f_rresp;
  reg  [31:0] f_rdata;
  initial {f_second, f_third} = 2'd0;
  always @(posedge clk) begin
    f_second <= 1'b1;
    f_third <= f_second;
    {f_aw, f_w} <= {offered_aw && !awready, offered_w && !wready};
    {f_b, f_r} <= {bvalid && !bready, rvalid && !rready};
    {f_wrote, f_read} <= {awvalid && awready, arvalid && arready};
    {f_bresp, f_rresp, f_rdata} <= {bresp, rresp, rdata};
  end
  // In an arbitrary first clock a write may be taken over a response; never again.
  assign ok = (!f_third || ((!f_b || (bvalid && bresp == f_bresp))
                            && (!f_r || (rvalid && rresp == f_rresp && rdata == f_rdata))
                            && (!f_wrote || bvalid) && (!f_read || rvalid)
                            && awready == wready && (!awready || (offered_aw && offered_w && !bvalid))))
              && !(arready && rvalid);

endmodule

`resetall
