// SPDX-License-Identifier: Apache-2.0
// ply11_uart - asynchronous serial, eight data bits, no parity, one stop bit.
//
// Receiver: rx passes two registers. A start bit that still holds in its middle is followed by eight samples,
// CLOCKS apart, the low bit first. m_valid is 1 for one clock with a byte whose stop bit is 1, in the middle of that
// bit. There is no back-pressure. broken is 1 for one clock if the stop bit is 0: a framing error, or a break (then
// all bits are 0). The receiver then waits until the line rises.
// Transmitter: a byte that is taken with s_valid and s_ready goes out in 10*CLOCKS clocks. s_ready is 0 meanwhile.
// tx comes from a register. It is 1 when idle, also before the reset where registers come up as 0.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_uart #(
  // Clocks of a bit, 4..65535: the clock's frequency over the baud rate.
  parameter CLOCKS = 104
) (
  input  wire       clk,      // the clock; all ports belong to its rising edge
  input  wire       rst,      // synchronous reset, active high

  input  wire       rx,       // serial line in, idle 1; any clock
  output wire       tx,       // serial line out, idle 1

  output reg        m_valid,  // 1 for one clock: a byte was received
  output reg  [7:0] m_data,   // the byte, with m_valid
  output reg        broken,   // 1 for one clock: the stop bit was 0

  input  wire       s_valid,  // 1: a byte is offered
  output wire       s_ready,  // 1: the byte is taken in this clock if s_valid is 1
  input  wire [7:0] s_data    // the byte
);

  generate
    if (CLOCKS < 4 || CLOCKS > 65535) begin : g_check_clocks
      ply11_uart_clocks_is_4_to_65535 u_check ();
    end
  endgenerate

  localparam [31:0] LAST = CLOCKS - 1, MIDDLE = CLOCKS / 2 - 1;
  localparam [15:0] WHOLE = LAST[15:0], HALF = MIDDLE[15:0];

  // ---- receiver ----
  reg  [1:0]  line_q;
  reg         busy_q, lost_q;
  reg  [3:0]  bit_q;        // 0 start, 1..8 data, 9 stop
  reg  [15:0] wait_q;

  always @(posedge clk) begin
    line_q <= {line_q[0], rx};
    m_valid <= 1'b0;
    broken <= 1'b0;
    if (!busy_q) begin
      bit_q <= 4'd0;
      wait_q <= HALF;
      if (line_q[1]) lost_q <= 1'b0;
      else if (!lost_q) busy_q <= 1'b1;
    end else if (wait_q != 16'd0) begin
      wait_q <= wait_q - 16'd1;
    end else begin
      wait_q <= WHOLE;
      bit_q <= bit_q + 4'd1;
      if (bit_q == 4'd0) begin
        if (line_q[1]) busy_q <= 1'b0;     // a glitch, not a start bit
      end else if (bit_q == 4'd9) begin
        busy_q <= 1'b0;
        m_valid <= line_q[1];
        broken <= !line_q[1];
        lost_q <= !line_q[1];
      end else begin
        m_data <= {line_q[1], m_data[7:1]};
      end
    end
    if (rst) begin
      line_q <= 2'b11;
      busy_q <= 1'b0;
      lost_q <= 1'b0;
      m_valid <= 1'b0;
      broken <= 1'b0;
    end
  end

  // ---- transmitter ----
  reg         space_q;      // the line, inverted
  assign tx = !space_q;
  reg  [8:0]  shift_q;
  reg  [3:0]  left_q;       // bits to go, the stop bit included
  reg  [15:0] pace_q;
  assign s_ready = left_q == 4'd0;

  always @(posedge clk) begin
    if (left_q == 4'd0) begin
      pace_q <= WHOLE;
      space_q <= 1'b0;
      if (s_valid) begin
        space_q <= 1'b1;
        shift_q <= {1'b1, s_data};
        left_q <= 4'd10;
      end
    end else if (pace_q != 16'd0) begin
      pace_q <= pace_q - 16'd1;
    end else begin
      pace_q <= WHOLE;
      left_q <= left_q - 4'd1;
      space_q <= left_q != 4'd1 && !shift_q[0];
      shift_q <= {1'b1, shift_q[8:1]};
    end
    if (rst) begin
      space_q <= 1'b0;
      left_q <= 4'd0;
    end
  end

endmodule

`resetall
