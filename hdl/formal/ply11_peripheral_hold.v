// SPDX-License-Identifier: Apache-2.0
// The streams of ply11_peripheral, for any packets, writes, reads, idle and back-pressure, by induction and so
// for all time: a beat on m_axis that is not taken waits unchanged while a packet is played, and with MATCH always, a byte
// on m_axis_text always, also while software resets the player or clears the counts. See ply11_axis_hold, and
// ply11_regs_hold for responses of the registers. The wires with dots are those of the instances (hierconn).

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_peripheral_hold #(
  parameter MODES = 1,
  parameter WIDTH = 8,
  parameter DEPTH = 0,
  parameter MATCH = 0
) (
  input  wire               clk,
  input  wire               rst,
  input  wire [7:0]         awaddr,
  input  wire               awvalid,
  input  wire [31:0]        wdata,
  input  wire [3:0]         wstrb,
  input  wire               wvalid,
  input  wire               bready,
  input  wire [7:0]         araddr,
  input  wire               arvalid,
  input  wire               rready,
  input  wire               s_valid,
  input  wire [WIDTH-1:0]   s_data,
  input  wire [WIDTH/8-1:0] s_keep,
  input  wire               s_last,
  input  wire               m_ready,
  input  wire               t_ready
);

  wire         awready, wready, bvalid, arready, rvalid, irq;
  wire [1:0]   bresp, rresp;
  wire [31:0]  rdata;
  wire         s_ready, m_valid, m_last, t_valid, t_last;
  wire [127:0] m_data;
  wire [7:0]   t_data;
  wire [34:0]  t_user;
  wire [31:0]  m_user;
  ply11_peripheral #(.MODES(MODES), .WIDTH(WIDTH), .DEPTH(DEPTH), .MATCH(MATCH)) u_dut (
    .aclk(clk), .aresetn(!rst),
    .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_wdata(wdata),
    .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_bresp(bresp),
    .s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_araddr(araddr), .s_axil_arvalid(arvalid),
    .s_axil_arready(arready), .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid),
    .s_axil_rready(rready), .irq(irq),
    .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(s_data), .s_axis_tkeep(s_keep),
    .s_axis_tlast(s_last),
    .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tdata(m_data), .m_axis_tlast(m_last), .m_axis_tuser(m_user),
    .m_axis_text_tvalid(t_valid), .m_axis_text_tready(t_ready), .m_axis_text_tdata(t_data),
    .m_axis_text_tlast(t_last), .m_axis_text_tuser(t_user)
  );

  (* hierconn *) wire [1:0] \u_dut.u_player.state_q ;
  localparam [1:0] OPEN = 2'd1, FLUSH = 2'd2;
  wire         plays = MATCH != 0 || \u_dut.u_player.state_q == OPEN || \u_dut.u_player.state_q == FLUSH;
  wire         up = !rst;

  // m_axis_tdata's depth is about variations.
  wire [155:0] beat = {m_user, m_last, m_data[127:117], m_data[111:0]};
  wire [43:0]  text = {t_last, t_data, t_user};
  reg          f_started, f_wait, f_text_wait;
  reg  [155:0] f_beat;
  reg  [43:0]  f_text;
  initial f_started = 1'b0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (!f_started) assume (rst);
    f_wait <= m_valid && !m_ready && up && f_started && plays;
    f_beat <= beat;
    f_text_wait <= t_valid && !t_ready && up && f_started;
    f_text <= text;
    if (f_started) begin
      if (f_wait) a_beat: assert (m_valid && beat == f_beat);
      if (f_text_wait) a_text: assert (t_valid && text == f_text);
    end
  end

endmodule

`resetall
