// SPDX-License-Identifier: Apache-2.0
// What the pipeline puts out is what the combinational ply11_decode makes of the input LATENCY
// accepted clocks ago, from any state and with any pattern of stalls. ok is not meaningful before
// LATENCY clocks have been accepted; f_seen tells.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_decode_pipe_data #(
  parameter LATENCY   = 4,
  parameter HANDSHAKE = 1
) (
  input  wire        clk,
  input  wire        s_valid,
  input  wire        m_ready,
  input  wire [10:0] s_index,
  output wire        ok
);

  localparam W = 11;

  wire s_ready, m_valid;
  wire [ 5:0] m_from, m_to, from, to;
  wire [ 2:0] m_promotion, promotion;
  wire        m_is_move, is_move;

  ply11_decode_pipe #(
    .HANDSHAKE(HANDSHAKE)
  ) u_dut (
    .clk        (clk),
    .rst        (1'b0),
    .s_valid    (s_valid),
    .s_ready    (s_ready),
    .s_index    (s_index),
    .m_valid    (m_valid),
    .m_ready    (m_ready),
    .m_from     (m_from),
    .m_to       (m_to),
    .m_promotion(m_promotion),
    .m_is_move  (m_is_move)
  );

  // The inputs and the valid bits of the last LATENCY accepted clocks.
  reg [W*LATENCY-1:0] line;
  reg [  LATENCY-1:0] line_valid;
  reg [  LATENCY-1:0] f_seen;
  initial f_seen = {LATENCY{1'b0}};
  always @(posedge clk) begin
    if (s_ready) begin
      line       <= {line[W*(LATENCY-1)-1:0], s_index};
      line_valid <= {line_valid[LATENCY-2:0], s_valid};
      f_seen     <= {f_seen[LATENCY-2:0], 1'b1};
    end
  end

  ply11_decode u_decode (
    .index    (line[W*LATENCY-1-:W]),
    .from     (from),
    .to       (to),
    .promotion(promotion),
    .is_move  (is_move)
  );

  assign ok = !f_seen[LATENCY-1] || (m_valid == line_valid[LATENCY-1]
      && (m_is_move == is_move
      && (!is_move || (m_from == from && m_to == to && m_promotion == promotion))));

endmodule

`resetall
