// SPDX-License-Identifier: Apache-2.0
// ply11_perft with free outputs, for proofs of ply11_perft_many with whatever its cores do.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_perft #(parameter DEPTH = 10) (
  input  wire        clk, rst, s_valid,
  output wire        s_ready,
  input  wire [3:0]  s_depth,
  input  wire        load_valid,
  output wire        load_ready,
  input  wire [3:0]  load_addr,
  input  wire [31:0] load_data,
  output wire        m_valid,
  input  wire        m_ready,
  output wire [3:0]  m_depth,
  output wire [63:0] m_count,
  output wire        m_last, job_valid,
  input  wire        job_ready, job_skip
);

  (* anyseq *) reg         f_ready, f_load_ready, f_valid, f_last, f_job;
  (* anyseq *) reg [3:0]   f_depth;
  (* anyseq *) reg [63:0]  f_count;
  assign s_ready = f_ready;
  assign load_ready = f_load_ready;
  assign m_valid = f_valid;
  assign m_depth = f_depth;
  assign m_count = f_count;
  assign m_last = f_last;
  assign job_valid = f_job;

endmodule

`resetall
