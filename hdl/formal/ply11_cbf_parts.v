// SPDX-License-Identifier: Apache-2.0
// In the place of ply11_chessbase, for the proof of ply11_cbf: it takes a number, and some time later gives an answer, any one.
`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_chessbase (
  input  wire         clk,
  input  wire         rst,
  input  wire         s_valid,
  output wire         s_ready,
  input  wire [6:0]   s_number,
  input  wire         cbascii,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   ep,
  output wire         m_valid,
  input  wire         m_ready,
  output wire         m_none,
  output wire [10:0]  m_index,
  output wire [3:0]   m_ep
);

  reg        run_q;
  (* anyseq *) wire        now, none;
  (* anyseq *) wire [10:0] index;
  (* anyseq *) wire [3:0]  file;
  assign s_ready = !run_q;
  assign m_valid = run_q && now;
  assign {m_none, m_index, m_ep} = {none, index, file};
  always @(posedge clk) begin
    if (s_valid) run_q <= 1'b1;
    if (m_valid && m_ready) run_q <= 1'b0;
    if (rst) run_q <= 1'b0;
  end

endmodule

`resetall
