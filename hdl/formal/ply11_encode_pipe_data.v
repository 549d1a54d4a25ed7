// SPDX-License-Identifier: Apache-2.0
// What the pipeline puts out is what the combinational ply11_encode makes of the input LATENCY
// accepted clocks ago, from any state and with any pattern of stalls. ok is not meaningful before
// LATENCY clocks have been accepted; f_seen tells.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_encode_pipe_data #(
  parameter LATENCY   = 2,
  parameter HANDSHAKE = 1
) (
  input  wire        clk,
  input  wire        s_valid,
  input  wire        m_ready,
  input  wire [14:0] s_move,
  output wire        ok
);

  localparam W = 15;

  wire s_ready, m_valid;
  wire [10:0] m_index, index;
  wire        m_is_move, is_move;
  wire [14:0] last = line[W*LATENCY-1-:W];

  ply11_encode_pipe #(
    .HANDSHAKE(HANDSHAKE)
  ) u_dut (
    .clk        (clk),
    .rst        (1'b0),
    .s_valid    (s_valid),
    .s_ready    (s_ready),
    .s_from     (s_move[5:0]),
    .s_to       (s_move[11:6]),
    .s_promotion(s_move[14:12]),
    .m_valid    (m_valid),
    .m_ready    (m_ready),
    .m_index    (m_index),
    .m_is_move  (m_is_move)
  );

  // The inputs and the valid bits of the last LATENCY accepted clocks.
  reg [W*LATENCY-1:0] line;
  reg [  LATENCY-1:0] line_valid;
  reg [  LATENCY-1:0] f_seen;
  initial f_seen = {LATENCY{1'b0}};
  always @(posedge clk) begin
    if (s_ready) begin
      line       <= {line[W*(LATENCY-1)-1:0], s_move};
      line_valid <= {line_valid[LATENCY-2:0], s_valid};
      f_seen     <= {f_seen[LATENCY-2:0], 1'b1};
    end
  end

  ply11_encode u_encode (
    .from     (last[5:0]),
    .to       (last[11:6]),
    .promotion(last[14:12]),
    .index    (index),
    .is_move  (is_move)
  );

  assign ok = !f_seen[LATENCY-1] || (m_valid == line_valid[LATENCY-1]
      && (m_is_move == is_move && (!is_move || m_index == index)));

endmodule

`resetall
