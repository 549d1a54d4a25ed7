// SPDX-License-Identifier: Apache-2.0
// ply11_uart whose line comes back to itself, for any bytes and idle, from a reset on: every byte that is
// accepted is received, once, unchanged and in its order, at most four clocks after the next could be sent,
// and no other; broken never comes; a byte takes 10*CLOCKS clocks. ok is 0 where one of this fails.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_uart_loop #(
  parameter CLOCKS = 4
) (
  input  wire       clk,
  input  wire       s_valid,
  input  wire [7:0] s_data,
  output wire       ok
);

  reg f_started;
  initial f_started = 1'b0;
  wire rst = !f_started;

  wire       line, m_valid, broken, s_ready;
  wire [7:0] m_data;
  ply11_uart #(.CLOCKS(CLOCKS)) u_dut (
    .clk(clk), .rst(rst), .rx(line), .tx(line),
    .m_valid(m_valid), .m_data(m_data), .broken(broken),
    .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data)
  );

  reg  [1:0] f_due;       // bytes on their way
  reg  [7:0] f_byte, f_next;
  reg [15:0] f_clocks;    // since one was accepted, while it is sent
  reg  [2:0] f_after;     // since it was sent
  wire       take = s_valid && s_ready;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_due <= f_due + {1'b0, take} - {1'b0, m_valid};
    if (m_valid) f_byte <= f_next;
    if (take) begin
      if (f_due == {1'b0, m_valid}) f_byte <= s_data;
      f_next <= s_data;
      f_clocks <= 16'd1;
    end else if (f_clocks != 16'd0) f_clocks <= f_clocks == 10*CLOCKS ? 16'd0 : f_clocks + 16'd1;
    f_after <= !s_ready ? 3'd0 : f_after == 3'd7 ? 3'd7 : f_after + 3'd1;
    if (rst) begin
      f_due <= 2'd0;
      f_clocks <= 16'd0;
    end
  end

  assign ok = rst
    || (!broken && (!m_valid || (f_due != 2'd0 && m_data == f_byte)) && f_due <= 2'd2
        && (f_after < 3'd5 || !s_ready || f_due == 2'd0)
        && s_ready == (f_clocks == 16'd0));

endmodule

`resetall
