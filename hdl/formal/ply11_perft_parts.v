// SPDX-License-Identifier: Apache-2.0
// The modules in ply11_perft with free outputs, in place of ply11_board and ply11_moves, for proofs of ply11_perft with whatever
// these give it.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_board #(
  parameter USER_WIDTH = 1,
  parameter STOP = 0
) (
  input  wire                  clk, rst, s_valid,
  output wire                  s_ready,
  input  wire [1:0]            s_op,
  input  wire [10:0]           s_index,
  input  wire [USER_WIDTH-1:0] s_user,
  input  wire                  load_valid,
  output wire                  load_ready,
  input  wire [3:0]            load_addr,
  input  wire [31:0]           load_data,
  output wire                  next_valid,
  output wire [1:0]            next_op,
  input  wire                  hush,
  output wire                  m_valid,
  input  wire                  m_ready,
  output wire [1:0]            m_op,
  output wire [USER_WIDTH-1:0] m_user,
  output wire [2:0]            m_error,
  output wire [5:0]            m_from, m_to,
  output wire [2:0]            m_promotion,
  output wire [3:0]            m_piece, m_captured,
  output wire [255:0]          board,
  output wire                  side,
  output wire [3:0]            rights, ep,
  output wire [15:0]           ply
);

  (* anyseq *) reg         f_load_ready, f_valid, f_side;
  (* anyseq *) reg [255:0] f_board;
  (* anyseq *) reg [23:0]  f_state;
  assign load_ready = f_load_ready;
  assign m_valid = f_valid;
  assign board = f_board;
  assign side = f_side;
  assign {rights, ep, ply} = f_state;

endmodule

module ply11_moves (
  input  wire         clk, rst, s_valid,
  output wire         s_ready,
  input  wire [255:0] board,
  input  wire         side,
  input  wire [3:0]   rights, ep,
  output wire         m_valid,
  input  wire         m_ready,
  output wire [10:0]  m_index,
  output wire         m_last,
  output wire [8:0]   m_count,
  output wire         m_check, m_mate, m_stalemate
);

  (* anyseq *) reg         f_ready, f_valid, f_last;
  (* anyseq *) reg [10:0]  f_index;
  (* anyseq *) reg [8:0]   f_count;
  assign s_ready = f_ready;
  assign m_valid = f_valid;
  assign m_last = f_last;
  assign m_index = f_index;
  assign m_count = f_count;

endmodule

`resetall
