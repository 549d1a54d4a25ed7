// SPDX-License-Identifier: Apache-2.0
// ply11_encode_pipe: a move to an index of 11 bits, in stages.
// Latency: 2 clocks. Throughput: one a clock.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_encode_pipe #(
  // 1: valid/ready on both sides; the whole pipeline stops while the output is not taken.
  // 0: always ready, no back-pressure: m_ready is ignored and valid only travels along.
  parameter HANDSHAKE = 1
) (
  input  wire        clk,
  input  wire        rst,

  input  wire        s_valid,
  output wire        s_ready,
  input  wire [ 5:0] s_from,
  input  wire [ 5:0] s_to,
  input  wire [ 2:0] s_promotion,

  output wire        m_valid,
  input  wire        m_ready,
  output reg  [10:0] m_index,
  output reg         m_is_move
);

  reg v1, v2;
  wire en = (HANDSHAKE == 0) || m_ready || !v2;
  assign s_ready = en;
  assign m_valid = v2;
  always @(posedge clk)
    if (rst) {v2, v1} <= 2'b00;
    else if (en) {v2, v1} <= {v1, s_valid};
  reg [14:0] i1;
  wire [10:0] x; wire m;
  ply11_encode u_encode (.from(i1[5:0]), .to(i1[11:6]), .promotion(i1[14:12]), .index(x), .is_move(m));
  always @(posedge clk) if (en) begin
    i1 <= {s_promotion, s_to, s_from};
    {m_index, m_is_move} <= {x, m};
  end

endmodule

`resetall
