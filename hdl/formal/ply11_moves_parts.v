// SPDX-License-Identifier: Apache-2.0
// The modules in ply11_moves with free outputs, for proofs of ply11_moves whatever the star finds.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_star (
  input  wire        clk,
  input  wire [63:0] enemy, straight, oblique,
  input  wire [2:0]  king_row, king_file, row, file,
  input  wire        forward, backward,
  input  wire [1:0]  leap,
  input  wire        two, pawn,
  output wire [31:0] reach, touch,
  output wire [3:0]  slider, king
);

  (* anyseq *) reg [31:0] f_reach, f_touch;
  (* anyseq *) reg [3:0]  f_slider, f_king;
  assign {reach, touch, slider, king} = {f_reach, f_touch, f_slider, f_king};

endmodule

module ply11_encode (
  input  wire [5:0]  from, to,
  input  wire [2:0]  promotion,
  output wire [10:0] index,
  output wire        is_move
);

  (* anyseq *) reg [10:0] f_index;
  assign index = f_index;
  assign is_move = 1'b1;

endmodule

`resetall
