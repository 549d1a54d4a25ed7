// SPDX-License-Identifier: Apache-2.0
// ply11_decode_pipe: an index of 11 bits to a move, in stages.
// Latency: 2 clocks. Throughput: one a clock.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_decode_pipe #(
  // 1: valid/ready on both sides; the whole pipeline stops while the output is not taken.
  // 0: always ready, no back-pressure: m_ready is ignored and valid only travels along.
  parameter HANDSHAKE = 1
) (
  input  wire        clk,
  input  wire        rst,

  input  wire        s_valid,
  output wire        s_ready,
  input  wire [10:0] s_index,

  output wire        m_valid,
  input  wire        m_ready,
  output reg  [ 5:0] m_from,
  output reg  [ 5:0] m_to,
  output reg  [ 2:0] m_promotion,
  output reg         m_is_move
);

  reg v1, v2;
  wire en = (HANDSHAKE == 0) || m_ready || !v2;
  assign s_ready = en;
  assign m_valid = v2;
  always @(posedge clk)
    if (rst) {v2, v1} <= 2'b00;
    else if (en) {v2, v1} <= {v1, s_valid};
  reg [10:0] i1;
  wire [5:0] f, t; wire [2:0] p; wire m;
  ply11_decode u_decode (.index(i1), .from(f), .to(t), .promotion(p), .is_move(m));
  always @(posedge clk) if (en) begin
    i1 <= s_index;
    {m_from, m_to, m_promotion, m_is_move} <= {f, t, p, m};
  end

endmodule

`resetall
