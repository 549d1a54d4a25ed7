// SPDX-License-Identifier: Apache-2.0
// ply11_unpack's last stage, for all time from a reset on, for any idle, back-pressure and skip_idle: the
// words that leave are those that leave its gearbox, in their order, none lost, doubled or made up, but
// for words of ones in whose clock skip_idle is 1; a word that waits does so unchanged, and nothing is
// taken meanwhile. What leaves the gearbox ply11_gearbox_stream is about. ok is 0 where one of this fails.
// The wires with dots are those of the instance (hierconn).

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_unpack_skip #(
  parameter WIDTH = 8
) (
  input  wire             clk,
  input  wire             reset,
  input  wire             skip_idle,
  input  wire             s_valid,
  input  wire [WIDTH-1:0] s_data,
  input  wire             m_ready,
  output wire             ok
);

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started || reset;

  wire        s_ready, m_valid;
  wire [10:0] m_data;
  ply11_unpack #(.WIDTH(WIDTH)) u_dut (
    .clk(clk), .rst(rst), .skip_idle(skip_idle),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
    .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
  );

  (* hierconn *) wire        \u_dut.g_valid , \u_dut.g_ready ;
  (* hierconn *) wire [10:0] \u_dut.g_data ;
  wire enters = \u_dut.g_valid && \u_dut.g_ready ;

  // The one word that is between the gearbox and the output.
  reg        f_due;
  reg [10:0] f_word;
  always @(posedge clk) begin
    f_started <= 1'b1;
    if (m_ready) f_due <= 1'b0;
    if (enters && !(skip_idle && \u_dut.g_data == 11'd2047)) begin
      f_due <= 1'b1;
      f_word <= \u_dut.g_data ;
    end
    if (rst) f_due <= 1'b0;
  end

  assign ok = rst || (m_valid == f_due && (!m_valid || m_data == f_word) && (!m_valid || m_ready || ! \u_dut.g_ready ));

endmodule

`resetall
