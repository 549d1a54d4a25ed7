// SPDX-License-Identifier: Apache-2.0
// Every from, to and promotion that is a move decodes back from its code to the same.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module ply11_move_roundtrip (
  input  wire [5:0] f_from,
  input  wire [5:0] f_to,
  input  wire [2:0] f_promotion,
  output wire       ok
);

  wire [ 5:0] from, to;
  wire [ 2:0] promotion;
  wire [10:0] index;
  wire        is_move, f_is_move;

  ply11_encode u_encode (
    .from     (f_from),
    .to       (f_to),
    .promotion(f_promotion),
    .index    (index),
    .is_move  (f_is_move)
  );

  ply11_decode u_decode (
    .index    (index),
    .from     (from),
    .to       (to),
    .promotion(promotion),
    .is_move  (is_move)
  );

  assign ok = !f_is_move
      || (is_move && from == f_from && to == f_to && promotion == f_promotion);

endmodule

`resetall
