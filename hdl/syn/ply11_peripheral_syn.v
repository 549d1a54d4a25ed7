// SPDX-License-Identifier: Apache-2.0
// ply11_peripheral with fewer pins, so that it can be placed and routed by itself: its records go out as
// four words of 32 bits, low bits first, with one register for a record. With MATCH the game's number is a fifth.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_peripheral_syn #(
  parameter MODES = 3,
  parameter WIDTH = 8,
  parameter LAYOUT = 0,
  parameter DIALECT = 0,
  parameter DEPTH = 0,
  parameter PERFT = 0,
  parameter MATCH = 0
) (
  input  wire               clk,
  input  wire               resetn,

  input  wire [7:0]         awaddr,
  input  wire               awvalid,
  output wire               awready,
  input  wire [31:0]        wdata,
  input  wire [3:0]         wstrb,
  input  wire               wvalid,
  output wire               wready,
  output wire [1:0]         bresp,
  output wire               bvalid,
  input  wire               bready,
  input  wire [7:0]         araddr,
  input  wire               arvalid,
  output wire               arready,
  output wire [31:0]        rdata,
  output wire [1:0]         rresp,
  output wire               rvalid,
  input  wire               rready,
  output wire               irq,

  input  wire               s_tvalid,
  output wire               s_tready,
  input  wire [WIDTH-1:0]   s_tdata,
  input  wire [WIDTH/8-1:0] s_tkeep,
  input  wire               s_tlast,

  output wire               m_tvalid,
  input  wire               m_tready,
  output wire [31:0]        m_tdata,
  output wire               m_tlast,

  output wire               text_tvalid,
  input  wire               text_tready,
  output wire [7:0]         text_tdata,
  output wire               text_tlast
);

  localparam WORDS = MATCH != 0 ? 5 : 4;
  wire         valid, last;
  wire [159:0] data;
  /* verilator lint_off UNUSEDSIGNAL */
  wire [34:0]  text_tuser;
  /* verilator lint_on UNUSEDSIGNAL */
  reg  [32*WORDS-1:0] data_q;
  reg          last_q;
  reg  [2:0]   left_q;

  ply11_peripheral #(.MODES(MODES), .WIDTH(WIDTH), .LAYOUT(LAYOUT), .DIALECT(DIALECT), .DEPTH(DEPTH),
                     .PERFT(PERFT), .MATCH(MATCH)) u_peripheral (
    .aclk(clk), .aresetn(resetn),
    .s_axil_awaddr(awaddr), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
    .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
    .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
    .s_axil_araddr(araddr), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
    .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
    .irq(irq),
    .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready), .s_axis_tdata(s_tdata), .s_axis_tkeep(s_tkeep),
    .s_axis_tlast(s_tlast),
    .m_axis_tvalid(valid), .m_axis_tready(left_q == 3'd0), .m_axis_tdata(data[127:0]), .m_axis_tlast(last),
    .m_axis_tuser(data[159:128]),
    .m_axis_text_tvalid(text_tvalid), .m_axis_text_tready(text_tready), .m_axis_text_tdata(text_tdata),
    .m_axis_text_tlast(text_tlast), .m_axis_text_tuser(text_tuser)
  );

  assign m_tvalid = left_q != 3'd0;
  assign m_tdata  = data_q[31:0];
  assign m_tlast  = last_q && left_q == 3'd1;
  always @(posedge clk) begin
    if (left_q == 3'd0) begin
      data_q <= data[32*WORDS-1:0];
      last_q <= last;
      if (valid) left_q <= WORDS[2:0];
    end else if (m_tready) begin
      data_q <= data_q >> 32;
      left_q <= left_q - 3'd1;
    end
    if (!resetn) left_q <= 3'd0;
  end

endmodule

`resetall
